// SPDX-License-Identifier: Apache-2.0

// raw_ids: which ids a chunk has, of dropped contexts too, as a Bloom filter of 12 bits an id: of
// 1000 chunks without an id it finds some 3.
//
//   The i-th of the 8 bits of an id with the hash h, i from 0, in a filter of b bits:
//   (upper 32 bits of (h + i * (lp_hash_number(LP_HASH_FIXED_NUMBER, h) | 1)) * b) / 2^32
//
// Threads: any.
// Tests:   tests/unit/collector/recall/raw/test_raw_list.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/rollup/rollup_id.h"

#include <stdbool.h>
#include <stdint.h>

enum { RAW_IDS_BYTES_MAX = 1 << 20 }; // some 700,000 ids

// raw_ids_make appends the filter of a chunk to out, which is empty. Errors: LP_ELIMIT
// RAW_IDS_BYTES_MAX; LP_ENOMEM
LP_MUST_USE lp_err raw_ids_make(const rollup_ids *ids, lp_buf *out);

// raw_ids_may_have returns whether a chunk may have an id, by its filter, which is not empty.
bool raw_ids_may_have(lp_slice filter, uint64_t hash);
