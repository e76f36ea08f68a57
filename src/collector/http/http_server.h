// SPDX-License-Identifier: Apache-2.0

// http_server: the HTTP API (docs/reference/http-api.md) on libmicrohttpd. It has its own threads
// and its own catalog connection, and requests snapshots of data that is not compacted yet
// (base/snapshot.h).
//
// Threads: start and stop on one thread.
// Tests:   tests/unit/collector/http/test_http.c

#pragma once

#include "collector/http/routes/http_config.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct http_server http_server;

// http_server_start copies config and borrows everything in it until http_server_stop.
// Errors: LP_ECORRUPT or LP_ELIMIT for a bad address, base path or link; LP_EIO if it cannot listen
LP_MUST_USE lp_err http_server_start(
    const http_config *config, http_server **out_server, lp_problem *out_problem);

uint16_t http_server_get_port(const http_server *server);

// http_server_set_ready sets whether the collector runs; false at start. While it is false, /readyz
// answers 503 without calling config.readiness. Any thread.
void http_server_set_ready(http_server *server, bool is_ready);

// http_server_set_agents copies the URL at which agents connect. Call it once.
LP_MUST_USE lp_err http_server_set_agents(http_server *server, const char *url);

// http_server_set_node_key sets the key of collectors that share the catalog, borrowed until
// http_server_stop. NULL: none.
void http_server_set_node_key(http_server *server, const char *key);

// http_server_stop closes every connection and joins the threads. libmicrohttpd 0.9.75 may crash if
// it is stopped while it refuses a request itself (headers too long); the process exits right after
// in any case.
void http_server_stop(http_server *server);
