// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts and /api/v1/requests: the contexts, or the requests, in some order
// (listing_json.h); requests also as a table for SQL.
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_export.h"
#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_slowest.h"
#include "collector/ask/work/ask_work.h"
#include "collector/store/catalog/catalog_longest.h"
#include "common/base/lp_assert.h"
#include "query/list/listing_json.h"
#include "query/select/json_parts.h"

#include <assert.h>
#include <stddef.h>

static const char *const sorts[] = {"duration", "start", "triggers", "blocked"};

enum {
    SORTS = sizeof(sorts) / sizeof(sorts[0]),
    REQUEST_SORTS = 2, // the first ones
    LIMIT = 100,       // if none is given
    LIMIT_MAX = 1000,  // answers stay small: `next` has the rest
};

static_assert(QUERY_SORT_DURATION == 0 && QUERY_SORT_START == 1 && QUERY_SORT_TRIGGERS == 2 &&
                  QUERY_SORT_BLOCKED == 3,
    "sorts has this order");

typedef struct parameters {
    size_t format; // ask_export_format, of requests
    size_t sort;   // query_sort
    int64_t limit;
    bool is_whole;           // look at everything
    const char *cursor_text; // NULL: from the beginning
    query_cursor cursor;
} parameters;

// finish reads the cursor, which depends on the sort.
static lp_err
finish(void *own, lp_problem *problem)
{
    parameters *p = own;
    return p->cursor_text == NULL
               ? LP_OK
               : query_cursor_parse(p->cursor_text, (query_sort)p->sort, &p->cursor, problem);
}

static bool
lists_slowest(const ask_query *query)
{
    const parameters *own = ASK_OWN(query, parameters);
    return own->format == ASK_EXPORT_JSON && own->sort == QUERY_SORT_DURATION && !own->is_whole &&
           ask_slowest_may_list(&query->asked.selection);
}

static json_t *
unread_json(const ask_unread *unread)
{
    bool is_known = unread->chunks > 0 && unread->longest_ns != CATALOG_LONGEST_UNKNOWN;
    return json_pack("{s:I, s:o, s:I}", "chunks", (json_int_t)unread->chunks, "longest_ns",
        is_known ? json_integer(unread->longest_ns) : json_null(), "recordings",
        (json_int_t)unread->recordings);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    const parameters *own = ASK_OWN(work->query, parameters);
    if (own->format == ASK_EXPORT_NDJSON) {
        return ask_export_answer(work, QUERY_TABLE_REQUESTS, out_answer);
    }
    query_listing listing = {
        .sort = (query_sort)own->sort,
        .limit = (size_t)own->limit,
        .after = own->cursor_text == NULL ? NULL : &own->cursor,
    };
    lp_err err = lists_slowest(work->query) ? ask_slowest_list(work, &listing)
                                            : ask_work_list(work, &listing);
    if (err == LP_OK) {
        json_t *json = query_listing_json(&listing, work->query->route->unit, &work->names,
            &work->outcome, true, ask_work_recording, work);
        json = query_json_set(json, "not_looked_at", unread_json(&work->unread));
        err = ask_work_answer(work, json, out_answer);
    }
    query_listing_fini(&listing);
    return err;
}

#define PAGE                                                                                       \
    {"limit", ASK_NUMBER, offsetof(parameters, limit), .min = 1, .max = LIMIT_MAX,                 \
        .preset = LIMIT},                                                                          \
        {"whole", ASK_FLAG, offsetof(parameters, is_whole)},                                       \
    {                                                                                              \
        "cursor", ASK_TEXT, offsetof(parameters, cursor_text)                                      \
    }

static const ask_parameter context_parameters[] = {
    {"sort", ASK_CHOICE, offsetof(parameters, sort), .words = sorts, .word_count = SORTS}, PAGE,
    {0}};

static const ask_parameter request_parameters[] = {ASK_EXPORT_FORMAT(offsetof(parameters, format)),
    {"sort", ASK_CHOICE, offsetof(parameters, sort), .words = sorts, .word_count = REQUEST_SORTS},
    PAGE, {0}};

const ask_route ask_contexts_route = {
    .path = "contexts",
    .parameters = context_parameters,
    .own_bytes = sizeof(parameters),
    .finish = finish,
    .lists_slowest = lists_slowest,
    .answer = answer,
};

const ask_route ask_requests_route = {
    .path = "requests",
    .unit = QUERY_UNIT_REQUESTS,
    .parameters = request_parameters,
    .own_bytes = sizeof(parameters),
    .finish = finish,
    .lists_slowest = lists_slowest,
    .answer = answer,
};
