// SPDX-License-Identifier: Apache-2.0
// loopback: the addresses that a machine alone reaches.
//
// Threads: pure functions, any thread.

#ifndef LP_COLLECTOR_BASE_LOOPBACK_H
#define LP_COLLECTOR_BASE_LOOPBACK_H

#include <stdbool.h>
#include <sys/socket.h>

// loopback_has_address returns whether it is one that this machine alone reaches. NULL, and what
// is no address of IP, is not.
bool loopback_has_address(const struct sockaddr *address);

#endif // LP_COLLECTOR_BASE_LOOPBACK_H
