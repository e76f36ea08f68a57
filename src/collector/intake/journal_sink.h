// SPDX-License-Identifier: Apache-2.0

// journal_sink: writes batches to journals. With the first batch of a chunk, it also writes the
// service's policy, which then applies to the chunk. If the collector has no policy for the
// service, the JVM's own policy applies; a later batch may replace it.
//
// It is the sink of agent_protocol.h, unless a log is in front (log_route.h). Then log_worker calls
// these functions.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_server.c, test_server_late.c

#pragma once

#include "collector/intake/agent_protocol.h"
#include "collector/intake/disk_reserve.h"
#include "collector/intake/policy_cache.h"
#include "collector/session/sessions.h"

// Everything is borrowed.
typedef struct journal_sink {
    agent_protocol *door; // NULL: not bound
    sessions *sessions;
    sync_rounds *rounds;
    disk_reserve *reserve;
    policy_dir *policies; // NULL: none
    bool has_policy;      // one policy applies to all services: JVMs' own are ignored
    policy_cache *cache;  // of the JVMs' own policies
    uint64_t now_ms;
    uint64_t own_log_ms; // loop time of the next line about a JVM's policy, at the earliest
    // Called after answers to a session, and for an evicted one; it may drop the session.
    void (*on_batch)(void *arg, session *session);
    void *arg;
} journal_sink;

// journal_sink_bind makes sink the sink of door. door borrows it.
void journal_sink_bind(journal_sink *sink, agent_protocol *door);

// journal_sink_append journals the session's next batch. message is the request as received.
// Returns AGENT_VERDICT_OK, or AGENT_VERDICT_BUSY with the reason.
agent_verdict journal_sink_append(
    journal_sink *sink, session *session, const Loupe__Wire__Batch *batch, lp_slice message);

// journal_sink_repeat notes a repeated batch. Returns whether it ends the session.
bool journal_sink_repeat(session *session, const Loupe__Wire__Batch *batch);
