// SPDX-License-Identifier: Apache-2.0
// health_stream: the connection of `loupe health` to a collector, as it is or under TLS.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/tls.py (case http)

#ifndef LP_CLI_HEALTH_STREAM_H
#define LP_CLI_HEALTH_STREAM_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct health_stream {
    int fd;                             // its limits of time are the caller's
    struct gnutls_session_int *session; // NULL: no TLS
    struct gnutls_certificate_credentials_st *credentials;
} health_stream;

// health_stream_open makes a stream of fd, with TLS or without. cert: a file in PEM whose first
// certificate the other side has to own; whether that holds now does not matter here. NULL: any.
// Owns:   takes fd, also after an error
// Errors: LP_EIO, LP_ECORRUPT, LP_ENOMEM
LP_MUST_USE lp_err health_stream_open(health_stream *stream, int fd, bool has_tls, const char *cert,
    int64_t limit_ms, lp_problem *out_problem);
void health_stream_close(health_stream *stream);

// Both return how many bytes were sent or received: 0 at the end of the connection, negative: an
// error.
ssize_t health_stream_send(health_stream *stream, const void *bytes, size_t size);
ssize_t health_stream_receive(health_stream *stream, void *out, size_t size);

#endif // LP_CLI_HEALTH_STREAM_H
