// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/owners.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_find.h"
#include "common/base/lp_order.h"
#include "query/chunk/sources.h"

#include <stdlib.h>

void
query_owners_fini(query_owners *owners)
{
    LP_VEC_FINI(&owners->waits);
    LP_VEC_FINI(&owners->items);
    LP_VEC_FINI(&owners->by_thread);
    LP_VEC_FINI(&owners->by_monitor);
}

static void
owners_check(const query_owners *owners)
{
    LP_ASSERT(owners->waits.count <= QUERY_OWNER_WAITS_MAX);
    LP_ASSERT(owners->items.count <= QUERY_OWNERS_MAX);
    LP_ASSERT(owners->by_thread.count <= owners->waits.count);
}

lp_err
query_owners_add(query_owners *owners, const query_monitor_wait *wait)
{
    owners_check(owners);
    LP_ASSERT(owners->by_thread.count == 0); // not finished
    if (owners->waits.count == QUERY_OWNER_WAITS_MAX) {
        owners->is_truncated = true;
        return LP_OK;
    }
    return LP_VEC_ADD(&owners->waits, *wait);
}

// --- Order

static int
compare_by_thread(const void *a, const void *b, void *arg)
{
    const query_monitor_wait *waits = arg;
    const struct query_owner_stretch *one = a;
    const struct query_owner_stretch *other = b;
    return LP_ORDER(waits[one->wait].thread, waits[other->wait].thread)
               ?: LP_ORDER(one->begin, other->begin)
               ?: LP_ORDER(one->wait, other->wait);
}

static int
compare_by_monitor(const void *a, const void *b, void *arg)
{
    const query_monitor_wait *waits = arg;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    return LP_ORDER(waits[one].monitor, waits[other].monitor)
               ?: LP_ORDER(waits[one].end, waits[other].end)
               ?: LP_ORDER(one, other);
}

// part cuts each thread's waits where an earlier one already counts.
static void
part(query_owners *owners)
{
    size_t count = 0;
    int64_t end = 0; // of the previous wait
    for (size_t i = 0; i < owners->by_thread.count; i++) {
        struct query_owner_stretch stretch = owners->by_thread.items[i];
        const query_monitor_wait *wait = &owners->waits.items[stretch.wait];
        bool is_first =
            count == 0 ||
            owners->waits.items[owners->by_thread.items[count - 1].wait].thread != wait->thread;
        stretch.begin = !is_first && end > stretch.begin ? end : stretch.begin;
        if (stretch.begin < wait->end) {
            end = wait->end;
            owners->by_thread.items[count++] = stretch;
        }
    }
    owners->by_thread.count = count;
}

lp_err
query_owners_finish(query_owners *owners)
{
    owners_check(owners);
    LP_ASSERT(owners->by_thread.count == 0);
    size_t count = owners->waits.count;
    if (!LP_VEC_RESERVE(&owners->by_thread, count + 1) ||
        !LP_VEC_RESERVE(&owners->by_monitor, count + 1)) {
        return LP_ENOMEM;
    }
    for (uint32_t i = 0; i < count; i++) {
        owners->by_thread.items[i] = (struct query_owner_stretch){owners->waits.items[i].begin, i};
        owners->by_monitor.items[i] = i;
    }
    owners->by_thread.count = owners->by_monitor.count = count;
    qsort_r(owners->by_thread.items, count, sizeof(struct query_owner_stretch), compare_by_thread,
        owners->waits.items);
    qsort_r(
        owners->by_monitor.items, count, sizeof(uint32_t), compare_by_monitor, owners->waits.items);
    part(owners);
    return LP_OK;
}

// find_stretch returns the index of a thread's first stretch that ends after a time, or of the next
// thread's first one.
static size_t
find_stretch(const query_owners *owners, uint64_t thread, int64_t ticks)
{
    const query_monitor_wait *waits = owners->waits.items;
    return LP_BISECT(owners->by_thread.items, 0, owners->by_thread.count,
        waits[at->wait].thread < thread ||
            (waits[at->wait].thread == thread && waits[at->wait].end <= ticks));
}

// find_next does so for the waits for a monitor, in by_monitor.
static size_t
find_next(const query_owners *owners, uint64_t monitor, int64_t ticks)
{
    const query_monitor_wait *waits = owners->waits.items;
    return LP_BISECT(owners->by_monitor.items, 0, owners->by_monitor.count,
        waits[*at].monitor < monitor || (waits[*at].monitor == monitor && waits[*at].end <= ticks));
}

// --- Chains

// The threads that wait for each other, from the thread in question on.
typedef struct chain {
    uint64_t threads[QUERY_OWNERS_DEPTH];
    uint32_t owners[QUERY_OWNERS_DEPTH]; // their items; unset for the first
    size_t count;
} chain;

static bool
has_thread(const chain *c, uint64_t thread)
{
    return LP_FIND(c->threads, c->count, *at == thread) != NULL;
}

// find_owner finds or adds an item. *out_index is QUERY_NO_OWNER if there is no room for it.
static lp_err
find_owner(query_owners *owners, uint32_t parent, const query_monitor_wait *wait, uint64_t thread,
    uint32_t *out_index)
{
    const query_owner *known = LP_FIND(owners->items.items, owners->items.count,
        at->parent == parent && at->thread == thread && at->class_name == wait->class_name);
    if (known != NULL) {
        *out_index = (uint32_t)(known - owners->items.items);
        return LP_OK;
    }
    *out_index = QUERY_NO_OWNER;
    owners_check(owners);
    if (owners->items.count == QUERY_OWNERS_MAX) {
        owners->is_truncated = true;
        return LP_OK;
    }
    const query_owner added = {.parent = parent,
        .class_name = wait->class_name,
        .thread = thread,
        .begin = INT64_MAX,
        .end = INT64_MIN,
        .last_wait = QUERY_NO_OWNER};
    LP_TRY(LP_VEC_ADD(&owners->items, added));
    *out_index = (uint32_t)owners->items.count - 1;
    return LP_OK;
}

static lp_err explain(query_owners *owners, chain *c, int64_t begin, int64_t end);

// add_piece adds a time in which the last thread of a chain waited and another one held the
// monitor.
static lp_err
add_piece(
    query_owners *owners, chain *c, uint32_t wait, uint64_t thread, int64_t begin, int64_t end)
{
    if (thread == 0 || has_thread(c, thread)) {
        return LP_OK;
    }
    LP_ASSERT(c->count > 0);
    uint32_t index;
    uint32_t parent = c->count == 1 ? QUERY_NO_OWNER : c->owners[c->count - 1];
    lp_err err = find_owner(owners, parent, &owners->waits.items[wait], thread, &index);
    if (err != LP_OK || index == QUERY_NO_OWNER) {
        return err;
    }
    LP_ASSERT(index < owners->items.count);
    query_owner *item = &owners->items.items[index];
    item->had = (int64_t)((uint64_t)item->had + ((uint64_t)end - (uint64_t)begin));
    item->waits += item->last_wait != wait;
    item->last_wait = wait;
    item->begin = begin < item->begin ? begin : item->begin;
    item->end = end > item->end ? end : item->end;
    if (c->count == QUERY_OWNERS_DEPTH) {
        return LP_OK;
    }
    c->threads[c->count] = thread;
    c->owners[c->count++] = index;
    err = explain(owners, c, begin, end);
    c->count--;
    return err;
}

// split divides a part of a wait among the owners of its monitor.
static lp_err
split(query_owners *owners, chain *c, uint32_t wait, int64_t begin, int64_t end)
{
    lp_err err = LP_OK;
    size_t next = find_next(owners, owners->waits.items[wait].monitor, begin);
    while (
        begin < end && err == LP_OK) { // ends: this wait is in by_monitor, and ends at end or later
        LP_ASSERT(next < owners->by_monitor.count);
        const query_monitor_wait *got = &owners->waits.items[owners->by_monitor.items[next++]];
        int64_t until = got->end < end ? got->end : end;
        err = query_check_at_event(owners->is_cancelled, ++owners->pieces);
        if (until > begin && err == LP_OK) {
            err = add_piece(owners, c, wait, got->owner, begin, until);
            begin = until;
        }
    }
    return err;
}

// explain finds for whom the last thread of a chain waited in [begin, end). QUERY_OWNERS_DEPTH
// bounds the recursion.
static lp_err
explain(query_owners *owners, chain *c, int64_t begin, int64_t end)
{
    LP_ASSERT(c->count > 0 && c->count <= QUERY_OWNERS_DEPTH);
    uint64_t thread = c->threads[c->count - 1];
    lp_err err = LP_OK;
    for (size_t i = find_stretch(owners, thread, begin);
         i < owners->by_thread.count && err == LP_OK; i++) {
        struct query_owner_stretch stretch = owners->by_thread.items[i];
        const query_monitor_wait *wait = &owners->waits.items[stretch.wait];
        if (wait->thread != thread || stretch.begin >= end) {
            break;
        }
        err = split(owners, c, stretch.wait, stretch.begin > begin ? stretch.begin : begin,
            wait->end < end ? wait->end : end);
    }
    return err;
}

lp_err
query_owners_explain(query_owners *owners, uint64_t thread, int64_t begin, int64_t end,
    const atomic_bool *is_cancelled)
{
    owners_check(owners);
    LP_ASSERT(owners->by_monitor.count == owners->waits.count); // finished
    chain c = {.threads = {thread}, .count = 1};
    owners->is_cancelled = is_cancelled;
    return explain(owners, &c, begin, end);
}
