// SPDX-License-Identifier: Apache-2.0

// collect: the collector: everything of `loupe collect` but its command line. It puts the server,
// which writes, and the HTTP server, which reads, together; neither knows the other.
//
// Threads: start and stop on one thread.
// Tests:   tests/unit/collector/test_collect.c, tests/unit/collector/server/test_server_exit.c

#ifndef LP_COLLECTOR_COLLECT_H
#define LP_COLLECTOR_COLLECT_H

#include "collector/base/audit_log.h"
#include "collector/base/uploads.h"
#include "collector/http/wire/http_links.h"
#include "collector/server/server.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct collect collect;

typedef struct collect_config {
    server_config server;      // its policy, policies and tls are borrowed until collect_stop, and
                               // HTTP has the same TLS; services and presence are not looked at
    const char *http_address;  // see http_server.h
    const char *base_path;     // see http_server.h; borrowed until collect_start returns
    bool has_forwarded_prefix; // the same
    http_links links;          // the same; borrowed until collect_stop
    const uploads *uploads;    // see http_server.h; borrowed until collect_stop. NULL: none
    const char *node_url;      // at which other collectors of the catalog reach HTTP; NULL: by this
                               // machine's name. Borrowed until collect_start returns
    audit_log *audit; // who reads and removes over HTTP; borrowed until collect_stop. NULL: none
} collect_config;

// collect_start recovers the data directory and returns once agents and HTTP are served.
// Errors: as server_create, server_start and http_server_start
LP_MUST_USE lp_err collect_start(
    const collect_config *config, collect **out_collect, lp_problem *out_problem);

// The addresses that are listened on, with their actual ports.
const char *collect_get_agents_url(const collect *collect);
uint16_t collect_get_http_port(const collect *collect);

// collect_get_catalog_place returns where the catalog is, for catalog_open_reader; lent until
// collect_stop.
const char *collect_get_catalog_place(const collect *collect);

// collect_stop stops the server, see server_stop, then HTTP, which answers until then but is not
// ready, and frees everything. NULL is fine.
void collect_stop(collect *collect);

// collect_describe writes how far the collector's start or end is, and what its threads still do,
// for a person. It takes no lock and allocates nothing. Threads: any thread
void collect_describe(char *out_text, size_t text_bytes);

#endif // LP_COLLECTOR_COLLECT_H
