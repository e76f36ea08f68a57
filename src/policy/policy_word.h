// SPDX-License-Identifier: Apache-2.0
// policy_word: names and values inside the text of a setting.
//
// Each is a word, or stands in double quotes, where a backslash takes the next character as it is.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy_filter.c

#ifndef LP_POLICY_POLICY_WORD_H
#define LP_POLICY_POLICY_WORD_H

#include "common/base/lp_err.h"

// policy_word_read reads the name or value at *at, and moves *at behind it. A word is at least one
// byte and goes up to one of ends. Owns: the caller frees *out_word. Errors: LP_ECORRUPT if there
// is none; LP_ENOMEM
LP_MUST_USE lp_err policy_word_read(const char **at, const char *ends, char **out_word);

#endif // LP_POLICY_POLICY_WORD_H
