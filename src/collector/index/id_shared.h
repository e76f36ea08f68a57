// SPDX-License-Identifier: Apache-2.0
// id_shared: the index of ids of collectors that have one catalog and one object store: any of them
// finds what any of them has stored.
//
// The ids of a chunk are committed with its row in the catalog (catalog_ids.h). Once the hour in
// which they were committed is over, by the clock of their collector, or they are
// ID_OBJECT_ENTRIES_MAX / 2 and more, that collector gathers them into a segment: an object of the
// store (id_object.h), whose name has a hash of what is in it,
//
//   index/YYYYMMDDHH/COLLECTOR-HASH.ids
//
// that is put only if it is not there. Then a transaction adds the segment to the catalog and drops
// the ids that it has. Killed in between, the next start makes the same object again and finds it
// there. Ids of a collector that has not gathered them ID_SHARED_ADOPT_HOURS later are gathered by
// any other. So each chunk is covered at any moment, and nothing of it is on a collector's disk but
// copies of the heads of segments (id_cache.h).
//
// Segments whose chunks are all gone go as well.
//
// Threads: any, but for open and close; those marked (loop) the thread that writes the catalog.
// Tests:   tests/unit/collector/index/test_id_shared.c, tests/e2e/search.py
// Memory:  that of a segment while it is made (id_object_writer.h), in files where it is large

#ifndef LP_COLLECTOR_INDEX_ID_SHARED_H
#define LP_COLLECTOR_INDEX_ID_SHARED_H

#include "collector/index/id_search.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/s3/s3_client.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_SHARED_LOOK_MS = 60 * 1000, // how often it looks what is due, and for segments of others
    ID_SHARED_ADOPT_HOURS = 2,
    ID_SHARED_GOING_MAX = 100, // segments that go, or have been deleted, with one look
    ID_SHARED_END_MS = 3000,   // what asking the store takes at most once it was interrupted
    ID_SHARED_CHUNK_IDS_MAX = 1 << 20, // of a chunk; one with more is read by each search
};

typedef struct id_shared id_shared;

typedef struct id_shared_config {
    const char *dir; // of the cache, and of the file with the collector's name
    s3_client_config store;
    const char *catalog_place;
} id_shared_config;

// id_shared_open makes dir if it is missing, and asks neither store nor catalog yet.
// Errors: LP_EIO, LP_ENOMEM, those of s3_client_create
LP_MUST_USE lp_err id_shared_open(
    const id_shared_config *config, id_shared **out_shared, lp_problem *out_problem);

// id_shared_interrupt has all waiting for the store end soon.
void id_shared_interrupt(id_shared *shared);

// id_shared_close returns when nothing is gathered any more. NULL is fine.
void id_shared_close(id_shared *shared);

// id_shared_note (loop) returns the ids of a chunk as they are committed with it at a time; hashes
// are borrowed.
catalog_chunk_ids id_shared_note(
    id_shared *shared, int64_t now_wall_ns, const uint64_t *hashes, size_t count);

// id_shared_tick (loop) commits what was gathered, and has the index's thread look what is due,
// each ID_SHARED_LOOK_MS, or at once after something was committed.
void id_shared_tick(id_shared *shared, catalog *to, int64_t now_wall_ns, uint64_t now_mono_ms);

// id_shared_find is id_search_run over what there is.
LP_MUST_USE lp_err id_shared_find(id_shared *shared, catalog *from, const id_search *search,
    id_search_seen *seen, id_search_counts *out_counts);

#endif // LP_COLLECTOR_INDEX_ID_SHARED_H
