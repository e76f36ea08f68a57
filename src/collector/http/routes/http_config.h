// SPDX-License-Identifier: Apache-2.0
// http_config: what the HTTP server is started with, and its handlers read. All of it is borrowed
// until http_server_stop.
//
// Threads: one thread at a time, before http_server_start; then nothing changes.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_CONFIG_H
#define LP_COLLECTOR_HTTP_HTTP_CONFIG_H

#include "collector/access/access_file.h"
#include "collector/base/audit_log.h"
#include "collector/base/presence.h"
#include "collector/base/service_metrics.h"
#include "collector/base/snapshot.h"
#include "collector/base/tls_files.h"
#include "collector/base/uploads.h"
#include "collector/http/gate/http_gate.h"
#include "collector/http/wire/http_links.h"
#include "collector/index/id_index.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stddef.h>

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
    access_file *access;       // who may read and remove; NULL: everybody
    audit_log *audit;          // who reads and removes; NULL: none
    tls_files *tls;            // HTTPS is served with it. NULL: HTTP
    const char *base_path;     // under which a proxy shows this server (http_base.h); NULL: none
    bool has_forwarded_prefix; // X-Forwarded-Prefix counts in its place
    http_links links;          // for the page
    const http_gate_limits *limits; // of connections; NULL: see http_gate_limits_within
    const char *catalog_path;
    blobs *blobs;
    id_index *ids;
    snapshot_source snapshots;
    policy_dir *policies;      // NULL: there are none, defaults hold
    service_metrics *services; // NULL: none
    const uploads *uploads;    // NULL: no files are taken
    presence *presence;        // NULL: nobody knows which sessions are connected
    bool is_shared;            // other collectors write the catalog, too
    http_readiness readiness;
    // Questions and rewritings have blocks of so many bytes and more in files (lp_large.h).
    size_t large_bytes;
} http_config;

#endif // LP_COLLECTOR_HTTP_HTTP_CONFIG_H
