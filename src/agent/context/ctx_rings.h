// SPDX-License-Identifier: Apache-2.0
// ctx_rings: the rings through which application threads hand context records to the agent.
//
// A ring has one writer at a time, so the only atomic operation of a write is the store that
// publishes it. The memory is allocated once and never freed while the JVM lives, so it outlives
// every thread. The writers are in Java (dev.loupe.internal.Rings) and use the layout below
// (ctx_layout.h); the C side only drains. docs/internals/agent.md#context-rings explains why this
// is correct.
//
// Threads: create and drain on agent threads, one at a time; ctx_rings_list_open on any thread. The
//          rings themselves are shared with application threads.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/context/ctx_pack.h"
#include "common/context/ctx_record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CTX_RINGS_RING_BYTES = 128 * 1024,
    // Kept free in a ring for the ends of contexts that began in other rings.
    CTX_RINGS_SLACK_BYTES = CTX_RINGS_RING_BYTES / 4,
    CTX_RINGS_OWN = 96,    // rings with an owner: a thread has one, or more in a burst
    CTX_RINGS_SHARED = 16, // rings that other threads take for one record each
    CTX_RINGS_COUNT = CTX_RINGS_OWN + CTX_RINGS_SHARED,
    CTX_RINGS_SPARE = CTX_RINGS_OWN / 4, // that threads may take during a nap of the drain
    CTX_RINGS_BUCKET_CELLS = 8,          // one cache line
    CTX_RINGS_BUCKET_BITS = 6,
    CTX_RINGS_CELL_BITS = 8, // of a cell: the ring's index
};

static const uint64_t CTX_RINGS_BUCKET_FACTOR = 0x9e3779b97f4a7c15;

_Static_assert(CTX_RINGS_COUNT <= 1 << CTX_RINGS_CELL_BITS, "a cell names a ring");

// How the owner of a ring writes its own records. Virtual threads that write into the ring always
// write as CTX_RINGS_UNKNOWN.
typedef enum ctx_rings_mode {
    CTX_RINGS_PLAIN,   // all records that it wrote into other rings were drained
    CTX_RINGS_LOOSE,   // its previous ring was full
    CTX_RINGS_UNKNOWN, // its records in other rings may wait; its open contexts are unknown
} ctx_rings_mode;

// The control words of a ring. Only its owner writes them, except for the tail.
typedef struct ctx_rings_control {
    // The id of the owning thread; 0: none. Taken by compare-and-set (acquire), returned by a store
    // (release).
    _Alignas(128) _Atomic int64_t owner;
    uint8_t *ring; // CTX_RINGS_RING_BYTES, mapped twice back to back; never changes
    // Position behind the last whole record, in bytes, wrapping. Stored last, with release.
    _Atomic uint32_t head;
    uint32_t mode;               // ctx_rings_mode
    uint64_t open;               // bit (type id - 1): a context of the owner is open; invalid if
                                 // CTX_RINGS_UNKNOWN
    _Atomic int64_t loose_ticks; // when the last loose record was written (CTX_RECORD_LOOSE)
    _Atomic uint64_t contexts_dropped;
    _Atomic uint64_t values_cut;
    uint64_t plain_from; // if loose: may be plain again once common.drains reaches this
    // Position up to which records were drained. Only the drain writes it.
    _Alignas(128) _Atomic uint32_t tail;
} ctx_rings_control;

_Static_assert(sizeof(ctx_rings_control) == 256, "two pairs of cache lines");

// The state that all rings share.
typedef struct ctx_rings_common {
    _Atomic int64_t is_short;          // not 0: a thread found no free ring
    _Atomic int64_t lost_from;         // ticks of the first end that could not be written; 0: none
    _Atomic uint64_t contexts_dropped; // there was no ring
    _Atomic uint64_t drains;           // how often all rings were drained
    _Atomic uint64_t full_at;          // 1 + the last value of drains at which no ring was empty
    _Atomic uint64_t is_napping;       // not 0: see ctx_rings_note_pause
} ctx_rings_common;

// The layout for writers. Platform threads have rings; a virtual thread writes into the ring of its
// carrier. To find the ring of the platform thread with id t, look in bucket
//
//   the first CTX_RINGS_BUCKET_BITS bits of t * CTX_RINGS_BUCKET_FACTOR (mod 2^64)
//
// which has CTX_RINGS_BUCKET_CELLS cells of 8 bytes. A cell is 0, or t << 8 | the ring's index. A
// thread takes an empty cell by compare-and-set; only thread t changes a cell that holds t. If a
// thread's ring is full, it may take another, empty ring, and leave its own to the drain.
typedef struct ctx_rings_layout {
    ctx_rings_control *controls; // CTX_RINGS_OWN, then CTX_RINGS_SHARED
    _Atomic uint64_t *cells;     // [bucket][cell]
    ctx_rings_common *common;
} ctx_rings_layout;

// --- ctx_open
//
// Tracks which threads have contexts open, according to their records. It is for virtual threads,
// which do not track this themselves and whose end is not an event.
//
//   ctx_open_note(&open, &header); // each record, in the order of its thread

enum {
    CTX_OPEN_THREADS_MAX = 1 << 17, // further threads are not tracked
};

typedef struct ctx_open_cell {
    uint64_t thread;
    uint64_t types; // bit (type id - 1) for each open context; 0: the cell is free
} ctx_open_cell;

typedef struct ctx_open {
    ctx_open_cell *cells; // by hash, closely packed
    size_t count;
    uint64_t unknown; // contexts that began when no cell was left
} ctx_open;

// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_open_init(ctx_open *open);
void ctx_open_fini(ctx_open *open);

void ctx_open_note(ctx_open *open, const ctx_record_header *header);

// Appends the ids, 8 bytes each, of the threads that have contexts open.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_open_list(const ctx_open *open, lp_buf *out);

typedef struct ctx_rings ctx_rings;

// Totals since the start.
typedef struct ctx_rings_counts {
    uint64_t contexts_taken;
    uint64_t contexts_dropped; // the ring of the thread was full, or there was none
    uint64_t values_cut;       // strings over CTX_VALUE_BYTES_MAX
    uint64_t ends_lost;        // how often lost ends made the drain end all contexts
} ctx_rings_counts;

// Reserves all memory. Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err ctx_rings_create(ctx_rings **out_rings);

// For tests: in a JVM the rings stay.
void ctx_rings_destroy(ctx_rings *rings);

const ctx_rings_layout *ctx_rings_get_layout(const ctx_rings *rings);

// Packs the complete records into out and frees their room in the rings. The records of one thread
// are in the order in which it wrote them. If a thread wrote into several rings, records that it
// wrote during this drain may wait for the next drain. If ends could not be written, a
// CTX_RECORD_THREAD_END for CTX_THREAD_ALL follows. Errors: LP_ENOMEM if out cannot grow: all
// records stay in the rings
LP_MUST_USE lp_err ctx_rings_drain(ctx_rings *rings, ctx_packer *out);

// Returns how full the rings were at the last drain: at 100 percent they are as full as they should
// become between two drains.
unsigned ctx_rings_get_load(const ctx_rings *rings);

// Returns whether the drain may nap: at the last drain, threads that fill their rings had others to
// go on in. Without these they would drop contexts.
bool ctx_rings_may_nap(const ctx_rings *rings);

// Notes that the next drain is due after the usual pause, or after a longer one: a nap. A thread
// that takes one of the last empty rings, or leaves a shared ring more than half full, ends a nap.
void ctx_rings_note_pause(ctx_rings *rings, bool is_nap);

// Appends the ids of the threads that wrote into other threads' rings and have contexts open,
// according to the drained records (ctx_open_list).
LP_MUST_USE lp_err ctx_rings_list_open(ctx_rings *rings, lp_buf *out);

ctx_rings_counts ctx_rings_get_counts(const ctx_rings *rings);
