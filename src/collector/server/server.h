// SPDX-License-Identifier: Apache-2.0

// server: the collector: everything of `loupe collect` but its command line.
//
// One loop on a thread of its own owns the sessions, the journals and the writing catalog. NNG's
// and the HTTP server's threads only hand requests to it; libuv's workers compact.
//
// Threads: start and stop on one thread.

#ifndef LP_COLLECTOR_SERVER_SERVER_H
#define LP_COLLECTOR_SERVER_SERVER_H

#include "collector/server/snapshot.h"
#include "common/base/lp_err.h"
#include "policy/policy_dir.h"

#include <stdint.h>

enum {
    SERVER_IDLE_MS_MAX = 10 * 60 * 1000, // a session that is silent for longer counts as ended
    SERVER_TICK_MS = 1000,               // how often idle sessions and retries are looked for
    SERVER_SAVE_MS = 5000,               // how often the rows of running sessions are saved
};

typedef struct server_config {
    const char *agents_url;   // for agents, tcp://host:port; port 0: any
    const char *http_address; // see http_server.h
    const char *data_dir;
    policy_file *policy;  // decides chunks that have no policy of their own; NULL: defaults.
    policy_dir *policies; // policies of services; NULL: none. Both are borrowed until server_stop
    uint64_t idle_ms_max; // SERVER_IDLE_MS_MAX, or less in tests
} server_config;

// server_start recovers what is in the data directory and returns once agents and HTTP are served.
// Errors: LP_ELIMIT if another collector runs on the data directory; LP_ECORRUPT for an address
//         that cannot be read; LP_EIO, LP_EVERSION, LP_ENOMEM
LP_MUST_USE lp_err server_start(
    const server_config *config, server **out_server, lp_problem *out_problem);

// The addresses that are listened on, with their actual ports.
const char *server_get_agents_url(const server *server);
uint16_t server_get_http_port(const server *server);

// server_stop receives nothing more, journals what was received, lets running compactions finish
// and frees everything. What is not compacted is when a server starts again on the data directory.
void server_stop(server *server);

#endif // LP_COLLECTOR_SERVER_SERVER_H
