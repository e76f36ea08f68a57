// SPDX-License-Identifier: Apache-2.0
// ship_sender: makes batches of what a ship_source has taken in and sends them over a ship_link, in
// the order that the collector relies on.
//
// The blocks of context records that belong to a chunk, or to one before it, go before the bytes of
// that chunk which were published after them. What the records name goes before or with them
// (ship_known.h). The last batch is marked as such.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship.c

#ifndef LP_AGENT_SHIP_SHIP_SENDER_H
#define LP_AGENT_SHIP_SHIP_SENDER_H

#include "agent/ship/ship_known.h"
#include "agent/ship/ship_link.h"
#include "agent/ship/ship_source.h"
#include "agent/tail/tail.h"
#include "common/base/lp_buf.h"

#include <stdbool.h>
#include <stdint.h>

// Zeroed but for the first four, nothing was sent. Those are borrowed for good.
typedef struct ship_sender {
    const uint8_t *session; // WIRE_SESSION_BYTES
    ship_source *source;
    ship_known *known;
    ship_link *link;
    tail_place place; // behind the last batch
    tail_piece piece; // read from the tail and not sent yet, its bytes in jfr
    bool has_piece;
    bool is_last_pushed;
    lp_buf jfr;
    lp_buf jfr_zstd;
    uint64_t jfr_restarts; // a counter that goes with each batch
    int64_t now_ms;        // of the step
} ship_sender;

// ship_sender_step sends as much as there is and the window takes. When memory is short the next
// step tries again. jfr_restarts: how often the JFR recording was started again.
void ship_sender_step(ship_sender *sender, uint64_t jfr_restarts, int64_t now_ms);

// ship_sender_is_done returns whether everything was sent, the last batch included, and
// acknowledged.
bool ship_sender_is_done(const ship_sender *sender);

// ship_sender_report writes to the log what was not delivered.
void ship_sender_report(const ship_sender *sender);

#endif // LP_AGENT_SHIP_SHIP_SENDER_H
