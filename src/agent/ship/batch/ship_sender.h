// SPDX-License-Identifier: Apache-2.0
// ship_sender: makes batches of the data of a ship_source and adds them to a ship_window, in the
// order that the collector relies on.
//
// Each block of context records belongs to a chunk. It is sent before all bytes of this chunk and
// of later chunks that were published after the block was drained. Everything that the records
// refer to is sent before or with them (ship_known.h). The last batch is marked as such.
//
// Sent data is kept until the collector has it on its disk; the data of the current chunk, until
// the next chunk. It consists of the chunk's file, the blocks, and everything that their records
// refer to. If a collector lacks some of it, all chunks from that place on are sent again, in new
// batches. A chunk that is incomplete because of a limit is counted, and not sent again.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/ship/test_ship_sender.c, test_ship.c

#pragma once

#include "agent/ship/batch/ship_known.h"
#include "agent/ship/batch/ship_source.h"
#include "agent/ship/link/ship_window.h"
#include "agent/ship/ship_allowance.h"
#include "agent/tail/tail.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

// The most chunks for which the sender remembers whether the collector has them on its disk. This
// is far more than the tail keeps (tail.h); only a collector with a full disk leads to more.
enum { SHIP_SENDER_CHUNKS_MAX = 1024 };

// Limits resent bytes of JFR and contexts. Each request of a collector for a resend counts as 64
// KiB.
static const ship_allowance_limit SHIP_SENDER_AGAIN = {
    .what = "chunks are resent at 60 MiB a minute",
    .at_once = 64 << 20,
    .per_minute = 60 << 20,
};

// A chunk that was sent, at least partly.
typedef struct ship_sent_chunk {
    uint32_t number;
    uint64_t last_sequence; // of its batches so far
} ship_sent_chunk;

// session, source, known and window are set, and borrowed for good. All other members are zeroed:
// nothing was sent.
typedef struct ship_sender {
    const uint8_t *session; // WIRE_SESSION_BYTES
    ship_source *source;
    ship_known *known;
    ship_window *window;
    tail_place place; // behind the last batch
    tail_piece piece; // the next piece to send, if has_piece; its bytes are in jfr
    bool has_piece;
    bool is_last_pushed;
    bool is_short; // memory ran out in the last step
    LP_VEC(ship_sent_chunk)
    kept;                  // unreleased chunks, oldest first; at most SHIP_SENDER_CHUNKS_MAX
    uint32_t released_end; // chunks below are on the collector's disk, or in not_resent
    uint32_t again_next;   // chunks from here up to again_end must still be resent
    uint32_t again_end;
    bool is_lacking; // chunks from `lacking` on must be sent again, once this is allowed
    uint32_t lacking;
    ship_allowance again;
    uint32_t furthest_chunk; // all data before this place was sent at least once
    uint64_t furthest_offset;
    uint64_t not_resent; // requested chunks that were incomplete
    lp_buf jfr;
    lp_buf jfr_zstd;
    wire_compressor *compressor;
    Loupe__Wire__Counters last; // sent by ship_sender_leave
    uint64_t jfr_restarts;      // sent with each batch
    int64_t now_ms;             // of the step
} ship_sender;

// Sends the next batch. Returns false if there is none, the window has no room, or memory ran out:
// a later step retries. jfr_restarts: the number of restarts of the JFR recording.
bool ship_sender_step(ship_sender *sender, uint64_t jfr_restarts, int64_t now_ms);

// Resends this chunk and the later ones, except those that are no longer kept, at the next step
// that SHIP_SENDER_AGAIN allows.
void ship_sender_go_back(ship_sender *sender, uint32_t chunk);

// Returns whether everything, including the last batch, was sent and acknowledged.
bool ship_sender_is_done(const ship_sender *sender);

// If the collector has postponed all batches until by_ms or later, tells it that nothing more will
// come, and how much is left. All data must have been read.
void ship_sender_leave(ship_sender *sender, int64_t now_ms, int64_t by_ms);

// Logs undelivered data. was_connected: whether the collector was ever reached.
void ship_sender_report(const ship_sender *sender, bool was_connected);
