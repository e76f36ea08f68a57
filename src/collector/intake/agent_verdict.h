// SPDX-License-Identifier: Apache-2.0

// agent_verdict: what is said to a request of an agent, as the functions that judge it make it.
//
// Threads: any thread; pure but for agent_verdict_await, which is the rounds' loop's.
// Tests:   tests/unit/collector/server/test_server.c, test_server_messages.c, test_server_quota.c

#ifndef LP_COLLECTOR_SERVER_AGENT_VERDICT_H
#define LP_COLLECTOR_SERVER_AGENT_VERDICT_H

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
    uint64_t next_sequence;              // as of Reply
    uint64_t round;                      // of sync_rounds, after which it is sent; 0: at once
    uint32_t lacking_chunk;              // as of Reply
    uint32_t again_after_ms;             // the same
    bool is_with_policy;                 // with the settings for the JVM
    bool is_told;                        // why is in the log already
    bool is_later;                       // it is taken, and its sink answers later
    char text[AGENT_VERDICT_TEXT_BYTES]; // for people; cut where it is longer
} agent_verdict;

// agent_verdict_make returns a verdict that is sent at once.
agent_verdict agent_verdict_make(Loupe__Wire__Reply__Status status, uint64_t next_sequence,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

// agent_verdict_accept returns AGENT_VERDICT_OK, which is sent at once.
agent_verdict agent_verdict_accept(uint64_t next_sequence);

// agent_verdict_limit counts a limit that is in the way of one more session, and puts that off.
agent_verdict agent_verdict_limit(const char *session_id, metrics_id limit);

// agent_verdict_await has the answer wait for the round of what was written just now, where
// answers wait for the disk.
void agent_verdict_await(agent_verdict *verdict, const sync_rounds *rounds);

// agent_verdict_format_id writes the session id of a message as hex, for verdicts and the catalog.
// Returns false if the id is not 16 bytes.
bool agent_verdict_format_id(const ProtobufCBinaryData *id, char out_id[CATALOG_ID_CHARS + 1]);

#endif // LP_COLLECTOR_SERVER_AGENT_VERDICT_H
