// SPDX-License-Identifier: Apache-2.0
// tcp_listen: opens a listening socket at "HOST:PORT" and accepts its connections.
//
// Threads: any thread.
// Tests:   tests/unit/collector/http/test_http.c, tests/unit/collector/net/test_agent_listener.c

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    TCP_LISTEN_PAUSE_MS = 1000,          // without accepting, after TCP_ACCEPTED_NO_ROOM
    TCP_LISTEN_PAUSE_LOG_MS = 60 * 1000, // minimum between two log lines about pauses
};

typedef struct tcp_listen_config {
    const char *address; // "HOST:PORT", "[IPV6]:PORT" or ":PORT" for all addresses; port 0: any
    const char *name;    // of the address, in messages
    int name_flags;      // of getaddrinfo, for a host that is a name
    bool is_local;       // refuse addresses that other machines can reach
} tcp_listen_config;

// tcp_listen_open listens at an address and returns its port. The caller closes *out_fd.
// Errors: LP_ECORRUPT for an invalid or refused address; LP_EIO
LP_MUST_USE lp_err tcp_listen_open(
    const tcp_listen_config *config, int *out_fd, uint16_t *out_port, lp_problem *out_problem);

typedef enum tcp_accepted {
    TCP_ACCEPTED_ONE,
    TCP_ACCEPTED_NONE,    // no connection waits
    TCP_ACCEPTED_GONE,    // the connection was closed; others may wait
    TCP_ACCEPTED_NO_ROOM, // no descriptor or memory: errno
} tcp_accepted;

// tcp_listen_accept accepts the next connection of a non-blocking listening socket. The caller
// closes *out_fd, which is non-blocking, too.
tcp_accepted tcp_listen_accept(
    int listening_fd, struct sockaddr_storage *out_address, socklen_t *out_size, int *out_fd);
