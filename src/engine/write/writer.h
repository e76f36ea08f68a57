// SPDX-License-Identifier: Apache-2.0
// writer: the shared state of the steps of writing an output chunk.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_output.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/read/view.h"
#include "engine/show/style.h"
#include "engine/write/classes.h"
#include "engine/write/merge.h"
#include "engine/write/output.h"

#include <stdbool.h>
#include <stdint.h>

// The tail of an event: the fields behind the input's last one.
typedef enum compact_tail {
    COMPACT_TAIL_THREAD = 1, // eventThread
    COMPACT_TAIL_STYLE = 2,  // as compact_style_append_tail writes it
} compact_tail;

typedef struct compact_writer {
    const compact_frame *frame;
    const compact_decided *decided;
    compact_style *style; // NULL: contexts are events
    compact_view *view;   // of frame; writing marks its constants, and drops misfits as damage
    compact_output *out;
    lp_arena *arena; // of out; every step reports its failure here or in out->jfr
    jfr_rewrite rewrite;
    compact_classes classes;
    uint8_t *tails;                  // by type of view: a set of compact_tail
    bool copies;                     // marked events are copied unchanged
    compact_style_types style_types; // compact_shown_fields_add
    lp_buf scratch;                  // scratch of each step
} compact_writer;

// compact_writer_init borrows frame, decided, style and out. The caller ends *w with
// compact_writer_fini, also after an error. Errors: LP_ECORRUPT if the chunk is not the one that
// was added to the merge; LP_ENOMEM
LP_MUST_USE lp_err compact_writer_init(compact_writer *w, const compact_frame *frame,
    const compact_decided *decided, compact_style *style, compact_output *out,
    lp_problem *out_problem);
void compact_writer_fini(compact_writer *writer);

// compact_writer_check asserts that the members of w belong together.
void compact_writer_check(const compact_writer *w);

// compact_writer_type_id returns the id of a type of view in the output.
static inline uint64_t
compact_writer_type_id(const compact_writer *w, uint32_t type)
{
    return w->classes.metadata.types.items[type].id;
}

// compact_writer_is_rewriting returns whether events and constants may differ from the input's. Ask
// only after the constants of an event are marked.
static inline bool
compact_writer_is_rewriting(const compact_writer *w)
{
    return w->frame->source->merge != NULL || w->view->pools.null_count > 0;
}

// compact_writer_end_event writes an event with the payload w->scratch; type_id is of the output.
void compact_writer_end_event(compact_writer *w, uint64_t type_id);

// compact_writer_duration_ticks returns the duration of a chunk in ticks, 0 if it is out of range.
uint64_t compact_writer_duration_ticks(const jfr_chunk_info *info);

// compact_writer_append_value appends the value of type at cursor. Its constants are marked.
void compact_writer_append_value(
    const compact_writer *w, uint32_t type, jfr_cursor cursor, lp_buf *out);
