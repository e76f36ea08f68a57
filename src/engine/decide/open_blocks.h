// SPDX-License-Identifier: Apache-2.0
// open_blocks: the blocks of a view in which contextual events may have been left to be decided.
//
// Reading a chunk decides a contextual event by the events of its thread that came before it. What
// it cannot know is what comes later, or from another chunk; but that is little, and most blocks
// have no event in which any of it may lie. These are not looked at again.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_open_blocks.c, tests/prop/test_compact_prop.c
// Memory:  16 bytes for each stray, and one for each block.

#ifndef LP_ENGINE_DECIDE_OPEN_BLOCKS_H
#define LP_ENGINE_DECIDE_OPEN_BLOCKS_H

#include "common/base/lp_arena.h"
#include "engine/read/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_open_blocks {
    const compact_view *view;
    compact_stray *strays; // of view, by commit
    size_t stray_count;
    int64_t begin_max;          // contextual events that begin up to here are open
    int64_t commit_min;         // and those that end from here on
    compact_thread_set threads; // all of theirs are open
    compact_thread_set kept;    // of compact_open_blocks_keep, and the last commit
    int64_t kept_max;
    bool has_all;  // all blocks are open
    bool *is_open; // by block: what compact_open_blocks_ask returned
} compact_open_blocks;

// compact_open_blocks_init has the blocks open of which reading the view knows it; the caller adds
// to begin_max and the following. view is borrowed. Where memory runs out, arena fails.
void compact_open_blocks_init(compact_open_blocks *open, const compact_view *view, lp_arena *arena);

// compact_open_blocks_keep notes a contextual event of which reading the view did not know that it
// is kept: later ones of its thread in which it ends are open.
static inline void
compact_open_blocks_keep(compact_open_blocks *open, const compact_span *span)
{
    compact_thread_set_add(&open->kept, span->thread);
    open->kept_max = span->commit > open->kept_max ? span->commit : open->kept_max;
}

// compact_open_blocks_ask returns whether a block is open, and remembers it.
bool compact_open_blocks_ask(compact_open_blocks *open, size_t index);

#endif // LP_ENGINE_DECIDE_OPEN_BLOCKS_H
