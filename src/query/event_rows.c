// SPDX-License-Identifier: Apache-2.0
#include "query/event_rows.h"

#include "query/json_parts.h"

#include <stdlib.h>

static json_t *
thread_json(query_chunk *chunk, const query_event *event)
{
    int64_t java_id;
    if (query_chunk_identity(chunk, event) == QUERY_NO_THREAD) {
        return json_null();
    }
    uint32_t name = query_chunk_thread(chunk, event->thread_key, &java_id);
    return json_string(query_names_text(chunk->names, name));
}

static json_t *
context_json(ctx_ref ref)
{
    char id[CTX_REF_BYTES];
    ctx_ref_format(ref, id);
    return ctx_ref_is_same(ref, (ctx_ref){0}) ? json_null() : json_string(id);
}

static lp_err
read_row(void *arg, query_chunk *chunk, const query_event *event, query_listed *item)
{
    query_event_rows *r = arg;
    json_t *row = json_pack("[s, I, o, o, o, o]", query_names_text(r->names, item->type),
        (json_int_t)((uint64_t)item->begin_wall_ns - (uint64_t)r->t0_ns),
        event->type->has_duration ? json_integer((json_int_t)item->duration_ns) : json_null(),
        thread_json(chunk, event), query_event_stack(chunk, event, &r->is_truncated),
        query_event_values(chunk, event, r->only, &r->is_truncated));
    if (r->recording != NULL) {
        (void)json_array_append_new(row, query_json_name(r->recording(r->arg, item->source)));
        row = query_json_whole(row, 7);
        (void)json_array_append_new(row, context_json(item->ref));
        row = query_json_whole(row, 8);
    }
    r->rows[item - r->listing->items.items] = row;
    return row == NULL ? LP_ENOMEM : LP_OK;
}

static json_t *
columns_json(const query_event_rows *r)
{
    return r->recording == NULL ? json_pack("[s, s, s, s, s, s]", "type", "start", "duration",
                                      "thread", "stack", "fields")
                                : json_pack("[s, s, s, s, s, s, s, s]", "type", "start", "duration",
                                      "thread", "stack", "fields", "recording", "context");
}

lp_err
query_event_rows_read(query_event_rows *r, query_listing *listing, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled, json_t *json)
{
    size_t count = listing->items.count;
    json_t *rows = json_array();
    r->listing = listing;
    r->names = names;
    r->rows = calloc(count + 1, sizeof(json_t *));
    lp_err err = r->rows == NULL || rows == NULL
                     ? LP_ENOMEM
                     : query_listing_each(listing, sources, names, is_cancelled, read_row, r);
    for (size_t i = 0; r->rows != NULL && i < count; i++) {
        (void)json_array_append_new(rows, r->rows[i]);
    }
    free(r->rows);
    r->rows = NULL;
    bool is_whole = json_object_set_new(json, "columns", columns_json(r)) == 0;
    is_whole &= json_object_set_new(json, "rows", query_json_whole(rows, count)) == 0;
    return err != LP_OK ? err : is_whole ? LP_OK : LP_ENOMEM;
}
