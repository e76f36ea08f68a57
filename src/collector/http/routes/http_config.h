// SPDX-License-Identifier: Apache-2.0
// http_config: the configuration of the HTTP server, which borrows everything in it until
// http_server_stop.
//
// Threads: constant after http_server_start.
// Tests:   tests/unit/collector/http/test_http.c

#pragma once

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
#include "collector/recall/peers/pin_peers.h"
#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_list.h"
#include "collector/recall/rule/recall_budget.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stddef.h>

// The check of /readyz, called on any thread. Returns LP_OK if the collector works, or else an
// error with the reason. NULL: always ready.
typedef struct http_readiness {
    lp_err (*check)(void *arg, lp_problem *out_problem);
    void *arg;
} http_readiness;

typedef struct http_config {
    const char *address; // "127.0.0.1:7412", "[::1]:7412", ":7412" (all addresses); port 0: any
    // Refuse an address that other machines reach, and requests that name another machine.
    bool is_local;
    access_file *access;            // NULL: no tokens
    audit_log *audit;               // NULL: none
    tls_files *tls;                 // certificates of HTTPS. NULL: HTTP
    const char *base_path;          // http_base.h; NULL: none
    bool has_forwarded_prefix;      // X-Forwarded-Prefix overrides base_path
    http_links links;               // for the page
    const http_gate_limits *limits; // NULL: http_gate_limits_within
    const char *catalog_path;
    blobs *blobs;
    id_index *ids;
    snapshot_source snapshots;
    policy_dir *policies;         // NULL: none, defaults apply
    service_metrics *services;    // NULL: none
    const uploads *uploads;       // NULL: no uploads
    pins *pins;                   // NULL: no raw data is kept
    raw_list *raw;                // NULL: the same
    recall_budget *recall_budget; // NULL: the same
    pin_peers *peers;             // with the other collectors of the catalog; NULL: there are none
    presence *presence;           // NULL: unknown which sessions are connected
    bool is_shared;               // other collectors write the catalog, too
    http_readiness readiness;
    size_t large_bytes; // from this size on, questions and rewritings keep blocks in files
                        // (lp_large.h)
} http_config;
