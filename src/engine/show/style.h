// SPDX-License-Identifier: Apache-2.0

// style: contexts as fields of the events that they apply to, or as constants that these events
// refer to (docs/internals/elimination.md#context-styles).
//
// The fields do not depend on the events of the chunk. Every event type with a thread has a column
// for each attribute of each kind in frame->options->survey. Without a survey, the kinds are those
// that the chunk describes.
//
// Threads: one thread at a time. Only compact_style_begin reads the next chunk.
// Memory:  some 130 bytes for each context, 4 for each event, and the values of contexts that apply

#pragma once

#include "common/jfr/rewrite/jfr_rewrite.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/show/columns.h"
#include "engine/show/shown_contexts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_style compact_style;

// The ids of the types of the style's constants in the output; 0: there is no such type.
typedef struct compact_style_types {
    uint64_t values[COMPACT_SHOWN_CONTEXTS_POOLS]; // of attributes, by compact_column.values
    uint64_t state;                                // of loupe.Context
} compact_style_types;

// compact_style_begin copies the contextual events of the next chunk that began before this chunk
// ended. The chunk is decided.
// Owns:   the caller ends *out_style with compact_style_destroy. frame->identities, frame->contexts
//         and decided->types are borrowed until then.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_style_begin(
    const compact_frame *frame, const compact_decided *decided, compact_style **out_style);

void compact_style_destroy(compact_style *style); // NULL is fine

// compact_style_apply finds the contexts that apply to each event, and marks the constants that
// their attributes refer to. The fates of view's rows are final. rewrite translates the values.
// Errors: LP_ELIMIT for more than 2^31 contexts; LP_ENOMEM
LP_MUST_USE lp_err compact_style_apply(
    compact_style *style, compact_view *view, const jfr_rewrite *rewrite);

// compact_style_columns returns the fields that show contexts. They are fields of the events or, if
// compact_style_has_references, of the constants that the events refer to.
const compact_columns *compact_style_columns(const compact_style *style);
bool compact_style_has_references(const compact_style *style);

// compact_style_extends returns whether events of a type of view end with the values that
// compact_style_append_tail appends.
bool compact_style_extends(const compact_style *style, uint32_t type);

// compact_style_of_plain and compact_style_of_span return the state of a row (an index of
// view->plain or view->kept_spans), for compact_style_append_tail.
uint32_t compact_style_of_plain(const compact_style *style, size_t row);
uint32_t compact_style_of_span(const compact_style *style, size_t row);

// compact_style_append_tail appends the values that follow an event's last field. state is the
// event's.
void compact_style_append_tail(const compact_style *style, uint32_t state, lp_buf *out);

// compact_style_append_pools appends the pools of the style's own types; compact_style_pool_count
// returns how many.
size_t compact_style_pool_count(const compact_style *style, const compact_style_types *types);
void compact_style_append_pools(
    const compact_style *style, const compact_style_types *types, lp_buf *out);
