// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/span_cover.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_prefix_sum.h"

void
compact_span_cover_init(compact_span_cover *cover, lp_arena *arena)
{
    LP_ASSERT(arena != NULL);
    *cover = (compact_span_cover){.arena = arena};
}

void
compact_span_cover_add(compact_span_cover *cover, uint32_t thread, int64_t begin, int64_t end)
{
    if (end < begin) {
        return;
    }
    const compact_entry entry = {
        .commit = end,
        .begin = begin,
        .index = thread,
        .kind = COMPACT_ENTRY_EVENT,
    };
    LP_ARENA_PUSH_BESIDE(cover->arena, &cover->added, entry);
}

// join_thread joins the entries of a thread, from the last to end back to the first, and appends
// its stretches. Once an entry ends before a stretch begins, no further entry reaches into the
// stretch. Returns the end of the stretches.
static size_t
join_thread(const compact_entry *entries, size_t count, compact_stretch *stretches, size_t to)
{
    size_t first = to;
    for (size_t i = count; i > 0; i--) {
        const compact_entry *entry = &entries[i - 1];
        compact_stretch *last = to == first ? NULL : &stretches[to - 1];
        if (last == NULL || entry->commit < last->begin) {
            stretches[to++] = (compact_stretch){entry->begin, entry->commit};
        } else if (entry->begin < last->begin) {
            last->begin = entry->begin;
        }
    }
    return to;
}

void
compact_span_cover_join(compact_span_cover *cover, size_t thread_count)
{
    LP_ASSERT(cover->arena != NULL && cover->ends == NULL); // once
    size_t count = cover->added.count;
    cover->thread_count = thread_count;
    cover->ends = LP_ARENA_ARRAY(cover->arena, size_t, thread_count);
    cover->stretches =
        lp_arena_alloc(cover->arena, count * sizeof(*cover->stretches), alignof(compact_stretch));
    compact_entry *grouped = lp_large_alloc((count + 1) * sizeof(*grouped));
    if (cover->stretches == NULL || grouped == NULL) { // the arena is sticky: ends is there, then
        lp_arena_fail(cover->arena);
        lp_large_free(grouped);
        return;
    }
    LP_GROUP(cover->added.items, count, at->index, cover->ends, thread_count, grouped);
    size_t begin = 0;
    size_t to = 0;
    for (size_t i = 0; i < thread_count; i++) {
        size_t end = cover->ends[i];
        compact_order_sort(grouped + begin, end - begin, cover->added.items); // as spare room
        to = join_thread(grouped + begin, end - begin, cover->stretches, to);
        cover->ends[i] = to;
        begin = end;
    }
    lp_large_free(grouped);
    LP_VEC_FINI(&cover->added);
}

bool
compact_span_cover_has(const compact_span_cover *cover, uint32_t thread, int64_t ticks)
{
    size_t begin = thread == 0 ? 0 : cover->ends[thread - 1];
    size_t end = cover->ends[thread];
    size_t latest = LP_BISECT(cover->stretches, begin, end, at->begin > ticks);
    return latest < end && cover->stretches[latest].end >= ticks;
}

void
compact_span_cover_fini(compact_span_cover *cover)
{
    LP_VEC_FINI(&cover->added);
    *cover = (compact_span_cover){0};
}
