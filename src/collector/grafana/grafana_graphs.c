// SPDX-License-Identifier: Apache-2.0
// SelectMergeStacktraces, SelectMergeSpanProfile and Diff: flame graphs, and numbers of requests by
// type from contexts/types.
//
// Tests: tests/unit/collector/grafana/test_grafana.c, tests/e2e/pyroscope.py
#include "pyroscope.pb-c.h"

#include "collector/grafana/grafana_flame.h"
#include "collector/grafana/grafana_procedures.h"
#include "collector/grafana/grafana_question.h"
#include "common/base/lp_assert.h"
#include "query/graph/flame.h"
#include "query/select/expression.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef Querier__V1__SelectMergeStacktracesRequest stacktraces;
typedef Querier__V1__SelectMergeSpanProfileRequest span_profile;

// --- What a call is about

// check_format refuses formats other than a flame graph. A client asks again with that one.
static lp_err
check_format(Querier__V1__ProfileFormat format, lp_problem *problem)
{
    bool is_known = format == QUERIER__V1__PROFILE_FORMAT__PROFILE_FORMAT_UNSPECIFIED ||
                    format == QUERIER__V1__PROFILE_FORMAT__PROFILE_FORMAT_FLAMEGRAPH;
    return is_known
               ? LP_OK
               : lp_problem_set(problem, LP_EVERSION,
                     "format %d is not supported: ask for PROFILE_FORMAT_FLAMEGRAPH", (int)format);
}

// set_nodes sets the number of nodes: at most as many as asked for, or as Loupe has.
static void
set_nodes(grafana_question *q, int64_t max_nodes)
{
    static_assert(GRAFANA_NODES_MAX <= (int)QUERY_STACK_NODES_MAX, "questions have no more");
    grafana_question_set_whole(q, "max_nodes",
        max_nodes <= 0                  ? QUERY_FLAME_NODES
        : max_nodes > GRAFANA_NODES_MAX ? GRAFANA_NODES_MAX
                                        : max_nodes);
}

// find_one returns the only item of a selector; NULL: it is empty.
static lp_err
find_one(size_t count, char *const *items, const char **out, lp_problem *problem)
{
    LP_ASSERT(count == 0 || items != NULL);
    *out = count == 0 ? NULL : items[0];
    return count <= 1 ? LP_OK
                      : lp_problem_set(problem, LP_EVERSION,
                            "a selector of several spans, traces or profiles is not supported");
}

static lp_err
read_stacktraces(const stacktraces *in, grafana_wish *wish, lp_problem *problem)
{
    *wish = (grafana_wish){.type_id = in->profile_typeid,
        .selector = in->label_selector,
        .start_ms = in->start,
        .end_ms = in->end};
    LP_TRY(find_one(in->n_span_selector, in->span_selector, &wish->span, problem));
    LP_TRY(find_one(in->n_trace_id_selector, in->trace_id_selector, &wish->trace, problem));
    return find_one(in->n_profile_id_selector, in->profile_id_selector, &wish->profile, problem);
}

static lp_err
read_span_profile(const span_profile *in, grafana_wish *wish, lp_problem *problem)
{
    *wish = (grafana_wish){.type_id = in->profile_typeid,
        .selector = in->label_selector,
        .start_ms = in->start,
        .end_ms = in->end};
    LP_TRY(check_format(in->format, problem));
    LP_REQUIRE(in->n_span_selector > 0,
        lp_problem_set(problem, LP_ECORRUPT, "span_selector: the id of a span is needed"));
    return find_one(in->n_span_selector, in->span_selector, &wish->span, problem);
}

// --- Call sites

// set_frame lets a question have only stack traces with a frame, so that max_nodes is about these.
// A frame whose expression would be too long changes nothing.
static void
set_frame(grafana_question *q, const char *name)
{
    char expression[QUERY_EXPRESSION_BYTES_MAX] = "^";
    size_t len = 1;
    for (; *name != '\0' && len + 4 < sizeof(expression); name++) {
        if (strchr(".[]{}()*+?|^$\\", *name) != NULL) {
            expression[len++] = '\\';
        }
        expression[len++] = *name;
    }
    if (*name == '\0') {
        memcpy(expression + len, "$", 2);
        grafana_question_set(q, "frame", expression);
    }
}

// set_site sets the last frame of a call site. A leaf such as [lock] is no frame.
static lp_err
set_site(grafana_question *q, const Querier__V1__StackTraceSelector *selector)
{
    size_t count = selector == NULL ? 0 : selector->n_call_site;
    LP_REQUIRE(selector == NULL || selector->go_pgo == NULL,
        lp_problem_set(q->problem, LP_EVERSION, "go_pgo is not supported"));
    LP_REQUIRE(count <= GRAFANA_CALL_SITE_MAX,
        lp_problem_set(
            q->problem, LP_ECORRUPT, "call_site: more than %d frames", GRAFANA_CALL_SITE_MAX));
    if (count > 0 && selector->call_site[count - 1]->name[0] != '[') {
        set_frame(q, selector->call_site[count - 1]->name);
    }
    return LP_OK;
}

// read_site makes the names of a call site. Free its names.
static lp_err
read_site(const Querier__V1__StackTraceSelector *selector, grafana_site *out)
{
    size_t count = selector == NULL ? 0 : selector->n_call_site;
    const char **names = calloc(count + 1, sizeof(*names));
    LP_REQUIRE(names != NULL, LP_ENOMEM);
    for (size_t i = 0; i < count; i++) {
        names[i] = selector->call_site[i]->name;
    }
    *out = (grafana_site){.names = names, .count = count};
    return LP_OK;
}

// --- SelectMergeStacktraces and SelectMergeSpanProfile

static lp_err
ask_graph(grafana_work *work, const grafana_wish *wish, int64_t max_nodes,
    const Querier__V1__StackTraceSelector *site, ask_query **out_query)
{
    LP_ASSERT(work->asked == 0);
    const grafana_type *type = NULL;
    LP_TRY(grafana_question_find_type(wish->type_id, &type, &work->problem));
    bool is_graph = type->value != NULL;
    grafana_question q = grafana_question_begin(
        is_graph ? &ask_flamegraph_route : &ask_context_types_route, &work->problem);
    if (is_graph) {
        grafana_question_set_graph(&q, wish, NULL);
        set_nodes(&q, max_nodes);
        LP_THEN(q.err, set_site(&q, site));
    } else {
        grafana_question_set_numbers(&q, wish);
    }
    return grafana_question_finish(&q, out_query);
}

static lp_err
add_graph(grafana_work *work, const Querier__V1__StackTraceSelector *selector, const json_t *answer)
{
    LP_ASSERT(work->asked == 1);
    grafana_site site;
    LP_TRY(read_site(selector, &site));
    bool is_graph = json_object_get(answer, "level") != NULL;
    json_t *made = is_graph ? NULL : grafana_flame_of_requests(answer);
    json_t *flame = grafana_flame_json(is_graph ? answer : made, &site, false);
    json_decref(made);
    free((void *)(uintptr_t)site.names);
    return json_object_set_new(work->out, "flamegraph", flame) == 0 ? LP_OK : LP_ENOMEM;
}

lp_err
grafana_ask_select_merge_stacktraces(grafana_work *work, ask_query **out_query)
{
    grafana_work_check(work, &querier__v1__select_merge_stacktraces_request__descriptor);
    const stacktraces *in = (const void *)work->in;
    grafana_wish wish;
    LP_REQUIRE(work->asked == 0, LP_EEND);
    LP_TRY(check_format(in->format, &work->problem));
    LP_TRY(read_stacktraces(in, &wish, &work->problem));
    return ask_graph(work, &wish, in->max_nodes, in->stack_trace_selector, out_query);
}

lp_err
grafana_add_select_merge_stacktraces(grafana_work *work, const json_t *answer)
{
    grafana_work_check(work, &querier__v1__select_merge_stacktraces_request__descriptor);
    const stacktraces *in = (const void *)work->in;
    return add_graph(work, in->stack_trace_selector, answer);
}

lp_err
grafana_ask_select_merge_span_profile(grafana_work *work, ask_query **out_query)
{
    grafana_work_check(work, &querier__v1__select_merge_span_profile_request__descriptor);
    const span_profile *in = (const void *)work->in;
    grafana_wish wish;
    LP_REQUIRE(work->asked == 0, LP_EEND);
    LP_TRY(read_span_profile(in, &wish, &work->problem));
    return ask_graph(work, &wish, in->max_nodes, NULL, out_query);
}

lp_err
grafana_add_select_merge_span_profile(grafana_work *work, const json_t *answer)
{
    grafana_work_check(work, &querier__v1__select_merge_span_profile_request__descriptor);
    return add_graph(work, NULL, answer);
}

// --- Diff

// read_side reads a side of a difference. Its format has no meaning.
static lp_err
read_side(const stacktraces *in, grafana_wish *wish, lp_problem *problem)
{
    LP_REQUIRE(in->stack_trace_selector == NULL || (in->stack_trace_selector->n_call_site == 0 &&
                                                       in->stack_trace_selector->go_pgo == NULL),
        lp_problem_set(problem, LP_EVERSION, "call sites of a difference are not supported"));
    return read_stacktraces(in, wish, problem);
}

lp_err
grafana_ask_diff(grafana_work *work, ask_query **out_query)
{
    grafana_work_check(work, &querier__v1__diff_request__descriptor);
    const Querier__V1__DiffRequest *in = (const void *)work->in;
    const grafana_type *type = NULL;
    grafana_wish left;
    grafana_wish right;
    LP_REQUIRE(work->asked == 0, LP_EEND);
    LP_REQUIRE(in->left != NULL && in->right != NULL,
        lp_problem_set(&work->problem, LP_ECORRUPT, "left and right are needed"));
    LP_TRY(read_side(in->left, &left, &work->problem));
    LP_TRY(read_side(in->right, &right, &work->problem));
    LP_TRY(grafana_question_find_type(left.type_id, &type, &work->problem));
    LP_REQUIRE(type->value != NULL,
        lp_problem_set(&work->problem, LP_EVERSION, "%s has no difference", type->id));
    grafana_question q = grafana_question_begin(&ask_flamegraph_route, &work->problem);
    grafana_question_set_graph(&q, &left, &right);
    set_nodes(&q, in->left->max_nodes);
    return grafana_question_finish(&q, out_query);
}

lp_err
grafana_add_diff(grafana_work *work, const json_t *answer)
{
    grafana_work_check(work, &querier__v1__diff_request__descriptor);
    LP_ASSERT(work->asked == 1);
    json_t *flame = grafana_flame_json(answer, &(grafana_site){0}, true);
    return json_object_set_new(work->out, "flamegraph", flame) == 0 ? LP_OK : LP_ENOMEM;
}
