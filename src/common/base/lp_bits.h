// SPDX-License-Identifier: Apache-2.0
// lp_bits: how many bits of a word are set. The x86-64 that we compile for has no instruction for
// it.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/common/jfr/test_jfr_block.c

#ifndef LP_COMMON_BASE_LP_BITS_H
#define LP_COMMON_BASE_LP_BITS_H

#include <stdint.h>

// lp_bits_sums returns how many bits are set up to each 8th of the word, with that: the lowest
// 8th's in the lowest byte, those of all in the highest.
static inline uint64_t
lp_bits_sums(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return word * 0x0101010101010101u;
}

static inline unsigned
lp_bits_count(uint64_t word)
{
    return (unsigned)(lp_bits_sums(word) >> 56);
}

#endif // LP_COMMON_BASE_LP_BITS_H
