// SPDX-License-Identifier: Apache-2.0
// lp_quote: shortens a text from outside so that a message can quote it.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include "common/base/lp_slice.h"

enum { LP_QUOTE_BYTES_MAX = 40 }; // of the text

typedef struct lp_quote {
    char text[LP_QUOTE_BYTES_MAX + sizeof("...")];
} lp_quote;

// lp_quote_bytes returns the text. If the text is longer than LP_QUOTE_BYTES_MAX, it returns the
// first characters that fit, followed by "...". A byte that is not UTF-8 counts as one character.
lp_quote lp_quote_bytes(lp_slice text);

// lp_quote_text is the same for a string.
lp_quote lp_quote_text(const char *text);
