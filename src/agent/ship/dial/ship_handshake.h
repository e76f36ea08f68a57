// SPDX-License-Identifier: Apache-2.0
// ship_handshake: finds out why a collector cannot be reached by TLS, by a connection of its own
// that ends with the handshake. NNG keeps the reason to itself.
//
//   ship_handshake_start(&shake, files, at, wake_fd);
//   ship_handshake_step(&shake) // each time that the owner wakes up, until it is no longer
//   SHIP_HANDSHAKE_BUSY
//
// Nothing here blocks; a step takes some milliseconds of CPU at most. A question takes at most
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
    SHIP_HANDSHAKE_IDLE, // nothing was asked since the last answer
    SHIP_HANDSHAKE_BUSY,
    SHIP_HANDSHAKE_DONE,    // it is as it should be
    SHIP_HANDSHAKE_REFUSED, // by one of the two sides, or the files cannot be used: see the problem
    SHIP_HANDSHAKE_AWAY,    // nobody is there
} ship_handshake_state;

// What there is of a connection.
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
    bool has_heard;  // anything
    bool has_ended;  // the other side has
    bool is_through; // the handshake, as far as we are concerned
    int code;        // mbedTLS's, of that or of what came next
} ship_handshake_session;

// A zeroed one is idle. Once it has started it stays where it is, for good.
typedef struct ship_handshake {
    int wake_fd;
    enum {
        SHIP_HANDSHAKE_NOT,
        SHIP_HANDSHAKE_DIALS,
        SHIP_HANDSHAKE_SENDS,
        SHIP_HANDSHAKE_HEARS
    } stage;
    nng_aio *aio;        // made once
    atomic_bool is_done; // the aio has ended; stored with release, taken with acquire
    const ship_tls *files;
    ship_handshake_session *session; // NULL while idle
    bool is_refused;                 // before it began: the next step says so
    lp_problem problem;              // of the last question, where that was refused
} ship_handshake;

// ship_handshake_start asks at an address, unless it is asking already. files is borrowed
// for good. wake_fd, an eventfd, is written whenever a step is due. Without the memory for it
// nothing is asked; files that cannot be used are the answer at the next step.
void ship_handshake_start(
    ship_handshake *shake, const ship_tls *files, const ship_address *at, int wake_fd);

// ship_handshake_step takes the steps that do not block. The result is returned once; after that
// the state is SHIP_HANDSHAKE_IDLE.
ship_handshake_state ship_handshake_step(ship_handshake *shake);

#endif // LP_AGENT_SHIP_DIAL_SHIP_HANDSHAKE_H
