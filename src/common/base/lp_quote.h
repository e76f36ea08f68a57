// SPDX-License-Identifier: Apache-2.0
// lp_quote: a text that somebody gave, as a message about it quotes it: as short as messages are.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include "common/base/lp_slice.h"

enum { LP_QUOTE_BYTES_MAX = 40 }; // of the text

typedef struct lp_quote {
    char text[LP_QUOTE_BYTES_MAX + sizeof("...")];
} lp_quote;

// lp_quote_bytes returns the text, or, where it is longer than LP_QUOTE_BYTES_MAX, as many of its
// first characters as fit and "...". Bytes that are no UTF-8 are characters of their own.
lp_quote lp_quote_bytes(lp_slice text);

// lp_quote_text is the same for a string.
lp_quote lp_quote_text(const char *text);
