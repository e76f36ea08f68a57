// SPDX-License-Identifier: Apache-2.0
// http_listen: "HOST:PORT" to a listening socket.
//
// Threads: any thread.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_LISTEN_H
#define LP_COLLECTOR_HTTP_HTTP_LISTEN_H

#include "common/base/lp_err.h"

#include <stdint.h>

// http_listen_open listens at address (see http_config) and returns the port. The caller closes
// *out_fd. Errors: LP_ECORRUPT for an address that cannot be read, LP_EIO
LP_MUST_USE lp_err http_listen_open(
    const char *address, int *out_fd, uint16_t *out_port, lp_problem *out_problem);

#endif // LP_COLLECTOR_HTTP_HTTP_LISTEN_H
