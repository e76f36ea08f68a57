// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/jvm: heap, CPU and so on of JVMs over time (jvm_lines.h), and their facts
// (jvm_facts.h).
//
// Of a long time range, or of many JVMs, only some chunks are read: curves do not need each event.
// The answer has their number, and is truncated then.
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"
#include "query/events/jvm_facts.h"
#include "query/events/jvm_lines.h"
#include "query/select/json_parts.h"

#include <stdlib.h>

enum {
    CHUNKS_MAX = 256,       // read for an answer
    RANGE_DEFAULT_S = 3600, // without `from`
};

typedef struct both {
    query_jvm_lines lines;
    query_jvm_facts facts;
} both;

static lp_err
on_event(void *arg, query_chunk *chunk, const query_event *event, const query_listed *item)
{
    both *b = arg;
    lp_err err = query_jvm_lines_add(&b->lines, chunk, event, item);
    return err == LP_OK ? query_jvm_facts_add(&b->facts, chunk, event, item) : err;
}

// find_recording writes the time range of the recordings. False if there are none.
static bool
find_recording(const ask_sources *sources, int64_t *out_from, int64_t *out_to)
{
    LP_REQUIRE(sources->recordings.count != 0, false);
    *out_from = sources->recordings.items[0].start_wall_ns; // the first to start
    *out_to = lp_time_add(*out_from, 1);                    // rows may have absurd times
    for (size_t i = 0; i < sources->chunks.count; i++) {
        const ask_chunk *chunk = &sources->chunks.items[i];
        int64_t end = chunk->is_pending ? lp_time_now() : chunk->end_wall_ns;
        *out_to = end > *out_to ? end : *out_to;
    }
    return true;
}

// find_range writes the time range of the query, or that of its recording.
static lp_err
find_range(const ask_work *work, int64_t *out_from, int64_t *out_to, lp_problem *problem)
{
    const query_selection *selection = &work->query->asked.selection;
    if (query_selection_needs_thread(selection)) {
        return lp_problem_set(problem, LP_ECORRUPT,
            "%s: not allowed here; use service, instance, recording, from and to",
            selection->thread != NULL ? "thread" : "pool");
    }
    bool is_of_recording = selection->recording != NULL && selection->from_wall_ns == INT64_MIN &&
                           find_recording(&work->sources, out_from, out_to) &&
                           *out_from < selection->to_wall_ns;
    if (selection->to_wall_ns != INT64_MAX) {
        *out_to = selection->to_wall_ns;
    } else if (!is_of_recording) {
        *out_to = lp_time_now();
    }
    if (!is_of_recording) {
        *out_from = selection->from_wall_ns == INT64_MIN
                        ? *out_to - RANGE_DEFAULT_S * INT64_C(1000000000)
                        : selection->from_wall_ns;
    }
    return *out_from < *out_to ? LP_OK
                               : lp_problem_set(problem, LP_ECORRUPT,
                                     "from: in the future; without to, the time range ends now");
}

static json_t *
make_json(ask_work *work, const both *b)
{
    json_t *json =
        query_json_set(query_jvm_lines_json(&b->lines), "jvms", query_jvm_facts_json(&b->facts));
    json = query_json_set(json, "has_more_jvms", json_boolean(b->facts.is_truncated));
    bool is_truncated = work->outcome.is_truncated || b->lines.chunks_read < b->lines.chunks_all;
    return query_json_set(json, "is_truncated", json_boolean(is_truncated));
}

static lp_err
scan(ask_work *work, both *b)
{
    const query_selection all = query_selection_begin(false); // facts come before the range
    bool *chosen = calloc(work->chunks.count + 1, sizeof(*chosen));
    LP_REQUIRE(chosen != NULL, LP_ENOMEM);
    query_jvm_lines_choose(&b->lines, &work->chunks, CHUNKS_MAX, chosen);
    query_question question = {.selection = &all, .only_sources = chosen};
    lp_err err = ask_work_scan(work, &question, on_event, b);
    free(chosen);
    return err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_jvm_route);
    const int64_t *columns = ASK_OWN(work->query, int64_t);
    both b = {.facts = {.names = &work->names,
                  .sources = &work->chunks,
                  .recording = ask_work_recording,
                  .arg = work}};
    int64_t from = 0;
    int64_t to = 0;
    lp_err err = find_range(work, &from, &to, &out_answer->problem);
    LP_THEN(err, query_jvm_lines_init(&b.lines, &work->names, from, to, (size_t)*columns));
    LP_THEN(err, scan(work, &b));
    LP_THEN(err, ask_work_answer(work, make_json(work, &b), out_answer));
    query_jvm_lines_fini(&b.lines);
    query_jvm_facts_fini(&b.facts);
    return err;
}

static const ask_parameter own_parameters[] = {
    {"columns", ASK_NUMBER, .min = 1, .max = QUERY_JVM_COLUMNS_MAX, .preset = 240},
    {0},
};

const ask_route ask_jvm_route = {
    .path = "jvm",
    .unit = QUERY_UNIT_THREADS,
    .parameters = own_parameters,
    .own_bytes = sizeof(int64_t),
    .answer = answer,
};
