// SPDX-License-Identifier: Apache-2.0
// lp_utf8: which bytes are UTF-8 (Unicode 15, table 3-7).
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include "common/base/lp_slice.h"

#include <stdbool.h>

// lp_utf8_measure returns the length of the well-formed character at the start of text, which is
// not empty; 0 if there is none.
size_t lp_utf8_measure(lp_slice text);

// lp_utf8_is_text returns whether all of text is UTF-8.
bool lp_utf8_is_text(const char *text);
