// SPDX-License-Identifier: Apache-2.0
// loupe why: where the time of contexts went.
//
// Tests: tests/e2e/ask.py

#include "cli/ask.h"
#include "cli/cmd.h"
#include "common/base/lp_printable.h"
#include "query/application.h"
#include "query/duration_text.h"
#include "query/why_json.h"

#include <inttypes.h>
#include <string.h>

static const char program[] = "loupe why";

enum {
    FRAME_BYTES = 1024, // the rest of a name is cut off
    NAME_COLUMN = 38,   // of a line
};

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_why_add(arg, answer);
}

// units_of returns what is divided.
static const char *
units_of(const ask *a)
{
    return a->comparison.selection.is_of_threads ? "threads" : "contexts";
}

// print_line prints how much time something took, of all requests and of each.
static void
print_line(const query_why *why, int64_t ns, uint64_t events, const char *name)
{
    char total[QUERY_DURATION_BYTES];
    char each[QUERY_DURATION_BYTES];
    query_duration_text(ns, total);
    query_duration_text(why->requests == 0 ? 0 : ns / (int64_t)why->requests, each);
    (void)printf("%5.1f %% %9s %9s %8" PRIu64 "  %s\n", ask_percent(ns, why->total_ns), each, total,
        events, name);
}

// print_count prints how many events there are that take no time, of all requests and of each.
static void
print_count(const query_why *why, uint64_t events, const char *name)
{
    char each[32];
    (void)snprintf(each, sizeof(each), "%.1f x", (double)events / (double)why->requests);
    (void)printf("%7s %9s %9s %8" PRIu64 "  %s\n", "-", each, "-", events, name);
}

static void
print_frame(const ask *a, const query_why *why, const query_why_frame *frame, bool is_count)
{
    char name[FRAME_BYTES] = "  ";
    char via[FRAME_BYTES];
    (void)lp_printable(query_names_text(&a->names, frame->frame), name + 2, sizeof(name) - 2);
    if (is_count) {
        print_count(why, frame->events, name);
    } else {
        print_line(why, frame->total_ns, frame->events, name);
    }
    if (frame->via != QUERY_NAME_NONE) {
        (void)lp_printable(query_names_text(&a->names, frame->via), via, sizeof(via));
        (void)printf("%*s    via %s\n", NAME_COLUMN, "", via);
    }
}

static void
print_slice(const ask *a, const query_why *why, const query_why_slice *slice)
{
    char name[QUERY_WHY_NAME_BYTES];
    query_why_slice_name(slice, &a->names, name);
    if (slice->stopped_ns > 0) {
        size_t len = strlen(name);
        char stopped[QUERY_DURATION_BYTES];
        query_duration_text(slice->stopped_ns, stopped);
        (void)snprintf(name + len, sizeof(name) - len, " (JVM stopped: %s)", stopped);
    }
    if (slice->is_count) {
        print_count(why, slice->events, name);
    } else {
        print_line(why, slice->total_ns, slice->events, name);
    }
    for (size_t i = 0; i < slice->top_count; i++) {
        if (slice->is_count || slice->top[i].total_ns > 0) {
            print_frame(a, why, &slice->top[i], slice->is_count);
        }
    }
}

// print_repeats prints which frames have many events in one context.
static void
print_repeats(const ask *a, const query_why *why)
{
    for (size_t i = 0; i < why->repeat_count; i++) {
        const query_why_repeat *repeat = &why->repeats[i];
        char category[QUERY_WHY_NAME_BYTES];
        char frame[FRAME_BYTES];
        char each[QUERY_DURATION_BYTES];
        char total[QUERY_DURATION_BYTES];
        query_why_repeat_name(repeat, &a->names, category);
        (void)lp_printable(query_names_text(&a->names, repeat->frame), frame, sizeof(frame));
        query_duration_text(query_why_repeat_each_ns(repeat), each);
        query_duration_text(repeat->total_ns, total);
        (void)printf("%s%" PRIu64 " x %s (%s), %s each: in %" PRIu64 " %s, %s in all\n",
            i == 0 ? "\nrepeated:\n  " : "  ", repeat->events / repeat->requests, frame, category,
            each, repeat->requests, units_of(a), total);
    }
}

static bool
print(const ask *a, const query_why *why, bool is_json)
{
    if (is_json) {
        return cmd_print_json(stdout, ask_json(a, query_why_json(why, &a->names, &a->outcome)));
    }
    (void)printf("%" PRIu64 " %s\n", why->requests, units_of(a));
    if (why->requests > 0) {
        (void)printf("%7s %9s %9s %8s\n", "share", "each", "all", "events");
        for (size_t i = 0; i < why->slices.count; i++) {
            print_slice(a, why, &why->slices.items[i]);
        }
        print_line(why, why->unaccounted_ns, 0, "not accounted");
        print_repeats(a, why);
    }
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
    code = ask_open(&a, program, &opts);
    if (code < 0) {
        code = explain(&a, &opts);
    }
    ask_close(&a);
    return code;
}
