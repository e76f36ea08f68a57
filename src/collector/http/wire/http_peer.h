// SPDX-License-Identifier: Apache-2.0
// http_peer: where a request comes from.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_audit.c

#ifndef LP_COLLECTOR_HTTP_HTTP_PEER_H
#define LP_COLLECTOR_HTTP_HTTP_PEER_H

#include "collector/base/peers.h"

#include <microhttpd.h>
#include <stdint.h>

// http_peer_format writes the client's address, without a port.
void http_peer_format(struct MHD_Connection *connection, char out_address[PEERS_ADDRESS_BYTES]);

// http_peer_find returns the number of the client's address (peers.h); PEERS_NONE: it is not known.
uint64_t http_peer_find(struct MHD_Connection *connection);

#endif // LP_COLLECTOR_HTTP_HTTP_PEER_H
