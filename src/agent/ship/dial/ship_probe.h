// SPDX-License-Identifier: Apache-2.0
// ship_probe: finds out whether a collector's address belongs to an HTTP server, as when an agent
// is configured with the collector's HTTP port. NNG alone would wait forever: it sends first, and
// an HTTP server waits for the rest of that incomplete request.
//
//   ship_probe_start(&probe, url, wake_fd);
//   ship_probe_step(&probe) // each time that the owner wakes up, until it is no longer
//   SHIP_PROBE_BUSY
//
// Nothing here blocks. A probe takes at most SHIP_PROBE_MS for each of its three steps, and leaves
// no connection behind.
//
// Threads: the thread that owns it; NNG's own threads run the callback.
// Tests: tests/unit/agent/ship/test_ship_probe.c

#ifndef LP_AGENT_SHIP_DIAL_SHIP_PROBE_H
#define LP_AGENT_SHIP_DIAL_SHIP_PROBE_H

#include <nng/nng.h>
#include <stdatomic.h>

enum {
    SHIP_PROBE_MS = 5000, // to connect, to ask and to be answered, each
    SHIP_PROBE_BYTES = 64,
};

typedef enum ship_probe_state {
    SHIP_PROBE_IDLE, // no probe since the last result
    SHIP_PROBE_BUSY,
    SHIP_PROBE_HTTP,  // an HTTP server answered
    SHIP_PROBE_OTHER, // another server answered, or none
} ship_probe_state;

// Zeroed: idle. Must not move once it has started.
typedef struct ship_probe {
    int wake_fd;
    enum { SHIP_PROBE_NOT, SHIP_PROBE_DIALS, SHIP_PROBE_ASKS, SHIP_PROBE_HEARS } stage;
    nng_stream_dialer *dialer;
    nng_aio *aio; // created once
    nng_stream *stream;
    atomic_bool is_done; // the aio has ended; release and acquire
    char answer[SHIP_PROBE_BYTES];
} ship_probe;

// Starts a probe of the address of url, unless one is running. Writes to wake_fd, an eventfd,
// whenever a step is due. Does nothing without memory.
void ship_probe_start(ship_probe *probe, const char *url, int wake_fd);

// Takes the steps that do not block. Returns a result once; after that the state is
// SHIP_PROBE_IDLE.
ship_probe_state ship_probe_step(ship_probe *probe);

#endif // LP_AGENT_SHIP_DIAL_SHIP_PROBE_H
