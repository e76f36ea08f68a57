// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/events: events of any type (events.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"
#include "query/events/events.h"

#include <string.h>

enum {
    LIMIT = 100, // where none is given
    LIMIT_MAX = 1000,
};

typedef struct parameters {
    const char *event; // NULL: any type
    int64_t limit;     // 0: none was given
    query_field_names fields;
    bool has_cursor;
    query_cursor cursor;
} parameters;

static lp_err
set_event(void *own, const char *name, const char *value, lp_problem *problem)
{
    ((parameters *)own)->event = value;
    return value[0] != '\0' ? LP_OK
                            : lp_problem_set(problem, LP_ECORRUPT, "%s: a text is needed", name);
}

static lp_err
set_limit(void *own, const char *name, const char *value, lp_problem *problem)
{
    return ask_query_number(name, value, 1, LIMIT_MAX, &((parameters *)own)->limit, problem);
}

static lp_err
set_columns(void *own, const char *name, const char *value, lp_problem *problem)
{
    query_field_names *fields = &((parameters *)own)->fields;
    for (const char *at = value; at != NULL;) {
        const char *comma = strchr(at, ',');
        size_t len = comma == NULL ? strlen(at) : (size_t)(comma - at);
        if (len == 0 || fields->count == QUERY_FIELDS_MAX) {
            return lp_problem_set(problem, LP_ECORRUPT,
                "%s '%s': not up to %d names of fields with commas between them", name,
                lp_quote_text(value).text, QUERY_FIELDS_MAX);
        }
        fields->names[fields->count++] = (lp_slice){(const uint8_t *)at, len};
        at = comma == NULL ? NULL : comma + 1;
    }
    return LP_OK;
}

static lp_err
set_cursor(void *own, const char *name, const char *value, lp_problem *problem)
{
    (void)name;
    parameters *p = own;
    p->has_cursor = true;
    return query_cursor_parse(value, QUERY_SORT_START, &p->cursor, problem);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_events_add(arg, answer);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    LP_ASSERT(work->query->route->own_bytes == sizeof(parameters));
    const parameters *own = work->query->own;
    query_events events = {
        .list = {.sort = QUERY_SORT_START,
            .limit = own->limit == 0 ? LIMIT : (size_t)own->limit,
            .after = own->has_cursor ? &own->cursor : NULL},
        .type = own->event,
        .names = &work->names,
    };
    query_event_rows rows = {.only = &own->fields, .recording = ask_work_recording, .arg = work};
    query_question question = {.on_context = on_context, .arg = &events};
    ask_work_prepare(work, &question);
    events.finds_contexts = !query_events_has_contexts(question.selection);
    lp_err err = events.finds_contexts ? query_events_scan(&question, &work->names,
                                             query_events_add_event, &events, &work->outcome)
                                       : query_run(&question, &work->names, &work->outcome);
    work->outcome.is_truncated |= work->sources.is_truncated;
    json_t *json = NULL;
    LP_THEN(err, query_events_json(&events, &rows, &work->chunks, &work->names, &work->outcome,
                     &work->cancel->is_cancelled, &json));
    LP_THEN(err, ask_work_answer(work, json, out_answer));
    query_events_fini(&events);
    return err;
}

static const ask_parameter own_parameters[] = {
    {"event", set_event},
    {"columns", set_columns},
    {"limit", set_limit},
    {"cursor", set_cursor},
    {NULL, NULL},
};

const ask_route ask_events_route = {
    .path = "events",
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
