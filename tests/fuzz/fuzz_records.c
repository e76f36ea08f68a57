// SPDX-License-Identifier: Apache-2.0
// Context records, in one piece: what is taken makes contexts that can be completed and copied.

#include "fuzz.h"

#include "collector/compact/compact_contexts.h"
#include "common/base/lp_assert.h"

// The second completes the first.
static const ctx_type types[] = {
    {.id = 1,
        .attribute_count = 2,
        .attributes = {{CTX_STRING, (char[]){"id"}}, {CTX_LONG, (char[]){"n"}}}},
    {.id = 2,
        .completes = 1,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, (char[]){"n"}}, {CTX_STRING, (char[]){"id"}}}},
};

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    compact_contexts contexts;
    compact_contexts copy;
    compact_completions completions = {.types = &types[1], .type_count = 1};
    lp_problem problem;
    compact_contexts_init(&contexts);
    compact_contexts_init(&copy);
    if (compact_contexts_feed(&contexts, (lp_slice){bytes, count}, &completions, &problem) ==
        LP_OK) {
        LP_ASSERT(compact_completions_apply(&completions, types, 1, &contexts) == LP_OK);
        LP_ASSERT(compact_contexts_copy(&contexts, INT64_MIN, &copy) == LP_OK);
        LP_ASSERT(copy.items.count == contexts.items.count);
    } else {
        LP_ASSERT(!problem.has_offset || problem.offset <= count);
    }
    compact_contexts_fini(&contexts);
    compact_contexts_fini(&copy);
    compact_completions_fini(&completions);
    return 0;
}
