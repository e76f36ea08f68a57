// SPDX-License-Identifier: Apache-2.0
// id_index: the index of ids: which chunks have contexts with an id; and which ids had eliminated
// contexts alone (id_filter.h), of those that came to this collector since its start.
//
// The ids of a chunk are committed with its row in the catalog (catalog_ids.h). Once the hour in
// which they were committed is over, by the clock of their collector, or they are many
// (id_gather_is_large), that collector gathers them into a segment (id_object.h), whose name has a
// hash of what is in it:
//
//   DIR/YYYYMMDDHH-COLLECTOR-HASH.ids           where chunks are files, on the disk once it is
//   there index/YYYYMMDDHH/COLLECTOR-HASH.ids         in an object store, put only if it is not
//   there
//
// Then a transaction adds the segment to the catalog and deletes the rows whose ids are in it.
// After a kill in between, the next start makes the same segment again and finds it there; the next
// look deletes a file that the catalog does not know. Ids of a collector that has not gathered them
// ID_INDEX_ADOPT_HOURS later are gathered by any other. So each chunk is covered at any moment.
// With a store nothing of it is on a collector's disk but copies of the heads of segments
// (id_files.h), and collectors with one catalog and one store find what any of them has stored.
//
// Segments whose chunks are all gone go as well.
//
// Threads: any, but for open and close; those marked (loop) the thread that writes the catalog.
// Tests:   tests/unit/collector/index/test_id_index.c, tests/e2e/search.py
// Memory:  that of a segment while it is made (id_object.h), in files where it is large

#ifndef LP_COLLECTOR_INDEX_ID_INDEX_H
#define LP_COLLECTOR_INDEX_ID_INDEX_H

#include "collector/index/id_search.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/s3/s3_client.h"
#include "common/base/lp_err.h"
#include "common/rollup/rollup_id.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_INDEX_LOOK_MS = 60 * 1000, // how often it looks what is due, and for segments of others
    ID_INDEX_ADOPT_HOURS = 2,
    ID_INDEX_GOING_MAX = 100, // segments that go, or have been deleted, with one look
    ID_INDEX_END_MS = 3000,   // what asking the store takes at most once it was interrupted
};

typedef struct id_index id_index;

typedef struct id_index_config {
    const char *dir;               // of files, one of them with the collector's name
    const s3_client_config *store; // NULL: segments are files
    const char *catalog_place;
} id_index_config;

// id_index_open makes dir if it is missing, and asks neither store nor catalog yet. *out_is_new:
// dir had no index; the segments of an earlier one are missing, and searches read their chunks.
// Errors: LP_EIO, LP_ENOMEM, those of s3_client_create
LP_MUST_USE lp_err id_index_open(
    const id_index_config *config, id_index **out_index, bool *out_is_new, lp_problem *out_problem);

// id_index_interrupt ends soon whatever waits for the store.
void id_index_interrupt(id_index *index);

// id_index_close returns when nothing is gathered any more. NULL is fine.
void id_index_close(id_index *index);

// id_index_note (loop) is for a chunk on its way into the catalog, whose ids are tidy
// (rollup_id.h): it returns those that are committed with it at a time, which borrow them.
catalog_chunk_ids id_index_note(
    id_index *index, int64_t start_wall_ns, const rollup_ids *noted, int64_t now_wall_ns);

// id_index_tick (loop) commits what was gathered, and has the index's thread look what is due,
// each ID_INDEX_LOOK_MS, or at once after something was committed.
void id_index_tick(id_index *index, catalog *to, int64_t now_wall_ns, uint64_t now_mono_ms);

// id_index_find is id_search_run over what there is.
LP_MUST_USE lp_err id_index_find(id_index *index, catalog *from, const id_search *search,
    id_search_seen *seen, id_search_counts *out_counts);

// id_index_is_eliminated returns whether contexts with the id came in and were eliminated, some
// ids aside that never came. *out_since_wall_ns: from when on that is known; INT64_MAX: from now
// on.
bool id_index_is_eliminated(id_index *index, uint64_t hash, int64_t *out_since_wall_ns);

#endif // LP_COLLECTOR_INDEX_ID_INDEX_H
