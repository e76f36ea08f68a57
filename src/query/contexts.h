// SPDX-License-Identifier: Apache-2.0
// contexts: the contexts of a session that a selection wants, found by a first pass over its
// chunks.
//
// A context is a contextual JFR event; one of the Loupe API may be an event in each of several
// chunks, with an id that they share, and is one context from the first begin to the last end, with
// the attributes of the last part (a text that came late is only there). Contexts without a thread
// are none: nothing happens in them.
//
// The pass finds out what else has to be known before the events of the second pass can be divided
// among the contexts (run.h): the times of what each chunk holds, the threads, the periods of
// samples.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/test_run.c
// Memory:  80 bytes for each wanted context and 32 for each with an id, of which QUERY_CONTEXTS_MAX
//          are remembered; 16 for each chunk; and that of threads.h.

#ifndef LP_QUERY_CONTEXTS_H
#define LP_QUERY_CONTEXTS_H

#include "common/base/lp_vec.h"
#include "common/jfr/jfr_clock.h"
#include "query/chunk.h"
#include "query/selection.h"
#include "query/threads.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_CONTEXTS_MAX = 1 << 22,  // of a session
    QUERY_NESTING_MAX = 64,        // how many that are open at once are asked for a parent
    QUERY_PERIODS_MAX = 1 << 16,   // settings of the period of samples
    QUERY_NO_CONTEXT = UINT32_MAX, // not an index
};

typedef struct query_context {
    int64_t begin;       // ticks; both ends belong to it
    int64_t end;         // ticks
    uint64_t thread;     // identity
    uint64_t thread_key; // by which the chunk names it
    uint64_t id;         // that its parts share; 0: it has one part
    int64_t end_max;     // of the contexts of its thread up to this one
    uint32_t chunk;      // that has its event, or that of the last part; counts in the session
    uint32_t offset;     // of that event
    uint32_t type;       // the number of its name
    uint32_t parent;     // index of the innermost wanted context around it, or QUERY_NO_CONTEXT
    bool is_wanted;      // contexts' own: by the attributes of the last part so far
} query_context;

// When the events of a chunk were committed, in ticks; min is above max if there are none.
typedef struct query_chunk_times {
    int64_t commit_min;
    int64_t commit_max;
} query_chunk_times;

typedef struct query_period {
    int64_t from; // ticks
    int64_t ns;
} query_period;

typedef struct query_contexts {
    const query_selection *selection;
    jfr_clock clock; // of the session's first chunk: all its times lie on one line
    bool has_clock;
    LP_VEC(query_context) items; // by thread; on each by begin, those around others first
    LP_VEC(query_chunk_times) chunks;
    LP_VEC(query_period) periods; // of jdk.ExecutionSample, in order of time
    bool has_own_periods;         // some samples say their period themselves (time_category.h)
    bool has_allocation_samples;  // (allocations.h)
    query_threads threads;
    lp_map by_id; // until they are all there: the contexts with an id, by a hash of it
    bool is_truncated;
} query_contexts;

// query_contexts_init makes an empty table. selection is borrowed until query_contexts_fini.
void query_contexts_init(query_contexts *contexts, const query_selection *selection);
void query_contexts_fini(query_contexts *contexts);

// query_contexts_add reads the contexts of the session's next chunk. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_contexts_add(query_contexts *contexts, query_chunk *chunk);

// query_contexts_skip stands for a chunk that cannot be read. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_contexts_skip(query_contexts *contexts);

// query_contexts_finish puts items in order once all chunks were added. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_contexts_finish(query_contexts *contexts);

// query_contexts_wall_ns and _duration_ns return when a context began, and how long it took: from
// the nanosecond of its begin to that of its end. Below 0 where absurd times wrap around between
// them: such a context is never wanted.
int64_t query_contexts_wall_ns(const query_contexts *contexts, const query_context *context);
int64_t query_contexts_duration_ns(const query_contexts *contexts, const query_context *context);

// query_contexts_period_ns returns the period of samples at a time: the one that was set last, or
// else the first one; 0 where the recording does not say.
int64_t query_contexts_period_ns(const query_contexts *contexts, int64_t ticks);

#endif // LP_QUERY_CONTEXTS_H
