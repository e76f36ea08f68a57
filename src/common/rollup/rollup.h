// SPDX-License-Identifier: Apache-2.0
// rollup: statistics of contexts and of requests, kept and dropped: by type, and within a type by
// each value of the attributes with few values. Contexts and requests have separate lists of types.
// Below, "context" stands for both.
//
//   type  ┬ all    histogram of the durations of all contexts
//         ├ kept   histogram of the durations of kept contexts
//         ├ time   what kept contexts spent their time on
//         ├ exemplars   a kept context for each bucket of kept
//         ├ slices      of a chunk: all and kept, by when contexts began
//         └ attribute ─ value ┬ all
//                             ├ kept
//                             └ time
//
// The engine makes a rollup of each chunk (docs/internals/storage.md#statistics defines what
// counts). Adding rollups in any order and grouping gives the rollup of the whole, even if a limit
// left something out.
//
// A context counts under at most one value of each attribute of its type, and under no value if the
// attribute is null. So subtracting all values from the type gives the contexts with null.
//
// Threads: one thread at a time; any number of threads may read a rollup while no thread changes
//          it.
// Owns:    the rollup's arena owns everything. A pointer to a type, an attribute or a value is
//          valid until another of the same kind, or another rollup, is added.
// Tests:   tests/unit/common/rollup/test_rollup.c
// Memory:  some 300 bytes for each type and each value, and the histograms

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_ref.h"
#include "common/rollup/histogram.h"
#include "common/rollup/time_category.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ROLLUP_TYPES_MAX = 64,        // of a unit; the last by name are left out
    ROLLUP_ATTRIBUTES_MAX = 32,   // of a type; the last by name are left out
    ROLLUP_VALUES_MAX = 64,       // of an attribute; an attribute with more keeps none
    ROLLUP_VALUE_BYTES_MAX = 256, // an attribute with a longer value keeps none
    ROLLUP_NAME_BYTES_MAX = 1024, // types and attributes with longer names are left out
    ROLLUP_SLICES_MAX = 64,       // of a type
    ROLLUP_SLICE_S = 5,           // the shortest length of a slice
    ROLLUP_EXEMPLAR_ID_BYTES = CTX_REF_BYTES,
    ROLLUP_EXEMPLAR_BYTES_MAX = 39, // of the texts of an exemplar; longer ones are empty
};

typedef enum rollup_unit {
    ROLLUP_CONTEXTS,
    ROLLUP_REQUESTS,
    ROLLUP_UNITS,
} rollup_unit;

typedef struct rollup_numbers {
    histogram all;
    histogram kept;
    // Of kept contexts, by time_split.h: ns in each category. TIME_CPU sums the periods of the
    // samples in the remaining time. The sum may exceed that time (rollup_cpu_ns). If a chunk keeps
    // very many contexts, this is the time of an even sample of them. Read the numbers as shares of
    // their sum with left_ns.
    uint64_t time_ns[TIME_CATEGORY_COUNT];
    uint64_t left_ns; // without any event, CPU time included
} rollup_numbers;

typedef struct rollup_value {
    lp_slice text; // as answers have it: String.valueOf, UTF-8
    rollup_numbers numbers;
} rollup_value;

typedef struct rollup_attribute {
    const char *name;
    bool has_too_many;           // over ROLLUP_VALUES_MAX values, or one too long: no values
    LP_VEC(rollup_value) values; // by their bytes
} rollup_attribute;

// A kept context. The exemplar of a bucket is its longest context, then the earliest.
typedef struct rollup_exemplar {
    int64_t duration_ns;
    int64_t begin_wall_ns;
    ctx_ref ref;                                   // id of a context in answers; {0} for a request
    uint64_t request;                              // id of a request; 0 for a context
    char trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1];     // id of its trace; empty: it has none
    char recording[ROLLUP_EXEMPLAR_BYTES_MAX + 1]; // empty in the rollup of a chunk
} rollup_exemplar;

// The contexts that began in [begin, begin + slice_ns). The first slice also has those that began
// earlier, and the last slice those that began later. The histograms have no sums.
typedef struct rollup_slice {
    int64_t begin_wall_ns;
    histogram all;
    histogram kept;
} rollup_slice;

typedef struct rollup_type {
    const char *name;
    rollup_numbers numbers;
    LP_VEC(rollup_slice) slices;         // in order of their begins
    LP_VEC(rollup_attribute) attributes; // by name
    LP_VEC(rollup_exemplar) exemplars;   // by bucket, one in each at most
    bool has_more_attributes;            // some were left out
} rollup_type;

typedef LP_VEC(rollup_type) rollup_types; // by name

typedef struct rollup {
    lp_arena arena;
    rollup_types types;         // of contexts
    rollup_types requests;      // of requests; the type of a request is that of its first part
    uint64_t contexts_left_out; // of types that were left out
    uint64_t requests_left_out;
    uint64_t chunks_left_out; // of a sum: chunks whose rollups could not be read
    // Wall times. If there are none, each min is INT64_MAX, and commit_min_ns above commit_max_ns.
    int64_t begin_min_ns;  // begin of the earliest kept context, in any chunk
    int64_t commit_min_ns; // of the kept events, contextual ones included
    int64_t commit_max_ns;
    // Length of slices; 0: there are none. Only a chunk's rollup has slices; sums do not.
    int64_t slice_ns;
    // Of a chunk: it has a setting with the period of samples; and the longest kept context and
    // request of which it has a part or an event, up to the end of that (-1: there is none). The
    // catalog stores these with the chunk; the rollup's bytes do not have them.
    bool has_period;
    int64_t longest_ns[ROLLUP_UNITS];
} rollup;

void rollup_init(rollup *sums);
void rollup_fini(rollup *sums);

// rollup_err returns LP_ENOMEM if memory ran out, and the rollup is incomplete.
LP_MUST_USE static inline lp_err
rollup_err(const rollup *sums)
{
    return lp_arena_err(&sums->arena);
}

// rollup_get_types returns the types of a unit.
static inline const rollup_types *
rollup_get_types(const rollup *sums, rollup_unit unit)
{
    return unit == ROLLUP_REQUESTS ? &sums->requests : &sums->types;
}

// rollup_get_left_out returns the number of contexts, or requests, of types that were left out.
static inline uint64_t
rollup_get_left_out(const rollup *sums, rollup_unit unit)
{
    return unit == ROLLUP_REQUESTS ? sums->requests_left_out : sums->contexts_left_out;
}

// rollup_find_type (of contexts), rollup_find_request and rollup_find_attribute return NULL if no
// type or attribute has this name.
const rollup_type *rollup_find_type(const rollup *sums, const char *name);
const rollup_type *rollup_find_request(const rollup *sums, const char *name);
const rollup_attribute *rollup_find_attribute(const rollup_type *type, const char *name);

// rollup_add_type_of finds or adds a type of a unit. NULL if the type is left out or memory ran
// out. The caller counts the contexts of a left-out type with rollup_leave_out. rollup_add_type is
// rollup_add_type_of for ROLLUP_CONTEXTS.
rollup_type *rollup_add_type_of(rollup *sums, rollup_unit unit, const char *name);

static inline rollup_type *
rollup_add_type(rollup *sums, const char *name)
{
    return rollup_add_type_of(sums, ROLLUP_CONTEXTS, name);
}

// rollup_leave_out counts contexts, or requests, of types that were left out.
void rollup_leave_out(rollup *sums, rollup_unit unit, uint64_t count);

// rollup_add_attribute finds or adds an attribute. NULL if it is left out or memory ran out.
rollup_attribute *rollup_add_attribute(rollup *sums, rollup_type *type, const char *name);

// rollup_add_value finds or adds a value. NULL if there are too many now, or memory ran out.
rollup_value *rollup_add_value(rollup *sums, rollup_attribute *attribute, lp_slice text);

// rollup_attribute_drop drops the values of an attribute and marks it as having too many.
void rollup_attribute_drop(rollup_attribute *attribute);

// rollup_add_exemplar keeps an exemplar if it is the longest of its bucket, then the earliest.
void rollup_add_exemplar(rollup *sums, rollup_type *type, const rollup_exemplar *exemplar);

// rollup_exemplar_format writes the id of an exemplar in answers: a context's id, or the 16 hex
// digits of a request.
void rollup_exemplar_format(
    const rollup_exemplar *exemplar, char out_text[ROLLUP_EXEMPLAR_ID_BYTES]);

// rollup_add_slice finds or adds the slice with this begin. NULL if there are too many, or memory
// ran out.
rollup_slice *rollup_add_slice(rollup *sums, rollup_type *type, int64_t begin_wall_ns);

void rollup_numbers_add(rollup *sums, rollup_numbers *numbers, const rollup_numbers *from);

// rollup_note_begin and rollup_note_commits widen the times of a rollup.
void rollup_note_begin(rollup *sums, int64_t begin_wall_ns);
void rollup_note_commits(rollup *sums, int64_t min_wall_ns, int64_t max_wall_ns);

// rollup_note_length raises the longest duration of a unit.
void rollup_note_length(rollup *sums, rollup_unit unit, int64_t duration_ns);

// rollup_add adds part to total, without its slices. recording ("": none) becomes the recording of
// exemplars that have none.
void rollup_add(rollup *total, const rollup *part, const char *recording);

// rollup_add_ns adds times, saturated at UINT64_MAX.
static inline void
rollup_add_ns(uint64_t *sum_ns, uint64_t ns)
{
    if (__builtin_add_overflow(*sum_ns, ns, sum_ns)) {
        *sum_ns = UINT64_MAX;
    }
}

// rollup_cpu_ns returns the time on CPU: that of the samples, at most left_ns. The rest of left_ns
// is unaccounted.
static inline uint64_t
rollup_cpu_ns(const rollup_numbers *numbers)
{
    uint64_t sampled_ns = numbers->time_ns[TIME_CPU];
    return sampled_ns < numbers->left_ns ? sampled_ns : numbers->left_ns;
}
