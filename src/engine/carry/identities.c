// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/identities.h"

#include "common/base/lp_assert.h"

#include <string.h>

static void
learn(const compact_view *view, uint64_t key, uint64_t identity, uint64_t *identities)
{
    uint32_t thread = compact_threads_find(view, key);
    if (thread != LP_MAP_NONE && !compact_identity_is_known(identities[thread])) {
        identities[thread] = identity;
    }
}

static void
learn_from_view(const compact_view *view, const compact_view *other, uint64_t *identities)
{
    compact_view_check(other);
    for (size_t i = 0; i < other->threads.count; i++) {
        learn(view, other->threads.items[i].key, other->threads.items[i].identity, identities);
    }
}

static void
learn_from_carry(const compact_view *view, const compact_carry *carry, uint64_t *identities)
{
    for (size_t i = carry == NULL ? 0 : carry->threads.count; i > 0; i--) { // the last item counts
        const compact_known_thread *thread = &carry->threads.items[i - 1];
        learn(view, thread->key, thread->identity, identities);
    }
}

uint64_t *
compact_identities_identify(lp_arena *arena, const compact_view *const *views, size_t count,
    size_t index, const compact_carry *carry)
{
    LP_ASSERT(index < count);
    const compact_view *view = views[index];
    uint64_t *identities = LP_ARENA_ARRAY(arena, uint64_t, view->threads.count);
    bool has_unknown = false;
    for (size_t i = 0; identities != NULL && i < view->threads.count; i++) {
        identities[i] = view->threads.items[i].identity;
        has_unknown |= !compact_identity_is_known(identities[i]);
    }
    if (!has_unknown) {
        return identities;
    }
    for (size_t i = index; i > 0; i--) {
        learn_from_view(view, views[i - 1], identities);
    }
    learn_from_carry(view, carry, identities);
    for (size_t i = index + 1; i < count; i++) {
        learn_from_view(view, views[i], identities);
    }
    return identities;
}

void
compact_identities_map(
    const compact_view *view, const uint64_t *identities, lp_arena *arena, lp_map *out_threads)
{
    compact_view_check(view);
    for (size_t i = view->threads.count; i > 0; i--) { // the first wins
        lp_arena_put(arena, out_threads, identities[i - 1], (uint32_t)i - 1);
    }
}

// Known threads below this number are all kept; above, only needed ones.
enum { THREADS_PRUNED_MIN = 4096 };

static void
carry_thread(compact_carry *carry, uint64_t key, uint64_t identity)
{
    LP_ARENA_PUSH(&carry->arena, &carry->threads, (compact_known_thread){key, identity});
}

// list_used collects the identities of the threads in carry, without past.
static void
list_used(compact_carry *carry, lp_map *out_used)
{
    compact_carry_check(carry);
    lp_arena *arena = &carry->arena;
    for (size_t i = 0; i < carry->triggers.count; i++) {
        lp_arena_put(arena, out_used, carry->triggers.items[i].thread, 0);
    }
    for (size_t i = 0; i < carry->intervals.count; i++) {
        lp_arena_put(arena, out_used, carry->intervals.items[i].thread, 0);
    }
    for (size_t i = 0; i < carry->contexts.items.count; i++) {
        int64_t thread = carry->contexts.items.items[i].thread_id;
        lp_arena_put(arena, out_used, compact_identity_java(thread), 0);
    }
}

// prune keeps the last item of each key in carry->threads, if something in carry is on its thread.
static void
prune(compact_carry *carry)
{
    compact_carry_check(carry);
    lp_map used = {0};
    lp_map keys = {0};
    list_used(carry, &used);
    size_t left = carry->threads.count; // kept items move to the end
    for (size_t i = carry->threads.count; i > 0; i--) {
        const compact_known_thread thread = carry->threads.items[i - 1];
        if (lp_map_find(&keys, thread.key) != LP_MAP_NONE) {
            continue;
        }
        lp_arena_put(&carry->arena, &keys, thread.key, 0);
        bool is_used = lp_map_find(&used, thread.identity) != LP_MAP_NONE ||
                       compact_kept_times_find(&carry->past, thread.identity).count > 0;
        if (is_used) {
            carry->threads.items[--left] = thread;
        }
    }
    carry->threads.count -= left;
    memmove(carry->threads.items, carry->threads.items + left,
        carry->threads.count * sizeof(*carry->threads.items));
    lp_map_fini(&used);
    lp_map_fini(&keys);
}

// carry_on copies the threads of an earlier carry-over, and prunes them above the limit.
static void
carry_on(const compact_carry *before, compact_carry *carry)
{
    compact_carry_check(carry);
    for (size_t i = 0; i < before->threads.count; i++) {
        carry_thread(carry, before->threads.items[i].key, before->threads.items[i].identity);
    }
    carry->prune_at = before->prune_at;
    if (carry->threads.count > carry->prune_at) {
        prune(carry);
        carry->prune_at = carry->threads.count * 2;
    }
}

void
compact_identities_carry(const compact_view *view, const uint64_t *identities,
    const compact_carry *before, compact_carry *carry)
{
    compact_view_check(view);
    compact_carry_check(carry);
    LP_ASSERT(carry->threads.count == 0);
    size_t count = view->threads.count + (before == NULL ? 0 : before->threads.count);
    if (!LP_ARENA_RESERVE(&carry->arena, &carry->threads, count)) {
        return;
    }
    if (before != NULL) {
        carry_on(before, carry);
    }
    for (size_t i = 0; i < view->threads.count; i++) {
        uint64_t key = view->threads.items[i].key;
        if (compact_identity_is_known(identities[i]) &&
            compact_threads_find(view, key) == i) { // not a second constant of the key
            carry_thread(carry, key, identities[i]);
        }
    }
    if (carry->prune_at < THREADS_PRUNED_MIN) {
        carry->prune_at = THREADS_PRUNED_MIN;
    }
}
