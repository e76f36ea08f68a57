// SPDX-License-Identifier: Apache-2.0

// agent_protocol: handles all requests of agents. It judges each request, and keeps the window of
// each session (agent_places.h). It passes each batch once, in the order of numbers, to a sink: a
// journal (journal_sink.h) or a log. Then it answers.
//
// An answer acknowledges that the sink has the batch. If the batch has to be on the disk first
// (sync_rounds_is_late), the answer waits for the end of a round. The answer to a Hello waits in
// the same way for the catalog. The request's bytes are freed before the wait. If the sync fails,
// the answer is BUSY, and the agent retries. A sink may also answer a request later itself.
//
// Requests are not trusted. A malformed request is refused. If a request takes too much room, the
// agent has to retry.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_server.c, test_server_messages.c, test_server_log.c

#pragma once

#include "collector/access/access_file.h"
#include "collector/intake/agent_hello.h"
#include "collector/intake/agent_places.h"
#include "collector/intake/day_quotas.h"
#include "collector/keep/retention.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"
#include "policy/policy_dir.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AGENT_PROTOCOL_LOG_MS = 1000,         // between two log lines about rejected requests
    AGENT_PROTOCOL_ANSWERS_MAX = 1 << 16, // waiting for the disk; further requests are put off
};

// An answer that waits for the end of a round. Owns request and reply.
typedef struct agent_answer {
    agent_socket_request *request;
    lp_buf reply;
    char session_id[CATALOG_ID_CHARS + 1];
    uint64_t round;
} agent_answer;

// A receiver of requests. Each function gets arg.
typedef struct agent_sink {
    void *arg;
    // Takes the session of a judged Hello. With AGENT_VERDICT_OK it writes *out_place, which
    // agent_protocol_open_place returned.
    agent_verdict (*greet)(void *arg, const agent_greeting *greeting, agent_place **out_place);
    // Notes that the session's agent sent a message, and sets the place's numbers. Returns false if
    // the session needs a Hello.
    bool (*hear)(void *arg, agent_place *place, uint64_t now_ms);
    // Takes the next batch. message is the request as received.
    agent_verdict (*append)(
        void *arg, agent_place *place, const Loupe__Wire__Batch *batch, lp_slice message);
    // Answers a batch that was acknowledged earlier. NULL: such a batch is accepted.
    agent_verdict (*repeat)(void *arg, const agent_place *place, const Loupe__Wire__Batch *batch);
    // Returns Reply.durable_sequence. NULL: it is place->acknowledged.
    uint64_t (*get_durable)(void *arg, const agent_place *place, const agent_verdict *reply);
    // Returns whether the session may still send. NULL: always.
    bool (*has)(void *arg, const agent_place *place);
    // Called after answers to a session. It may drop the session. NULL: not called.
    void (*settle)(void *arg, const agent_place *place);
} agent_sink;

typedef struct agent_protocol {
    agent_socket *socket;
    agent_sink sink;
    agent_places places;
    sync_rounds *rounds;
    LP_VEC(agent_answer) waiting; // in the order of their rounds
    size_t first_waiting;
    day_quotas *quotas;
    const retention *retention; // requests of sessions in removal are put off
    policy_dir *policies;       // NULL: none
    access_file *access;        // NULL: no rules
    // Early batches are put off while agent_socket_get_taken_bytes exceeds this.
    size_t early_bytes_max;
    uint64_t now_ms;
    // If true, every answer asks the agent to go to another collector (Reply.go_elsewhere).
    // Relaxed: it orders nothing.
    atomic_bool is_drained;
    uint64_t log_ms; // loop time of the next line about rejected requests, at the earliest
} agent_protocol;

// agent_protocol_handle takes ownership of request and answers it, in this call or a later one.
// now_ms is the loop's time.
void agent_protocol_handle(
    agent_protocol *protocol, agent_socket_request *request, uint64_t now_ms);

// agent_protocol_release sends the answers whose round is over.
void agent_protocol_release(agent_protocol *protocol);

// agent_protocol_look drops places whose connection or session has ended. Call it now and then.
void agent_protocol_look(agent_protocol *protocol, uint64_t now_ms);

// agent_protocol_drain sets whether answers ask agents to move to another collector. Any thread.
void agent_protocol_drain(agent_protocol *protocol, bool is_drained);

// agent_protocol_fini drops the waiting requests.
void agent_protocol_fini(agent_protocol *protocol);

// --- For sinks

// agent_protocol_open_place returns the place of a Hello's session; NULL if memory ran out. A
// second Hello over the same connection only asks for the policy, and batches in flight stay. Any
// other Hello cancels them, and the window begins at Hello.next_sequence.
agent_place *agent_protocol_open_place(agent_protocol *protocol, const agent_greeting *greeting);

// agent_protocol_greeted notes that a Hello was taken.
void agent_protocol_greeted(agent_place *place);

// agent_protocol_answer answers request at once or after its round, and takes ownership of it.
// request may be NULL; place is NULL if the session has none.
void agent_protocol_answer(agent_protocol *protocol, agent_socket_request *request,
    const agent_place *place, agent_verdict reply);

// agent_protocol_end_batch acknowledges a batch in flight. Returns false if it is not the oldest
// one.
bool agent_protocol_end_batch(agent_protocol *protocol, agent_place *place, uint64_t sequence);

// agent_protocol_begin_again cancels all batches in the window, and answers each with reply. The
// session then needs a Hello.
void agent_protocol_begin_again(
    agent_protocol *protocol, agent_place *place, const agent_verdict *reply);
