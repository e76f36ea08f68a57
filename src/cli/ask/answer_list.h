// SPDX-License-Identifier: Apache-2.0
// answer_list: a list of contexts or requests as a table or JSON, on standard output: what the
// commands that list them have in common.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/ask.py, tests/e2e/ask_requests.py

#ifndef LP_CLI_ANSWER_LIST_H
#define LP_CLI_ANSWER_LIST_H

#include "cli/ask/ask.h"
#include "query/list/listing.h"

// How the table looks: its first line, and that of an item up to its type. print_item returns how
// many characters that is.
typedef struct answer_list_columns {
    void (*print_head)(void);
    size_t (*print_item)(const ask *a, const query_listed *item);
} answer_list_columns;

// answer_list_context_head and _context are the columns of contexts, behind `used` characters.
void answer_list_context_head(size_t used);
size_t answer_list_context(const ask *a, const query_listed *item, size_t used);

// answer_list_name_columns returns how wide a column of names is in a line about a context in which
// names have taken `used` characters: on a wide terminal more than elsewhere.
size_t answer_list_name_columns(size_t used);

// answer_list_print_name prints a name as such a column, with two blanks behind it. Returns how
// many characters that is.
size_t answer_list_print_name(const char *name, size_t columns);

// answer_list_row prints an item with its type and attributes.
void answer_list_row(const ask *a, const answer_list_columns *columns, const query_listed *item);

// answer_list asks for the items of an empty listing, which it frees, and prints them. The query
// asks about the unit of the items; on_context and arg of the question are set here. Returns the
// code to exit with.
int answer_list(ask *a, query_question *question, query_listing *listing,
    const answer_list_columns *columns, bool is_json);

#endif // LP_CLI_ANSWER_LIST_H
