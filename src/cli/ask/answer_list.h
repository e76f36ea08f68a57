// SPDX-License-Identifier: Apache-2.0
// answer_list: prints a list of contexts or requests as a table or JSON on standard output.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/ask.py, tests/e2e/ask_requests.py

#pragma once

#include "cli/ask/ask.h"
#include "query/list/listing.h"

// The functions print the head line of the table, and the line of an item up to its type.
// print_item returns the number of characters.
typedef struct answer_list_columns {
    void (*print_head)(void);
    size_t (*print_item)(const ask *a, const query_listed *item);
} answer_list_columns;

// answer_list_context_head and _context print the columns of contexts after `used` characters.
void answer_list_context_head(size_t used);
size_t answer_list_context(const ask *a, const query_listed *item, size_t used);

// answer_list_name_columns returns the width of a column of names in a line about a context with
// `used` characters of names: wide terminals get wider columns.
size_t answer_list_name_columns(size_t used);

// answer_list_print_name prints a name in such a column and two blanks. Returns the number of
// characters.
size_t answer_list_print_name(const char *name, size_t columns);

// answer_list_row prints an item with its type and attributes.
void answer_list_row(const ask *a, const answer_list_columns *columns, const query_listed *item);

// answer_list queries the items of an empty listing, prints them, and frees the listing. The query
// is about the unit of the items; answer_list sets on_context and arg of the question. Returns the
// exit code.
int answer_list(ask *a, query_question *question, query_listing *listing,
    const answer_list_columns *columns, bool is_json);
