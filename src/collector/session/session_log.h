// SPDX-License-Identifier: Apache-2.0

// session_log: limits the log lines about sessions that began, ended or changed their collector.
// The first SESSION_LOG_LINES_MAX of a minute are logged at info, the rest at debug; one line at
// info sums up the rest at the end of the minute.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/session/test_session_log.c

#pragma once

#include "common/base/lp_log.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SESSION_LOG_LINES_MAX = 20, // at info, in SESSION_LOG_MS
    SESSION_LOG_MS = 60000,
    SESSION_LOG_TEXT_BYTES = 160,
};

typedef enum session_log_kind {
    SESSION_LOG_HELLO,
    SESSION_LOG_END,
    SESSION_LOG_TAKEN,
    SESSION_LOG_KIND_COUNT,
} session_log_kind;

// Zeroed: ready for use.
typedef struct session_log {
    uint64_t end_ms;                        // of the present minute
    uint32_t lines;                         // at info, in the present minute
    uint64_t quiet[SESSION_LOG_KIND_COUNT]; // lines at debug, in the present minute
} session_log;

// session_log_get_level counts a line and returns the level to log it at.
lp_log_level session_log_get_level(session_log *self, session_log_kind kind);

// session_log_sum begins a new minute if the present one is over at now_ms. Returns true and writes
// the sum to out_text if lines of the old minute were logged at debug.
bool session_log_sum(
    session_log *self, uint64_t now_ms, char out_text[static SESSION_LOG_TEXT_BYTES]);
