// SPDX-License-Identifier: Apache-2.0

// ctx_open: which threads have contexts open, by the records that they wrote. For threads that
// nobody tells the end of, and that keep no such account themselves: virtual ones.
//
//   ctx_open_note(&open, &header); // each record, in the order of its thread
//
// Threads: one thread at a time.
// Memory:  8 bytes for each of CTX_OPEN_THREADS_MAX threads and as much again, reserved by
//          ctx_open_init and never more; only what is touched counts.

#ifndef LP_AGENT_CONTEXT_CTX_OPEN_H
#define LP_AGENT_CONTEXT_CTX_OPEN_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/context/ctx_record.h"

#include <stddef.h>
#include <stdint.h>

enum {
    CTX_OPEN_THREADS_MAX = 1 << 17, // of more, those that come later are not known
    CTX_OPEN_TYPE_BITS = 16,
};

typedef struct ctx_open {
    uint64_t *cells; // thread << CTX_OPEN_TYPE_BITS | open types; 0: free. By hash, closely packed
    size_t count;
    uint64_t unknown; // contexts that began when there was no cell left
} ctx_open;

// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_open_init(ctx_open *open);
void ctx_open_fini(ctx_open *open);

void ctx_open_note(ctx_open *open, const ctx_record_header *header);

// ctx_open_list appends 8 bytes for each thread: its id << CTX_OPEN_TYPE_BITS | a bit
// (type id - 1) for each context that is open. Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_open_list(const ctx_open *open, lp_buf *out);

#endif // LP_AGENT_CONTEXT_CTX_OPEN_H
