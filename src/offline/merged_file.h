// SPDX-License-Identifier: Apache-2.0
// merged_file: puts the chunks of several JVMs into one file in the order of their starts.
//
// Readers take that order for granted: the JDK's event streams end at the first chunk that starts
// after the time that is asked for. JMC ignores a chunk that starts at the same nanosecond as one
// before it, so such a chunk is made to start a nanosecond later, on the same clock.
//
// Chunks that are expected in this order go straight into the output, others into a temporary file
// (temp_file.h), from which they are copied. An output whose chunks were expected in order and did
// not come so is put in order by way of a temporary file.
//
// Threads: one thread at a time.
// Memory:  some bytes for each chunk.

#ifndef LP_OFFLINE_MERGED_FILE_H
#define LP_OFFLINE_MERGED_FILE_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct merged_file {
    int output;    // borrowed
    int temporary; // 0: chunks go into the output
    uint64_t size_bytes;
    LP_VEC(struct merged_chunk {
        jfr_chunk_info info;
        uint64_t offset; // where it was put
        bool is_moved;   // it starts later than it came
    })
    chunks;
} merged_file;

// merged_file_open starts a merge into output. is_in_order means that output is a regular file,
// empty, to be read and written by nobody else, and that the chunks are expected in order.
// Owns:   output is borrowed; the caller ends *out_file with merged_file_close.
// Errors: LP_EIO, where there is no room for temporary files
LP_MUST_USE lp_err merged_file_open(
    int output, bool is_in_order, merged_file *out_file, lp_problem *out_problem);

// merged_file_close; a zeroed file is fine.
void merged_file_close(merged_file *file);

// merged_file_append takes a copy of a chunk whose ticks are nanoseconds. Errors: LP_EIO, and
// errno; LP_ENOMEM
LP_MUST_USE lp_err merged_file_append(merged_file *file, lp_slice chunk);

// merged_file_finish makes output hold all chunks, in order. Nothing is appended afterwards.
// Errors: LP_EIO; *out_problem says whether the output or the temporary file is the reason
LP_MUST_USE lp_err merged_file_finish(merged_file *file, lp_problem *out_problem);

#endif // LP_OFFLINE_MERGED_FILE_H
