// SPDX-License-Identifier: Apache-2.0
// policy_word: names and values inside the text of a setting: a word, or a text in double quotes,
// in which a backslash quotes the next character.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy_filter.c

#pragma once

#include "common/base/lp_err.h"

// policy_word_read reads the name or value at *at, and moves *at past it. A word has at least one
// byte, and ends before the first character of `ends`. Owns: the caller frees *out_word. Errors:
// LP_ECORRUPT if *at has no name or value; LP_ENOMEM
LP_MUST_USE lp_err policy_word_read(const char **at, const char *ends, char **out_word);
