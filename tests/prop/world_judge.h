// SPDX-License-Identifier: Apache-2.0
// world_judge: what the engine kept of a world, against what the naive decision keeps.

#pragma once

#include "support/jfr_read.h"
#include "world.h"

// world_is_like says whether two items look the same in the output: they cannot be told apart.
bool world_is_like(const world_item *it, const world_item *other);

// world_count_like counts the events of an output that look like an item.
size_t world_count_like(const world_item *it, const jfr_read *output);

// world_is_right says whether the outputs of a world's chunks hold what the naive decision keeps;
// if not, it prints the first difference.
bool world_is_right(const world *w, const jfr_read *outputs);
