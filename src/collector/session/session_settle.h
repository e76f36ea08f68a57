// SPDX-License-Identifier: Apache-2.0

// session_settle: the fate of the acknowledged batches. A batch is in one of three states: settled,
// as the session's row says; in the journal of a waiting chunk; or missing.
//
//     missing = [0, next_sequence) - settled - those in journals
//
// A missing batch counts once as lost (row.lost), unless it was late (row.late). The session's lack
// has the missing batches that the agent may resend: they are noted when found missing, taken back
// from the losses when they arrive, and given up when the agent is not expected to send them.
//
// Threads: the loop that owns the session; at start, the one that opens it.
// Tests:   tests/unit/collector/session/test_session.c

#pragma once

#include "collector/session/session.h"

#include <stddef.h>
#include <stdint.h>

// session_find_missing returns the missing batches. The caller ends the set.
lp_ranges session_find_missing(const session *session);

// session_lose_missing counts the missing batches that are neither late nor counted as lost, and
// logs which and why. Returns them; the caller ends the set.
lp_ranges session_lose_missing(session *session, const char *why);

// session_settle adds to row->settled the batches of the first `count` waiting chunks, which are
// being compacted, and the missing batches before the last of these and before the first batch of
// the later chunks: missing batches may belong to compacted chunks. *row is the session's next row.
void session_settle(const session *session, size_t count, catalog_session *row);

// session_end ends a session without anything left to compact: row.is_ended is set. Waiting chunks
// that are damaged count as lost. If the agent said that it ended, all batches are settled. Else
// the batches of compacted chunks that are in the journals are late.
void session_end(session *session);

// session_settle_unknown settles the batches of a row that was rebuilt. Call it before the row's
// next_sequence changes. The batches before the first one in a journal count as settled, and so do
// the batches before a chunk that was resent. The row stays marked as rebuilt until a chunk is
// compacted, unless the journals have all batches from number 0.
void session_settle_unknown(session *session);

// session_go_on continues a session that was compacted to its end and whose agent has returned.
// Batches behind its last chunk, without JFR bytes, were discarded; they count as lost, and the
// agent may resend them. Discarded batches of compacted chunks are no loss, but the agent may
// resend them, too: they may have had types and maps.
void session_go_on(session *session);

// session_count_recovered counts the missing batches, and the damaged bytes of the journals of the
// waiting chunks, that the row does not count yet. Call it after all these journals were read.
void session_count_recovered(session *session);

// --- Missing batches that may come

// session_note_damage counts damage that was found in the journal of a waiting chunk while the
// session runs. The collector requests a Hello, and the collector's answer to it tells the agent
// which chunk is incomplete.
void session_note_damage(session *session, const journal *journal, uint64_t damaged_bytes);

// session_lack_chunk notes that batches of this chunk, or of later ones, are missing, and that the
// agent may resend them. The caller counts the loss in the session and in its lack.
void session_lack_chunk(session *session, uint32_t ordinal);

// session_lack_batches is session_lack_chunk for batches that are counted as lost already.
void session_lack_batches(session *session, uint32_t ordinal, const lp_ranges *batches);

// session_forget_lack makes the losses final: the missing batches do not come.
void session_forget_lack(session *session);

// session_give_up_lack stops waiting. The batches are lost unless their chunk begins again before
// it is compacted.
void session_give_up_lack(session *session);

// session_lack_again waits again for batches that were given up, because the agent says Hello and
// may not have received the collector's first request. Batches of compacted chunks are not
// requested again.
void session_lack_again(session *session);

// session_make_good takes back the losses of `chunk` and of later chunks: the agent resends them.
void session_make_good(session *session, uint32_t chunk);
