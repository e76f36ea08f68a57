// SPDX-License-Identifier: Apache-2.0
// lp_ends_with: whether a text ends with another one, such as the name of a file with ".jfr".
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// lp_ends_with returns whether the first len characters of text end with end, or equal it.
static inline bool
lp_ends_with(const char *text, size_t len, const char *end)
{
    size_t end_len = strlen(end);
    return len >= end_len && memcmp(text + len - end_len, end, end_len) == 0;
}
