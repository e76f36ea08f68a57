// SPDX-License-Identifier: Apache-2.0
// output: the bytes of an output chunk, and its events by type.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"
#include "engine/read/view.h"
#include "engine/types.h"

#include <stddef.h>
#include <stdint.h>

typedef struct compact_borrowed {
    size_t at; // before this offset of the output's own bytes
    lp_slice bytes;
} compact_borrowed;

typedef struct compact_output {
    lp_buf jfr;
    LP_VEC(compact_borrowed) borrowed; // from the source, by at; if frame->is_in_pieces
    size_t borrowed_bytes;
    lp_arena arena;             // of the arrays below, and of the steps of writing
    compact_amount *by_type;    // by type of view
    compact_amount *by_context; // by frame->types; each context counts in one chunk
    uint64_t *lost_contexts;    // not written, by frame->types; last: of unknown types
    uint64_t unwritable_parts;  // their thread or type is unknown, or their values are damaged
} compact_output;

// The caller ends *out with compact_output_fini, also after an error. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_output_init(
    compact_output *out, size_t view_type_count, size_t context_type_count);
void compact_output_fini(compact_output *output);

// compact_output_borrow appends bytes of the source without a copy.
void compact_output_borrow(compact_output *output, lp_slice bytes);

static inline size_t
compact_output_size(const compact_output *output)
{
    return output->jfr.len + output->borrowed_bytes;
}

// compact_output_take moves the bytes to result, in pieces if some are borrowed. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_output_take(compact_output *output, compact_result *result);

// compact_output_err returns LP_ENOMEM if a write failed; else LP_OK.
LP_MUST_USE lp_err compact_output_err(const compact_output *output);
