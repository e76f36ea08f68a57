// SPDX-License-Identifier: Apache-2.0

// unpack_limit: how many bytes of JFR chunks may be unpacked out of journals. A frame of 60 bytes
// may stand for a million, and a batch may say that it begins a gigabyte behind the one before:
// what that costs has to be in proportion to what was sent.
//
//   what is unpacked     so much in any case            and for each byte of its journals
//   a chunk              UNPACK_LIMIT_CHUNK_BYTES       UNPACK_LIMIT_RATIO, up to
//   UNPACK_LIMIT_BYTES_MAX all at a time of a   UNPACK_LIMIT_SESSION_BYTES     UNPACK_LIMIT_RATIO
//   session
//
// JFR begins a new chunk after 12 MB unless it is told otherwise, and its bytes shrink to a third;
// events with a long text that is always the same to a 200th. So a chunk of an agent reaches
// neither limit, however large. Context records need none: a byte cannot stand for more than
// CTX_PACK_RATIO_MAX.
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/chunks/test_unpack_limit.c

#ifndef LP_COLLECTOR_SERVER_UNPACK_LIMIT_H
#define LP_COLLECTOR_SERVER_UNPACK_LIMIT_H

#include <stdint.h>

enum {
    UNPACK_LIMIT_RATIO = 256,
    // With what its compaction takes (chunk_task.h) it fits the part of --memory that jobs have.
    UNPACK_LIMIT_CHUNK_BYTES = 48 << 20,
    UNPACK_LIMIT_SESSION_BYTES = 256 << 20,
    UNPACK_LIMIT_BYTES_MAX = 1 << 30, // of a chunk, and of the context records of a chunk
};

static inline uint64_t
unpack_limit_add(uint64_t free_bytes, uint64_t journal_bytes)
{
    return journal_bytes < UINT64_MAX / UNPACK_LIMIT_RATIO - free_bytes
               ? free_bytes + UNPACK_LIMIT_RATIO * journal_bytes
               : UINT64_MAX;
}

// unpack_limit_chunk returns the limit of a chunk whose journal has so many bytes.
static inline uint64_t
unpack_limit_chunk(uint64_t journal_bytes)
{
    uint64_t bytes = unpack_limit_add(UNPACK_LIMIT_CHUNK_BYTES, journal_bytes);
    return bytes < UNPACK_LIMIT_BYTES_MAX ? bytes : UNPACK_LIMIT_BYTES_MAX;
}

// unpack_limit_session returns that of all chunks that are unpacked at a time, whose journals have
// so many bytes.
static inline uint64_t
unpack_limit_session(uint64_t journal_bytes)
{
    return unpack_limit_add(UNPACK_LIMIT_SESSION_BYTES, journal_bytes);
}

#endif // LP_COLLECTOR_SERVER_UNPACK_LIMIT_H
