// SPDX-License-Identifier: Apache-2.0
// id_gather: makes segments of the index (id_object.h) of the ids of chunks that the catalog has
// (catalog_ids.h), and puts them into the store.
//
// Threads: any thread.
// Tests:   tests/unit/collector/index/test_id_shared.c
// Memory:  that of id_object_writer.h and of the object

#ifndef LP_COLLECTOR_INDEX_ID_GATHER_H
#define LP_COLLECTOR_INDEX_ID_GATHER_H

#include "collector/index/id_objects.h"
#include "collector/store/catalog/catalog_ids.h"
#include "common/base/lp_err.h"

enum { ID_GATHER_COLLECTOR_CHARS = 16 }; // of a collector's name: 8 bytes in lower-case hex

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

// id_gather_put makes a segment of the first rows of a group, as many as it may have, and puts it
// into the store. Nothing is committed. Errors: LP_ENOENT the group has no rows any more; those of
// the catalog, and of the store
LP_MUST_USE lp_err id_gather_put(
    id_objects *objects, catalog *from, const id_gather_group *group, id_gathered *out_gathered);

// id_gather_commit commits it. Errors: those of the catalog
LP_MUST_USE lp_err id_gather_commit(catalog *to, const id_gathered *gathered);

#endif // LP_COLLECTOR_INDEX_ID_GATHER_H
