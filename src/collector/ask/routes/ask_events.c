// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/events: events of any type (events.h), or as a table for SQL.
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_export.h"
#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"
#include "query/events/events.h"

#include <stddef.h>
#include <string.h>

typedef struct parameters {
    size_t format;     // ask_export_format
    const char *event; // NULL: any type
    int64_t limit;
    query_field_names fields;
    const char *cursor_text; // NULL: from the beginning
    query_cursor cursor;
} parameters;

static lp_err
set_event(void *out_value, const char *name, const char *value, lp_problem *problem)
{
    *(const char **)out_value = value;
    return value[0] != '\0'
               ? LP_OK
               : lp_problem_set(problem, LP_ECORRUPT, "%s: give the name of a type", name);
}

static lp_err
set_columns(void *out_value, const char *name, const char *value, lp_problem *problem)
{
    query_field_names *fields = out_value;
    LP_ASSERT(fields->count <= QUERY_FIELDS_MAX);
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
finish(void *own, lp_problem *problem)
{
    parameters *p = own;
    return p->cursor_text == NULL
               ? LP_OK
               : query_cursor_parse(p->cursor_text, QUERY_SORT_START, &p->cursor, problem);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_events_route);
    const parameters *own = ASK_OWN(work->query, parameters);
    if (own->format == ASK_EXPORT_NDJSON) {
        return ask_export_answer(work, QUERY_TABLE_EVENTS, out_answer);
    }
    LP_REQUIRE(work->query->asked.selection.unit != QUERY_UNIT_REQUESTS,
        lp_problem_set(
            &out_answer->problem, LP_ECORRUPT, "unit: requests only with format=ndjson"));
    query_events events = {
        .list = {.sort = QUERY_SORT_START,
            .limit = (size_t)own->limit,
            .after = own->cursor_text == NULL ? NULL : &own->cursor},
        .type = own->event,
        .names = &work->names,
        .finds_contexts = !query_events_has_contexts(&work->query->asked.selection),
    };
    query_event_rows rows = {.only = &own->fields, .recording = ask_work_recording, .arg = work};
    query_question question = {.on_context = query_events_add, .arg = &events};
    lp_err err = events.finds_contexts
                     ? ask_work_scan(work, &question, query_events_add_event, &events)
                     : ask_work_run(work, &question);
    json_t *json = NULL;
    LP_THEN(err, query_events_json(&events, &rows, &work->chunks, &work->names, &work->outcome,
                     &work->cancel->is_cancelled, &json));
    LP_THEN(err, ask_work_answer(work, json, out_answer));
    query_events_fini(&events);
    return err;
}

static const ask_parameter own_parameters[] = {
    ASK_EXPORT_FORMAT(offsetof(parameters, format)),
    {"event", ASK_OTHER, offsetof(parameters, event), .set = set_event},
    {"columns", ASK_OTHER, offsetof(parameters, fields), .set = set_columns},
    {"limit", ASK_NUMBER, offsetof(parameters, limit), .min = 1, .max = 1000, .preset = 100},
    {"cursor", ASK_TEXT, offsetof(parameters, cursor_text)},
    {0},
};

const ask_route ask_events_route = {
    .path = "events",
    .has_unit = true,
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .finish = finish,
    .answer = answer,
};
