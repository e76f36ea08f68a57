// SPDX-License-Identifier: Apache-2.0
// merged_file: writes the chunks of several JVMs into one file, ordered by start.
//
// Readers rely on that order: the JDK's event streams end at the first chunk that starts after the
// requested time. JMC ignores a chunk that starts at the same nanosecond as an earlier one, so the
// start of such a chunk moves by a nanosecond, on the same clock.
//
// If the chunks are expected in order, they go straight into the output. Otherwise they go into a
// temporary file (temp_file.h) and are copied from there. An output whose chunks came out of order
// after all is sorted by way of a temporary file.
//
// Threads: one thread at a time.
// Memory:  some bytes for each chunk.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "engine/write/merge.h"
#include "offline/inputs.h"

#include <stdbool.h>
#include <stdint.h>

// merge_read is the first pass over recordings of several JVMs. It adds the readable chunks of `in`
// to merge; the second pass, which compacts the chunks, reports the unreadable ones. rules is the
// policy of all chunks. merge_read starts threads of its own: at most `threads`, 1 to
// CREW_THREADS_MAX. The result does not depend on their number (crew_read.h).
// Memory: the constants of one chunk per thread.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err merge_read(
    const inputs *in, const policy *rules, unsigned threads, compact_merge *merge);

typedef struct merged_file {
    int output;    // borrowed
    int temporary; // 0: chunks go into the output
    uint64_t size_bytes;
    LP_VEC(struct merged_chunk {
        jfr_chunk_info info;
        uint64_t offset; // in temporary, else in output
        bool is_moved;   // its start was moved
    })
    chunks;
} merged_file;

// merged_file_open starts a merge into output. is_in_order means that the chunks are expected in
// order and that output is an empty regular file that no other process uses.
// Owns:   output is borrowed; the caller ends *out_file with merged_file_close.
// Errors: LP_EIO if the disk has no room for temporary files
LP_MUST_USE lp_err merged_file_open(
    int output, bool is_in_order, merged_file *out_file, lp_problem *out_problem);

// merged_file_close closes the temporary file. A zeroed file is fine.
void merged_file_close(merged_file *file);

// merged_file_append copies a chunk whose ticks are nanoseconds. Errors: LP_EIO, and errno;
// LP_ENOMEM
LP_MUST_USE lp_err merged_file_append(merged_file *file, lp_slice chunk);

// merged_file_finish completes output with all chunks in order. Append nothing afterwards.
// Errors: LP_EIO; *out_problem says whether the output or the temporary file is the reason
LP_MUST_USE lp_err merged_file_finish(merged_file *file, lp_problem *out_problem);
