// SPDX-License-Identifier: Apache-2.0

// session_settle: what a session's row says of batches that were acknowledged and are in no
// journal, counted from the journals of the chunks that wait.
//
// Threads: the loop that owns the session; at start, the one that opens it.
// Tests:   tests/unit/collector/session/test_session.c

#ifndef LP_COLLECTOR_SERVER_SESSION_SETTLE_H
#define LP_COLLECTOR_SERVER_SESSION_SETTLE_H

#include "collector/session/session.h"

#include <stddef.h>

// session_settle_end sets in the row what is known of the batches of waiting chunks, which are to
// be discarded, as the session counts as ended.
void session_settle_end(session *session);

// session_settle sets in *row, which is to become that of the session, what of its losses is in the
// journals of the waiting chunks, without the first count of them.
void session_settle(const session *session, size_t count, catalog_session *row);

// session_count_recovered counts the batches and the bytes that are missing in the journals of the
// waiting chunks, all of which were read, and were not when the session's row was written.
void session_count_recovered(session *session);

#endif // LP_COLLECTOR_SERVER_SESSION_SETTLE_H
