// SPDX-License-Identifier: Apache-2.0
// Stored rollups: what is taken as one is read again from the bytes that it makes, and makes the
// same.

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "common/rollup/rollup_bytes.h"

#include <string.h>

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
    }
    lp_buf_fini(&made);
    lp_buf_fini(&made_again);
    rollup_fini(&sums);
    rollup_fini(&again);
    return 0;
}
