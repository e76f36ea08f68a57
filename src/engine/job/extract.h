// SPDX-License-Identifier: Apache-2.0
// extract: a chunk of some events of another, with all that they need and nothing else: not a
// policy chooses them but the caller, by their offsets.
//
// The output is one of compact_chunk's in all other respects: the chunk's own clock, the terms of a
// merge, and an event dev.loupe.Accounting, which says that the other
// events of the chunk were not selected.
//
// Threads: one thread at a time for each session.
// Tests:   tests/unit/engine/job/test_extract.c
// Memory:  24 bytes for each chosen event, some 100 for each type, and the output.

#ifndef LP_ENGINE_JOB_EXTRACT_H
#define LP_ENGINE_JOB_EXTRACT_H

#include "common/base/lp_err.h"
#include "engine/clock.h"
#include "engine/read/view.h"
#include "engine/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the extracts of a session have in common. The caller sets clock, and zeroes the rest, which
// is extract's own.
typedef struct compact_extracts {
    compact_clock clock;   // of the session's first chunk, extracted or not: a merge needs it
    bool has_some;         // a chunk was extracted
    int64_t start_wall_ns; // of the last one, as its header has it but for a merge
} compact_extracts;

// A chunk, and what of it is wanted. Everything is borrowed.
typedef struct compact_excerpt {
    // It has the constants of source->jfr (compact_view_open_constants, without a policy), and is
    // used for one extract alone: its constants get marked.
    compact_view *view;
    const compact_source *source; // of which jfr and what concerns a merge count
    const uint32_t *offsets;      // of events, ascending
    size_t count;
    const jfr_chunk_info *next; // the session's next chunk, extracted or not; NULL: unknown
} compact_excerpt;

// compact_extract writes the events into *out_result, whose carry stays NULL. The first extract of
// a session describes all event types, as write.h says.
//
// Owns:   the caller ends *out_result with compact_result_fini, also after an error.
// Errors: LP_ECORRUPT if the chunk is not the one that was added to the merge; LP_ENOMEM
LP_MUST_USE lp_err compact_extract(compact_extracts *session, const compact_excerpt *excerpt,
    compact_result *out_result, lp_problem *out_problem);

#endif // LP_ENGINE_JOB_EXTRACT_H
