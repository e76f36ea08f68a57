// SPDX-License-Identifier: Apache-2.0
// loupe why: where the time of contexts went.
//
// Tests: tests/e2e/ask.py

#include "cli/ask/answer_text.h"
#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "common/base/lp_printable.h"
#include "query/frames/application.h"
#include "query/why/why_json.h"

#include <inttypes.h>

static const char program[] = "loupe why";

// Where the time went, and the frames that --frame asks for.
typedef struct explaining {
    query_why why;
    query_stacks stacks;
    query_stack_filter filter;
} explaining;

static lp_err
on_context(void *arg, const query_answer *answer)
{
    explaining *e = arg;
    lp_problem problem;
    lp_err err = query_why_add(&e->why, answer);
    if (err == LP_ELIMIT && query_frame_filter_check(e->filter.frame, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return LP_ECLOSED;
    }
    return err;
}

static bool
wants_stack(const query_row *row)
{
    (void)row;
    return true;
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
    query_frame_filter *frame = a->own;
    explaining e = {.filter = {frame, &e.stacks, &a->names}};
    query_question question = {.wants_frames = true,
        .packages = opts->why_app,
        .stacks = frame == NULL ? NULL : &e.stacks,
        .wants_stack = wants_stack,
        .on_context = on_context,
        .arg = &e};
    int code = CMD_FAILED;
    e.why.filter = frame == NULL ? NULL : &e.filter;
    if (ask_run(a, &question)) {
        query_why_finish(&e.why, &a->names);
        ask_say_truncated(a, e.why.is_truncated);
        (void)ask_say_empty(a);
        code = cmd_end(program, print(a, &e.why, opts->ask_is_json));
    }
    query_why_fini(&e.why);
    query_stack_filter_fini(&e.filter);
    query_stacks_fini(&e.stacks);
    return code;
}

// check checks the options and compiles --frame. Returns -1, or the code to exit with after it
// printed the problem.
static int
check(const options *opts, query_frame_filter *frame)
{
    lp_problem problem;
    lp_err err = LP_OK;
    if (opts->why_app != NULL) {
        err = query_application_check("--app", opts->why_app, &problem);
    }
    if (err == LP_OK && opts->why_frame != NULL) {
        err = query_frame_filter_init(frame, "--frame", opts->why_frame, &problem);
    }
    if (err != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_USAGE;
    }
    return -1;
}

int
cmd_why(const options *opts)
{
    query_frame_filter frame;
    int code = check(opts, &frame);
    return code >= 0 ? code
                     : ask_command(opts, (query_unit)opts->why_unit, explain,
                           opts->why_frame == NULL ? NULL : &frame);
}
