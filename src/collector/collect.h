// SPDX-License-Identifier: Apache-2.0

// collect: the collector: all of `loupe collect` but its command line. It connects the server,
// which writes, with the HTTP server, which reads. Neither knows the other.
//
// Threads: start and stop on one thread.
// Tests:   tests/unit/collector/test_collect.c, tests/unit/collector/server/test_server_exit.c,
//          tests/e2e/mend.py

#pragma once

#include "collector/base/audit_log.h"
#include "collector/base/uploads.h"
#include "collector/http/wire/http_links.h"
#include "collector/otlp/otlp_target.h"
#include "collector/server/server.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct collect collect;

typedef struct collect_config {
    server_config server;      // policy, policies and tls are borrowed until collect_stop; HTTP
                               // uses the same tls; services, feed and presence are ignored
    const char *http_address;  // see http_config.h
    const char *base_path;     // see http_config.h; borrowed until collect_start returns
    bool has_forwarded_prefix; // see http_config.h
    http_links links;          // see http_config.h; borrowed until collect_stop
    const uploads *uploads;    // see http_config.h; borrowed until collect_stop. NULL: none
    const char *node_url;      // HTTP address for other collectors; NULL: made from this machine's
                               // name. Borrowed until collect_start returns
    // Where metrics and profiles are sent, and how often; borrowed until collect_stop. NULL:
    // nowhere.
    const otlp_target *otlp;
    uint64_t otlp_interval_ms;
    audit_log *audit; // log of reads and removals over HTTP; borrowed until collect_stop. NULL:
                      // none
} collect_config;

// collect_mend makes the catalog and the files of the data directory agree (reconcile.h), before
// the server is created. Findings are logged and counted in loupe_findings_total. Damage that
// cannot be repaired does not stop the start. It stops when config->is_ending returns true.
// *out_is_compared is whether they agree now: not if the directory cannot be compared, or a part of
// it cannot be read. The collector starts all the same, but the next start must not rely on it.
// Errors: LP_ECLOSED if it was stopped; LP_ELIMIT if a collector runs on the directory; LP_EVERSION
// if a later version wrote the catalog; LP_EIO if the directory cannot be used; LP_ENOMEM
LP_MUST_USE lp_err collect_mend(
    const server_config *config, bool *out_is_compared, lp_problem *out_problem);

// collect_start mends and recovers the data directory and returns once agents and HTTP are served.
// Errors: as server_create, server_start and http_server_start
LP_MUST_USE lp_err collect_start(
    const collect_config *config, collect **out_collect, lp_problem *out_problem);

// The listening addresses, with their actual ports.
const char *collect_get_agents_url(const collect *collect);
uint16_t collect_get_http_port(const collect *collect);

// collect_get_catalog_place returns the argument for catalog_open_reader; lent until collect_stop.
const char *collect_get_catalog_place(const collect *collect);

// collect_stop stops the server (server_stop), sends what OTLP lacks, stops HTTP, and frees
// everything. HTTP answers until
// then, but is not ready. NULL is fine.
void collect_stop(collect *collect);

// collect_describe writes the phase of the collector's start or end, and the work in progress, for
// a person. It takes no lock and allocates nothing. Threads: any thread
void collect_describe(char *out_text, size_t text_bytes);
