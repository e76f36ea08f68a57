// SPDX-License-Identifier: Apache-2.0
// lp_hash: FNV-1a, 64 bits: a hash of bytes that is the same on every machine and in every version.
// Who chooses the bytes can choose the hash.
//
//   uint64_t hash = lp_hash_bytes(LP_HASH_START, name);
//   hash = lp_hash_bytes(hash, value); // that of both, one after the other
//
// Threads: a pure function.
// Tests:   tests/unit/common/base/test_lp_base.c

#ifndef LP_COMMON_BASE_LP_HASH_H
#define LP_COMMON_BASE_LP_HASH_H

#include "common/base/lp_slice.h"

static const uint64_t LP_HASH_START = 0xcbf29ce484222325u;

static inline uint64_t
lp_hash_bytes(uint64_t hash, lp_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        hash = (hash ^ bytes.ptr[i]) * 0x100000001b3u;
    }
    return hash;
}

#endif // LP_COMMON_BASE_LP_HASH_H
