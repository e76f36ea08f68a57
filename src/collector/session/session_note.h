// SPDX-License-Identifier: Apache-2.0

// session_note: what a batch that has come says of its session and chunk, and the last word of an
// agent.
//
// Threads: the loop that owns the session; at start, the one that opens it.
// Tests:   tests/unit/collector/session/test_session.c

#ifndef LP_COLLECTOR_SERVER_SESSION_NOTE_H
#define LP_COLLECTOR_SERVER_SESSION_NOTE_H

#include "collector/session/session.h"

// session_note updates the session by a batch that is in the journal of chunk. That may be a later
// chunk than the batch's own, which was compacted before it came.
void session_note(session *session, session_chunk *chunk, const Loupe__Wire__Batch *batch);

// session_note_end notes that the session has ended, and what its agent could not send.
void session_note_end(session *session, const Loupe__Wire__Counters *counters);

#endif // LP_COLLECTOR_SERVER_SESSION_NOTE_H
