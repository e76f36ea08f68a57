// SPDX-License-Identifier: Apache-2.0
// answer_text: what answers of several commands have in common as text, on standard output.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/ask.py

#ifndef LP_CLI_ANSWER_TEXT_H
#define LP_CLI_ANSWER_TEXT_H

#include "cli/ask.h"
#include "query/why.h"

// answer_text_attribute prints a blank and KEY=VALUE; nothing if there is no value.
void answer_text_attribute(const query_attribute *attribute);

// answer_text_why prints where the time went as a table; nothing if nothing was found.
void answer_text_why(const ask *a, const query_why *why);

#endif // LP_CLI_ANSWER_TEXT_H
