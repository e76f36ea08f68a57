// SPDX-License-Identifier: Apache-2.0
// span_cover: the times at which each thread had any context, for select=if-context.
//
// Threads: one thread at a time until compact_span_cover_join; then any thread may call
//          compact_span_cover_has.
// Tests:   tests/unit/engine/decide/test_decide.c, tests/prop/test_compact_prop.c
// Memory:  64 bytes for each context until it is joined, then 16 for each disjoint stretch.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_vec.h"
#include "engine/contexts/order.h"

#include <stdbool.h>
#include <stdint.h>

// A time during which the thread always had a context. It includes both ends.
typedef struct compact_stretch {
    int64_t begin;
    int64_t end;
} compact_stretch;

typedef struct compact_span_cover {
    lp_arena *arena;             // owns stretches and ends; fails if memory runs out
    LP_VEC(compact_entry) added; // compact_entry.index is the thread
    size_t thread_count;
    compact_stretch *stretches; // by thread; disjoint within a thread, the last one first
    size_t *ends;               // by thread: where its stretches end
} compact_span_cover;

// compact_span_cover_init makes *cover empty.
// Owns: the caller ends *cover with compact_span_cover_fini before the arena.
void compact_span_cover_init(compact_span_cover *cover, lp_arena *arena);

// compact_span_cover_add adds a context of a thread (a number that the caller chooses). A context
// that ends before it begins covers nothing.
void compact_span_cover_add(compact_span_cover *cover, uint32_t thread, int64_t begin, int64_t end);

// compact_span_cover_join joins the contexts to stretches. Call it once, before
// compact_span_cover_has. All threads are below thread_count.
// Cost: linear if the contexts of each thread were added in the order of their ends
void compact_span_cover_join(compact_span_cover *cover, size_t thread_count);

// compact_span_cover_has returns whether the thread had a context at ticks.
bool compact_span_cover_has(const compact_span_cover *cover, uint32_t thread, int64_t ticks);

void compact_span_cover_fini(compact_span_cover *cover);
