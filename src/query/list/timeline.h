// SPDX-License-Identifier: Apache-2.0
// timeline: the contexts of a selection by thread, with the events in them and the pauses of their
// JVMs, as boxes to draw.
//
//   {"t0_ns": "1767...", "duration_ns": 1000, "pixel_ns": 1,
//    "lanes": [{"recording": "3f6c..", "thread": "main", "thread_id": 1},
//              {"recording": "3f6c..", "thread": null, "thread_id": null}],
//    "columns": ["lane", "level", "start", "duration", "kind", "name", "count", "id"],
//    "rows": [[0, 0, 0, 639, "context", "shop.Request", 1, "6f1a2b-9f86d081"],
//             [0, 1, 12, 70, "lock", "jdk.JavaMonitorEnter", 1, null], ..], "is_truncated": false}
//
// A lane is a thread, or the pauses of a JVM (thread is null). thread_id is the Java thread id, or
// null: threads may share a name, or have none. The lane with the longest contexts, or pauses, in
// total comes first.
//
// A box is one level below the boxes of its lane that it begins in, so boxes of a level never
// overlap. Boxes shorter than a pixel that begin in the same pixel on the same level are merged.
// The merged box has their count, reaches to the last end, and has kind and name of the longest
// box. A pixel is the whole time divided by the width. The length of a pixel is doubled until at
// most QUERY_TIMELINE_BOXES boxes are left.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_timeline.c
// Memory:  72 bytes for each of up to QUERY_TIMELINE_BOXES_MAX boxes, twice while it is finished;
//          40 for each thread and 12 for each pause.

#pragma once

#include "query/list/listing.h"
#include "query/run/run.h"

#include <jansson.h>

enum {
    QUERY_TIMELINE_BOXES = 5000,        // in an answer
    QUERY_TIMELINE_BOXES_MAX = 1 << 19, // before they are merged
    QUERY_TIMELINE_LANES = 200,
    QUERY_TIMELINE_LEVELS = 64, // deeper boxes are on the last level
};

typedef struct query_box {
    int64_t begin_wall_ns;
    int64_t end_wall_ns;
    int64_t longest_ns; // of the boxes that were merged
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
    uint32_t source; // of its first context, or of any context of its JVM
    uint32_t offset; // of that context
    uint32_t type;   // of that context
    bool is_of_pauses;
    int64_t total_ns; // of its outermost contexts, or of its pauses
    uint32_t order;   // in the answer, once it is finished; QUERY_TIMELINE_LANES: left out
} query_lane;

// {0} is empty.
typedef struct query_timeline {
    LP_VEC(query_box) boxes;
    LP_VEC(query_lane) lanes;
    bool is_truncated;

    // Private: the session whose contexts are being added.
    bool has_session;
    uint32_t session;   // its first source
    lp_map lane_of;     // by thread; 0: the session's pauses
    lp_map is_pause_in; // the session's pauses that have a box, by chunk and offset
} query_timeline;

void query_timeline_fini(query_timeline *timeline);

// query_timeline_add adds a context to timeline, a query_timeline. Pass it as on_context of a
// question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_timeline_add(void *timeline, const query_answer *answer);

// query_timeline_finish sorts lanes and boxes and merges boxes. width is in pixels, at least 1.
// *out_pixel_ns is the length of a pixel. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_timeline_finish(
    query_timeline *timeline, uint64_t width, uint64_t *out_pixel_ns);

// query_timeline_json finishes the timeline and makes the object; recording returns the name of the
// recording of a source.
// Owns:   *out_json is the caller's.
// Errors: as query_listing_read
LP_MUST_USE lp_err query_timeline_json(query_timeline *timeline, uint64_t width,
    const query_sources *sources, query_names *names, const query_outcome *outcome,
    const atomic_bool *is_cancelled, const char *(*recording)(const void *arg, uint32_t source),
    const void *arg, json_t **out_json);
