// SPDX-License-Identifier: Apache-2.0
// profile: the amounts of a selection's contexts by stack trace (stacks.h).
//
//   time    the contexts' durations, divided as in why.h into waits and other events, samples of
//           running threads (a period each, up to the rest of the time), and unexplained time.
//   lock, park, io   the part of time of one category
//   cpu     a period for each sample of a running thread, even during a wait
//   alloc   bytes that events say were allocated (query_allocation in chunk.h)
//   count   events
//   allocs, locks, parks   the events of alloc, lock or park
//
// Below the stack trace of an event is a leaf that names what happened: [lock], [other:
// shop.Query]. Samples of running threads, and allocations, count at their topmost frame; if they
// have no stack trace, at [cpu] or [alloc]. Time that nothing explains is [not accounted], beside
// all stack traces.
//
// A context within another wanted context does not count again. So the amounts of time add up to
// the durations, to the nanosecond. If the samples exceed the rest of the time, their amounts are
// scaled down and rounded down; the rounding loss counts at [cpu].
//
// The caller may divide the amounts into groups, such as threads. [not accounted] and the rounding
// loss belong to group 0.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_profile.c
// Memory:  48 bytes for each stack trace of a group and some 24 in a table, up to
//          QUERY_PROFILE_CELLS_MAX; and that of stacks.h.

#pragma once

#include "query/frames/leaves.h"
#include "query/run/run.h"
#include "query/select/frame_filter.h"

enum {
    // Further stack traces, and those without room in stacks.h, count at a leaf beside all stack
    // traces. Events of unknown types count at [other].
    QUERY_PROFILE_CELLS_MAX = 1 << 20,
    QUERY_PROFILE_BYTES_MAX = 256 << 20, // of a file; further stack traces are left out
    QUERY_SIDES = 2,                     // the selection and the base
};

typedef enum query_measure {
    QUERY_MEASURE_TIME,
    QUERY_MEASURE_CPU,
    QUERY_MEASURE_ALLOC,
    QUERY_MEASURE_LOCK,
    QUERY_MEASURE_PARK,
    QUERY_MEASURE_IO,
    QUERY_MEASURE_COUNT,
    QUERY_MEASURE_ALLOCS,
    QUERY_MEASURE_LOCKS,
    QUERY_MEASURE_PARKS,
    QUERY_MEASURES,
} query_measure;

typedef struct query_amount {
    int64_t value;
    uint64_t events;
} query_amount;

// The amounts of a stack trace in a group.
typedef struct query_cell {
    uint32_t group;
    uint32_t stack; // its node in stacks.h
    query_amount sides[QUERY_SIDES];
} query_cell;

typedef struct query_totals {
    uint64_t requests; // outermost contexts
    int64_t value;     // the sum of the cells, once finished
    int64_t left_ns;   // private
} query_totals;

typedef struct query_profile {
    query_measure measure;
    query_names *names;
    query_stacks stacks;
    query_totals totals[QUERY_SIDES];
    LP_VEC(query_cell) cells;
    bool is_truncated;

    // Private:
    query_leaves leaves;
    lp_map cell_of; // by group and stack
} query_profile;

// query_measure_name returns the name of a measure.
const char *query_measure_name(query_measure measure);

// query_measure_is_count returns whether a measure counts events.
bool query_measure_is_count(query_measure measure);

// query_measure_unit returns the unit of amounts: ns, bytes or events.
const char *query_measure_unit(query_measure measure);

// query_profile_begin makes an empty profile. Borrows names until query_profile_fini.
query_profile query_profile_begin(query_measure measure, query_names *names);
void query_profile_fini(query_profile *profile);

// query_profile_prepare makes question ask for the stack traces and rows of the measure.
void query_profile_prepare(query_profile *profile, query_question *question);

// query_profile_add adds a context of a prepared question. group is below 2^32 - 1.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_profile_add(
    query_profile *profile, const query_answer *answer, uint32_t group);

// query_profile_finish divides the time once all contexts were added, and drops stack traces
// without a frame that matches filter, if that is not NULL. Call it once. Errors: LP_ENOMEM;
// LP_ELIMIT as query_frame_filter_match
LP_MUST_USE lp_err query_profile_finish(query_profile *profile, query_frame_filter *filter);

// query_profile_kind returns the kind of the nodes with a name.
unsigned query_profile_kind(const query_profile *profile, uint32_t name);
