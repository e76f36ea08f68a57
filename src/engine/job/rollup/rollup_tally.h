// SPDX-License-Identifier: Apache-2.0
// rollup_tally: counts requests for the rollup of a chunk from their events alone: their durations,
// and the values of their attributes as numbers. Of dropped ones no compact_request is made, and of
// kept ones no attributes are read as texts.
//
//   tally ─ type of requests ┬ durations, and durations by slice
//                            ├ exemplar of each bucket
//                            ├ attribute ─ value ─ durations
//                            └ type of parts ─ steps: which attributes its events have, and where
//
// Types and attributes with few values come from the rows of context_sums.h. An event is read only
// if an attribute has no row and is not known yet, or has too many values among all contexts of the
// type but not yet among the requests.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/request/test_request_omitted.c
// Memory:  10 KB for each attribute and 12 KB for each type of requests, 46 KB if some are kept;
//          250 to 500 bytes for each value; 5 KB for each type of parts in a type of requests. At
//          most 64 types of requests with 32 attributes, and 128 types of parts

#pragma once

#include "common/base/lp_arena.h"
#include "common/rollup/rollup.h"
#include "engine/frame.h"
#include "engine/job/rollup/tally_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_rollup_tally compact_rollup_tally;

// compact_rollup_tally_create begins a tally for frame, which has sums. It borrows frame until its
// last use; arena owns it. NULL if memory ran out. Errors: in arena, here and below
compact_rollup_tally *compact_rollup_tally_create(const compact_frame *frame, lp_arena *arena);

// compact_rollup_tally_take counts a request by all of its parts, in the order in which they begin;
// the outer one first, which begins and ends the request. All are of one thread. Returns false, and
// counts nothing, if the request has too many types or attributes for the tally.
bool compact_rollup_tally_take(
    compact_rollup_tally *tally, compact_tally_part *parts, size_t count, bool is_kept);

// compact_rollup_tally_add adds the counted requests to out, whose arena fails if memory runs out.
void compact_rollup_tally_add(const compact_rollup_tally *tally, rollup *out);
