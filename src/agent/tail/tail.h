// SPDX-License-Identifier: Apache-2.0
// tail: follows the JVM's JFR repository and returns the published bytes, chunk after chunk in
// order of time.
//
// The tail opens every chunk file as soon as the file appears, and keeps it open until it is read:
// the JVM deletes its repository milliseconds after it has finished the last chunk, and old chunks
// according to its own limits. An open file survives this. Unread chunks have limits; over a limit
// the oldest chunk of which nothing was read is dropped and counted.
//
// Chunks that were read are kept until tail_release, so that they can be read again. Over a limit
// they are dropped first.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/jfr/jfr_chunk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tail tail;

typedef struct tail_limits {
    size_t chunk_count_max;     // chunks open at a time
    uint64_t deleted_bytes_max; // deleted by the JVM, and kept on disk by open descriptors
} tail_limits;

static const tail_limits TAIL_LIMITS_DEFAULT = {
    .chunk_count_max = 128,
    .deleted_bytes_max = (uint64_t)256 << 20,
};

// A position in a chunk.
typedef struct tail_place {
    uint64_t rank;         // of the chunk among all found chunks; see tail_get_growing
    uint32_t chunk;        // its number among the returned chunks: 0, 1, ... without gaps
    uint64_t offset;       // of the next byte in it
    int64_t start_wall_ns; // start of the chunk, from its header
} tail_place;

// A piece of a chunk.
typedef struct tail_piece {
    tail_place place;  // where it begins
    size_t size;       // 0: only the header is new
    bool begins_event; // the previous piece of the chunk ended with an event
    bool has_header;   // the chunk is readable up to the end of this piece, with this header
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
} tail_piece;

typedef struct tail_counts {
    uint64_t dropped_chunks;
    uint64_t dropped_bytes; // published bytes of chunks that were dropped or could not be read
    uint64_t missed_chunks; // deleted before they could be opened; their size is unknown
} tail_counts;

// Errors: LP_EIO if directory cannot be read; LP_ENOMEM
LP_MUST_USE lp_err tail_open(
    const char *directory, const tail_limits *limits, tail **out_tail, lp_problem *out_problem);

void tail_close(tail *tail);

// Continues in another directory, in which the JVM now writes its chunks. Unread chunks of the old
// directory stay. Errors: as tail_open: nothing has changed
LP_MUST_USE lp_err tail_move(tail *tail, const char *directory, lp_problem *out_problem);

// Returns a descriptor that is readable when a file has appeared: call tail_look then. -1: call
// tail_look at intervals.
int tail_get_fd(const tail *tail);

// Finds newly published bytes. If is_forced, it finds new files even without a notification.
// tail_next returns only bytes that the last look found. Errors: LP_EIO, LP_ENOMEM: the next look
// finds the rest
LP_MUST_USE lp_err tail_look(tail *tail, bool is_forced);

// Returns the rank of the first chunk that was unfinished at the last look. Chunks with lower ranks
// were complete then: no later record belongs to them.
uint64_t tail_get_growing(const tail *tail);

// Finds the position from which tail_next continues; false if there is none. From then on the chunk
// counts as begun and is not dropped.
bool tail_find_place(tail *tail, tail_place *out_place);

// Appends the next piece, at most size_max bytes, to out.
// Errors: LP_EEND if there is nothing more for now; LP_ENOMEM
LP_MUST_USE lp_err tail_next(tail *tail, size_t size_max, lp_buf *out, tail_piece *out_piece);

// Closes the chunks with numbers below end that were read completely.
void tail_release(tail *tail, uint32_t end);

// Goes back to the start of the oldest kept chunk with a number of at least from, and returns its
// number; false if there is none. Chunks keep their numbers.
bool tail_go_back(tail *tail, uint32_t from, uint32_t *out_number);

// Returns the number of published bytes that tail_next has not returned.
uint64_t tail_get_unread(const tail *tail);

tail_counts tail_get_counts(const tail *tail);
