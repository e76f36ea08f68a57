// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_groups.h"

#include "collector/grafana/grafana_labels.h"
#include "collector/grafana/grafana_selector.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"

#include <string.h>

static json_t *
get_all(const grafana_work *work)
{
    return json_object_get(work->out, "series");
}

static lp_err
set_all(grafana_work *work, json_t *series)
{
    return json_object_set_new(work->out, "series", series) == 0 ? LP_OK : LP_ENOMEM;
}

size_t
grafana_groups_count(const grafana_work *work)
{
    return json_array_size(get_all(work));
}

json_t *
grafana_groups_get(const grafana_work *work, size_t index)
{
    LP_ASSERT(index < grafana_groups_count(work));
    return json_array_get(get_all(work), index);
}

size_t
grafana_groups_asked(const grafana_groups *self, const grafana_work *work)
{
    LP_ASSERT(self->open == NULL || work->asked > 0);
    return work->asked - (self->open != NULL);
}

lp_err
grafana_groups_begin(grafana_groups *self, lp_problem *out_problem)
{
    grafana_selector selector = {0};
    lp_err err = grafana_selector_read(&selector, self->selector, out_problem);
    for (size_t i = 0; i < self->label_count && err == LP_OK; i++) {
        const char *label = self->labels[i];
        if (grafana_selector_find(&selector, label) != NULL) {
            continue;
        }
        bool is_second = self->open != NULL && strcmp(self->open, label) != 0;
        if (is_second || !grafana_labels_can_list(label)) {
            err = lp_problem_set(out_problem, LP_EVERSION,
                "group_by: select a value of the label %s", lp_quote_text(label).text);
        }
        self->open = label;
    }
    grafana_selector_fini(&selector);
    return err;
}

// --- Beginning series

// add_series adds a series without points, with its labels. value: of the open label, which
// grafana_groups_select needs. Errors: LP_ENOMEM
static lp_err
add_series(
    const grafana_groups *self, const grafana_selector *selector, const char *value, json_t *all)
{
    bool is_failed = false;
    json_t *labels = json_array();
    for (size_t i = 0; i < self->label_count; i++) {
        const char *given = grafana_selector_find(selector, self->labels[i]);
        json_t *pair = json_pack(
            "{s:s, s:s*}", "name", self->labels[i], "value", given != NULL ? given : value);
        is_failed |= json_array_append_new(labels, pair) != 0 && given == NULL;
    }
    is_failed |= json_array_append_new(all, json_pack("{s:o}", "labels", labels)) != 0;
    return is_failed ? LP_ENOMEM : LP_OK;
}

// begin_series begins a series for each value; NULL: the only series.
static lp_err
begin_series(const grafana_groups *self, grafana_work *work, const json_t *values)
{
    grafana_selector selector = {0};
    json_t *all = json_array();
    size_t i;
    json_t *value;
    LP_ASSERT((values == NULL) == (self->open == NULL));
    lp_err err = grafana_selector_read(&selector, self->selector, &work->problem);
    if (values == NULL) {
        LP_THEN(err, add_series(self, &selector, NULL, all));
    }
    json_array_foreach((json_t *)(uintptr_t)values, i, value)
    {
        if (grafana_question_can_select(self->open, json_string_value(value))) {
            LP_THEN(err, add_series(self, &selector, json_string_value(value), all));
        }
    }
    grafana_selector_fini(&selector);
    lp_err added = set_all(work, all);
    return err == LP_OK ? added : err;
}

lp_err
grafana_groups_ask(const grafana_groups *self, grafana_work *work, ask_query **out_query)
{
    if (work->asked > 0) {
        return LP_OK;
    }
    if (self->open == NULL) {
        return begin_series(self, work, NULL);
    }
    return grafana_labels_ask_values(
        work, self->open, self->selector, self->start_ms, self->end_ms, out_query);
}

lp_err
grafana_groups_add(
    const grafana_groups *self, grafana_work *work, const json_t *answer, bool *out_is_values)
{
    json_t *values = NULL;
    *out_is_values = self->open != NULL && work->asked == 1;
    if (!*out_is_values) {
        return LP_OK;
    }
    lp_err err = grafana_labels_read_values(work, self->open, self->selector, answer, &values);
    LP_THEN(err, json_array_size(values) <= GRAFANA_GROUPS_MAX
                     ? LP_OK
                     : lp_problem_set(&work->problem, LP_ECORRUPT,
                           "group_by: %s has more than %d values: select fewer",
                           lp_quote_text(self->open).text, GRAFANA_GROUPS_MAX));
    LP_THEN(err, begin_series(self, work, values));
    json_decref(values);
    return err;
}

void
grafana_groups_select(
    const grafana_groups *self, const grafana_work *work, size_t index, grafana_wish *wish)
{
    size_t i;
    json_t *label;
    if (self->open == NULL) {
        return;
    }
    json_array_foreach(json_object_get(grafana_groups_get(work, index), "labels"), i, label)
    {
        if (strcmp(json_string_value(json_object_get(label, "name")), self->open) == 0) {
            wish->group = self->open;
            wish->group_value = json_string_value(json_object_get(label, "value"));
        }
    }
    LP_ASSERT(wish->group_value != NULL);
}

// --- Finishing

// find_largest returns the index of the largest amount.
static size_t
find_largest(const double amounts[], size_t count)
{
    size_t found = 0;
    for (size_t i = 1; i < count; i++) {
        found = amounts[i] > amounts[found] ? i : found;
    }
    return found;
}

lp_err
grafana_groups_finish(const grafana_groups *self, grafana_work *work, int64_t limit,
    double (*amount)(const json_t *series))
{
    double amounts[GRAFANA_GROUPS_MAX] = {0};
    json_t *all = get_all(work);
    size_t count = json_array_size(all);
    size_t most = limit > 0 && limit < (int64_t)count ? (size_t)limit : count;
    LP_ASSERT(count <= GRAFANA_GROUPS_MAX);
    if (self->open == NULL) {
        return LP_OK;
    }
    for (size_t i = 0; i < count; i++) {
        amounts[i] = amount(json_array_get(all, i));
    }
    json_t *kept = json_array();
    while (json_array_size(kept) < most) {
        size_t at = find_largest(amounts, count);
        if (amounts[at] <= 0 || json_array_append(kept, json_array_get(all, at)) != 0) {
            break;
        }
        amounts[at] = 0;
    }
    return set_all(work, kept);
}
