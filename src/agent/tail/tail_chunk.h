// SPDX-License-Identifier: Apache-2.0
// tail_chunk: one chunk file that the JVM may still be writing.
//
// The JVM publishes the bytes that it has flushed by rewriting the header: first the state byte
// with a guard value, then everything with the new size. Bytes below the published size never
// change again, those above it exist but are incomplete. So a header counts when two reads of it
// agree and neither shows the guard.
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
    uint8_t header[JFR_CHUNK_HEADER_SIZE]; // the last one that counted
    jfr_chunk_info info;                   // its content
    uint64_t published_bytes;              // that may be read; 0 before the first flush
    uint64_t copied_bytes;                 // of them, that have been read
    bool is_finished;                      // no header will follow
} tail_chunk;

// tail_chunk_open makes a chunk of fd once the JVM has written its header.
// Owns:   on LP_OK the chunk owns fd and ends with tail_chunk_close.
// Errors: LP_EEND     no header yet
//         LP_EAGAIN   the header is being rewritten
//         LP_EVERSION not a version that is published while it is written, or not 2.x at all
//         LP_ECORRUPT not a chunk; LP_EIO
LP_MUST_USE lp_err tail_chunk_open(int fd, tail_chunk *out_chunk);

void tail_chunk_close(tail_chunk *chunk);

// tail_chunk_refresh reads the header again, for bytes that were published since.
// Errors: LP_EAGAIN, LP_EIO, LP_ECORRUPT: the chunk is as before
LP_MUST_USE lp_err tail_chunk_refresh(tail_chunk *chunk);

// tail_chunk_copy appends the next bytes to out, size_max at most, and moves on. The first 68 bytes
// are the last header that counted, not what the file happens to hold at the moment.
// Errors: LP_EEND nothing published is left; LP_EIO, LP_ECORRUPT if the file is too short;
// LP_ENOMEM
LP_MUST_USE lp_err tail_chunk_copy(tail_chunk *chunk, size_t size_max, lp_buf *out);

#endif // LP_AGENT_TAIL_TAIL_CHUNK_H
