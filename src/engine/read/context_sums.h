// SPDX-License-Identifier: Apache-2.0
// context_sums: how many contexts of each type and of each value of an attribute there are, and how
// long they took, counted while the events are read. It becomes a rollup (common/rollup/rollup.h),
// which has the words.
//
// A value is known by a key: its bits, the key of its constant, or a hash of its bytes. The text is
// made once for each key, by the same functions as for answers (kind_values.h). An attribute with
// too many values is not read any more.
//
// Contextual events of the chunk are put into queues while they are read (index.c), and counted
// where one is full (context_columns.h). Contexts of the Loupe API are counted once it is known
// which of them are over.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/test_rollup_make.c, tests/prop/test_rollup_prop.c
// Memory:  2 KB for each slice of a type, 64 at most; 2.2 KB for each type and each value, of which
// there are COMPACT_SUMS_TYPES_MAX and
//          COMPACT_SUMS_VALUES_MAX at most; 9 KB for each type of events, 16 KB for each type of
//          which some are kept, 3 KB for each attribute, 24 bytes for each key, 8 for each id

#ifndef LP_ENGINE_READ_CONTEXT_SUMS_H
#define LP_ENGINE_READ_CONTEXT_SUMS_H

#include "common/base/lp_arena.h"
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

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    // In place of a value: it is null, its attribute has too many, or it cannot be read.
    COMPACT_VALUE_NONE = ROLLUP_VALUES_MAX,
    COMPACT_SUMS_RECENT = 128, // keys; those of constants ascend, and values are few
    // Limits of a chunk, far above those of a rollup. Of further types the contexts are counted as
    // left out; an attribute with one more value has too many.
    COMPACT_SUMS_TYPES_MAX = 512,
    COMPACT_SUMS_VALUES_MAX = 1 << 14,
    COMPACT_QUEUE_MAX = 64, // events
};

// Of these, all that are in a chunk of 4 GB add up to less than 2^64.
static const uint64_t COMPACT_SUMS_SHORT_NS = (uint64_t)1 << 33;

// How many contexts there are of each length. Each context is among the dropped or the kept ones.
typedef struct compact_lengths {
    uint64_t ns;                            // all of them together, but for
    unsigned __int128 long_ns;              // those over COMPACT_SUMS_SHORT_NS
    uint32_t counts[HISTOGRAM_BUCKETS + 1]; // by bucket - HISTOGRAM_ZERO
} compact_lengths;

typedef struct compact_counts {
    compact_lengths of[2]; // of the dropped contexts, and of the kept ones
    uint64_t time_ns[TIME_CATEGORY_COUNT];
    uint64_t left_ns;
} compact_counts;

// How many contexts of each length began in a slice of the chunk: of the dropped ones, and of the
// kept ones.
typedef struct compact_slice {
    uint32_t counts[2][HISTOGRAM_BUCKETS + 1]; // by bucket - HISTOGRAM_ZERO
} compact_slice;

// How a context is counted.
typedef enum compact_way {
    COMPACT_COUNT_DROPPED,
    COMPACT_COUNT_KEPT,
    COMPACT_COUNT_KEPT_LATE, // it was counted as dropped before
    COMPACT_COUNT_WAYS,
} compact_way;

// compact_counts_add adds a context whose duration has this bucket - HISTOGRAM_ZERO.
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
    bool is_id;    // its texts are hashed
    bool is_trace; // and are those of exemplars
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

// compact_longest_set_trace sets the id of a trace, if it is no longer than there is room for.
static inline void
compact_longest_set_trace(char trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1], lp_slice text)
{
    if (text.len > 0 && text.len <= ROLLUP_EXEMPLAR_BYTES_MAX) {
        memcpy(trace, text.ptr, text.len);
        trace[text.len] = '\0';
    }
}

// How an attribute of an event is reached and read.
typedef struct compact_sums_step {
    jfr_program skip; // from behind the head, or the attribute before
    compact_attribute_sums *attribute;
    uint32_t index; // of the attribute in those of the type
    bool is_string; // in the event itself, not a constant of its own type
    size_t width;   // of other values in bytes, 0: a number
    struct compact_reading_value value;
} compact_sums_step;

// The longest kept context of a bucket.
typedef struct compact_longest {
    int64_t duration_ns; // below 0: none
    int64_t begin;       // ticks
    uint64_t thread;     // of an event its number, of another context its identity
    char trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1];
} compact_longest;

// compact_longest_is_beaten returns whether another context is the longest, or as long and earlier.
static inline bool
compact_longest_is_beaten(const compact_longest *longest, int64_t duration_ns, int64_t begin)
{
    return duration_ns > longest->duration_ns ||
           (duration_ns == longest->duration_ns && begin < longest->begin);
}

// The values of a context, parallel to the attributes of its type: indexes of texts, or
// COMPACT_VALUE_NONE.
typedef struct compact_sums_values {
    uint8_t of[ROLLUP_ATTRIBUTES_MAX];
} compact_sums_values;

// A part of a context of the Loupe API of which the time is to be divided.
typedef struct compact_divided {
    struct compact_type_sums *type;
    compact_sums_values values;
    uint64_t thread; // identity
    int64_t begin;   // ticks; both ends belong to it
    int64_t end;
} compact_divided;

typedef struct compact_type_sums {
    const char *name;
    const policy_index *index; // its attributes that are ids beside those of traces and spans
    struct compact_event_sums *of_events; // NULL: they are contexts of the Loupe API
    compact_counts counts;
    compact_longest *longest;                 // by bucket - HISTOGRAM_ZERO; NULL: none is kept
    compact_slice *slices[ROLLUP_SLICES_MAX]; // NULL where no context began
    LP_VEC(compact_attribute_sums *) attributes;
    bool has_more_attributes; // over ROLLUP_ATTRIBUTES_MAX
} compact_type_sums;

// A contextual event that is to be counted.
typedef struct compact_waiting {
    jfr_cursor fields; // those that were not read yet
    int64_t begin;     // ticks
    int64_t commit;
    uint64_t ns;    // from here on known once it is counted: how long it took
    uint32_t place; // bucket of that - HISTOGRAM_ZERO
    uint32_t thread;
} compact_waiting;

// Events of one type that are counted in one way.
typedef struct compact_queue {
    compact_waiting *next; // the end of those that wait
    compact_waiting items[COMPACT_QUEUE_MAX];
} compact_queue;

// What a type has if its contexts are events.
typedef struct compact_event_sums {
    compact_type_sums type;
    LP_VEC(compact_sums_step) steps;
    bool is_from_head; // the steps begin behind the head, not with the event
    compact_queue queues[COMPACT_COUNT_WAYS];
} compact_event_sums;

// A period of samples, from when it was set.
typedef struct compact_period {
    int64_t from; // ticks
    int64_t ns;
} compact_period;

// {0} counts nothing until compact_sums_begin.
typedef struct compact_sums {
    lp_arena arena; // of all but the maps; fails where memory runs out
    LP_VEC(compact_type_sums *) types;
    compact_event_sums **of_event; // parallel to the metadata's types
    compact_queue **queues;        // of each of these, one for each way
    compact_counts *nowhere;       // of what has no value; nobody reads it
    uint32_t value_count;          // of all attributes
    uint64_t contexts_left_out;    // of types beyond the limit
    const compact_view *view;      // whose events are counted
    jfr_clock clock;               // for lengths
    int64_t slice_ns;              // how long slices are,
    double slices_from;            // the first begins with the chunk, ticks
    double slices_per_tick;
    rollup_ids ids;
    LP_VEC(compact_divided) divided;
    LP_VEC(uint32_t) noted; // index plain rows of the view: pauses and settings
    // Of samples (sample_periods.h):
    LP_VEC(compact_period) periods; // that the chunk's kept settings have, in order of time
    int64_t period_before_ns;       // of the chunks before; 0: nothing is known
    lp_buf value;                   // of the context that is being read
    lp_buf text;
} compact_sums;

void compact_sums_fini(compact_sums *sums);

// compact_sums_begin forgets everything and begins with the events of view, whose schema and
// constants are there. It borrows view.
void compact_sums_begin(compact_sums *sums, const compact_view *view);

// compact_sums_events returns what the events of a type have. NULL if the type is left out, or
// memory ran out.
compact_event_sums *compact_sums_events(compact_sums *sums, uint32_t type);

// compact_sums_note notes a pause or a setting, by the index of its row.
void compact_sums_note(compact_sums *sums, uint32_t plain);

// compact_sums_type finds or adds the type of this name for contexts that are no events. NULL if
// there are too many, or memory ran out. The name is borrowed, and so is index, the policy's
// context-index, which may be NULL.
compact_type_sums *compact_sums_type(
    compact_sums *sums, const char *name, const policy_index *index);

// compact_sums_is_id returns whether an attribute of this name is an id; index is that of its type.
bool compact_sums_is_id(const policy_index *index, const char *name);

// compact_sums_attribute finds or adds an attribute and returns its index; LP_MAP_NONE where there
// are too many, or memory ran out. The name is borrowed.
uint32_t compact_sums_attribute(compact_sums *sums, compact_type_sums *type, const char *name);

// compact_sums_find_key returns the value with a key, LP_MAP_NONE where it has to be learnt first.
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

// compact_sums_learn adds a key of a text and returns the value; is_null: of null.
// COMPACT_VALUE_NONE once the attribute has too many.
uint32_t compact_sums_learn(compact_sums *sums, compact_attribute_sums *attribute, uint64_t key,
    lp_slice text, bool is_null);

// Whether ids are noted when the values of a context are read, and where.
typedef enum compact_id_use {
    COMPACT_IDS_IGNORED,
    COMPACT_IDS_KEPT,
    COMPACT_IDS_DROPPED,
} compact_id_use;

// compact_sums_add_id notes the id that a text is, if it is one.
void compact_sums_add_id(compact_sums *sums, lp_slice text, bool is_kept);

// compact_sums_duration_ns returns how long a context took; 0 where absurd times wrap around.
int64_t compact_sums_duration_ns(const compact_sums *sums, int64_t begin, int64_t end);

// compact_sums_count counts a context.
void compact_sums_count(
    compact_type_sums *type, const compact_sums_values *values, int64_t duration_ns, bool is_kept);

// compact_sums_slice returns the slice of a context that began then: the first where it began
// before the chunk, the last where that is long past.
static inline size_t
compact_sums_slice(const compact_sums *sums, int64_t begin)
{
    double at = ((double)begin - sums->slices_from) * sums->slices_per_tick;
    return at >= ROLLUP_SLICES_MAX ? ROLLUP_SLICES_MAX - 1 : at > 0 ? (size_t)at : 0;
}

// compact_sums_add_to_slice counts a context whose duration has this bucket - HISTOGRAM_ZERO by
// when it began.
static inline void
compact_sums_add_to_slice(
    compact_sums *sums, compact_type_sums *type, int64_t begin, size_t place, compact_way way)
{
    compact_slice **slice = &type->slices[compact_sums_slice(sums, begin)];
    if (*slice == NULL) {
        *slice = LP_ARENA_NEW(&sums->arena, compact_slice);
    }
    if (*slice != NULL) {
        (*slice)->counts[way != COMPACT_COUNT_DROPPED][place]++;
        (*slice)->counts[0][place] -= way == COMPACT_COUNT_KEPT_LATE;
    }
}

// compact_sums_find_longest returns where to note a kept context that is now the longest of its
// bucket, else NULL.
compact_longest *compact_sums_find_longest(
    compact_sums *sums, compact_type_sums *type, int64_t duration_ns, int64_t begin);

// compact_sums_add_time adds where the time of a kept context went.
void compact_sums_add_time(compact_type_sums *type, const compact_sums_values *values,
    const uint64_t time_ns[TIME_CATEGORY_COUNT], uint64_t left_ns);

#endif // LP_ENGINE_READ_CONTEXT_SUMS_H
