// SPDX-License-Identifier: Apache-2.0
// id_object_old: version 1 of a segment of the index of ids (id_object.h), as stores have them from
// before version 2; nobody writes it any more. Who searches it has its whole head, and asks for the
// one block that may have an id:
//
//   head       magic       7 bytes, "LPIDOBJ", and the version 1
//              check       u64, of the rest of the head
//              head_bytes  u64
//              entries     u64, how many
//              from, to    i64 each, ns of wall time: all chunks start in [from, to]
//              sessions    u32, how many
//              blocks      u32, how many
//              filter_words u64, how many
//              filter      u64 each: a Bloom filter of all hashes
//              blocks      first hash (u64) and check (u64) of each
//              sessions    16 bytes each: an id
//   entries    hash (u64), session (u32), ordinal of the chunk (u32), by hash; a block is
//              ID_OBJECT_OLD_BLOCK_ENTRIES of them, the last one fewer
//
// Numbers are little-endian. A check is lp_hash_bytes of the bytes with LP_HASH_FIXED.
//
// An id that is not in a segment is taken for one that may be in 1 of 300 cases: 12 bits for each
// id and ID_OBJECT_OLD_FILTER_PROBES of them looked at.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/index/test_id_object_old.c

#ifndef LP_COLLECTOR_INDEX_ID_OBJECT_OLD_H
#define LP_COLLECTOR_INDEX_ID_OBJECT_OLD_H

#include "collector/index/id_object.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_OBJECT_OLD_BLOCK_ENTRIES = 1024,
    ID_OBJECT_OLD_FILTER_PROBES = 8,
    ID_OBJECT_OLD_VERSION = 1,
};

typedef struct id_object_old_header {
    char magic[7];
    uint8_t version;
    uint64_t check;
    uint64_t head_bytes;
    uint64_t entry_count;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    uint32_t session_count;
    uint32_t block_count;
    uint64_t filter_words;
} id_object_old_header;

typedef struct id_object_old_block {
    uint64_t first_hash;
    uint64_t check;
} id_object_old_block;

// A head that was checked; lent by its bytes.
typedef struct id_object_old {
    const id_object_old_header *header;
    const uint64_t *filter;
    const id_object_old_block *blocks;
    const id_object_session *sessions;
} id_object_old;

// id_object_old_open checks a head, whose bytes are aligned as a uint64_t is.
// Errors: LP_ECORRUPT, LP_EVERSION
LP_MUST_USE lp_err id_object_old_open(lp_slice head, id_object_old *out_object);

// id_object_old_may_have returns whether the filter has a hash.
bool id_object_old_may_have(const id_object_old *object, uint64_t hash);

// id_object_old_find returns the first of the blocks that may have a hash, and how many they are.
uint32_t id_object_old_find(const id_object_old *object, uint64_t hash, uint32_t *out_count);

id_object_place id_object_old_get_place(const id_object_old *object, uint32_t block);

// id_object_old_search calls on_chunk for each chunk of a block that has the hash, and some twice.
// chunk is lent until on_chunk returns. Errors: LP_ECORRUPT these are not the bytes of the block
LP_MUST_USE lp_err id_object_old_search(const id_object_old *object, uint32_t block, lp_slice bytes,
    uint64_t hash, void (*on_chunk)(void *arg, const id_segment_chunk *chunk), void *arg);

#endif // LP_COLLECTOR_INDEX_ID_OBJECT_OLD_H
