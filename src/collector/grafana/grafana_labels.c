// SPDX-License-Identifier: Apache-2.0
// LabelNames, LabelValues and Series: services and versions from `services`, attributes from
// `contexts/types`.
//
// Tests: tests/unit/collector/grafana/test_grafana.c, tests/e2e/pyroscope.py
#include "collector/grafana/grafana_labels.h"

#include "pyroscope.pb-c.h"

#include "collector/grafana/grafana_question.h"
#include "collector/grafana/grafana_selector.h"
#include "collector/grafana/grafana_types.h"
#include "common/base/lp_assert.h"

#include <string.h>

#define TYPE    "__profile_type__"
#define SERVICE "service_name"
#define VERSION "version"
#define CONTEXT "context"

// get_selector returns the only matcher of a call.
static lp_err
get_selector(grafana_work *work, size_t count, char *const *matchers, const char **out)
{
    *out = count == 0 ? "" : matchers[0];
    return count <= 1 ? LP_OK
                      : lp_problem_set(
                            &work->problem, LP_EVERSION, "more than one matcher is not supported");
}

// read_selectors reads the matchers of a call. The caller ends *selector.
static lp_err
read_selectors(grafana_work *work, size_t count, char *const *matchers, grafana_selector *selector)
{
    const char *text = NULL;
    LP_TRY(get_selector(work, count, matchers, &text));
    return grafana_selector_read(selector, text, &work->problem);
}

// ask_list makes the only question of a list.
static lp_err
ask_list(grafana_work *work, const ask_route *route, const grafana_selector *selector,
    int64_t start_ms, int64_t end_ms, ask_query **out_query)
{
    LP_ASSERT(work->asked == 0);
    grafana_question q = grafana_question_begin(route, &work->problem);
    grafana_question_set_time(&q, start_ms, end_ms);
    if (route != &ask_services_route) { // it takes only times
        grafana_question_set_jvms(&q, selector);
    }
    return grafana_question_finish(&q, out_query);
}

// add_name adds a name to a list that does not have it yet. known: a set of names.
static void
add_name(json_t *list, json_t *known, const char *name)
{
    if (name != NULL && json_object_get(known, name) == NULL) {
        (void)json_object_set_new(known, name, json_true());
        (void)json_array_append_new(list, json_string(name));
    }
}

// --- Attributes

typedef void on_attribute(void *arg, const char *key, const json_t *values);

// each_attribute calls on for the attributes of contexts and requests in an answer.
static void
each_attribute(const json_t *answer, on_attribute *on, void *arg)
{
    static const char *const lists[] = {"types", "requests"};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        size_t k;
        size_t m;
        json_t *type;
        json_t *attribute;
        json_array_foreach(json_object_get(answer, lists[i]), k, type)
        {
            json_array_foreach(json_object_get(type, "attributes"), m, attribute)
            {
                on(arg, json_string_value(json_object_get(attribute, "key")),
                    json_object_get(attribute, "values"));
            }
        }
    }
}

// A list of names in progress.
typedef struct listing {
    json_t *list;
    json_t *known;
    const char *key; // of the attribute
} listing;

static void
on_key(void *arg, const char *key, const json_t *values)
{
    listing *l = arg;
    if (json_array_size(values) > 0) {
        add_name(l->list, l->known, key);
    }
}

static void
on_values(void *arg, const char *key, const json_t *values)
{
    LP_ASSERT(((const listing *)arg)->key != NULL);
    listing *l = arg;
    size_t i;
    json_t *value;
    json_array_foreach((json_t *)(uintptr_t)values, i, value)
    {
        if (key != NULL && strcmp(key, l->key) == 0) {
            const json_t *text = json_object_get(value, "value");
            const char *name = json_string_value(text);
            // No selector can have a value with a zero.
            bool is_whole = name != NULL && strlen(name) == json_string_length(text);
            add_name(l->list, l->known, is_whole ? name : NULL);
        }
    }
}

// --- LabelNames

lp_err
grafana_ask_label_names(grafana_work *work, ask_query **out_query)
{
    grafana_work_check(work, &querier__v1__label_names_request__descriptor);
    const Querier__V1__LabelNamesRequest *in = (const void *)work->in;
    grafana_selector selector = {0};
    LP_REQUIRE(work->asked == 0, LP_EEND);
    lp_err err = read_selectors(work, in->n_matchers, in->matchers, &selector);
    LP_THEN(
        err, ask_list(work, &ask_context_types_route, &selector, in->start, in->end, out_query));
    grafana_selector_fini(&selector);
    return err;
}

lp_err
grafana_add_label_names(grafana_work *work, const json_t *answer)
{
    grafana_work_check(work, &querier__v1__label_names_request__descriptor);
    static const char *const always[] = {TYPE, SERVICE, VERSION, CONTEXT};
    listing l = {.list = json_array(), .known = json_object()};
    for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
        add_name(l.list, l.known, always[i]);
    }
    each_attribute(answer, on_key, &l);
    json_decref(l.known);
    return json_object_set_new(work->out, "names", l.list) == 0 ? LP_OK : LP_ENOMEM;
}

// --- LabelValues

static lp_err
list_types(grafana_work *work)
{
    json_t *list = json_array();
    const grafana_type *type = NULL;
    for (size_t i = 0; (type = grafana_types_get(i)) != NULL; i++) {
        (void)json_array_append_new(list, json_string(type->id));
    }
    return json_object_set_new(work->out, "names", list) == 0 ? LP_EEND : LP_ENOMEM;
}

static bool
is_of_services(const char *name)
{
    return strcmp(name, SERVICE) == 0 || strcmp(name, VERSION) == 0;
}

bool
grafana_labels_can_list(const char *name)
{
    return is_of_services(name) || strcmp(name, CONTEXT) == 0 ||
           grafana_question_is_attribute(name);
}

lp_err
grafana_labels_ask_values(grafana_work *work, const char *name, const char *text, int64_t start_ms,
    int64_t end_ms, ask_query **out_query)
{
    grafana_selector selector = {0};
    lp_err err = grafana_selector_read(&selector, text, &work->problem);
    LP_THEN(
        err, ask_list(work, is_of_services(name) ? &ask_services_route : &ask_context_types_route,
                 &selector, start_ms, end_ms, out_query));
    grafana_selector_fini(&selector);
    return err;
}

lp_err
grafana_ask_label_values(grafana_work *work, ask_query **out_query)
{
    grafana_work_check(work, &querier__v1__label_values_request__descriptor);
    const Querier__V1__LabelValuesRequest *in = (const void *)work->in;
    const char *text = NULL;
    LP_REQUIRE(work->asked == 0, LP_EEND);
    LP_REQUIRE(in->name[0] != '\0',
        lp_problem_set(&work->problem, LP_ECORRUPT, "the name of a label is needed"));
    LP_TRY(get_selector(work, in->n_matchers, in->matchers, &text));
    LP_TRY(strcmp(in->name, TYPE) == 0 ? list_types(work) : LP_OK);
    return grafana_labels_ask_values(work, in->name, text, in->start, in->end, out_query);
}

// list_versions lists the versions of a service; NULL: of all.
static void
list_versions(listing *l, const json_t *answer, const char *service)
{
    size_t i;
    size_t k;
    json_t *one;
    json_t *version;
    json_array_foreach(json_object_get(answer, "services"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "service"));
        json_array_foreach(json_object_get(one, "versions"), k, version)
        {
            if (service == NULL || (name != NULL && strcmp(name, service) == 0)) {
                add_name(l->list, l->known, json_string_value(json_object_get(version, "version")));
            }
        }
    }
}

// list_members lists a member of the items of a list.
static void
list_members(listing *l, const json_t *answer, const char *list, const char *member)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(answer, list), i, item)
    {
        add_name(l->list, l->known, json_string_value(json_object_get(item, member)));
    }
}

lp_err
grafana_labels_read_values(grafana_work *work, const char *name, const char *text,
    const json_t *answer, json_t **out_values)
{
    grafana_selector selector = {0};
    listing l = {.list = json_array(), .known = json_object(), .key = name};
    lp_err err = grafana_selector_read(&selector, text, &work->problem);
    if (strcmp(name, SERVICE) == 0) {
        list_members(&l, answer, "services", "service");
    } else if (strcmp(name, VERSION) == 0) {
        list_versions(&l, answer, grafana_selector_find(&selector, SERVICE));
    } else if (strcmp(name, CONTEXT) == 0) {
        list_members(&l, answer, "types", "type");
    } else {
        each_attribute(answer, on_values, &l);
    }
    grafana_selector_fini(&selector);
    json_decref(l.known);
    *out_values = l.list;
    return err != LP_OK ? err : l.list == NULL ? LP_ENOMEM : LP_OK;
}

lp_err
grafana_add_label_values(grafana_work *work, const json_t *answer)
{
    grafana_work_check(work, &querier__v1__label_values_request__descriptor);
    const Querier__V1__LabelValuesRequest *in = (const void *)work->in;
    const char *text = NULL;
    json_t *values = NULL;
    LP_TRY(get_selector(work, in->n_matchers, in->matchers, &text));
    lp_err err = grafana_labels_read_values(work, in->name, text, answer, &values);
    int failed = json_object_set_new(work->out, "names", values);
    return err != LP_OK ? err : failed == 0 ? LP_OK : LP_ENOMEM;
}

// --- Series

lp_err
grafana_ask_series(grafana_work *work, ask_query **out_query)
{
    grafana_work_check(work, &querier__v1__series_request__descriptor);
    const Querier__V1__SeriesRequest *in = (const void *)work->in;
    grafana_selector selector = {0};
    LP_REQUIRE(work->asked == 0, LP_EEND);
    lp_err err = read_selectors(work, in->n_matchers, in->matchers, &selector);
    LP_THEN(err, ask_list(work, &ask_services_route, &selector, in->start, in->end, out_query));
    grafana_selector_fini(&selector);
    return err;
}

static bool
has_label(const Querier__V1__SeriesRequest *in, const char *name)
{
    bool has = in->n_label_names == 0;
    for (size_t i = 0; i < in->n_label_names; i++) {
        has |= strcmp(in->label_names[i], name) == 0;
    }
    return has;
}

// add_labels adds the labels of a service and a type; NULL: without this label.
static void
add_labels(json_t *list, const char *service, const char *type)
{
    json_t *labels = json_array();
    if (type != NULL) {
        (void)json_array_append_new(labels, json_pack("{s:s, s:s}", "name", TYPE, "value", type));
    }
    if (service != NULL) {
        (void)json_array_append_new(
            labels, json_pack("{s:s, s:s}", "name", SERVICE, "value", service));
    }
    (void)json_array_append_new(list, json_pack("{s:o}", "labels", labels));
}

// add_types adds a service with each type that the call wants; without types, once.
static void
add_types(
    json_t *list, const char *service, const char *wanted_type, bool has_service, bool has_type)
{
    const grafana_type *type = NULL;
    for (size_t i = 0; has_type && (type = grafana_types_get(i)) != NULL; i++) {
        if (wanted_type == NULL || strcmp(wanted_type, type->id) == 0) {
            add_labels(list, has_service ? service : NULL, type->id);
        }
    }
    if (!has_type && has_service) {
        add_labels(list, service, NULL);
    }
}

lp_err
grafana_add_series(grafana_work *work, const json_t *answer)
{
    grafana_work_check(work, &querier__v1__series_request__descriptor);
    LP_ASSERT(work->asked == 1);
    const Querier__V1__SeriesRequest *in = (const void *)work->in;
    grafana_selector selector = {0};
    lp_err err = read_selectors(work, in->n_matchers, in->matchers, &selector);
    const char *wanted = grafana_selector_find(&selector, SERVICE);
    json_t *list = json_array();
    bool has_service = has_label(in, SERVICE);
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(answer, "services"), i, one)
    {
        const char *service = json_string_value(json_object_get(one, "service"));
        bool is_wanted = service != NULL && (wanted == NULL || strcmp(wanted, service) == 0);
        if (is_wanted && (has_service || json_array_size(list) == 0)) {
            add_types(list, service, grafana_selector_find(&selector, TYPE), has_service,
                has_label(in, TYPE));
        }
    }
    grafana_selector_fini(&selector);
    int failed = json_object_set_new(work->out, "labelsSet", list);
    return err != LP_OK ? err : failed == 0 ? LP_OK : LP_ENOMEM;
}
