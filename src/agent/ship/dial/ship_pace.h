// SPDX-License-Identifier: Apache-2.0
// ship_pace: how long an agent waits before it replaces a connection that ended. It has no clock
// and no network: the owner reports connections and answers.
//
//   ship_pace_note_connected(&pace, now_ms);
//   ship_pace_note_taken(&pace);     // each time that an answer is OK
//   ... ship_pace_get_ms(&pace) once the connection has ended
//
// Design notes. A collector may close each connection at once, because it is broken or hostile. The
// pause before the next connection doubles each time that a connection did not last. It has two
// limits:
//
//   the collector took something over the connection   SHIP_PACE_TAKEN_MS_MAX
//   it took nothing over this one and those before it  SHIP_PACE_VAIN_MS_MAX
//
// A collector that restarts often takes something each time, and gets its agents back within a
// second: if a dial meets it while it is down, another pause follows. Only useless connections
// since the last OK count against the second limit. So some restarts in quick succession, one of
// which hits an agent before its OK, do not keep that agent away.
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

// Zeroed: there was no connection.
typedef struct ship_pace {
    int64_t connected_ms; // time of the last connection, if was_connected
    bool was_connected;
    unsigned short_count; // connections in a row that did not last, before the last one
    unsigned vain_count;  // of these, those since the last OK
} ship_pace;

// Notes a new connection at now_ms (monotonic).
void ship_pace_note_connected(ship_pace *pace, int64_t now_ms);

// Notes that the collector took something over the last connection.
void ship_pace_note_taken(ship_pace *pace);

// Returns the longest wait before the next connection.
int64_t ship_pace_get_ms(const ship_pace *pace);

#endif // LP_AGENT_SHIP_DIAL_SHIP_PACE_H
