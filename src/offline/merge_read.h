// SPDX-License-Identifier: Apache-2.0
// merge_read: the first pass over recordings of several JVMs, which reads the types and the
// enumerations of all chunks into a merge.
//
// The result does not depend on the number of threads (crew_read.h).
//
// Threads: merge_read starts its own and ends them.
// Memory:  the constants of one chunk per thread.

#ifndef LP_OFFLINE_MERGE_READ_H
#define LP_OFFLINE_MERGE_READ_H

#include "common/base/lp_err.h"
#include "engine/write/merge.h"
#include "offline/inputs.h"

// merge_read adds the readable chunks of in to merge; the pass that compacts them reports the
// others. rules is their policy. threads: 1 to CREW_THREADS_MAX.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err merge_read(
    const inputs *in, const policy *rules, unsigned threads, compact_merge *merge);

#endif // LP_OFFLINE_MERGE_READ_H
