// SPDX-License-Identifier: Apache-2.0
// contexts: the contexts of a session that a selection wants, or the base that it is compared with,
// found by a first pass over its chunks.
//
// A context is a contextual JFR event; one of the Loupe API may be an event in each of several
// chunks, with an id that they share, and is one context from the first begin to the last end, with
// the attributes of the last part (a text that came late is only there). Contexts without a thread
// are left out: nothing happens in them. With a selection of another unit, they are threads, or the
// stays and the parts of requests.
//
// The pass also finds what the second pass needs to divide events among the contexts (run.h): the
// times of each chunk's content, the threads, the periods of samples.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  88 bytes for each wanted context and 32 for each with an id, of which QUERY_CONTEXTS_MAX
//          are remembered; 96 for each chunk; and that of threads.h. Of requests those of all
//          contexts, if attributes or parts are asked for, and that of requests.h.

#ifndef LP_QUERY_CONTEXTS_H
#define LP_QUERY_CONTEXTS_H

#include "common/base/lp_vec.h"
#include "common/jfr/jfr_clock.h"
#include "query/chunk/chunk.h"
#include "query/chunk/periods.h"
#include "query/chunk/sources.h"
#include "query/chunk/threads.h"
#include "query/run/requests.h"
#include "query/select/attributes.h"
#include "query/select/selection.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_CONTEXTS_MAX = 1 << 22,  // of a session
    QUERY_NESTING_MAX = 64,        // how many that are open at once are asked for a parent
    QUERY_NO_CONTEXT = UINT32_MAX, // not an index
};

typedef struct query_context {
    int64_t begin;        // ticks; both ends belong to it
    int64_t end;          // ticks
    uint64_t thread;      // identity
    uint64_t thread_key;  // by which the chunk names it
    uint64_t id;          // that its parts share; 0: it has one part
    int64_t end_max;      // of the contexts of its thread up to this one
    uint32_t chunk;       // that has its event, or that of the last part; counts in the session
    uint32_t offset;      // of that event
    uint32_t begin_chunk; // that has the event of its first part: by its clock it began
    uint32_t type;        // the number of its name
    // Indexes of the innermost contexts around it of the selection, and of the base, or
    // QUERY_NO_CONTEXT; where it is of that itself.
    union {
        uint32_t parent;
        uint32_t request; // of a stay or a part of a request: its index
    };
    uint32_t base_parent;
    uint32_t attributes;  // where they begin (attributes.h), if they are asked for
    uint32_t thread_name; // its number, if names of threads are asked for
    uint8_t attribute_count;
    uint8_t in; // QUERY_IN_.. bits: whose it is
} query_context;

typedef LP_VEC(query_context) query_context_list;

typedef struct query_chunk_state {
    query_chunk_times times;
    jfr_chunk_info info; // of one that is read; of others its ticks_per_s is 0
    bool is_chained;     // (view.h); false if it was not read
    bool has_samples;    // whose period a setting has (periods.h); the same
} query_chunk_state;

// With what the caller sets and nothing else it is empty.
typedef struct query_contexts {
    // The caller sets these. All are borrowed.
    const query_selection *selection;
    const query_selection *base;     // NULL: none; of threads where the selection is
    const atomic_bool *is_cancelled; // NULL: never
    query_attributes *attributes;    // NULL: they are not asked for
    bool wants_thread_names;
    bool wants_parts; // of requests

    jfr_clock clock;          // of the session's first chunk
    bool has_clock;           // where the caller knows it, it sets both
    query_context_list items; // by thread; on each by begin, those around others first
    query_requests requests;  // of a selection that is of these (request_contexts.h)
    query_context_list parts; // of these, if they are asked for
    LP_VEC(query_chunk_state) chunks;
    query_periods periods;
    bool has_own_periods;        // some samples say their period themselves (time_category.h)
    bool has_allocation_samples; // (chunk.h)
    query_threads threads;
    query_thread_spans spans[2]; // by the index of the bit: of selections that are of threads
    lp_map by_id; // until they are all there: the contexts with an id, by a hash of it
    bool is_truncated;
} query_contexts;

void query_contexts_fini(query_contexts *contexts);

// query_contexts_add reads the contexts of the session's next chunk. in: as of its source, but
// never 0. names are the chunk's. Errors: LP_ENOMEM; LP_ECLOSED it was cancelled
LP_MUST_USE lp_err query_contexts_add(query_contexts *contexts, query_chunk *chunk, uint8_t in);

// query_contexts_skip stands for a chunk that is not needed, or cannot be read and has no events.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_contexts_skip(query_contexts *contexts, query_chunk_times times);

// query_contexts_finish puts items in order once all chunks were added. Of requests they are all
// contexts, without parents. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_contexts_finish(query_contexts *contexts, const query_names *names);

// query_contexts_find_end_max sets the end_max of items, which are in order.
void query_contexts_find_end_max(query_contexts *contexts);

// query_contexts_ref returns what a context is called in answers.
ctx_ref query_contexts_ref(const query_context *context, const query_names *names);

// query_contexts_clock returns the clock of the session's index-th chunk, which was read. Answers
// show an event by that of its chunk, and a context by that of its begin_chunk: the clocks of a
// session drift apart.
jfr_clock query_contexts_clock(const query_contexts *contexts, uint32_t index);

// query_contexts_wall_ns and _duration_ns return when a context began, and how long it took: from
// the nanosecond of its begin to that of its end. Below 0 where absurd times wrap around between
// them: such a context is never wanted.
int64_t query_contexts_wall_ns(const query_contexts *contexts, const query_context *context);
int64_t query_contexts_duration_ns(const query_contexts *contexts, const query_context *context);

#endif // LP_QUERY_CONTEXTS_H
