// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/answer_list.h"

#include "cli/ask/answer_text.h"
#include "cli/base/cmd.h"
#include "cli/base/terminal.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"
#include "query/list/listing_json.h"
#include "query/why/duration_text.h"

#include <inttypes.h>

enum {
    TEXT_BYTES = 1024,   // of a thread's name; the rest is cut off
    NUMBER_COLUMNS = 61, // of a line about a context
    NAME_COLUMNS = 24,   // of a column of names, at least
    NAMES_OF_LINE = 3,   // that share a line, at most: recording, thread and type
};

size_t
answer_list_name_columns(size_t used)
{
    size_t share = terminal_rest(stdout, used + NUMBER_COLUMNS) / NAMES_OF_LINE;
    return share < NAME_COLUMNS ? NAME_COLUMNS : share;
}

size_t
answer_list_print_name(const char *name, size_t columns)
{
    char whole[TEXT_BYTES];
    char fit[TEXT_BYTES];
    (void)lp_printable(name, whole, sizeof(whole));
    terminal_fit(whole, terminal_columns(stdout) == 0 ? 0 : columns, fit, sizeof(fit));
    terminal_pad(stdout, fit, columns);
    (void)printf("  ");
    return columns + 2;
}

void
answer_list_context_head(size_t used)
{
    (void)printf("%-30s %9s %9s %8s  ", "start", "duration", "blocked", "events");
    (void)answer_list_print_name("thread", answer_list_name_columns(used));
    (void)printf("context\n");
}

size_t
answer_list_context(const ask *a, const query_listed *item, size_t used)
{
    char start[LP_TIME_BYTES];
    char duration[QUERY_DURATION_BYTES];
    char blocked[QUERY_DURATION_BYTES];
    lp_time_format(item->begin_wall_ns, start);
    query_duration_text(item->duration_ns, duration);
    query_duration_text(item->blocked_ns, blocked);
    (void)printf("%s %9s %9s %8" PRIu64 "  ", start, duration, blocked, item->triggers);
    return used + NUMBER_COLUMNS +
           answer_list_print_name(
               query_names_text(&a->names, item->thread), answer_list_name_columns(used));
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_listing_add(arg, answer);
}

void
answer_list_row(const ask *a, const answer_list_columns *columns, const query_listed *item)
{
    answer_text_item(a, item, columns->print_item(a, item));
    (void)putchar('\n');
}

static bool
print(const ask *a, query_listing *listing, const answer_list_columns *columns, bool is_json)
{
    query_unit unit = a->comparison.selection.unit;
    if (is_json) {
        return cmd_print_json(stdout,
            query_listing_json(listing, unit, &a->names, &a->outcome, false, ask_recording, a));
    }
    if (listing->items.count > 0) {
        terminal_begin_heading(stdout);
        columns->print_head();
        terminal_end_heading(stdout);
    }
    for (size_t i = 0; i < listing->items.count; i++) {
        answer_list_row(a, columns, &listing->items.items[i]);
    }
    (void)printf("%zu of %" PRIu64 " %s\n", listing->items.count, a->outcome.contexts,
        query_unit_name(unit));
    return true;
}

int
answer_list(ask *a, query_question *question, query_listing *listing,
    const answer_list_columns *columns, bool is_json)
{
    int code = CMD_FAILED;
    question->on_context = on_context;
    question->arg = listing;
    if (ask_run(a, question)) {
        // No option raises the limit of the contexts that have an id.
        a->outcome.is_truncated |=
            a->comparison.selection.any_id != NULL && a->outcome.contexts > listing->limit;
        lp_err err = query_listing_read(listing, &a->sources, &a->names, NULL);
        if (err != LP_OK) {
            ask_fail(a, err);
        } else {
            ask_say_truncated(a, a->names.is_truncated);
            (void)ask_say_empty(a);
            code = cmd_end(a->program, print(a, listing, columns, is_json));
        }
    }
    query_listing_fini(listing);
    return code;
}
