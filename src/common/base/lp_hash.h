// SPDX-License-Identifier: Apache-2.0
// lp_hash: hashes of bytes and of numbers. Choose the seed by use:
//
//   lp_hash_seed()   for tables whose keys come from outside (JVMs, recordings, agents, files). It
//                    differs in each process, so no sender can choose colliding keys. Never let
//                    output depend on it
//   LP_HASH_FIXED    for output, files and messages. The hash is the same on every machine and in
//                    every version. A sender can choose bytes with a given hash
//
// A hash may seed the next one: the result is the hash of both inputs in order.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include "common/base/lp_slice.h"

#include <stdint.h>

static const uint64_t LP_HASH_FIXED = 0;
static const uint64_t LP_HASH_FIXED_NUMBER = 0x9e3779b97f4a7c15u; // odd, for lp_hash_number

// lp_hash_seed returns a random odd number that stays the same for the process.
uint64_t lp_hash_seed(void);

// lp_hash_bytes returns XXH3, 64 bits.
uint64_t lp_hash_bytes(uint64_t seed, lp_slice bytes);

// lp_hash_text hashes text without its NUL.
uint64_t lp_hash_text(uint64_t seed, const char *text);

typedef struct lp_hash_wide {
    uint64_t high;
    uint64_t low;
} lp_hash_wide;

// lp_hash_bytes_wide returns XXH3, 128 bits.
lp_hash_wide lp_hash_bytes_wide(uint64_t seed, lp_slice bytes);

// lp_hash_run hashes bytes that come in pieces, as lp_hash_bytes with LP_HASH_FIXED would hash all
// of them.
typedef struct lp_hash_run lp_hash_run;

// lp_hash_run_create begins with no bytes. NULL if memory ran out.
lp_hash_run *lp_hash_run_create(void);
void lp_hash_run_destroy(lp_hash_run *run);
void lp_hash_run_clear(lp_hash_run *run);
void lp_hash_run_add(lp_hash_run *run, lp_slice bytes);
uint64_t lp_hash_run_get(const lp_hash_run *run);

// lp_hash_number returns the hash of a number, for tables in memory: the folded halves of a
// product. XXH3 of eight bytes takes several times as many instructions, and each event of a chunk
// looks up several numbers. seed is odd, as lp_hash_seed is.
static inline uint64_t
lp_hash_number(uint64_t seed, uint64_t number)
{
    unsigned __int128 product = (unsigned __int128)(number ^ seed) * seed;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}
