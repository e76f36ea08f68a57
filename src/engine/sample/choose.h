// SPDX-License-Identifier: Apache-2.0
// choose: draws a sample of exactly `room` items from a known population.
//
// It uses the ordered pivotal method (Deville and Tille 1998; Chauvet 2012). Each step adds up the
// chances of two neighbouring items: one of the two gets the sum, up to 1, and the other the rest.
// This preserves the chance of each item. If the sum is at most 1, at most one of the two is
// chosen, so the sample is spread evenly over the population.
//
// All numbers are integers, so the count is exact and all machines draw the same sample.
//
// Threads: any thread.

#pragma once

#include "engine/sample/chance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMPACT_CHOOSE_MAX = INT32_MAX }; // the largest population; no chunk has more events

// compact_choose_equal draws `room` of `count` items with equal chances; all if room is at least
// count. It sets all count elements of is_chosen.
void compact_choose_equal(compact_chance *chance, uint64_t room, size_t count, bool *is_chosen);

// An item that is chosen by its bytes.
typedef struct compact_sized {
    uint64_t bytes;  // given
    uint64_t weight; // result: the bytes that it stands for; 0 if it is not chosen
    bool is_chosen;  // result
} compact_sized;

// compact_choose_sized gives each item the chance room * bytes / (bytes of all items). Items whose
// chance would be 1 or more are always chosen; the other items share the remaining room in the same
// way. The weight of a chosen item is bytes / chance, which is the same for all items that are not
// always chosen. The weights sum to the bytes of all items, unless room is 0. spare has room for
// count numbers.
void compact_choose_sized(
    compact_chance *chance, uint64_t room, compact_sized *items, size_t count, uint64_t *spare);
