// SPDX-License-Identifier: Apache-2.0
// loupe trace: the contexts of recordings that have an id, such as that of a trace.
//
// Tests: tests/e2e/ask_collector.py

#include "cli/answer_list.h"
#include "cli/ask.h"
#include "cli/cmd.h"
#include "cli/terminal.h"
#include "common/base/lp_printable.h"

enum {
    LIMIT = 1000, // as /api/v1/ids has it
    RECORDING_BYTES = 1024,
    RECORDING_WIDTH = 24,
};

static bool
wants_events(void *arg, int64_t begin_wall_ns, int64_t duration_ns)
{
    return query_listing_wants(arg, begin_wall_ns, duration_ns);
}

static void
print_head(void)
{
    (void)printf("%-*s  ", RECORDING_WIDTH, "recording");
    answer_list_context_head();
}

static void
print_item(const ask *a, const query_listed *item)
{
    char name[RECORDING_BYTES];
    char recording[RECORDING_BYTES];
    (void)lp_printable(ask_recording(a, item->source), name, sizeof(name));
    terminal_fit(
        name, terminal_columns(stdout) == 0 ? 0 : RECORDING_WIDTH, recording, sizeof(recording));
    (void)printf("%-*s  ", RECORDING_WIDTH, recording);
    answer_list_context(a, item);
}

static int
list(ask *a, const options *opts, const char *id)
{
    static const answer_list_columns columns = {print_head, print_item};
    query_listing listing = {.sort = QUERY_SORT_START, .limit = LIMIT};
    query_question question = {.wants_events = wants_events};
    a->comparison.selection.any_id = id;
    return answer_list(a, &question, &listing, &columns, opts->ask_is_json);
}

int
cmd_trace(int argc, char **argv)
{
    options opts;
    ask a;
    int code = cmd_parse(OPTIONS_trace, argc, argv, &opts);
    if (code >= 0) {
        return code;
    }
    if (opts.operand_count < 2 || opts.operands[0][0] == '\0') {
        return cmd_refuse(OPTIONS_trace, argv[0], "an id and an input are needed");
    }
    const char *id = *opts.operands++;
    opts.operand_count--;
    code = ask_open(&a, argv[0], &opts, QUERY_UNIT_CONTEXTS);
    if (code < 0) {
        code = list(&a, &opts, id);
    }
    ask_close(&a);
    return code;
}
