// SPDX-License-Identifier: Apache-2.0

// http_server: the HTTP API (docs/operations/http-api.md) on libmicrohttpd.
//
// It runs on threads of its own, reads the catalog through its own connection and asks for
// snapshots of the part that is not compacted yet (base/snapshot.h).
//
// Threads: start and stop on one thread.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_SERVER_H
#define LP_COLLECTOR_HTTP_HTTP_SERVER_H

#include "collector/access/access_file.h"
#include "collector/base/audit_log.h"
#include "collector/base/presence.h"
#include "collector/base/service_metrics.h"
#include "collector/base/snapshot.h"
#include "collector/base/tls_files.h"
#include "collector/base/uploads.h"
#include "collector/http/routes/http_policies.h"
#include "collector/http/wire/http_gate.h"
#include "collector/http/wire/http_links.h"
#include "collector/index/id_store.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct http_server http_server;

// What /readyz asks, on any thread: check returns LP_OK where the collector does its work, or else
// the reason why not. NULL: it does.
typedef struct http_readiness {
    lp_err (*check)(void *arg, lp_problem *out_problem);
    void *arg;
} http_readiness;

typedef struct http_config {
    const char *address; // "127.0.0.1:7412", "[::1]:7412", ":7412" (all addresses); port 0: any
    // Refuse an address that other machines reach, and requests that name another machine.
    bool is_local;
    access_file
        *access;      // who may read and remove; NULL: everybody. Borrowed until http_server_stop
    audit_log *audit; // who reads and removes; NULL: none. The same
    tls_files *tls;   // HTTPS is served with it; borrowed until http_server_stop. NULL: HTTP
    const char *base_path;     // under which a proxy shows this server (http_base.h); NULL: none.
                               // Borrowed until http_server_start returns
    bool has_forwarded_prefix; // X-Forwarded-Prefix counts in its place
    http_links links;          // for the page; borrowed until http_server_stop
    const http_gate_limits *limits; // of connections; NULL: see http_gate_limits_within
    const char *catalog_path;       // borrowed until http_server_start returns
    blobs *blobs;                   // borrowed until http_server_stop
    const id_store *ids;            // the same
    snapshot_source snapshots;      // the same
    http_policies policies;         // the same
    service_metrics *services;      // the same; NULL: none
    const uploads *uploads;         // the same; NULL: no files are taken
    presence *presence;             // the same; NULL: none
    bool is_shared;                 // other collectors write the catalog, too
    http_readiness readiness;       // the same
    // Questions and rewritings have blocks of so many bytes and more in files (lp_large.h).
    size_t large_bytes;
} http_config;

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
