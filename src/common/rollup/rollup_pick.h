// SPDX-License-Identifier: Apache-2.0
// rollup_pick: copies the parts of an encoded rollup (rollup_bytes.h) that a reader needs. To
// decode a rollup takes ten times as long as to copy it, and most questions are about one unit, one
// attribute or one value.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/common/rollup/test_rollup_pick.c, tests/fuzz/fuzz_rollup.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/rollup/rollup.h"

#include <stdbool.h>

// {0} wants everything.
typedef struct rollup_wanted {
    bool has_unit; // only types of this unit
    rollup_unit unit;
    const char *key; // only attributes with this name; NULL: all
    bool has_value;  // only this value of each attribute
    lp_slice value;
} rollup_wanted;

// rollup_pick appends a message to *out. Decoded, it is the rollup of bytes without the unwanted
// types, attributes and values. It does not check the unwanted parts, and copies fields of later
// versions. Errors: LP_ECORRUPT not a message; LP_ENOMEM; *out has an unfinished message then
LP_MUST_USE lp_err rollup_pick(const rollup_wanted *wanted, lp_slice bytes, lp_buf *out);
