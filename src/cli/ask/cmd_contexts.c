// SPDX-License-Identifier: Apache-2.0
// loupe contexts: the contexts of recordings as a table.
//
// Tests: tests/e2e/ask.py

#include "cli/ask/answer_list.h"
#include "cli/ask/ask.h"
#include "cli/base/cmd.h"

// The order of each choice of --sort. `triggers` is what JSON calls the column `events`.
static const query_sort sorts[] = {QUERY_SORT_DURATION, QUERY_SORT_START, QUERY_SORT_TRIGGERS,
    QUERY_SORT_BLOCKED, QUERY_SORT_TRIGGERS};

static void
print_head(void)
{
    answer_list_context_head(0);
}

static size_t
print_item(const ask *a, const query_listed *item)
{
    return answer_list_context(a, item, 0);
}

static int
list(ask *a, const options *opts)
{
    static const answer_list_columns columns = {print_head, print_item};
    query_listing listing = {.sort = sorts[opts->contexts_sort], .limit = opts->contexts_limit};
    query_question question = {.wants_events = query_listing_wants};
    return answer_list(a, &question, &listing, &columns, opts->ask_is_json);
}

int
cmd_contexts(const options *opts)
{
    return ask_command(opts, QUERY_UNIT_CONTEXTS, list, NULL);
}
