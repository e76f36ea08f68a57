// SPDX-License-Identifier: Apache-2.0
// Class files: what can be rewritten is a class file still. It has the helper then, and other edits
// can be made in it, which name another one.

#include "fuzz.h"

#include "agent/rewrite/rewrite_class.h"
#include "common/base/lp_assert.h"

static const rewrite_edit edits[] = {
    {.kind = REWRITE_ARGUMENT,
        .method = "m",
        .local = 1,
        .helper = "h",
        .helper_descriptor = "(LT;)LT;"},
    {.kind = REWRITE_CALL,
        .method = "m",
        .called_class = "A",
        .called = "run",
        .called_descriptor = "()V",
        .helper = "r",
        .helper_descriptor = "(LT;)V"},
};

// rewrite makes one edit or both.
static void
rewrite(lp_slice file, const rewrite_edit *first, size_t count)
{
    lp_buf out = {0};
    lp_buf again = {0};
    lp_err err = rewrite_class(file, "Helper", first, count, &out);
    LP_ASSERT(err == LP_OK || out.len == 0);
    if (out.len > 0) {
        LP_ASSERT(rewrite_class(lp_buf_slice(&out), "Helper", first, count, &again) == LP_OK);
        LP_ASSERT(again.len == 0);
        err = rewrite_class(lp_buf_slice(&out), "AnotherHelper", &edits[0], 1, &again);
        // A second beginning may be too much, and the input may name that helper, too. Edits of
        // calls do not read what follows the code.
        LP_ASSERT(err == LP_OK || err == LP_ELIMIT || first != edits);
    }
    lp_buf_fini(&out);
    lp_buf_fini(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    lp_slice file = {bytes, count};
    rewrite(file, &edits[0], 1);
    rewrite(file, &edits[1], 1);
    rewrite(file, edits, 2);
    return 0;
}
