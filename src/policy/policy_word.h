// SPDX-License-Identifier: Apache-2.0
// policy_word: names and values inside the text of a setting: a word, or a text in double quotes,
// in which a backslash quotes the next character.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy_filter.c

#pragma once

#include <stdbool.h>

// policy_word_read reads the name or value at *at and moves *at past it. It writes the word and a 0
// to *to and moves *to behind them. A word has at least one byte, and ends before the first
// character of `ends`. Returns false if *at has no name or value.
//
// A word needs no more bytes than its text and the character that ends it. So strlen(text) + 1
// bytes suffice for all words of a text.
bool policy_word_read(const char **at, const char *ends, char **to);
