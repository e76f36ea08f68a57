// SPDX-License-Identifier: Apache-2.0
// server_config: the options of a server (server.h), and its times.
//
// Threads: values without a state of their own.
// Tests:   tests/unit/collector/server/test_server.c

#ifndef LP_COLLECTOR_SERVER_SERVER_CONFIG_H
#define LP_COLLECTOR_SERVER_SERVER_CONFIG_H

#include "collector/access/access_file.h"
#include "collector/base/memory_plan.h"
#include "collector/base/presence.h"
#include "collector/base/service_metrics.h"
#include "collector/base/tls_files.h"
#include "collector/cluster/log_url.h"
#include "collector/journal/sync_rounds.h"
#include "collector/store/s3/s3_url.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    // A session counts as timed out if it is silent for longer, and as killed if it has no
    // connection for longer. Neither is final: if the agent sends again, the session continues.
    SERVER_IDLE_MS_MAX = 60 * 1000,
    SERVER_KILLED_MS_MAX = 15 * 1000, // agents whose connection is lost dial each second
    // For so long after that the session's last chunk is not compacted, and accepts later batches:
    // the JVM may have been suspended, or without network.
    SERVER_LINGER_MS_MAX = 10 * 60 * 1000,
    SERVER_LACK_MS_MAX = 5000, // of silence after a Hello; batches missing then do not come again
    SERVER_TICK_MS = 1000,     // how often the server looks for idle sessions and retries
    SERVER_SNAPSHOT_KEPT_MS = 1000, // for how long a snapshot is passed on again
    SERVER_SAVE_TICKS = 5,          // in which the rows of running sessions are saved
    // How often the row of a silent session is written again if the catalog is shared: the write
    // shows whether another collector has taken the session.
    SERVER_SILENT_TICKS = 5,
    SERVER_LEFT_MS = 30 * 1000, // how often it looks for sessions of ended collectors
};

typedef struct server_config {
    const char *agents_url; // see agent_listener.h. Borrowed until server_start returns
    bool is_local;          // the same: refuse a URL that other machines reach
    const char *data_dir;
    const s3_url
        *store; // where chunks are; NULL: in data_dir. Borrowed until server_create returns
    // For how long compacted chunks gather to become one object of the store; 0: each chunk is an
    // object of its own.
    uint64_t pack_ms;
    const log_url *log;  // the log in front of the journals; NULL: none. Borrowed until
                         // server_start returns
    const char *catalog; // where the catalog is: a URI of PostgreSQL; NULL: in data_dir. The same
    // Its name among the collectors that share the catalog; NULL: it has the catalog for itself.
    // Borrowed until server_destroy
    const char *node;
    // These are borrowed until server_destroy.
    tls_files *tls;             // for agents, checked for changes now and then; NULL: none
    policy_file *policy;        // decides chunks that were begun without one; NULL: defaults
    policy_dir *policies;       // policies of services; NULL: none
    access_file *access;        // who may send recordings; NULL: everybody. The same
    sync_mode sync;             // when a batch is acknowledged
    uint64_t reserve_bytes;     // of the disk that stay free (disk_reserve.h); 0: none
    policy_keep keep;           // how long everything is kept (retention.h); 0: for ever
    uint64_t sessions_peer_max; // of one address, or one token; 0: SESSIONS_PEER_MAX
    uint64_t idle_ms_max;
    uint64_t killed_ms_max; // SERVER_KILLED_MS_MAX, or less in tests
    uint64_t linger_ms_max; // SERVER_LINGER_MS_MAX, or less in tests
    uint64_t lack_ms_max;   // SERVER_LACK_MS_MAX, or less in tests
    // How long the chunks behind a chunk have to be before it is compacted, if its policy waits for
    // contexts to end (policy_waits); 0: as long as for any other chunk.
    int64_t context_hold_ns;
    // Both are borrowed until server_destroy.
    service_metrics *services; // counts commits; NULL: none
    presence *presence;        // is told which sessions are connected; NULL: none
    uint64_t snapshot_kept_ms; // SERVER_SNAPSHOT_KEPT_MS, or less in tests
    memory_plan memory;
    // Called during the start, which fails with LP_ECLOSED once it returns true. NULL: never
    bool (*is_ending)(void *arg);
    void *arg;
} server_config;

#endif // LP_COLLECTOR_SERVER_SERVER_CONFIG_H
