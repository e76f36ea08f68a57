// SPDX-License-Identifier: Apache-2.0
// write: the output chunk: header, metadata, constants, contexts, events, and, if anything
// was dropped, an event dev.loupe.Accounting (account.h), which no statistics count.
//
// Kept events are copied as bytes. Constants keep their keys and types their ids, so nothing in an
// event has to change; what no kept event reaches is left out. Only where the chunk goes into a
// file with those of other JVMs everything is rewritten in the terms of that file (jfr_rewrite.h),
// as are values with keys that the chunk does not describe; and events that get fields for contexts
// have them behind their own. Samples are made of the fields that they share with the events that
// they are made of (alloc.h).
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_WRITE_H
#define LP_ENGINE_WRITE_WRITE_H

#include "common/base/lp_buf.h"
#include "engine/carry/carry.h"
#include "engine/decide/decide.h"
#include "engine/read/view.h"
#include "engine/show/style.h"
#include "engine/write/merge.h"

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

typedef struct compact_output {
    lp_buf jfr;
    compact_amount *by_type;    // parallel to the types of view
    compact_amount *by_context; // parallel to types; each context is counted in one chunk only,
    uint64_t *lost_contexts;    // these and those that ought to be in it
    uint64_t unwritable_parts;  // their thread or type is not known, or their values are damaged
} compact_output;

// compact_write makes the chunk.
// Owns:   the caller ends *out with compact_output_fini, also after an error.
// Errors: LP_ECORRUPT if the chunk is not the one that was added to merge; LP_ENOMEM
LP_MUST_USE lp_err compact_write(
    const compact_write_input *in, compact_output *out, lp_problem *out_problem);

void compact_output_fini(compact_output *output);

#endif // LP_ENGINE_WRITE_WRITE_H
