// SPDX-License-Identifier: Apache-2.0

// http_connection: the server's data for a connection of libmicrohttpd: its place at the gate, the
// target and base path of its present request, and its certificates.
//
// Threads: those of libmicrohttpd.
// Tests:   tests/unit/collector/http/routes/test_http_limits.c, test_http_audit.c,
//          tests/e2e/tls.py

#pragma once

#include "collector/base/peers.h"
#include "collector/base/tls_files.h"
#include "collector/http/gate/http_gate.h"
#include "collector/http/wire/http_base.h"
#include "collector/http/wire/http_target.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct http_connections {
    http_gate *gate;
    tls_files *tls; // NULL: no TLS
} http_connections;

// http_connection_notify is for MHD_OPTION_NOTIFY_CONNECTION, with a http_connections.
void http_connection_notify(void *connections, struct MHD_Connection *connection, void **context,
    enum MHD_ConnectionNotificationCode code);

// http_connection_get_line lends the place at the gate. NULL: the connection is being closed,
// because the gate forgot it or memory ran out.
http_line *http_connection_get_line(struct MHD_Connection *connection);

// http_connection_end_head notes that the head of a request has reached our handler.
void http_connection_end_head(struct MHD_Connection *connection);

// http_connection_set_target copies the target of the new request. http_connection_get_target lends
// it until the next request; its begin and end are valid until http_strict_check. begin is NULL if
// memory ran out when the connection began.
void http_connection_set_target(struct MHD_Connection *connection, const http_target *target);
const http_target *http_connection_get_target(struct MHD_Connection *connection);

// http_connection_set_base copies the base path of the request; http_connection_get_base lends it
// until the next request.
void http_connection_set_base(struct MHD_Connection *connection, const http_base *base);
const http_base *http_connection_get_base(struct MHD_Connection *connection);

// http_connection_get_header lends the first header with this name; NULL: not sent.
const char *http_connection_get_header(struct MHD_Connection *connection, const char *name);

// http_connection_get_host lends the host of the request with its port, from the target or the Host
// header. NULL: none was sent (HTTP/1.0).
const char *http_connection_get_host(struct MHD_Connection *connection);

// http_connection_format_peer writes the client's address, without a port.
void http_connection_format_peer(
    struct MHD_Connection *connection, char out_address[PEERS_ADDRESS_BYTES]);

// http_connection_find_peer returns the number of the client's address (peers.h); PEERS_NONE: it is
// not known.
uint64_t http_connection_find_peer(struct MHD_Connection *connection);

// http_connection_is_local returns whether the client's address is a loopback address.
bool http_connection_is_local(struct MHD_Connection *connection);
