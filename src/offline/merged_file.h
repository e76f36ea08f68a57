// SPDX-License-Identifier: Apache-2.0
// merged_file: puts the chunks of several JVMs into one file in the order of their starts.
//
// Readers take that order for granted: the JDK's event streams end at the first chunk that starts
// after the time that is asked for. JMC ignores a chunk that starts at the same nanosecond as one
// before it, so such a chunk is made to start a nanosecond later, on the same clock.
//
// Threads: one thread at a time.
// Memory:  some bytes for each chunk; the chunks are in a temporary file (temp_file.h).

#ifndef LP_OFFLINE_MERGED_FILE_H
#define LP_OFFLINE_MERGED_FILE_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"

#include <stdint.h>

typedef struct merged_file {
    int fd; // temporary
    uint64_t size_bytes;
    LP_VEC(struct merged_chunk {
        jfr_chunk_info info;
        uint64_t offset; // in the temporary file
    })
    chunks;
} merged_file;

// Owns:   the caller ends *out_file with merged_file_close.
// Errors: LP_EIO
LP_MUST_USE lp_err merged_file_open(merged_file *out_file, lp_problem *out_problem);

// merged_file_close; a zeroed file is fine.
void merged_file_close(merged_file *file);

// merged_file_append takes a copy of a chunk whose ticks are nanoseconds. Errors: LP_EIO; LP_ENOMEM
LP_MUST_USE lp_err merged_file_append(merged_file *file, lp_slice chunk);

// merged_file_write writes all chunks to fd. Errors: LP_EIO, and errno; LP_ENOMEM
LP_MUST_USE lp_err merged_file_write(merged_file *file, int fd);

#endif // LP_OFFLINE_MERGED_FILE_H
