// SPDX-License-Identifier: Apache-2.0

// server: the writing half of the collector: it receives from agents, and writes journals, chunks
// and the catalog.
//
// One loop on a thread of its own owns the agents' connections, the sessions, the journals and the
// writing connection to the catalog. libuv's workers compact. Other threads only queue requests for
// snapshots.
//
// Threads: create, start, stop and destroy on one thread; the rest any thread.
// Tests:   tests/unit/collector/server/test_server.c

#pragma once

#include "collector/access/access_file.h"
#include "collector/base/chunk_feed.h"
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
    // A session that is silent for longer than this counts as timed out. A session without a
    // connection for longer than SERVER_KILLED_MS_MAX counts as killed. Neither is final: if the
    // agent sends again, the session continues.
    SERVER_IDLE_MS_MAX = 60 * 1000,
    SERVER_KILLED_MS_MAX = 15 * 1000, // agents that lost their connection retry every second
    // For this long after a session counts as timed out or killed, its last chunk is not compacted
    // and accepts batches: the JVM may have been suspended, or without network.
    SERVER_LINGER_MS_MAX = 10 * 60 * 1000,
    SERVER_LACK_MS_MAX = 5000,      // of silence after a Hello; missing batches are not expected
                                    // later
    SERVER_TICK_MS = 1000,          // between two periodic checks
    SERVER_SNAPSHOT_KEPT_MS = 1000, // how long a snapshot is reused
    SERVER_SAVE_TICKS = 5,          // in which the row of each running session is saved once
    // With a shared catalog, the row of a silent session is written again this often: the write
    // shows whether another collector has taken the session.
    SERVER_SILENT_TICKS = 5,
    SERVER_LEFT_MS = 30 * 1000, // between two looks for sessions of stopped collectors
};

typedef struct server_config {
    const char *agents_url; // see agent_listener.h. Borrowed until server_start returns
    bool is_local;          // see agent_listener.h: refuse a URL that other machines reach
    const char *data_dir;
    const s3_url
        *store; // where chunks are stored; NULL: in data_dir. Borrowed until server_create returns
    // How long compacted chunks are collected for one object of the store; 0: one object for each
    // chunk.
    uint64_t pack_ms;
    const log_url *log;  // the log in front of the journals; NULL: none. Borrowed until
                         // server_start returns
    const char *catalog; // a URI of PostgreSQL; NULL: in data_dir. Borrowed until server_create
                         // returns
    // This node's name; NULL: the catalog is not shared. Borrowed until server_destroy
    const char *node;
    // These are borrowed until server_destroy.
    tls_files *tls;             // for agents, checked regularly for changes; NULL: none
    policy_file *policy;        // for chunks that began without a policy; NULL: defaults
    policy_dir *policies;       // policies of services; NULL: none
    access_file *access;        // who may send recordings; NULL: everybody
    sync_mode sync;             // when a batch is acknowledged
    uint64_t reserve_bytes;     // free space to keep on the disk (disk_reserve.h); 0: none
    policy_keep keep;           // how long to keep recordings (retention.h); 0: forever
    int64_t recall_ns;          // how long to keep raw data (raw_tail.h); 0: not at all
    uint64_t recall_bytes_max;  // of raw data; 0: a part of the free space
    uint64_t trace_wait_ms;     // of TRACE_KEEP_WAIT_S, or less in tests
    uint64_t sessions_peer_max; // limit for one address or one token; 0: SESSIONS_PEER_MAX
    uint64_t idle_ms_max;       // silence after which a session counts as timed out
    uint64_t killed_ms_max;     // SERVER_KILLED_MS_MAX, or less in tests
    uint64_t linger_ms_max;     // SERVER_LINGER_MS_MAX, or less in tests
    uint64_t lack_ms_max;       // SERVER_LACK_MS_MAX, or less in tests
    // How long the later chunks must be before a chunk is compacted, if its policy waits for
    // contexts to end (policy_waits); 0: as for any other chunk.
    int64_t context_hold_ns;
    // The next three are borrowed until server_destroy.
    service_metrics *services; // counts commits; NULL: none
    chunk_feed *feed;          // gets committed chunks; NULL: none
    presence *presence;        // shows which sessions are connected; NULL: none
    bool is_compared;          // catalog and files agree (collect.h): if the run ends cleanly, the
                               // next start compares only what changed
    uint64_t snapshot_kept_ms; // SERVER_SNAPSHOT_KEPT_MS, or less in tests
    memory_plan memory;
    // Called during the start. Once it returns true, the start fails with LP_ECLOSED. NULL: never
    bool (*is_ending)(void *arg);
    void *arg;
} server_config;

typedef struct server server;
typedef struct recall recall; // recall.h

// server_create locks the data directory and recovers its sessions.
// Owns:   the caller calls server_stop, also without server_start, and then server_destroy.
// Errors: LP_ELIMIT another collector runs on the data directory, or its catalog or chunks are
//         elsewhere; LP_ECLOSED is_ending returned true; LP_EIO, LP_EVERSION, LP_ENOENT, LP_ENOMEM
LP_MUST_USE lp_err server_create(
    const server_config *config, server **out_server, lp_problem *out_problem);

// server_join begins the lease of a node, before server_start. It does nothing if the catalog is
// not shared. http_url is the node's HTTP address for others, borrowed until server_destroy.
// Errors: as node_join
LP_MUST_USE lp_err server_join(server *server, const char *http_url, lp_problem *out_problem);

// server_get_node_key returns the key of node_get_key, after server_join; NULL: the catalog is not
// shared. Lent until server_destroy.
const char *server_get_node_key(const server *server);

// server_start returns once agents are served. Requested snapshots are made from now on.
// Errors: LP_ECORRUPT an address, or a property of the log, is malformed; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err server_start(server *server, lp_problem *out_problem);

// server_get_agents_url returns the listening address with its actual port, after server_start.
const char *server_get_agents_url(const server *server);

// The server's stores, for readers; lent until server_destroy.
const char *server_get_catalog_place(const server *server); // for catalog_open_reader
blobs *server_get_blobs(const server *server);
id_index *server_get_ids(const server *server);

// server_get_recall returns raw data and pins, of which other threads use recall_get_..; lent until
// server_destroy.
const recall *server_get_recall(const server *server);

// The functions of a snapshot_source, whose arg is the server. on_snapshot is called on one of the
// server's threads, or before the call returns.
uint64_t server_request_snapshot(void *server, const char *session_id, snapshot_kind kind,
    snapshot_receiver *on_snapshot, void *arg);
void server_cancel_snapshot(void *server, const char *session_id, uint64_t ticket);

// server_check_ready returns LP_OK if the server can accept batches. The argument is a server.
// Errors: LP_EIO, with the reason
LP_MUST_USE lp_err server_check_ready(void *server, lp_problem *out_problem);

// server_drain starts or ends draining: each answer asks the agent to move to another collector.
// Agents that know no other collector stay, and are served as before.
// Threads: any thread, until server_destroy
void server_drain(server *server, bool is_drained);

// server_stop stops receiving, journals the batches received so far, waits for running compactions
// and syncs everything to the disk. The next server on the data directory compacts the rest.
// Snapshots requested before are answered; later requests get LP_ECLOSED.
void server_stop(server *server);

// server_destroy frees everything. NULL is fine.
void server_destroy(server *server);
