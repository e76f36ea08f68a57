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
#include "collector/intake/agent_verdict.h"
#include "collector/intake/disk_reserve.h"
#include "collector/keep/retention.h"
#include "collector/net/agent_socket.h"
#include "collector/session/sessions.h"

#include <stdbool.h>
#include <stdint.h>

enum { AGENT_HELLO_LOG_MS = 1000 }; // at least, between two lines about Hellos of a session

// What a Hello is judged with. All is borrowed.
typedef struct agent_hello_desk {
    sessions *sessions;
    sync_rounds *rounds;
    disk_reserve *reserve;
    const retention *retention; // a session that is being removed is put off
    access_file *access;        // who may send; NULL: everybody
    uint64_t now_ms;            // the loop's time
    bool has_room;              // its answer can wait for the disk if it has to
    // How a session is found or brought into memory: as session_take, which NULL is.
    lp_err (*take)(void *arg, const char *session_id, session **out_session, uint64_t *out_term);
    // Called for a session that has ended before its first batch; it may be dropped.
    void (*on_empty)(void *arg, session *session);
    void *arg;
} agent_hello_desk;

// agent_hello_greet admits the session of a Hello, and notes that it is there. *out_session is
// written only with AGENT_VERDICT_OK.
agent_verdict agent_hello_greet(const agent_hello_desk *desk, const agent_socket_request *request,
    const Loupe__Wire__Hello *hello, session **out_session);

// agent_hello_check judges a Hello by itself: AGENT_VERDICT_OK and the id of its session, or
// AGENT_VERDICT_REFUSED.
agent_verdict agent_hello_check(const Loupe__Wire__Hello *hello, char out_id[CATALOG_ID_CHARS + 1]);

// agent_hello_judge does the first part of it alone, that which is of the request: *out_id and
// *out_pass are written only with AGENT_VERDICT_OK.
agent_verdict agent_hello_judge(const agent_hello_desk *desk, const agent_socket_request *request,
    const Loupe__Wire__Hello *hello, char out_id[CATALOG_ID_CHARS + 1], agent_pass *out_pass);

// agent_hello_take does the last part of it alone, that which is of the session, with a Hello that
// was checked: claim is what that says of whose the session is (session_owner.h), and connection
// the number of the one over which it came; 0: none of this process's. *out_session is written
// only with AGENT_VERDICT_OK.
agent_verdict agent_hello_take(const agent_hello_desk *desk, const Loupe__Wire__Hello *hello,
    const catalog_session *claim, uint64_t connection, session **out_session);

#endif // LP_COLLECTOR_SERVER_AGENT_HELLO_H
