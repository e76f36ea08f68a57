// SPDX-License-Identifier: Apache-2.0
// tcp_listen: "HOST:PORT" to a listening socket.
//
// Threads: any thread.
// Tests:   tests/unit/collector/http/test_http.c, tests/unit/collector/net/test_agent_listener.c

#ifndef LP_COLLECTOR_BASE_TCP_LISTEN_H
#define LP_COLLECTOR_BASE_TCP_LISTEN_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif // LP_COLLECTOR_BASE_TCP_LISTEN_H
