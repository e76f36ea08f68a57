// SPDX-License-Identifier: Apache-2.0

// http_listener: takes in connections of HTTP, as its gate lets them, on a thread of its own, which
// also looks each second whose time is over, and learns at once which clients have gone, those
// included to whose connection nobody else listens as their request is being worked on.
//
// Threads: create, start, stop and destroy on one.
// Tests:   tests/unit/collector/http/routes/test_http_limits.c

#ifndef LP_COLLECTOR_HTTP_HTTP_LISTENER_H
#define LP_COLLECTOR_HTTP_HTTP_LISTENER_H

#include "collector/http/gate/http_gate.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    HTTP_LISTENER_CHECK_MS = 1000,
    HTTP_LISTENER_CROWD_MS = 5,  // where too many leave
    HTTP_LISTENER_LOG_MS = 1000, // at least, between two lines about connections that were cut
};

typedef struct http_listener http_listener;

// http_listener_create makes one that does not run yet. It takes fd, a socket that listens and does
// not block, also after an error. Errors: LP_ENOMEM, LP_EIO
LP_MUST_USE lp_err http_listener_create(
    int fd, const http_gate_limits *limits, http_listener **out_listener);

// http_listener_start starts its thread, which hands each connection to take. This owns it from
// then on, if it returns true, and has http_gate_leave called before it is closed.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err http_listener_start(http_listener *listener,
    bool (*take)(void *arg, int fd, const struct sockaddr *address, socklen_t size), void *arg);

// http_listener_get_gate lends the gate until http_listener_destroy.
http_gate *http_listener_get_gate(http_listener *listener);

// http_listener_stop ends the thread: nobody is let in any more. NULL is fine.
void http_listener_stop(http_listener *listener);

// http_listener_destroy frees a stopped one, once its connections have left. NULL is fine.
void http_listener_destroy(http_listener *listener);

#endif // LP_COLLECTOR_HTTP_HTTP_LISTENER_H
