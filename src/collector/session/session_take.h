// SPDX-License-Identifier: Apache-2.0

// session_take: moves sessions between collectors that share a catalog (catalog_owners.h).
//
// A session's state in memory and its journals are valid for one term of ownership. Once another
// node has owned the session, they are worthless: the other node may have stored chunks that this
// node does not know, and the agent resends the rest (docs/internals/wire.md). So this node deletes
// state and journals before it takes the session again.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/session/test_session_take.c

#pragma once

#include "collector/session/sessions.h"

#include <stdbool.h>
#include <stdint.h>

enum { SESSION_TAKE_AT_ONCE = 64 };

// session_take makes this node the owner of a session of a shared catalog, and loads it. Batches
// that an earlier owner did not store are missing, and are requested from the agent. *out_term is
// the session's term; 0 if the catalog is not shared, and with LP_ENOENT.
//
// Errors: LP_ENOENT not in the catalog; LP_EAGAIN its state here is still in use, or as the
//         catalog; LP_EIO journals cannot be removed; as sessions_load
LP_MUST_USE lp_err session_take(
    sessions *sessions, const char *session_id, session **out_session, uint64_t *out_term);

// session_own only makes this node the owner, and loads nothing. Errors: LP_EAGAIN, LP_EIO as above
LP_MUST_USE lp_err session_own(sessions *sessions, const char *session_id, uint64_t *out_term);

// session_take_left takes up to SESSION_TAKE_AT_ONCE sessions whose node has stopped and whose
// agent went to no other: usually the JVM has ended, and a session without an owner would never
// end. These are sessions of nodes whose lease ended over_ms ago, and sessions without an owner
// that were silent for as long. They count as silent from now_ms on, the loop's time. Batches that
// their node did not store count as lost, also if that node returns.
void session_take_left(sessions *sessions, uint64_t over_ms, uint64_t now_ms);
