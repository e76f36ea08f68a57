// SPDX-License-Identifier: Apache-2.0

#include "collector/session/session_log.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"

#include <inttypes.h>
#include <stdio.h>

lp_log_level
session_log_get_level(session_log *self, session_log_kind kind)
{
    LP_ASSERT(kind < SESSION_LOG_KIND_COUNT && self->lines <= SESSION_LOG_LINES_MAX);
    if (self->lines < SESSION_LOG_LINES_MAX) {
        self->lines++;
        return LP_LOG_INFO;
    }
    self->quiet[kind]++;
    return LP_LOG_DEBUG;
}

bool
session_log_sum(session_log *self, uint64_t now_ms, char out_text[static SESSION_LOG_TEXT_BYTES])
{
    LP_REQUIRE(now_ms >= self->end_ms, false);
    const uint64_t *quiet = self->quiet;
    bool has_quiet =
        quiet[SESSION_LOG_HELLO] + quiet[SESSION_LOG_END] + quiet[SESSION_LOG_TAKEN] > 0;
    if (has_quiet) {
        (void)snprintf(out_text, SESSION_LOG_TEXT_BYTES,
            "sessions, besides those above: %" PRIu64 " Hellos, %" PRIu64 " ended, %" PRIu64
            " taken from other nodes; --log-level debug shows each",
            quiet[SESSION_LOG_HELLO], quiet[SESSION_LOG_END], quiet[SESSION_LOG_TAKEN]);
    }
    *self = (session_log){.end_ms = now_ms + SESSION_LOG_MS};
    return has_quiet;
}
