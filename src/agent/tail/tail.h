// SPDX-License-Identifier: Apache-2.0
// tail: follows the JVM's JFR repository and returns, chunk after chunk in order of time, the bytes
// that the JVM has published.
//
// Every chunk file is opened as soon as it appears and stays open until it is read: the JVM deletes
// its repository milliseconds after it has finished the last chunk, and old chunks whenever its own
// limits say so, and an open descriptor survives that. What may pile up in this way while nobody
// reads has limits, over which the oldest chunk that was not begun is given up and counted.
//
// A chunk that was read is kept, so that it can be read again, until tail_release; it is the first
// to go where a limit is reached.
//
// Threads: one thread at a time.

#ifndef LP_AGENT_TAIL_TAIL_H
#define LP_AGENT_TAIL_TAIL_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/jfr/jfr_chunk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tail tail;

typedef struct tail_limits {
    size_t chunk_count_max;     // chunks open at a time
    uint64_t deleted_bytes_max; // that the JVM has deleted and open descriptors still keep on disk
} tail_limits;

static const tail_limits TAIL_LIMITS_DEFAULT = {
    .chunk_count_max = 128,
    .deleted_bytes_max = (uint64_t)256 << 20,
};

// Where reading stands.
typedef struct tail_place {
    uint64_t rank;         // of the chunk among all that were ever found; see tail_get_growing
    uint32_t chunk;        // its number among those given out: 0, 1, ... without gaps
    uint64_t offset;       // of the next byte in it
    int64_t start_wall_ns; // when the chunk began, by its header
} tail_place;

// A piece of a chunk.
typedef struct tail_piece {
    tail_place place;  // where it begins
    size_t size;       // 0: only the header is news
    bool begins_event; // what came before it ended where a header says
    bool has_header;   // the piece ends where header says: the chunk is readable up to here
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
} tail_piece;

typedef struct tail_counts {
    uint64_t dropped_chunks;
    uint64_t dropped_bytes; // published ones of chunks that were given up or could not be read
    uint64_t missed_chunks; // created and deleted before they could be opened, their size unknown
} tail_counts;

// Errors: LP_EIO if directory cannot be read; LP_ENOMEM
LP_MUST_USE lp_err tail_open(
    const char *directory, const tail_limits *limits, tail **out_tail, lp_problem *out_problem);

void tail_close(tail *tail);

// tail_move goes on in another directory, where the JVM puts its chunks from now on. Those of the
// old one that were not read yet stay.
// Errors: as of tail_open; then nothing has changed
LP_MUST_USE lp_err tail_move(tail *tail, const char *directory, lp_problem *out_problem);

// tail_get_fd is readable when a file has appeared and tail_look is due; -1: look from time to
// time.
int tail_get_fd(const tail *tail);

// tail_look finds the bytes that have been published. With is_forced it also finds new files that
// nothing has announced. tail_next returns no more than the last look found.
// Errors: LP_EIO, LP_ENOMEM: something may have been overlooked, the next look sees it
LP_MUST_USE lp_err tail_look(tail *tail, bool is_forced);

// tail_get_growing returns the rank of the first chunk that was not finished at the last look. A
// chunk below it was complete then: nothing that is recorded from now on belongs to it.
uint64_t tail_get_growing(const tail *tail);

// tail_find_place finds the chunk that tail_next goes on with; false when there is none. The chunk
// counts as begun then and is not given up any more.
bool tail_find_place(tail *tail, tail_place *out_place);

// tail_next appends the next piece, size_max bytes at most, to out.
// Errors: LP_EEND: nothing more for now. LP_ENOMEM
LP_MUST_USE lp_err tail_next(tail *tail, size_t size_max, lp_buf *out, tail_piece *out_piece);

// tail_release closes the chunks with numbers below end that were read completely.
void tail_release(tail *tail, uint32_t end);

// tail_go_back has tail_next go on with the start of the oldest chunk that is here of those with a
// number of at least from, and returns false if there is none. They keep their numbers.
bool tail_go_back(tail *tail, uint32_t from, uint32_t *out_number);

// tail_get_unread returns how many published bytes tail_next has not given out.
uint64_t tail_get_unread(const tail *tail);

tail_counts tail_get_counts(const tail *tail);

#endif // LP_AGENT_TAIL_TAIL_H
