// SPDX-License-Identifier: Apache-2.0

// ctx_rings: the striped rings through which application threads hand context records to the agent.
//
// Memory is allocated once and never freed while the JVM lives, so no thread can outlive it. The
// writers are in Java (dev.loupe.internal.Rings), which reserves and writes by the layout below;
// this side only drains. docs/internals/context-ring.md says why it is correct.
//
// Threads: create and drain on agent threads, one at a time; the rings themselves are shared with
//          application threads.

#ifndef LP_AGENT_CONTEXT_CTX_RINGS_H
#define LP_AGENT_CONTEXT_CTX_RINGS_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/context/ctx_record.h"

#include <stdint.h>

typedef struct ctx_rings ctx_rings;

// Totals since the start.
typedef struct ctx_rings_counts {
    uint64_t contexts_taken;
    uint64_t contexts_dropped; // the ring of the thread was full
    uint64_t values_cut;       // strings over CTX_VALUE_BYTES_MAX
} ctx_rings_counts;

// ctx_rings_create reserves the memory of all stripes, sized by the number of processors.
LP_MUST_USE lp_err ctx_rings_create(ctx_rings **out_rings);

// ctx_rings_drain appends every complete record to out, without CTX_RECORD_PAD, and frees its
// place. Records of one thread come in order. It stops in each stripe at the first record that a
// thread has reserved but not finished; that one comes with a later drain.
//
// Errors: LP_ENOMEM, when out cannot grow: nothing is lost, the rest stays in the rings.
LP_MUST_USE lp_err ctx_rings_drain(ctx_rings *rings, lp_buf *out);

ctx_rings_counts ctx_rings_get_counts(const ctx_rings *rings);

#endif // LP_AGENT_CONTEXT_CTX_RINGS_H
