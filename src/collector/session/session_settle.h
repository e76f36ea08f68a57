// SPDX-License-Identifier: Apache-2.0

// session_settle: what became of the batches that were acknowledged. They are settled, as the
// session's row says, or in the journals of the chunks that wait, or missing:
//
//     missing = [0, next_sequence) - settled - those in journals
//
// What is missing is lost, and counts once (row.lost), unless it was late (row.late). It may lack,
// which means that its agent may send it again (session_lack.h).
//
// Threads: the loop that owns the session; at start, the one that opens it.
// Tests:   tests/unit/collector/session/test_session.c

#ifndef LP_COLLECTOR_SERVER_SESSION_SETTLE_H
#define LP_COLLECTOR_SERVER_SESSION_SETTLE_H

#include "collector/session/session.h"

#include <stddef.h>

// session_find_missing returns the batches that are missing, for the caller to end.
lp_ranges session_find_missing(const session *session);

// session_lose_missing counts the missing batches that are not late and did not count before. The
// log says which, and why. Returns them, for the caller to end.
lp_ranges session_lose_missing(session *session, const char *why);

// session_settle sets in *row, which is to become that of the session, what is settled once the
// first count of the waiting chunks are compacted: their batches, and all before those of the
// chunks behind them. What is missing there may be of those.
void session_settle(const session *session, size_t count, catalog_session *row);

// session_settle_end notes what is to be discarded, as the session counts as ended: of batches of
// the waiting chunks that are of earlier ones the content is there, or is late.
void session_settle_end(session *session);

// session_settle_unknown is for a row that was made again, before its next_sequence changes: what
// is before the first batch in a journal counts as settled, and what came again in journals as
// well. The row stays one that was made again until a chunk is compacted, unless the journals have
// all batches from the first on.
void session_settle_unknown(session *session);

// session_go_on is for a session that was compacted to its end, and whose agent is there again.
// What came behind its last chunk, without JFR bytes, was discarded: it lacks. That of batches of
// compacted chunks, which were late or are there, is no loss, but it may have had types and maps.
void session_go_on(session *session);

// session_count_recovered counts the batches and the bytes that are missing in the journals of the
// waiting chunks, all of which were read, and were not when the session's row was written.
void session_count_recovered(session *session);

#endif // LP_COLLECTOR_SERVER_SESSION_SETTLE_H
