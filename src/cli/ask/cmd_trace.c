// SPDX-License-Identifier: Apache-2.0
// loupe trace: the contexts of recordings that have an id, such as that of a trace.
//
// Tests: tests/e2e/ask_collector.py

#include "cli/ask/answer_list.h"
#include "cli/ask/ask.h"
#include "cli/base/cmd.h"

static void
print_head(void)
{
    answer_list_context_head(answer_list_print_name("recording", answer_list_name_columns(0)));
}

static size_t
print_item(const ask *a, const query_listed *item)
{
    size_t used =
        answer_list_print_name(ask_recording(a, item->source), answer_list_name_columns(0));
    return answer_list_context(a, item, used);
}

static int
list(ask *a, const options *opts)
{
    static const answer_list_columns columns = {print_head, print_item};
    query_listing listing = {.sort = QUERY_SORT_START, .limit = QUERY_LISTING_IDS_MAX};
    query_question question = {.wants_events = query_listing_wants};
    a->comparison.selection.any_id = a->own;
    return answer_list(a, &question, &listing, &columns, opts->ask_is_json);
}

int
cmd_trace(const options *opts)
{
    LP_REQUIRE(opts->operand_count >= 2 && opts->operands[0][0] != '\0',
        cmd_refuse(opts, "give an id and a recording"));
    options rest = *opts;
    const char *id = *rest.operands++;
    rest.operand_count--;
    return ask_command(&rest, QUERY_UNIT_CONTEXTS, list, (void *)(uintptr_t)id);
}
