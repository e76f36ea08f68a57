// SPDX-License-Identifier: Apache-2.0
// loupe hot: the frames in which the time of contexts, or of threads, went.
//
// Tests: tests/e2e/flamegraph.py

#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "cli/base/terminal.h"
#include "common/base/lp_printable.h"
#include "query/graph/flame.h"
#include "query/why/duration_text.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static const char program[] = "loupe hot";

static_assert(QUERY_MEASURE_TIME == 0 && QUERY_MEASURE_CPU == 1 && QUERY_MEASURE_ALLOC == 2 &&
                  QUERY_MEASURE_LOCK == 3 && QUERY_MEASURE_PARK == 4 && QUERY_MEASURE_IO == 5 &&
                  QUERY_MEASURE_COUNT == 6,
    "the choices of --value are in this order");
static_assert(
    QUERY_HOT_BY_OWN == 0 && QUERY_HOT_BY_TOTAL == 1, "the choices of --sort are in this order");

enum {
    FRAME_BYTES = 1024, // the rest of a name is cut off
    FRAME_COLUMN = 52,  // of a line, where it begins
    AMOUNT_BYTES = QUERY_DURATION_BYTES,
};

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_profile_add(arg, answer, 0);
}

static void
amount_text(query_measure measure, int64_t value, char out_text[AMOUNT_BYTES])
{
    if (strcmp(query_measure_unit(measure), "ns") == 0) {
        query_duration_text(value, out_text);
    } else {
        (void)snprintf(out_text, AMOUNT_BYTES, "%" PRId64, value);
    }
}

static void
print_frame(const query_profile *profile, const query_hot_frame *frame)
{
    char own[AMOUNT_BYTES];
    char total[AMOUNT_BYTES];
    char whole[FRAME_BYTES];
    char name[FRAME_BYTES];
    int64_t all = profile->totals[0].value;
    amount_text(profile->measure, frame->own.value, own);
    amount_text(profile->measure, frame->total_value, total);
    (void)lp_printable(query_names_text(profile->names, frame->name), whole, sizeof(whole));
    terminal_fit(whole, terminal_rest(stdout, FRAME_COLUMN), name, sizeof(name));
    (void)printf("%5.1f %% %12s %5.1f %% %12s %8" PRIu64 "  %s\n",
        ask_percent(frame->own.value, all), own, ask_percent(frame->total_value, all), total,
        frame->own.events, name);
}

static void
print_table(const ask *a, const query_profile *profile, const query_hot *hot, size_t limit)
{
    char all[AMOUNT_BYTES];
    size_t count = hot->frames.count < limit ? hot->frames.count : limit;
    amount_text(profile->measure, profile->totals[0].value, all);
    (void)printf("%s: %s%s in %" PRIu64 " %s\n", query_measure_name(profile->measure), all,
        profile->measure == QUERY_MEASURE_ALLOC ? " bytes" : "", profile->totals[0].requests,
        query_unit_name(a->comparison.selection.unit));
    if (count > 0) {
        terminal_begin_heading(stdout);
        (void)printf("%7s %12s %7s %12s %8s  %s\n", "own", "", "total", "", "events", "frame");
        terminal_end_heading(stdout);
    }
    for (size_t i = 0; i < count; i++) {
        print_frame(profile, &hot->frames.items[i]);
    }
    (void)printf("%zu of %zu frames\n", count, hot->frames.count);
}

// say_empty prints why there are no frames, if that is so.
static void
say_empty(ask *a, const query_hot *hot)
{
    if (!ask_say_empty(a) && hot->frames.count == 0) {
        lp_printable_line(stderr,
            "%s: the input has no such events: try another --value, or record more kinds of events",
            program);
    }
}

static int
list(ask *a, const options *opts)
{
    query_profile profile = query_profile_begin((query_measure)opts->hot_value, &a->names);
    query_question question = {.on_context = on_context, .arg = &profile};
    query_hot hot = {0};
    int code = CMD_FAILED;
    query_profile_prepare(&profile, &question);
    a->takes_threads = true;
    if (ask_run(a, &question)) {
        lp_err err = query_profile_finish(&profile, NULL);
        LP_THEN(err, query_hot_make(&hot, &profile, (query_hot_order)opts->hot_sort));
        if (err != LP_OK) {
            ask_fail(a, err);
        } else {
            ask_say_truncated(a, profile.is_truncated);
            say_empty(a, &hot);
            bool is_printed = true;
            if (opts->ask_is_json) {
                is_printed = cmd_print_json(stdout,
                    ask_json(a, query_hot_json(&hot, &profile, opts->hot_limit, &a->outcome)));
            } else {
                print_table(a, &profile, &hot, opts->hot_limit);
            }
            code = cmd_end(program, is_printed);
        }
    }
    query_hot_fini(&hot);
    query_profile_fini(&profile);
    return code;
}

int
cmd_hot(const options *opts)
{
    return ask_command(opts, (query_unit)opts->hot_unit, list, NULL);
}
