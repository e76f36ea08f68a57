// SPDX-License-Identifier: Apache-2.0

// agent_hello: the Hello with which an agent begins a session, or goes on with it over another
// connection: who may, whether there is a place, and what the session is called.
//
// A session that is not in memory gets its place if those of the same address, and of the same
// token, are not too many, nor begin too fast (sessions.h). Where there is no place, one of which
// nothing came gives its own.
//
// Nothing of a Hello is trusted: a malformed one is refused, and one that there is no room for is
// put off.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/session/test_session_places.c, test_server_messages.c,
//          test_server_owner.c

#ifndef LP_COLLECTOR_SERVER_AGENT_HELLO_H
#define LP_COLLECTOR_SERVER_AGENT_HELLO_H

#include "collector/access/access_file.h"
#include "collector/intake/agent_places.h"
#include "collector/intake/agent_verdict.h"
#include "collector/intake/disk_reserve.h"
#include "collector/keep/retention.h"
#include "collector/net/agent_socket.h"
#include "collector/session/sessions.h"

#include <stdbool.h>
#include <stdint.h>

enum { AGENT_HELLO_LOG_MS = 1000 }; // at least, between two lines about Hellos of a session

// A Hello that may come in, from an agent that is there.
typedef struct agent_greeting {
    const Loupe__Wire__Hello *hello; // borrowed
    char id[CATALOG_ID_CHARS + 1];   // of its session
    agent_pass pass;
    uint64_t holders[2];           // whose the session is: an address and a token (peers.h)
    uint64_t connection;           // the number of the one over which it came
    agent_socket_request *request; // borrowed, until it is answered
    uint64_t now_ms;               // the loop's time
} agent_greeting;

// What a Hello is taken with. All is borrowed.
typedef struct agent_hello_desk {
    sessions *sessions;
    sync_rounds *rounds;
    disk_reserve *reserve;
    const agent_places *places; // a session of which something waits there makes no room
    uint64_t now_ms;            // the loop's time
    // How a session is found or brought into memory: as session_take, which NULL is.
    lp_err (*take)(void *arg, const char *session_id, session **out_session, uint64_t *out_term);
    // Called for a session that has ended before its first batch; it may be dropped.
    void (*on_empty)(void *arg, session *session);
    void *arg;
} agent_hello_desk;

// agent_hello_check judges a Hello by itself: AGENT_VERDICT_OK and the id of its session, or
// AGENT_VERDICT_REFUSED.
agent_verdict agent_hello_check(const Loupe__Wire__Hello *hello, char out_id[CATALOG_ID_CHARS + 1]);

// agent_hello_judge judges one with what is known of its request: *out_greeting is written with
// AGENT_VERDICT_OK alone, without now_ms. removed: a session that is being removed is put off.
// access: who may send; NULL: everybody.
agent_verdict agent_hello_judge(const retention *removed, access_file *access,
    agent_socket_request *request, const Loupe__Wire__Hello *hello, agent_greeting *out_greeting);

// agent_hello_compare_owner finds why a session is not of who claims it (session_owner.h), as a
// text for people; NULL: it is, or nobody knows it. Errors: as catalog_find
LP_MUST_USE lp_err agent_hello_compare_owner(
    sessions *sessions, const char *id, const catalog_session *claim, const char **out_fault);

// agent_hello_greet admits the session of a Hello that was judged: it has a place, and is here.
// *out_session is written only with AGENT_VERDICT_OK.
agent_verdict agent_hello_greet(
    const agent_hello_desk *desk, const agent_greeting *greeting, session **out_session);

// agent_hello_take does the last part of it alone, that which is of the session, with a Hello that
// was checked: claim is what that says of whose the session is (session_owner.h), and connection
// the number of the one over which it came; 0: none of this process's. *out_session is written
// only with AGENT_VERDICT_OK.
agent_verdict agent_hello_take(const agent_hello_desk *desk, const Loupe__Wire__Hello *hello,
    const catalog_session *claim, uint64_t connection, session **out_session);

#endif // LP_COLLECTOR_SERVER_AGENT_HELLO_H
