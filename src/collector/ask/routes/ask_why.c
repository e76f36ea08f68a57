// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/why and /api/v1/slice.md: where the time of contexts went, as JSON (why_json.h) and
// as Markdown (why_markdown.h).
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_frame.h"
#include "common/base/lp_assert.h"
#include "query/select/json_parts.h"
#include "query/why/why_json.h"
#include "query/why/why_markdown.h"

#include <stddef.h>

// --- As JSON

typedef struct parameters {
    ask_frame frame;
    const char *packages; // of the application; NULL: not given
} parameters;

static bool
wants_stack(const query_row *row)
{
    (void)row;
    return true;
}

typedef struct compared {
    query_why why;
    query_why base;
} compared;

static lp_err
on_compared(void *arg, const query_answer *answer)
{
    compared *both = arg;
    lp_err err = LP_OK;
    if ((answer->in & QUERY_IN_SELECTION) != 0) {
        err = query_why_add(&both->why, answer);
    }
    if (err == LP_OK && (answer->in & QUERY_IN_BASE) != 0) {
        err = query_why_add_base(&both->base, answer);
    }
    return err;
}

static json_t *
compared_json(ask_work *work, compared *both)
{
    query_why_finish(&both->why, &work->names);
    json_t *json = query_why_json(&both->why, &work->names, &work->outcome);
    if (!work->query->asked.has_base) {
        return json;
    }
    query_why_finish(&both->base, &work->names);
    return query_json_set(json, "base", query_why_json(&both->base, &work->names, &work->outcome));
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_why_route);
    LP_ASSERT(work->query->route->own_bytes == sizeof(parameters));
    query_stacks stacks = {0};
    query_stack_filter filter = {ask_frame_filter(work), &stacks, &work->names};
    query_stack_filter *used = filter.frame == NULL ? NULL : &filter;
    compared both = {.why = {.filter = used}, .base = {.filter = used}};
    query_question question = {.wants_frames = true,
        .packages = ((const parameters *)work->query->own)->packages,
        .stacks = used == NULL ? NULL : &stacks,
        .wants_stack = wants_stack,
        .on_context = on_compared,
        .arg = &both};
    lp_err err = ask_work_run(work, &question);
    LP_THEN(err, ask_work_answer(work, compared_json(work, &both), out_answer));
    query_why_fini(&both.why);
    query_why_fini(&both.base);
    query_stack_filter_fini(&filter);
    query_stacks_fini(&stacks);
    return err == LP_ELIMIT ? ask_frame_refuse(filter.frame, out_answer) : err;
}

// --- As Markdown

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_why_add(arg, answer);
}

static lp_err
answer_markdown(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(work->query->route->own_bytes == sizeof(const char *));
    query_why why = {0};
    query_question question = {.wants_frames = true,
        .packages = *(const char **)work->query->own,
        .on_context = on_context,
        .arg = &why};
    out_answer->type = "text/markdown; charset=utf-8";
    out_answer->file_name = "slice.md";
    lp_err err = ask_work_run(work, &question);
    if (err == LP_OK) {
        query_why_finish(&why, &work->names);
        query_why_markdown(&why, &work->names, &work->query->asked.selection, &work->outcome,
            work->sources.left_out, &out_answer->body);
        work->outcome.is_truncated |= why.is_truncated;
        err = lp_buf_check(&out_answer->body);
    }
    LP_THEN(err, ask_work_answer_file(work, out_answer));
    query_why_fini(&why);
    return err;
}

static const ask_parameter why_parameters[] = {
    {"app", ASK_OTHER, offsetof(parameters, packages), .set = ask_query_set_packages},
    {"frame", ASK_TEXT, offsetof(parameters, frame.pattern)},
    {0},
};

const ask_route ask_why_route = {
    .path = "why",
    .has_unit = true,
    .has_threads = true,
    .has_base = true,
    .parameters = why_parameters,
    .own_bytes = sizeof(parameters),
    .prepare = ask_frame_prepare,
    .answer = answer,
};

const ask_route ask_markdown_route = {
    .path = "slice.md",
    .has_unit = true,
    .parameters = ask_query_packages,
    .own_bytes = sizeof(const char *),
    .answer = answer_markdown,
};
