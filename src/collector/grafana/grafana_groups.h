// SPDX-License-Identifier: Apache-2.0
// grafana_groups: the series of a call with group_by, one for each value of a label.
//
// The selector says the value of each label of group_by but one, the open one. The first question
// of the call lists the values of this label, as LabelValues does. Contexts without the label are
// in no series.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/grafana/test_grafana.c, tests/e2e/pyroscope.py

#pragma once

#include "collector/grafana/grafana_procedures.h"
#include "collector/grafana/grafana_question.h"

enum { GRAFANA_GROUPS_MAX = 240 }; // series of a call; one with more is refused

// What a call is grouped by. Everything is borrowed from its message.
typedef struct grafana_groups {
    const char *selector;
    char *const *labels; // group_by
    size_t label_count;
    int64_t start_ms;
    int64_t end_ms;

    const char *open; // the label whose values are listed; NULL: the selector says all values
} grafana_groups;

// grafana_groups_begin finds the open label. Errors: LP_EVERSION two open labels; LP_ECORRUPT the
// selector; LP_ENOMEM
LP_MUST_USE lp_err grafana_groups_begin(grafana_groups *groups, lp_problem *out_problem);

// grafana_groups_ask makes the question for the values, if work has asked nothing yet and a label
// is open. Else *out_query stays NULL, and work has the series: of a call without an open label
// there is one.
LP_MUST_USE lp_err grafana_groups_ask(
    const grafana_groups *groups, grafana_work *work, ask_query **out_query);

// grafana_groups_add begins the series, if answer is that of the question for the values. Errors:
// LP_ECORRUPT over GRAFANA_GROUPS_MAX values; LP_ENOMEM
LP_MUST_USE lp_err grafana_groups_add(
    const grafana_groups *groups, grafana_work *work, const json_t *answer, bool *out_is_values);

// grafana_groups_asked returns how many questions were asked besides that for the values.
size_t grafana_groups_asked(const grafana_groups *groups, const grafana_work *work);

size_t grafana_groups_count(const grafana_work *work); // of series

// grafana_groups_get returns a series, borrowed.
json_t *grafana_groups_get(const grafana_work *work, size_t index);

// grafana_groups_select adds the value of a series to a wish, which borrows it.
void grafana_groups_select(
    const grafana_groups *groups, const grafana_work *work, size_t index, grafana_wish *wish);

// grafana_groups_finish drops the series of an open label that are empty and, if limit is above 0,
// all but this many, the largest. amount returns the size of a series. Errors: LP_ENOMEM
LP_MUST_USE lp_err grafana_groups_finish(const grafana_groups *groups, grafana_work *work,
    int64_t limit, double (*amount)(const json_t *series));
