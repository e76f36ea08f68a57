// SPDX-License-Identifier: Apache-2.0
// chance: numbers for random test data, the same each time for the same seed.

#pragma once

#include <stdint.h>

// chance_below gives a number in [0, limit) and moves the seed on (splitmix64, which needs no seed
// to be a good one).
static inline uint64_t
chance_below(uint64_t *seed, uint64_t limit)
{
    *seed += 0x9e3779b97f4a7c15u;
    uint64_t z = *seed;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % limit;
}
