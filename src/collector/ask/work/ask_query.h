// SPDX-License-Identifier: Apache-2.0

// ask_query: a question as it is asked over HTTP: which route, which contexts (comparison.h), and
// the parameters that the route has of its own.
//
// A route is a table row, ask_route: the parameters that it has beside the selection's, and what
// writes its answer. ask_routes.c has the table.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_ask.c

#ifndef LP_COLLECTOR_ASK_ASK_QUERY_H
#define LP_COLLECTOR_ASK_ASK_QUERY_H

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
    ASK_CHOICE, // size_t: the index of one of words; 0: not given
    ASK_OTHER,  // whatever `set` reads
} ask_kind;

// A parameter of a route. It may be given once.
typedef struct ask_parameter {
    const char *name;
    ask_kind kind;
    size_t offset; // of the value in the route's values
    int64_t min;   // of a number
    int64_t max;
    int64_t preset; // value of a number or a flag that is not given
    const char *const *words;
    size_t word_count;
    // Reads value, which lives as long as the query, into *out_value. Errors: LP_ECORRUPT with what
    // is allowed in *problem
    lp_err (*set)(void *out_value, const char *name, const char *value, lp_problem *problem);
} ask_parameter;

enum { ASK_PARAMETERS_MAX = 16 }; // of a route's own

typedef struct ask_route {
    // The path behind /api/v1/. One that ends in / has a rest behind it, such as an id.
    const char *path;
    query_unit unit;    // what it is about where no other unit is given
    bool has_unit;      // the parameter `unit` chooses between contexts and requests
    bool has_threads;   // and threads
    bool has_base;      // the selection may come with a base to compare it with (comparison.h)
    bool has_index;     // the selection has an id, whose chunks are looked up (ask_hits.h)
    bool has_pending;   // the parameter `pending` adds what is not compacted yet
    bool is_of_catalog; // it reads the catalog by itself: its work has no sources
    const ask_parameter *parameters; // the last one has no name; NULL: none
    size_t own_bytes;                // of the route's values, which are zeroed at first
    // Reads the rest of the path into the query; NULL: it has none. rest is there as long as that
    // is. Errors: LP_ENOENT, with why in *problem; those of ask_query_set
    lp_err (*set_rest)(ask_query *query, const char *rest, lp_problem *problem);
    // Looks at all of them together; NULL: nothing to say. Errors: LP_ECORRUPT
    lp_err (*finish)(void *own, lp_problem *problem);
    // Looks at values that the threads of HTTP leave alone, on a thread of ask_service's, before
    // the sources are looked for; NULL: there are none. Errors: LP_ECORRUPT
    lp_err (*prepare)(void *own, lp_problem *problem);
    // Answers, on a thread of ask_service's. Errors: LP_ECLOSED the client is gone or the collector
    // stops; LP_ELIMIT, LP_ENOENT with the problem in *out_answer; any other
    lp_err (*answer)(struct ask_work *work, ask_answer *out_answer);
} ask_route;

struct ask_query {
    const ask_route *route;
    query_comparison asked; // without a base where the route has none
    void *own;              // the route's values
    lp_arena arena;
    uint32_t given; // of the route's parameters, by bit
    bool has_unit;  // the parameter was given
    bool wants_pending;
    access_caller caller; // whose recordings are left out that it may not read
};

// ask_query_create begins a question. rest is behind the route's path, and "" where it has none.
// is_of_options: problems name parameters as options of a command.
// Owns:   the caller ends it with ask_query_destroy.
// Errors: LP_ENOMEM; what set_rest of the route returns
LP_MUST_USE lp_err ask_query_create(const ask_route *route, const char *rest, bool is_of_options,
    ask_query **out_query, lp_problem *out_problem);
void ask_query_destroy(ask_query *query);

// ask_query_may_read returns whether the answer may have what is of a service; of NULL, of all.
bool ask_query_may_read(const ask_query *query, const char *service);

// ask_query_selects returns whether a recording has the service, instance and version of a
// selection: who asks the catalog for one recording has to look.
bool ask_query_selects(const query_selection *selection, const catalog_session *row);

// ask_query_set sets a parameter. Errors: LP_ECORRUPT and LP_ENOENT with the parameter's name, and
// what is allowed, in *out_problem; LP_ENOMEM
LP_MUST_USE lp_err ask_query_set(
    ask_query *query, const char *name, const char *value, lp_problem *out_problem);

// ask_query_finish finds parameters that exclude each other, once all are set. Errors: LP_ECORRUPT
LP_MUST_USE lp_err ask_query_finish(ask_query *query, lp_problem *out_problem);

// ask_query_choice reads one of count words, and writes its index. Errors: LP_ECORRUPT, with the
// words in *problem
LP_MUST_USE lp_err ask_query_choice(const char *name, const char *value, const char *const *words,
    size_t count, size_t *out_index, lp_problem *problem);

// ask_query_set_packages is `set` of the packages of the application (application.h), a
// const char *. NULL: not given
LP_MUST_USE lp_err ask_query_set_packages(
    void *out_value, const char *name, const char *value, lp_problem *problem);

// The parameters of a route whose values are these packages alone.
extern const ask_parameter ask_query_packages[];

#endif // LP_COLLECTOR_ASK_ASK_QUERY_H
