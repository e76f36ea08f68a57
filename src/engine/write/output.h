// SPDX-License-Identifier: Apache-2.0
// output: the bytes of an output chunk, and what it has of each type.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_OUTPUT_H
#define LP_ENGINE_WRITE_OUTPUT_H

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"
#include "engine/read/view.h"
#include "engine/types.h"

#include <stddef.h>
#include <stdint.h>

// Bytes of the source.
typedef struct compact_borrowed {
    size_t at; // in the bytes of the output that are its own: before the one there
    lp_slice bytes;
} compact_borrowed;

typedef struct compact_output {
    lp_buf jfr;
    LP_VEC(compact_borrowed) borrowed; // ascending by at; only where frame->is_in_pieces
    size_t borrowed_bytes;
    lp_arena arena;             // of what the steps of writing make, and of the following
    compact_amount *by_type;    // parallel to the types of view
    compact_amount *by_context; // parallel to frame->types; each context is counted in one chunk
    uint64_t *lost_contexts;    // only, these and those that ought to be in it
    uint64_t unwritable_parts;  // their thread or type is not known, or their values are damaged
} compact_output;

// compact_output_init starts an output that is empty.
// Owns:   the caller ends *out with compact_output_fini, also after an error.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_output_init(
    compact_output *out, size_t view_type_count, size_t context_type_count);
void compact_output_fini(compact_output *output);

// compact_output_borrow appends bytes of the source, without a copy.
void compact_output_borrow(compact_output *output, lp_slice bytes);

static inline size_t
compact_output_size(const compact_output *output)
{
    return output->jfr.len + output->borrowed_bytes;
}

// compact_output_take moves the bytes to result, in pieces if any are borrowed. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_output_take(compact_output *output, compact_result *result);

// compact_output_err returns LP_ENOMEM if anything written failed.
LP_MUST_USE lp_err compact_output_err(const compact_output *output);

#endif // LP_ENGINE_WRITE_OUTPUT_H
