// SPDX-License-Identifier: Apache-2.0
// why_markdown: an answer (why.h) as a text for a ticket. It has the question, the table of
// `loupe why`, and notes on what is missing.
//
//   # Why: 73 contexts, 39.4 s
//
//   `service=checkout` `where=path=/orders`
//
//   | share | each | all | events | |
//   | ---: | ---: | ---: | ---: | --- |
//   | 76.3 % | 412 ms | 30.1 s | 91 | **lock** |
//   | 76.0 % | 410 ms | 29.9 s | 88 | `shop.Inventory.reserve` |
//   ...
//
// The table has the QUERY_WHY_MARKDOWN_ROWS rows with most time.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/why/test_why_markdown.c

#pragma once

#include "query/why/why.h"

enum { QUERY_WHY_MARKDOWN_ROWS = 20 };

// query_why_markdown appends the text. left_out: the number of unreadable chunks. If memory runs
// out, out fails.
void query_why_markdown(const query_why *why, const query_names *names,
    const query_selection *selection, const query_outcome *outcome, uint64_t left_out, lp_buf *out);
