// SPDX-License-Identifier: Apache-2.0
// id_gather: the ids of chunks on their way into the index: as rows of the catalog (catalog_ids.h),
// each committed with its chunk, and then as segments (id_object.h) that are made of these rows.
//
// Threads: any thread; id_rows one at a time.
// Tests:   tests/unit/collector/index/test_id_index.c
// Memory:  that of id_object.h and of the object

#ifndef LP_COLLECTOR_INDEX_ID_GATHER_H
#define LP_COLLECTOR_INDEX_ID_GATHER_H

#include "collector/index/id_segments.h"
#include "collector/store/catalog/catalog_ids.h"
#include "common/base/lp_err.h"

enum {
    ID_GATHER_COLLECTOR_CHARS = 16,       // of a collector's name: 8 bytes in lower-case hex
    ID_GATHER_CHUNK_IDS_MAX = 1 << 20,    // of a chunk; one with more is read by each search
    ID_GATHER_FILE_ENTRIES_MAX = 1 << 20, // of a segment that is a file: its rows go at once
};

static const int64_t ID_GATHER_HOUR_NS = 3600 * (int64_t)1000000000;

// Whose rows are made: a collector's, or those of nobody, which any collector gathers at its start.
typedef struct id_rows {
    char collector[ID_GATHER_COLLECTOR_CHARS + 1];
    int64_t hour;    // of the rows that are made; none comes before it
    uint64_t number; // of the last one
} id_rows;

// id_rows_make_nobody is for who writes rows and is no collector.
id_rows id_rows_make_nobody(void);

// id_rows_pass_hour sets the hour of rows that are made from now on to that of a time. It never
// goes back, as a clock may, and is ID_ROWS_NOBODY_HOUR at least.
void id_rows_pass_hour(id_rows *rows, int64_t wall_ns);

// id_rows_make returns the row of a chunk; hashes are borrowed.
catalog_chunk_ids id_rows_make(id_rows *rows, const uint64_t *hashes, size_t count);

// A group of rows, by itself.
typedef struct id_gather_group {
    char collector[ID_GATHER_COLLECTOR_CHARS + 1];
    int64_t hour;
    uint64_t id_count;
} id_gather_group;

// A segment that is in the store, and the rows that it was made of.
typedef struct id_gathered {
    catalog_segment segment;
    id_gather_group group;
    uint64_t last_number;
    uint64_t row_count;
} id_gathered;

// id_gather_is_large returns whether so many ids make a segment before their hour is over.
bool id_gather_is_large(const id_segments *segments, uint64_t id_count);

// id_gather_put makes a segment of the first rows of a group, as many as it may have, and puts it
// where segments are. Nothing is committed. Errors: LP_ENOENT the group has no rows any more; those
// of the catalog, and of the store
LP_MUST_USE lp_err id_gather_put(
    id_segments *segments, catalog *from, const id_gather_group *group, id_gathered *out_gathered);

// id_gather_commit commits it. Errors: those of the catalog
LP_MUST_USE lp_err id_gather_commit(catalog *to, const id_gathered *gathered);

#endif // LP_COLLECTOR_INDEX_ID_GATHER_H
