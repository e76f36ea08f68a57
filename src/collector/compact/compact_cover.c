// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_cover.h"

typedef struct compact_cover_stretch stretch;

lp_err
compact_cover_add(compact_cover *cover, uint32_t thread, int64_t begin, int64_t end)
{
    if (end < begin) {
        return LP_OK;
    }
    if (!LP_VEC_ROOM(&cover->stretches)) {
        return LP_ENOMEM;
    }
    cover->stretches.items[cover->stretches.count++] =
        (stretch){.begin = begin, .end = end, .thread = thread};
    return LP_OK;
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

void
compact_cover_join(compact_cover *cover)
{
    stretch *items = cover->stretches.items;
    if (cover->stretches.count == 0) {
        return;
    }
    qsort(items, cover->stretches.count, sizeof(*items), compare_stretches);
    size_t count = 1;
    for (size_t i = 1; i < cover->stretches.count; i++) {
        stretch *last = &items[count - 1];
        if (last->thread != items[i].thread || items[i].begin > last->end) {
            items[count++] = items[i];
        } else if (items[i].end > last->end) {
            last->end = items[i].end;
        }
    }
    cover->stretches.count = count;
}

bool
compact_cover_has(const compact_cover *cover, uint32_t thread, int64_t ticks)
{
    size_t low = 0;
    size_t high = cover->stretches.count;
    while (low < high) { // the first stretch that begins after (thread, ticks)
        size_t middle = low + (high - low) / 2;
        const stretch *s = &cover->stretches.items[middle];
        if (s->thread < thread || (s->thread == thread && s->begin <= ticks)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && cover->stretches.items[low - 1].thread == thread &&
           cover->stretches.items[low - 1].end >= ticks;
}

void
compact_cover_fini(compact_cover *cover)
{
    LP_VEC_FINI(&cover->stretches);
}
