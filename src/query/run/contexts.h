// SPDX-License-Identifier: Apache-2.0
// contexts: the contexts of a session that the selection or the base wants, found by a first pass
// over its chunks.
//
// A context is a contextual JFR event. A context of the Loupe API may span chunks: each of these
// chunks has an event, a part, and all parts have the same id. The parts are one context from the
// first begin to the last end, with the attributes of the last part (only the last part has texts
// that were set late). Contexts without a thread are left out. For other units the contexts stand
// for threads, or for stays and parts of requests.
//
// The pass also collects times of chunks, threads and sampling periods for the second pass (run.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  88 bytes for each wanted context and 32 for each with an id, at most QUERY_CONTEXTS_MAX;
//          96 for each chunk; threads.h. For requests: all contexts, if the question wants
//          attributes or parts; requests.h.

#pragma once

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
    QUERY_NESTING_MAX = 64,        // open contexts that are considered as parents
    QUERY_NO_CONTEXT = UINT32_MAX, // not an index
};

typedef struct query_context {
    int64_t begin;        // ticks; begin and end are inclusive
    int64_t end;          // ticks
    uint64_t thread;      // identity
    uint64_t thread_key;  // in the chunk
    uint64_t id;          // of all its parts; 0: it has one part
    int64_t end_max;      // the latest end of its thread's contexts up to this one
    uint32_t chunk;       // index in the session of the chunk with its (last) event
    uint32_t offset;      // of that event
    uint32_t begin_chunk; // with its first event; begin is on this chunk's clock
    uint32_t type;        // in names
    union {
        uint32_t parent;  // index of the innermost selected context around it, or QUERY_NO_CONTEXT
        uint32_t request; // index of the request of a stay or part
    };
    uint32_t base_parent; // index of the innermost base context around it, or QUERY_NO_CONTEXT
    uint32_t attributes;  // index of the first (attributes.h), if the question wants them
    uint32_t thread_name; // in names, if the question wants them
    uint8_t attribute_count;
    uint8_t in; // QUERY_IN_.. bits of the selections that want it
} query_context;

typedef LP_VEC(query_context) query_context_list;

typedef struct query_chunk_state {
    query_chunk_times times;
    jfr_chunk_info info; // ticks_per_s is 0 if the chunk was not read
    bool is_chained;     // (view.h); false if the chunk was not read
    bool has_samples;    // whose period is a setting (periods.h); false if the chunk was not read
} query_chunk_state;

// What a query wants of contexts. Borrowed.
typedef struct query_wanted {
    const query_selection *selection;
    const query_selection *base;  // NULL: none; else of the selection's unit
    query_attributes *attributes; // gets the attributes; NULL: not wanted
    bool wants_thread_names;
    bool wants_parts; // of requests
} query_wanted;

// What was found. To begin, set unit, and clock and has_clock if the clock is known; all other
// members are 0.
typedef struct query_contexts {
    query_unit unit; // that the contexts stand for
    jfr_clock clock; // of the session's first chunk
    bool has_clock;
    query_context_list items; // by thread, then begin, outer ones first
    query_requests requests;  // if the selection is of requests (request_contexts.h)
    query_context_list parts; // of requests, if wants_parts
    LP_VEC(query_chunk_state) chunks;
    query_periods periods;
    bool has_own_periods;        // some samples record their period (time_category.h)
    bool has_allocation_samples; // (chunk.h)
    query_threads threads;
    query_thread_spans spans[2]; // by index of the QUERY_IN_.. bit, if the selection is of threads
    lp_map by_id;                // until query_contexts_finish: contexts with an id, by its hash
    bool is_truncated;
} query_contexts;

void query_contexts_fini(query_contexts *contexts);

// query_contexts_add reads the contexts of the session's next chunk. in has the bits of
// query_source.in, or both bits if query_source.in is 0. is_cancelled: NULL: never. Errors:
// LP_ENOMEM; LP_ECLOSED cancelled
LP_MUST_USE lp_err query_contexts_add(query_contexts *contexts, const query_wanted *wanted,
    query_chunk *chunk, uint8_t in, const atomic_bool *is_cancelled);

// query_contexts_skip adds a chunk that is not needed, or unreadable, without reading it. Errors:
// LP_ENOMEM
LP_MUST_USE lp_err query_contexts_skip(query_contexts *contexts, query_chunk_times times);

// query_contexts_finish sorts and nests items once all chunks are added. If the selection is of
// requests, items then has all contexts, without parents. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_contexts_finish(
    query_contexts *contexts, const query_wanted *wanted, const query_names *names);

// query_contexts_ref returns the id of a context in answers.
ctx_ref query_contexts_ref(const query_context *context, const query_names *names);

// query_contexts_clock returns the clock of the session's index-th chunk, which was read. The
// clocks of a session drift: an event is shown by the clock of its chunk, a context by the clock of
// its begin_chunk.
jfr_clock query_contexts_clock(const query_contexts *contexts, uint32_t index);

// query_contexts_wall_ns and query_contexts_duration_ns return the begin and duration of a context,
// computed from its begin and end in nanoseconds. The duration is negative if absurd times wrap
// around; such a context is never wanted.
int64_t query_contexts_wall_ns(const query_contexts *contexts, const query_context *context);
int64_t query_contexts_duration_ns(const query_contexts *contexts, const query_context *context);

// --- Order and nesting (context.c)

// query_context_sort sorts by thread, then begin, outer ones first. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_context_sort(query_context_list *contexts);

// query_context_find_end_max sets end_max of sorted contexts.
void query_context_find_end_max(query_context_list *contexts);

// query_context_nest finds among sorted contexts the parents of those with bit, QUERY_IN_SELECTION
// or QUERY_IN_BASE, that have the bit, too. Returns false if there were more than QUERY_NESTING_MAX
// open contexts: then some parents are unknown.
bool query_context_nest(query_context_list *contexts, uint8_t bit);
