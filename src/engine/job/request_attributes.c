// SPDX-License-Identifier: Apache-2.0
// request_attributes: finds the type and the attributes of requests in their parts.
//
// Tests: tests/unit/engine/job/test_request_step.c

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_prefix_sum.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/contexts/value.h"
#include "engine/job/request_step.h"
#include "engine/read/kind_values.h"
#include "engine/read/kinds.h"
#include "engine/read/text.h"
#include "engine/read/view.h"
#include "engine/requests/request_rules.h"
#include "engine/write/describe.h"

#include <stdlib.h>
#include <string.h>

// --- Members

static int
compare_begins(const void *a, const void *b, void *context)
{
    const compact_request_part *parts = ((const compact_requests_input *)context)->parts;
    uint32_t i = *(const uint32_t *)a;
    uint32_t k = *(const uint32_t *)b;
    return LP_ORDER(parts[i].begin, parts[k].begin)
               ?: LP_ORDER(parts[k].end, parts[i].end) // the outer one
               ?: LP_ORDER(i, k);
}

void
compact_request_members_find(const compact_request_parts *parts, const compact_requests *requests,
    lp_arena *arena, compact_request_members *out)
{
    LP_ASSERT(requests != NULL);
    size_t count = requests->items.count;
    out->parts = LP_ARENA_ARRAY(arena, uint32_t, parts->input.part_count);
    out->ends = LP_ARENA_ARRAY(arena, size_t, count + 1);
    if (out->parts == NULL || out->ends == NULL) {
        return;
    }
    for (size_t i = 0; i < parts->input.part_count; i++) {
        if (requests->request_of[i] != COMPACT_REQUEST_NONE) {
            out->ends[requests->request_of[i]]++;
        }
    }
    (void)lp_prefix_sum(out->ends, count);
    // ends[i] moves from the begin of request i to its end.
    for (size_t i = 0; i < parts->input.part_count; i++) {
        uint32_t request = requests->request_of[i];
        if (request != COMPACT_REQUEST_NONE) {
            out->parts[out->ends[request]++] = (uint32_t)i;
        }
    }
    compact_requests_input by = parts->input;
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        if (out->ends[i] - begin > 1) {
            qsort_r(
                &out->parts[begin], out->ends[i] - begin, sizeof(*out->parts), compare_begins, &by);
        }
        begin = out->ends[i];
    }
}

// --- Attributes

typedef struct known_events {
    bool is_known;
    compact_kind kind;
    compact_reading reading;
} known_events;

typedef struct reader {
    const compact_frame *frame;
    const compact_request_parts *parts;
    lp_arena *arena;
    lp_buf value;
    lp_buf text;
    known_events **events; // parallel to the types of the view
    const char **names;    // parallel to frame->types: names in the output; NULL: not known yet
    uint64_t bytes;        // of the texts of all requests
    uint64_t left_out;     // attributes beyond the limit of bytes
    bool has_values;       // attributes are wanted, not only types
    compact_request *request;
    uint64_t last_map; // id of the map that was last read for request; 0: none
    compact_request_attribute found[COMPACT_REQUEST_ATTRIBUTES_MAX]; // of request
} reader;

static void
reader_check(const reader *r)
{
    LP_ASSERT(r->request != NULL);
    LP_ASSERT(r->request->attribute_count <= COMPACT_REQUEST_ATTRIBUTES_MAX);
}

static bool
is_full(const compact_request *request)
{
    return request->attribute_count >= COMPACT_REQUEST_ATTRIBUTES_MAX;
}

// add adds a new attribute with the text in r->text.
static void
add(reader *r, const char *name)
{
    reader_check(r);
    lp_slice text = lp_buf_slice(&r->text);
    size_t name_bytes = strlen(name);
    text.len = compact_text_cut(text, COMPACT_REQUEST_TEXT_BYTES_MAX);
    if (is_full(r->request) || r->text.is_failed || name_bytes > COMPACT_REQUEST_TEXT_BYTES_MAX) {
        return;
    }
    r->bytes += name_bytes + text.len;
    if (r->bytes > COMPACT_REQUESTS_TEXTS_BYTES_MAX) {
        r->left_out++;
        return;
    }
    r->found[r->request->attribute_count++] =
        (compact_request_attribute){name, lp_arena_copy(r->arena, text)};
}

static bool
has(const reader *r, const char *name)
{
    for (size_t i = 0; i < r->request->attribute_count; i++) {
        if (strcmp(r->found[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void
read_map(reader *r, const compact_context *context)
{
    reader_check(r);
    uint64_t id = compact_recordings_id(r->frame->contexts, context);
    if (id == r->last_map) {
        return;
    }
    r->last_map = id;
    const ctx_recording *map = compact_recordings_find(r->frame->recordings, id);
    for (size_t i = 0; map != NULL && i < map->entry_count; i++) {
        const ctx_entry *entry = &map->entries[i];
        if (!entry->is_null && !has(r, entry->key)) {
            lp_buf_clear(&r->text);
            lp_buf_append(&r->text, entry->value.ptr, entry->value.len);
            add(r, entry->key);
        }
    }
}

static void
read_values(reader *r, const compact_context *context, const ctx_type *type)
{
    reader_check(r);
    compact_values values = compact_contexts_values(r->frame->contexts, context);
    compact_value value;
    for (size_t i = 0; i < type->attribute_count; i++) {
        const ctx_attribute *attribute = &type->attributes[i];
        if (!compact_values_read(&values, attribute->kind, &value)) {
            return;
        }
        if (!value.is_null && !has(r, attribute->name)) {
            compact_value_text(attribute->kind, &value, &r->value, &r->text);
            add(r, attribute->name);
        }
    }
}

static void
read_context(reader *r, const compact_context *context, size_t index)
{
    reader_check(r);
    const compact_frame *frame = r->frame;
    if (index == frame->type_count) {
        return;
    }
    if (r->names[index] == NULL) {
        r->names[index] = compact_context_class_name(r->arena, &frame->types[index]);
    }
    r->request->type = r->request->type == NULL ? r->names[index] : r->request->type;
    if (!r->has_values) {
        return;
    }
    if (frame->types[index].is_recording) {
        read_map(r, context);
    } else {
        read_values(r, context, &frame->types[index]);
    }
}

static known_events *
know_events(reader *r, uint32_t type)
{
    if (r->events[type] != NULL) {
        return r->events[type];
    }
    const compact_view *view = r->frame->view;
    known_events *known = LP_ARENA_NEW(r->arena, known_events);
    compact_kinds kinds = {.arena = r->arena};
    compact_kinds_add_event(&kinds, &view->schema->metadata, type);
    if (known == NULL || r->arena->is_failed) {
        return NULL;
    }
    if (kinds.items.count > 0) {
        known->is_known = true;
        known->kind = kinds.items.items[0];
        known->reading =
            compact_reading_make(&known->kind, &view->schema->metadata, type, &view->pools);
    }
    r->events[type] = known;
    return known;
}

static void
read_fields(reader *r, const compact_event *event, const known_events *known)
{
    reader_check(r);
    lp_buf_clear(&r->value);
    compact_kind_append_event(&known->kind, &known->reading, event->payload, false, &r->value);
    if (r->value.is_failed) {
        return;
    }
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&r->value));
    for (size_t i = 0; i < known->kind.attribute_count; i++) {
        uint64_t key;
        lp_slice bytes = compact_kind_next_value(&known->kind.attributes[i], &cursor, &key);
        jfr_cursor text = jfr_cursor_over(bytes);
        bool is_null = bytes.len == 0 || bytes.ptr[0] == 0;
        if (!is_null && !has(r, known->kind.attributes[i].name)) {
            lp_buf_clear(&r->text);
            if (jfr_string_read_utf8(&text, &r->text)) {
                add(r, known->kind.attributes[i].name);
            }
        }
    }
}

static void
read_span(reader *r, const compact_span *span, uint32_t type)
{
    const known_events *known = know_events(r, type);
    if (known == NULL || !known->is_known) {
        return;
    }
    r->request->type = r->request->type == NULL ? known->kind.name : r->request->type;
    if (r->has_values) {
        const compact_event event = compact_view_event(r->frame->view, span->offset);
        read_fields(r, &event, known);
    }
}

static void
read_part(reader *r, uint32_t part)
{
    uint32_t item = r->parts->item_of[part];
    uint32_t type = r->parts->type_of[part];
    if (r->request->type != NULL && (!r->has_values || is_full(r->request))) {
        return;
    }
    if (part < r->parts->span_begin) {
        read_context(r, &r->frame->contexts->items.items[item], type);
    } else if (part < r->parts->ahead_begin) {
        read_span(r, &r->frame->view->spans.items[item], type);
    }
}

static void
read_request(reader *r, compact_request *request, const uint32_t *parts, size_t count)
{
    r->request = request;
    r->last_map = 0;
    size_t before = request->attribute_count;
    for (size_t i = 0; i < before; i++) {
        r->found[i] = request->attributes[i];
        r->bytes += strlen(request->attributes[i].name) + request->attributes[i].text.len;
    }
    for (size_t i = 0; i < count; i++) {
        read_part(r, parts[i]);
    }
    if (request->attribute_count == before) {
        return;
    }
    compact_request_attribute *all =
        LP_ARENA_ARRAY(r->arena, compact_request_attribute, request->attribute_count);
    if (all != NULL) {
        memcpy(all, r->found, request->attribute_count * sizeof(*all));
    }
    request->attributes = all;
    request->attribute_count = all == NULL ? 0 : request->attribute_count;
}

void
compact_request_attributes_find(const compact_frame *frame, const compact_request_parts *parts,
    const compact_request_members *members, lp_arena *arena, compact_requests *requests)
{
    LP_ASSERT(compact_frame_is_open(frame));
    reader r = {
        .frame = frame,
        .parts = parts,
        .arena = arena,
        .has_values = frame->options->has_rollup ||
                      compact_request_rules_are_set(policy_get_requests(frame->options->policy)),
        .events =
            LP_ARENA_ARRAY(arena, known_events *, frame->view->schema->metadata.types.count + 1),
        .names = LP_ARENA_ARRAY(arena, const char *, frame->type_count + 1),
    };
    size_t begin = 0;
    for (size_t i = 0; i < requests->items.count && !arena->is_failed; i++) {
        read_request(
            &r, &requests->items.items[i], &members->parts[begin], members->ends[i] - begin);
        begin = members->ends[i];
    }
    requests->losses.over_limit += r.left_out;
    lp_arena_note(arena, lp_buf_check(&r.value));
    lp_arena_note(arena, lp_buf_check(&r.text));
    lp_buf_fini(&r.value);
    lp_buf_fini(&r.text);
}
