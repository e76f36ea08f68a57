// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request_unit.h"

#include <stdlib.h>
#include <string.h>

// A stretch of a thread in contexts of the type.
typedef struct stretch {
    uint64_t thread;
    int64_t begin;
    int64_t end;
} stretch;

typedef LP_VEC(stretch) stretches;

bool
compact_request_unit_is(const policy_name *unit, const char *type_name)
{
    policy_name name;
    policy_name_init(&name, type_name);
    return strcmp(name.spelled, unit->spelled) == 0;
}

static int
compare_stretches(const void *a, const void *b)
{
    const stretch *x = a;
    const stretch *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

// join joins stretches that overlap, which are in order.
static void
join(stretches *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const stretch *next = &all->items[i];
        stretch *last = count == 0 ? NULL : &all->items[count - 1];
        if (last != NULL && last->thread == next->thread && next->begin <= last->end) {
            last->end = next->end > last->end ? next->end : last->end;
        } else {
            all->items[count++] = *next;
        }
    }
    all->count = count;
}

// is_inside returns whether a part begins in one of the stretches.
static bool
is_inside(const stretches *all, const compact_request_part *part)
{
    size_t begin = 0;
    size_t end = all->count; // the last that begins up to the part lies before it
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        const stretch *item = &all->items[middle];
        bool is_up_to = item->thread < part->thread ||
                        (item->thread == part->thread && item->begin <= part->begin);
        begin = is_up_to ? middle + 1 : begin;
        end = is_up_to ? end : middle;
    }
    const stretch *found = begin == 0 ? NULL : &all->items[begin - 1];
    return found != NULL && found->thread == part->thread && part->begin <= found->end;
}

bool *
compact_request_unit_choose(
    const bool *are_units, compact_request_part *parts, size_t count, lp_arena *arena)
{
    stretches all = {0};
    bool *chosen = LP_ARENA_ARRAY(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (are_units[i]) {
            LP_ARENA_PUSH(arena, &all, (stretch){parts[i].thread, parts[i].begin, parts[i].end});
        }
    }
    if (arena->is_failed) {
        return NULL;
    }
    if (all.count > 0) {
        qsort(all.items, all.count, sizeof(*all.items), compare_stretches);
    }
    join(&all);
    for (size_t i = 0; i < count; i++) {
        chosen[i] = is_inside(&all, &parts[i]);
        parts[i].key = 0;
        parts[i].source = COMPACT_REQUEST_NESTED;
        parts[i].is_rooted = false;
    }
    return chosen;
}
