// SPDX-License-Identifier: Apache-2.0
// loupe slice: some contexts of recordings, and what happened in them, as a recording, as a trace
// for Perfetto or as OTLP profiles.
//
// Tests: tests/e2e/slice.py, tests/e2e/ask_requests.py

#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"
#include "offline/output_file.h"
#include "offline/temp_file.h"
#include "query/otlp/otlp_profiles.h"
#include "query/perfetto/perfetto.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char program[] = "loupe slice";

typedef struct slicing {
    output_file out;
    uint64_t events;
    uint64_t chunks;
    uint64_t bytes;
} slicing;

static lp_err
write_all(slicing *s, lp_slice bytes)
{
    if (lp_io_write_all(s->out.fd, bytes) != LP_OK) {
        lp_printable_line(stderr, "%s: %s: %s", program, s->out.path, strerror(errno));
        return LP_ECLOSED;
    }
    s->bytes += bytes.len;
    return LP_OK;
}

static lp_err
on_chunk(void *arg, const compact_result *chunk)
{
    slicing *s = arg;
    LP_TRY(write_all(s, lp_buf_slice(&chunk->jfr)));
    s->events += chunk->stats.events_out;
    s->chunks++;
    return LP_OK;
}

static lp_err
spill(void *arg, lp_slice bytes, int *fd)
{
    (void)arg;
    const char *directory = "";
    lp_problem problem = {.text = ""};
    lp_err err = *fd < 0 ? temp_file_open(fd, &directory, &problem) : LP_OK;
    LP_THEN(err, lp_io_write_all(*fd, bytes));
    if (err != LP_OK) {
        lp_printable_line(stderr, "%s: temporary file: %s", program,
            problem.text[0] == '\0' ? strerror(errno) : problem.text);
        return LP_ECLOSED;
    }
    return LP_OK;
}

static bool
print(const ask *a, const slicing *s, bool is_json)
{
    FILE *out = s->out.is_standard_output ? stderr : stdout;
    if (is_json) {
        return cmd_print_json(
            out, json_pack("{sI sI sI sI sb}", "contexts", (json_int_t)a->outcome.contexts,
                     "events", (json_int_t)s->events, "chunks", (json_int_t)s->chunks, "bytes",
                     (json_int_t)s->bytes, "is_truncated", a->outcome.is_truncated));
    }
    (void)fprintf(out,
        "%" PRIu64 " contexts, %" PRIu64 " events in all, in %" PRIu64 " chunks of %" PRIu64
        " bytes\n",
        a->outcome.contexts, s->events, s->chunks, s->bytes);
    return true;
}

// write_slice returns whether the slice was written.
static bool
write_slice(ask *a, slicing *s, const options *opts)
{
    query_slice slice = {
        .has_around = opts->slice_has_around,
        .style = (compact_context_style)opts->slice_style,
        .spill = spill,
        .on_chunk = on_chunk,
        .arg = s,
    };
    LP_REQUIRE(ask_slice(a, &slice), false);
    ask_say_truncated(a, false);
    return true;
}

// --- A trace for Perfetto

// file_name returns the name of the file of a source.
static const char *
file_name(const void *arg, uint32_t source)
{
    const char *path = ask_recording(arg, source);
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void
name_process(const void *arg, uint32_t source, lp_buf *out)
{
    lp_buf_append_text(out, file_name(arg, source));
}

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    return write_all(arg, bytes);
}

// print_items prints how many bars or samples there are.
static bool
print_items(const ask *a, const slicing *s, const char *items, bool is_json)
{
    FILE *out = s->out.is_standard_output ? stderr : stdout;
    if (is_json) {
        return cmd_print_json(
            out, ask_json(a, json_pack("{sI sI sI sb}", "contexts", (json_int_t)a->outcome.contexts,
                                 items, (json_int_t)s->events, "bytes", (json_int_t)s->bytes,
                                 "is_truncated", a->outcome.is_truncated)));
    }
    (void)fprintf(out, "%" PRIu64 " %s, %" PRIu64 " %s in all, in %" PRIu64 " bytes\n",
        a->outcome.contexts, query_unit_name(a->comparison.selection.unit), s->events, items,
        s->bytes);
    return true;
}

static bool
print_trace(const ask *a, const slicing *s, bool is_json)
{
    return print_items(a, s, "bars", is_json);
}

// write_trace returns whether the trace was written.
static bool
write_trace(ask *a, slicing *s, const options *opts)
{
    (void)opts;
    const query_perfetto_wish wish = {
        .name_process = name_process, .process_arg = a, .on_bytes = on_bytes, .arg = s};
    query_perfetto trace = query_perfetto_begin(&wish, &a->names);
    query_question question = {.on_context = query_perfetto_add, .arg = &trace};
    query_perfetto_prepare(&trace, &question);
    a->takes_contexts = true;
    bool is_run = ask_run(a, &question);
    lp_err err = is_run ? query_perfetto_finish(&trace) : LP_OK;
    if (err != LP_OK && err != LP_ECLOSED) { // else the reason was printed
        ask_fail(a, err);
    }
    s->events = trace.packets.bars;
    a->outcome.is_truncated |= trace.is_truncated;
    query_perfetto_fini(&trace);
    ask_say_truncated(a, false);
    return is_run && err == LP_OK;
}

// --- OTLP profiles

// A recording does not know its service: that is the name of the file.
static size_t
describe(const void *arg, uint32_t source, query_otlp_fact out_facts[QUERY_OTLP_FACTS_MAX])
{
    out_facts[0] = (query_otlp_fact){.key = "service.name", .text = file_name(arg, source)};
    out_facts[1] = (query_otlp_fact){.key = "telemetry.sdk.language", .text = "java"};
    return 2;
}

static lp_err
on_piece(void *arg, const query_otlp_piece *piece)
{
    return write_all(arg, piece->bytes);
}

static bool
print_profiles(const ask *a, const slicing *s, bool is_json)
{
    return print_items(a, s, "samples", is_json);
}

// write_profiles returns whether the profiles were written.
static bool
write_profiles(ask *a, slicing *s, const options *opts)
{
    (void)opts;
    const query_otlp_wish wish = {
        .describe = describe, .describe_arg = a, .on_piece = on_piece, .arg = s, .is_file = true};
    query_otlp_profiles *profiles = query_otlp_profiles_create(&wish, &a->names);
    if (profiles == NULL) {
        ask_fail(a, LP_ENOMEM);
        return false;
    }
    query_question question = {.on_context = query_otlp_profiles_add, .arg = profiles};
    query_otlp_profiles_prepare(profiles, &question);
    a->takes_contexts = true;
    bool is_run = ask_run(a, &question);
    lp_err err = is_run ? query_otlp_profiles_finish(profiles) : LP_OK;
    if (err != LP_OK && err != LP_ECLOSED) { // else the reason was printed
        ask_fail(a, err);
    }
    query_otlp_counts counts = query_otlp_profiles_count(profiles);
    s->events = counts.samples;
    a->outcome.is_truncated |= counts.is_truncated;
    query_otlp_profiles_destroy(profiles);
    ask_say_truncated(a, false);
    return is_run && err == LP_OK;
}

// --- All forms

typedef struct form {
    const char *end; // of the file's name
    query_unit unit;
    bool (*write)(ask *a, slicing *s, const options *opts);
    bool (*print)(const ask *a, const slicing *s, bool is_json);
} form;

// form_of returns the form for a file's name, and a recording for any other name.
static const form *
form_of(const char *path)
{
    static const form forms[] = {
        {".pftrace", QUERY_UNIT_REQUESTS, write_trace, print_trace},
        {".otlp", QUERY_UNIT_REQUESTS, write_profiles, print_profiles},
        {"", QUERY_UNIT_CONTEXTS, write_slice, print},
    };
    const form *at = forms;
    while (!lp_ends_with(path, strlen(path), at->end)) {
        at++;
    }
    return at;
}

// write_output returns whether there is an output, which is in its place then.
static bool
write_output(ask *a, slicing *s, const options *opts)
{
    lp_problem problem;
    LP_REQUIRE(form_of(opts->slice_output)->write(a, s, opts), false);
    if (s->bytes == 0) {
        if (!ask_say_empty(a)) {
            lp_printable_line(stderr, "%s: nothing to write", program);
        }
        return false;
    }
    if (output_file_commit(&s->out, &problem) != LP_OK) {
        cmd_complain(program, s->out.path, &problem);
        return false;
    }
    return true;
}

static int
cut(ask *a, const options *opts)
{
    slicing s = {0};
    lp_problem problem;
    int code = CMD_FAILED;
    if (inputs_have(&a->in, opts->slice_output)) {
        return cmd_refuse_overwriting(program, opts->slice_output);
    }
    if (output_file_open(opts->slice_output, &s.out, &problem) != LP_OK) {
        cmd_complain(program, opts->slice_output, &problem);
        return CMD_FAILED;
    }
    if (write_output(a, &s, opts)) {
        code = cmd_end(program, form_of(opts->slice_output)->print(a, &s, opts->ask_is_json));
    }
    output_file_close(&s.out);
    return code;
}

int
cmd_slice(const options *opts)
{
    LP_REQUIRE(opts->operand_count == 0 || opts->slice_output != NULL,
        cmd_refuse(opts, "no output: say where with -o OUT.jfr"));
    const form *as = form_of(opts->slice_output == NULL ? "" : opts->slice_output);
    bool has_form = opts->slice_has_around || opts->slice_style != COMPACT_STYLE_EVENTS;
    LP_REQUIRE(as->unit == QUERY_UNIT_CONTEXTS || !has_form,
        cmd_refuse(opts, "--around and --context-style are for recordings"));
    return ask_command(opts, as->unit, cut, NULL);
}
