// SPDX-License-Identifier: Apache-2.0

// session_take: sessions of a catalog that collectors share (catalog_owners.h), as they come to
// this one and leave it.
//
// What is here of a session, in memory and journals, is of the term for which it was this node's.
// Once another node has had it, that is worth nothing: chunks may have been stored that it does not
// know of, and what of it is not stored the agent sends again (docs/internals/wire.md, Once more).
// So it goes before the session is taken again: an owner that is this node has what it had.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/session/test_session_take.c

#ifndef LP_COLLECTOR_SERVER_SESSION_TAKE_H
#define LP_COLLECTOR_SERVER_SESSION_TAKE_H

#include "collector/session/sessions.h"

#include <stdbool.h>
#include <stdint.h>

enum { SESSION_TAKE_AT_ONCE = 64 };

// session_take makes a session this node's, where that is shared, and brings it into memory. What
// another owner had of it and did not store lacks then, and its agent is asked for it. *out_term is
// that of the session, 0 where the catalog is not shared, also with LP_ENOENT.
//
// Errors: LP_ENOENT the catalog does not have it; LP_EAGAIN what is here of it is still in use, or
// as the catalog's; LP_EIO journals cannot be removed; those of sessions_load
LP_MUST_USE lp_err session_take(
    sessions *sessions, const char *session_id, session **out_session, uint64_t *out_term);

// session_own does the first part of it alone: the session is this node's then, and not brought
// into memory. Errors: LP_EAGAIN, LP_EIO as above
LP_MUST_USE lp_err session_own(sessions *sessions, const char *session_id, uint64_t *out_term);

// session_give_up forgets a session that was lost (session_note_lost), and removes its journals.
// Returns false while they are in use.
bool session_give_up(sessions *sessions, session *session);

// session_take_left takes up to SESSION_TAKE_AT_ONCE sessions of nodes whose lease has been over for
// over_ms, or that are nobody's and were not heard of for as long. From now_ms on, the loop's time,
// they count as silent, and end as any other does. What their node had and did not store is counted
// as lost; if it comes back before they end here, it is lost all the same.
void session_take_left(sessions *sessions, uint64_t over_ms, uint64_t now_ms);

#endif // LP_COLLECTOR_SERVER_SESSION_TAKE_H
