// SPDX-License-Identifier: Apache-2.0
// shown_contexts: the contexts that events of a chunk may show, and their values. These are the
// contextual events of the chunk and of the next chunk, and contexts of the Loupe API. Each has a
// number, which is its index in intervals.
//
//   compact_shown_contexts_begin    once the chunk is decided, while the next chunk is open
//   compact_shown_contexts_list     when the chunk is written
//   compact_shown_contexts_render   for each context that an event shows
//   compact_shown_contexts_values   then
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_style.c, tests/unit/engine/show/test_shown_values.c,
//          tests/prop/test_style_prop.c
// Memory:  some 60 bytes for each context, and the values of the shown ones.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "engine/carry/identities.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/read/kinds.h"
#include "engine/show/columns.h"
#include "engine/show/constants.h"
#include "engine/show/context_stacks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of pools of values: one for each compact_column.values.
enum { COMPACT_SHOWN_CONTEXTS_POOLS = CTX_STRING + 1 };

typedef enum compact_shown_contexts_origin {
    COMPACT_SHOWN_CONTEXTS_SPAN,  // a contextual event of the chunk
    COMPACT_SHOWN_CONTEXTS_AHEAD, // a contextual event of the next chunk
    COMPACT_SHOWN_CONTEXTS_API,
} compact_shown_contexts_origin;

// Reads contextual events of a chunk as kinds and values. The values go into the target: the chunk
// of the events, or the chunk before it. The target cannot refer to constants that it lacks: in the
// values, strings are spelled out and references become null. References to classes, methods and
// threads that the target also has are kept: their keys are the same in all chunks of a JVM.
typedef struct compact_reader {
    const compact_view *view;
    const compact_view *target; // the chunk that gets the values
    const compact_kinds *kinds;
    uint32_t *known; // by type of view: TYPE_NEW, TYPE_IGNORED, or an index of types
    LP_VEC(struct compact_reader_type {
        uint32_t kind;
        compact_reading reading;
        // By attribute: the target's pool of references that are kept; JFR_NONE: they become null.
        uint32_t lasting[COMPACT_KIND_ATTRIBUTES_MAX];
    })
    types;
} compact_reader;

typedef struct compact_shown_contexts {
    lp_arena *arena;
    const uint64_t *identities; // parallel to view->threads
    const compact_contexts *contexts;
    const ctx_type *types; // of contexts
    size_t type_count;
    int64_t horizon; // end of the chunk's window
    lp_map threads;  // compact_identities_map
    compact_kinds kinds;
    compact_columns columns;
    uint32_t *api_kinds; // parallel to types
    LP_VEC(struct compact_shown_contexts_ahead {
        compact_stack_moments_context interval;
        size_t values; // offset into values
        uint32_t size_bytes;
    })
    ahead; // contextual events of the next chunk
    lp_buf values;
    // Set by compact_shown_contexts_list:
    const compact_view *view;
    const jfr_rewrite *rewrite;
    compact_reader reader;
    LP_VEC(compact_stack_moments_context) intervals; // their type is the kind
    LP_VEC(struct compact_shown_contexts_item {
        compact_shown_contexts_origin origin;
        uint32_t index;      // into kept_spans of view, into ahead, or into items of contexts
        bool is_rendered;    // the members below are set
        size_t values;       // offset into values
        uint32_t size_bytes; // of the values
    })
    items;                // parallel to intervals
    uint32_t *span_items; // by view->kept_spans: the index in items, or COMPACT_CONTEXT_STACKS_NONE
    // The values of attributes, by compact_column.values.
    compact_constants constants[COMPACT_SHOWN_CONTEXTS_POOLS];
    lp_buf scratch;
} compact_shown_contexts;

// compact_shown_contexts_begin lists the kinds and columns that events may show, and copies the
// contextual events of the next chunk that began before this chunk ended. The chunk is decided.
//
// Owns:   arena, frame->identities, frame->contexts and decided->types are borrowed until
//         compact_shown_contexts_fini.
// Errors: compact_shown_contexts_err; after an error call only compact_shown_contexts_fini
void compact_shown_contexts_begin(compact_shown_contexts *shown, lp_arena *arena,
    const compact_frame *frame, const compact_decided *decided);
void compact_shown_contexts_fini(compact_shown_contexts *shown);

// compact_shown_contexts_list makes intervals, items and span_items. The fates of view's rows are
// final. rewrite translates the values. view and rewrite are borrowed until
// compact_shown_contexts_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_shown_contexts_list(
    compact_shown_contexts *shown, compact_view *view, const jfr_rewrite *rewrite);

// compact_shown_contexts_thread returns the number by which intervals name a thread of view.
static inline uint32_t
compact_shown_contexts_thread(const compact_shown_contexts *shown, uint32_t thread)
{
    return lp_map_find(&shown->threads, shown->identities[thread]);
}

// compact_shown_contexts_render makes the values of a context, unless is_rendered. It marks in
// pools, which are view's, the constants that the values refer to. Errors:
// compact_shown_contexts_err
void compact_shown_contexts_render(
    compact_shown_contexts *shown, uint32_t context, jfr_pools *pools);

// compact_shown_contexts_err returns LP_ENOMEM if memory ran out in any function here.
LP_MUST_USE lp_err compact_shown_contexts_err(const compact_shown_contexts *shown);

// compact_shown_contexts_values returns the values of a rendered context, one for each column of
// its kind. They are valid until the next context is rendered.
static inline lp_slice
compact_shown_contexts_values(const compact_shown_contexts *shown, uint32_t context)
{
    const struct compact_shown_contexts_item *item = &shown->items.items[context];
    return (lp_slice){shown->values.ptr + item->values, item->size_bytes};
}
