// SPDX-License-Identifier: Apache-2.0
// loupe contexts: the contexts of recordings as a table.
//
// Tests: tests/e2e/ask.py

#include "cli/answer_text.h"
#include "cli/ask.h"
#include "cli/cmd.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"
#include "query/duration_text.h"
#include "query/listing_json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static const char program[] = "loupe contexts";

static_assert(QUERY_SORT_DURATION == 0 && QUERY_SORT_START == 1 && QUERY_SORT_TRIGGERS == 2 &&
                  QUERY_SORT_BLOCKED == 3,
    "the choices of --sort are in this order");

enum {
    TEXT_BYTES = 1024, // of a thread's name or a type; the rest is cut off
    THREAD_WIDTH = 24,
};

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_listing_add(arg, answer);
}

static bool
wants_events(void *arg, int64_t begin_wall_ns, int64_t duration_ns)
{
    return query_listing_wants(arg, begin_wall_ns, duration_ns);
}

static void
print_row(const ask *a, const query_listed *item)
{
    char start[LP_TIME_BYTES];
    char duration[QUERY_DURATION_BYTES];
    char blocked[QUERY_DURATION_BYTES];
    char thread[TEXT_BYTES];
    char type[TEXT_BYTES];
    lp_time_format(item->begin_wall_ns, start);
    query_duration_text(item->duration_ns, duration);
    query_duration_text(item->blocked_ns, blocked);
    (void)lp_printable(query_names_text(&a->names, item->thread), thread, sizeof(thread));
    (void)lp_printable(query_names_text(&a->names, item->type), type, sizeof(type));
    (void)printf("%s %9s %9s %8" PRIu64 "  %-*s  %s", start, duration, blocked, item->triggers,
        THREAD_WIDTH, thread, type);
    for (size_t i = 0; i < item->attribute_count; i++) {
        answer_text_attribute(&item->attributes[i]);
    }
    (void)putchar('\n');
}

static bool
print(const ask *a, const query_listing *listing, bool is_json)
{
    if (is_json) {
        return cmd_print_json(stdout, query_listing_json(listing, QUERY_UNIT_CONTEXTS, &a->names,
                                          &a->outcome, false, ask_recording, a));
    }
    if (listing->items.count > 0) {
        (void)printf("%-30s %9s %9s %8s  %-*s  %s\n", "start", "duration", "blocked", "events",
            THREAD_WIDTH, "thread", "context");
    }
    for (size_t i = 0; i < listing->items.count; i++) {
        print_row(a, &listing->items.items[i]);
    }
    (void)printf("%zu of %" PRIu64 " contexts\n", listing->items.count, a->outcome.contexts);
    return true;
}

static int
list(ask *a, const options *opts)
{
    query_listing listing = {
        .sort = (query_sort)opts->contexts_sort, .limit = opts->contexts_limit};
    query_question question = {
        .on_context = on_context, .wants_events = wants_events, .arg = &listing};
    int code = CMD_FAILED;
    if (ask_run(a, &question)) {
        lp_err err = query_listing_read(&listing, &a->sources, &a->names, NULL);
        if (err != LP_OK) {
            ask_fail(a, err);
        } else {
            ask_say_truncated(a, a->names.is_truncated);
            (void)ask_say_empty(a);
            code = cmd_end(program, print(a, &listing, opts->ask_is_json));
        }
    }
    query_listing_fini(&listing);
    return code;
}

int
cmd_contexts(int argc, char **argv)
{
    options opts;
    ask a;
    int code = cmd_parse(OPTIONS_contexts, argc, argv, &opts);
    if (code >= 0) {
        return code;
    }
    if (opts.operand_count == 0) {
        return cmd_refuse(OPTIONS_contexts, argv[0], "no input");
    }
    code = ask_open(&a, program, &opts, QUERY_UNIT_CONTEXTS);
    if (code < 0) {
        code = list(&a, &opts);
    }
    ask_close(&a);
    return code;
}
