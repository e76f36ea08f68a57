// SPDX-License-Identifier: Apache-2.0
// extract: writes a chunk with chosen events of another chunk and everything that they refer to.
// The caller chooses the events by their offsets; there is no policy.
//
// In all other respects the output is like compact_chunk's. It has the chunk's own clock or the
// clock of a merge, and an event dev.loupe.Accounting that counts the other events of the chunk as
// not selected.
//
// Threads: one thread at a time for each session.
// Tests:   tests/unit/engine/job/test_extract.c
// Memory:  24 bytes for each chosen event, some 100 for each type, and the output.

#pragma once

#include "common/base/lp_err.h"
#include "engine/clock.h"
#include "engine/read/view.h"
#include "engine/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The state that the extracts of a session share. The caller sets clock and zeroes the other
// members.
typedef struct compact_extracts {
    compact_clock clock;   // of the session's first chunk, extracted or not: a merge needs it
    bool has_some;         // a chunk was extracted
    int64_t start_wall_ns; // start of the last extract; its header has it, except in a merge
} compact_extracts;

// A chunk, and the chosen events. Everything is borrowed.
typedef struct compact_excerpt {
    // Has the constants of source->jfr (compact_view_open_constants, without a policy). An extract
    // marks constants in the view, so each extract needs a new view.
    compact_view *view;
    const compact_source *source; // only jfr and the members for a merge are used
    const uint32_t *offsets;      // of events, ascending
    size_t count;
    const jfr_chunk_info *next; // the session's next chunk, extracted or not; NULL: unknown
} compact_excerpt;

// compact_extract writes the events into *out_result, whose carry stays NULL. The first extract of
// a session describes all event types (write.h).
//
// Owns:   the caller ends *out_result with compact_result_fini, also after an error.
// Errors: LP_ECORRUPT if the chunk is not the one that was added to the merge; LP_ENOMEM
LP_MUST_USE lp_err compact_extract(compact_extracts *session, const compact_excerpt *excerpt,
    compact_result *out_result, lp_problem *out_problem);
