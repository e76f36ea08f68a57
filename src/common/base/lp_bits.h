// SPDX-License-Identifier: Apache-2.0
// lp_bits: counts the set bits of a word without a CPU instruction, as our x86-64 baseline has
// none.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/common/jfr/test_jfr_block.c

#pragma once

#include <stdint.h>

// lp_bits_sums returns a running count of the set bits: byte i of the result counts those in bytes
// 0 to i of word. The highest byte is the total.
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
