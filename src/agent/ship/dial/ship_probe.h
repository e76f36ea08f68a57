// SPDX-License-Identifier: Apache-2.0
// ship_probe: finds out whether HTTP is spoken at an address that should be a collector's. That is
// what happens when an agent is given the collector's other port. NNG just waits there: it speaks
// first, and an HTTP server waits for the rest of what looks like half a request.
//
//   ship_probe_start(&probe, url, wake_fd);
//   ship_probe_step(&probe) // each time that the owner wakes up, until it is no longer
//   SHIP_PROBE_BUSY
//
// Nothing here blocks. A question takes at most SHIP_PROBE_MS for each of its three steps, and
// leaves no connection behind.
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
    SHIP_PROBE_IDLE, // nothing was asked since the last answer
    SHIP_PROBE_BUSY,
    SHIP_PROBE_HTTP,  // it was an HTTP server that answered
    SHIP_PROBE_OTHER, // it was not, or nobody answered
} ship_probe_state;

// A zeroed one is idle. Once it has started it stays where it is, for good.
typedef struct ship_probe {
    int wake_fd;
    enum { SHIP_PROBE_NOT, SHIP_PROBE_DIALS, SHIP_PROBE_ASKS, SHIP_PROBE_HEARS } stage;
    nng_stream_dialer *dialer; // of the question
    nng_aio *aio;              // made once
    nng_stream *stream;
    atomic_bool is_done; // the aio has ended; stored with release, taken with acquire
    char answer[SHIP_PROBE_BYTES];
} ship_probe;

// ship_probe_start asks at the address of url, unless it is asking already. wake_fd, an eventfd, is
// written whenever a step is due. Without the memory for it nothing is asked.
void ship_probe_start(ship_probe *probe, const char *url, int wake_fd);

// ship_probe_step takes the steps that do not block. The result is returned once; after that the
// state is SHIP_PROBE_IDLE.
ship_probe_state ship_probe_step(ship_probe *probe);

#endif // LP_AGENT_SHIP_DIAL_SHIP_PROBE_H
