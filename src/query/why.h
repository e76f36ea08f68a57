// SPDX-License-Identifier: Apache-2.0
// why: where the time of the contexts that a selection wants went, by category (time_category.h),
// with the frames that took most of it: the answers of a query (run.h), added up.
//
// A context that lies within another wanted one does not count again. CPU is a period for each
// sample of a running thread, where nothing else explains the time; where samples make more than
// what is left, it is what is left. The rest is not accounted. So the rows add up to the contexts'
// durations, to the nanosecond.
//
// Threads: one thread at a time.
// Memory:  40 bytes for each frame in a category, of which QUERY_WHY_FRAMES_MAX are counted.

#ifndef LP_QUERY_WHY_H
#define LP_QUERY_WHY_H

#include "query/run.h"

enum {
    QUERY_WHY_TOP = 5, // frames of a slice
    QUERY_WHY_FRAMES_MAX = 1 << 18,
    QUERY_WHY_SLICES_MAX =
        1 << 12, // types of which nothing is known; further ones are not accounted
};

typedef struct query_why_frame {
    uint32_t frame; // the number of its name
    int64_t total_ns;
    uint64_t events;
} query_why_frame;

// The time of one category, or of one type of TIME_OTHER.
typedef struct query_why_slice {
    time_category category;
    uint32_t type;      // of TIME_OTHER: the number of its name
    int64_t total_ns;   // in which its events count
    int64_t stopped_ns; // of total_ns, the JVM was stopped so long (time_split.h)
    uint64_t events;    // in the contexts; a pause of the JVM is one in each context. Of TIME_CPU
                        // the samples
    size_t top_count;
    query_why_frame top[QUERY_WHY_TOP]; // by time; events without a stack have none
} query_why_slice;

// {0} has no contexts yet.
typedef struct query_why {
    uint64_t requests;
    int64_t total_ns;
    int64_t unaccounted_ns;         // until it is finished, with that of CPU
    LP_VEC(query_why_slice) slices; // by time once it is finished
    bool is_truncated;

    // The rest is why's own.
    uint32_t slice_of[TIME_CATEGORY_COUNT]; // one more than the index; 0: none yet
    lp_map slice_of_type;                   // of TIME_OTHER
    lp_map frame_of;                        // by slice and frame: an index of frames
    LP_VEC(struct query_why_counted {
        uint32_t slice;
        query_why_frame frame;
    })
    frames;
} query_why;

void query_why_fini(query_why *why);

// query_why_add adds a context, as on_context of a question that wants frames. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_why_add(query_why *why, const query_answer *answer);

// query_why_finish puts the slices in order once all contexts were added.
void query_why_finish(query_why *why, const query_names *names);

#endif // LP_QUERY_WHY_H
