// SPDX-License-Identifier: Apache-2.0
// stack_moments: divides the time of each thread into moments at the begins and ends of its
// contexts. A moment starts at the begin of a context, or at the tick after an end, and lasts until
// the next moment. During a moment the same contexts apply.
//
// Contexts of a thread may nest or overlap in any way. If two contexts apply, the one that began
// later is the inner one. If they began at the same tick, the one that is decided first
// (elimination.md) is the inner one: it ends earlier, or the caller lists it earlier.
//
// Threads: one thread at a time.
// Memory:  8 bytes for each context, 16 for each moment; a context makes at most two

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMPACT_STACK_MOMENTS_NONE = UINT32_MAX }; // no moment, or no state

typedef struct compact_stack_moments_context {
    int64_t begin; // ticks; begin and end are inclusive, and begin <= end
    int64_t end;
    uint32_t thread; // below thread_count
    uint32_t type;   // a small number; belongs to the caller
} compact_stack_moments_context;

typedef struct compact_stack_moment {
    int64_t begin;  // it lasts until the thread's next moment
    uint32_t state; // belongs to the caller; COMPACT_STACK_MOMENTS_NONE until it is set
    bool is_wanted;
} compact_stack_moment;

typedef struct compact_stack_moments {
    const compact_stack_moments_context *contexts;
    size_t count;
    size_t thread_count;
    LP_VEC(compact_stack_moment) items; // by thread and begin
    size_t *thread_moments;             // where the items of thread t begin; one more for the end
    size_t *thread_contexts;            // the same for by_begin and by_end
    uint32_t *by_begin;                 // contexts, the outer first
    uint32_t *by_end;                   // in the order in which they are decided
} compact_stack_moments;

// compact_stack_moments_init borrows contexts until compact_stack_moments_fini.
// Owns:   the caller ends *m with compact_stack_moments_fini, also after an error.
// Errors: LP_ELIMIT for more than 2^31 contexts; LP_ENOMEM
LP_MUST_USE lp_err compact_stack_moments_init(compact_stack_moments *m,
    const compact_stack_moments_context *contexts, size_t count, size_t thread_count);
void compact_stack_moments_fini(compact_stack_moments *m);

// compact_stack_moments_want marks as wanted the moment on thread to which commit belongs, and
// returns it; COMPACT_STACK_MOMENTS_NONE if commit is before the thread's first context.
uint32_t compact_stack_moments_want(compact_stack_moments *m, uint32_t thread, int64_t commit);
