// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/request_bytes.h"

#include "engine/requests/request_rules_bytes.h"

#include <string.h>

// --- Saving

static void
save_text(lp_buf *out, lp_slice text)
{
    jfr_varint_append(out, text.len);
    lp_buf_append(out, text.ptr, text.len);
}

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

// The flags of a request, as bits.
enum {
    HAS_ROOT = 1,
    IS_OVER = 2,
    IS_UNENDED = 4,
    IS_KEPT = 8,
    HAS_TYPE = 16,
    IS_DECIDED = 32,
    IS_COUNTED = 64,
    HAS_EVENT = 128,
    DROPPED_BY = 256, // times compact_request_dropped_by
    FLAGS_END = DROPPED_BY * COMPACT_REQUEST_DROPPED_COUNT,
};

static void
save_request(const compact_request *request, lp_buf *out)
{
    unsigned flags =
        (request->has_root ? HAS_ROOT : 0U) | (request->is_over ? IS_OVER : 0U) |
        (request->is_unended ? IS_UNENDED : 0U) | (request->is_kept ? IS_KEPT : 0U) |
        (request->type != NULL ? HAS_TYPE : 0U) | (request->is_decided ? IS_DECIDED : 0U) |
        (request->is_counted ? IS_COUNTED : 0U) | (request->has_event ? HAS_EVENT : 0U) |
        (unsigned)request->dropped_by * DROPPED_BY;
    const uint64_t numbers[] = {request->key, request->id, request->thread,
        (uint64_t)request->begin, (uint64_t)request->end, (uint64_t)request->busy_ticks,
        (uint64_t)request->queued_ticks, (uint64_t)request->worked_until, request->part_count,
        request->source, flags, request->kept_by, request->attribute_count};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        jfr_varint_append(out, numbers[i]);
    }
    for (size_t i = 0; i < request->attribute_count; i++) {
        save_text(out, slice_of(request->attributes[i].name));
        save_text(out, request->attributes[i].text);
    }
    if (request->type != NULL) {
        save_text(out, slice_of(request->type));
    }
}

static void
save_sign(const compact_sign *sign, lp_buf *out)
{
    const uint64_t numbers[] = {sign->number, (uint64_t)sign->ticks, (uint64_t)sign->thread_id,
        sign->values[0], sign->values[1], sign->type_id};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        jfr_varint_append(out, numbers[i]);
    }
}

void
compact_request_bytes_save(const compact_carry *carry, lp_buf *out)
{
    jfr_varint_append(out, carry->next_sign);
    jfr_varint_append(out, carry->signs_seen);
    jfr_varint_append(out, carry->contexts_seen);
    jfr_varint_append(out, carry->signs.count);
    for (size_t i = 0; i < carry->signs.count; i++) {
        save_sign(&carry->signs.items[i], out);
    }
    jfr_varint_append(out, carry->requests.items.count);
    for (size_t i = 0; i < carry->requests.items.count; i++) {
        save_request(&carry->requests.items.items[i], out);
    }
    jfr_varint_append(out, carry->requests.joined.count);
    for (size_t i = 0; i < carry->requests.joined.count; i++) {
        const compact_joined_key *joined = &carry->requests.joined.items[i];
        jfr_varint_append(out, joined->key);
        jfr_varint_append(out, joined->to);
        jfr_varint_append(out, (uint64_t)joined->begin);
        jfr_varint_append(out, (uint64_t)joined->until);
        jfr_varint_append(out, joined->is_further);
    }
    compact_request_rules_save(&carry->request_rules, out);
}

// --- Loading

// A loader remembers the first failure: what it reads behind it is 0.
typedef struct loader {
    jfr_cursor *cursor;
    compact_carry *carry;
    bool is_damaged;
} loader;

static uint64_t
load_number(loader *l)
{
    uint64_t number = 0;
    l->is_damaged = l->is_damaged || !jfr_varint_read(l->cursor, &number);
    return l->is_damaged ? 0 : number;
}

// load_up_to reads a number of which the bytes are damaged if it is above max.
static uint64_t
load_up_to(loader *l, uint64_t max)
{
    uint64_t number = load_number(l);
    l->is_damaged |= number > max;
    return l->is_damaged ? 0 : number;
}

// load_count reads how many items follow; each takes a byte at least.
static size_t
load_count(loader *l)
{
    uint64_t count = load_number(l);
    l->is_damaged |= count > jfr_cursor_left(l->cursor);
    return l->is_damaged ? 0 : (size_t)count;
}

static lp_slice
load_slice(loader *l)
{
    size_t len = load_count(l);
    const lp_slice text = {l->cursor->at, len};
    l->cursor->at += text.len;
    return lp_arena_copy(&l->carry->arena, text);
}

// load_text reads a text, in which there is no 0.
static const char *
load_text(loader *l)
{
    lp_slice text = load_slice(l);
    l->is_damaged |= text.len > 0 && memchr(text.ptr, 0, text.len) != NULL;
    return lp_arena_string(&l->carry->arena, text);
}

static void
load_request(loader *l)
{
    lp_arena *arena = &l->carry->arena;
    compact_request request = {.key = load_number(l)};
    request.id = load_number(l);
    request.thread = load_number(l);
    request.begin = (int64_t)load_number(l);
    request.end = (int64_t)load_number(l);
    request.busy_ticks = (int64_t)load_number(l);
    request.queued_ticks = (int64_t)load_number(l);
    l->is_damaged |= request.busy_ticks < 0 || request.queued_ticks < 0;
    request.worked_until = (int64_t)load_number(l);
    request.part_count = load_number(l);
    request.source = (compact_request_source)load_up_to(l, COMPACT_REQUEST_BY_API);
    uint64_t flags = load_up_to(l, FLAGS_END - 1);
    request.has_root = (flags & HAS_ROOT) != 0;
    request.is_over = (flags & IS_OVER) != 0;
    request.is_unended = (flags & IS_UNENDED) != 0;
    request.is_kept = (flags & IS_KEPT) != 0;
    request.is_counted = (flags & IS_COUNTED) != 0;
    request.has_event = (flags & HAS_EVENT) != 0;
    request.is_decided = (flags & IS_DECIDED) != 0;
    request.dropped_by = (uint8_t)(flags / DROPPED_BY);
    request.kept_by = (uint8_t)load_up_to(l, COMPACT_REQUEST_KEPT_COUNT - 1);
    request.attribute_count = load_up_to(l, COMPACT_REQUEST_ATTRIBUTES_MAX);
    request.attributes = LP_ARENA_ARRAY(arena, compact_request_attribute, request.attribute_count);
    for (size_t i = 0; request.attributes != NULL && i < request.attribute_count; i++) {
        request.attributes[i].name = load_text(l);
        request.attributes[i].text = load_slice(l);
    }
    request.type = (flags & HAS_TYPE) != 0 ? load_text(l) : NULL;
    LP_ARENA_PUSH(arena, &l->carry->requests.items, request);
}

static void
load_sign(loader *l)
{
    compact_sign sign = {.number = load_number(l)};
    sign.ticks = (int64_t)load_number(l);
    sign.thread_id = (int64_t)load_number(l);
    sign.values[0] = load_number(l);
    sign.values[1] = load_number(l);
    sign.type_id = (uint16_t)load_up_to(l, UINT16_MAX);
    LP_ARENA_PUSH(&l->carry->arena, &l->carry->signs, sign);
}

lp_err
compact_request_bytes_load(jfr_cursor *cursor, compact_carry *carry)
{
    loader l = {.cursor = cursor, .carry = carry};
    carry->requests.arena = &carry->arena;
    carry->next_sign = load_number(&l);
    carry->signs_seen = load_number(&l);
    carry->contexts_seen = load_number(&l);
    for (size_t count = load_count(&l); count > 0 && !l.is_damaged; count--) {
        load_sign(&l);
    }
    for (size_t count = load_count(&l); count > 0 && !l.is_damaged; count--) {
        load_request(&l);
    }
    for (size_t count = load_count(&l); count > 0 && !l.is_damaged; count--) {
        compact_joined_key joined = {.key = load_number(&l)};
        joined.to = load_number(&l);
        joined.begin = (int64_t)load_number(&l);
        joined.until = (int64_t)load_number(&l);
        joined.is_further = load_up_to(&l, 1) != 0;
        LP_ARENA_PUSH(&carry->arena, &carry->requests.joined, joined);
    }
    if (lp_arena_err(&carry->arena) != LP_OK) { // what is behind an array without room was misread
        return LP_ENOMEM;
    }
    return l.is_damaged ? LP_ECORRUPT : compact_request_rules_load(cursor, &carry->request_rules);
}
