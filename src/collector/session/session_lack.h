// SPDX-License-Identifier: Apache-2.0

// session_lack: the acknowledged batches that are missing and that the agent may resend. They are
// noted when found missing, taken back from the losses when they arrive, and given up when the
// agent is not expected to send them.
//
// Threads: the loop that owns the session.
// Tests:   tests/unit/collector/session/test_session.c

#pragma once

#include "collector/session/session.h"

#include <stdint.h>

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
// may not have received the first request. Batches of compacted chunks are not requested again.
void session_lack_again(session *session);

// session_make_good takes back the losses of chunk and the later ones, which the agent resends.
void session_make_good(session *session, uint32_t chunk);
