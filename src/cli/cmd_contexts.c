// SPDX-License-Identifier: Apache-2.0
// loupe contexts: the contexts of recordings as a table.
//
// Tests: tests/e2e/ask.py

#include "cli/answer_list.h"
#include "cli/ask.h"
#include "cli/cmd.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"
#include "query/duration_text.h"

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

static bool
wants_events(void *arg, int64_t begin_wall_ns, int64_t duration_ns)
{
    return query_listing_wants(arg, begin_wall_ns, duration_ns);
}

static void
print_head(void)
{
    (void)printf("%-30s %9s %9s %8s  %-*s  %s\n", "start", "duration", "blocked", "events",
        THREAD_WIDTH, "thread", "context");
}

static void
print_item(const ask *a, const query_listed *item)
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
}

static int
list(ask *a, const options *opts)
{
    static const answer_list_columns columns = {print_head, print_item};
    query_listing listing = {
        .sort = (query_sort)opts->contexts_sort, .limit = opts->contexts_limit};
    query_question question = {.wants_events = wants_events};
    return answer_list(a, &question, &listing, &columns, opts->ask_is_json);
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
