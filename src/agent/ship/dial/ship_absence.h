// SPDX-License-Identifier: Apache-2.0
// ship_absence: logs that the collector does not answer, and that it answers again. A wrong address
// looks like an unreachable collector, so this module also probes whether the address speaks HTTP.
// With TLS, a test handshake finds out whether one side rejects the other's certificate.
//
// Threads: the thread that owns it.
// Tests:   tests/unit/agent/ship/test_ship.c, tests/e2e/attach.py (case address)

#pragma once

#include "agent/ship/dial/ship_endpoints.h"
#include "agent/ship/dial/ship_tls.h"
#include "common/base/lp_buf.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/ssl.h>
#include <nng/nng.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// --- ship_probe
//
// Finds out whether a collector's address belongs to an HTTP server: an agent may be configured
// with the collector's HTTP port. NNG alone would wait forever: it sends first, and the HTTP server
// waits for the rest of an incomplete request.
//
//   ship_probe_start(&probe, url, wake_fd);
//   ship_probe_step(&probe) // each time that the owner wakes up, while it returns SHIP_PROBE_BUSY
//
// Nothing here blocks. A probe has three steps, takes at most SHIP_PROBE_MS for each, and leaves no
// connection behind.

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

// Starts a probe of the address of url, unless a probe is running. Writes to wake_fd, an eventfd,
// whenever a step is due. Does nothing if memory runs out.
void ship_probe_start(ship_probe *probe, const char *url, int wake_fd);

// Takes the steps that do not block. Returns the result of a probe once; after that it returns
// SHIP_PROBE_IDLE.
ship_probe_state ship_probe_step(ship_probe *probe);

// --- ship_handshake
//
// Finds out why a TLS connection to a collector fails, which NNG does not report. It makes its own
// connection, which ends with the handshake.
//
//   ship_handshake_start(&shake, files, at, wake_fd);
//   // each time that the owner wakes up, while it returns SHIP_HANDSHAKE_BUSY:
//   ship_handshake_step(&shake)
//
// Nothing here blocks; a step takes a few milliseconds of CPU at most. A test takes at most
// SHIP_HANDSHAKE_MS for each message of the handshake, and leaves no connection behind.

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
    int code;        // the last result of mbedTLS
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
    bool is_refused;                 // the start failed: the next step returns REFUSED
    lp_problem problem;              // of the last test, if that was refused
} ship_handshake;

// Starts a test of an address, unless a test is running. Borrows files for good. Writes to wake_fd,
// an eventfd, whenever a step is due. Does nothing if memory runs out. The next step reports
// unusable files.
void ship_handshake_start(
    ship_handshake *shake, const ship_tls *files, const ship_address *at, int wake_fd);

// Takes the steps that do not block. Returns the result of a test once; after that it returns
// SHIP_HANDSHAKE_IDLE.
ship_handshake_state ship_handshake_step(ship_handshake *shake);

typedef struct ship_absence {
    const ship_address *at; // the dialled address; borrowed for good
    const ship_tls *tls;    // borrowed for good; NULL: no TLS
    int wake_fd;
    int64_t begun_ms;     // time of the first step
    int64_t answered_ms;  // when an answer last came or was not owed; else begun_ms
    bool is_absent;       // the missing answer was logged
    ship_probe probe;     // without TLS, until the first connection
    ship_handshake shake; // with TLS
    int64_t probe_at_ms;
    bool is_http_logged;
    lp_problem refused; // the last logged TLS problem; no text: none since the last answer
} ship_absence;

// Watches the collector at an address. The owner may change *at, but at->endpoint is always one of
// the configured URLs. Writes to wake_fd, an eventfd, whenever a step is due. After the first step
// *absence must not move.
void ship_absence_init(
    ship_absence *absence, const ship_address *at, const ship_tls *tls, int wake_fd);

// Notes that an answer came at now_ms (monotonic).
void ship_absence_note_answer(ship_absence *absence, int64_t now_ms);

// Notes that at now_ms the collector owes no answer.
void ship_absence_note_rest(ship_absence *absence, int64_t now_ms);

// Logs what is due at now_ms. is_owed: the collector owes an answer; was_connected: there was a
// connection to it at least once. Returns true if a test handshake succeeded although the collector
// does not answer: then the dialer uses TLS files that have been replaced since.
bool ship_absence_step(ship_absence *absence, bool is_owed, bool was_connected, int64_t now_ms);
