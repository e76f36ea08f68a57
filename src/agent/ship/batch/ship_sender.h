// SPDX-License-Identifier: Apache-2.0
// ship_sender: makes batches of what a ship_source has taken in and puts them into a ship_window,
// in the order that the collector relies on.
//
// The blocks of context records that belong to a chunk, or to one before it, go before the bytes of
// that chunk which were published after them. What the records name goes before or with them
// (ship_known.h). The last batch is marked as such.
//
// What was sent is kept until the collector has it on its disk, and that of the chunk that is being
// sent until the next one: the chunk's file, the blocks, and what their records name. A collector
// that lacks some of it gets the chunks from there on again, as new batches. A chunk of which not
// all is kept any more, as a limit was reached, is not sent again, and counted.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship_sender.c, test_ship.c

#ifndef LP_AGENT_SHIP_BATCH_SHIP_SENDER_H
#define LP_AGENT_SHIP_BATCH_SHIP_SENDER_H

#include "agent/ship/batch/ship_known.h"
#include "agent/ship/batch/ship_source.h"
#include "agent/ship/link/ship_window.h"
#include "agent/ship/ship_allowance.h"
#include "agent/tail/tail.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

// Of so many chunks it is known whether the collector has them on its disk: far more than the tail
// keeps to send again (tail.h). More there are only where that disk takes nothing any more.
enum { SHIP_SENDER_CHUNKS_MAX = 1024 };

// What a collector may have read and sent again, in bytes of JFR and contexts, and 64 KiB each time
// that it asks.
static const ship_allowance_limit SHIP_SENDER_AGAIN = {
    .what = "chunks are sent once more with 60 MiB a minute",
    .at_once = 64 << 20,
    .per_minute = 60 << 20,
};

// A chunk of which something was sent.
typedef struct ship_sent_chunk {
    uint32_t number;
    uint64_t last_sequence; // of its batches so far
} ship_sent_chunk;

// Zeroed but for the first four, nothing was sent. Those are borrowed for good.
typedef struct ship_sender {
    const uint8_t *session; // WIRE_SESSION_BYTES
    ship_source *source;
    ship_known *known;
    ship_window *window;
    tail_place place; // behind the last batch
    tail_piece piece; // read from the tail and not sent yet, its bytes in jfr
    bool has_piece;
    bool is_last_pushed;
    LP_VEC(ship_sent_chunk)
    kept;                  // chunks that were not released, oldest first; the last
                           // SHIP_SENDER_CHUNKS_MAX
    uint32_t released_end; // chunks below it are on the collector's disk, or counted
    uint32_t again_next;   // of chunks from here up to again_end the first batch begins it again
    uint32_t again_end;
    bool is_lacking; // chunks from lacking on are to be sent again, once that is allowed
    uint32_t lacking;
    ship_allowance again;
    uint32_t furthest_chunk; // what came before this place was sent once
    uint64_t furthest_offset;
    uint64_t not_resent; // chunks that were asked for and not kept whole
    lp_buf jfr;
    lp_buf jfr_zstd;
    Loupe__Wire__Counters last; // what ship_sender_leave has said
    uint64_t jfr_restarts;      // a counter that goes with each batch
    int64_t now_ms;             // of the step
} ship_sender;

// ship_sender_step makes the next batch. Returns false if there is none, the window has no room, or
// memory is short: a later step tries again. jfr_restarts: how often the JFR recording was started
// again.
bool ship_sender_step(ship_sender *sender, uint64_t jfr_restarts, int64_t now_ms);

// ship_sender_go_back has this chunk and those behind it sent again, as far as they are kept, with
// the next step that may (SHIP_SENDER_AGAIN).
void ship_sender_go_back(ship_sender *sender, uint32_t chunk);

// ship_sender_is_done returns whether everything was sent, the last batch included, and
// acknowledged.
bool ship_sender_is_done(const ship_sender *sender);

// ship_sender_leave tells the collector that nothing more will come, and how much there was still,
// if that has put all off until by_ms or later. All must have been taken in.
void ship_sender_leave(ship_sender *sender, int64_t now_ms, int64_t by_ms);

// ship_sender_report writes to the log what was not delivered, to a collector that was reached once
// or never.
void ship_sender_report(const ship_sender *sender, bool was_connected);

#endif // LP_AGENT_SHIP_BATCH_SHIP_SENDER_H
