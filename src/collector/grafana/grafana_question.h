// SPDX-License-Identifier: Apache-2.0
// grafana_question: the questions of a call, from its times, its type of profile, and its
// selectors.
//
//   grafana_question q = grafana_question_begin(&ask_why_route, &problem);
//   grafana_question_time(&q, start_ms, end_ms);
//   err = grafana_question_finish(&q, &query);
//
// Labels are parameters of questions (`service_name` is `service`) or, if they have another name,
// attributes.
//
// Threads: one thread at a time.
// Errors:  a function after an error does nothing; grafana_question_finish returns the error.
// Tests:   tests/unit/collector/grafana/test_grafana.c

#pragma once

#include "collector/ask/routes/ask_routes.h"
#include "collector/grafana/grafana_selector.h"
#include "collector/grafana/grafana_types.h"

// The latest time of a call: nanoseconds have 64 bits.
#define GRAFANA_END_MS_MAX (INT64_MAX / 1000000)

typedef struct grafana_question {
    ask_query *query;
    const char *prefix; // of the names of parameters: "" or "base_"
    lp_err err;
    lp_problem *problem;
} grafana_question;

// The part of a profile that a call is about. Texts are borrowed; NULL: not given.
typedef struct grafana_wish {
    const char *type_id;
    const char *selector;
    int64_t start_ms;
    int64_t end_ms;
    const char *span;
    const char *trace;
    const char *profile; // RECORDING/ID, as in exemplars
    const char *group;   // a label
    const char *group_value;
} grafana_wish;

// grafana_question_begin borrows problem until grafana_question_finish.
grafana_question grafana_question_begin(const ask_route *route, lp_problem *problem);

// grafana_question_is_attribute returns whether a label is an attribute, not a parameter.
bool grafana_question_is_attribute(const char *label);

// grafana_question_can_select returns whether a question can select a value of a label.
bool grafana_question_can_select(const char *label, const char *value);

void grafana_question_set(grafana_question *question, const char *name, const char *value);
void grafana_question_set_whole(grafana_question *question, const char *name, int64_t value);

// grafana_question_set_time sets the time, which must be a range. If both are 0, the question has
// none.
void grafana_question_set_time(grafana_question *question, int64_t start_ms, int64_t end_ms);

// grafana_question_set_jvms sets the conditions of a selector that lists of labels can have: those
// on JVMs, and the type of contexts. Others are left out: the list is then longer.
void grafana_question_set_jvms(grafana_question *question, const grafana_selector *selector);

// grafana_question_set_numbers sets the conditions of a wish for numbers of contexts or requests.
// Errors: LP_ECORRUPT an unknown type or a wrong selector
void grafana_question_set_numbers(grafana_question *question, const grafana_wish *wish);

// grafana_question_set_graph sets what a flame graph needs for a wish and, unless base is NULL, the
// base to compare with, which must have the same type. Errors: as grafana_question_set_numbers
void grafana_question_set_graph(
    grafana_question *question, const grafana_wish *wish, const grafana_wish *base);

// grafana_question_finish returns the question, which the caller ends with ask_query_destroy.
LP_MUST_USE lp_err grafana_question_finish(grafana_question *question, ask_query **out_query);

// grafana_question_find_type returns the type of a wish. Errors: LP_ECORRUPT
LP_MUST_USE lp_err grafana_question_find_type(
    const char *type_id, const grafana_type **out_type, lp_problem *out_problem);
