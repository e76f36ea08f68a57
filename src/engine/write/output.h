// SPDX-License-Identifier: Apache-2.0
// output: the bytes of an output chunk, and what it has of each type.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_OUTPUT_H
#define LP_ENGINE_WRITE_OUTPUT_H

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "engine/read/view.h"

#include <stddef.h>
#include <stdint.h>

typedef struct compact_output {
    lp_buf jfr;
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

// compact_output_err returns LP_ENOMEM if anything written failed.
LP_MUST_USE lp_err compact_output_err(const compact_output *output);

#endif // LP_ENGINE_WRITE_OUTPUT_H
