// SPDX-License-Identifier: Apache-2.0
// writer: what the steps of writing an output chunk share, and the terms in which it is written.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_WRITER_H
#define LP_ENGINE_WRITE_WRITER_H

#include "common/base/lp_buf.h"
#include "common/jfr/jfr_rewrite.h"
#include "engine/carry/carry.h"
#include "engine/decide/decide.h"
#include "engine/read/view.h"
#include "engine/show/style.h"
#include "engine/write/merge.h"
#include "engine/write/output.h"
#include "engine/write/types.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_write_input {
    compact_view *view; // with its rows decided; its constants get marked, and kept events that do
                        // not fit their type are noted in its damage and are kept no more
    const uint64_t *identities; // parallel to view->threads
    const compact_parts *parts;
    const compact_contexts *contexts;
    const ctx_type *types; // of the contexts
    size_t type_count;
    const compact_dropped *contexts_gone; // parallel to types
    compact_clock start;                  // of the output, on the line by which it shows its times
    uint64_t metadata_salt;               // the same in a session, another in others
    compact_clock clock;                  // that line, through the start of the session
    bool is_met;                          // the next chunk starts where this one ends, at
    int64_t next_start_ticks;             // this tick
    const compact_merge *merge; // or NULL; if not, the start and the salt are its business
    uint32_t merge_source;
    bool has_all_types;       // event types of which nothing is written are described as well
    compact_style *style;     // NULL: contexts are events
    bool has_sample_contexts; // compact_options
    bool has_settings;        // of rules, which go into the output as well
    const policy *rules;
} compact_write_input;

// What is put behind the last field of an event.
typedef enum compact_tail {
    COMPACT_TAIL_THREAD = 1, // eventThread
    COMPACT_TAIL_STYLE = 2,  // what compact_style_append_tail appends
} compact_tail;

typedef struct compact_writer {
    const compact_write_input *in;
    compact_view *view;
    compact_output *out;
    jfr_rewrite rewrite;
    compact_types types;
    uint8_t *tails;      // parallel to the types of view: a set of compact_tail
    uint64_t state_type; // compact_shown_fields_add
    lp_buf scratch;      // of any step, until the next
} compact_writer;

// compact_writer_init borrows in and out.
// Owns:   the caller ends *writer with compact_writer_fini, also after an error.
// Errors: LP_ECORRUPT if the chunk is not the one that was added to in->merge; LP_ENOMEM
LP_MUST_USE lp_err compact_writer_init(
    compact_writer *w, const compact_write_input *in, compact_output *out, lp_problem *out_problem);
void compact_writer_fini(compact_writer *writer);

// compact_writer_type_id gives the id that a type of view has in the output.
static inline uint64_t
compact_writer_type_id(const compact_writer *w, uint32_t type)
{
    return w->types.metadata.types.items[type].id;
}

// compact_writer_is_rewriting says whether events and constants differ from the input's, as far as
// is known when the constants of an event are marked: it must not be asked before.
static inline bool
compact_writer_is_rewriting(const compact_writer *w)
{
    return w->in->merge != NULL || w->view->pools.missed_count > 0;
}

// compact_writer_append_value appends a value of type that lies at cursor, and nothing that follows
// it. Its constants have been marked.
void compact_writer_append_value(
    const compact_writer *w, uint32_t type, jfr_cursor cursor, lp_buf *out);

#endif // LP_ENGINE_WRITE_WRITER_H
