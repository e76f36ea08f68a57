// SPDX-License-Identifier: Apache-2.0
// loupe why: where the time of contexts went.
//
// Tests: tests/e2e/ask.py

#include "cli/ask.h"
#include "cli/cmd.h"
#include "common/base/lp_printable.h"
#include "query/duration_text.h"
#include "query/why_json.h"

#include <inttypes.h>
#include <string.h>

static const char program[] = "loupe why";

enum { FRAME_BYTES = 1024 }; // the rest of a name is cut off

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_why_add(arg, answer);
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
    print_line(why, slice->total_ns, slice->events, name);
    for (size_t i = 0; i < slice->top_count && slice->top[i].total_ns > 0; i++) {
        char frame[FRAME_BYTES] = "  ";
        (void)lp_printable(
            query_names_text(&a->names, slice->top[i].frame), frame + 2, sizeof(frame) - 2);
        print_line(why, slice->top[i].total_ns, slice->top[i].events, frame);
    }
}

static bool
print(const ask *a, const query_why *why, bool is_json)
{
    if (is_json) {
        return cmd_print_json(stdout, ask_json(a, query_why_json(why, &a->names, &a->outcome)));
    }
    bool is_of_threads = a->comparison.selection.is_of_threads;
    (void)printf("%" PRIu64 " %s\n", why->requests, is_of_threads ? "threads" : "contexts");
    if (why->requests > 0) {
        (void)printf("%7s %9s %9s %8s\n", "share", "each", "all", "events");
        for (size_t i = 0; i < why->slices.count; i++) {
            print_slice(a, why, &why->slices.items[i]);
        }
        print_line(why, why->unaccounted_ns, 0, "not accounted");
    }
    return true;
}

static int
explain(ask *a, const options *opts)
{
    query_why why = {0};
    query_question question = {.wants_frames = true, .on_context = on_context, .arg = &why};
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
    code = ask_open(&a, program, &opts);
    if (code < 0) {
        code = explain(&a, &opts);
    }
    ask_close(&a);
    return code;
}
