// SPDX-License-Identifier: Apache-2.0

// session_note: updates a session by a batch that arrived, or by the agent's last message.
//
// Threads: the loop that owns the session; at start, the one that opens it.
// Tests:   tests/unit/collector/session/test_session.c

#pragma once

#include "collector/session/session.h"

// session_note updates the session by a batch in the journal of chunk. If the batch's own chunk was
// compacted before, `chunk` is a later one.
void session_note(session *session, session_chunk *chunk, const Loupe__Wire__Batch *batch);

// session_note_end notes that the session has ended, and the counters of what its agent could not
// send.
void session_note_end(session *session, const Loupe__Wire__Counters *counters);
