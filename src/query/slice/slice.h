// SPDX-License-Identifier: Apache-2.0
// slice: the selected contexts and their events (slice_choice.h) as a recording: chunks by start
// time, each with the types and constants of its events. Events do not change. If the contexts are
// of several JVMs, their ids and times are converted to those of one file
// (docs/internals/recordings.md#several-jvms-in-one-recording).
//
// For any context style but COMPACT_STYLE_EVENTS, the chunks are first written to a temporary file,
// as large as the slice.
//
// The slice reads sources twice: contexts, then events. It reads some sources once more for each of
// these: to merge several JVMs, for has_around, and for samples whose period only other chunks set.
//
// Threads: one thread at a time; any thread may set is_cancelled.
// Tests:   tests/unit/query/slice/test_slice.c, tests/e2e/slice.py
// Memory:  a chunk and its part of the slice, the contexts of a session (contexts.h) while they are
//          found, and slice_choice.h for at most QUERY_CONTEXTS_MAX contexts; about 200 bytes for
//          each source. In another context style 24 bytes for each chunk, and restyle.h.

#pragma once

#include "engine/types.h"
#include "query/run/run.h"

#include <stdbool.h>

typedef struct query_slice {
    // Its sources, selection, is_cancelled, on_unreadable and on_passed are used. on_passed is
    // called when a source is read for the last time.
    const query_question *question;
    bool has_around; // with pauses and owners of monitors (slice_choice.h)
    compact_context_style style;
    // Required if style is not COMPACT_STYLE_EVENTS. Appends bytes to the temporary file. Opens it
    // and sets *fd if that is negative; the slice closes it.
    lp_err (*spill)(void *arg, lp_slice bytes, int *fd);
    // Gets each chunk, valid until it returns. An error ends the slice.
    lp_err (*on_chunk)(void *arg, const compact_result *chunk);
    void *arg; // of on_chunk and spill
} query_slice;

// query_slice_write writes the slice. The slice has no chunks if no context is selected
// (out_outcome->contexts is 0).
// Errors: LP_ECLOSED cancelled; LP_ELIMIT contexts of more than JFR_REWRITE_SOURCES_MAX JVMs;
//         LP_ECORRUPT a chunk has changed; LP_EIO with errno, from the file; LP_ENOMEM; an error
//         of a callback
LP_MUST_USE lp_err query_slice_write(const query_slice *slice, query_names *names,
    query_outcome *out_outcome, lp_problem *out_problem);
