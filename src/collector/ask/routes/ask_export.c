// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/frames, and format=ndjson of /api/v1/requests and /api/v1/events: tables for SQL.
//
// Tests: tests/e2e/ask_requests.py

#include "collector/ask/routes/ask_export.h"

#include "collector/ask/routes/ask_routes.h"
#include "common/base/lp_assert.h"
#include "query/export/export.h"

#include <stddef.h>

const char *const ask_export_formats[ASK_EXPORT_FORMATS] = {
    [ASK_EXPORT_JSON] = "json", [ASK_EXPORT_NDJSON] = "ndjson"};

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    return ask_answer_write(arg, bytes);
}

static lp_err
write_table(ask_work *work, query_table_kind table, ask_answer *out_answer)
{
    LP_ASSERT(table < QUERY_TABLES);
    const query_export_wish wish = {
        .table = table,
        .format = QUERY_EXPORT_NDJSON,
        .recording = ask_work_recording,
        .recording_arg = work,
        .sink = {on_bytes, out_answer},
    };
    query_export made = query_export_begin(&wish, &work->names);
    query_question question = {.on_context = query_export_add, .arg = &made};
    query_export_prepare(&made, &question);
    lp_err err = ask_answer_begin_file(out_answer, work->files, work->store->blobs);
    LP_THEN(err, ask_work_run(work, &question));
    LP_THEN(err, query_export_finish(&made));
    work->outcome.is_truncated |= made.is_truncated;
    query_export_fini(&made);
    return err;
}

lp_err
ask_export_answer(ask_work *work, query_table_kind table, ask_answer *out_answer)
{
    ask_work_check(work);
    static const char *const names[QUERY_TABLES] = {
        [QUERY_TABLE_REQUESTS] = "requests.ndjson.zst",
        [QUERY_TABLE_EVENTS] = "events.ndjson.zst",
        [QUERY_TABLE_FRAMES] = "frames.ndjson.zst",
    };
    LP_REQUIRE((work->query->given & ~1U) == 0, // the first is `format`
        lp_problem_set(&out_answer->problem, LP_ECORRUPT,
            "format: ndjson has all rows, so only a selection goes with it"));
    LP_TRY(write_table(work, table, out_answer));
    out_answer->type = "application/zstd";
    out_answer->file_name = names[table];
    return ask_work_answer_file(work, out_answer);
}

// --- Frames, which are no list otherwise

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_frames_route);
    return ask_export_answer(work, QUERY_TABLE_FRAMES, out_answer);
}

static const char *const format[] = {"ndjson"};

typedef struct parameters {
    size_t format;
} parameters;

static const ask_parameter own_parameters[] = {
    {"format", ASK_CHOICE, offsetof(parameters, format), .words = format, .word_count = 1}, {0}};

const ask_route ask_frames_route = {
    .path = "frames",
    .has_unit = true,
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
