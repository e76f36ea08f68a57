// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/weights.h"

#include "common/base/lp_assert.h"
#include "engine/sample/sampler.h"

#include <string.h>

enum { USUAL_EVENTS = 256 }; // usual_bytes averages over so many; older ones count for less

void
compact_weights_fini(compact_weights *weights)
{
    LP_VEC_FINI(&weights->items);
    lp_map_fini(&weights->by_thread);
}

// sum returns the sum of two numbers up to INT64_MAX, INT64_MAX at most: weights are signed.
static uint64_t
sum(uint64_t a, uint64_t b)
{
    return a + b > INT64_MAX ? INT64_MAX : a + b;
}

static int
compare_turns(const void *a, const void *b)
{
    const compact_pending *x = a;
    const compact_pending *y = b;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

// forget sorts items by turn and removes the first count of them, whose bytes go to the rest.
static lp_err
forget(compact_weights *weights, size_t count)
{
    if (weights->items.count == 0) {
        return LP_OK;
    }
    compact_pending *items = weights->items.items;
    qsort(items, weights->items.count, sizeof(*items), compare_turns);
    for (size_t i = 0; i < count; i++) {
        weights->rest = sum(weights->rest, items[i].bytes);
    }
    weights->items.count -= count;
    memmove(items, items + count, weights->items.count * sizeof(*items));
    lp_map_fini(&weights->by_thread);
    lp_err err = LP_OK;
    for (size_t i = 0; i < weights->items.count && err == LP_OK; i++) {
        err = lp_map_put(&weights->by_thread, items[i].thread, (uint32_t)i);
    }
    return err;
}

// push adds a thread that is not there yet; there is room below COMPACT_WEIGHTS_THREADS_MAX.
static lp_err
push(compact_weights *weights, uint64_t thread, uint64_t bytes)
{
    compact_pending *item = LP_VEC_PUSH(&weights->items);
    if (item == NULL) {
        return LP_ENOMEM;
    }
    *item = (compact_pending){.thread = thread, .bytes = bytes, .turn = weights->turn++};
    return lp_map_put(&weights->by_thread, thread, (uint32_t)weights->items.count - 1);
}

uint64_t
compact_weights_size(const compact_weights *weights, uint64_t bytes)
{
    if (weights->usual_bytes == 0) {
        return COMPACT_SAMPLER_USUAL_SIZE;
    }
    unsigned __int128 size =
        (unsigned __int128)bytes * COMPACT_SAMPLER_USUAL_SIZE / weights->usual_bytes;
    return size < UINT64_MAX ? (uint64_t)size : UINT64_MAX;
}

// learn moves the average by a part of its distance from bytes.
static void
learn(compact_weights *weights, uint64_t bytes)
{
    uint64_t usual = weights->usual_bytes == 0 ? bytes : weights->usual_bytes;
    weights->usual_bytes = bytes >= usual ? usual + (bytes - usual) / USUAL_EVENTS
                                          : usual - (usual - bytes) / USUAL_EVENTS;
}

lp_err
compact_weights_add(compact_weights *weights, uint64_t thread, uint64_t bytes)
{
    learn(weights, bytes);
    if (thread == COMPACT_WEIGHTS_NO_THREAD) {
        weights->rest = sum(weights->rest, bytes);
        return LP_OK;
    }
    uint32_t index = lp_map_find(&weights->by_thread, thread);
    if (index != LP_MAP_NONE) {
        compact_pending *item = &weights->items.items[index];
        item->bytes = sum(item->bytes, bytes);
        item->turn = weights->turn++;
        return LP_OK;
    }
    lp_err err = weights->items.count == COMPACT_WEIGHTS_THREADS_MAX
                     ? forget(weights, COMPACT_WEIGHTS_THREADS_MAX / 2)
                     : LP_OK;
    return err == LP_OK ? push(weights, thread, bytes) : err;
}

uint64_t
compact_weights_take(compact_weights *weights, uint64_t thread)
{
    uint64_t taken = weights->rest;
    weights->rest = 0;
    uint32_t index = lp_map_find(&weights->by_thread, thread);
    if (index != LP_MAP_NONE) {
        taken = sum(taken, weights->items.items[index].bytes);
        weights->items.items[index].bytes = 0;
    }
    return taken;
}

lp_err
compact_weights_settle(compact_weights *weights)
{
    return forget(weights, 0);
}

lp_err
compact_weights_restore(compact_weights *weights, uint64_t thread, uint64_t bytes)
{
    bool is_good = thread != COMPACT_WEIGHTS_NO_THREAD && bytes <= INT64_MAX &&
                   weights->items.count < COMPACT_WEIGHTS_THREADS_MAX &&
                   lp_map_find(&weights->by_thread, thread) == LP_MAP_NONE;
    return is_good ? push(weights, thread, bytes) : LP_ECORRUPT;
}

lp_err
compact_weights_copy(const compact_weights *weights, compact_weights *out)
{
    LP_ASSERT(out->items.count == 0);
    out->rest = weights->rest;
    out->usual_bytes = weights->usual_bytes;
    lp_err err = LP_OK;
    for (size_t i = 0; i < weights->items.count && err == LP_OK; i++) {
        err = push(out, weights->items.items[i].thread, weights->items.items[i].bytes);
    }
    return err;
}
