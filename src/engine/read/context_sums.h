// SPDX-License-Identifier: Apache-2.0
// context_sums: counts and durations of contexts, by type and by attribute value, collected while
// the events are read. They become a rollup (common/rollup/rollup.h), which defines the terms.
//
// A number, the key, stands for each value: the value's bits, the key of its constant, or a hash of
// its bytes. The text of a value is made once for each key, by the functions that answers use
// (kind_values.h). An attribute with too many values is no longer read.
//
// Contextual events are queued while they are read (index.c), and counted when the queue is full or
// the chunk ends (context_columns.h). Each counted event leaves a row of numbers: with them its
// request is counted without reading the event again (rollup_tally.h). Contexts of the Loupe API
// are counted once it is known which have ended.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/rollup/test_rollup_make.c, tests/prop/test_rollup_prop.c
// Memory:  2 KB for each slice of a type, at most 64; 2.2 KB for each type (COMPACT_SUMS_TYPES_MAX)
//          and each value (COMPACT_SUMS_VALUES_MAX); 9 KB for each event type, 16 KB for each type
//          with kept contexts, 3 KB for each attribute, 24 bytes for each key, 8 for each id, and 8
//          for each contextual event until requests are known

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_clock.h"
#include "common/jfr/jfr_varint.h"
#include "common/rollup/rollup.h"
#include "common/rollup/rollup_id.h"
#include "engine/read/kinds.h"
#include "engine/read/rows.h"
#include "policy/policy_index.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    // In place of a value that is null or cannot be read, or whose attribute has too many values.
    COMPACT_VALUE_NONE = ROLLUP_VALUES_MAX,
    COMPACT_SUMS_RECENT = 128, // keys
    // Limits for a chunk, far above those of a rollup. Contexts of further types count as left out.
    // An attribute with further values counts as one with too many.
    COMPACT_SUMS_TYPES_MAX = 512,
    COMPACT_SUMS_VALUES_MAX = 1 << 14,
    COMPACT_QUEUE_MAX = 64,   // events
    COMPACT_SUMS_COLUMNS = 5, // values in a row; of an event type, further ones have no column
};

// The longest duration of a short context. In a chunk of 4 GB, the durations of all short contexts
// add up to less than 2^64.
static const uint64_t COMPACT_SUMS_SHORT_NS = (uint64_t)1 << 33;

// Contexts by duration. A context is either dropped or kept.
typedef struct compact_lengths {
    uint64_t ns;                            // of the contexts up to COMPACT_SUMS_SHORT_NS
    unsigned __int128 long_ns;              // of the longer contexts
    uint32_t counts[HISTOGRAM_BUCKETS + 1]; // by bucket - HISTOGRAM_ZERO
} compact_lengths;

typedef struct compact_counts {
    compact_lengths of[2]; // dropped, kept
    uint64_t time_ns[TIME_CATEGORY_COUNT];
    uint64_t left_ns; // without any event (rollup.h)
} compact_counts;

// Contexts that began in a slice of the chunk, by duration: dropped, kept.
typedef struct compact_slice {
    uint32_t counts[2][HISTOGRAM_BUCKETS + 1]; // by bucket - HISTOGRAM_ZERO
} compact_slice;

typedef enum compact_way {
    COMPACT_COUNT_DROPPED,
    COMPACT_COUNT_KEPT,
    COMPACT_COUNT_KEPT_LATE, // counted as dropped before
    COMPACT_COUNT_WAYS,
} compact_way;

// compact_counts_add adds a context. place is the bucket of its duration - HISTOGRAM_ZERO.
static inline __attribute__((always_inline)) void
compact_counts_add(compact_counts *counts, size_t place, uint64_t ns, compact_way way)
{
    compact_lengths *lengths = &counts->of[way != COMPACT_COUNT_DROPPED];
    lengths->counts[place]++;
    if (ns <= COMPACT_SUMS_SHORT_NS) {
        lengths->ns += ns;
    } else {
        lengths->long_ns += ns;
    }
    if (way == COMPACT_COUNT_KEPT_LATE) {
        compact_lengths *dropped = &counts->of[0];
        dropped->counts[place]--;
        if (ns <= COMPACT_SUMS_SHORT_NS) {
            dropped->ns -= ns;
        } else {
            dropped->long_ns -= ns;
        }
    }
}

typedef struct compact_attribute_sums {
    const char *name;
    bool is_id;    // the sums keep hashes of its texts
    bool is_trace; // exemplars show it
    bool has_too_many;
    lp_map by_key;
    struct {
        uint64_t key;
        uint32_t value;
    } recent[COMPACT_SUMS_RECENT]; // by the last bits of the key
    uint32_t value_count;
    lp_slice texts[ROLLUP_VALUES_MAX];
    compact_counts *counts[ROLLUP_VALUES_MAX + 1]; // of COMPACT_VALUE_NONE: sums->nowhere
} compact_attribute_sums;

// compact_longest_set_trace copies a trace id that fits.
static inline void
compact_longest_set_trace(char trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1], lp_slice text)
{
    if (text.len > 0 && text.len <= ROLLUP_EXEMPLAR_BYTES_MAX) {
        memcpy(trace, text.ptr, text.len);
        trace[text.len] = '\0';
    }
}

// A contextual event in numbers.
typedef struct compact_sums_row {
    uint8_t type;   // index of the sums' types + 1; 0: the event has no numbers
    uint8_t bucket; // of its duration, - HISTOGRAM_ZERO
    uint8_t slice;
    // By column (compact_sums_step): indexes of texts. COMPACT_VALUE_NONE if the value is null or
    // the event ends before. Meaningless once the attribute has_too_many.
    uint8_t values[COMPACT_SUMS_COLUMNS];
} compact_sums_row;
static_assert(sizeof(compact_sums_row) == 8, "one is written for each contextual event");
static_assert(HISTOGRAM_BUCKETS <= UINT8_MAX && COMPACT_VALUE_NONE <= UINT8_MAX, "its numbers");

// How an attribute of an event is read.
typedef struct compact_sums_step {
    jfr_program skip; // from behind the head or the previous attribute
    compact_attribute_sums *attribute;
    uint32_t index;  // among the attributes of the type
    uint32_t column; // of rows; COMPACT_SUMS_COLUMNS: none
    bool is_string;  // the event holds the text, not a constant's key
    size_t width;    // of other values in bytes; 0: a varint
    struct compact_reading_value value;
} compact_sums_step;

// The longest kept context of a bucket.
typedef struct compact_longest {
    int64_t duration_ns; // below 0: none
    int64_t begin;       // ticks
    uint64_t thread;     // of events a number, of API contexts an identity
    char trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1];
} compact_longest;

// compact_longest_is_beaten returns whether another context is longer, or as long and earlier.
static inline bool
compact_longest_is_beaten(const compact_longest *longest, int64_t duration_ns, int64_t begin)
{
    return duration_ns > longest->duration_ns ||
           (duration_ns == longest->duration_ns && begin < longest->begin);
}

// The values of a context by attribute: indexes of texts, or COMPACT_VALUE_NONE.
typedef struct compact_sums_values {
    uint8_t of[ROLLUP_ATTRIBUTES_MAX];
} compact_sums_values;

// A part of an API context whose time is divided later (rollup_divide.c).
typedef struct compact_divided {
    struct compact_type_sums *type;
    compact_sums_values values;
    uint64_t thread; // identity
    int64_t begin;   // ticks; begin and end are inclusive
    int64_t end;
} compact_divided;

typedef struct compact_type_sums {
    const char *name;
    const policy_index *index;            // names more attributes that are ids
    struct compact_event_sums *of_events; // NULL for contexts of the Loupe API
    compact_counts counts;
    compact_longest *longest;                 // by bucket - HISTOGRAM_ZERO; NULL: none is kept
    compact_slice *slices[ROLLUP_SLICES_MAX]; // NULL where no context began
    LP_VEC(compact_attribute_sums *) attributes;
    bool has_more_attributes; // over ROLLUP_ATTRIBUTES_MAX
} compact_type_sums;

typedef struct compact_waiting {
    jfr_cursor fields; // not read yet
    int64_t begin;     // ticks
    int64_t commit;
    uint64_t ns;    // set when it is counted
    uint32_t place; // bucket of ns
    uint32_t thread;
    uint32_t row; // of the sums' rows
} compact_waiting;

typedef struct compact_queue {
    compact_waiting *next; // the first free item
    compact_waiting items[COMPACT_QUEUE_MAX];
} compact_queue;

// The sums of a type whose contexts are events.
typedef struct compact_event_sums {
    compact_type_sums type;
    LP_VEC(compact_sums_step) steps;
    bool is_from_head; // the steps begin behind the head, not with the event
    uint8_t row_type;  // type of rows; 0: it has none
    compact_queue queues[COMPACT_COUNT_WAYS];
} compact_event_sums;

// A sampling period and when it was set.
typedef struct compact_period {
    int64_t from; // ticks
    int64_t ns;
} compact_period;

// {0} counts nothing until compact_sums_begin.
typedef struct compact_sums {
    lp_arena arena; // of everything but the maps and vectors of integers
    LP_VEC(compact_type_sums *) types;
    compact_event_sums **of_event; // by type of the metadata
    compact_queue **queues;        // by type and way
    LP_VEC(compact_sums_row) rows; // parallel to the view's spans, behind one that is never read
    compact_counts *nowhere;       // of contexts without a value; never read
    uint32_t value_count;          // over all attributes
    uint64_t contexts_left_out;    // of types beyond COMPACT_SUMS_TYPES_MAX
    const compact_view *view;      // whose events are counted; borrowed
    jfr_clock clock;               // for durations
    int64_t slice_ns;              // length of a slice
    double slices_from;            // ticks: start of the chunk, and of the first slice
    double slices_per_tick;
    rollup_ids ids;
    bool has_traces; // ids list those of traces, and before; set before compact_sums_begin
    LP_VEC(compact_divided) divided;
    LP_VEC(uint32_t) noted; // plain rows of the view, by index: pauses and settings
    // Sampling periods (sample_periods.h):
    LP_VEC(compact_period) periods; // of the chunk's kept settings, ascending
    int64_t period_before_ns;       // of earlier chunks; 0: unknown
    lp_buf value;                   // scratch
    lp_buf text;
} compact_sums;

void compact_sums_fini(compact_sums *sums);

// compact_sums_begin resets sums for the events of view, which has a schema and constants. Borrows
// view.
void compact_sums_begin(compact_sums *sums, const compact_view *view);

// compact_sums_check asserts the limits of the sums.
void compact_sums_check(const compact_sums *sums);

// compact_sums_events returns the sums of an event type. NULL if the type is left out or memory ran
// out.
compact_event_sums *compact_sums_events(compact_sums *sums, uint32_t type);

// compact_sums_find_row returns the row of a contextual event by its index in the view's spans.
static inline const compact_sums_row *
compact_sums_find_row(const compact_sums *sums, size_t span)
{
    LP_DEBUG_ASSERT(span + 1 < sums->rows.count);
    return &sums->rows.items[span + 1];
}

// compact_sums_move_row follows a move of an item in the view's spans.
static inline void
compact_sums_move_row(compact_sums *sums, size_t from, size_t to)
{
    LP_DEBUG_ASSERT(to <= from && from + 1 < sums->rows.count);
    sums->rows.items[to + 1] = sums->rows.items[from + 1];
}

void compact_sums_note(compact_sums *sums, uint32_t plain);

// compact_sums_type finds or adds a type of API contexts. NULL if there are too many, or memory ran
// out. Borrows name and index. index is the policy's context-index, or NULL.
compact_type_sums *compact_sums_type(
    compact_sums *sums, const char *name, const policy_index *index);

// compact_sums_is_id returns whether an attribute is an id: a trace, a span, or named by index.
bool compact_sums_is_id(const policy_index *index, const char *name);

// compact_sums_attribute finds or adds an attribute and returns its index; LP_MAP_NONE if there are
// too many or memory ran out. Borrows the name.
uint32_t compact_sums_attribute(compact_sums *sums, compact_type_sums *type, const char *name);

// compact_sums_find_key returns the value with a key, LP_MAP_NONE if it is new.
static inline uint32_t
compact_sums_find_key(compact_attribute_sums *attribute, uint64_t key)
{
    size_t place = key % COMPACT_SUMS_RECENT;
    if (attribute->recent[place].key != key) {
        uint32_t value = lp_map_find(&attribute->by_key, key);
        if (value == LP_MAP_NONE) {
            return LP_MAP_NONE;
        }
        attribute->recent[place].key = key;
        attribute->recent[place].value = value;
    }
    return attribute->recent[place].value;
}

// compact_sums_learn maps a key to the value with this text, or to null if is_null, and returns the
// value; COMPACT_VALUE_NONE if the attribute has too many values.
uint32_t compact_sums_learn(compact_sums *sums, compact_attribute_sums *attribute, uint64_t key,
    lp_slice text, bool is_null);

// What to do with the ids among the values of a context.
typedef enum compact_id_use {
    COMPACT_IDS_IGNORED,
    COMPACT_IDS_KEPT,
    COMPACT_IDS_DROPPED,
} compact_id_use;

void compact_sums_add_id(compact_sums *sums, lp_slice text, bool is_trace, bool is_kept);

// compact_sums_add_before notes the trace id of a dropped context that began before the chunk.
void compact_sums_add_before(compact_sums *sums, lp_slice text);

// compact_sums_duration_ns returns end - begin (ticks) in nanoseconds; 0 if it is negative or
// overflows.
int64_t compact_sums_duration_ns(const compact_sums *sums, int64_t begin, int64_t end);

// compact_sums_has_ns returns whether ticks are nanoseconds, as usual.
static inline bool
compact_sums_has_ns(const compact_sums *sums)
{
    return sums->clock.ticks_per_s == 1000000000;
}

// compact_sums_length_ns is compact_sums_duration_ns, and fast with has_ns (compact_sums_has_ns).
static inline __attribute__((always_inline)) uint64_t
compact_sums_length_ns(const compact_sums *sums, int64_t begin, int64_t end, bool has_ns)
{
    uint64_t ticks = (uint64_t)end - (uint64_t)begin;
    bool is_short = end >= begin && ticks < (uint64_t)1 << 53;
    return is_short && has_ns ? ticks : (uint64_t)compact_sums_duration_ns(sums, begin, end);
}

void compact_sums_count(
    compact_type_sums *type, const compact_sums_values *values, int64_t duration_ns, bool is_kept);

// compact_sums_slice returns the slice of a context by its begin (ticks). Contexts that begin
// outside the chunk count in the first or the last slice.
static inline size_t
compact_sums_slice(const compact_sums *sums, int64_t begin)
{
    double at = ((double)begin - sums->slices_from) * sums->slices_per_tick;
    return at >= ROLLUP_SLICES_MAX ? ROLLUP_SLICES_MAX - 1 : at > 0 ? (size_t)(int64_t)at : 0;
}

// compact_sums_add_to_slice counts a context in a slice. place is as in compact_counts_add.
static inline void
compact_sums_add_to_slice(
    compact_sums *sums, compact_type_sums *type, size_t index, size_t place, compact_way way)
{
    compact_slice **slice = &type->slices[index];
    if (*slice == NULL) {
        *slice = LP_ARENA_NEW(&sums->arena, compact_slice);
    }
    if (*slice != NULL) {
        (*slice)->counts[way != COMPACT_COUNT_DROPPED][place]++;
        (*slice)->counts[0][place] -= way == COMPACT_COUNT_KEPT_LATE;
    }
}

// compact_sums_find_longest returns where to store a kept context if it is now the longest of its
// bucket; else NULL.
compact_longest *compact_sums_find_longest(
    compact_sums *sums, compact_type_sums *type, int64_t duration_ns, int64_t begin);

// compact_sums_add_time adds the time of a kept context by category.
void compact_sums_add_time(compact_type_sums *type, const compact_sums_values *values,
    const uint64_t time_ns[TIME_CATEGORY_COUNT], uint64_t left_ns);

// --- One or two fields of an event as short texts

enum { COMPACT_FIELD_TEXTS_MAX = 2, COMPACT_FIELD_TEXT_BYTES_MAX = 31 };

// Each text ends with 0. A text that is null or exceeds COMPACT_FIELD_TEXT_BYTES_MAX is left empty.
typedef struct compact_field_texts {
    char of[COMPACT_FIELD_TEXTS_MAX][COMPACT_FIELD_TEXT_BYTES_MAX + 1];
} compact_field_texts;

// compact_field_texts_read reads the attributes of a kind, COMPACT_FIELD_TEXTS_MAX at most, from an
// event whose fields begin at payload. It uses the buffers of sums, whose arena fails if memory
// runs out.
void compact_field_texts_read(compact_sums *sums, const compact_kind *kind,
    const compact_reading *reading, jfr_cursor payload, compact_field_texts *out);
