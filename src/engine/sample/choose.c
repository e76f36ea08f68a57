// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/choose.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

enum { WHOLE_BITS = 62 }; // of a chance of 1: the sum of two is a number of 64 bits

// A draw: chances are parts of `whole`. All items before the current one are decided except the
// held one, which has the chances of the items that lost against it.
typedef struct draw {
    compact_chance *chance;
    uint64_t whole;
    size_t held;
    uint64_t held_part;
} draw;

enum { NOBODY = -1 };

// meet adds the chance of the next item to that of the held one. Returns which of the two is
// chosen, or NOBODY.
static inline ptrdiff_t
meet(draw *d, size_t next, uint64_t part)
{
    uint64_t sum = d->held_part + part;
    if (sum < d->whole) {
        d->held = compact_chance_is(d->chance, part, sum) ? next : d->held;
        d->held_part = sum;
        return NOBODY;
    }
    bool is_held_chosen = compact_chance_is(d->chance, d->whole - part, 2 * d->whole - sum);
    size_t chosen = is_held_chosen ? d->held : next;
    d->held = is_held_chosen ? next : d->held;
    d->held_part = sum - d->whole;
    return (ptrdiff_t)chosen;
}

void
compact_choose_equal(compact_chance *chance, uint64_t room, size_t count, bool *is_chosen)
{
    LP_ASSERT(count <= COMPACT_CHOOSE_MAX);
    memset(is_chosen, room >= count, count);
    if (room >= count || room == 0) {
        return;
    }
    draw d = {.chance = chance, .whole = count, .held_part = room};
    for (size_t i = 1; i < count; i++) {
        ptrdiff_t chosen = meet(&d, i, room);
        if (chosen != NOBODY) {
            is_chosen[chosen] = true;
        }
    }
    LP_ASSERT(d.held_part == 0); // all chances sum to `room` wholes
}

// --- By bytes

// size_of returns the number that the chance of an item is proportional to. An allocation of no
// bytes has a chance, too.
static inline uint64_t
size_of(const compact_sized *item, int shift)
{
    uint64_t size = item->bytes >> shift;
    return size > 0 ? size : 1;
}

LP_COMPARE(compare_largest_first, uint64_t, LP_ORDER(*other, *one))

// The draw that remains once the sure items are chosen.
typedef struct rest {
    uint64_t room;
    wide size;         // of all that are not sure
    uint64_t sure_min; // items of at least this size are sure; UINT64_MAX: none is
} rest;

// find_sure finds the sure items. It reorders sizes, which has the size of each item.
static rest
find_sure(uint64_t room, uint64_t *sizes, size_t count)
{
    rest r = {.room = room, .sure_min = UINT64_MAX};
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        r.size += sizes[i];
        largest = sizes[i] > largest ? sizes[i] : largest;
    }
    if ((wide)largest * room < r.size) {
        return r;
    }
    qsort(sizes, count, sizeof(*sizes), compare_largest_first);
    for (size_t i = 0; r.room > 0 && (wide)sizes[i] * r.room >= r.size; i++) {
        r.sure_min = sizes[i];
        r.room--;
        r.size -= sizes[i];
    }
    return r;
}

// find_shift returns by how many bits to shorten sizes, so that their sum fits into a draw.
static int
find_shift(const compact_sized *items, size_t count)
{
    wide sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += size_of(&items[i], 0);
    }
    int shift = 0;
    while (sum >> shift >= (wide)1 << (WHOLE_BITS - 1)) { // one bit for sizes that become 1
        shift++;
    }
    return shift;
}

static void
draw_unsure(compact_chance *chance, const rest *r, compact_sized *items, size_t count, int shift)
{
    draw d = {.chance = chance, .whole = (uint64_t)r->size};
    for (size_t i = 0; i < count; i++) {
        uint64_t size = size_of(&items[i], shift);
        if (size >= r->sure_min) {
            continue;
        }
        ptrdiff_t chosen = meet(&d, i, size * r->room);
        if (chosen != NOBODY) {
            items[chosen].is_chosen = true;
        }
    }
    LP_ASSERT(d.held_part == 0);
}

// weigh divides the bytes of all items that are not sure among the chosen ones of them.
static void
weigh(const rest *r, compact_sized *items, size_t count, int shift)
{
    wide bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_sure = size_of(&items[i], shift) >= r->sure_min;
        bytes += is_sure ? 0 : items[i].bytes;
    }
    wide shared = 0;
    uint64_t sharers = 0;
    for (size_t i = 0; i < count; i++) {
        if (size_of(&items[i], shift) >= r->sure_min) {
            items[i].weight = items[i].bytes;
        } else if (items[i].is_chosen) {
            sharers++;
            wide until = bytes * sharers / r->room;
            items[i].weight = until - shared < INT64_MAX ? (uint64_t)(until - shared) : INT64_MAX;
            shared = until;
        }
    }
}

static void
choose_all(compact_sized *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        items[i].is_chosen = true;
        items[i].weight = items[i].bytes;
    }
}

void
compact_choose_sized(
    compact_chance *chance, uint64_t room, compact_sized *items, size_t count, uint64_t *spare)
{
    LP_ASSERT(count <= COMPACT_CHOOSE_MAX);
    if (room >= count) {
        choose_all(items, count);
        return;
    }
    int shift = find_shift(items, count);
    for (size_t i = 0; i < count; i++) {
        spare[i] = size_of(&items[i], shift);
    }
    rest r = find_sure(room, spare, count);
    for (size_t i = 0; i < count; i++) {
        items[i].is_chosen = size_of(&items[i], shift) >= r.sure_min;
        items[i].weight = 0;
    }
    if (r.room > 0) {
        draw_unsure(chance, &r, items, count, shift);
        weigh(&r, items, count, shift);
    }
}
