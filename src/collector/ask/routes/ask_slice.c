// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/slice.jfr: contexts or requests and what happened in them, as a recording (slice.h).
//
// Tests: tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "query/slice/slice.h"

#include <stddef.h>

typedef struct parameters {
    bool has_around;
    size_t style; // compact_context_style
} parameters;

typedef struct slicing {
    const ask_work *work;
    ask_answer *answer;
    uint64_t spilled_bytes;
} slicing;

static lp_err
spill(void *arg, lp_slice bytes, int *fd)
{
    slicing *s = arg;
    s->spilled_bytes += bytes.len;
    if (s->spilled_bytes > ASK_FILE_BYTES_MAX) {
        return ask_answer_refuse_file(s->answer);
    }
    return *fd < 0 ? blobs_spill(s->work->store->blobs, bytes, fd) : lp_io_write_all(*fd, bytes);
}

static lp_err
on_chunk(void *arg, const compact_result *chunk)
{
    const slicing *s = arg;
    return ask_answer_write(s->answer, lp_buf_slice(&chunk->jfr));
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_slice_route);
    const parameters *own = ASK_OWN(work->query, parameters);
    query_question question = {0};
    ask_work_prepare(work, &question);
    slicing s = {.work = work, .answer = out_answer};
    const query_slice slice = {
        .question = &question,
        .has_around = own->has_around,
        .style = (compact_context_style)own->style,
        .spill = spill,
        .on_chunk = on_chunk,
        .arg = &s,
    };
    lp_problem problem = {.text = ""};
    lp_err err = ask_answer_begin_file(out_answer, work->files, work->store->blobs);
    LP_THEN(err, query_slice_write(&slice, &work->names, &work->outcome, &problem));
    if (err != LP_OK) {
        if (out_answer->problem.text[0] == '\0') {
            out_answer->problem = problem;
        }
        return err;
    }
    work->outcome.is_truncated |= work->sources.is_truncated;
    LP_REQUIRE(out_answer->file_bytes != 0,
        lp_problem_set(&out_answer->problem, LP_ENOENT, "no %s matches: there is no slice",
            work->query->asked.selection.unit == QUERY_UNIT_REQUESTS ? "request" : "context"));
    out_answer->type = "application/octet-stream";
    out_answer->file_name = "slice.jfr";
    return ask_work_answer_file(work, out_answer);
}

static const char *const styles[COMPACT_STYLES] = {COMPACT_STYLE_NAMES};

static const ask_parameter own_parameters[] = {
    {"around", ASK_FLAG, offsetof(parameters, has_around)},
    {"context-style", ASK_CHOICE, offsetof(parameters, style), .words = styles,
        .word_count = COMPACT_STYLES},
    {0},
};

const ask_route ask_slice_route = {
    .path = "slice.jfr",
    .has_unit = true,
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
