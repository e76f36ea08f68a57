// SPDX-License-Identifier: Apache-2.0
// answer_list: a list of contexts or requests as a table or JSON, on standard output: what the
// commands that list them have in common.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/ask.py, tests/e2e/ask_requests.py

#ifndef LP_CLI_ANSWER_LIST_H
#define LP_CLI_ANSWER_LIST_H

#include "cli/ask.h"
#include "query/listing.h"

// How the table looks: its first line, and that of an item up to its attributes.
typedef struct answer_list_columns {
    void (*print_head)(void);
    void (*print_item)(const ask *a, const query_listed *item);
} answer_list_columns;

// answer_list_context_head and _context are the columns of contexts.
void answer_list_context_head(void);
void answer_list_context(const ask *a, const query_listed *item);

// answer_list_row prints an item with its attributes.
void answer_list_row(const ask *a, const answer_list_columns *columns, const query_listed *item);

// answer_list asks for the items of an empty listing, which it frees, and prints them. The query
// asks about the unit of the items; on_context and arg of the question are set here. Returns the
// code to exit with.
int answer_list(ask *a, query_question *question, query_listing *listing,
    const answer_list_columns *columns, bool is_json);

#endif // LP_CLI_ANSWER_LIST_H
