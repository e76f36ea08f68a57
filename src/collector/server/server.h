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

#include "collector/base/snapshot.h"
#include "collector/index/id_index.h"
#include "collector/journal/data_dir.h"
#include "collector/server/server_config.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

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
