// SPDX-License-Identifier: Apache-2.0
// writer: what the steps of writing an output chunk share, and the terms in which it is written.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_output.c

#ifndef LP_ENGINE_WRITE_WRITER_H
#define LP_ENGINE_WRITE_WRITER_H

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

// The tail of an event: the fields behind the last one of the input.
typedef enum compact_tail {
    COMPACT_TAIL_THREAD = 1, // eventThread
    COMPACT_TAIL_STYLE = 2,  // what compact_style_append_tail appends
} compact_tail;

typedef struct compact_writer {
    const compact_frame *frame;
    const compact_decided *decided;
    compact_style *style; // NULL: contexts are events
    compact_view *view; // that of frame: its constants get marked, and kept events that do not fit
                        // their type are noted in its damage and are kept no more
    compact_output *out;
    lp_arena *arena; // that of out: its failure, and that of out->jfr, is that of every step
    jfr_rewrite rewrite;
    compact_classes classes;
    uint8_t *tails; // parallel to the types of view: a set of compact_tail
    bool copies;    // events that were marked when they were read are as in the input
    compact_style_types style_types; // compact_shown_fields_add
    lp_buf scratch;                  // of any step, until the next
} compact_writer;

// compact_writer_init borrows frame, decided, style and out.
// Owns:   the caller ends *writer with compact_writer_fini, also after an error.
// Errors: LP_ECORRUPT if the chunk is not the one that was added to the merge; LP_ENOMEM
LP_MUST_USE lp_err compact_writer_init(compact_writer *w, const compact_frame *frame,
    const compact_decided *decided, compact_style *style, compact_output *out,
    lp_problem *out_problem);
void compact_writer_fini(compact_writer *writer);

// compact_writer_type_id returns the id that a type of view has in the output.
static inline uint64_t
compact_writer_type_id(const compact_writer *w, uint32_t type)
{
    return w->classes.metadata.types.items[type].id;
}

// compact_writer_is_rewriting returns whether events and constants differ from the input's, by what
// was marked so far: it must not be asked before the constants of the event are marked.
static inline bool
compact_writer_is_rewriting(const compact_writer *w)
{
    return w->frame->source->merge != NULL || w->view->pools.null_count > 0;
}

// compact_writer_end_event writes an event of a type of the output. Its payload is w->scratch.
void compact_writer_end_event(compact_writer *w, uint64_t type_id);

// compact_writer_duration_ticks returns the duration of a chunk in ticks; 0 if that is no number.
uint64_t compact_writer_duration_ticks(const jfr_chunk_info *info);

// compact_writer_append_value appends a value of type that lies at cursor, and nothing that follows
// it. Its constants have been marked.
void compact_writer_append_value(
    const compact_writer *w, uint32_t type, jfr_cursor cursor, lp_buf *out);

#endif // LP_ENGINE_WRITE_WRITER_H
