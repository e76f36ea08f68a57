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

#include <stdatomic.h>
#include <stdint.h>

enum {
    CTX_RINGS_UNIT_BYTES = 8, // positions count units, so that 32 bits are enough
    CTX_RINGS_RING_BYTES = 256 * 1024,
    CTX_RINGS_RING_UNITS = CTX_RINGS_RING_BYTES / CTX_RINGS_UNIT_BYTES,
    CTX_RINGS_END_UNITS = CTX_RECORD_HEADER_BYTES / CTX_RINGS_UNIT_BYTES,
    CTX_RINGS_BUCKET_CELLS = 8, // one cache line
    CTX_RINGS_BUCKET_BITS = 11, // buckets of a stripe
    CTX_RINGS_CELL_TYPE_BITS = CTX_ATTRIBUTES_MAX,
    CTX_RINGS_STRIPES_MIN = 16,
    CTX_RINGS_STRIPES_MAX = 256,
    CTX_RINGS_STRIPES_PER_PROCESSOR = 4,
};

// A type has at least one attribute, so there is a bit in a cell for each type there can be.
_Static_assert(CTX_RINGS_CELL_TYPE_BITS <= 8, "a cell keeps eight bits for types");

// The control words of a stripe; the words that different parties write lie apart.
typedef struct ctx_rings_control {
    // Low half: position at which the next record begins, in units, wrapping. High half: how many
    // contexts are open after all records before it. Writers change it by compare-and-set.
    _Alignas(128) _Atomic uint64_t head;
    // Position up to which records were drained and their bytes zeroed. Only the drain writes it.
    _Alignas(128) _Atomic uint32_t tail;
    // Counters that writers add to.
    _Alignas(128) _Atomic uint64_t contexts_dropped;
    _Atomic uint64_t values_cut;
} ctx_rings_control;

_Static_assert(sizeof(ctx_rings_control) == 384, "layout shared with Java");

// What a writer has to know. A thread with id t belongs to the stripe and bucket
//
//   h = t * 0x9e3779b97f4a7c15 (mod 2^64)
//   stripe = the first stripe_bits bits of h, bucket = the next CTX_RINGS_BUCKET_BITS bits
//
// A bucket has CTX_RINGS_BUCKET_CELLS cells of 8 bytes. A cell is 0, or t << 8 | open, where bit
// (type id - 1) of open says that thread t has a context of that type open. Only thread t changes a
// cell that holds t; an empty cell is taken by compare-and-set. A thread keeps its cell while a
// context is open, one that is not virtual to its end.
typedef struct ctx_rings_layout {
    ctx_rings_control *controls; // one for each stripe
    _Atomic uint64_t *cells;     // [stripe][bucket][cell]
    uint8_t *rings; // ring of stripe s at s * 2 * CTX_RINGS_RING_BYTES, mapped twice back to back
    uint32_t stripe_bits;
} ctx_rings_layout;

typedef struct ctx_rings ctx_rings;

// Totals since the start.
typedef struct ctx_rings_counts {
    uint64_t contexts_taken;
    uint64_t contexts_dropped; // the ring of the thread was full
    uint64_t values_cut;       // strings over CTX_VALUE_BYTES_MAX
} ctx_rings_counts;

// ctx_rings_create reserves the memory of all stripes, sized by the number of processors.
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err ctx_rings_create(ctx_rings **out_rings);

// ctx_rings_destroy is for tests: in a JVM the rings stay.
void ctx_rings_destroy(ctx_rings *rings);

const ctx_rings_layout *ctx_rings_get_layout(const ctx_rings *rings);

// ctx_rings_drain appends every complete record to out, without CTX_RECORD_PAD, and frees its
// place. Records of one thread come in order. It stops in each stripe at the first record that a
// thread has reserved but not finished; that one comes with a later drain. Errors: LP_ENOMEM, when
// out cannot grow: nothing is lost, the rest stays in the rings.
LP_MUST_USE lp_err ctx_rings_drain(ctx_rings *rings, lp_buf *out);

ctx_rings_counts ctx_rings_get_counts(const ctx_rings *rings);

#endif // LP_AGENT_CONTEXT_CTX_RINGS_H
