// SPDX-License-Identifier: Apache-2.0

// snapshot: the part of a session that is in the journal but not compacted yet, compacted on demand
// for a reader, without disturbing the session; and how a reader asks for one without knowing the
// server.
//
// Threads: any thread asks; a snapshot belongs to the one that gets it.
// Tests:   tests/unit/collector/server/test_snapshots.c

#ifndef LP_COLLECTOR_BASE_SNAPSHOT_H
#define LP_COLLECTOR_BASE_SNAPSHOT_H

#include "collector/store/catalog.h"
#include "engine/compact.h"

#include <stdint.h>

// The answer to a request. The receiver owns it and ends it with snapshot_destroy.
typedef struct snapshot {
    lp_err err;            // LP_ENOENT: no such session. After any error jfr and stats are empty
    uint32_t next_chunk;   // chunks below it are in the catalog and the blobs
    lp_buf jfr;            // the chunks after those: zero or more, compacted and concatenated
    uint64_t size_bytes;   // of jfr, also where that is left out
    compact_stats stats;   // of those chunks
    catalog_totals totals; // of all: the chunks below next_chunk and those
} snapshot;

// snapshot_check asserts that a snapshot fits together on its way to its receiver: jfr is complete
// or left out, and a failed one is empty.
void snapshot_check(const snapshot *snapshot);

// snapshot_copy_counts returns a copy without jfr, NULL if memory ran out.
snapshot *snapshot_copy_counts(const snapshot *snapshot);

void snapshot_destroy(snapshot *snapshot);

// snapshot_take_chunk cuts the first chunk off the chunks of a snapshot. rest is not empty.
lp_slice snapshot_take_chunk(lp_slice *rest);

typedef enum snapshot_kind {
    SNAPSHOT_COUNTS, // jfr is left out; costs nothing where nothing came since the last one
    SNAPSHOT_JFR,
} snapshot_kind;

typedef void snapshot_receiver(void *arg, snapshot *snapshot);

// The maker of snapshots. request returns at once; on_snapshot is called exactly once, with on_arg,
// on any thread, possibly before request returns. It must not block. Its snapshot is NULL if memory
// ran out, and has LP_ECLOSED while the collector stops.
//
// Threads: request may be called on any thread.
typedef struct snapshot_source {
    void (*request)(void *arg, const char *session_id, snapshot_kind kind,
        snapshot_receiver *on_snapshot, void *on_arg);
    void *arg;
} snapshot_source;

#endif // LP_COLLECTOR_BASE_SNAPSHOT_H
