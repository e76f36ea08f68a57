// SPDX-License-Identifier: Apache-2.0
// chance: random numbers for samples, the same on every machine.
//
// Each slot of a sampler has its own sequence of numbers, which follows from the slot's number. So
// draws in one slot do not depend on draws in another.
//
// Threads: one thread at a time for each chance.
// Tests:   tests/unit/engine/sample/test_choose.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_chance {
    uint64_t state;
} compact_chance;

// compact_chance_next returns the next number (splitmix64).
static inline uint64_t
compact_chance_next(compact_chance *chance)
{
    chance->state += 0x9e3779b97f4a7c15u;
    uint64_t z = chance->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// compact_chance_start returns the start of sequence `number` for this seed.
static inline compact_chance
compact_chance_start(uint64_t seed, int64_t number)
{
    compact_chance of_number = {(uint64_t)number};
    return (compact_chance){seed ^ compact_chance_next(&of_number)};
}

// compact_chance_is returns true with the probability part / whole. 0 < whole, part <= whole
static inline bool
compact_chance_is(compact_chance *chance, uint64_t part, uint64_t whole)
{
    uint64_t below = (uint64_t)((unsigned __int128)compact_chance_next(chance) * whole >> 64);
    return below < part;
}
