// SPDX-License-Identifier: Apache-2.0
// A saved carry-over: what can be loaded can be saved, and then is the same for good.

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "engine/compact.h"

#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    compact_carry *carry;
    compact_carry *loaded;
    lp_buf saved = {0};
    lp_buf again = {0};
    if (compact_carry_load((lp_slice){bytes, count}, &carry, NULL) != LP_OK) {
        return 0;
    }
    LP_ASSERT(compact_carry_save(carry, &saved) == LP_OK);
    LP_ASSERT(compact_carry_load(lp_buf_slice(&saved), &loaded, NULL) == LP_OK);
    LP_ASSERT(compact_carry_save(loaded, &again) == LP_OK);
    LP_ASSERT(saved.len == again.len && memcmp(saved.ptr, again.ptr, saved.len) == 0);
    compact_carry_destroy(carry);
    compact_carry_destroy(loaded);
    lp_buf_fini(&saved);
    lp_buf_fini(&again);
    return 0;
}
