// SPDX-License-Identifier: Apache-2.0
// profile: amounts of the contexts that a selection wants by stack trace (stacks.h): the answers of
// a query (run.h), added up. What is measured is asked for:
//
//   time    the contexts' durations, as why.h divides them: waits and other events the time in
//           which they count, samples of running threads a period each, of all contexts together
//           no more than what is left, and what nothing explains
//   lock, park, io   of these, that of one category
//   cpu     a period for each sample of a running thread, whatever goes on meanwhile
//   alloc   bytes that events say were allocated (allocations.h)
//   count   events
//
// Below the stack trace of an event is a frame that says what went on: [lock], [other: shop.Query].
// Samples of running threads, and allocations, count at their topmost frame; those without a stack
// trace at [cpu] and [alloc]. What nothing explains is [not accounted], beside all stack traces.
//
// A context that lies within another wanted one does not count again. So the amounts of time add up
// to the durations, to the nanosecond.
//
// Where samples make more than what is left, each amount is made smaller in proportion and rounded
// down, and what rounding loses is [cpu]'s.
//
// Amounts may be of groups that the caller makes, such as threads; what nothing explains, and what
// rounding loses, is of group 0.
//
// Threads: one thread at a time.
// Memory:  48 bytes for each stack trace of a group and some 24 in a table, of which
//          QUERY_PROFILE_CELLS_MAX are counted; and that of stacks.h.

#ifndef LP_QUERY_PROFILE_H
#define LP_QUERY_PROFILE_H

#include "query/run/run.h"
#include "query/select/frame_filter.h"

enum {
    // Beyond, events count beside all stack traces, at the frame that says what went on, and all
    // whose type is not known at [other]; and so do those for whose frame stacks have no room.
    QUERY_PROFILE_CELLS_MAX = 1 << 20,
    QUERY_PROFILE_BYTES_MAX = 256 << 20, // of a file; stack traces that do not fit are left out
    QUERY_SIDES = 2,                     // the selection, and the base that it is compared with
};

typedef enum query_measure {
    QUERY_MEASURE_TIME,
    QUERY_MEASURE_CPU,
    QUERY_MEASURE_ALLOC,
    QUERY_MEASURE_LOCK,
    QUERY_MEASURE_PARK,
    QUERY_MEASURE_IO,
    QUERY_MEASURE_COUNT,
    QUERY_MEASURES,
} query_measure;

// What a node of the tree is: a frame of a stack trace, or the frame below it that says what went
// on. These are behind the categories of time_category.h.
enum {
    QUERY_KIND_ALLOC = TIME_CATEGORY_COUNT,
    QUERY_KIND_UNACCOUNTED,
    QUERY_LEAVES,
    QUERY_KIND_FRAME = QUERY_LEAVES,
    QUERY_KINDS,
};

typedef struct query_amount {
    int64_t value;
    uint64_t events;
} query_amount;

// The amounts of a stack trace in a group.
typedef struct query_cell {
    uint32_t group;
    uint32_t stack; // its node
    query_amount sides[QUERY_SIDES];
} query_cell;

typedef struct query_totals {
    uint64_t requests; // contexts that do not lie within others
    int64_t value;     // the sum of the cells, once it is finished
    int64_t left_ns;   // profile's own
} query_totals;

typedef struct query_profile {
    query_measure measure;
    query_names *names;
    query_stacks stacks;
    query_totals totals[QUERY_SIDES];
    LP_VEC(query_cell) cells;
    bool is_truncated;

    // The rest is profile's own.
    lp_map cell_of;  // by group and stack
    lp_map other_of; // by the name of a type of which nothing is known: that of its frame
    lp_map is_other; // has these
    uint32_t leaf_of[QUERY_LEAVES]; // names
} query_profile;

// query_measure_name returns the name of a measure.
const char *query_measure_name(query_measure measure);

// query_measure_unit returns the unit of amounts: ns, bytes or events.
const char *query_measure_unit(query_measure measure);

// query_profile_begin makes an empty profile. names is borrowed until query_profile_fini.
query_profile query_profile_begin(query_measure measure, query_names *names);
void query_profile_fini(query_profile *profile);

// query_profile_prepare makes question ask for what the profile needs.
void query_profile_prepare(query_profile *profile, query_question *question);

// query_profile_add adds a context, as on_context of a prepared question. group is below 2^32 - 1.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_profile_add(
    query_profile *profile, const query_answer *answer, uint32_t group);

// query_profile_finish divides the time once all contexts were added, and leaves only the stack
// traces of which a frame matches; filter may be NULL.
// Errors: LP_ENOMEM; LP_ELIMIT as of query_frame_filter_match
LP_MUST_USE lp_err query_profile_finish(query_profile *profile, query_frame_filter *filter);

// query_profile_kind returns what the frames with a name are.
unsigned query_profile_kind(const query_profile *profile, uint32_t name);

#endif // LP_QUERY_PROFILE_H
