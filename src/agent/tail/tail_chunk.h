// SPDX-License-Identifier: Apache-2.0
// tail_chunk: one chunk file that the JVM may still be writing.
//
// The JVM publishes flushed bytes by rewriting the header: first the state byte with a guard value,
// then everything with the new size. Bytes below the published size never change again; bytes above
// it are incomplete. So a header counts when two reads of it agree and neither shows the guard.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/tail/test_tail.c

#ifndef LP_AGENT_TAIL_TAIL_CHUNK_H
#define LP_AGENT_TAIL_TAIL_CHUNK_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/jfr/jfr_chunk.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tail_chunk {
    int fd;
    uint8_t header[JFR_CHUNK_HEADER_SIZE]; // the last valid one
    jfr_chunk_info info;                   // of header
    uint64_t published_bytes;              // readable; 0 before the first flush
    uint64_t copied_bytes;                 // already read
    bool is_finished;                      // no other header follows
} tail_chunk;

// Opens fd as a chunk, once the JVM has written its header.
// Owns:   on LP_OK the chunk owns fd; tail_chunk_close closes it
// Errors: LP_EEND     no header yet
//         LP_EAGAIN   the header is being rewritten
//         LP_EVERSION not 2.x, or a version without flushes
//         LP_ECORRUPT not a chunk; LP_EIO
LP_MUST_USE lp_err tail_chunk_open(int fd, tail_chunk *out_chunk);

void tail_chunk_close(tail_chunk *chunk);

// Reads the header again, for newly published bytes.
// Errors: LP_EAGAIN, LP_EIO, LP_ECORRUPT: the chunk is unchanged
LP_MUST_USE lp_err tail_chunk_refresh(tail_chunk *chunk);

// Appends the next bytes, at most size_max, to out, and advances. The first 68 bytes are the last
// valid header, not the current content of the file.
// Errors: LP_EEND if nothing published is left; LP_EIO; LP_ECORRUPT if the file is too short;
//         LP_ENOMEM
LP_MUST_USE lp_err tail_chunk_copy(tail_chunk *chunk, size_t size_max, lp_buf *out);

#endif // LP_AGENT_TAIL_TAIL_CHUNK_H
