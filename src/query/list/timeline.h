// SPDX-License-Identifier: Apache-2.0
// timeline: the contexts that a selection wants on the threads that they were on, with the events
// in them, and the pauses of their JVMs, as boxes to draw.
//
//   {"t0_ns": "1767...", "duration_ns": 1000, "pixel_ns": 1,
//    "lanes": [{"recording": "3f6c..", "thread": "main", "thread_id": 1},
//              {"recording": "3f6c..", "thread": null, "thread_id": null}],
//    "columns": ["lane", "level", "start", "duration", "kind", "name", "count", "id"],
//    "rows": [[0, 0, 0, 639, "context", "shop.Request", 1, "6f1a2b-9f86d081"],
//             [0, 1, 12, 70, "lock", "jdk.JavaMonitorEnter", 1, null], ..], "is_truncated": false}
//
// A lane is a thread, or the pauses of a JVM, which have no thread. thread_id is the Java thread
// id, or null: threads may share a name, or have none. Lanes are in the order of how
// long their contexts, or pauses, went on. A box is a level deeper than those of its lane that it
// begins in, so boxes of a level never overlap. Boxes under a pixel that begin in the same pixel,
// on the same level, are one: as long as all of them, with their count, and with kind and name of
// the longest. A pixel is the whole time divided by the width, and then twice and twice again as
// long, until no more boxes than QUERY_TIMELINE_BOXES are left.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_timeline.c
// Memory:  72 bytes for each box, of which QUERY_TIMELINE_BOXES_MAX are looked at, and as much
//          again once it is finished; 40 for each thread and 12 for each pause that has a box.

#ifndef LP_QUERY_TIMELINE_H
#define LP_QUERY_TIMELINE_H

#include "query/list/listing.h"
#include "query/run/run.h"

#include <jansson.h>

enum {
    QUERY_TIMELINE_BOXES = 5000,        // of an answer
    QUERY_TIMELINE_BOXES_MAX = 1 << 19, // that are looked at
    QUERY_TIMELINE_LANES = 200,
    QUERY_TIMELINE_LEVELS = 64, // what lies deeper is on the last one
};

typedef struct query_box {
    int64_t begin_wall_ns;
    int64_t end_wall_ns;
    int64_t longest_ns; // of those that it is made of
    uint32_t lane;
    uint32_t name; // the number of the name of its type
    uint32_t count;
    uint32_t source;
    uint32_t offset;
    ctx_ref ref; // of a context
    uint8_t level;
    uint8_t kind; // a time_category; TIME_CATEGORY_COUNT: a context
} query_box;

typedef struct query_lane {
    uint32_t source; // that has its first context, or any of its JVM
    uint32_t offset; // of that context
    uint32_t type;   // of the same
    bool is_of_pauses;
    int64_t total_ns; // of its contexts that lie in no others, or of its pauses
    uint32_t order;   // its place in the answer, once it is finished; QUERY_TIMELINE_LANES: none
} query_lane;

// {0} has no contexts yet.
typedef struct query_timeline {
    LP_VEC(query_box) boxes;
    LP_VEC(query_lane) lanes;
    bool is_truncated;

    // The rest is timeline's own.
    bool has_session;
    uint32_t session;   // the first source of the one at hand
    lp_map lane_of;     // of its threads; 0: of its pauses
    lp_map is_pause_in; // its pauses that have a box, by chunk and offset
} query_timeline;

void query_timeline_fini(query_timeline *timeline);

// query_timeline_add adds a context (to a query_timeline), as on_context of a question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_timeline_add(void *timeline, const query_answer *answer);

// query_timeline_finish puts lanes and boxes in order and merges boxes. width is in pixels, 1 and
// more. *out_pixel_ns is how long one is. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_timeline_finish(
    query_timeline *timeline, uint64_t width, uint64_t *out_pixel_ns);

// query_timeline_json finishes it and returns the object: *out_json is the caller's. recording
// returns the recording that has a source. is_cancelled: as of a question. Errors: as
// query_listing_read
LP_MUST_USE lp_err query_timeline_json(query_timeline *timeline, uint64_t width,
    const query_sources *sources, query_names *names, const query_outcome *outcome,
    const atomic_bool *is_cancelled, const char *(*recording)(const void *arg, uint32_t source),
    const void *arg, json_t **out_json);

#endif // LP_QUERY_TIMELINE_H
