// SPDX-License-Identifier: Apache-2.0
// ship_handshake: finds out why a TLS connection to a collector fails, which NNG does not report.
// It makes a connection of its own, which ends with the handshake.
//
//   ship_handshake_start(&shake, files, at, wake_fd);
//   ship_handshake_step(&shake) // each time that the owner wakes up, until it is no longer
//   SHIP_HANDSHAKE_BUSY
//
// Nothing here blocks; a step takes a few milliseconds of CPU at most. A test takes at most
// SHIP_HANDSHAKE_MS for each message of the handshake, and leaves no connection behind.
//
// Threads: the thread that owns it; NNG's own threads run the callback.
// Tests: tests/unit/agent/ship/test_ship_tls.c

#ifndef LP_AGENT_SHIP_DIAL_SHIP_HANDSHAKE_H
#define LP_AGENT_SHIP_DIAL_SHIP_HANDSHAKE_H

#include "agent/ship/dial/ship_endpoints.h"
#include "agent/ship/dial/ship_tls.h"
#include "common/base/lp_buf.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/ssl.h>
#include <nng/nng.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SHIP_HANDSHAKE_MS = 5000 };

typedef enum ship_handshake_state {
    SHIP_HANDSHAKE_IDLE, // no test since the last result
    SHIP_HANDSHAKE_BUSY,
    SHIP_HANDSHAKE_DONE,    // the handshake succeeded
    SHIP_HANDSHAKE_REFUSED, // by one side, or the files are unusable: see problem
    SHIP_HANDSHAKE_AWAY,    // no connection
} ship_handshake_state;

// The state of a connection.
typedef struct ship_handshake_session {
    ship_tls_content content;
    char *host;
    nng_stream_dialer *dialer;
    nng_stream *stream;
    mbedtls_entropy_context entropy;
    mbedtls_ctr_drbg_context random;
    mbedtls_ssl_config config;
    mbedtls_ssl_context ssl;
    lp_buf out; // to be sent
    uint8_t in[4096];
    size_t in_size;
    size_t in_taken;
    bool has_heard;  // bytes were received
    bool has_ended;  // the other side has closed the connection
    bool is_through; // our side of the handshake is complete
    int code;        // mbedTLS's last one
} ship_handshake_session;

// Zeroed: idle. Must not move once it has started.
typedef struct ship_handshake {
    int wake_fd;
    enum {
        SHIP_HANDSHAKE_NOT,
        SHIP_HANDSHAKE_DIALS,
        SHIP_HANDSHAKE_SENDS,
        SHIP_HANDSHAKE_HEARS
    } stage;
    nng_aio *aio;        // created once
    atomic_bool is_done; // the aio has ended; release and acquire
    const ship_tls *files;
    ship_handshake_session *session; // NULL while idle
    bool is_refused;                 // before it began: the next step returns it
    lp_problem problem;              // of the last test, if that was refused
} ship_handshake;

// Starts a test of an address, unless one is running. Borrows files for good. Writes to wake_fd, an
// eventfd, whenever a step is due. Does nothing without memory; the next step reports unusable
// files.
void ship_handshake_start(
    ship_handshake *shake, const ship_tls *files, const ship_address *at, int wake_fd);

// Takes the steps that do not block. Returns a result once; after that the state is
// SHIP_HANDSHAKE_IDLE.
ship_handshake_state ship_handshake_step(ship_handshake *shake);

#endif // LP_AGENT_SHIP_DIAL_SHIP_HANDSHAKE_H
