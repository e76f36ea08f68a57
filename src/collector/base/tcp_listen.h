// SPDX-License-Identifier: Apache-2.0
// tcp_listen: "HOST:PORT" to a listening socket, and the connections that come there.
//
// Threads: any thread.
// Tests:   tests/unit/collector/http/test_http.c, tests/unit/collector/net/test_agent_listener.c

#ifndef LP_COLLECTOR_BASE_TCP_LISTEN_H
#define LP_COLLECTOR_BASE_TCP_LISTEN_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    TCP_LISTEN_PAUSE_MS = 1000,          // in which nobody is accepted, as there is no room
    TCP_LISTEN_PAUSE_LOG_MS = 60 * 1000, // at least, between two lines about that
};

typedef struct tcp_listen_config {
    const char *address; // "HOST:PORT", "[IPV6]:PORT" or ":PORT" for all addresses; port 0: any
    const char *name;    // of the address, in messages
    int name_flags;      // of getaddrinfo, for a host that is a name
    bool is_local;       // refuse an address that other machines reach
} tcp_listen_config;

// tcp_listen_open listens at an address, and returns its port. The caller closes *out_fd.
// Errors: LP_ECORRUPT for an address that cannot be read, or is refused; LP_EIO
LP_MUST_USE lp_err tcp_listen_open(
    const tcp_listen_config *config, int *out_fd, uint16_t *out_port, lp_problem *out_problem);

// What became of a try to accept a connection.
typedef enum tcp_accepted {
    TCP_ACCEPTED_ONE,
    TCP_ACCEPTED_NONE,    // nobody waits
    TCP_ACCEPTED_GONE,    // it is gone already; there may be another one
    TCP_ACCEPTED_NO_ROOM, // the system has no descriptor or no memory for it: errno
} tcp_accepted;

// tcp_listen_accept takes the next connection of a socket that listens and does not block. The
// caller closes *out_fd, which does not block either.
tcp_accepted tcp_listen_accept(
    int listening_fd, struct sockaddr_storage *out_address, socklen_t *out_size, int *out_fd);

#endif // LP_COLLECTOR_BASE_TCP_LISTEN_H
