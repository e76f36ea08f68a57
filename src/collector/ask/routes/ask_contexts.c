// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts and /api/v1/requests: the contexts, or the requests, in some order
// (listing_json.h).
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/list/listing_json.h"

#include <assert.h>

enum {
    LIMIT = 100,      // where none is given
    LIMIT_MAX = 1000, // so that an answer stays small; `next` has the rest
    SORTS = 4,
    REQUEST_SORTS = 2, // the first ones
};

static_assert(QUERY_SORT_DURATION == 0 && QUERY_SORT_START == 1 && QUERY_SORT_TRIGGERS == 2 &&
                  QUERY_SORT_BLOCKED == 3,
    "the words of sort are in this order");

typedef struct parameters {
    query_sort sort;
    int64_t limit;           // 0: none was given
    const char *cursor_text; // NULL: from the beginning
    query_cursor cursor;
} parameters;

// set_sort_of reads one of the first count sorts.
static lp_err
set_sort_of(void *own, size_t count, const char *name, const char *value, lp_problem *problem)
{
    static const char *const words[SORTS] = {"duration", "start", "triggers", "blocked"};
    size_t index;
    lp_err err = ask_query_choice(name, value, words, count, &index, problem);
    if (err == LP_OK) {
        ((parameters *)own)->sort = (query_sort)index;
    }
    return err;
}

static lp_err
set_sort(void *own, const char *name, const char *value, lp_problem *problem)
{
    return set_sort_of(own, SORTS, name, value, problem);
}

static lp_err
set_request_sort(void *own, const char *name, const char *value, lp_problem *problem)
{
    return set_sort_of(own, REQUEST_SORTS, name, value, problem);
}

static lp_err
set_limit(void *own, const char *name, const char *value, lp_problem *problem)
{
    return ask_query_number(name, value, 1, LIMIT_MAX, &((parameters *)own)->limit, problem);
}

static lp_err
set_cursor(void *own, const char *name, const char *value, lp_problem *problem)
{
    (void)name;
    (void)problem;
    ((parameters *)own)->cursor_text = value; // it is read once the order is known
    return LP_OK;
}

static lp_err
finish(void *own, lp_problem *problem)
{
    parameters *p = own;
    return p->cursor_text == NULL
               ? LP_OK
               : query_cursor_parse(p->cursor_text, p->sort, &p->cursor, problem);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    LP_ASSERT(work->query->route->own_bytes == sizeof(parameters));
    const parameters *own = work->query->own;
    query_listing listing = {
        .sort = own->sort,
        .limit = own->limit == 0 ? LIMIT : (size_t)own->limit,
        .after = own->cursor_text == NULL ? NULL : &own->cursor,
    };
    lp_err err = ask_work_list(work, &listing);
    LP_THEN(err, ask_work_answer(work,
                     query_listing_json(&listing, work->query->route->unit, &work->names,
                         &work->outcome, true, ask_work_recording, work),
                     out_answer));
    query_listing_fini(&listing);
    return err;
}

static const ask_parameter own_parameters[] = {
    {"sort", set_sort},
    {"limit", set_limit},
    {"cursor", set_cursor},
    {NULL, NULL},
};

const ask_route ask_contexts_route = {
    .path = "contexts",
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .finish = finish,
    .answer = answer,
};

static const ask_parameter request_parameters[] = {
    {"sort", set_request_sort},
    {"limit", set_limit},
    {"cursor", set_cursor},
    {NULL, NULL},
};

const ask_route ask_requests_route = {
    .path = "requests",
    .unit = QUERY_UNIT_REQUESTS,
    .parameters = request_parameters,
    .own_bytes = sizeof(parameters),
    .finish = finish,
    .answer = answer,
};
