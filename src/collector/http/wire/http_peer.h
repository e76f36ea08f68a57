// SPDX-License-Identifier: Apache-2.0
// http_peer: where a request comes from.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_audit.c

#ifndef LP_COLLECTOR_HTTP_HTTP_PEER_H
#define LP_COLLECTOR_HTTP_HTTP_PEER_H

#include <microhttpd.h>
#include <stdint.h>

enum { HTTP_PEER_BYTES = 80 }; // an address of IPv6 with the name of an interface

// http_peer_format writes the client's address, without a port.
void http_peer_format(struct MHD_Connection *connection, char out_address[HTTP_PEER_BYTES]);

// http_peer_hash returns a hash of the client's address, or of what one customer has of IPv6: its
// first 64 bits. It is another one in each process.
uint64_t http_peer_hash(struct MHD_Connection *connection);

#endif // LP_COLLECTOR_HTTP_HTTP_PEER_H
