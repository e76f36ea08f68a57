// SPDX-License-Identifier: Apache-2.0

// http_server: the HTTP API (docs/reference/http-api.md) on libmicrohttpd.
//
// It runs on threads of its own, reads the catalog through its own connection and asks for
// snapshots of the part that is not compacted yet (base/snapshot.h).
//
// Threads: start and stop on one thread.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_SERVER_H
#define LP_COLLECTOR_HTTP_HTTP_SERVER_H

#include "collector/http/routes/http_config.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct http_server http_server;

// config is copied; what it names is borrowed until http_server_stop.
// Errors: LP_ECORRUPT, LP_ELIMIT for an address, a base path or a link that cannot be read; LP_EIO
// if the address cannot be listened on
LP_MUST_USE lp_err http_server_start(
    const http_config *config, http_server **out_server, lp_problem *out_problem);

// http_server_get_port returns the port that is listened on.
uint16_t http_server_get_port(const http_server *server);

// http_server_set_ready notes whether the collector runs; not at start. /readyz looks further only
// where it does. Any thread.
void http_server_set_ready(http_server *server, bool is_ready);

// http_server_set_agents says at which address agents are listened for, once.
LP_MUST_USE lp_err http_server_set_agents(http_server *server, const char *url);

// http_server_set_node_key sets the key by which other collectors show themselves, borrowed until
// http_server_stop; NULL: there are none.
void http_server_set_node_key(http_server *server, const char *key);

// http_server_stop ends every connection and returns when none of its threads runs any more.
// libmicrohttpd 0.9.75 crashes when it is stopped in the very moment in which it refuses a request
// by itself (headers that are too long): the collector ends right after it in any case.
void http_server_stop(http_server *server);

#endif // LP_COLLECTOR_HTTP_HTTP_SERVER_H
