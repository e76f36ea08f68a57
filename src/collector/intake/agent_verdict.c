// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/agent_verdict.h"

#include "common/base/lp_assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

agent_verdict
agent_verdict_make(
    Loupe__Wire__Reply__Status status, uint64_t next_sequence, const char *format, ...)
{
    LP_ASSERT(format != NULL);
    agent_verdict reply = {.status = status, .next_sequence = next_sequence};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reply.text, sizeof(reply.text), format, args);
    va_end(args);
    return reply;
}

agent_verdict
agent_verdict_busy(const char *session_id, uint64_t next_sequence, const char *format, ...)
{
    agent_verdict reply =
        agent_verdict_make(AGENT_VERDICT_BUSY, next_sequence, "session %s: ", session_id);
    size_t length = strlen(reply.text);
    LP_ASSERT(length < sizeof(reply.text));
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reply.text + length, sizeof(reply.text) - length, format, args);
    va_end(args);
    return reply;
}

agent_verdict
agent_verdict_accept(uint64_t next_sequence)
{
    return (agent_verdict){.status = AGENT_VERDICT_OK, .next_sequence = next_sequence};
}

agent_verdict
agent_verdict_limit(const char *session_id, metrics_id limit)
{
    LP_ASSERT(limit < METRICS_COUNT);
    metrics_add(limit, 1);
    return agent_verdict_busy(session_id, 0, "a limit is reached (%s%s)",
        metrics_describe(limit)->name, metrics_describe(limit)->label);
}

void
agent_verdict_await(agent_verdict *self, const sync_rounds *rounds)
{
    LP_ASSERT(self->status == AGENT_VERDICT_OK);
    self->round = sync_rounds_is_late(rounds) ? sync_rounds_get_coming(rounds) : 0;
}

bool
agent_verdict_format_id(const ProtobufCBinaryData *id, char out_id[CATALOG_ID_CHARS + 1])
{
    LP_REQUIRE(id->len == WIRE_SESSION_BYTES, false);
    for (size_t i = 0; i < id->len; i++) {
        (void)snprintf(out_id + 2 * i, 3, "%02x", id->data[i]);
    }
    return true;
}
