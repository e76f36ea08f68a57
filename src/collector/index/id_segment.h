// SPDX-License-Identifier: Apache-2.0
// id_segment: a file that says which chunks have contexts with an id: the hashes of ids in order,
// each with its chunk. It is written once and never changed.
//
//   magic      8 bytes: "LPIDSEG", and the version 1
//   entries    u64, how many
//   from, to   i64 each, ns of wall time: all chunks start in [from, to]
//   chunks     u32, how many, and 4 bytes that are 0
//   hashes     u64 each, in order
//   numbers    u32 each, parallel to hashes: which of the chunks
//   chunks     20 bytes each: session id (16 bytes), ordinal (u32)
//
// Numbers have the byte order of the machine, as everything in the collector's directory that is
// mapped.
//
// All bits of a hash matter alike, so a hash is found by its share of the range in a few steps:
// each touches one page of the file.
//
// Threads: any, once it is open.
// Tests:   tests/unit/collector/index/test_id_segment.c
// Memory:  the file is mapped: 12 bytes for each entry. Writing one takes a copy of its entries,
//          merging a buffer.

#ifndef LP_COLLECTOR_INDEX_ID_SEGMENT_H
#define LP_COLLECTOR_INDEX_ID_SEGMENT_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_SEGMENT_SESSION_BYTES = 16,
    ID_SEGMENT_MERGED_MAX = 4096, // segments that are merged into one
};

typedef struct id_segment_chunk {
    uint8_t session[ID_SEGMENT_SESSION_BYTES];
    uint32_t ordinal;
} id_segment_chunk;

typedef struct id_segment_session {
    char text[2 * ID_SEGMENT_SESSION_BYTES + 1]; // hex digits
} id_segment_session;

// id_segment_get_session returns the id of a chunk's session as everybody else has it.
id_segment_session id_segment_get_session(const id_segment_chunk *chunk);

typedef struct id_segment_entry {
    uint64_t hash;
    uint32_t chunk; // index of the chunks
} id_segment_entry;

// What a segment is made of; borrowed.
typedef struct id_segment_content {
    const id_segment_entry *entries; // in any order
    size_t entry_count;
    const id_segment_chunk *chunks;
    uint32_t chunk_count;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
} id_segment_content;

typedef struct id_segment id_segment;

// id_segment_write and id_segment_merge write a file in dir_fd: under a temporary name first, so
// that it is there whole or not at all. merge writes all that the segments have.
// Errors: LP_EIO, and errno; LP_ENOMEM; LP_ELIMIT for more chunks, or segments, than there may be
LP_MUST_USE lp_err id_segment_write(
    int dir_fd, const char *name, const id_segment_content *content);
LP_MUST_USE lp_err id_segment_merge(
    int dir_fd, const char *name, id_segment *const *segments, size_t count);

// id_segment_open maps a file.
// Errors: LP_ECORRUPT it is no segment, or cut short; LP_ENOENT, LP_EIO, and errno; LP_ENOMEM
LP_MUST_USE lp_err id_segment_open(int dir_fd, const char *name, id_segment **out_segment);

// A segment is counted; the last reference unmaps it.
id_segment *id_segment_ref(id_segment *segment);
void id_segment_unref(id_segment *segment);

uint64_t id_segment_entry_count(const id_segment *segment);

// id_segment_has_time returns whether a chunk of it may start in [from, to).
bool id_segment_has_time(const id_segment *segment, int64_t from_wall_ns, int64_t to_wall_ns);

// id_segment_find calls on_chunk for each chunk with this hash, in no order, and returns how many
// entries it is; one may be there twice. chunk is lent until on_chunk returns.
size_t id_segment_find(const id_segment *segment, uint64_t hash,
    void (*on_chunk)(void *arg, const id_segment_chunk *chunk), void *arg);

// id_segment_chunks returns all chunks, lent as long as the segment.
const id_segment_chunk *id_segment_chunks(const id_segment *segment, uint32_t *out_count);

#endif // LP_COLLECTOR_INDEX_ID_SEGMENT_H
