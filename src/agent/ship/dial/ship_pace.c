// SPDX-License-Identifier: Apache-2.0
// Tests: tests/unit/agent/ship/test_ship_pace.c

#include "agent/ship/dial/ship_dialer.h"

// Returns the shortest pause, doubled count times, up to max_ms.
static int64_t
get_doubled(unsigned count, int64_t max_ms)
{
    int64_t pause_ms = SHIP_PACE_MS_MIN;
    for (unsigned i = 0; i < count && pause_ms < max_ms; i++) {
        pause_ms *= 2;
    }
    return pause_ms < max_ms ? pause_ms : max_ms;
}

int64_t
ship_pace_get_ms(const ship_pace *self)
{
    int64_t short_ms = get_doubled(self->short_count, SHIP_PACE_TAKEN_MS_MAX);
    int64_t vain_ms = get_doubled(self->vain_count, SHIP_PACE_VAIN_MS_MAX);
    return short_ms > vain_ms ? short_ms : vain_ms;
}

void
ship_pace_note_connected(ship_pace *self, int64_t now_ms)
{
    bool is_short = self->was_connected &&
                    now_ms - self->connected_ms < SHIP_PACE_LASTING_MS + ship_pace_get_ms(self);
    *self = (ship_pace){
        .connected_ms = now_ms,
        .was_connected = true,
        .short_count = is_short ? self->short_count + 1 : 0,
        .vain_count = is_short ? self->vain_count + 1 : 0,
    };
}

void
ship_pace_note_taken(ship_pace *self)
{
    self->vain_count = 0;
}
