// SPDX-License-Identifier: Apache-2.0
// answer_text: parts of text answers that several commands print on standard output.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/ask.py, tests/e2e/ask_requests.py

#pragma once

#include "cli/ask/ask.h"
#include "query/events/lock_owners.h"
#include "query/list/listing.h"
#include "query/why/why.h"

// answer_text_item ends a line of `used` characters with the type of a context or a request and its
// non-null attributes as KEY=VALUE. On a terminal an ellipsis replaces the part that does not fit;
// a terminal too narrow for the table wraps the line instead.
void answer_text_item(const ask *a, const query_listed *item, size_t used);

// answer_text_why prints where the time went as a table, if there is anything.
void answer_text_why(const ask *a, const query_why *why);

// answer_text_owners prints the threads that held the contended monitors. Below each thread it
// prints the owners for which that thread waited itself.
void answer_text_owners(const ask *a, const query_lock_owners *owners);
