// SPDX-License-Identifier: Apache-2.0

// session_lack: what a session lacks that its agent may send again: noted as it is found, taken
// back from the losses once it comes, given up once nobody waits for it.
//
// Threads: the loop that owns the session.
// Tests:   tests/unit/collector/session/test_session.c

#ifndef LP_COLLECTOR_SERVER_SESSION_LACK_H
#define LP_COLLECTOR_SERVER_SESSION_LACK_H

#include "collector/session/session.h"

#include <stdint.h>

// session_note_damage counts the damage of the journal of a waiting chunk, as it was found while
// the session runs: its agent is asked to say Hello, and hears what is lacking.
void session_note_damage(session *session, const journal *journal, uint64_t damaged_bytes);

// session_lack_chunk notes that batches of this chunk, or of later ones, are not here, which the
// agent may send again. Their loss is counted by the caller, in the session and in its lack.
void session_lack_chunk(session *session, uint32_t ordinal);

// session_lack_batches does so with batches whose loss is counted.
void session_lack_batches(session *session, uint32_t ordinal, const lp_ranges *batches);

// session_forget_lack is for when what is lacking does not come: it stays lost.
void session_forget_lack(session *session);

// session_give_up_lack is for when nobody waits for it any longer: it is lost, unless its chunk
// begins again before it is compacted.
void session_give_up_lack(session *session);

// Asks again for batches that were given up, for an agent that says Hello: it may not have heard
// that it was asked. Not for those of compacted chunks.
void session_lack_again(session *session);

// session_make_good takes back the losses of what comes again: chunk and those behind it.
void session_make_good(session *session, uint32_t chunk);

#endif // LP_COLLECTOR_SERVER_SESSION_LACK_H
