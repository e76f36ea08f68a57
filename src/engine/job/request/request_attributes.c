// SPDX-License-Identifier: Apache-2.0
// request_attributes: finds the type and the attributes of requests in their parts.
//
// Tests: tests/unit/engine/job/request/test_request_step.c

#include "common/base/lp_assert.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/contexts/value.h"
#include "engine/job/request/request_parts.h"
#include "engine/read/kind_values.h"
#include "engine/read/kinds.h"
#include "engine/read/text.h"
#include "engine/read/view.h"
#include "engine/requests/requests.h"
#include "engine/write/describe.h"

#include <string.h>

// --- Members

// A part of a request that has several.
typedef struct member {
    int64_t begin;
    int64_t end;
    uint32_t part;
} member;

static inline member
member_of(const compact_request_parts *parts, uint32_t part)
{
    return (member){parts->input.parts[part].begin, parts->input.parts[part].end, part};
}

// is_before returns whether one part begins before another; of two that begin at one time, the
// outer one does.
static inline bool
is_before(const member *x, const member *y)
{
    if (x->begin != y->begin) {
        return x->begin < y->begin;
    }
    return x->end != y->end ? x->end > y->end : x->part < y->part;
}

LP_SORT_DEFINE(sort_members, member, is_before)

// sort_request sorts the parts of a request. room has space for one and a half times as many.
static void
sort_request(const compact_request_parts *parts, uint32_t *items, size_t count, member *room)
{
    for (size_t i = 0; i < count; i++) {
        room[i] = member_of(parts, items[i]);
    }
    sort_members(room, count, room + count);
    for (size_t i = 0; i < count; i++) {
        items[i] = room[i].part;
    }
}

static void
sort_all(
    const compact_request_parts *parts, size_t count, lp_arena *arena, compact_request_members *out)
{
    size_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t size = out->ends[i] - (i == 0 ? 0 : out->ends[i - 1]);
        largest = size > largest ? size : largest;
    }
    member *room = lp_arena_alloc(arena, (largest + largest / 2) * sizeof(*room), alignof(member));
    size_t begin = 0;
    for (size_t i = 0; room != NULL && i < count; i++) {
        sort_request(parts, &out->parts[begin], out->ends[i] - begin, room);
        begin = out->ends[i];
    }
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
    sort_all(parts, count, arena, out);
}

// --- Attributes

typedef struct known_events {
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

// add adds a new attribute.
static void
add(reader *r, const char *name, lp_slice text)
{
    reader_check(r);
    size_t name_bytes = strlen(name);
    text.len = compact_text_cut(text, COMPACT_REQUEST_TEXT_BYTES_MAX);
    if (is_full(r->request) || name_bytes > COMPACT_REQUEST_TEXT_BYTES_MAX) {
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
        const char *found = r->found[i].name;
        if (found == name || (found[0] == name[0] && strcmp(found, name) == 0)) {
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
            add(r, entry->key, entry->value);
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
            lp_arena_note(r->arena, lp_buf_check(&r->text));
            add(r, attribute->name, lp_buf_slice(&r->text));
        }
    }
}

static size_t
type_of_context(const compact_frame *frame, uint32_t item)
{
    return ctx_type_find(
        frame->types, frame->type_count, frame->contexts->items.items[item].type_id);
}

static const char *
name_of_context(reader *r, size_t type)
{
    if (r->names[type] == NULL) {
        r->names[type] = compact_context_class_name(r->arena, &r->frame->types[type]);
    }
    return r->names[type];
}

static void
read_context(reader *r, uint32_t item)
{
    reader_check(r);
    const compact_frame *frame = r->frame;
    const compact_context *context = &frame->contexts->items.items[item];
    size_t index = type_of_context(frame, item);
    if (index == frame->type_count) {
        return;
    }
    r->request->type = r->request->type == NULL ? name_of_context(r, index) : r->request->type;
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
    if (kinds.items.count == 0 || r->arena->is_failed) {
        return NULL;
    }
    known->kind = kinds.items.items[0];
    known->reading =
        compact_reading_make(&known->kind, &view->schema->metadata, type, &view->pools);
    r->events[type] = known;
    return known;
}

static bool
has_all(const reader *r, const compact_kind *kind)
{
    size_t known = 0;
    while (known < kind->attribute_count &&
           (kind->attributes[known].reference != NULL || has(r, kind->attributes[known].name))) {
        known++;
    }
    return known == kind->attribute_count;
}

// find_text finds the text in a value of kind_values.h that is no reference. False if it is null.
static bool
find_text(lp_slice value, lp_slice *out)
{
    jfr_cursor cursor = jfr_cursor_over(value);
    LP_REQUIRE(jfr_cursor_left(&cursor) > 0 && *cursor.at != JFR_STRING_NULL, false);
    uint8_t encoding = *cursor.at++;
    uint64_t length = 0;
    bool is_whole = encoding == JFR_STRING_EMPTY ||
                    (encoding == JFR_STRING_UTF8 && jfr_varint_read(&cursor, &length) &&
                        length <= jfr_cursor_left(&cursor));
    *out = (lp_slice){cursor.at, (size_t)length};
    return is_whole;
}

static void
read_fields(reader *r, const compact_event *event, const known_events *known)
{
    reader_check(r);
    if (has_all(r, &known->kind)) {
        return;
    }
    lp_buf_clear(&r->value);
    compact_kind_append_event(&known->kind, &known->reading, event->payload, false, &r->value);
    lp_arena_note(r->arena, lp_buf_check(&r->value));
    if (r->value.is_failed) {
        return;
    }
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&r->value));
    for (size_t i = 0; i < known->kind.attribute_count; i++) {
        uint64_t key;
        lp_slice bytes = compact_kind_next_value(&known->kind.attributes[i], &cursor, &key);
        lp_slice text;
        if (known->kind.attributes[i].reference == NULL && find_text(bytes, &text) &&
            !has(r, known->kind.attributes[i].name)) {
            add(r, known->kind.attributes[i].name, text);
        }
    }
}

static compact_event
event_of_span(const compact_frame *frame, uint32_t item)
{
    return compact_view_event(frame->view, frame->view->spans.items[item].offset);
}

static void
read_span(reader *r, uint32_t item)
{
    const compact_event event = event_of_span(r->frame, item);
    const known_events *known = know_events(r, event.type);
    if (known != NULL) {
        r->request->type = r->request->type == NULL ? known->kind.name : r->request->type;
        read_fields(r, &event, known);
    }
}

static void
read_part(reader *r, uint32_t part)
{
    uint32_t item = r->parts->item_of[part];
    if (r->request->type != NULL && is_full(r->request)) {
        return;
    }
    if (part < r->parts->span_begin) {
        read_context(r, item);
    } else if (part < r->parts->ahead_begin) {
        read_span(r, item);
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

static const char *
type_name_of(reader *r, uint32_t part)
{
    uint32_t item = r->parts->item_of[part];
    if (part < r->parts->span_begin) {
        return name_of_context(r, type_of_context(r->frame, item));
    }
    const known_events *known = know_events(r, event_of_span(r->frame, item).type);
    return known == NULL ? NULL : known->kind.name;
}

static reader
begin_reader(const compact_frame *frame, const compact_request_parts *parts, lp_arena *arena)
{
    LP_ASSERT(compact_frame_is_open(frame));
    return (reader){
        .frame = frame,
        .parts = parts,
        .arena = arena,
        .events =
            LP_ARENA_ARRAY(arena, known_events *, frame->view->schema->metadata.types.count + 1),
        .names = LP_ARENA_ARRAY(arena, const char *, frame->type_count + 1),
    };
}

// --- Types alone

static bool
lacks_type(const compact_request *request)
{
    return request->type == NULL && (request->is_kept || request->is_carried);
}

static bool
has_type(const reader *r, uint32_t part)
{
    return part >= r->parts->span_begin ||
           type_of_context(r->frame, r->parts->item_of[part]) < r->frame->type_count;
}

// find_first finds the first part with a type of each request that lacks its own: by request one
// more than its index; 0: none. NULL if memory ran out.
static uint32_t *
find_first(const reader *r, const compact_requests *requests, lp_arena *arena)
{
    uint32_t *first = LP_ARENA_ARRAY(arena, uint32_t, requests->items.count);
    for (uint32_t i = 0; first != NULL && i < r->parts->ahead_begin; i++) {
        uint32_t request = requests->request_of[i];
        if (request == COMPACT_REQUEST_NONE || !lacks_type(&requests->items.items[request]) ||
            !has_type(r, i)) {
            continue;
        }
        const member one = member_of(r->parts, i);
        const member other = member_of(r->parts, first[request] == 0 ? i : first[request] - 1);
        first[request] = first[request] == 0 || is_before(&one, &other) ? i + 1 : first[request];
    }
    return first;
}

// fetch_later prefetches the event of a part that comes soon after a part.
static inline void
fetch_later(const reader *r, uint32_t part)
{
    enum { FETCH_PARTS = 16 };
    part += FETCH_PARTS;
    if (part >= r->parts->span_begin && part < r->parts->ahead_begin) {
        const compact_view *view = r->frame->view;
        compact_view_fetch(view, view->spans.items[r->parts->item_of[part]].offset);
    }
}

void
compact_request_types_find(const compact_frame *frame, const compact_request_parts *parts,
    lp_arena *arena, compact_requests *requests)
{
    reader r = begin_reader(frame, parts, arena);
    lp_arena work = {0};
    const uint32_t *first = find_first(&r, requests, &work);
    lp_arena_note(arena, lp_arena_err(&work));
    for (uint32_t i = 0; i < parts->ahead_begin && !arena->is_failed; i++) {
        uint32_t request = requests->request_of[i];
        fetch_later(&r, i);
        if (request != COMPACT_REQUEST_NONE && first[request] == i + 1) {
            requests->items.items[request].type = type_name_of(&r, i);
        }
    }
    lp_arena_fini(&work);
}

void
compact_request_attributes_find(const compact_frame *frame, const compact_request_parts *parts,
    const compact_request_members *members, lp_arena *arena, compact_requests *requests)
{
    reader r = begin_reader(frame, parts, arena);
    size_t begin = 0;
    for (size_t i = 0; i < requests->items.count && !arena->is_failed; i++) {
        read_request(
            &r, &requests->items.items[i], &members->parts[begin], members->ends[i] - begin);
        begin = members->ends[i];
    }
    requests->losses.over_limit += r.left_out;
    lp_buf_fini(&r.value);
    lp_buf_fini(&r.text);
}
