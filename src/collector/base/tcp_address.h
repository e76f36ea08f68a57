// SPDX-License-Identifier: Apache-2.0
// tcp_address: parses "HOST:PORT".
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/base/test_tcp_address.c

#pragma once

#include <stdbool.h>

enum {
    TCP_ADDRESS_HOST_BYTES_MAX = 255,
    TCP_ADDRESS_PORT_DIGITS_MAX = 5,
    TCP_ADDRESS_PORT_MAX = 65535,
};

typedef struct tcp_address {
    char host[TCP_ADDRESS_HOST_BYTES_MAX + 1]; // an IPv6 address without brackets; "": all
    char port[TCP_ADDRESS_PORT_DIGITS_MAX + 1];
} tcp_address;

// tcp_address_parse reads "HOST:PORT", "[IPV6]:PORT" or ":PORT"; false if text is none of these.
bool tcp_address_parse(const char *text, tcp_address *out);
