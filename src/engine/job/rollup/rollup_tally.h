// SPDX-License-Identifier: Apache-2.0
// rollup_tally: counts requests of which nothing is kept for the rollup of a chunk. They become no
// compact_request: their durations, and the values of their attributes, are counted as numbers.
//
//   tally ─ type of requests ┬ durations, and durations by slice
//                            ├ attribute ─ value ─ durations
//                            └ type of parts ─ steps: which attributes its events have, and where
//
// The values of an attribute of a type of requests are numbered from 0 in the order in which they
// are met. An attribute with more than ROLLUP_VALUES_MAX values keeps none, so it is not read any
// more. A part whose attributes are all known or not read is not read, except for its type.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/request/test_request_omitted.c
// Memory:  8 KB for each attribute and 5 KB for each type of requests; 250 bytes for each value; 1
//          KB for each type of parts in a type of requests. At most 64 types of requests with 32
//          attributes, and 128 types of parts

#pragma once

#include "common/base/lp_arena.h"
#include "common/rollup/rollup.h"
#include "engine/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_rollup_tally compact_rollup_tally;

// A contextual event that is a part of a request.
typedef struct compact_rollup_part {
    int64_t begin; // ticks
    int64_t end;
    uint32_t span : 31; // index of the view's spans
    uint32_t is_kept : 1;
    uint32_t type; // the tally's own
} compact_rollup_part;

// compact_rollup_tally_create begins a tally for frame, which has sums. It borrows frame until its
// last use; arena owns it. NULL if memory ran out. Errors: in arena, here and below
compact_rollup_tally *compact_rollup_tally_create(const compact_frame *frame, lp_arena *arena);

// compact_rollup_tally_take counts a request by all of its parts, in the order in which they begin;
// the outer one first. Returns false, and counts nothing, if it has too many types or attributes
// for the tally.
bool compact_rollup_tally_take(
    compact_rollup_tally *tally, compact_rollup_part *parts, size_t count);

// compact_rollup_tally_add adds the counted requests to out, whose arena fails if memory runs out.
void compact_rollup_tally_add(const compact_rollup_tally *tally, rollup *out);
