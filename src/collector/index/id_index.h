// SPDX-License-Identifier: Apache-2.0
// id_index: the index of ids: which chunks have contexts with an id. It also has the ids of which
// this collector eliminated all contexts since its start (id_filter.h).
//
// The ids of a chunk are committed with its row in the catalog (catalog_ids.h). Once the hour of
// this commit is over by the collector's clock, or the ids are many (id_gather_is_large), the
// collector gathers them into a segment (id_object.h). The segment's name has a hash of its
// content:
//
//   DIR/YYYYMMDDHH-COLLECTOR-HASH.ids     without a store: a file, synced before it is committed
//   index/YYYYMMDDHH/COLLECTOR-HASH.ids   with a store: an object, put only if it does not exist
//
// Then a transaction adds the segment to the catalog and deletes its rows. After a kill in between,
// the next start makes the same segment again and finds it stored; the next look deletes files that
// the catalog does not know. If a collector has not gathered its ids ID_INDEX_ADOPT_HOURS later,
// another collector gathers them. So no chunk is uncovered in between. With a store, a
// collector's disk has only copies of heads (id_files.h), and collectors with one catalog and one
// store find each other's chunks.
//
// Segments are removed after all their chunks were deleted.
//
// Threads: any, except for open and close; functions marked (loop): the thread that writes the
//          catalog.
// Tests:   tests/unit/collector/index/test_id_index.c, tests/e2e/search.py
// Memory:  that of making a segment (id_object.h), in files if it is large

#pragma once

#include "collector/index/id_search.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/s3/s3_client.h"
#include "common/base/lp_err.h"
#include "common/rollup/rollup_id.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ID_INDEX_LOOK_MS = 60 * 1000, // between looks for work and for others' segments
    ID_INDEX_ADOPT_HOURS = 2,
    ID_INDEX_GOING_MAX = 100, // segments that a look marks for deletion, or deletes
    ID_INDEX_END_MS = 3000,   // longest request to the store after an interrupt
};

typedef struct id_index id_index;

typedef struct id_index_config {
    const char *dir;               // of files; one file has the collector's name
    const s3_client_config *store; // NULL: segments are files
    const char *catalog_place;
} id_index_config;

// id_index_open creates dir if it is missing, and uses neither store nor catalog yet. *out_is_new:
// dir had no index. Segments of an earlier index are missing then, and searches read the chunks
// themselves. Errors: LP_EIO, LP_ENOMEM, as s3_client_create
LP_MUST_USE lp_err id_index_open(
    const id_index_config *config, id_index **out_index, bool *out_is_new, lp_problem *out_problem);

// id_index_interrupt ends waits for the store soon.
void id_index_interrupt(id_index *index);

// id_index_close waits for the index's thread. NULL is fine.
void id_index_close(id_index *index);

// id_index_note (loop) returns the ids to commit with a chunk now. They borrow noted, which is tidy
// (rollup_id.h).
catalog_chunk_ids id_index_note(
    id_index *index, int64_t start_wall_ns, const rollup_ids *noted, int64_t now_wall_ns);

// id_index_tick (loop) commits the gathered and the deleted segments of the last look. It starts a
// look on the index's thread each ID_INDEX_LOOK_MS, or at once after a gathered segment.
void id_index_tick(id_index *index, catalog *to, int64_t now_wall_ns, uint64_t now_mono_ms);

// id_index_find is id_search_run over the index's segments.
LP_MUST_USE lp_err id_index_find(id_index *index, catalog *from, const id_search *search,
    id_search_seen *seen, id_search_counts *out_counts);

// id_index_is_eliminated returns whether all contexts with the id were eliminated; a few unknown
// ids count too. *out_since_wall_ns: the time since which this is known; INT64_MAX: not yet.
bool id_index_is_eliminated(id_index *index, uint64_t hash, int64_t *out_since_wall_ns);
