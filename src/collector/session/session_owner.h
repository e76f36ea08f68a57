// SPDX-License-Identifier: Apache-2.0
// session_owner: checks that a Hello is from the agent that began the session. HTTP shows the ids
// of sessions, so they prove nothing; the secret of the first Hello does.
//
// A session that began without a secret never gets one. If the session's row was lost, the session
// gets the secret of its next Hello, or none.
//
// If the collector has tokens (access_file.h), a session belongs to an identity as well. A session
// that began without tokens gets the identity of its next Hello.
//
// Threads: pure functions, any thread.

#pragma once

#include "collector/store/catalog/catalog.h"
#include "common/wire/wire.h"

// session_owner_of sets secret, secret_hash, identity and service in *out_claim, and zeroes the
// rest. service is borrowed from hello. identity: whose token came with the Hello; "": tokens are
// not checked.
void session_owner_of(
    const Loupe__Wire__Hello *hello, const char *identity, catalog_session *out_claim);

// session_owner_compare returns NULL if the claim fits the session, else the reason, as a text for
// people.
const char *session_owner_compare(const catalog_session *row, const catalog_session *claim);

// session_owner_take copies what *row does not know from a claim for which session_owner_compare
// returned NULL.
void session_owner_take(catalog_session *row, const catalog_session *claim);
