// SPDX-License-Identifier: Apache-2.0
// loupe why: where the time of contexts went.
//
// Tests: tests/e2e/ask.py

#include "cli/answer_text.h"
#include "cli/ask.h"
#include "cli/cmd.h"
#include "common/base/lp_printable.h"
#include "query/application.h"
#include "query/why_json.h"

#include <inttypes.h>

static const char program[] = "loupe why";

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_why_add(arg, answer);
}

static bool
print(const ask *a, const query_why *why, bool is_json)
{
    if (is_json) {
        return cmd_print_json(stdout, ask_json(a, query_why_json(why, &a->names, &a->outcome)));
    }
    (void)printf("%" PRIu64 " %s\n", why->requests, query_unit_name(a->comparison.selection.unit));
    answer_text_why(a, why);
    return true;
}

static int
explain(ask *a, const options *opts)
{
    query_why why = {0};
    query_question question = {
        .wants_frames = true, .packages = opts->why_app, .on_context = on_context, .arg = &why};
    int code = CMD_FAILED;
    if (ask_run(a, &question)) {
        query_why_finish(&why, &a->names);
        ask_say_truncated(a, why.is_truncated);
        (void)ask_say_empty(a);
        code = cmd_end(program, print(a, &why, opts->ask_is_json));
    }
    query_why_fini(&why);
    return code;
}

int
cmd_why(int argc, char **argv)
{
    options opts;
    ask a;
    int code = cmd_parse(OPTIONS_why, argc, argv, &opts);
    if (code >= 0) {
        return code;
    }
    if (opts.operand_count == 0) {
        return cmd_refuse(OPTIONS_why, argv[0], "no input");
    }
    lp_problem problem;
    if (opts.why_app != NULL && query_application_check("--app", opts.why_app, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_USAGE;
    }
    code = ask_open(&a, program, &opts, (query_unit)opts.why_unit);
    if (code < 0) {
        code = explain(&a, &opts);
    }
    ask_close(&a);
    return code;
}
