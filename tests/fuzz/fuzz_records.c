// SPDX-License-Identifier: Apache-2.0
// Context records, in one piece: what is taken makes contexts that can be copied.

#include "fuzz.h"

#include "collector/compact/compact_contexts.h"
#include "common/base/lp_assert.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    compact_contexts contexts;
    compact_contexts copy;
    lp_problem problem;
    compact_contexts_init(&contexts);
    compact_contexts_init(&copy);
    if (compact_contexts_feed(&contexts, (lp_slice){bytes, count}, &problem) == LP_OK) {
        LP_ASSERT(compact_contexts_copy(&contexts, INT64_MIN, &copy) == LP_OK);
        LP_ASSERT(copy.items.count == contexts.items.count);
    } else {
        LP_ASSERT(!problem.has_offset || problem.offset <= count);
    }
    compact_contexts_fini(&contexts);
    compact_contexts_fini(&copy);
    return 0;
}
