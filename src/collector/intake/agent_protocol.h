// SPDX-License-Identifier: Apache-2.0

// agent_protocol: the requests of agents. Checks each, hands Hellos to agent_hello, journals
// batches in the order of their sequence numbers, each once, and answers. With the first
// batch of a chunk, the policy in force for the service is written to the chunk's journal and
// decides the chunk. If there is none, the JVM's own policy does; a later batch may correct it.
//
// An answer says that a batch is in its journal. Where that has to be on the disk by then
// (sync_rounds_is_late), it waits for its round, and so does the answer to a Hello, for the
// catalog. What waits has no bytes any more; if the disk does not take the journal, the request is
// put off.
//
// Nothing that comes in here is trusted: a malformed request is refused, and one that would take
// too much room is put off.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_server.c, test_server_messages.c

#ifndef LP_COLLECTOR_SERVER_AGENT_PROTOCOL_H
#define LP_COLLECTOR_SERVER_AGENT_PROTOCOL_H

#include "collector/access/access_file.h"
#include "collector/intake/agent_reply.h"
#include "collector/intake/day_quotas.h"
#include "collector/intake/disk_reserve.h"
#include "collector/intake/held_answers.h"
#include "collector/intake/policy_message.h"
#include "collector/keep/retention.h"
#include "collector/net/agent_socket.h"
#include "collector/session/sessions.h"
#include "policy/policy_dir.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct agent_protocol {
    agent_socket *socket;
    sessions *sessions;
    sync_rounds *rounds;
    held_answers held;
    disk_reserve *reserve;
    day_quotas *quotas;
    const retention *retention; // a session that is being removed is put off
    policy_dir *policies;       // NULL: none
    bool has_policy;            // there is one for all services: no JVM's own counts
    access_file *access;        // who may send; NULL: everybody
    size_t early_bytes_max;     // of all batches that came early; further ones are put off
    uint64_t now_ms;
    // Every answer asks the agent to go to another collector (Reply.go_elsewhere). Any thread may
    // store it; a plain fact, it orders nothing.
    atomic_bool is_drained;
    agent_reply_log log;
    policy_cache *cache;   // of the JVMs' own policies.
    uint64_t own_quiet_ms; // no line about one that cannot be read is due before that
    // Called after a batch of the session is in the journal, and for one that has ended, which may
    // be dropped.
    void (*on_batch)(void *arg, session *session);
    void *arg;
} agent_protocol;

// agent_protocol_handle takes request and answers it, now or, if it came early, with a later call.
// now_ms is the loop's time.
void agent_protocol_handle(
    agent_protocol *protocol, agent_socket_request *request, uint64_t now_ms);

// agent_protocol_journal journals the batch of a session whose turn it is, in message as it came:
// AGENT_VERDICT_OK, or AGENT_VERDICT_BUSY with why it cannot be now. Of protocol it uses what is of
// the disk and of policies.
agent_verdict agent_protocol_journal(
    agent_protocol *protocol, session *session, const Loupe__Wire__Batch *batch, lp_slice message);

// agent_protocol_release sends the answers whose round is over.
void agent_protocol_release(agent_protocol *protocol);

// agent_protocol_fini drops the requests that wait, and frees the memory of protocol.
void agent_protocol_fini(agent_protocol *protocol);

#endif // LP_COLLECTOR_SERVER_AGENT_PROTOCOL_H
