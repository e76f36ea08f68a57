// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/threads.h"

#include <stdlib.h>
#include <string.h>

// The low two bits say what an identity is made of.
enum { IDENTITY_JAVA = 1, IDENTITY_OS = 2, IDENTITY_KEY = 3 };

uint64_t
compact_identity_java(int64_t java_thread_id)
{
    return (uint64_t)java_thread_id << 2 | IDENTITY_JAVA;
}

// identity_of_key is for a thread of which nothing but the key is known. There is no room for all
// of its bits, so the high ones are folded into the others.
static uint64_t
identity_of_key(uint64_t key)
{
    return (key ^ key >> 32) << 2 | IDENTITY_KEY;
}

// is_known says whether an identity goes further than its own chunk.
static bool
is_known(uint64_t identity)
{
    return (identity & 3) != IDENTITY_KEY;
}

// A field of java.lang.Thread that holds a number, and how to get to it.
typedef struct thread_number {
    bool is_there;
    jfr_program before;
} thread_number;

static thread_number
find_thread_number(const compact_schema *schema, const char *name)
{
    const jfr_type *type = &schema->metadata.types.items[schema->thread_type];
    uint32_t field = jfr_metadata_find_field(&schema->metadata, type, name);
    if (field == JFR_NONE || !jfr_layout_is_number(&schema->layout, &schema->metadata, field)) {
        return (thread_number){0};
    }
    return (thread_number){
        .is_there = true,
        .before = {.begin = schema->layout.types.items[schema->thread_type].begin,
            .end = schema->layout.field_ops.items[field]},
    };
}

// read_thread_number is 0 where the constant does not have it.
static int64_t
read_thread_number(
    const compact_view *view, const jfr_constant *constant, const thread_number *field)
{
    const uint8_t *value = view->chunk.ptr + constant->offset;
    jfr_cursor cursor = {value, value + constant->size_bytes};
    uint64_t number;
    if (!field->is_there || !jfr_layout_walk(&view->schema->layout, field->before, &cursor) ||
        !jfr_varint_read(&cursor, &number)) {
        return 0;
    }
    return (int64_t)number;
}

// Two constants are the same thread when their Java thread ids are the same and above 0, else when
// their OS thread ids are.
static uint64_t
identify(const compact_view *view, const jfr_constant *constant, const thread_number *java,
    const thread_number *os)
{
    int64_t java_id = read_thread_number(view, constant, java);
    if (java_id > 0) {
        return compact_identity_java(java_id);
    }
    int64_t os_id = read_thread_number(view, constant, os);
    if (os_id > 0) {
        return (uint64_t)os_id << 2 | IDENTITY_OS;
    }
    return identity_of_key(constant->key);
}

static lp_err
add_thread(compact_view *view, uint64_t key, uint64_t identity)
{
    if (!LP_VEC_ROOM(&view->threads)) {
        return LP_ENOMEM;
    }
    if (view->threads.count == COMPACT_NO_THREAD) {
        return LP_ELIMIT; // in 4 GiB there is no room for so many
    }
    view->threads.items[view->threads.count++] = (compact_thread){.key = key, .identity = identity};
    return LP_OK;
}

lp_err
compact_threads_list(compact_view *view)
{
    if (view->schema->thread_type == JFR_NONE) { // then no event has a thread
        return LP_OK;
    }
    const jfr_pool *pool = &view->pools.pools[view->schema->thread_type];
    thread_number java = find_thread_number(view->schema, "javaThreadId");
    thread_number os = find_thread_number(view->schema, "osThreadId");
    lp_err err = LP_OK;
    for (size_t i = 0; i < pool->constants.count && err == LP_OK; i++) {
        const jfr_constant *constant = &pool->constants.items[i];
        err = add_thread(view, constant->key, identify(view, constant, &java, &os));
    }
    return err;
}

uint32_t
compact_threads_find(const compact_view *view, uint64_t key)
{
    if (view->schema->thread_type == JFR_NONE) {
        return LP_MAP_NONE;
    }
    uint32_t index = jfr_pools_find_index(&view->pools, view->schema->thread_type, key);
    return index != LP_MAP_NONE ? index : lp_map_find(&view->undescribed, key);
}

lp_err
compact_threads_number(compact_view *view, uint64_t key, uint32_t *out_thread)
{
    uint32_t thread = compact_threads_find(view, key);
    lp_err err = LP_OK;
    if (thread == LP_MAP_NONE) {
        thread = (uint32_t)view->threads.count;
        err = add_thread(view, key, identity_of_key(key));
        if (err == LP_OK) {
            err = lp_map_put(&view->undescribed, key, thread);
        }
    }
    *out_thread = thread;
    return err;
}

static void
learn(const compact_view *view, uint64_t key, uint64_t identity, uint64_t *identities)
{
    uint32_t thread = compact_threads_find(view, key);
    if (thread != LP_MAP_NONE && !is_known(identities[thread])) {
        identities[thread] = identity;
    }
}

static void
learn_from_view(const compact_view *view, const compact_view *other, uint64_t *identities)
{
    for (size_t i = 0; other != NULL && i < other->threads.count; i++) {
        learn(view, other->threads.items[i].key, other->threads.items[i].identity, identities);
    }
}

static void
learn_from_carry(const compact_view *view, const compact_carry *carry, uint64_t *identities)
{
    for (size_t i = carry == NULL ? 0 : carry->threads.count; i > 0; i--) { // the last word counts
        const compact_known_thread *thread = &carry->threads.items[i - 1];
        learn(view, thread->key, thread->identity, identities);
    }
}

uint64_t *
compact_threads_identify(const compact_view *view, const compact_view *before,
    const compact_carry *carry, const compact_view *next)
{
    uint64_t *identities = malloc((view->threads.count + 1) * sizeof(*identities));
    bool has_unknown = false;
    for (size_t i = 0; identities != NULL && i < view->threads.count; i++) {
        identities[i] = view->threads.items[i].identity;
        has_unknown |= !is_known(identities[i]);
    }
    if (has_unknown) {
        learn_from_view(view, before, identities);
        learn_from_carry(view, carry, identities);
        learn_from_view(view, next, identities);
    }
    return identities;
}

lp_err
compact_threads_map(const compact_view *view, const uint64_t *identities, lp_map *out_threads)
{
    lp_err err = LP_OK;
    for (size_t i = view->threads.count; i > 0 && err == LP_OK; i--) { // the first wins
        err = lp_map_put(out_threads, identities[i - 1], (uint32_t)i - 1);
    }
    return err;
}

// Fewer known threads than that are not looked through for those that nobody needs any more.
enum { THREADS_PRUNED_MIN = 4096 };

static lp_err
carry_thread(compact_carry *carry, uint64_t key, uint64_t identity)
{
    compact_known_thread *thread = LP_VEC_PUSH(&carry->threads);
    if (thread == NULL) {
        return LP_ENOMEM;
    }
    *thread = (compact_known_thread){key, identity};
    return LP_OK;
}

// list_used puts the identities of all threads on which anything in carry but its past is.
static lp_err
list_used(const compact_carry *carry, lp_map *out_used)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < carry->triggers.count && err == LP_OK; i++) {
        err = lp_map_put(out_used, carry->triggers.items[i].thread, 0);
    }
    for (size_t i = 0; i < carry->intervals.count && err == LP_OK; i++) {
        err = lp_map_put(out_used, carry->intervals.items[i].thread, 0);
    }
    for (size_t i = 0; i < carry->weights.items.count && err == LP_OK; i++) {
        err = lp_map_put(out_used, carry->weights.items.items[i].thread, 0);
    }
    for (size_t i = 0; i < carry->contexts.items.count && err == LP_OK; i++) {
        int64_t thread = carry->contexts.items.items[i].thread_id;
        err = lp_map_put(out_used, compact_identity_java(thread), 0);
    }
    return err;
}

// prune leaves of carry->threads the last word on each key, if something in carry is on the thread
// that it names.
static lp_err
prune(compact_carry *carry)
{
    lp_map used = {0};
    lp_map keys = {0};
    lp_err err = list_used(carry, &used);
    size_t left = carry->threads.count; // what is kept moves to the end
    for (size_t i = carry->threads.count; i > 0 && err == LP_OK; i--) {
        const compact_known_thread thread = carry->threads.items[i - 1];
        if (lp_map_find(&keys, thread.key) != LP_MAP_NONE) {
            continue;
        }
        err = lp_map_put(&keys, thread.key, 0);
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
    return err;
}

// carry_on takes over what the carry-over before knows.
static lp_err
carry_on(const compact_carry *before, compact_carry *carry)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < before->threads.count && err == LP_OK; i++) {
        const compact_known_thread *thread = &before->threads.items[i];
        err = carry_thread(carry, thread->key, thread->identity);
    }
    carry->prune_at = before->prune_at;
    if (err == LP_OK && carry->threads.count > carry->prune_at) {
        err = prune(carry);
        carry->prune_at = carry->threads.count * 2;
    }
    return err;
}

lp_err
compact_threads_carry(const compact_view *view, const uint64_t *identities,
    const compact_carry *before, compact_carry *carry)
{
    lp_err err = before == NULL ? LP_OK : carry_on(before, carry);
    for (size_t i = 0; i < view->threads.count && err == LP_OK; i++) {
        uint64_t key = view->threads.items[i].key;
        if (is_known(identities[i]) && compact_threads_find(view, key) == i) { // no second constant
            err = carry_thread(carry, key, identities[i]);
        }
    }
    if (carry->prune_at < THREADS_PRUNED_MIN) {
        carry->prune_at = THREADS_PRUNED_MIN;
    }
    return err;
}
