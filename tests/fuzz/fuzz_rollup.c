// SPDX-License-Identifier: Apache-2.0
// Stored rollups: what is taken as one is read again from the bytes that it makes, and from all its
// parts, and makes the same.

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "common/rollup/rollup_bytes.h"
#include "common/rollup/rollup_pick.h"

#include <string.h>

// read_parts reads a value of one unit, whatever that is; *out_same reads everything.
static void
read_parts(lp_slice bytes, rollup *out_same)
{
    const rollup_wanted wanted[] = {{.has_unit = true, .key = "a"},
        {.has_unit = true, .unit = ROLLUP_REQUESTS, .has_value = true}, {.key = "a"}, {0}};
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        rollup_fini(out_same);
        rollup_init(out_same);
        lp_buf picked = {0};
        LP_ASSERT(rollup_pick(&wanted[i], bytes, &picked) == LP_OK);
        LP_ASSERT(rollup_bytes_add(out_same, lp_buf_slice(&picked), "rec") == LP_OK);
        lp_buf_fini(&picked);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    rollup sums;
    rollup again;
    rollup_init(&sums);
    rollup_init(&again);
    lp_buf made = {0};
    lp_buf made_again = {0};
    if (rollup_bytes_add(&sums, (lp_slice){bytes, count}, "rec") == LP_OK) {
        LP_ASSERT(rollup_bytes_encode(&sums, &made) == LP_OK);
        LP_ASSERT(rollup_bytes_add(&again, lp_buf_slice(&made), "rec") == LP_OK);
        LP_ASSERT(rollup_bytes_encode(&again, &made_again) == LP_OK);
        LP_ASSERT(made.len == made_again.len && memcmp(made.ptr, made_again.ptr, made.len) == 0);
        read_parts((lp_slice){bytes, count}, &again);
        lp_buf_clear(&made_again);
        LP_ASSERT(rollup_bytes_encode(&again, &made_again) == LP_OK);
        LP_ASSERT(made.len == made_again.len && memcmp(made.ptr, made_again.ptr, made.len) == 0);
    }
    lp_buf_fini(&made);
    lp_buf_fini(&made_again);
    rollup_fini(&sums);
    rollup_fini(&again);
    return 0;
}
