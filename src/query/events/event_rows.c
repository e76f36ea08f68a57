// SPDX-License-Identifier: Apache-2.0
#include "query/events/event_rows.h"

#include "common/base/lp_assert.h"
#include "query/events/event_contexts.h"
#include "query/select/json_parts.h"

#include <stdlib.h>
#include <string.h>

struct query_event_row {
    json_t *json;
    size_t bytes; // in memory
};

// thread_json returns the name of an event's thread. *out_java_id is 0 if it has no Java thread.
static json_t *
thread_json(query_chunk *chunk, const query_event *event, int64_t *out_java_id)
{
    *out_java_id = 0;
    if (query_chunk_identity(chunk, event) == QUERY_NO_THREAD) {
        return json_null();
    }
    uint32_t name = query_chunk_thread(chunk, event->thread_key, out_java_id);
    return json_string(query_names_text(chunk->names, name));
}

static json_t *
context_json(ctx_ref ref)
{
    char id[CTX_REF_BYTES];
    ctx_ref_format(ref, id);
    return ctx_ref_is_same(ref, (ctx_ref){0}) ? json_null() : json_string(id);
}

static json_t *
row_json(query_event_rows *r, query_chunk *chunk, const query_event *event, query_listed *item)
{
    int64_t java_id;
    json_t *thread = thread_json(chunk, event, &java_id);
    json_t *row = json_pack("[s, I, o, o, o, o]", query_names_text(r->names, item->type),
        (json_int_t)((uint64_t)item->begin_wall_ns - (uint64_t)r->t0_ns),
        event->type->has_duration ? json_integer((json_int_t)item->duration_ns) : json_null(),
        thread, query_event_stack(chunk, event, &r->is_truncated),
        query_event_values(chunk, event, r->only, &r->is_truncated));
    if (r->recording != NULL) {
        (void)json_array_append_new(row, query_json_name(r->recording(r->arg, item->source)));
        row = query_json_whole(row, 7);
        (void)json_array_append_new(row,
            context_json(r->contexts == NULL
                             ? item->ref
                             : query_event_contexts_find(r->contexts, item->source, chunk, event)));
        row = query_json_whole(row, 8);
    }
    (void)json_array_append_new(row, query_json_thread_id(java_id));
    return query_json_whole(row, r->recording == NULL ? 7 : 9);
}

static size_t
count_text(const char *text, size_t len)
{
    return QUERY_EVENT_VALUE_BYTES + query_json_text_bytes((lp_slice){(const uint8_t *)text, len});
}

// count_bytes returns the maximum size of a value.
static size_t
count_bytes(json_t *json)
{
    size_t bytes = QUERY_EVENT_VALUE_BYTES;
    const char *key;
    json_t *value;
    size_t i;
    if (json_is_string(json)) {
        return count_text(json_string_value(json), json_string_length(json));
    }
    json_array_foreach(json, i, value) // nothing if json is no array
    {
        bytes += count_bytes(value);
    }
    json_object_foreach(json, key, value)
    {
        bytes += count_text(key, strlen(key)) + count_bytes(value);
    }
    return bytes;
}

// cut drops the last rows that have no room.
static void
cut(query_event_rows *r)
{
    while (r->bytes > QUERY_EVENT_ROWS_BYTES_MAX && r->cut > 1) {
        struct query_event_row *row = &r->rows[--r->cut];
        r->bytes -= row->bytes;
        json_decref(row->json);
        *row = (struct query_event_row){0};
    }
}

static lp_err
read_row(void *arg, query_chunk *chunk, const query_event *event, query_listed *item)
{
    query_event_rows *r = arg;
    size_t index = (size_t)(item - r->listing->items.items);
    LP_ASSERT(index < r->listing->items.count && r->cut <= r->listing->items.count);
    if (index >= r->cut) { // rows come in the order of chunks
        return LP_OK;
    }
    struct query_event_row *row = &r->rows[index];
    row->json = row_json(r, chunk, event, item);
    LP_REQUIRE(row->json != NULL, LP_ENOMEM);
    row->bytes = count_bytes(row->json);
    r->bytes += row->bytes;
    cut(r);
    return LP_OK;
}

lp_err
query_event_rows_read(query_event_rows *r, query_listing *listing, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled, json_t *json)
{
    LP_ASSERT(r->only != NULL);
    LP_ASSERT(r->rows == NULL);
    LP_ASSERT(json == NULL || json_is_object(json));
    json_t *rows = json_array();
    r->listing = listing;
    r->names = names;
    r->bytes = 0;
    r->cut = listing->items.count;
    r->rows = calloc(r->cut + 1, sizeof(*r->rows));
    lp_err err = r->rows == NULL || rows == NULL
                     ? LP_ENOMEM
                     : query_listing_each(listing, sources, names, is_cancelled, read_row, r);
    for (size_t i = 0; r->rows != NULL && i < r->cut; i++) {
        (void)json_array_append_new(rows, r->rows[i].json);
    }
    free(r->rows);
    r->rows = NULL;
    if (r->cut < listing->items.count) {
        query_listing_cut(listing, r->cut);
        r->is_truncated = true;
    }
    json_t *columns = json_pack("[s, s, s, s, s, s, s*, s*, s]", "type", "start", "duration",
        "thread", "stack", "fields", r->recording == NULL ? NULL : "recording",
        r->recording == NULL ? NULL : "context", "thread_id");
    bool is_whole = json_object_set_new(json, "columns", columns) == 0;
    is_whole &= json_object_set_new(json, "rows", query_json_whole(rows, r->cut)) == 0;
    return err != LP_OK ? err : is_whole ? LP_OK : LP_ENOMEM;
}
