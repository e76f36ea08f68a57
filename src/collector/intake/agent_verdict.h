// SPDX-License-Identifier: Apache-2.0

// agent_verdict: the answer to a request of an agent, before it is packed.
//
// Threads: any thread; agent_verdict_await only the loop of the rounds.
// Tests:   tests/unit/collector/server/test_server.c, test_server_messages.c, test_server_quota.c

#pragma once

#include "collector/base/metrics.h"
#include "collector/journal/sync_rounds.h"
#include "collector/store/catalog/catalog.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

#define AGENT_VERDICT_OK              LOUPE__WIRE__REPLY__STATUS__OK
#define AGENT_VERDICT_UNKNOWN_SESSION LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION
#define AGENT_VERDICT_REFUSED         LOUPE__WIRE__REPLY__STATUS__REFUSED
#define AGENT_VERDICT_BUSY            LOUPE__WIRE__REPLY__STATUS__BUSY
#define AGENT_VERDICT_NOT_ALLOWED     LOUPE__WIRE__REPLY__STATUS__NOT_ALLOWED

enum { AGENT_VERDICT_TEXT_BYTES = 256 };

typedef struct agent_verdict {
    Loupe__Wire__Reply__Status status;
    uint64_t next_sequence;              // of Reply
    uint64_t round;                      // send it after this round of sync_rounds; 0: at once
    uint32_t lacking_chunk;              // of Reply
    uint32_t again_after_ms;             // of Reply
    bool is_with_policy;                 // with the settings for the JVM
    bool is_logged;                      // the reason is in the log already
    bool is_later;                       // the sink has the request, and answers later
    char text[AGENT_VERDICT_TEXT_BYTES]; // the reason, for people; truncated if it is longer
} agent_verdict;

// agent_verdict_make returns a verdict that is sent at once, with a reason.
agent_verdict agent_verdict_make(Loupe__Wire__Reply__Status status, uint64_t next_sequence,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

// agent_verdict_busy returns AGENT_VERDICT_BUSY for a request of a session. Its reason begins with
// "session ID: ".
agent_verdict agent_verdict_busy(const char *session_id, uint64_t next_sequence, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

// agent_verdict_accept returns AGENT_VERDICT_OK, to be sent at once.
agent_verdict agent_verdict_accept(uint64_t next_sequence);

// agent_verdict_limit counts a session that exceeds a limit, and returns AGENT_VERDICT_BUSY.
agent_verdict agent_verdict_limit(const char *session_id, metrics_id limit);

// agent_verdict_await makes the answer wait for the coming round if answers have to wait for the
// disk.
void agent_verdict_await(agent_verdict *verdict, const sync_rounds *rounds);

// agent_verdict_format_id writes a session id of a message as hex. Returns false if the id does not
// have WIRE_SESSION_BYTES.
bool agent_verdict_format_id(const ProtobufCBinaryData *id, char out_id[CATALOG_ID_CHARS + 1]);
