// SPDX-License-Identifier: Apache-2.0

// http_listener: accepts HTTP connections on its own thread, as the gate admits them. The thread
// also checks the gate's times every second, and tells the gate which clients leave, even while a
// connection is suspended.
//
// Threads: create, start, stop and destroy on one thread.
// Tests:   tests/unit/collector/http/routes/test_http_limits.c

#pragma once

#include "collector/http/gate/http_gate.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <sys/socket.h>

enum {
    HTTP_LISTENER_CHECK_MS = 1000,
    HTTP_LISTENER_CROWD_MS = 5,  // pause while the gate is crowded
    HTTP_LISTENER_LOG_MS = 1000, // lowest interval between log lines about cut connections
};

typedef struct http_listener http_listener;

// http_listener_create takes ownership of fd, a non-blocking listening socket, also on error.
// Errors: LP_ENOMEM, LP_EIO
LP_MUST_USE lp_err http_listener_create(
    int fd, const http_gate_limits *limits, http_listener **out_listener);

// http_listener_start starts the thread, which calls take for each connection. If take returns
// true, it owns fd, and calls http_gate_leave before closing it; else it has closed fd.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err http_listener_start(http_listener *listener,
    bool (*take)(void *arg, int fd, const struct sockaddr *address, socklen_t size), void *arg);

// http_listener_get_gate lends the gate until http_listener_destroy.
http_gate *http_listener_get_gate(http_listener *listener);

// http_listener_stop ends the thread and closes the listening socket. NULL is fine.
void http_listener_stop(http_listener *listener);

// http_listener_destroy frees a stopped listener whose connections have left. NULL is fine.
void http_listener_destroy(http_listener *listener);
