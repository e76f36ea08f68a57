// SPDX-License-Identifier: Apache-2.0
// id_search: finds the chunks with an id: in the catalog's rows without a segment, in the segments,
// and among chunks covered by neither (catalog_ids.h).
//
// It asks the store for segments that may have the id or whose head is not in a file
// (id_segments.h), ID_SEARCH_AT_ONCE at once, on threads that end with the search.
//
// A missing or damaged segment covers nothing: its hour's chunks count as found. A segment that the
// store did not return is counted.
//
// Threads: any.
// Memory:  20 bytes for each chunk of a segment that has the id
// Tests:   tests/unit/collector/index/test_id_index.c

#pragma once

#include "collector/index/id_segments.h"
#include "collector/store/catalog/catalog_ids.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_SEARCH_UNCOVERED_MAX = 1000, // chunks without a segment that count as found
    ID_SEARCH_AT_ONCE = 16,         // segments that one search asks of the store
};

// The chunks to find: started in [from, to), with an id of this hash.
typedef struct id_search {
    uint64_t hash;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    // Called for each chunk, and perhaps some others, in no order; may repeat a chunk.
    void (*on_chunk)(void *arg, const char *session_id, uint32_t ordinal);
    void *arg;
} id_search;

// A segment, and the result of searching it.
typedef struct id_searched {
    catalog_segment segment;
    bool is_done; // it was read, or its head excludes the id
    lp_err err;
    LP_VEC(id_chunk) chunks;
} id_searched;

// The segments that searches for one hash have read: they do not change, so they are not read
// again. {0} is empty. From the first search to id_search_seen_fini no heads are fetched for the
// cache, so that the caller can read chunks undisturbed (id_segments_begin_search).
typedef struct id_search_seen {
    id_segments *of; // NULL: no search yet
    LP_VEC(id_searched) segments;
    lp_map by_name; // hash of a name: index
} id_search_seen;

void id_search_seen_fini(id_search_seen *seen);

typedef struct id_search_counts {
    size_t segments;  // searched
    size_t unread;    // segments that the store did not return: their chunks were not searched
    size_t damaged;   // missing or damaged segments
    size_t uncovered; // chunks without a segment, which count as found
    bool has_more;    // there are more uncovered chunks, not passed to on_chunk
} id_search_counts;

// id_search_run searches. from: a reader of the catalog. Errors: the catalog's; LP_ENOMEM
LP_MUST_USE lp_err id_search_run(id_segments *of, catalog *from, const id_search *search,
    id_search_seen *seen, id_search_counts *out_counts);
