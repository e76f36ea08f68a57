// SPDX-License-Identifier: Apache-2.0
// catalog_ids: the ids (rollup_id.h) of the chunks that are not in segments of the index yet
// (index/id_index.h), and the list of segments.
//
// The ids of a chunk are committed with it, as a row. After an hour a collector writes its rows
// into a segment; one transaction adds the segment and deletes the rows. So the ids of a chunk are
// always in a row or in a segment, or the chunk is marked as uncovered: it has too many ids, or its
// segment was damaged (catalog_ids_uncover). A reader that reads uncovered chunks, rows and
// segments, in this order, misses no ids, unless a segment is uncovered meanwhile.
//
// A row belongs to the collector that wrote it. A collector is identified by its data directory.
// The row has the hour of the collector's clock, counted from 1970.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_ids.c
// Errors:  as the catalog.

#pragma once

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CATALOG_SEGMENT_NAME_BYTES = 96 };

// The rows of one collector in one hour.
typedef struct catalog_ids_group {
    const char *collector;
    int64_t hour;
    uint64_t id_count;
} catalog_ids_group;

// The ids of one chunk.
typedef struct catalog_ids_row {
    uint64_t number;
    const char *session_id;
    uint32_t ordinal;
    int64_t start_wall_ns;
    lp_slice hashes; // 8 bytes each, in native byte order
} catalog_ids_row;

typedef struct catalog_segment {
    char name[CATALOG_SEGMENT_NAME_BYTES]; // HOUR/COLLECTOR-HASH.ids
    int64_t hour;
    int64_t from_wall_ns; // all chunks start in [from, to]
    int64_t to_wall_ns;
    uint64_t head_bytes; // how many of its first bytes a search reads
    uint64_t size_bytes;
    uint64_t entry_count;
} catalog_segment;

// Selects chunks that start in [from, to), at most count_max.
typedef struct catalog_ids_range {
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    size_t count_max;
    bool has_lost; // also list uncovered chunks that are lost
} catalog_ids_range;

typedef void catalog_ids_on_chunk(void *arg, const char *session_id, uint32_t ordinal);

// --- Writing

// catalog_ids_put writes or replaces the row of a chunk, within the transaction of
// catalog_add_chunk. It writes no row for a chunk without ids.
LP_MUST_USE lp_err catalog_ids_put(
    catalog *catalog, const char *session_id, const catalog_chunk *chunk);

// catalog_ids_add does the same for a stored, uncovered chunk, in its own transaction.
LP_MUST_USE lp_err catalog_ids_add(
    catalog *catalog, const char *session_id, const catalog_chunk *chunk);

// The rows that a segment contains: the rows of a group, up to a number.
typedef struct catalog_sealed {
    catalog_ids_group group;
    uint64_t last_number;
    uint64_t row_count;
} catalog_sealed;

// catalog_ids_seal adds a segment, unless it exists, and deletes its rows. Errors: LP_EAGAIN,
// without any change, in these cases:
// - a clock was set back, and the group has more rows by now
// - a leaving segment (catalog_segments_leave) with the same ids has the name. The caller tries
//   again after that segment is deleted
LP_MUST_USE lp_err catalog_ids_seal(
    catalog *catalog, const catalog_segment *segment, const catalog_sealed *rows);

// catalog_ids_uncover marks all chunks of a damaged segment's hour as uncovered, and the segment as
// leaving.
LP_MUST_USE lp_err catalog_ids_uncover(catalog *catalog, const catalog_segment *segment);

// catalog_segments_leave marks a segment whose chunks were all deleted as leaving: searches no
// longer read it, and the collector deletes its object.
LP_MUST_USE lp_err catalog_segments_leave(catalog *catalog, const char *name);

// catalog_segments_drop deletes the row of a leaving segment whose object was deleted.
LP_MUST_USE lp_err catalog_segments_drop(catalog *catalog, const char *name);

// --- Reading

// catalog_ids_find calls on_chunk for each chunk that starts in [from, to) and whose row has the
// hash; it may also call on_chunk for other chunks. It ignores count_max.
LP_MUST_USE lp_err catalog_ids_find(catalog *catalog, uint64_t hash, const catalog_ids_range *range,
    catalog_ids_on_chunk *on_chunk, void *arg);

// catalog_ids_list_uncovered calls on_chunk for each uncovered chunk.
LP_MUST_USE lp_err catalog_ids_list_uncovered(
    catalog *catalog, const catalog_ids_range *range, catalog_ids_on_chunk *on_chunk, void *arg);

// catalog_ids_list_hour calls on_chunk for each chunk whose row of ids is or was of this hour, of
// all collectors. Cost: may look at all chunks.
LP_MUST_USE lp_err catalog_ids_list_hour(catalog *catalog, int64_t hour,
    const catalog_ids_range *range, catalog_ids_on_chunk *on_chunk, void *arg);

// catalog_ids_list_groups calls on_group for each group of rows, the oldest hour first.
LP_MUST_USE lp_err catalog_ids_list_groups(
    catalog *catalog, void (*on_group)(void *arg, const catalog_ids_group *group), void *arg);

// catalog_ids_read calls on_row for each row of a group, by number. If on_row fails, it stops and
// returns the same error. The row is borrowed until on_row returns.
LP_MUST_USE lp_err catalog_ids_read(catalog *catalog, const catalog_ids_group *group,
    lp_err (*on_row)(void *arg, const catalog_ids_row *row), void *arg);

// catalog_ids_first_start writes the start of the earliest chunk. Errors: LP_ENOENT if there are no
// chunks. Cost: reads an entry of an index for each service
LP_MUST_USE lp_err catalog_ids_first_start(catalog *catalog, int64_t *out_wall_ns);

// catalog_segments_list calls on_segment for each segment with a chunk that may start in [from,
// to), the oldest hour first.
LP_MUST_USE lp_err catalog_segments_list(catalog *catalog, int64_t from_wall_ns, int64_t to_wall_ns,
    void (*on_segment)(void *arg, const catalog_segment *segment), void *arg);

// catalog_segments_list_leaving calls on_name for each leaving segment.
LP_MUST_USE lp_err catalog_segments_list_leaving(
    catalog *catalog, void (*on_name)(void *arg, const char *name), void *arg);
