// SPDX-License-Identifier: Apache-2.0
// contexts: the contexts of the Loupe API, built from their begin and end records.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"
#include "engine/contexts/completions.h"
#include "engine/contexts/value.h"
#include "engine/read/kinds.h"
#include "engine/reason.h"

#include <stdbool.h>
#include <stdint.h>

static const int64_t COMPACT_OPEN_END = INT64_MAX;

// The decision of context-throttle about a context (decide.h).
typedef enum compact_standing {
    COMPACT_STANDING_NONE,   // none yet
    COMPACT_STANDING_OPEN,   // it matters, but is not counted: it was open when a chunk ended
    COMPACT_STANDING_CHOSEN, // it matters, and the throttle has counted it
    COMPACT_STANDING_PASSED, // it does not matter
} compact_standing;

typedef struct compact_context {
    uint64_t id; // counts the contexts of a session in the order of their records, from 1
    int64_t thread_id;
    int64_t begin;          // ticks
    int64_t end;            // ticks; COMPACT_OPEN_END while it is open
    uint32_t values_offset; // into values, which has the bytes of the record
    uint32_t values_bytes;
    uint32_t late; // 1 + the index of its first late text; 0: none
    uint16_t type_id;
    bool is_written;    // a part of it is in an earlier chunk
    bool is_unmeasured; // it was open when a chunk ended, or its end record was lost
    bool is_replaced;   // the next context of its type and thread begins at the tick of its end
    compact_standing standing;
    bool is_ignored; // a setting (decide.h) rejects it in this chunk
    compact_reason ignored_by;
} compact_context;

// A text of a context that replaces one of its record's values (completions.h).
typedef struct compact_late_text {
    uint32_t offset; // into values, which has a record's bytes; contexts may share it
    uint32_t bytes;
    uint32_t next; // the context's next late text, as compact_context.late
    uint16_t attribute;
} compact_late_text;

typedef struct compact_contexts {
    lp_arena *arena;               // owns late_texts; fails if memory runs out
    LP_VEC(compact_context) items; // ascending by id
    LP_VEC(compact_late_text) late_texts;
    lp_buf values;
    lp_map open;     // (thread, type) to its latest item, which may have ended since
    size_t open_min; // all items before this one have ended
    uint64_t next_id;
    int64_t until; // later records are skipped; INT64_MAX at first
    bool is_full;  // over 4 GiB of values, or 2^32 late texts
} compact_contexts;

// compact_contexts_init makes contexts empty, and borrows arena until compact_contexts_fini.
void compact_contexts_init(compact_contexts *contexts, lp_arena *arena);

// compact_contexts_fini leaves contexts empty.
void compact_contexts_fini(compact_contexts *contexts);

// compact_contexts_err returns why a context, a value or a late text could not be added: LP_ELIMIT
// if contexts is_full, LP_ENOMEM if memory ran out.
LP_MUST_USE static inline lp_err
compact_contexts_err(const compact_contexts *contexts)
{
    return contexts->is_full ? LP_ELIMIT : lp_arena_err(contexts->arena);
}

// compact_contexts_feed applies the records (ctx_record.h) up to contexts->until in their order.
// Each record that begins a context counts in next_id, even if it is skipped. Completions and signs
// (completions.h) are added to completions, and not applied. Errors: LP_ECORRUPT, and LP_ELIMIT
// over 4 GiB of values or texts, both with an offset into records; LP_ENOMEM
LP_MUST_USE lp_err compact_contexts_feed(compact_contexts *contexts, lp_slice records,
    compact_completions *completions, lp_problem *out_problem);

// compact_contexts_recorded returns the values of a context as they were recorded.
lp_slice compact_contexts_recorded(
    const compact_contexts *contexts, const compact_context *context);

// A position in the values of a context. It is valid until the contexts change.
typedef struct compact_values {
    jfr_cursor recorded;
    const compact_contexts *contexts;
    uint32_t late;      // as compact_context.late
    uint16_t attribute; // index of the next attribute
} compact_values;

// compact_contexts_values returns the first position in the values of a context, which include its
// late texts.
compact_values compact_contexts_values(
    const compact_contexts *contexts, const compact_context *context);

// compact_values_read reads the value of the next attribute, as compact_value_read does.
bool compact_values_read(compact_values *values, ctx_kind kind, compact_value *out_value);

// compact_contexts_append copies bytes into values and returns their offset. Errors of this and of
// the functions below: compact_contexts_err
uint32_t compact_contexts_append(compact_contexts *contexts, lp_slice bytes);

// compact_contexts_complete sets a late text of a context. It replaces an earlier late text of the
// same attribute, and ignores text->next.
void compact_contexts_complete(
    compact_contexts *contexts, compact_context *context, const compact_late_text *text);

// compact_completions_apply sets the text of the last completion of each key in all contexts with
// that key. types are the types of contexts. Contexts with damaged values stay unchanged. If memory
// runs out, completions->arena fails, too.
// Cost: linear in completions and contexts, for each type that completes another
void compact_completions_apply(const compact_completions *completions, const ctx_type *types,
    size_t type_count, compact_contexts *contexts);

// compact_contexts_copy appends to out every context that ends at or after end_min.
void compact_contexts_copy(
    const compact_contexts *contexts, int64_t end_min, compact_contexts *out);

// compact_contexts_add appends a copy of a context with these values, and without late texts.
void compact_contexts_add(
    compact_contexts *contexts, const compact_context *context, const uint8_t *values);

// compact_kind_append_record appends the values of a context in the form of a kind (kind_values.h).
// If the values do not fit type, it appends nulls and returns false.
bool compact_kind_append_record(
    const compact_kind *kind, const ctx_type *type, compact_values values, lp_buf *out);
