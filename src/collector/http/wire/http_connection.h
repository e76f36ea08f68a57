// SPDX-License-Identifier: Apache-2.0

// http_connection: what a connection of libmicrohttpd has from its beginning to its end: its place
// at the gate, what its request asks for as it came and under which path, and with TLS the files
// that were in force when it began.
//
// Threads: those of libmicrohttpd.
// Tests:   tests/unit/collector/http/routes/test_http_limits.c, tests/e2e/tls.py

#ifndef LP_COLLECTOR_HTTP_HTTP_CONNECTION_H
#define LP_COLLECTOR_HTTP_HTTP_CONNECTION_H

#include "collector/base/tls_files.h"
#include "collector/http/gate/http_gate.h"
#include "collector/http/wire/http_base.h"
#include "collector/http/wire/http_target.h"

#include <microhttpd.h>

typedef struct http_connections {
    http_gate *gate;
    tls_files *tls; // NULL: no TLS
} http_connections;

// http_connection_notify is for MHD_OPTION_NOTIFY_CONNECTION, with a http_connections.
void http_connection_notify(void *connections, struct MHD_Connection *connection, void **context,
    enum MHD_ConnectionNotificationCode code);

// http_connection_get_line lends the place at the gate; NULL: it began too late, or memory ran out
// then, and it ends.
http_line *http_connection_get_line(struct MHD_Connection *connection);

// http_connection_end_head notes that the head of a request has come to our handler.
void http_connection_end_head(struct MHD_Connection *connection);

// http_connection_set_target notes what the request that begins asks for, and
// http_connection_get_target lends that until the next one begins. begin and end are good until the
// head was looked at. begin is NULL where memory ran out when the connection began.
void http_connection_set_target(struct MHD_Connection *connection, const http_target *target);
const http_target *http_connection_get_target(struct MHD_Connection *connection);

// http_connection_set_base notes under which path a proxy shows this server to who asks;
// http_connection_get_base lends it until the next request begins.
void http_connection_set_base(struct MHD_Connection *connection, const http_base *base);
const http_base *http_connection_get_base(struct MHD_Connection *connection);

// http_connection_get_host lends the host that a request is for, with its port: of its target, or
// else of its Host. NULL: it names none (HTTP/1.0).
const char *http_connection_get_host(struct MHD_Connection *connection);

#endif // LP_COLLECTOR_HTTP_HTTP_CONNECTION_H
