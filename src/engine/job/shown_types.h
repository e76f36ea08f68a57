// SPDX-License-Identifier: Apache-2.0

// shown_types: the types of contexts as the output describes them: RecordingContexts, which have no
// attributes in records, get one for each key.
//
// Threads: one thread at a time for each frame.
// Tests:   tests/unit/engine/contexts/test_recordings.c

#ifndef LP_ENGINE_JOB_SHOWN_TYPES_H
#define LP_ENGINE_JOB_SHOWN_TYPES_H

#include "common/base/lp_arena.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"

// compact_shown_types_make adds to the RecordingContexts of which the output shows anything the
// values of their entries, and returns the types, parallel to frame->types; NULL where nothing
// differs from these. contexts and recordings are those of frame; arena is the chunk's, which has
// the types. Errors: as of arena
const ctx_type *compact_shown_types_make(const compact_frame *frame, const compact_parts *parts,
    compact_recordings *recordings, compact_contexts *contexts, lp_arena *arena);

#endif // LP_ENGINE_JOB_SHOWN_TYPES_H
