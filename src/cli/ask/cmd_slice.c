// SPDX-License-Identifier: Apache-2.0
// loupe slice: some contexts of recordings, and what happened in them, as a recording.
//
// Tests: tests/e2e/slice.py

#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"
#include "offline/output_file.h"
#include "offline/temp_file.h"

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
on_chunk(void *arg, const compact_result *chunk)
{
    slicing *s = arg;
    if (lp_io_write_all(s->out.fd, lp_buf_slice(&chunk->jfr)) != LP_OK) {
        lp_printable_line(stderr, "%s: %s: %s", program, s->out.path, strerror(errno));
        return LP_ECLOSED;
    }
    s->events += chunk->stats.events_out;
    s->bytes += chunk->jfr.len;
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

// write_slice returns whether there is a slice, which is in its place then.
static bool
write_slice(ask *a, slicing *s, const options *opts)
{
    lp_problem problem;
    query_slice slice = {
        .has_around = opts->slice_has_around,
        .style = (compact_context_style)opts->slice_style,
        .spill = spill,
        .on_chunk = on_chunk,
        .arg = s,
    };
    LP_REQUIRE(ask_slice(a, &slice), false);
    ask_say_truncated(a, false);
    if (s->chunks == 0) {
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
    if (write_slice(a, &s, opts)) {
        code = cmd_end(program, print(a, &s, opts->ask_is_json));
    }
    output_file_close(&s.out);
    return code;
}

int
cmd_slice(const options *opts)
{
    LP_REQUIRE(opts->operand_count == 0 || opts->slice_output != NULL,
        cmd_refuse(opts, "no output: say where with -o OUT.jfr"));
    return ask_command(opts, QUERY_UNIT_CONTEXTS, cut, NULL);
}
