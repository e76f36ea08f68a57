// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/ask.h"

#include "cli/base/cmd.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"
#include "offline/lost_input.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static_assert(QUERY_UNIT_CONTEXTS == 0 && QUERY_UNIT_THREADS == 1 && QUERY_UNIT_REQUESTS == 2,
    "the choices of --unit are in this order");

static const int64_t NS_PER_S = 1000000000;

void
ask_fail(const ask *a, lp_err err)
{
    const char *name;
    lp_problem problem;
    if (inputs_check(&a->in, &name, &problem) != LP_OK) { // then that is why
        cmd_complain(a->program, name, &problem);
        return;
    }
    lp_printable_line(stderr, "%s: %s", a->program, lp_err_text(err));
}

const char *
ask_recording(const void *arg, uint32_t source)
{
    const ask *a = arg;
    return a->in.chunks.items[source].file->name;
}

// --- Options

// set_all sets a parameter that may be given several times.
static lp_err
set_all(ask *a, const char *name, const options_texts *given, lp_problem *problem)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < given->count && err == LP_OK; i++) {
        err = query_comparison_set(&a->comparison, name, given->items[i], problem);
    }
    return err;
}

static lp_err
set_selection(ask *a, const options *opts, query_unit unit, lp_problem *problem)
{
    const struct {
        const char *name;
        const char *value;
    } given[] = {
        {"context", opts->ask_context},
        {"min_duration", opts->ask_min_duration},
        {"max_duration", opts->ask_max_duration},
        {"from", opts->ask_from},
        {"to", opts->ask_to},
        {"trace", opts->ask_trace},
        {"thread", opts->ask_thread},
        {"pool", opts->ask_pool},
        {"request", opts->requests_request},
        {"base", opts->compares_base},
        {"base_context", opts->compares_base_context},
        {"base_min_duration", opts->compares_base_min_duration},
        {"base_max_duration", opts->compares_base_max_duration},
        {"base_from", opts->compares_base_from},
        {"base_to", opts->compares_base_to},
        {"base_trace", opts->compares_base_trace},
        {"base_thread", opts->compares_base_thread},
        {"base_pool", opts->compares_base_pool},
    };
    lp_err err = LP_OK;
    a->comparison = query_comparison_begin(true);
    a->comparison.selection.unit = unit;
    a->comparison.base.unit = unit;
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]) && err == LP_OK; i++) {
        if (given[i].value != NULL) {
            err = query_comparison_set(&a->comparison, given[i].name, given[i].value, problem);
        }
    }
    LP_THEN(err, set_all(a, "where", &opts->ask_where, problem));
    LP_THEN(err, set_all(a, "base_where", &opts->compares_base_where, problem));
    return err == LP_OK ? query_comparison_finish(&a->comparison, problem) : err;
}

// --- Recordings

static bool
on_note(void *arg, const input_note *note)
{
    const ask *a = arg;
    lp_printable_line(
        stderr, "%s: %s: offset %" PRIu64 ": %s", a->program, note->name, note->offset, note->text);
    return true;
}

static bool
open_inputs(ask *a, const options *opts)
{
    const char *name;
    lp_problem problem;
    lp_err err =
        inputs_open(&a->in, opts->operands, opts->operand_count, on_note, a, &name, &problem);
    if (err != LP_OK) {
        cmd_complain(a->program, name == NULL ? "input" : name, &problem);
        return false;
    }
    a->chunks = calloc(a->in.chunks.count + 1, sizeof(*a->chunks));
    a->is_unreadable = calloc(a->in.chunks.count + 1, sizeof(*a->is_unreadable));
    if (a->chunks == NULL || a->is_unreadable == NULL) {
        ask_fail(a, LP_ENOMEM);
        return false;
    }
    for (size_t i = 0; i < a->in.chunks.count; i++) {
        const input_chunk *chunk = &a->in.chunks.items[i];
        a->chunks[i] = (query_source){.bytes = chunk->bytes, .session = chunk->session};
    }
    a->sources = (query_sources){.items = a->chunks, .count = a->in.chunks.count};
    return true;
}

int
ask_command(
    const options *opts, query_unit unit, int (*answer)(ask *a, const options *opts), void *own)
{
    lp_problem problem;
    ask a = {.program = opts->program, .own = own, .has_progress = isatty(STDERR_FILENO) == 1};
    LP_REQUIRE(opts->operand_count != 0, cmd_refuse(opts, "no input"));
    if (set_selection(&a, opts, unit, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", a.program, problem.text);
        return CMD_USAGE;
    }
    lost_input_start(a.program);
    int code = open_inputs(&a, opts) ? answer(&a, opts) : CMD_FAILED;
    query_names_fini(&a.names);
    free(a.chunks);
    free(a.is_unreadable);
    inputs_close(&a.in);
    return code;
}

// --- The query

static void
hide_progress(ask *a)
{
    if (a->shows_progress) {
        (void)fputs("\r\033[K", stderr);
        a->shows_progress = false;
    }
}

// The question's arg while it runs: callbacks of the command's are called with its own.
typedef struct asking {
    ask *a;
    lp_err (*on_context)(void *arg, const query_answer *answer);
    bool (*wants_events)(void *arg, int64_t begin_wall_ns, int64_t duration_ns);
    void *arg;
} asking;

static lp_err
pass_context(void *arg, const query_answer *answer)
{
    const asking *run = arg;
    return run->on_context(run->arg, answer);
}

static bool
pass_wish(void *arg, int64_t begin_wall_ns, int64_t duration_ns)
{
    const asking *run = arg;
    return run->wants_events(run->arg, begin_wall_ns, duration_ns);
}

static lp_err
on_unreadable(void *arg, size_t source, const lp_problem *problem)
{
    ask *a = ((asking *)arg)->a;
    const input_chunk *chunk = &a->in.chunks.items[source];
    const lp_problem located = inputs_locate(chunk, problem);
    if (a->is_unreadable[source]) { // an earlier query of the same command said so
        return LP_OK;
    }
    a->is_unreadable[source] = true;
    a->unreadable_chunks++;
    hide_progress(a);
    if (chunk->damage == NULL) { // else that was said when it was opened
        cmd_complain(a->program, chunk->file->name, &located);
    }
    return LP_OK;
}

static void
on_passed(void *arg, size_t source, size_t done, size_t all)
{
    ask *a = ((asking *)arg)->a;
    const input_chunk *chunk = &a->in.chunks.items[source];
    recording_file_release(chunk->file, chunk->bytes);
    if (a->has_progress && lp_time_mono_ns() - a->start_mono_ns > NS_PER_S) {
        (void)fprintf(stderr, "\r%s: %zu %%", a->program, done * 100 / all);
        a->shows_progress = true;
    }
}

static void
complain_of_damage(ask *a)
{
    const query_outcome *outcome = &a->outcome;
    if (outcome->unreadable_events + outcome->damaged_places > 0 && !a->has_said_damage) {
        a->has_said_damage = true;
        lp_printable_line(stderr,
            "%s: left out %" PRIu64 " events that do not fit their types, and %" PRIu64
            " damaged places",
            a->program, outcome->unreadable_events, outcome->damaged_places);
    }
}

void
ask_say_truncated(const ask *a, bool is_truncated)
{
    if (a->outcome.is_truncated || is_truncated) {
        lp_printable_line(
            stderr, "%s: too much to answer in full: some of it is missing", a->program);
    }
}

// begin_query has a question be about the recordings of a, and say to it how far it is.
static void
begin_query(ask *a, asking *run, query_question *question)
{
    *run = (asking){a, question->on_context, question->wants_events, question->arg};
    question->sources = &a->sources;
    question->selection = &a->comparison.selection;
    question->base = a->comparison.has_base ? &a->comparison.base : NULL;
    question->on_context = pass_context;
    question->wants_events = run->wants_events == NULL ? NULL : pass_wish;
    question->on_unreadable = on_unreadable;
    question->on_passed = on_passed;
    question->arg = run;
    a->start_mono_ns = lp_time_mono_ns();
}

// end_query returns whether the query is done.
static bool
end_query(ask *a, lp_err err)
{
    const char *name;
    lp_problem problem;
    hide_progress(a);
    if (err != LP_OK) {
        if (err != LP_ECLOSED) { // else who ended it has said why
            ask_fail(a, err);
        }
        return false;
    }
    if (inputs_check(&a->in, &name, &problem) != LP_OK) {
        cmd_complain(a->program, name, &problem);
        return false;
    }
    complain_of_damage(a);
    return a->unreadable_chunks < a->in.chunks.count; // else why has been said
}

static lp_err
stop_at_context(void *arg, const query_answer *answer)
{
    (void)answer;
    *(bool *)arg = true;
    return LP_ECLOSED;
}

// has_any returns whether the recordings have any context, or any other unit. Only an answer
// without them leads here.
static bool
has_any(ask *a, query_unit unit)
{
    query_selection all = query_selection_begin(true);
    all.unit = unit;
    bool has_some = false;
    const query_question question = {
        .sources = &a->sources,
        .selection = &all,
        .contexts_only = true,
        .on_context = stop_at_context,
        .arg = &has_some,
    };
    query_names names = {0};
    query_outcome outcome;
    lp_err err = query_run(&question, &names, &outcome);
    query_names_fini(&names);
    return has_some || (err != LP_OK && err != LP_ECLOSED);
}

// run_again runs a query that found nothing once more, about another unit.
static lp_err
run_again(ask *a, query_question *question, query_unit unit)
{
    hide_progress(a);
    lp_printable_line(stderr, "%s: no %s in the input: the answer is about its %s", a->program,
        query_unit_name(a->comparison.selection.unit), query_unit_name(unit));
    a->comparison.selection.unit = unit;
    return query_run(question, &a->names, &a->outcome);
}

bool
ask_run(ask *a, query_question *question)
{
    asking run;
    begin_query(a, &run, question);
    lp_err err = query_run(question, &a->names, &a->outcome);
    query_unit unit = a->comparison.selection.unit;
    bool is_empty = err == LP_OK && a->outcome.contexts == 0;
    bool has_conditions = a->comparison.selection.given != 0 || a->comparison.has_base;
    if (is_empty && a->takes_threads && !has_conditions && unit == QUERY_UNIT_CONTEXTS) {
        err = run_again(a, question, QUERY_UNIT_THREADS);
    } else if (is_empty && a->takes_contexts && unit == QUERY_UNIT_REQUESTS && !has_any(a, unit)) {
        err = run_again(a, question, QUERY_UNIT_CONTEXTS);
    }
    return end_query(a, err);
}

bool
ask_scan(ask *a, query_on_event *on_event, void *arg)
{
    asking run;
    query_question question = {0};
    begin_query(a, &run, &question);
    return end_query(a, query_events_scan(&question, &a->names, on_event, arg, &a->outcome));
}

bool
ask_slice(ask *a, query_slice *slice)
{
    asking run;
    query_question question = {0};
    lp_problem problem;
    begin_query(a, &run, &question);
    slice->question = &question;
    lp_err err = query_slice_write(slice, &a->names, &a->outcome, &problem);
    if (err != LP_OK && problem.text[0] != '\0') {
        hide_progress(a);
        lp_printable_line(stderr, "%s: %s", a->program, problem.text);
        err = LP_ECLOSED;
    }
    return end_query(a, err);
}

json_t *
ask_json(const ask *a, json_t *answer)
{
    query_unit unit = a->comparison.selection.unit;
    return unit == QUERY_UNIT_CONTEXTS
               ? answer
               : query_json_set(answer, "requests_are", json_string(query_unit_name(unit)));
}

// say_no_threads prints why an answer has no threads.
static void
say_no_threads(const ask *a)
{
    lp_printable_line(stderr,
        a->comparison.selection.given != 0
            ? "%s: no thread has a matching event: leave out --thread, --from or --to"
            : "%s: no event in the input names a thread",
        a->program);
}

bool
ask_say_empty(ask *a)
{
    query_unit unit = a->comparison.selection.unit;
    if (a->outcome.contexts > 0) {
        return false;
    }
    if (unit == QUERY_UNIT_THREADS) {
        say_no_threads(a);
        return true;
    }
    if (a->comparison.selection.any_id != NULL && has_any(a, unit)) {
        lp_printable_line(stderr, "%s: no context%s has the id %s", a->program,
            a->comparison.selection.given != 0 ? " that matches the conditions" : "",
            a->comparison.selection.any_id);
        return true;
    }
    if (a->comparison.selection.given != 0 && has_any(a, unit)) {
        lp_printable_line(stderr,
            "%s: no %s matches: leave out or widen a condition (--where, --min-duration and so on)",
            a->program, unit == QUERY_UNIT_REQUESTS ? "request" : "context");
        return true;
    }
    if (unit == QUERY_UNIT_REQUESTS && has_any(a, QUERY_UNIT_CONTEXTS)) {
        lp_printable_line(stderr,
            "%s: no requests in the input, but contexts: `loupe compact` finds the requests of a "
            "recording and writes them; or ask about contexts (`loupe contexts`, --unit contexts)",
            a->program);
        return true;
    }
    lp_printable_line(stderr,
        "%s: no %s in the input: record with the agent and set contexts, or mark an event's field "
        "as @Contextual. Without contexts there are `loupe hot`, `loupe flamegraph`, and `loupe "
        "why --unit threads`",
        a->program, query_unit_name(unit));
    return true;
}

// --- Words
