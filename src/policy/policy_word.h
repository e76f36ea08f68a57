// SPDX-License-Identifier: Apache-2.0
// policy_word: names and values inside the text of a setting.
//
// Each is a word, or stands in double quotes, where a backslash takes the next character as it is.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy_filter.c

#ifndef LP_POLICY_POLICY_WORD_H
#define LP_POLICY_POLICY_WORD_H

// policy_word_read returns the name or value at *at, which the caller owns, and moves *at behind
// it. A word is at least one byte and goes up to one of ends. NULL if there is none, or if memory
// ran out.
char *policy_word_read(const char **at, const char *ends);

#endif // LP_POLICY_POLICY_WORD_H
