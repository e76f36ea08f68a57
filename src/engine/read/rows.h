// SPDX-License-Identifier: Apache-2.0
// rows: the tables of a view, with a row for each event of a chunk that may be kept (view.h opens
// it), and the event that a row names.
//
// Threads: one thread at a time while the view is opened and written; in between, any may read it.
// Tests:   tests/unit/engine/decide/test_decide.c, tests/fuzz/fuzz_events.c

#ifndef LP_ENGINE_READ_ROWS_H
#define LP_ENGINE_READ_ROWS_H

#include "common/base/lp_arena.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_pool.h"
#include "engine/damage.h"
#include "engine/read/schema.h"
#include "engine/reason.h"

#include <stdbool.h>
#include <stdint.h>

enum { COMPACT_NO_THREAD = (1 << 29) - 1 };

typedef enum compact_fate {
    COMPACT_UNDECIDED,       // after deciding: dropped
    COMPACT_KEPT,            // whatever its contexts are; a plain event's constants are marked
    COMPACT_KEPT_BY_CONTEXT, // since a context applies, or since something happened in it
    COMPACT_DROPPED,         // a contextual event that is not kept, but is a context to others
} compact_fate;

// An event that is no context, or a sample that is made of one.
typedef struct compact_plain {
    int64_t commit;         // ticks
    uint32_t offset;        // of the event in the chunk
    uint32_t thread : 29;   // indexes threads, or COMPACT_NO_THREAD
    uint32_t is_sample : 1; // its type is the schema's sample_type; the event fits its own
    uint32_t fate : 2;      // compact_fate
} compact_plain;

// A contextual event.
typedef struct compact_span {
    int64_t begin;  // ticks; the commit time where it has no duration
    int64_t commit; // ticks
    uint32_t offset;
    uint32_t thread : 29;
    uint32_t is_marked : 1; // it is kept, and its constants are marked
    uint32_t fate : 2;
} compact_span;

// Threads, of which some may be taken for others: it may have a thread that was not added.
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

// compact_thread_set_meets returns whether two sets may have a thread in common.
static inline bool
compact_thread_set_meets(const compact_thread_set *a, const compact_thread_set *b)
{
    return ((a->bits[0] & b->bits[0]) | (a->bits[1] & b->bits[1]) | (a->bits[2] & b->bits[2]) |
               (a->bits[3] & b->bits[3])) != 0;
}

enum { COMPACT_BLOCK_ROWS = 128 };

// COMPACT_BLOCK_ROWS rows that were made one after the other; in the last block fewer.
typedef struct compact_block {
    size_t plain_begin; // the rows end where those of the next block begin
    size_t span_begin;
    size_t sure_begin;          // of its items of view->sure
    int64_t commit_min;         // INT64_MAX if there are none
    int64_t span_begin_min;     // of begin in its spans; INT64_MAX if there are none
    int64_t span_commit_max;    // of commit in its spans; INT64_MIN if there are none
    compact_thread_set threads; // of its spans
    bool is_open; // what lies in a span of it, or ends in it, was not known when it was read
} compact_block;

// An event that came after a contextual event of its thread in which it may lie.
typedef struct compact_stray {
    int64_t commit;
    uint32_t thread;
} compact_stray;

static inline bool
compact_span_is_kept(const compact_span *span)
{
    return span->fate == COMPACT_KEPT || span->fate == COMPACT_KEPT_BY_CONTEXT;
}

// A thread as the chunk knows it. The threads in the pool of java.lang.Thread come first, at their
// places there, then the threads that events name and no constant describes.
typedef struct compact_thread {
    uint64_t key;
    uint64_t identity;    // the same in all chunks of a session
    int64_t last_plain;   // commit of the plain events on it that are kept at once; INT64_MIN: none
    int64_t last_span;    // commit of the contextual events on it; INT64_MIN: none
    int64_t last_kept;    // commit of those of these that are kept at once; INT64_MIN: none
    uint32_t plain_count; // plain events on it that are kept at once
    bool has_spans;       // there are contextual events on it
    bool is_unsure; // a plain event of it may lie in a contextual event that is undecided: they did
                    // not come in the order of their ends
    bool may_cross; // a contextual event that is kept at once may end in one that is undecided
} compact_thread;

// How many events of a type, and how many bytes they take.
typedef struct compact_amount {
    uint64_t events;
    uint64_t bytes;
} compact_amount;

// The bytes that a sample that is kept stands for.
typedef struct compact_weight {
    uint64_t bytes;
    uint32_t row; // indexes plain
} compact_weight;

// A constant that is marked (marks.h).
typedef struct compact_marked {
    uint64_t key;
    uint32_t type_number; // one more than its type; 0: none
} compact_marked;

// The contextual events of a chunk that context-throttle has chosen, of those that are offered to
// it: that are of a type with the setting and pass context-threshold and context-match.
typedef struct compact_chosen {
    const uint64_t *bits; // by number in the order of the chunk
    size_t count;         // of the offered
} compact_chosen;

typedef struct compact_sums compact_sums; // context_sums.h

typedef struct compact_view {
    lp_arena arena; // of all tables but the long ones: those of plain and contextual events
    lp_slice chunk;
    jfr_chunk_info info;
    bool is_filtered;             // no plain event is decided before its contexts are known
    const compact_chosen *chosen; // borrowed; others of the offered have no row. NULL: not known
    compact_sums *sums;           // where contexts are counted, or NULL
    bool has_undecided;           // plain events
    bool makes_samples;           // there are events of allocations, and no samples (alloc.h)
    compact_schema *schema;       // held
    jfr_pools pools;
    LP_VEC(compact_plain) plain;  // in the order of the chunk, like spans
    LP_VEC(compact_span) spans;   // until it is decided
    LP_VEC(compact_block) blocks; // of plain and spans
    LP_VEC(uint32_t) sure;        // index spans: those that are kept at once
    LP_VEC(compact_stray) strays;
    LP_VEC(compact_span) installed; // RecordingContexts on threads, where filters ask for them
    // Those of spans that are kept, once it is decided; once it is written, those that do not fit
    // their type are dropped.
    LP_VEC(compact_span) kept_spans;
    LP_VEC(compact_weight) weights; // of the samples that are kept, by row, once it is decided
    LP_VEC(compact_thread) threads;
    lp_map undescribed;       // thread keys without a constant, to an index of threads
    compact_amount *amounts;  // parallel to the types: events of the chunk, and samples of them
    compact_dropped *dropped; // parallel to the types: events by reason, without select
    compact_amount *marked_amounts; // parallel to the types: events that are marked as kept
    compact_marked *marked;         // by hash: the constants that were marked last
    bool *keeps;                    // parallel to the types: an event of it is kept, or names it
    int64_t begin_min;              // over all events; both are the chunk's start if there are none
    int64_t commit_max;
    uint64_t late_events;    // committed before the chunk began
    uint64_t unknown_events; // of types that the metadata does not describe
    compact_damage damage;
    // The header leads to all metadata events and checkpoints; view.h says who looks.
    bool is_chained;
} compact_view;

// compact_view_has_offers returns whether context-throttle has to choose among the contextual
// events.
static inline bool
compact_view_has_offers(const compact_view *view)
{
    return view->schema->has_quotas && view->chosen == NULL;
}

// compact_view_decides returns whether a contextual event in which a plain one was kept is kept,
// whatever others there are.
static inline bool
compact_view_decides(const compact_view *view)
{
    return !view->schema->throttles_contexts && !view->schema->drops_requests &&
           !compact_view_has_offers(view);
}

// compact_view_fetch prefetches the event at offset, which will be read soon. Many have a part in a
// second line of the cache.
static inline void
compact_view_fetch(const compact_view *view, uint32_t offset)
{
    __builtin_prefetch(view->chunk.ptr + offset);
    __builtin_prefetch(view->chunk.ptr + offset + 48);
}

// An event that a row names.
typedef struct compact_event {
    lp_slice bytes;
    uint32_t type; // indexes the types
    jfr_cursor payload;
} compact_event;

// compact_view_event returns the event at offset.
compact_event compact_view_event(const compact_view *view, uint32_t offset);

// compact_view_value returns the bytes of a constant's value.
static inline jfr_cursor
compact_view_value(const compact_view *view, const jfr_constant *constant)
{
    const uint8_t *value = view->chunk.ptr + constant->offset;
    return (jfr_cursor){value, value + constant->size_bytes};
}

// compact_view_type returns the type of the event or sample that a row stands for.
static inline uint32_t
compact_view_type(const compact_view *view, const compact_plain *row)
{
    return row->is_sample ? view->schema->sample_type : compact_view_event(view, row->offset).type;
}

// compact_view_fits returns whether the event at offset fits its type; else it is not written.
bool compact_view_fits(const compact_view *view, uint32_t offset);

#endif // LP_ENGINE_READ_ROWS_H
