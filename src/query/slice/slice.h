// SPDX-License-Identifier: Apache-2.0
// slice: the contexts that a selection wants, and what happened in them (slice_choice.h), as a
// recording of its own: chunks in the order of their starts, each with the types and constants that
// its events need. Nothing in an event changes; where contexts are of several JVMs, all is in the
// terms of one file (docs/internals/merge.md).
//
// In another context style than events, the chunks are gathered in a file first, as large as the
// slice.
//
// Sources are read twice: their contexts, then the events of those that can have chosen ones; of
// several JVMs, or with what is around, a third time, or a fourth; and those with samples that have
// no period of their own once more.
//
// Threads: one thread at a time; is_cancelled may be set by any.
// Tests:   tests/unit/query/slice/test_slice.c, tests/e2e/slice.py
// Memory:  that of a chunk and of what is written of it, of the contexts of a session (contexts.h)
//          while they are found, and what slice_choice.h says for the wanted contexts of all, which
//          are QUERY_CONTEXTS_MAX; some 200 bytes for each source; in another context style 24
//          bytes for each chunk, and what restyle.h says.

#ifndef LP_QUERY_SLICE_SLICE_H
#define LP_QUERY_SLICE_SLICE_H

#include "engine/types.h"
#include "query/run/run.h"

#include <stdbool.h>

typedef struct query_slice {
    // Sources, selection, and whom to tell what; what else it wants does not count. A source counts
    // as passed when it is read for the last time.
    const query_question *question;
    bool has_around; // with what is around the contexts
    compact_context_style style;
    // Needed if style is not COMPACT_STYLE_EVENTS: appends bytes to a file for the slice alone,
    // which it opens and puts in *fd if that is below 0. The slice closes it.
    lp_err (*spill)(void *arg, lp_slice bytes, int *fd);
    // Gets the chunks, which are lent until it returns, and LP_OK or what ends the slice.
    lp_err (*on_chunk)(void *arg, const compact_result *chunk);
    void *arg; // of on_chunk and spill
} query_slice;

// query_slice_write writes the slice. Where no context is wanted (out_outcome->contexts is 0), it
// has no chunks.
// Errors: LP_ECLOSED it was cancelled; LP_ELIMIT contexts of more than JFR_REWRITE_SOURCES_MAX
//         JVMs; LP_ECORRUPT a chunk is not what it was; LP_EIO with errno, of the file; LP_ENOMEM;
//         what a callback returned
LP_MUST_USE lp_err query_slice_write(const query_slice *slice, query_names *names,
    query_outcome *out_outcome, lp_problem *out_problem);

#endif // LP_QUERY_SLICE_SLICE_H
