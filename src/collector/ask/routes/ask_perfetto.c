// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/slice.pftrace: requests or contexts and what happened in them, as a trace for
// Perfetto (perfetto.h).
//
// Tests: tests/e2e/ask_requests.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/perfetto/perfetto.h"

typedef struct writing {
    const ask_work *work;
    ask_answer *answer;
} writing;

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    return ask_answer_write(((const writing *)arg)->answer, bytes);
}

static lp_err
look(void *arg)
{
    return ask_cancel_look(((const writing *)arg)->work->cancel) ? LP_ECLOSED : LP_OK;
}

// name_process appends the service and the instance of a JVM.
static void
name_process(const void *arg, uint32_t source, lp_buf *out)
{
    const ask_sources *sources = &((const ask_work *)arg)->sources;
    LP_ASSERT(source < sources->chunks.count);
    const ask_recording *of = &sources->recordings.items[sources->chunks.items[source].recording];
    lp_buf_append_text(out, of->service);
    lp_buf_append_text(out, " ");
    lp_buf_append_text(out, of->instance);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_perfetto_route);
    writing to = {.work = work, .answer = out_answer};
    const query_perfetto_wish wish = {
        .name_process = name_process,
        .process_arg = work,
        .on_bytes = on_bytes,
        .look = look,
        .arg = &to,
    };
    query_perfetto trace = query_perfetto_begin(&wish, &work->names);
    query_question question = {.on_context = query_perfetto_add, .arg = &trace};
    query_perfetto_prepare(&trace, &question);
    lp_err err = ask_answer_begin_file(out_answer, work->files, work->store->blobs);
    LP_THEN(err, ask_work_run(work, &question));
    LP_THEN(err, query_perfetto_finish(&trace));
    work->outcome.is_truncated |= trace.is_truncated;
    query_perfetto_fini(&trace);
    if (err == LP_OK && out_answer->file_bytes == 0) {
        err = lp_problem_set(&out_answer->problem, LP_ENOENT,
            work->query->asked.selection.unit == QUERY_UNIT_REQUESTS
                ? "no request matches: there is no trace; unit=contexts asks for contexts"
                : "no context matches: there is no trace");
    }
    out_answer->type = "application/octet-stream";
    out_answer->file_name = work->query->route->path;
    return err == LP_OK ? ask_work_answer_file(work, out_answer) : err;
}

const ask_route ask_perfetto_route = {
    .path = "slice.pftrace",
    .unit = QUERY_UNIT_REQUESTS,
    .has_unit = true,
    .answer = answer,
};
