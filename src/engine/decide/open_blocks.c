// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/open_blocks.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_sort.h"

#include <string.h>

LP_SORT_BY(sort_strays, compact_stray, x->commit < y->commit)

void
compact_open_blocks_init(compact_open_blocks *open, const compact_view *view, lp_arena *arena)
{
    size_t count = view->strays.count;
    *open = (compact_open_blocks){
        .view = view,
        .strays = LP_ARENA_ARRAY(arena, compact_stray, count),
        .begin_max = INT64_MIN,
        .commit_min = INT64_MAX,
        .kept_max = INT64_MIN,
        .is_open = LP_ARENA_ARRAY(arena, bool, view->blocks.count),
    };
    compact_stray *spare = LP_ARENA_ARRAY(arena, compact_stray, count / 2);
    if (spare != NULL && count > 0) { // the arena is sticky: strays are there, then
        memcpy(open->strays, view->strays.items, count * sizeof(*open->strays));
        sort_strays(open->strays, count, spare);
        open->stray_count = count;
    }
}

static void
open_blocks_check(const compact_open_blocks *open)
{
    LP_ASSERT(open->view != NULL && open->stray_count <= open->view->strays.count);
}

// has_stray returns whether a stray may lie in a contextual event of a block.
static bool
has_stray(const compact_open_blocks *open, const compact_block *block)
{
    size_t low = LP_BISECT(open->strays, 0, open->stray_count, at->commit < block->span_begin_min);
    for (; low < open->stray_count && open->strays[low].commit <= block->span_commit_max; low++) {
        if (compact_thread_set_has(&block->threads, open->strays[low].thread)) {
            return true;
        }
    }
    return false;
}

bool
compact_open_blocks_ask(compact_open_blocks *open, size_t index)
{
    open_blocks_check(open);
    LP_DEBUG_ASSERT(index < open->view->blocks.count);
    const compact_block *block = &open->view->blocks.items[index];
    bool has_kept = compact_thread_set_meets(&block->threads, &open->kept) &&
                    block->span_begin_min <= open->kept_max;
    open->is_open[index] = open->has_all || block->is_open || has_kept ||
                           compact_thread_set_meets(&block->threads, &open->threads) ||
                           block->span_begin_min <= open->begin_max ||
                           block->span_commit_max >= open->commit_min || has_stray(open, block);
    return open->is_open[index];
}
