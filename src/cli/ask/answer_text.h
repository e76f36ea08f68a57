// SPDX-License-Identifier: Apache-2.0
// answer_text: what answers of several commands have in common as text, on standard output.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/ask.py, tests/e2e/ask_requests.py

#ifndef LP_CLI_ANSWER_TEXT_H
#define LP_CLI_ANSWER_TEXT_H

#include "cli/ask/ask.h"
#include "query/events/lock_owners.h"
#include "query/list/listing.h"
#include "query/why/why.h"

// answer_text_item prints the type of a context or a request and its attributes that have a value,
// as KEY=VALUE, at the end of a line whose first `used` characters are taken. On a terminal an
// ellipsis replaces what does not fit; one that is too narrow for the table wraps the line instead.
void answer_text_item(const ask *a, const query_listed *item, size_t used);

// answer_text_why prints where the time went as a table; nothing if nothing was found.
void answer_text_why(const ask *a, const query_why *why);

// answer_text_owners prints which threads had the monitors that were waited for, each with those
// for whom it waited itself below it; nothing if there are none.
void answer_text_owners(const ask *a, const query_lock_owners *owners);

#endif // LP_CLI_ANSWER_TEXT_H
