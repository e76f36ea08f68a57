// SPDX-License-Identifier: Apache-2.0
// open_blocks: finds the blocks of a view whose contextual events may still be undecided.
//
// When a chunk is read, a contextual event is decided by the earlier events of its thread in the
// chunk. Later events, and events of other chunks, may lie in it and trigger it, too: a block is
// open only if one of its contextual events may contain such an event. Most blocks are not open.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_open_blocks.c, tests/prop/test_compact_prop.c
// Memory:  16 bytes for each stray, and one for each block.

#pragma once

#include "common/base/lp_arena.h"
#include "engine/read/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_open_blocks {
    const compact_view *view;
    compact_stray *strays; // of view, by commit
    size_t stray_count;
    int64_t begin_max;          // blocks with spans that begin up to here are open
    int64_t commit_min;         // blocks with spans that end from here on are open
    compact_thread_set threads; // blocks with spans of these threads are open
    compact_thread_set kept;    // threads of compact_open_blocks_keep
    int64_t kept_max;           // the last commit of compact_open_blocks_keep
    bool has_all;               // all blocks are open
    bool *is_open;              // by block: what compact_open_blocks_ask returned
} compact_open_blocks;

// compact_open_blocks_init opens the blocks that reading the view left open. The caller sets
// begin_max, commit_min, threads and has_all to open more. Borrows view. Errors: in arena
void compact_open_blocks_init(compact_open_blocks *open, const compact_view *view, lp_arena *arena);

// compact_open_blocks_keep notes a kept contextual event that reading the view left undecided. It
// opens blocks with later contextual events of the thread that began before this one ended.
static inline void
compact_open_blocks_keep(compact_open_blocks *open, const compact_span *span)
{
    compact_thread_set_add(&open->kept, span->thread);
    open->kept_max = span->commit > open->kept_max ? span->commit : open->kept_max;
}

// compact_open_blocks_ask returns whether a block is open, and stores it in is_open.
bool compact_open_blocks_ask(compact_open_blocks *open, size_t index);
