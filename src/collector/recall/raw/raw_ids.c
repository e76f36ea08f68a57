// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/raw/raw_ids.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <string.h>

enum { BITS_PER_ID = 12, BITS_SET = 8 };

static uint64_t
step_of(uint64_t hash)
{
    return lp_hash_number(LP_HASH_FIXED_NUMBER, hash) | 1;
}

// bit_at returns the position of a bit among those of a filter.
static uint64_t
bit_at(uint64_t hash, uint64_t bits)
{
    return (hash >> 32) * bits >> 32;
}

static void
set_ids(const rollup_hashes *ids, uint8_t *filter, uint64_t bits)
{
    for (size_t k = 0; k < ids->count; k++) {
        uint64_t hash = ids->items[k];
        uint64_t step = step_of(hash);
        for (unsigned i = 0; i < BITS_SET; i++, hash += step) {
            uint64_t bit = bit_at(hash, bits);
            filter[bit / 8] |= (uint8_t)(1u << bit % 8);
        }
    }
}

lp_err
raw_ids_make(const rollup_ids *ids, lp_buf *out)
{
    LP_ASSERT(out->len == 0);
    uint64_t bytes = (uint64_t)(ids->kept.count + ids->dropped.count) * BITS_PER_ID / 8 + 1;
    LP_REQUIRE(bytes <= RAW_IDS_BYTES_MAX, LP_ELIMIT);
    uint8_t *filter = lp_buf_extend(out, bytes);
    LP_TRY(lp_buf_check(out));
    LP_ASSERT(out->len == bytes);
    memset(filter, 0, bytes);
    set_ids(&ids->kept, filter, bytes * 8);
    set_ids(&ids->dropped, filter, bytes * 8);
    return LP_OK;
}

bool
raw_ids_may_have(lp_slice filter, uint64_t hash)
{
    LP_ASSERT(filter.len > 0);
    uint64_t step = step_of(hash);
    for (unsigned i = 0; i < BITS_SET; i++, hash += step) {
        uint64_t bit = bit_at(hash, (uint64_t)filter.len * 8);
        LP_REQUIRE((filter.ptr[bit / 8] >> bit % 8 & 1) != 0, false);
    }
    return true;
}
