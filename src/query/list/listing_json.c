// SPDX-License-Identifier: Apache-2.0
#include "query/list/listing_json.h"

#include "common/base/lp_find.h"
#include "query/select/json_list.h"

#include <string.h>

static const char *const context_columns[] = {
    "recording", "type", "start", "duration", "triggers", "blocked", "thread", "id"};

static const char *const request_columns[] = {"recording", "type", "start", "duration", "busy",
    "queued", "elsewhere", "parts", "state", "kept_by", "id"};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

typedef struct columns {
    const char *const *fixed;
    size_t fixed_count;
    lp_names names;    // the attributes of all rows, each of which is a column
    bool is_truncated; // there are more
} columns;

static const query_attribute *
find_attribute(const query_listed *item, const char *name)
{
    return LP_FIND(item->attributes, item->attribute_count, strcmp(at->name, name) == 0);
}

static json_t *
context_json(
    const query_listed *item, const query_names *names, int64_t start_ns, const char *recording)
{
    char id[CTX_REF_BYTES];
    ctx_ref_format(item->ref, id);
    return json_pack("[o, s, I, I, I, I, s, s]", query_json_name(recording),
        query_names_text(names, item->type), (json_int_t)start_ns, (json_int_t)item->duration_ns,
        (json_int_t)item->triggers, (json_int_t)item->blocked_ns,
        query_names_text(names, item->thread), id);
}

static json_t *
request_json(
    const query_listed *item, const query_names *names, int64_t start_ns, const char *recording)
{
    const query_request_facts *facts = &item->request;
    char id[QUERY_REQUEST_ID_BYTES];
    query_request_id_format(facts->id, id);
    return json_pack("[o, s, I, I, I, I, I, I, s, s, s]", query_json_name(recording),
        query_names_text(names, item->type), (json_int_t)start_ns, (json_int_t)item->duration_ns,
        (json_int_t)facts->busy_ns, (json_int_t)facts->queued_ns, (json_int_t)facts->elsewhere_ns,
        (json_int_t)facts->part_count, query_names_text(names, facts->state),
        query_names_text(names, facts->kept_by), id);
}

static json_t *
row_json(const query_listed *item, const query_names *names, const columns *c, int64_t t0_ns,
    const char *recording)
{
    int64_t start_ns = (int64_t)((uint64_t)item->begin_wall_ns - (uint64_t)t0_ns);
    json_t *row = c->fixed == request_columns ? request_json(item, names, start_ns, recording)
                                              : context_json(item, names, start_ns, recording);
    for (size_t i = 0; i < c->names.items.count && row != NULL; i++) {
        const query_attribute *attribute = find_attribute(item, c->names.items.items[i]);
        (void)json_array_append_new(
            row, attribute == NULL ? json_null() : query_json_attribute(attribute));
    }
    return query_json_whole(row, c->fixed_count + c->names.items.count);
}

static lp_err
find_columns(const query_listing *listing, columns *out)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < listing->items.count; i++) {
        const query_listed *item = &listing->items.items[i];
        for (size_t k = 0; k < item->attribute_count && err == LP_OK; k++) {
            const char *name = item->attributes[k].name;
            if (lp_names_find(&out->names, name) != LP_MAP_NONE) {
                continue;
            }
            if (out->names.items.count == QUERY_LISTING_ATTRIBUTES_MAX) {
                out->is_truncated = true;
                return LP_OK;
            }
            err = lp_names_add(&out->names, name);
        }
    }
    return err;
}

static json_t *
columns_json(const columns *c)
{
    json_t *names = json_array();
    for (size_t i = 0; i < c->fixed_count; i++) {
        (void)json_array_append_new(names, json_string(c->fixed[i]));
    }
    for (size_t i = 0; i < c->names.items.count; i++) {
        (void)json_array_append_new(names, json_sprintf("attr.%s", c->names.items.items[i]));
    }
    return query_json_whole(names, c->fixed_count + c->names.items.count);
}

// find_t0 returns when the first of the contexts began; 0 if there are none.
static int64_t
find_t0(const query_listing *listing)
{
    int64_t t0_ns = listing->items.count == 0 ? 0 : INT64_MAX;
    for (size_t i = 0; i < listing->items.count; i++) {
        int64_t begin_ns = listing->items.items[i].begin_wall_ns;
        t0_ns = begin_ns < t0_ns ? begin_ns : t0_ns;
    }
    return t0_ns;
}

static json_t *
quantile_json(query_listing *listing, const query_outcome *outcome, double q)
{
    return outcome->contexts == 0 ? json_null()
                                  : json_integer(query_listing_quantile_ns(listing, q));
}

json_t *
query_listing_json(query_listing *listing, query_unit unit, const query_names *names,
    const query_outcome *outcome, bool has_cursor,
    const char *(*recording)(const void *arg, uint32_t source), const void *arg)
{
    columns c = {.fixed = context_columns, .fixed_count = COUNT_OF(context_columns)};
    if (unit == QUERY_UNIT_REQUESTS) {
        c.fixed = request_columns;
        c.fixed_count = COUNT_OF(request_columns);
    }
    json_t *json = NULL;
    char next[QUERY_CURSOR_BYTES];
    int64_t t0_ns = find_t0(listing);
    if (find_columns(listing, &c) == LP_OK) {
        bool is_cut = has_cursor && listing->has_more && !listing->has_next;
        json = json_pack("{s:o, s:o, s:o, s:I, s:o, s:o, s:b}", "t0_ns", query_json_wall_ns(t0_ns),
            "columns", columns_json(&c), "rows",
            QUERY_JSON_LIST(item, listing->items.items, listing->items.count,
                row_json(item, names, &c, t0_ns, recording(arg, item->source))),
            "matched", (json_int_t)outcome->contexts, "p50_ns",
            quantile_json(listing, outcome, 0.5), "p99_ns", quantile_json(listing, outcome, 0.99),
            "is_truncated",
            outcome->is_truncated || names->is_truncated || c.is_truncated || is_cut);
    }
    lp_names_fini(&c.names);
    if (!has_cursor) {
        return json;
    }
    query_cursor_format(&listing->next, next);
    return query_json_set(json, "next", listing->has_next ? json_string(next) : json_null());
}
