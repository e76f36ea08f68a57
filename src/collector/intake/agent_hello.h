// SPDX-License-Identifier: Apache-2.0

// agent_hello: handles the Hello with which an agent begins a session, or continues it over another
// connection. It checks whether the agent may do so, and whether there is a place, and keeps the
// session's description.
//
// A session that is not in memory gets a place if its address and its token do not have too many
// sessions, and do not begin them too fast (sessions.h). If all places are taken, a session that
// has sent only its Hello is evicted.
//
// Hellos are not trusted. A malformed Hello is refused. If there is no room for it, the agent has
// to retry.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/session/test_session_places.c, test_server_messages.c,
//          test_server_owner.c

#pragma once

#include "collector/access/access_file.h"
#include "collector/intake/agent_places.h"
#include "collector/intake/agent_verdict.h"
#include "collector/intake/disk_reserve.h"
#include "collector/keep/retention.h"
#include "collector/net/agent_socket.h"
#include "collector/session/sessions.h"

#include <stdint.h>

enum { AGENT_HELLO_LOG_MS = 1000 }; // between two log lines about Hellos of a session

// A Hello that was judged. Its agent is connected and may send.
typedef struct agent_greeting {
    const Loupe__Wire__Hello *hello; // borrowed
    char id[CATALOG_ID_CHARS + 1];   // of its session
    agent_pass pass;
    uint64_t holders[2];           // the address and token for which the session counts (peers.h)
    uint64_t connection;           // the number of its connection
    agent_socket_request *request; // borrowed, until it is answered
    uint64_t now_ms;               // the loop's time
} agent_greeting;

// The environment of a Hello. Everything is borrowed.
typedef struct agent_hello_env {
    sessions *sessions;
    sync_rounds *rounds;
    disk_reserve *reserve;
    const agent_places *places; // a session whose place has waiting requests is not evicted
    uint64_t now_ms;            // the loop's time
    // Finds a session or loads it into memory; NULL: session_take.
    lp_err (*take)(void *arg, const char *session_id, session **out_session, uint64_t *out_term);
    // Called for a session that was evicted before its first batch; it may drop the session.
    void (*on_empty)(void *arg, session *session);
    void *arg;
} agent_hello_env;

// agent_hello_check validates a Hello. Returns AGENT_VERDICT_OK and the id of its session, or
// AGENT_VERDICT_REFUSED.
agent_verdict agent_hello_check(const Loupe__Wire__Hello *hello, char out_id[CATALOG_ID_CHARS + 1]);

// agent_hello_judge judges a Hello and its request. AGENT_VERDICT_OK needs a connected agent, a
// session that is not being removed, and access that allows it (NULL: no rules). Only with
// AGENT_VERDICT_OK is *out_greeting written; the caller then sets its now_ms.
agent_verdict agent_hello_judge(const retention *removed, access_file *access,
    agent_socket_request *request, const Loupe__Wire__Hello *hello, agent_greeting *out_greeting);

// agent_hello_compare_owner compares the session's owner with the claimant (session_owner.h).
// Writes to *out_fault a text about the difference; NULL if they match, or if the owner is unknown.
// Errors: as catalog_find
LP_MUST_USE lp_err agent_hello_compare_owner(
    sessions *sessions, const char *id, const catalog_session *claim, const char **out_fault);

// agent_hello_greet admits the session of a judged Hello: it makes a place and loads or begins the
// session. Only with AGENT_VERDICT_OK is *out_session written.
agent_verdict agent_hello_greet(
    const agent_hello_env *env, const agent_greeting *greeting, session **out_session);

// agent_hello_take is agent_hello_greet without the place, for a checked Hello. claim is the
// Hello's claim on the session (session_owner.h). connection is the number of the Hello's
// connection; 0 if this process does not have it. Only with AGENT_VERDICT_OK is *out_session
// written.
agent_verdict agent_hello_take(const agent_hello_env *env, const Loupe__Wire__Hello *hello,
    const catalog_session *claim, uint64_t connection, session **out_session);
