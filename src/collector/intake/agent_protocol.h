// SPDX-License-Identifier: Apache-2.0

// agent_protocol: the one door for the requests of agents. Judges each, keeps the window of each
// session (agent_places.h), and hands what is in order to a sink, a journal (journal_sink.h) or a
// log, each batch once, in the order of their numbers. Then it answers.
//
// An answer says that the sink has a batch. Where that has to be on the disk by then
// (sync_rounds_is_late), it waits for its round, and so does the answer to a Hello, for the
// catalog. What waits has no bytes any more; if the disk does not take the journal, the request is
// put off. A sink may also answer later itself.
//
// Nothing that comes in here is trusted: a malformed request is refused, and one that would take
// too much room is put off.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_server.c, test_server_messages.c, test_server_log.c

#ifndef LP_COLLECTOR_SERVER_AGENT_PROTOCOL_H
#define LP_COLLECTOR_SERVER_AGENT_PROTOCOL_H

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
    AGENT_PROTOCOL_LOG_MS = 1000,         // at least, between two lines about what was not taken
    AGENT_PROTOCOL_ANSWERS_MAX = 1 << 16, // that wait for the disk; requests are put off then
};

// An answer that waits for the end of a round. Its request and reply are owned.
typedef struct agent_answer {
    agent_socket_request *request;
    lp_buf reply;
    char session_id[CATALOG_ID_CHARS + 1];
    uint64_t round;
} agent_answer;

// What requests go into. Each is called with the sink's arg.
typedef struct agent_sink {
    void *arg;
    // Takes the session of a Hello that was judged. *out_place, by agent_protocol_open_place, is
    // written with AGENT_VERDICT_OK.
    agent_verdict (*greet)(void *arg, const agent_greeting *greeting, agent_place **out_place);
    // Notes that something came of a session, and sets its numbers. False: it needs a Hello.
    bool (*hear)(void *arg, agent_place *place, uint64_t now_ms);
    // Takes the batch whose turn it is, in message as it came.
    agent_verdict (*append)(
        void *arg, agent_place *place, const Loupe__Wire__Batch *batch, lp_slice message);
    // Answers one that was acknowledged before. NULL: there is no more to say.
    agent_verdict (*repeat)(void *arg, const agent_place *place, const Loupe__Wire__Batch *batch);
    // Returns Reply.durable_sequence. NULL: it is what is acknowledged.
    uint64_t (*get_durable)(void *arg, const agent_place *place, const agent_verdict *reply);
    // Whether the session of a place may still send; NULL: for as long as its connection lasts.
    bool (*has)(void *arg, const agent_place *place);
    // Called when all that came of a session is answered; it may drop the session. NULL: nothing.
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
    const retention *retention; // a session that is being removed is put off
    policy_dir *policies;       // NULL: none
    access_file *access;        // who may send; NULL: everybody
    size_t early_bytes_max;     // of all batches that came early; further ones are put off
    uint64_t now_ms;
    // Every answer asks the agent to go to another collector (Reply.go_elsewhere). Any thread may
    // store it; a plain fact, it orders nothing.
    atomic_bool is_drained;
    uint64_t quiet_ms; // no line about requests that were not taken is due before that
} agent_protocol;

// agent_protocol_handle takes request and answers it, now or, if it came early, with a later call.
// now_ms is the loop's time.
void agent_protocol_handle(
    agent_protocol *protocol, agent_socket_request *request, uint64_t now_ms);

// agent_protocol_release sends the answers whose round is over.
void agent_protocol_release(agent_protocol *protocol);

// agent_protocol_look forgets places whose connection or session is gone. Now and then.
void agent_protocol_look(agent_protocol *protocol, uint64_t now_ms);

// agent_protocol_fini drops the requests that wait, and frees the memory of protocol.
void agent_protocol_fini(agent_protocol *protocol);

// --- For sinks

// agent_protocol_open_place returns the place of a Hello's session. One over the connection of the
// Hello before, while all is well, asks for another policy: what is on its way goes on. Otherwise
// the window begins at Hello.next_sequence. NULL: memory ran out.
agent_place *agent_protocol_open_place(agent_protocol *protocol, const agent_greeting *greeting);

// agent_protocol_greeted notes that a Hello was taken.
void agent_protocol_greeted(agent_place *place);

// agent_protocol_answer answers a request, at once or after its round. place: NULL where there is
// none. NULL needs no answer.
void agent_protocol_answer(agent_protocol *protocol, agent_socket_request *request,
    const agent_place *place, agent_verdict reply);

// agent_protocol_end_batch answers a batch that was on its way: it was taken. Returns false where
// that is not the one that is next.
bool agent_protocol_end_batch(agent_protocol *protocol, agent_place *place, uint64_t sequence);

// Cancels the batches in flight: each gets reply, and the session needs a Hello.
void agent_protocol_begin_again(
    agent_protocol *protocol, agent_place *place, const agent_verdict *reply);

#endif // LP_COLLECTOR_SERVER_AGENT_PROTOCOL_H
