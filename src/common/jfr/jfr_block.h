// SPDX-License-Identifier: Apache-2.0
// jfr_block: finds where numbers (jfr_varint.h) end in a block of 64 bytes, all at once.
//
// A byte without continuation bit ends a number. The ninth byte of a long number is raw: it ends
// the number whatever its bits are. So the stops of a block are the ends of its numbers if a number
// begins at the block's first byte and jfr_block_has_raw is false. A number that ends behind the
// block has no stop.
//
// Threads: any thread.

#pragma once

#include "common/base/lp_bits.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { JFR_BLOCK_BYTES = 64 };

// jfr_block_stops_by_word is jfr_block_stops for machines without SSE2.
static inline uint64_t
jfr_block_stops_by_word(const uint8_t *at)
{
    uint64_t stops = 0;
    for (unsigned i = 0; i < JFR_BLOCK_BYTES; i += 8) {
        uint64_t word;
        memcpy(&word, at + i, sizeof(word));
        uint64_t bits = (~le64toh(word) & 0x8080808080808080u) >> 7;
        stops |= (bits * 0x0102040810204080u >> 56) << i; // joins the lowest bits of the 8 bytes
    }
    return stops;
}

// jfr_block_stops returns a bit for each byte, the first one lowest: set where there is no
// continuation bit.
static inline uint64_t
jfr_block_stops(const uint8_t *at)
{
#ifdef __SSE2__
    const __m128i *bytes = (const __m128i *)(const void *)at;
    uint32_t more[4];
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        more[i] = (uint32_t)_mm_movemask_epi8(_mm_loadu_si128(bytes + i));
    }
    return ~((uint64_t)(more[3] << 16 | more[2]) << 32 | (more[1] << 16 | more[0]));
#else
    return jfr_block_stops_by_word(at);
#endif
}

// jfr_block_has_raw returns whether eight bytes in a row have a continuation bit, so that the next
// one is raw.
static inline bool
jfr_block_has_raw(uint64_t stops)
{
    uint64_t more = ~stops;
    more &= more >> 1;
    more &= more >> 2;
    more &= more >> 4;
    return more != 0;
}

static inline unsigned
jfr_block_count(uint64_t stops)
{
    return lp_bits_count(stops);
}

// jfr_block_size returns how many bytes the first count numbers take; count is at most
// jfr_block_count(stops).
static inline unsigned
jfr_block_size(uint64_t stops, unsigned count)
{
    if (count == 0) {
        return 0;
    }
    uint64_t sums = lp_bits_sums(stops);
    // Finds the first byte with a sum of at least count. Bytes with lower sums borrow their high
    // bit.
    uint64_t reached = (sums | 0x8080808080808080u) - count * 0x0101010101010101u;
    unsigned begin = (unsigned)__builtin_ctzll(reached & 0x8080808080808080u) & ~7u;
    unsigned before = (unsigned)(sums << 8 >> begin & 0xff);
    uint64_t rest = stops >> begin;
    for (unsigned left = count - before; left > 1; left--) {
        rest &= rest - 1;
    }
    return begin + (unsigned)__builtin_ctzll(rest) + 1;
}
