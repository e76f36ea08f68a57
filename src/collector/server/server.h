// SPDX-License-Identifier: Apache-2.0

// server: the half of the collector that writes: agents in, journals, chunks and catalog out.
//
// One loop on a thread of its own owns the agents' connections, the sessions, the journals and the
// writing catalog. Threads that ask for snapshots only hand requests to it; libuv's workers
// compact.
//
// Threads: create, start, stop and destroy on one thread; the rest any thread.

#ifndef LP_COLLECTOR_SERVER_SERVER_H
#define LP_COLLECTOR_SERVER_SERVER_H

#include "collector/access/access_file.h"
#include "collector/base/memory_plan.h"
#include "collector/base/presence.h"
#include "collector/base/service_metrics.h"
#include "collector/base/snapshot.h"
#include "collector/base/tls_files.h"
#include "collector/cluster/log_url.h"
#include "collector/index/id_index.h"
#include "collector/journal/data_dir.h"
#include "collector/journal/sync_rounds.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/s3/s3_url.h"
#include "common/base/lp_err.h"
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

typedef struct server server;

// server_create locks the data directory and recovers its sessions.
// Owns:   the caller ends it with server_stop, started or not, and server_destroy.
// Errors: LP_ELIMIT if another collector runs on the data directory; LP_ECLOSED it was to end;
// LP_EIO,
//         LP_EVERSION, LP_ENOMEM
LP_MUST_USE lp_err server_create(
    const server_config *config, server **out_server, lp_problem *out_problem);

// server_join begins the lease of one that shares its catalog, before server_start; else it does
// nothing. http_url is where others reach its HTTP, borrowed until server_destroy.
// Errors: those of node_join
LP_MUST_USE lp_err server_join(server *server, const char *http_url, lp_problem *out_problem);

// server_get_node_key returns the key by which other collectors show themselves, after server_join,
// as long as the server is there; NULL: nobody shares the catalog.
const char *server_get_node_key(const server *server);

// server_start returns once agents are served. From then on snapshots that were asked for are made.
// Errors: LP_ECORRUPT for an address, or a property of the log, that cannot be read; LP_EIO,
//         LP_ENOMEM
LP_MUST_USE lp_err server_start(server *server, lp_problem *out_problem);

// server_get_agents_url returns the address that is listened on, with its actual port. The server
// has been started.
const char *server_get_agents_url(const server *server);

// What the server writes, for readers; borrowed until server_destroy.
const data_dir *server_get_dir(const server *server);
const char *server_get_catalog_place(const server *server); // for catalog_open_reader
blobs *server_get_blobs(const server *server);
id_index *server_get_ids(const server *server);

// These are a snapshot_source; on_snapshot is called on a thread of the server's or on this one.
uint64_t server_request_snapshot(server *server, const char *session_id, snapshot_kind kind,
    snapshot_receiver *on_snapshot, void *arg);
void server_cancel_snapshot(server *server, const char *session_id, uint64_t ticket);

// server_check_ready returns LP_OK where batches can be accepted. Errors: LP_EIO, with the reason
LP_MUST_USE lp_err server_check_ready(server *server, lp_problem *out_problem);

// server_drain has each answer ask its agent to go to another collector, if it knows one, or ends
// that. Whoever stays is served as before.
// Threads: any thread, until server_destroy
void server_drain(server *server, bool is_drained);

// server_stop receives nothing more, journals the batches that were received, lets running
// compactions finish and brings all of it to the disk. The next server on the
// data directory compacts the rest. Snapshots are LP_ECLOSED from then on; those that were asked
// for before have been answered.
void server_stop(server *server);

// server_destroy frees everything. NULL is fine.
void server_destroy(server *server);

#endif // LP_COLLECTOR_SERVER_SERVER_H
