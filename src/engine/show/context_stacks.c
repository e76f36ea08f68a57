// SPDX-License-Identifier: Apache-2.0
#include "engine/show/context_stacks.h"

#include "common/base/lp_assert.h"

#include <stdlib.h>

// Design notes
//
// A first pass over the events notes the moments (stack_moments.h) with events. A sweep over the
// moments keeps a list of the open contexts, in the order in which they began, and makes a state
// for each noted moment. A second pass looks events up.
//
// A context in the list remembers the state of itself and the contexts before it. Ending the
// innermost context changes no other; ending another one makes the contexts after it forget their
// states. The contexts with states are always the first of the list, and the others are counted:
// forgetting costs no more than making the states did, and the number of missing states is always
// known. Only if overlapping contexts use up the states of their thread, states are made for one
// moment and not remembered. All work for a moment beyond a few steps makes states.
//
// To limit the depth of states, the list is divided into blocks of half that depth. The state of a
// context reaches back to the start of the block before its own. For that, contexts also remember a
// short state, which reaches back to the start of their own block; it is made when the next block
// begins. Both have the same innermost context of each type.

enum { NONE = COMPACT_CONTEXT_STACKS_NONE };

struct compact_context_stacks_links {
    uint32_t before; // in the list of open contexts
    uint32_t behind;
    uint32_t before_in_type;
    uint32_t behind_in_type;
    uint32_t state;       // of it and the contexts before it; NONE: not made
    uint32_t short_state; // the same, back to the start of its block
    uint32_t place;       // in the list, if it has a state
};

// The innermost context of each type.
typedef struct innermost {
    uint64_t types;
    uint32_t of_type[COMPACT_CONTEXT_STACKS_TYPES_MAX]; // for each bit in types
} innermost;

typedef struct sweep {
    compact_context_stacks *applied;
    uint32_t first;
    uint32_t last;
    uint32_t last_remembered; // it and the contexts before it have states
    size_t missing;           // number of contexts after it
    innermost innermost;
    uint32_t state; // of the open contexts
    bool is_state_known;
    size_t states_max; // beyond it, states have fewer contexts
} sweep;

static bool
allocate(compact_context_stacks *applied, size_t count)
{
    applied->own = calloc(count + 1, sizeof(*applied->own));
    applied->is_own_wanted = calloc(count + 1, sizeof(*applied->is_own_wanted));
    applied->links = calloc(count + 1, sizeof(*applied->links));
    return applied->own != NULL && applied->is_own_wanted != NULL && applied->links != NULL;
}

lp_err
compact_context_stacks_init(compact_context_stacks *applied,
    const compact_stack_moments_context *contexts, size_t count, size_t thread_count,
    uint32_t depth_max)
{
    LP_ASSERT(depth_max >= 2 && depth_max % 2 == 0);
    *applied = (compact_context_stacks){.depth_max = depth_max};
    lp_err err = compact_stack_moments_init(&applied->moments, contexts, count, thread_count);
    LP_THEN(err, !allocate(applied, count) ? LP_ENOMEM : LP_OK);
    if (err != LP_OK) {
        compact_context_stacks_fini(applied);
        return err;
    }
    for (size_t i = 0; i < count; i++) {
        LP_ASSERT(contexts[i].type < COMPACT_CONTEXT_STACKS_TYPES_MAX);
        applied->own[i] = NONE;
        applied->links[i].state = NONE;
        applied->links[i].short_state = NONE;
    }
    return LP_OK;
}

void
compact_context_stacks_fini(compact_context_stacks *applied)
{
    LP_VEC_FINI(&applied->states);
    LP_VEC_FINI(&applied->latest);
    compact_stack_moments_fini(&applied->moments);
    free(applied->own);
    free(applied->is_own_wanted);
    free(applied->links);
    *applied = (compact_context_stacks){0};
}

uint32_t
compact_context_stacks_want(compact_context_stacks *applied, uint32_t thread, int64_t commit)
{
    return compact_stack_moments_want(&applied->moments, thread, commit);
}

void
compact_context_stacks_want_own(compact_context_stacks *applied, uint32_t context)
{
    applied->is_own_wanted[context] = true;
}

// --- States

static lp_err
add_state(sweep *s, compact_context_stacks_state state, uint32_t *out_state)
{
    *out_state = (uint32_t)s->applied->states.count;
    return s->applied->states.count < NONE - 1 ? LP_VEC_ADD(&s->applied->states, state) : LP_ENOMEM;
}

static lp_err
add_latest(sweep *s, uint32_t context)
{
    return s->applied->latest.count < NONE ? LP_VEC_ADD(&s->applied->latest, context) : LP_ENOMEM;
}

// add_child makes a state of context within parent; NONE: within nothing.
static lp_err
add_child(sweep *s, uint32_t context, uint32_t parent, uint32_t *out_state)
{
    const compact_context_stacks *applied = s->applied;
    const uint32_t type = applied->moments.contexts[context].type;
    const compact_context_stacks_state around =
        parent == NONE ? (compact_context_stacks_state){0} : applied->states.items[parent];
    compact_context_stacks_state state = {
        .context = context,
        .parent = parent,
        .latest = (uint32_t)applied->latest.count,
        .types = around.types | (uint64_t)1 << type,
    };
    for (uint64_t left = state.types; left != 0; left &= left - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(left);
        LP_TRY(add_latest(
            s, t == type ? context : compact_context_stacks_latest(applied, &around, t)));
    }
    return add_state(s, state, out_state);
}

// add_cut makes a state of context without a parent. Contexts before it only count for its types.
static lp_err
add_cut(sweep *s, uint32_t context, const innermost *types, uint32_t *out_state)
{
    compact_context_stacks_state state = {
        .context = context,
        .parent = NONE,
        .is_cut = context != s->first,
        .latest = (uint32_t)s->applied->latest.count,
        .types = types->types,
    };
    for (uint64_t left = state.types; left != 0; left &= left - 1) {
        LP_TRY(add_latest(s, types->of_type[__builtin_ctzll(left)]));
    }
    return add_state(s, state, out_state);
}

// leave_out removes context, the last of its type, from the innermost contexts.
static void
leave_out(const sweep *s, uint32_t context, innermost *types)
{
    uint32_t type = s->applied->moments.contexts[context].type;
    types->of_type[type] = s->applied->links[context].before_in_type;
    if (types->of_type[type] == NONE) {
        types->types &= ~((uint64_t)1 << type);
    }
}

static lp_err
make_apart(sweep *s, size_t depth)
{
    uint32_t context = s->last;
    innermost types = s->innermost;
    for (size_t i = 1; i < depth; i++) {
        leave_out(s, context, &types);
        context = s->applied->links[context].before;
    }
    lp_err err = add_cut(s, context, &types, &s->state);
    while (context != s->last && err == LP_OK) {
        context = s->applied->links[context].behind;
        err = add_child(s, context, s->state, &s->state);
    }
    return err;
}

// make_short makes the missing short states of the block that ends with last.
static lp_err
make_short(sweep *s, uint32_t last)
{
    compact_context_stacks_links *links = s->applied->links;
    uint32_t block = s->applied->depth_max / 2;
    uint32_t at = last;
    while (links[at].place % block != 0 && links[links[at].before].short_state == NONE) {
        at = links[at].before;
    }
    lp_err err = LP_OK;
    for (; links[last].short_state == NONE && err == LP_OK; at = links[at].behind) {
        compact_context_stacks_state state = s->applied->states.items[links[at].state];
        bool is_first = links[at].place % block == 0;
        state.parent = is_first ? (uint32_t)NONE : links[links[at].before].short_state;
        state.is_cut = is_first && at != s->first;
        err = add_state(s, state, &links[at].short_state);
    }
    return err;
}

// make_remembered makes the state of a context whose neighbour before it has one.
static lp_err
make_remembered(sweep *s, uint32_t context)
{
    compact_context_stacks_links *links = s->applied->links;
    compact_context_stacks_links *own = &links[context];
    uint32_t block = s->applied->depth_max / 2;
    uint32_t parent = NONE;
    own->place = 0;
    if (own->before != NONE) {
        own->place = links[own->before].place + 1;
        parent = links[own->before].state;
    }
    if (own->place % block == 0 && own->place > block) { // leave out all blocks but the last
        LP_TRY(make_short(s, own->before));
        parent = links[own->before].short_state;
    }
    LP_ASSERT(own->state == NONE);
    lp_err err = add_child(s, context, parent, &own->state);
    if (err == LP_OK) {
        s->last_remembered = context;
        s->missing--;
    }
    return err;
}

static lp_err
find_state(sweep *s)
{
    if (s->is_state_known) {
        return LP_OK;
    }
    s->is_state_known = true;
    LP_ASSERT(s->last != NONE || s->missing == 0);
    const compact_context_stacks_links *links = s->applied->links;
    size_t made = s->applied->states.count;
    size_t left = s->states_max > made ? s->states_max - made : 0;
    if (s->missing > 1 && 2 * s->missing > left) { // long and short states for all of them
        size_t half = s->applied->depth_max / 2;
        size_t depth = s->missing < half ? s->missing : half;
        return make_apart(s, depth <= left ? depth : 1);
    }
    while (s->missing > 0) {
        uint32_t next = s->last_remembered == NONE ? s->first : links[s->last_remembered].behind;
        LP_TRY(make_remembered(s, next));
    }
    s->state = s->last == NONE ? NONE : links[s->last].state;
    return LP_OK;
}

// --- The sweep over one thread

static void
open_context(sweep *s, uint32_t context)
{
    compact_context_stacks_links *links = s->applied->links;
    uint32_t type = s->applied->moments.contexts[context].type;
    bool has_type = (s->innermost.types >> type & 1) != 0;
    uint32_t before_in_type = has_type ? s->innermost.of_type[type] : (uint32_t)NONE;
    links[context].before = s->last;
    links[context].behind = NONE;
    links[context].before_in_type = before_in_type;
    links[context].behind_in_type = NONE;
    if (s->last != NONE) {
        links[s->last].behind = context;
    } else {
        s->first = context;
    }
    if (has_type) {
        links[before_in_type].behind_in_type = context;
    }
    s->last = context;
    s->innermost.of_type[type] = context;
    s->innermost.types |= (uint64_t)1 << type;
    s->missing++;
    s->is_state_known = false;
}

static void
unlink_from_type(sweep *s, uint32_t context)
{
    compact_context_stacks_links *links = s->applied->links;
    const compact_context_stacks_links *own = &links[context];
    if (own->before_in_type != NONE) {
        links[own->before_in_type].behind_in_type = own->behind_in_type;
    }
    if (own->behind_in_type != NONE) {
        links[own->behind_in_type].before_in_type = own->before_in_type;
    } else {
        leave_out(s, context, &s->innermost);
    }
}

// forget drops the states of context, which has one, and of the contexts after it.
static void
forget(sweep *s, uint32_t context)
{
    compact_context_stacks_links *links = s->applied->links;
    s->last_remembered = links[context].before;
    for (uint32_t at = context; at != NONE && links[at].state != NONE; at = links[at].behind) {
        links[at].state = NONE;
        links[at].short_state = NONE;
        s->missing++;
    }
}

static void
close_context(sweep *s, uint32_t context)
{
    compact_context_stacks_links *links = s->applied->links;
    uint32_t before = links[context].before;
    uint32_t behind = links[context].behind;
    if (links[context].state != NONE) {
        forget(s, context);
    }
    LP_ASSERT(s->missing > 0); // context has no state now
    s->missing--;
    if (before != NONE) {
        links[before].behind = behind;
    } else {
        s->first = behind;
    }
    if (behind != NONE) {
        links[behind].before = before;
    } else {
        s->last = before;
    }
    unlink_from_type(s, context);
    s->is_state_known = false;
}

// close_until ends the contexts that end before *before_ticks (NULL: all), in the order of their
// decisions. For each whose own event was noted, it stores the state of the remaining contexts.
static lp_err
close_until(sweep *s, const int64_t *before_ticks, size_t *at, size_t end)
{
    compact_context_stacks *applied = s->applied;
    for (; *at < end; (*at)++) {
        uint32_t context = applied->moments.by_end[*at];
        if (before_ticks != NULL && applied->moments.contexts[context].end >= *before_ticks) {
            break;
        }
        close_context(s, context);
        if (!applied->is_own_wanted[context]) {
            continue;
        }
        LP_TRY(find_state(s));
        applied->own[context] = s->state;
    }
    return LP_OK;
}

static size_t
states_max_of(const compact_context_stacks *applied, size_t t)
{
    size_t wanted = 0;
    for (size_t i = applied->moments.thread_moments[t]; i < applied->moments.thread_moments[t + 1];
         i++) {
        wanted += applied->moments.items.items[i].is_wanted;
    }
    for (size_t i = applied->moments.thread_contexts[t];
         i < applied->moments.thread_contexts[t + 1]; i++) {
        wanted += applied->is_own_wanted[applied->moments.by_begin[i]];
    }
    size_t contexts = applied->moments.thread_contexts[t + 1] - applied->moments.thread_contexts[t];
    return applied->states.count + 2 * contexts + COMPACT_CONTEXT_STACKS_STATES_PER_MOMENT * wanted;
}

static lp_err
sweep_thread(compact_context_stacks *applied, size_t t)
{
    sweep s = {
        .applied = applied,
        .first = NONE,
        .last = NONE,
        .last_remembered = NONE,
        .state = NONE,
        .states_max = states_max_of(applied, t),
    };
    size_t end = applied->moments.thread_contexts[t + 1];
    size_t next_begin = applied->moments.thread_contexts[t];
    size_t next_end = next_begin;
    for (size_t i = applied->moments.thread_moments[t]; i < applied->moments.thread_moments[t + 1];
         i++) {
        compact_stack_moment *moment = &applied->moments.items.items[i];
        LP_TRY(close_until(&s, &moment->begin, &next_end, end));
        while (next_begin < end &&
               applied->moments.contexts[applied->moments.by_begin[next_begin]].begin <=
                   moment->begin) {
            open_context(&s, applied->moments.by_begin[next_begin++]);
        }
        if (moment->is_wanted) {
            LP_TRY(find_state(&s));
            moment->state = s.state;
        }
    }
    return close_until(&s, NULL, &next_end, end); // contexts without an end
}

lp_err
compact_context_stacks_build(compact_context_stacks *applied)
{
    LP_ASSERT(applied->links != NULL && applied->states.count == 0); // once
    for (size_t t = 0; t < applied->moments.thread_count; t++) {
        LP_TRY(sweep_thread(applied, t));
    }
    return LP_OK;
}
