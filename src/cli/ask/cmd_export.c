// SPDX-License-Identifier: Apache-2.0
// loupe export: requests, events or frames of recordings as a table for SQL.
//
// Tests: tests/e2e/ask_requests.py

#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"
#include "offline/output_file.h"
#include "query/export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char program[] = "loupe export";

// find_format finds the format for the name of a file. False if there is none.
static bool
find_format(const char *path, query_export_format *out_format)
{
    static const struct {
        const char *end;
        query_export_format format;
    } formats[] = {{".ndjson.zst", QUERY_EXPORT_NDJSON}, {".parquet", QUERY_EXPORT_PARQUET}};
    size_t len = strlen(path);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (lp_ends_with(path, len, formats[i].end)) {
            *out_format = formats[i].format;
            return true;
        }
    }
    return false;
}

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    const output_file *out = arg;
    if (lp_io_write_all(out->fd, bytes) != LP_OK) {
        lp_printable_line(stderr, "%s: %s: %s", program, out->path, strerror(errno));
        return LP_ECLOSED;
    }
    return LP_OK;
}

static bool
print(const ask *a, const query_export *table, const output_file *file, bool is_json)
{
    FILE *out = file->is_standard_output ? stderr : stdout;
    if (is_json) {
        return cmd_print_json(
            out, ask_json(a, json_pack("{sI sI sI sb}", "contexts", (json_int_t)a->outcome.contexts,
                                 "rows", (json_int_t)table->rows, "bytes", (json_int_t)table->bytes,
                                 "is_truncated", a->outcome.is_truncated)));
    }
    (void)fprintf(out, "%" PRIu64 " %s, %" PRIu64 " rows of %" PRIu64 " bytes\n",
        a->outcome.contexts, query_unit_name(a->comparison.selection.unit), table->rows,
        table->bytes);
    return true;
}

// write_table returns whether there is a table, which is in its place then.
static bool
write_table(ask *a, query_export *table, output_file *out)
{
    lp_problem problem;
    query_question question = {.on_context = query_export_add, .arg = table};
    query_export_prepare(table, &question);
    a->takes_contexts = true;
    if (!ask_run(a, &question)) {
        return false;
    }
    if (ask_say_empty(a)) {
        return false;
    }
    lp_err err = query_export_finish(table);
    if (err != LP_OK) {
        if (err != LP_ECLOSED) { // else the reason was printed
            ask_fail(a, err);
        }
        return false;
    }
    a->outcome.is_truncated |= table->is_truncated;
    ask_say_truncated(a, false);
    if (output_file_commit(out, &problem) != LP_OK) {
        cmd_complain(program, out->path, &problem);
        return false;
    }
    return true;
}

static int
export_table(ask *a, const options *opts)
{
    query_export_wish *wish = a->own;
    output_file out = {0};
    lp_problem problem;
    int code = CMD_FAILED;
    if (inputs_have(&a->in, opts->export_output)) {
        return cmd_refuse_overwriting(program, opts->export_output);
    }
    if (output_file_open(opts->export_output, &out, &problem) != LP_OK) {
        cmd_complain(program, opts->export_output, &problem);
        return CMD_FAILED;
    }
    wish->recording = ask_recording;
    wish->recording_arg = a;
    wish->sink = (query_table_sink){on_bytes, &out};
    query_export table = query_export_begin(wish, &a->names);
    if (write_table(a, &table, &out)) {
        code = cmd_end(program, print(a, &table, &out, opts->ask_is_json));
    }
    query_export_fini(&table);
    output_file_close(&out);
    return code;
}

int
cmd_export(const options *opts)
{
    const bool chosen[QUERY_TABLES] = {
        [QUERY_TABLE_REQUESTS] = opts->export_is_of_requests,
        [QUERY_TABLE_EVENTS] = opts->export_is_of_events,
        [QUERY_TABLE_FRAMES] = opts->export_is_of_frames,
    };
    query_export_wish wish = {0};
    unsigned count = 0;
    for (unsigned i = 0; i < QUERY_TABLES; i++) {
        wish.table = chosen[i] ? (query_table_kind)i : wish.table;
        count += chosen[i];
    }
    LP_REQUIRE(count == 1, cmd_refuse(opts, "give one of --requests, --events and --frames"));
    LP_REQUIRE(opts->export_output != NULL && find_format(opts->export_output, &wish.format),
        cmd_refuse(opts, "--output: a name that ends with .ndjson.zst or .parquet"));
    return ask_command(opts, QUERY_UNIT_REQUESTS, export_table, &wish);
}
