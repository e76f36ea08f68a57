// SPDX-License-Identifier: Apache-2.0
// why: the time of the selected contexts by category (time_category.h), with the frames that took
// most time: the sum of a query's answers (run.h).
//
// A context within another selected context does not count again. Each sample of a running thread
// counts as one period of CPU, if nothing else explains that moment. Together, samples count at
// most as much as the unexplained time. The rest of that time is not accounted. So the rows add up
// exactly to the durations of the contexts.
//
// Counted events without a duration (time_category.h), such as thrown exceptions, have rows without
// time.
//
// A frame with more than QUERY_WHY_ONCE_MAX events of a category in one context is a repetition,
// such as a query for each row of another query, or a call for each item of a list.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/why/test_why.c
// Memory:  88 bytes for each frame in a category, and 24 for each frame on top of one, at most
//          QUERY_WHY_FRAMES_MAX of each.

#pragma once

#include "query/frames/stack_filter.h"
#include "query/run/run.h"

enum {
    QUERY_WHY_TOP = 5,       // frames of a row
    QUERY_WHY_ONCE_MAX = 10, // events of a frame in a context before it is a repetition
    QUERY_WHY_REPEATS = 5,   // repetitions in an answer, by time
    QUERY_WHY_FRAMES_MAX = 1 << 18,
    QUERY_WHY_SLICES_MAX = 1 << 12, // rows; further types without a category are not accounted
};

typedef struct query_why_frame {
    uint32_t frame; // in names
    uint32_t via;   // in names: the frame on top of it (frames.h) with most time, or none
    int64_t total_ns;
    uint64_t events;
} query_why_frame;

// A repetition: a frame, in all contexts in which it has many events of a category.
typedef struct query_why_repeat {
    time_category category;
    uint32_t type;     // in names, of TIME_OTHER
    uint32_t frame;    // in names
    uint32_t via;      // in names
    uint64_t requests; // the number of these contexts
    uint64_t events;
    int64_t total_ns;
} query_why_repeat;

// A row: one category, one type of TIME_OTHER, or one kind of counted events.
typedef struct query_why_slice {
    time_category category;
    bool is_count; // counted events of TIME_OTHER
    uint32_t type; // in names, of TIME_OTHER: the event type, or the name of the counted events
    int64_t total_ns;
    int64_t stopped_ns; // part of total_ns in which the JVM was stopped (time_split.h)
    uint64_t events;    // a pause of the JVM counts in each context
    size_t top_count;
    query_why_frame top[QUERY_WHY_TOP]; // by time
} query_why_slice;

// {0} is empty. The caller may set filter.
typedef struct query_why {
    // Rows count only events with a matching frame in their stack trace. The question must want all
    // stack traces. Borrowed. NULL: all events count.
    query_stack_filter *filter;
    int64_t other_ns;      // time of events without a matching frame; not in unaccounted_ns
    uint64_t other_events; // the number of these events that take time
    uint64_t requests;     // the outermost contexts, or the requests, that were added
    int64_t total_ns;
    int64_t unaccounted_ns;         // includes CPU time until query_why_finish
    LP_VEC(query_why_slice) slices; // by time after query_why_finish
    size_t repeat_count;
    query_why_repeat repeats[QUERY_WHY_REPEATS]; // by time, from query_why_finish
    bool is_truncated;

    // Private.
    int64_t other_sampled_ns; // time of samples, added to other_ns by query_why_finish
    uint32_t slice_of[TIME_CATEGORY_COUNT]; // 1 + index; 0: none
    lp_map slice_of_type;                   // of TIME_OTHER and of counted events
    lp_map frame_of;                        // by slice and frame: an index of frames
    LP_VEC(struct query_why_counted {
        uint32_t slice;
        query_why_frame frame;
        // here_: in the context at hand; repeat_: in contexts in which it is a repetition.
        uint64_t here_events;
        int64_t here_ns;
        uint64_t repeat_requests;
        uint64_t repeat_events;
        int64_t repeat_ns;
        uint32_t via; // 1 + index of its via with most time; 0: none
    })
    frames;
    LP_VEC(uint32_t) here; // frames with events in the context at hand
    lp_map via_of;         // by frame and frame on top: an index of vias
    LP_VEC(struct query_why_via {
        uint32_t counted; // index of frames
        query_why_frame frame;
    })
    vias;
} query_why;

void query_why_fini(query_why *why);

// query_why_add adds a context of a question with wants_frames. Errors: LP_ENOMEM; LP_ELIMIT from
// the filter
LP_MUST_USE lp_err query_why_add(query_why *why, const query_answer *answer);

// query_why_add_base adds a context of the base: contexts within another base context do not count.
LP_MUST_USE lp_err query_why_add_base(query_why *why, const query_answer *answer);

// query_why_finish completes and sorts the rows once all contexts are added.
void query_why_finish(query_why *why, const query_names *names);
