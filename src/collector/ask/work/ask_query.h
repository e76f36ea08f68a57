// SPDX-License-Identifier: Apache-2.0

// ask_query: a question over HTTP: its route, the contexts that it selects (comparison.h), and the
// route's own parameters.
//
// A route is a row of the table in ask_routes.def: its parameters, and the function that answers.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_ask.c

#pragma once

#include "collector/access/access_caller.h"
#include "collector/ask/work/ask_answer.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_arena.h"
#include "query/select/comparison.h"

struct ask_work;
typedef struct ask_query ask_query;

typedef enum ask_kind {
    ASK_TEXT,   // const char *; NULL: not given
    ASK_NUMBER, // int64_t from min to max
    ASK_FLAG,   // bool: 0 or 1
    ASK_CHOICE, // size_t: the index of one of words; if not given, of the first
    ASK_OTHER,  // whatever `set` reads
} ask_kind;

// A parameter of a route. A question may have it once.
typedef struct ask_parameter {
    const char *name;
    ask_kind kind;
    size_t offset; // of the value in the route's values
    int64_t min;   // of a number
    int64_t max;
    int64_t preset; // value of a number or a flag that is not given
    const char *const *words;
    size_t word_count;
    // Reads value, which is valid as long as the query. Errors: LP_ECORRUPT with the reason in
    // *problem
    lp_err (*set)(void *out_value, const char *name, const char *value, lp_problem *problem);
} ask_parameter;

enum { ASK_PARAMETERS_MAX = 16 }; // of a route's own

typedef struct ask_route {
    const char *path;   // after /api/v1/; a path that ends in / has a rest, such as an id
    query_unit unit;    // the default
    bool has_unit;      // it has the parameter `unit`: contexts or requests
    bool has_threads;   // `unit` may also be threads
    bool has_base;      // it may have a base to compare with (comparison.h)
    bool has_index;     // the selection has an id; chunks with this id are looked up (ask_hits.h)
    bool has_pending;   // the parameter `pending` adds data that is not compacted yet
    bool is_of_catalog; // it reads only the catalog: its work has no sources
    const ask_parameter *parameters; // ends with {0}; NULL: none
    size_t own_bytes;                // of the route's values, zeroed at first
    // Reads the rest of the path, which is valid as long as the query. NULL: the path has no rest.
    // Errors: LP_ENOENT with the reason in *problem; as ask_query_set
    lp_err (*set_rest)(ask_query *query, const char *rest, lp_problem *problem);
    // Checks all values together; may be NULL. Errors: LP_ECORRUPT
    lp_err (*finish)(void *own, lp_problem *problem);
    // Does expensive checks on a thread of ask_service, before the sources are found; may be NULL.
    // Errors: LP_ECORRUPT
    lp_err (*prepare)(void *own, lp_problem *problem);
    // Returns whether a query lists the slowest: answer finds its sources (ask_slowest.h). NULL:
    // none does.
    bool (*lists_slowest)(const ask_query *query);
    // Answers on a thread of ask_service. Errors: LP_ECLOSED if cancelled; LP_ELIMIT, LP_ENOENT
    // with the problem in *out_answer; or any other error
    lp_err (*answer)(struct ask_work *work, ask_answer *out_answer);
} ask_route;

struct ask_query {
    const ask_route *route;
    query_comparison asked; // without a base unless the route has_base
    void *own;              // the route's values
    lp_arena arena;
    uint32_t given; // the route's parameters that were given, one bit each
    bool has_unit;  // the parameter `unit` was given
    bool wants_pending;
    access_caller caller; // sees only recordings that it may read
};

// ASK_OWN returns the values of the query's route, whose type is `type`.
#define ASK_OWN(query, type) ((const type *)ask_query_get_own(query, sizeof(type)))
const void *ask_query_get_own(const ask_query *query, size_t size_bytes);

// ask_query_create begins a question. rest is the part of the path after the route's path, or "".
// is_of_options: problems name parameters as options of a command.
// Owns:   the caller ends it with ask_query_destroy.
// Errors: LP_ENOMEM; as set_rest of the route
LP_MUST_USE lp_err ask_query_create(const ask_route *route, const char *rest, bool is_of_options,
    ask_query **out_query, lp_problem *out_problem);
void ask_query_destroy(ask_query *query);

// ask_query_may_read returns whether query->caller may read a service; NULL: all services.
bool ask_query_may_read(const ask_query *query, const char *service);

// ask_query_selects returns whether a recording has the service, instance and version of a
// selection.
bool ask_query_selects(const query_selection *selection, const catalog_session *row);

// ask_query_set sets a parameter. Errors: LP_ECORRUPT and LP_ENOENT; *out_problem has the
// parameter's name, and the allowed values or names; LP_ENOMEM
LP_MUST_USE lp_err ask_query_set(
    ask_query *query, const char *name, const char *value, lp_problem *out_problem);

// ask_query_finish checks all parameters together. Call it when all are set. Errors: LP_ECORRUPT
LP_MUST_USE lp_err ask_query_finish(ask_query *query, lp_problem *out_problem);

// ask_query_choice finds value among count words, and writes its index. Errors: LP_ECORRUPT, with
// the words in *problem
LP_MUST_USE lp_err ask_query_choice(const char *name, const char *value, const char *const *words,
    size_t count, size_t *out_index, lp_problem *problem);

// ask_query_set_packages is the `set` of the parameter for the packages of the application
// (application.h). *out_value is a const char *; NULL: not given
LP_MUST_USE lp_err ask_query_set_packages(
    void *out_value, const char *name, const char *value, lp_problem *problem);

// The parameters of a route whose only parameter is the one for packages.
extern const ask_parameter ask_query_packages[];
