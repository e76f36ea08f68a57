// SPDX-License-Identifier: Apache-2.0
// rows: the tables of a view (view.h), with a row for each event of a chunk that may be kept. An
// event is kept at once if it is kept when it is read.
//
// Threads: one thread at a time while the view is opened and written; in between, any thread may
//          read it.
// Tests:   tests/unit/engine/decide/test_decide.c, tests/fuzz/fuzz_events.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_pool.h"
#include "engine/damage.h"
#include "engine/read/schema.h"
#include "engine/reason.h"

#include <stdbool.h>
#include <stdint.h>

enum { COMPACT_NO_THREAD = (1 << 29) - 1 };

typedef enum compact_fate {
    COMPACT_UNDECIDED,       // dropped, once everything is decided
    COMPACT_KEPT,            // regardless of contexts; the constants of a plain event are marked
    COMPACT_KEPT_BY_CONTEXT, // by its contexts, or by an event inside it
    COMPACT_DROPPED,         // of contextual events: not kept, but a context to others
} compact_fate;

// An event that is no context, or a sample made of one.
typedef struct compact_plain {
    int64_t commit;         // ticks
    uint32_t offset;        // of the event in the chunk
    uint32_t thread : 29;   // index of threads, or COMPACT_NO_THREAD
    uint32_t is_sample : 1; // a sample of type sample_type, made of an event that fits its type
    uint32_t fate : 2;      // compact_fate
} compact_plain;

// A contextual event.
typedef struct compact_span {
    int64_t begin;  // ticks; commit if it has no duration
    int64_t commit; // ticks
    uint32_t offset;
    uint32_t thread : 29;
    uint32_t is_marked : 1; // kept, with its constants marked
    uint32_t fate : 2;
} compact_span;

// A set of threads. compact_thread_set_has may also return true for threads that were not added.
typedef struct compact_thread_set {
    uint64_t bits[4];
} compact_thread_set;

static inline void
compact_thread_set_add(compact_thread_set *set, uint32_t thread)
{
    set->bits[thread >> 6 & 3] |= (uint64_t)1 << (thread & 63);
}

static inline bool
compact_thread_set_has(const compact_thread_set *set, uint32_t thread)
{
    return (set->bits[thread >> 6 & 3] >> (thread & 63) & 1) != 0;
}

static inline bool
compact_thread_set_meets(const compact_thread_set *a, const compact_thread_set *b)
{
    return ((a->bits[0] & b->bits[0]) | (a->bits[1] & b->bits[1]) | (a->bits[2] & b->bits[2]) |
               (a->bits[3] & b->bits[3])) != 0;
}

enum { COMPACT_BLOCK_ROWS = 128 };

// COMPACT_BLOCK_ROWS consecutive rows; fewer in the last block.
typedef struct compact_block {
    size_t plain_begin; // its rows end where the next block begins
    size_t span_begin;
    size_t sure_begin;          // in view->sure
    int64_t commit_min;         // INT64_MAX if the block is empty
    int64_t span_begin_min;     // INT64_MAX if it has no spans
    int64_t span_commit_max;    // INT64_MIN if it has no spans
    compact_thread_set threads; // of its spans
    // Reading it did not show whether a span contains a kept event, or crosses another span.
    bool is_open;
} compact_block;

// An event that comes after a contextual event of its thread in the chunk, and may lie inside it.
typedef struct compact_stray {
    int64_t commit;
    uint32_t thread;
} compact_stray;

static inline bool
compact_span_is_kept(const compact_span *span)
{
    return span->fate == COMPACT_KEPT || span->fate == COMPACT_KEPT_BY_CONTEXT;
}

// A thread of the chunk. First come the threads of the pool of java.lang.Thread, in its order; then
// the threads that events refer to without a constant.
typedef struct compact_thread {
    uint64_t key;
    uint64_t identity;    // the same in all chunks of a session
    int64_t last_plain;   // last commit of its plain events kept at once, or INT64_MIN
    int64_t last_span;    // last commit of its contextual events, or INT64_MIN
    int64_t last_kept;    // last commit of its contextual events kept at once, or INT64_MIN
    uint32_t plain_count; // its plain events kept at once
    bool has_spans;       // it has contextual events
    // An undecided contextual event may contain a plain one, because the thread's events do not
    // come in the order of their ends.
    bool is_unsure;
    bool may_cross; // a contextual event kept at once may end in an undecided one
} compact_thread;

typedef struct compact_amount {
    uint64_t events;
    uint64_t bytes;
} compact_amount;

// The bytes that a kept sample stands for.
typedef struct compact_weight {
    uint64_t bytes;
    uint32_t row; // index of plain
} compact_weight;

// A marked constant (marks.h).
typedef struct compact_marked {
    uint64_t key;
    uint32_t type_number; // its type + 1; 0: none
} compact_marked;

// The decision of context-throttle about the offered contextual events: those whose type has the
// setting, and that pass context-threshold and context-match.
typedef struct compact_chosen {
    const uint64_t *bits; // by number, in the order of the chunk
    size_t count;         // of offered events
} compact_chosen;

typedef struct compact_sums compact_sums; // context_sums.h

typedef struct compact_view {
    lp_arena arena; // of all but the long tables
    lp_slice chunk;
    jfr_chunk_info info;
    bool is_filtered; // no plain event is decided before its contexts are known
    // Borrowed; NULL: not chosen yet. Offered events that are not chosen get no row.
    const compact_chosen *chosen;
    compact_sums *sums;     // counts contexts, or NULL
    bool has_undecided;     // plain events
    bool makes_samples;     // it has allocation events and no samples (schema.h)
    compact_schema *schema; // held
    jfr_pools pools;
    LP_VEC(compact_plain) plain;  // in the order of the chunk
    LP_VEC(compact_span) spans;   // in the order of the chunk; until the view is decided
    LP_VEC(compact_block) blocks; // of plain and spans
    LP_VEC(uint32_t) sure;        // indexes of spans kept at once
    LP_VEC(compact_stray) strays;
    LP_VEC(compact_span) installed; // RecordingContexts on threads, if filters read them
    // The kept spans, once the view is decided. Writing drops spans that do not fit their type.
    LP_VEC(compact_span) kept_spans;
    LP_VEC(compact_weight) weights; // of kept samples, by row, once the view is decided
    LP_VEC(compact_thread) threads;
    lp_map undescribed;             // thread keys without a constant to indexes of threads
    compact_amount *amounts;        // by type: events of the chunk, and samples made of them
    compact_dropped *dropped;       // by type: dropped events by reason, except select
    compact_amount *marked_amounts; // by type: events marked as kept
    compact_marked *marked;         // by hash: the constants marked last
    bool *keeps;                    // by type: an event is kept, or a kept event names it
    int64_t begin_min;              // over all events and the chunk's start
    int64_t commit_max;             // over all events and the chunk's start
    uint64_t late_events;           // committed before the chunk began
    uint64_t unknown_events;        // of types that the metadata lacks
    compact_damage damage;
    // The header leads to all metadata events and checkpoints; set by compact_view_open_constants.
    bool is_chained;
} compact_view;

// compact_view_check asserts that view has a schema, and constants of its types.
static inline void
compact_view_check(const compact_view *view)
{
    LP_ASSERT(view->schema != NULL);
    LP_ASSERT(view->pools.layout == &view->schema->layout);
    LP_ASSERT(view->pools.pool_count == view->schema->metadata.types.count);
}

// compact_view_block_after returns the next block; after the last one, the ends of the tables.
static inline compact_block
compact_view_block_after(const compact_view *view, size_t index)
{
    LP_DEBUG_ASSERT(index < view->blocks.count);
    const compact_block end = {view->plain.count, view->spans.count, view->sure.count};
    return index + 1 < view->blocks.count ? view->blocks.items[index + 1] : end;
}

// compact_view_has_offers returns whether context-throttle has contextual events that it has not
// decided yet.
static inline bool
compact_view_has_offers(const compact_view *view)
{
    return view->schema->has_quotas && view->chosen == NULL;
}

// compact_view_decides returns whether a contextual event is kept as soon as one plain event inside
// it is kept.
static inline bool
compact_view_decides(const compact_view *view)
{
    return !view->schema->throttles_contexts && !view->schema->drops_requests &&
           !compact_view_has_offers(view);
}

// compact_view_fetch prefetches the event at offset, which may span two cache lines.
static inline void
compact_view_fetch(const compact_view *view, uint32_t offset)
{
    __builtin_prefetch(view->chunk.ptr + offset);
    __builtin_prefetch(view->chunk.ptr + offset + 48);
}

// The event of a row.
typedef struct compact_event {
    lp_slice bytes;
    uint32_t type; // index of types
    jfr_cursor payload;
} compact_event;

compact_event compact_view_event(const compact_view *view, uint32_t offset);

static inline jfr_cursor
compact_view_value(const compact_view *view, const jfr_constant *constant)
{
    const uint8_t *value = view->chunk.ptr + constant->offset;
    return (jfr_cursor){value, value + constant->size_bytes};
}

// compact_view_head reads the size and type id of the event of a row.
static inline __attribute__((always_inline)) jfr_event
compact_view_head(const compact_view *view, uint32_t offset)
{
    jfr_cursor cursor = {view->chunk.ptr + offset, view->chunk.ptr + view->chunk.len};
    jfr_event event;
    bool is_whole = jfr_event_next(&cursor, &event) == LP_OK;
    LP_ASSERT(is_whole); // it was when the row was made
    return event;
}

// compact_view_type_at is compact_view_event for many events of which only the type is needed.
static inline uint32_t
compact_view_type_at(const compact_view *view, uint32_t offset)
{
    uint64_t type_id = compact_view_head(view, offset).type_id;
    return jfr_metadata_find_type(&view->schema->metadata, type_id);
}

// compact_view_type returns the type of the event or sample of a row.
static inline uint32_t
compact_view_type(const compact_view *view, const compact_plain *row)
{
    return row->is_sample ? view->schema->sample_type : compact_view_event(view, row->offset).type;
}

// compact_view_fits returns whether the event at offset fits its type. Events that do not fit are
// not written.
bool compact_view_fits(const compact_view *view, uint32_t offset);
