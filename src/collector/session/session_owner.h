// SPDX-License-Identifier: Apache-2.0
// session_owner: whether a Hello is of the agent that began the session. Ids of sessions are no
// secret, as HTTP shows them; what nobody else knows is the secret of the first Hello.
//
// A session that began without a secret stays without. Of one whose row was lost nothing is known
// until its next Hello.
//
// Where the collector has tokens (access_file.h) a session is its identity's as well. One that
// began without them is of the identity of its next Hello.
//
// Threads: pure functions, any thread.

#ifndef LP_COLLECTOR_SERVER_SESSION_OWNER_H
#define LP_COLLECTOR_SERVER_SESSION_OWNER_H

#include "collector/store/catalog/catalog.h"
#include "common/wire/wire.h"

// session_owner_of sets what a Hello says of it in *out_claim: secret, secret_hash, identity and
// service, which is borrowed from hello. Nothing else is set.
// identity: who says it; "": nobody was asked.
void session_owner_of(
    const Loupe__Wire__Hello *hello, const char *identity, catalog_session *out_claim);

// session_owner_compare returns why the session is not of who claims it, as a text for people;
// NULL: it is.
const char *session_owner_compare(const catalog_session *row, const catalog_session *claim);

// session_owner_take notes in *row whose the session is, by a claim for which session_owner_compare
// returned NULL, where that is not known yet.
void session_owner_take(catalog_session *row, const catalog_session *claim);

#endif // LP_COLLECTOR_SERVER_SESSION_OWNER_H
