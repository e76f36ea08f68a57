// SPDX-License-Identifier: Apache-2.0
// catalog_ids: the ids (rollup_id.h) of chunks, on their way into segments of the index
// (index/id_index.h), and which segments there are.
//
// The ids of a chunk are committed with it, as a row. A collector gathers the rows of an hour that
// is over into a segment, and then one transaction adds the segment and drops its rows.
// So at any moment each chunk is in a row, or in a segment, or its own row says that it is in
// neither: it has too many ids, or its segment was damaged
// (catalog_ids_uncover). Who reads these, rows and segments in this order misses none, but for
// those of a segment that is uncovered meanwhile.
//
// Rows belong to the collector that wrote them, by a name that its data directory has, and have the
// hour of its clock in which they were written, counted from 1970.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_ids.c
// Errors:  as the catalog's.

#ifndef LP_COLLECTOR_STORE_CATALOG_IDS_H
#define LP_COLLECTOR_STORE_CATALOG_IDS_H

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CATALOG_SEGMENT_NAME_BYTES = 96 };

// The rows of a collector and an hour.
typedef struct catalog_ids_group {
    const char *collector;
    int64_t hour;
    uint64_t id_count;
} catalog_ids_group;

// A row.
typedef struct catalog_ids_row {
    uint64_t number;
    const char *session_id;
    uint32_t ordinal;
    int64_t start_wall_ns;
    lp_slice hashes; // 8 bytes each, in the order of the machine
} catalog_ids_row;

typedef struct catalog_segment {
    char name[CATALOG_SEGMENT_NAME_BYTES]; // HOUR/COLLECTOR-HASH.ids
    int64_t hour;
    int64_t from_wall_ns; // all chunks start in [from, to]
    int64_t to_wall_ns;
    uint64_t head_bytes; // the first ones, by which it is searched
    uint64_t size_bytes;
    uint64_t entry_count;
} catalog_segment;

// Chunks that start in [from, to), count_max at most.
typedef struct catalog_ids_range {
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    size_t count_max;
    bool has_lost; // of those that nothing covers, also what is lost, and cannot be read
} catalog_ids_range;

typedef void catalog_ids_on_chunk(void *arg, const char *session_id, uint32_t ordinal);

// --- Writing

// catalog_ids_put writes the row of a chunk, in place of an earlier one. It is a part of
// catalog_add_chunk, within its transaction. A chunk without ids has no row.
LP_MUST_USE lp_err catalog_ids_put(
    catalog *catalog, const char *session_id, const catalog_chunk *chunk);

// catalog_ids_add does so for a chunk that is stored and covered by nothing, in a transaction of
// its own.
LP_MUST_USE lp_err catalog_ids_add(
    catalog *catalog, const char *session_id, const catalog_chunk *chunk);

// The rows that a segment was made of: those of a group up to a number.
typedef struct catalog_sealed {
    catalog_ids_group group;
    uint64_t last_number;
    uint64_t row_count;
} catalog_sealed;

// catalog_ids_seal adds a segment, unless it is there, and drops the rows that it was made of.
// Errors: LP_EAGAIN there are more of them by now, of a clock that was put back, or the segment is
// one that leaves, as rows made anew had the same ids, and has to be put again once it is gone:
// nothing is changed
LP_MUST_USE lp_err catalog_ids_seal(
    catalog *catalog, const catalog_segment *segment, const catalog_sealed *rows);

// catalog_ids_uncover forgets a segment that cannot be read, and notes that nothing covers the
// chunks of its hour; its object stays where it is until catalog_segments_leave.
LP_MUST_USE lp_err catalog_ids_uncover(catalog *catalog, const catalog_segment *segment);

// catalog_ids_uncover_hour notes that nothing covers the chunks of an hour; 0: those that nothing
// covered before.
LP_MUST_USE lp_err catalog_ids_uncover_hour(catalog *catalog, int64_t hour);

// catalog_segments_leave has a segment go whose chunks are gone: nobody reads it any more, and its
// object is to be deleted.
LP_MUST_USE lp_err catalog_segments_leave(catalog *catalog, const char *name);

// catalog_segments_drop forgets one whose object is deleted.
LP_MUST_USE lp_err catalog_segments_drop(catalog *catalog, const char *name);

// --- Reading

// catalog_ids_find calls on_chunk for each chunk whose row has the hash, some more perhaps, and
// that starts in [from, to); count_max is not looked at.
LP_MUST_USE lp_err catalog_ids_find(catalog *catalog, uint64_t hash, const catalog_ids_range *range,
    catalog_ids_on_chunk *on_chunk, void *arg);

// catalog_ids_list_uncovered calls on_chunk for the chunks that are in no row and no segment.
LP_MUST_USE lp_err catalog_ids_list_uncovered(
    catalog *catalog, const catalog_ids_range *range, catalog_ids_on_chunk *on_chunk, void *arg);

// catalog_ids_list_hour calls on_chunk for the chunks whose rows were of an hour, of any collector.
// It may look at all chunks that there are.
LP_MUST_USE lp_err catalog_ids_list_hour(catalog *catalog, int64_t hour,
    const catalog_ids_range *range, catalog_ids_on_chunk *on_chunk, void *arg);

// catalog_ids_list_groups calls on_group for the rows that there are, the oldest hour first.
LP_MUST_USE lp_err catalog_ids_list_groups(
    catalog *catalog, void (*on_group)(void *arg, const catalog_ids_group *group), void *arg);

// catalog_ids_read calls on_row for each row of a group, in the order of numbers, until it returns
// something else than LP_OK, which is returned. What row points to is lent until on_row returns.
LP_MUST_USE lp_err catalog_ids_read(catalog *catalog, const catalog_ids_group *group,
    lp_err (*on_row)(void *arg, const catalog_ids_row *row), void *arg);

// catalog_ids_first_start returns when the first of the chunks that there are started, those of
// recordings that are being removed left aside. Errors: LP_ENOENT there is none
LP_MUST_USE lp_err catalog_ids_first_start(catalog *catalog, int64_t *out_wall_ns);

// catalog_segments_list calls on_segment for each segment in which a chunk may start in [from, to),
// the oldest hour first.
LP_MUST_USE lp_err catalog_segments_list(catalog *catalog, int64_t from_wall_ns, int64_t to_wall_ns,
    void (*on_segment)(void *arg, const catalog_segment *segment), void *arg);

// catalog_segments_list_leaving calls on_name for those that go.
LP_MUST_USE lp_err catalog_segments_list_leaving(
    catalog *catalog, void (*on_name)(void *arg, const char *name), void *arg);

#endif // LP_COLLECTOR_STORE_CATALOG_IDS_H
