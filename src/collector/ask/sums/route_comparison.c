// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/route_comparison.h"

#include "collector/ask/sums/rollup_json.h"
#include "collector/ask/sums/verdict.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "query/select/json_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NS_PER_S = 1e9;

// --- Sides

void
route_side_init(route_side *side, const query_selection *selection, const time_columns *columns)
{
    *side = (route_side){.selection = selection,
        .columns = *columns,
        .begin_wall_ns = INT64_MAX,
        .end_wall_ns = INT64_MIN};
    rollup_init(&side->total);
}

static void
side_check(const route_side *side)
{
    LP_ASSERT(side->selection != NULL);
    LP_ASSERT(side->columns.from_wall_ns < side->columns.to_wall_ns);
}

void
route_side_fini(route_side *side)
{
    rollup_fini(&side->total);
}

lp_err
route_side_add(route_side *side, rollup_unit unit, int64_t begin_wall_ns, int64_t length_ns,
    const rollup *found)
{
    side_check(side);
    if (rollup_get_types(found, unit)->count > 0) {
        int64_t end_wall_ns = lp_time_add(begin_wall_ns, length_ns);
        side->begin_wall_ns =
            begin_wall_ns < side->begin_wall_ns ? begin_wall_ns : side->begin_wall_ns;
        side->end_wall_ns = end_wall_ns > side->end_wall_ns ? end_wall_ns : side->end_wall_ns;
    }
    rollup_add(&side->total, found, "");
    return rollup_err(&side->total);
}

// seconds_of returns the length of the time with requests; 0 without any.
static double
seconds_of(const route_side *side)
{
    side_check(side);
    const time_columns *columns = &side->columns;
    int64_t begin_ns =
        side->begin_wall_ns > columns->from_wall_ns ? side->begin_wall_ns : columns->from_wall_ns;
    int64_t end_ns =
        side->end_wall_ns < columns->to_wall_ns ? side->end_wall_ns : columns->to_wall_ns;
    return begin_ns < end_ns ? (double)(end_ns - begin_ns) / NS_PER_S : 0;
}

static json_t *
time_json(const route_side *side)
{
    side_check(side);
    return json_pack("{s:o, s:o, s:f}", "from_ns", query_json_wall_ns(side->columns.from_wall_ns),
        "to_ns", query_json_wall_ns(side->columns.to_wall_ns), "seconds", seconds_of(side));
}

// --- Numbers

typedef struct part {
    const char *name;
    uint64_t ns;
} part;

LP_COMPARE(compare_parts, part, LP_ORDER(other->ns, one->ns) ?: strcmp(one->name, other->name))

// parts_json returns the largest shares of the time of the kept ones.
static json_t *
parts_json(const rollup_numbers *numbers)
{
    part parts[TIME_CATEGORY_COUNT + 1];
    size_t count = 0;
    uint64_t cpu_ns = rollup_cpu_ns(numbers);
    double total_ns = (double)rollup_json_total_ns(numbers);
    for (time_category i = 0; i < TIME_CATEGORY_COUNT; i++) {
        parts[count++] =
            (part){time_category_name(i), i == TIME_CPU ? cpu_ns : numbers->time_ns[i]};
    }
    parts[count++] = (part){"unaccounted", numbers->left_ns - cpu_ns};
    qsort(parts, count, sizeof(parts[0]), compare_parts);
    json_t *json = json_array();
    size_t shown = 0;
    for (; shown < ROUTE_COMPARISON_PARTS && parts[shown].ns > 0; shown++) {
        double share = round((double)parts[shown].ns / total_ns * 10000) / 10000;
        (void)json_array_append_new(
            json, json_pack("{s:s, s:f}", "category", parts[shown].name, "share", share));
    }
    return query_json_whole(json, shown);
}

static bool
has_some(const rollup_numbers *numbers)
{
    return numbers != NULL && numbers->all.count > 0;
}

static json_t *
side_json(const route_side *side, const rollup_numbers *numbers)
{
    side_check(side);
    if (!has_some(numbers)) {
        return json_null();
    }
    const histogram *all = &numbers->all;
    double seconds = seconds_of(side);
    double mean_ns = (double)all->sum_ns / (double)all->count;
    return json_pack("{s:I, s:I, s:f, s:I, s:o, s:o, s:o}", "count", (json_int_t)all->count, "kept",
        (json_int_t)numbers->kept.count, "per_s", seconds > 0 ? (double)all->count / seconds : 0,
        "mean_ns", (json_int_t)mean_ns, "p50_ns", rollup_json_quantile(all, 0.5), "p99_ns",
        rollup_json_quantile(all, 0.99), "parts", parts_json(numbers));
}

static json_t *
verdict_json(verdict_estimate here, verdict_estimate base)
{
    const char *name = verdict_name(verdict_of(here, base));
    return name == NULL ? json_null() : json_string(name);
}

static json_t *
verdicts_json(const rollup_numbers *here, const rollup_numbers *base)
{
    if (!has_some(here) || !has_some(base)) {
        return json_pack("{s:n, s:n, s:n}", "mean", "p50", "p99");
    }
    const histogram *a = &here->all;
    const histogram *b = &base->all;
    return json_pack("{s:o, s:o, s:o}", "mean", verdict_json(verdict_mean(a), verdict_mean(b)),
        "p50", verdict_json(verdict_quantile(a, 0.5), verdict_quantile(b, 0.5)), "p99",
        verdict_json(verdict_quantile(a, 0.99), verdict_quantile(b, 0.99)));
}

// --- Lists

typedef struct pair {
    const route_side *here;
    const route_side *base;
    rollup_unit unit;
} pair;

// add_numbers adds the numbers of both sides to an object, which may be NULL.
static json_t *
add_numbers(const pair *p, json_t *object, const rollup_numbers *here, const rollup_numbers *base)
{
    object = query_json_set(object, "here", side_json(p->here, here));
    object = query_json_set(object, "base", side_json(p->base, base));
    return query_json_set(object, "verdicts", verdicts_json(here, base));
}

// Lists of both sides, each sorted by name.
typedef struct lists {
    const void *here;
    const void *base;
    size_t here_count;
    size_t base_count;
    size_t item_bytes;
    int (*compare)(const void *one, const void *other);
    // Makes the object of an item of either side, or of both if they have the same name.
    json_t *(*make)(const pair *p, const void *one, const void *other);
} lists;

// lists_json merges the lists, sorted by name.
static json_t *
lists_json(const pair *p, const lists *l)
{
    LP_ASSERT(l->here_count == 0 || l->here != NULL);
    LP_ASSERT(l->base_count == 0 || l->base != NULL);
    const char *here = l->here;
    const char *base = l->base;
    json_t *json = json_array();
    size_t count = 0;
    for (size_t i = 0, k = 0; i < l->here_count || k < l->base_count; count++) {
        const void *one = i < l->here_count ? here + i * l->item_bytes : NULL;
        const void *other = k < l->base_count ? base + k * l->item_bytes : NULL;
        int order = one == NULL ? 1 : other == NULL ? -1 : l->compare(one, other);
        (void)json_array_append_new(
            json, l->make(p, order > 0 ? NULL : one, order < 0 ? NULL : other));
        i += order <= 0;
        k += order >= 0;
    }
    return query_json_whole(json, count);
}

// LISTS initializes the lists of a member of two items, of which one may be NULL.
#define LISTS(one, other, member, compare_items, make_item)                                        \
    (lists)                                                                                        \
    {                                                                                              \
        .here = (one) == NULL ? NULL : (one)->member.items,                                        \
        .base = (other) == NULL ? NULL : (other)->member.items,                                    \
        .here_count = (one) == NULL ? 0 : (one)->member.count,                                     \
        .base_count = (other) == NULL ? 0 : (other)->member.count,                                 \
        .item_bytes = sizeof(*(one)->member.items), .compare = (compare_items),                    \
        .make = (make_item),                                                                       \
    }

static bool
has_too_many(const rollup_attribute *attribute)
{
    return attribute != NULL && attribute->has_too_many;
}

LP_COMPARE(compare_values, rollup_value, lp_order_slices(one->text, other->text))

static json_t *
value_json(const pair *p, const void *one, const void *other)
{
    const rollup_value *here = one;
    const rollup_value *base = other;
    const lp_slice text = here == NULL ? base->text : here->text;
    return add_numbers(p, json_pack("{s:o}", "value", query_json_text(text)),
        here == NULL ? NULL : &here->numbers, base == NULL ? NULL : &base->numbers);
}

// values_json lists the values of both sides. A side with too many has no values: the other side's
// alone would look as if it had no requests.
static json_t *
values_json(const pair *p, const rollup_attribute *here, const rollup_attribute *base)
{
    if (has_too_many(here) || has_too_many(base)) {
        return json_array();
    }
    const lists values = LISTS(here, base, values, compare_values, value_json);
    return lists_json(p, &values);
}

LP_COMPARE(compare_attributes, rollup_attribute, strcmp(one->name, other->name))

static json_t *
attribute_json(const pair *p, const void *here, const void *base)
{
    const rollup_attribute *first = here == NULL ? base : here;
    return json_pack("{s:o, s:b, s:o}", "key", query_json_name(first->name), "has_too_many",
        has_too_many(here) || has_too_many(base), "values", values_json(p, here, base));
}

static json_t *
attributes_json(const pair *p, const rollup_type *here, const rollup_type *base)
{
    const lists attributes = LISTS(here, base, attributes, compare_attributes, attribute_json);
    return lists_json(p, &attributes);
}

// Lists of types have pointers.
LP_COMPARE(compare_types, rollup_type *const, strcmp((*one)->name, (*other)->name))

static json_t *
type_json(const pair *p, const void *one, const void *other)
{
    const rollup_type *here = one == NULL ? NULL : *(const rollup_type *const *)one;
    const rollup_type *base = other == NULL ? NULL : *(const rollup_type *const *)other;
    LP_ASSERT(here != NULL || base != NULL); // by lists_json
    json_t *json =
        json_pack("{s:o}", "type", query_json_name(here == NULL ? base->name : here->name));
    json = add_numbers(
        p, json, here == NULL ? NULL : &here->numbers, base == NULL ? NULL : &base->numbers);
    return query_json_set(json, "attributes", attributes_json(p, here, base));
}

// choose_types lists the types of a side's selection, and returns their number.
static size_t
choose_types(
    const route_side *side, rollup_unit unit, const rollup_type *out_types[ROLLUP_TYPES_MAX])
{
    const rollup_types *types = rollup_get_types(&side->total, unit);
    size_t count = 0;
    LP_ASSERT(types->count <= ROLLUP_TYPES_MAX);
    for (size_t i = 0; i < types->count; i++) {
        if (query_selection_has_type(side->selection, types->items[i].name)) {
            out_types[count++] = &types->items[i];
        }
    }
    return count;
}

static json_t *
types_json(const pair *p)
{
    const rollup_type *here[ROLLUP_TYPES_MAX];
    const rollup_type *base[ROLLUP_TYPES_MAX];
    const lists types = {
        .here = here,
        .base = base,
        .here_count = choose_types(p->here, p->unit, here),
        .base_count = choose_types(p->base, p->unit, base),
        .item_bytes = sizeof(here[0]),
        .compare = compare_types,
        .make = type_json,
    };
    return lists_json(p, &types);
}

json_t *
route_comparison_json(
    const route_side *here, const route_side *base, rollup_unit unit, bool is_truncated)
{
    side_check(here);
    side_check(base);
    const pair p = {here, base, unit};
    return json_pack("{s:s, s:o, s:o, s:o, s:b}", "unit",
        unit == ROLLUP_REQUESTS ? "requests" : "contexts", "here", time_json(here), "base",
        time_json(base), "types", types_json(&p), "is_truncated",
        is_truncated || rollup_get_left_out(&here->total, unit) > 0 ||
            rollup_get_left_out(&base->total, unit) > 0);
}
