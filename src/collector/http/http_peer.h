// SPDX-License-Identifier: Apache-2.0
// http_peer: where a request comes from, as a text.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http_audit.c

#ifndef LP_COLLECTOR_HTTP_HTTP_PEER_H
#define LP_COLLECTOR_HTTP_HTTP_PEER_H

#include <microhttpd.h>

enum { HTTP_PEER_BYTES = 80 }; // an address of IPv6 with the name of an interface

// http_peer_format writes the client's address, without a port.
void http_peer_format(struct MHD_Connection *connection, char out_address[HTTP_PEER_BYTES]);

#endif // LP_COLLECTOR_HTTP_HTTP_PEER_H
