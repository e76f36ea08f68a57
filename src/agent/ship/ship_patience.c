// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_patience.h"

ship_patience
ship_patience_begin(int64_t wait_ms, int64_t now_ms)
{
    return (ship_patience){
        .by_ms = now_ms + wait_ms,
        .latest_ms = now_ms + SHIP_PATIENCE_WAITS_MAX * wait_ms,
        .wait_ms = wait_ms,
    };
}

void
ship_patience_note_taken(ship_patience *self, int64_t taken_ms)
{
    int64_t by_ms = taken_ms + self->wait_ms;
    if (by_ms > self->latest_ms) {
        by_ms = self->latest_ms;
    }
    if (by_ms > self->by_ms) {
        self->by_ms = by_ms;
    }
}
