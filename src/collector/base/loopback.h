// SPDX-License-Identifier: Apache-2.0
// loopback: whether only this machine can reach an address.
//
// Threads: pure functions, any thread.

#pragma once

#include <stdbool.h>
#include <sys/socket.h>

// loopback_has_address returns whether an address is a loopback one. False for NULL and for
// addresses that are not IP.
bool loopback_has_address(const struct sockaddr *address);
