// SPDX-License-Identifier: Apache-2.0
#include "cli/answer_list.h"

#include "cli/answer_text.h"
#include "cli/cmd.h"
#include "cli/terminal.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"
#include "query/duration_text.h"
#include "query/listing_json.h"

#include <inttypes.h>

enum {
    TEXT_BYTES = 1024, // of a thread's name or a type; the rest is cut off
    THREAD_WIDTH = 24,
};

void
answer_list_context_head(void)
{
    (void)printf("%-30s %9s %9s %8s  %-*s  %s\n", "start", "duration", "blocked", "events",
        THREAD_WIDTH, "thread", "context");
}

void
answer_list_context(const ask *a, const query_listed *item)
{
    char start[LP_TIME_BYTES];
    char duration[QUERY_DURATION_BYTES];
    char blocked[QUERY_DURATION_BYTES];
    char name[TEXT_BYTES];
    char thread[TEXT_BYTES];
    char type[TEXT_BYTES];
    lp_time_format(item->begin_wall_ns, start);
    query_duration_text(item->duration_ns, duration);
    query_duration_text(item->blocked_ns, blocked);
    (void)lp_printable(query_names_text(&a->names, item->thread), name, sizeof(name));
    terminal_fit(name, terminal_columns(stdout) == 0 ? 0 : THREAD_WIDTH, thread, sizeof(thread));
    (void)lp_printable(query_names_text(&a->names, item->type), type, sizeof(type));
    (void)printf("%s %9s %9s %8" PRIu64 "  %-*s  %s", start, duration, blocked, item->triggers,
        THREAD_WIDTH, thread, type);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_listing_add(arg, answer);
}

void
answer_list_row(const ask *a, const answer_list_columns *columns, const query_listed *item)
{
    columns->print_item(a, item);
    for (size_t i = 0; i < item->attribute_count; i++) {
        answer_text_attribute(&item->attributes[i]);
    }
    (void)putchar('\n');
}

static bool
print(const ask *a, const query_listing *listing, const answer_list_columns *columns, bool is_json)
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
