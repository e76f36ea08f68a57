// SPDX-License-Identifier: Apache-2.0
// choose: draws a sample of exactly `room` out of a population that is known as a whole.
//
// It is the ordered pivotal method (Deville and Tille 1998; Chauvet 2012): the chances of two
// neighbours meet, and one of the two takes as much of them as a chance may be, and the other what
// is left. So each has its chance, and of neighbours whose chances sum to 1 hardly ever two are
// chosen: the sample is spread as evenly over the population as it can be by chance.
//
// All numbers are integers, so that the count is exact and all machines draw the same sample.
//
// Threads: any thread; functions of their arguments.

#ifndef LP_ENGINE_SAMPLE_CHOOSE_H
#define LP_ENGINE_SAMPLE_CHOOSE_H

#include "engine/sample/chance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMPACT_CHOOSE_MAX = INT32_MAX }; // the largest population; no chunk has more events

// compact_choose_equal sets is_chosen, which has an element for each of count, up to
// COMPACT_CHOOSE_MAX, in their order: each has the same chance. Where there is room for all, all
// are chosen.
void compact_choose_equal(compact_chance *chance, uint64_t room, size_t count, bool *is_chosen);

// What is chosen by its bytes.
typedef struct compact_sized {
    uint64_t bytes;  // given
    uint64_t weight; // made: the bytes that it stands for; 0 if it is not chosen
    bool is_chosen;  // made
} compact_sized;

// compact_choose_sized chooses by bytes: the chance of each is room * bytes / all bytes; those for
// which that would be 1 or more are chosen, and the others share the room that is left, until it is
// below 1 for all. The bytes of each that is chosen, in parts of its chance, are its weight: that
// is the same for all that are not sure. The weights sum to the bytes of all, unless room is 0.
//
// spare has room for count numbers.
void compact_choose_sized(
    compact_chance *chance, uint64_t room, compact_sized *items, size_t count, uint64_t *spare);

#endif // LP_ENGINE_SAMPLE_CHOOSE_H
