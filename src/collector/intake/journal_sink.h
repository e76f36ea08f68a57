// SPDX-License-Identifier: Apache-2.0

// journal_sink: journals batches. With the first batch of a chunk, the policy in force for the
// service is written to the chunk's journal and decides the chunk. If there is none, the JVM's own
// policy does; a later batch may correct it.
//
// It is what agents' requests go into (agent_protocol.h), unless there is a log in front: whoever
// reads that journals by the same functions.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_server.c, test_server_late.c

#ifndef LP_COLLECTOR_INTAKE_JOURNAL_SINK_H
#define LP_COLLECTOR_INTAKE_JOURNAL_SINK_H

#include "collector/intake/agent_protocol.h"
#include "collector/intake/disk_reserve.h"
#include "collector/intake/policy_cache.h"
#include "collector/session/sessions.h"

// All is borrowed.
typedef struct journal_sink {
    agent_protocol *door; // NULL: it is nobody's sink
    sessions *sessions;
    sync_rounds *rounds;
    disk_reserve *reserve;
    policy_dir *policies; // NULL: none
    bool has_policy;      // there is one for all services: no JVM's own counts
    policy_cache *cache;  // of the JVMs' own policies
    uint64_t now_ms;
    uint64_t own_quiet_ms; // no line about one that cannot be read is due before that
    // Called after a batch of the session is in the journal, and for one that has ended, which may
    // be dropped.
    void (*on_batch)(void *arg, session *session);
    void *arg;
} journal_sink;

// journal_sink_bind makes it the sink of a door, which is borrowed.
void journal_sink_bind(journal_sink *sink, agent_protocol *door);

// journal_sink_append journals the batch of a session whose turn it is, in message as it came:
// AGENT_VERDICT_OK, or AGENT_VERDICT_BUSY with why it cannot be now.
agent_verdict journal_sink_append(
    journal_sink *sink, session *session, const Loupe__Wire__Batch *batch, lp_slice message);

// journal_sink_repeat notes a batch that is here already. Returns whether the session has ended
// with it.
bool journal_sink_repeat(session *session, const Loupe__Wire__Batch *batch);

#endif // LP_COLLECTOR_INTAKE_JOURNAL_SINK_H
