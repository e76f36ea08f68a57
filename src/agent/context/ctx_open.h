// SPDX-License-Identifier: Apache-2.0

// ctx_open: the threads that have contexts open, according to their records. For virtual threads:
// their end is not an event, and they keep no such account themselves.
//
//   ctx_open_note(&open, &header); // each record, in the order of its thread
//
// Threads: one thread at a time.
// Memory:  16 bytes for each of CTX_OPEN_THREADS_MAX threads and as much again, reserved by
//          ctx_open_init and never more; only what is touched counts.

#ifndef LP_AGENT_CONTEXT_CTX_OPEN_H
#define LP_AGENT_CONTEXT_CTX_OPEN_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/context/ctx_record.h"

#include <stddef.h>
#include <stdint.h>

enum {
    CTX_OPEN_THREADS_MAX = 1 << 17, // later threads are not recorded
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

#endif // LP_AGENT_CONTEXT_CTX_OPEN_H
