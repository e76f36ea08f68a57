// SPDX-License-Identifier: Apache-2.0
// loupe slice: some contexts of recordings, and what happened in them, as a recording or as a trace
// for Perfetto.
//
// Tests: tests/e2e/slice.py, tests/e2e/ask_requests.py

#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"
#include "offline/output_file.h"
#include "offline/temp_file.h"
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

static bool
is_trace(const char *path)
{
    return lp_ends_with(path, strlen(path), ".pftrace");
}

static void
name_process(const void *arg, uint32_t source, lp_buf *out)
{
    const char *path = ask_recording(arg, source);
    const char *slash = strrchr(path, '/');
    lp_buf_append_text(out, slash == NULL ? path : slash + 1);
}

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    return write_all(arg, bytes);
}

static bool
print_trace(const ask *a, const slicing *s, bool is_json)
{
    FILE *out = s->out.is_standard_output ? stderr : stdout;
    if (is_json) {
        return cmd_print_json(
            out, ask_json(a, json_pack("{sI sI sI sb}", "contexts", (json_int_t)a->outcome.contexts,
                                 "bars", (json_int_t)s->events, "bytes", (json_int_t)s->bytes,
                                 "is_truncated", a->outcome.is_truncated)));
    }
    (void)fprintf(out, "%" PRIu64 " %s, %" PRIu64 " bars in all, in %" PRIu64 " bytes\n",
        a->outcome.contexts, query_unit_name(a->comparison.selection.unit), s->events, s->bytes);
    return true;
}

// write_trace returns whether the trace was written.
static bool
write_trace(ask *a, slicing *s)
{
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

// --- Both

// write_output returns whether there is an output, which is in its place then.
static bool
write_output(ask *a, slicing *s, const options *opts)
{
    lp_problem problem;
    LP_REQUIRE(is_trace(opts->slice_output) ? write_trace(a, s) : write_slice(a, s, opts), false);
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
        code = cmd_end(program,
            (is_trace(opts->slice_output) ? print_trace : print)(a, &s, opts->ask_is_json));
    }
    output_file_close(&s.out);
    return code;
}

int
cmd_slice(const options *opts)
{
    LP_REQUIRE(opts->operand_count == 0 || opts->slice_output != NULL,
        cmd_refuse(opts, "no output: say where with -o OUT.jfr"));
    bool is_of_requests = opts->slice_output != NULL && is_trace(opts->slice_output);
    bool has_form = opts->slice_has_around || opts->slice_style != COMPACT_STYLE_EVENTS;
    LP_REQUIRE(!is_of_requests || !has_form,
        cmd_refuse(opts, "--around and --context-style are for recordings"));
    return ask_command(opts, is_of_requests ? QUERY_UNIT_REQUESTS : QUERY_UNIT_CONTEXTS, cut, NULL);
}
