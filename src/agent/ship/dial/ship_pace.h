// SPDX-License-Identifier: Apache-2.0
// ship_pace: how long an agent waits before it replaces a connection that ended. It has no clock
// and no network: the owner says when a connection came about and that the collector took
// something over it.
//
//   ship_pace_note_connected(&pace, now_ms);
//   ship_pace_note_taken(&pace);     // each time that an answer is OK
//   ... ship_pace_get_ms(&pace) once the connection has ended
//
// Design notes. A collector may end each connection at once, because it is ill or hostile. The
// pause before the next connection doubles each time that one did not last. Two limits bound it:
//
//   the collector took something over the connection   SHIP_PACE_TAKEN_MS_MAX
//   it took nothing over this one and those before it  SHIP_PACE_VAIN_MS_MAX
//
// A collector that restarts often takes something each time, and gets its agents back within a
// second: a dial that meets it while it is down is followed by another pause. Only connections in
// vain since the last OK count against the second limit. So restarts in quick succession, of which
// one hits an agent before its OK, do not keep that agent away.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship_pace.c

#ifndef LP_AGENT_SHIP_DIAL_SHIP_PACE_H
#define LP_AGENT_SHIP_DIAL_SHIP_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SHIP_PACE_MS_MIN = 100,
    SHIP_PACE_TAKEN_MS_MAX = 500,
    SHIP_PACE_VAIN_MS_MAX = 60 * 1000,
    SHIP_PACE_LASTING_MS = 10 * 1000, // a connection lasts if it outlives its pause by this
};

// Zeroed, no connection came about.
typedef struct ship_pace {
    int64_t connected_ms; // when the last connection came about, if any did
    bool was_connected;
    unsigned short_count; // connections in a row, before the last one, that did not last
    unsigned vain_count;  // of these, those since the last OK
} ship_pace;

// ship_pace_note_connected notes that a connection came about at now_ms (monotonic).
void ship_pace_note_connected(ship_pace *pace, int64_t now_ms);

// ship_pace_note_taken notes that the collector took something over the last connection.
void ship_pace_note_taken(ship_pace *pace);

// ship_pace_get_ms returns how long the agent waits, at most, before the next connection.
int64_t ship_pace_get_ms(const ship_pace *pace);

#endif // LP_AGENT_SHIP_DIAL_SHIP_PACE_H
