// SPDX-License-Identifier: Apache-2.0

// snapshot: the part of a session that is in the journal but not compacted yet, compacted on demand
// for a reader, without disturbing the session.
//
// Threads: any thread asks; a snapshot belongs to the one that gets it.

#ifndef LP_COLLECTOR_SERVER_SNAPSHOT_H
#define LP_COLLECTOR_SERVER_SNAPSHOT_H

#include "collector/store/catalog.h"
#include "engine/compact.h"

#include <stddef.h>
#include <stdint.h>

typedef struct server server;

// The answer to a request. The receiver owns it and ends it with snapshot_destroy.
typedef struct snapshot {
    lp_err err;            // LP_ENOENT: no such session; the rest is then empty
    uint32_t next_chunk;   // chunks below it are in the catalog and the blobs
    lp_buf jfr;            // what follows them: zero or more compacted chunks, concatenated
    compact_stats stats;   // of those
    catalog_totals totals; // of all: the chunks below next_chunk and jfr
} snapshot;

void snapshot_destroy(snapshot *snapshot);

// server_request_snapshot returns at once; on_snapshot is called exactly once, on a thread of the
// server's, possibly before this function returns. on_snapshot must not block. Its snapshot is NULL
// if memory ran out, and its err LP_ECLOSED while the server stops.
//
// Threads: any thread.
void server_request_snapshot(server *server, const char *session_id,
    void (*on_snapshot)(void *arg, snapshot *snapshot), void *arg);

#endif // LP_COLLECTOR_SERVER_SNAPSHOT_H
