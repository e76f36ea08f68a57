// SPDX-License-Identifier: Apache-2.0
// choose: draws a sample of exactly `room` items from a known population.
//
// It uses the ordered pivotal method (Deville and Tille 1998; Chauvet 2012). The chances of two
// neighbours are added up: one of the two gets up to a whole chance, the other the rest. Each item
// keeps its chance, and of neighbours whose chances sum to 1 two are hardly ever chosen. So the
// sample is spread as evenly over the population as chance allows.
//
// All numbers are integers, so that the count is exact and all machines draw the same sample.
//
// Threads: any thread.

#pragma once

#include "engine/sample/chance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMPACT_CHOOSE_MAX = INT32_MAX }; // the largest population; no chunk has more events

// compact_choose_equal sets the count elements of is_chosen. All have the same chance; if there is
// room for all, all are chosen.
void compact_choose_equal(compact_chance *chance, uint64_t room, size_t count, bool *is_chosen);

// An item that is chosen by its bytes.
typedef struct compact_sized {
    uint64_t bytes;  // given
    uint64_t weight; // result: the bytes that it stands for; 0 if it is not chosen
    bool is_chosen;  // result
} compact_sized;

// compact_choose_sized gives each item the chance room * bytes / all bytes. Items whose chance
// would be 1 or more are sure: they are chosen, and the others share the remaining room in the same
// way. The weight of a chosen item is bytes / chance: the same for all that are not sure. The
// weights sum to the bytes of all items, unless room is 0. spare has room for count numbers.
void compact_choose_sized(
    compact_chance *chance, uint64_t room, compact_sized *items, size_t count, uint64_t *spare);
