// SPDX-License-Identifier: Apache-2.0
// id_search: looks for an id in all that covers chunks: the rows of the catalog that are not in a
// segment yet, the segments, and the chunks that are in neither (catalog_ids.h).
//
// Segments of a store whose head is not here (id_segments.h), and those that may have the id, are
// asked of the store, ID_SEARCH_AT_ONCE at once, each by a thread that ends with the search.
//
// A segment that is gone or damaged covers nothing: the chunks of its hour are in no segment then.
// One that the store does not give is counted.
//
// Threads: any thread.
// Memory:  20 bytes for each chunk of a segment that has the id
// Tests:   tests/unit/collector/index/test_id_index.c

#ifndef LP_COLLECTOR_INDEX_ID_SEARCH_H
#define LP_COLLECTOR_INDEX_ID_SEARCH_H

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
    ID_SEARCH_AT_ONCE = 16,         // segments that are asked of the store, by one search
};

// What is looked for: chunks that started in [from, to) and have an id with a hash.
typedef struct id_search {
    uint64_t hash;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    // For each, and some more perhaps, in no order; one may come twice.
    void (*on_chunk)(void *arg, const char *session_id, uint32_t ordinal);
    void *arg;
} id_search;

// A segment, and what came of searching it.
typedef struct id_searched {
    catalog_segment segment;
    bool is_done; // it was read, or what is here excludes the id
    lp_err err;
    LP_VEC(id_chunk) chunks;
} id_searched;

// The segments that searches for one hash have seen: what was found in them is not looked for
// again, as they do not change. {0} has none. From the first search to id_search_seen_fini heads
// are not fetched for the cache: whoever searches reads chunks next (id_segments_begin_search).
typedef struct id_search_seen {
    id_segments *of; // NULL: nothing was searched
    LP_VEC(id_searched) segments;
    lp_map by_name; // hash of a name: index
} id_search_seen;

void id_search_seen_fini(id_search_seen *seen);

typedef struct id_search_counts {
    size_t segments;  // that were searched
    size_t unread;    // segments that the store did not give: what they cover was not searched
    size_t damaged;   // segments that are gone or damaged
    size_t uncovered; // chunks without a segment, which count as found
    bool has_more;    // of these, which do not
} id_search_counts;

// id_search_run looks; from is a reader. Errors: those of the catalog; LP_ENOMEM
LP_MUST_USE lp_err id_search_run(id_segments *of, catalog *from, const id_search *search,
    id_search_seen *seen, id_search_counts *out_counts);

#endif // LP_COLLECTOR_INDEX_ID_SEARCH_H
