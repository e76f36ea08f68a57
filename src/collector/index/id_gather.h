// SPDX-License-Identifier: Apache-2.0
// id_gather: the ids of chunks on their way into the index: first as rows of the catalog
// (catalog_ids.h), each committed with its chunk, then as segments (id_object.h) made from these
// rows.
//
// Threads: any; an id_rows one at a time.
// Tests:   tests/unit/collector/index/test_id_index.c
// Memory:  that of an id_object_writer, and of the finished object

#pragma once

#include "collector/index/id_segments.h"
#include "collector/store/catalog/catalog_ids.h"
#include "common/base/lp_err.h"

enum {
    ID_GATHER_COLLECTOR_CHARS = 16,    // of a collector's name: 8 bytes in lower-case hex
    ID_GATHER_CHUNK_IDS_MAX = 1 << 20, // of a chunk; searches read a chunk that has more
    // Of a segment in a file: one transaction deletes its rows.
    ID_GATHER_FILE_ENTRIES_MAX = 1 << 20,
};

static const int64_t ID_GATHER_HOUR_NS = 3600 * (int64_t)1000000000;

// The writer of rows: a collector, or another program (id_rows_make_nobody), whose rows any
// collector gathers at its start.
typedef struct id_rows {
    char collector[ID_GATHER_COLLECTOR_CHARS + 1];
    int64_t hour;    // of later rows; never decreases
    uint64_t number; // of the last row
} id_rows;

// id_rows_make_nobody returns the writer for programs that are not collectors.
id_rows id_rows_make_nobody(void);

// id_rows_pass_hour sets the hour of later rows to the hour of wall_ns. The hour never decreases,
// although a clock may, and is at least that of id_rows_make_nobody.
void id_rows_pass_hour(id_rows *rows, int64_t wall_ns);

// id_rows_make returns the row of a chunk; hashes are borrowed.
catalog_chunk_ids id_rows_make(id_rows *rows, const uint64_t *hashes, size_t count);

// The rows of a collector and an hour.
typedef struct id_gather_group {
    char collector[ID_GATHER_COLLECTOR_CHARS + 1];
    int64_t hour;
    uint64_t id_count;
} id_gather_group;

// A stored segment, and the rows in it.
typedef struct id_gathered {
    catalog_segment segment;
    id_gather_group group;
    uint64_t last_number;
    uint64_t row_count;
} id_gathered;

// id_gather_is_large returns whether this many ids become a segment before their hour ends.
bool id_gather_is_large(const id_segments *segments, uint64_t id_count);

// id_gather_put makes a segment of a group's first rows, as many as a segment may have, and stores
// it. It commits nothing. Errors: LP_ENOENT the group has no rows; as catalog and store
LP_MUST_USE lp_err id_gather_put(
    id_segments *segments, catalog *from, const id_gather_group *group, id_gathered *out_gathered);

// id_gather_commit commits the segment. Errors: as the catalog's
LP_MUST_USE lp_err id_gather_commit(catalog *to, const id_gathered *gathered);
