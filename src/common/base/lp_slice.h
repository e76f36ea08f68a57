// SPDX-License-Identifier: Apache-2.0

// lp_slice borrows bytes. It never frees them. A function may use a slice that it gets only until
// it returns, unless a header says otherwise.
//
// Threads: a plain value; any thread.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct lp_slice {
    const uint8_t *ptr; // may be NULL when len is 0
    size_t len;
} lp_slice;
