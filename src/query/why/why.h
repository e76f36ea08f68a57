// SPDX-License-Identifier: Apache-2.0
// why: where the time of the contexts that a selection wants went, by category (time_category.h),
// with the frames that took most of it: the answers of a query (run.h), added up.
//
// A context that lies within another wanted one does not count again. CPU is a period for each
// sample of a running thread, where nothing else explains the time; where samples make more than
// what is left, it is what is left. The rest is not accounted. So the rows add up to the contexts'
// durations, to the nanosecond.
//
// Events that take no time and are counted (time_category.h), such as thrown exceptions, have rows
// as well, without time.
//
// Where one frame has more than QUERY_WHY_ONCE_MAX events of a category in one context, it is a
// repetition: a query for each row of another, a call for each item of a list.
//
// Threads: one thread at a time.
// Memory:  88 bytes for each frame in a category, of which QUERY_WHY_FRAMES_MAX are counted; 24 for
//          each frame on top of one of them, of which there are as many.

#ifndef LP_QUERY_WHY_H
#define LP_QUERY_WHY_H

#include "query/frames/stack_filter.h"
#include "query/run/run.h"

enum {
    QUERY_WHY_TOP = 5,       // frames of a slice
    QUERY_WHY_ONCE_MAX = 10, // events of a frame in a context that are no repetition
    QUERY_WHY_REPEATS = 5,   // repetitions in an answer: those with most time
    QUERY_WHY_FRAMES_MAX = 1 << 18,
    QUERY_WHY_SLICES_MAX =
        1 << 12, // types of which nothing is known; further ones are not accounted
};

typedef struct query_why_frame {
    uint32_t frame; // the number of its name
    uint32_t via;   // that of the frame on top of it (frames.h) with most of the time; else none
    int64_t total_ns;
    uint64_t events;
} query_why_frame;

// A frame that has many events of a category in one context, in all such contexts together.
typedef struct query_why_repeat {
    time_category category;
    uint32_t type;  // of TIME_OTHER: the number of its name
    uint32_t frame; // the numbers of names
    uint32_t via;
    uint64_t requests;
    uint64_t events;
    int64_t total_ns;
} query_why_repeat;

// The time of one category, or of one type of TIME_OTHER, or what is counted in one row.
typedef struct query_why_slice {
    time_category category;
    bool is_count;      // of TIME_OTHER: its events take no time
    uint32_t type;      // of TIME_OTHER: the number of the name of the type, or of the row
    int64_t total_ns;   // in which its events count
    int64_t stopped_ns; // of total_ns, the JVM was stopped so long (time_split.h)
    uint64_t events;    // in the contexts; a pause of the JVM is one in each context. Of TIME_CPU
                        // the samples
    size_t top_count;
    query_why_frame top[QUERY_WHY_TOP]; // by time; events without a stack have none
} query_why_slice;

// {0} has no contexts yet, or with a filter and nothing else.
typedef struct query_why {
    // Slices count an event only if a frame of its stack trace matches; the question has to ask for
    // all stack traces. NULL: they count all events. Borrowed.
    query_stack_filter *filter;
    int64_t other_ns;      // the time of all other events; no part of unaccounted_ns
    uint64_t other_events; // other events that take time
    uint64_t requests;
    int64_t total_ns;
    int64_t unaccounted_ns;         // until it is finished, with that of CPU
    LP_VEC(query_why_slice) slices; // by time once it is finished
    size_t repeat_count;
    query_why_repeat repeats[QUERY_WHY_REPEATS]; // by time once it is finished
    bool is_truncated;

    // The rest is why's own.
    int64_t other_sampled_ns; // of other_ns, the time of samples, until it is finished
    uint32_t slice_of[TIME_CATEGORY_COUNT]; // one more than the index; 0: none yet
    lp_map slice_of_type;                   // of TIME_OTHER, and what is counted
    lp_map frame_of;                        // by slice and frame: an index of frames
    LP_VEC(struct query_why_counted {
        uint32_t slice;
        query_why_frame frame;
        // In the context at hand, and in those in which it is a repetition
        uint64_t here_events;
        int64_t here_ns;
        uint64_t repeat_requests;
        uint64_t repeat_events;
        int64_t repeat_ns;
        uint32_t via; // one more than the index of that with most time; 0: none
    })
    frames;
    LP_VEC(uint32_t) here; // the frames that have events in the context at hand
    lp_map via_of;         // by frame and the frame on top of it: an index of vias
    LP_VEC(struct query_why_via {
        uint32_t counted; // index of frames
        query_why_frame frame;
    })
    vias;
} query_why;

void query_why_fini(query_why *why);

// query_why_add adds a context, as on_context of a question that wants frames. Errors: LP_ENOMEM;
// LP_ELIMIT as of the filter
LP_MUST_USE lp_err query_why_add(query_why *why, const query_answer *answer);

// query_why_add_base is query_why_add for a context of the base of a comparison: one within another
// context of the base does not count again.
LP_MUST_USE lp_err query_why_add_base(query_why *why, const query_answer *answer);

// query_why_finish puts the slices in order once all contexts were added.
void query_why_finish(query_why *why, const query_names *names);

#endif // LP_QUERY_WHY_H
