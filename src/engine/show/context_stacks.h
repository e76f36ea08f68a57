// SPDX-License-Identifier: Apache-2.0

// context_stacks: finds the contexts that apply to events at their commit times, from the outermost
// to the innermost.
//
//   compact_context_stacks_init(&applied, contexts, count, thread_count, depth_max);
//   moment = compact_context_stacks_want(&applied, thread, commit); // for all events, in any order
//   compact_context_stacks_want_own(&applied, context);
//   compact_context_stacks_build(&applied);
//   state = compact_context_stacks_at(&applied, moment);
//
// stack_moments.h defines which of two contexts is the inner one.
//
// A state represents the contexts that apply at a moment: it has the innermost context, and refers
// to the state of the contexts around it. If contexts nest, moments with the same contexts share a
// state. States have a maximum depth; if more contexts apply, the outermost ones are cut off.
//
// Threads: one thread at a time until compact_context_stacks_build; then any thread may read it.
// Memory:  some 100 bytes for each context, and the states: at most two for each context if
//          contexts nest, else a few for each wanted moment
// Cost:    n log n in contexts, log n for each event, and for each state one step for each of its
//          types, even if contexts overlap

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/show/stack_moments.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COMPACT_CONTEXT_STACKS_NONE = COMPACT_STACK_MOMENTS_NONE, // no state: no context applies
    COMPACT_CONTEXT_STACKS_TYPES_MAX = 64,
    // Limits new states for each moment on a thread. Contexts that overlap without nesting need
    // new states again and again; above this limit, the thread's states have only the innermost
    // context.
    COMPACT_CONTEXT_STACKS_STATES_PER_MOMENT = 4,
};

typedef struct compact_context_stacks_state {
    uint32_t context; // the innermost
    uint32_t parent;  // a state, or COMPACT_CONTEXT_STACKS_NONE
    bool is_cut;      // it has no parent because the contexts around it are cut off
    uint32_t latest;  // where its contexts in applied->latest begin: one for each bit of types
    uint64_t types;   // bit t: a context of type t applies, even if it is cut off
} compact_context_stacks_state;

typedef struct compact_context_stacks_links compact_context_stacks_links;

typedef struct compact_context_stacks {
    uint32_t depth_max;
    LP_VEC(compact_context_stacks_state) states; // a parent comes before its children
    LP_VEC(uint32_t) latest;                     // contexts
    // Private:
    compact_stack_moments moments;
    uint32_t *own; // parallel to contexts: the state of the context's own event
    bool *is_own_wanted;
    compact_context_stacks_links *links; // parallel to contexts
} compact_context_stacks;

// compact_context_stacks_init borrows contexts until compact_context_stacks_fini. The contexts'
// types are below COMPACT_CONTEXT_STACKS_TYPES_MAX. depth_max is even, and at least 2. If more than
// depth_max contexts apply, the outermost are cut off, and more than half of depth_max remain.
// Errors: LP_ELIMIT for more than 2^31 contexts; LP_ENOMEM. After an error *applied needs no fini
LP_MUST_USE lp_err compact_context_stacks_init(compact_context_stacks *applied,
    const compact_stack_moments_context *contexts, size_t count, size_t thread_count,
    uint32_t depth_max);

// applied may be {0}.
void compact_context_stacks_fini(compact_context_stacks *applied);

// compact_context_stacks_want notes the commit time of an event on thread. The event must not
// itself be a context. Returns its moment, for compact_context_stacks_at.
uint32_t compact_context_stacks_want(
    compact_context_stacks *applied, uint32_t thread, int64_t commit);

// compact_context_stacks_want_own notes that a context is itself an event, to which the contexts
// around it apply. A context that began later and ends at the same time is inside it, and does not
// apply.
void compact_context_stacks_want_own(compact_context_stacks *applied, uint32_t context);

// compact_context_stacks_build makes the states of all noted events. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_context_stacks_build(compact_context_stacks *applied);

// compact_context_stacks_at and compact_context_stacks_own return the state of a noted event;
// COMPACT_CONTEXT_STACKS_NONE if no context applies.
static inline uint32_t
compact_context_stacks_at(const compact_context_stacks *applied, uint32_t moment)
{
    return moment == COMPACT_STACK_MOMENTS_NONE ? (uint32_t)COMPACT_CONTEXT_STACKS_NONE
                                                : applied->moments.items.items[moment].state;
}

static inline uint32_t
compact_context_stacks_own(const compact_context_stacks *applied, uint32_t context)
{
    return applied->own[context];
}

// compact_context_stacks_latest returns the innermost context of a type in state->types.
static inline uint32_t
compact_context_stacks_latest(
    const compact_context_stacks *applied, const compact_context_stacks_state *state, uint32_t type)
{
    uint64_t before = state->types & (((uint64_t)1 << type) - 1);
    return applied->latest.items[state->latest + (uint32_t)__builtin_popcountll(before)];
}
