// SPDX-License-Identifier: Apache-2.0
// rollup_contexts: counts the contexts of the Loupe API for the rollup of a chunk. Each is counted
// once, in the chunk whose window it ends in: then its duration is known, and whether it is kept.
// Where its time went is counted with each chunk that has a part of it. Its ids are noted with all
// of these, and where the session ends even if the context is open.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_rollup_make.c, tests/prop/test_rollup_prop.c

#ifndef LP_ENGINE_JOB_ROLLUP_CONTEXTS_H
#define LP_ENGINE_JOB_ROLLUP_CONTEXTS_H

#include "engine/contexts/contexts.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"
#include "engine/read/context_sums.h"

enum {
    // Of so many kept contextual events of a chunk, and of so many parts of contexts, the time is
    // divided by category; where there are more, of every second, third and so on.
    COMPACT_ROLLUP_DIVIDED_MAX = 1024,
};

// compact_rollup_stride returns which of so many are divided: each, every second, ...
static inline size_t
compact_rollup_stride(size_t count)
{
    return count <= COMPACT_ROLLUP_DIVIDED_MAX
               ? 1
               : (count + COMPACT_ROLLUP_DIVIDED_MAX - 1) / COMPACT_ROLLUP_DIVIDED_MAX;
}

// compact_rollup_contexts_count counts in frame->view->sums, and lists there the parts of which the
// time is to be divided. known are the contexts of the new carry, which come first among those of
// frame, before any of them is forgotten; parts are what was decided. Where memory runs out, the
// arena of the sums fails.
void compact_rollup_contexts_count(
    const compact_frame *frame, const compact_contexts *known, const compact_parts *parts);

#endif // LP_ENGINE_JOB_ROLLUP_CONTEXTS_H
