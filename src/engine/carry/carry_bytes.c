// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/carry_bytes.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_varint.h"
#include "engine/carry/carry.h"
#include "engine/requests/request_rules.h"

#include <string.h>

// The format: varints and strings (length, bytes), in the order of code_carry.
enum { FORMAT_VERSION = 1 };

// Saves a carry-over or loads one: each code_ function describes a part of the format for both, and
// returns or sets the value that it saved or loaded. The first failure of loading stays; numbers
// are 0 and texts "" from then on.
typedef struct codec {
    lp_buf *out;               // NULL: loads
    const compact_carry *from; // saved
    compact_carry *carry;      // loaded
    jfr_cursor cursor;
    int64_t version;
    lp_err err;
    const uint8_t *failed_at; // the cursor at the failure
} codec;

static bool
loads(const codec *c)
{
    return c->out == NULL;
}

static void
fail(codec *c, lp_err err)
{
    if (c->err == LP_OK && err != LP_OK) {
        c->err = err;
        c->failed_at = c->cursor.at;
    }
}

// expect fails unless a condition holds that every saved carry-over meets.
static void
expect(codec *c, bool is_so)
{
    if (loads(c) && !is_so) {
        fail(c, LP_ECORRUPT);
    }
}

static uint64_t
code_number(codec *c, uint64_t number)
{
    if (!loads(c)) {
        jfr_varint_append(c->out, number);
        return number;
    }
    number = 0;
    expect(c, c->err == LP_OK && jfr_varint_read(&c->cursor, &number));
    return c->err == LP_OK ? number : 0;
}

// CODE codes an integer, an enumeration or a boolean in place.
#define CODE(codec_, lvalue)                                                                       \
    ((lvalue) = (__typeof__(lvalue))code_number(codec_, (uint64_t)(lvalue)))

static uint64_t
code_up_to(codec *c, uint64_t number, uint64_t max)
{
    number = code_number(c, number);
    expect(c, number <= max);
    return c->err == LP_OK ? number : 0;
}

// code_count codes a count of items, which take at least a byte each.
static size_t
code_count(codec *c, size_t count)
{
    uint64_t number = code_number(c, count);
    expect(c, number <= jfr_cursor_left(&c->cursor));
    return c->err == LP_OK ? (size_t)number : 0;
}

// code_slice returns bytes borrowed from the input, or those that it saved.
static lp_slice
code_slice(codec *c, lp_slice bytes)
{
    bytes.len = code_count(c, bytes.len);
    if (loads(c)) {
        bytes.ptr = c->cursor.at;
        c->cursor.at += bytes.len;
    } else {
        lp_buf_append(c->out, bytes.ptr, bytes.len);
    }
    return bytes;
}

// load_text returns a text in the carry-over's arena.
static char *
load_text(codec *c)
{
    LP_ASSERT(loads(c));
    static char none[1];
    lp_slice text = code_slice(c, (lp_slice){0});
    expect(c, text.len == 0 || memchr(text.ptr, 0, text.len) == NULL);
    char *copy = lp_arena_alloc(&c->carry->arena, text.len + 1, 1);
    if (copy == NULL) {
        fail(c, LP_ENOMEM);
        return none;
    }
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

static void
save_text(codec *c, const char *text)
{
    LP_ASSERT(!loads(c));
    (void)code_slice(c, (lp_slice){(const uint8_t *)text, strlen(text)});
}

// CODE_TEXT codes a text in place.
#define CODE_TEXT(codec_, lvalue)                                                                  \
    do {                                                                                           \
        if (loads(codec_)) {                                                                       \
            (lvalue) = load_text(codec_);                                                          \
        } else {                                                                                   \
            save_text(codec_, lvalue);                                                             \
        }                                                                                          \
    } while (0)

// CODE_ITEMS codes a vector of the carry-over with code_item(codec, &item). push is LP_ARENA_PUSH,
// or LP_ARENA_PUSH_BESIDE for a vector on malloc.
#define CODE_ITEMS(codec_, vec, code_item, push)                                                   \
    do {                                                                                           \
        size_t count_ = code_count(codec_, loads(codec_) ? 0 : (codec_)->from->vec.count);         \
        for (size_t i_ = 0; i_ < count_ && (codec_)->err == LP_OK; i_++) {                         \
            __typeof__(*(codec_)->carry->vec.items) item_ = {0};                                   \
            item_ = loads(codec_) ? item_ : (codec_)->from->vec.items[i_];                         \
            code_item(codec_, &item_);                                                             \
            if (loads(codec_) && (codec_)->err == LP_OK) {                                         \
                push(&(codec_)->carry->arena, &(codec_)->carry->vec, item_);                       \
                fail(codec_, lp_arena_err(&(codec_)->carry->arena));                               \
            }                                                                                      \
        }                                                                                          \
    } while (0)

// --- Types, maps and filters

enum {
    ROLE_RECORDING = 1, // of types
    ROLE_ROOT = 2,
    KIND_ROOT_KEY = 16, // a bit in the kind of an attribute
};

static void
code_attribute(codec *c, ctx_attribute *attribute)
{
    uint64_t flag = attribute->is_root_key ? KIND_ROOT_KEY : 0U;
    uint64_t number = code_number(c, (uint64_t)attribute->kind | flag);
    uint64_t kind = number & ~(uint64_t)KIND_ROOT_KEY;
    attribute->kind = kind <= CTX_HEX ? (ctx_kind)kind : (ctx_kind)0;
    attribute->is_root_key = kind != number;
    CODE_TEXT(c, attribute->name);
    CODE_TEXT(c, attribute->label);
    CODE_TEXT(c, attribute->description);
}

static void
code_type(codec *c, ctx_type *type)
{
    type->id = (uint16_t)code_up_to(c, type->id, UINT16_MAX);
    CODE_TEXT(c, type->name);
    CODE_TEXT(c, type->label);
    CODE_TEXT(c, type->description);
    uint64_t role = type->is_root ? ROLE_ROOT : type->is_recording ? ROLE_RECORDING : 0U;
    role = code_up_to(c, role, ROLE_ROOT);
    type->is_recording = role == ROLE_RECORDING;
    type->is_root = role == ROLE_ROOT;
    // No type completes itself: its own id stands for a hand-over.
    uint64_t completes = code_up_to(c, type->is_hand_over ? type->id : type->completes, UINT16_MAX);
    type->is_hand_over = completes != 0 && completes == type->id;
    type->completes = type->is_hand_over ? 0 : (uint16_t)completes;
    type->attribute_count = code_up_to(c, type->attribute_count, CTX_TYPE_ATTRIBUTES_MAX);
    for (size_t i = 0; i < type->attribute_count && c->err == LP_OK; i++) {
        code_attribute(c, &type->attributes[i]);
    }
}

// check_type fails unless a loaded type is sound and, as its list wants, begins contexts.
static void
check_type(codec *c, const compact_carry_types *list, const ctx_type *type, bool begins)
{
    LP_ASSERT(loads(c));
    if (c->err == LP_OK) {
        expect(c, ctx_type_is_sound(type) && ctx_type_begins_contexts(type) == begins &&
                      list->count < CTX_TYPES_MAX);
    }
}

static void
code_starting_type(codec *c, ctx_type *type)
{
    code_type(c, type);
    if (loads(c)) {
        check_type(c, &c->carry->types, type, true);
    }
}

static void
code_completing_type(codec *c, ctx_type *type)
{
    code_type(c, type);
    if (loads(c)) {
        check_type(c, &c->carry->completing, type, false);
    }
}

static void
code_keys(codec *c)
{
    size_t count = code_count(c, loads(c) ? 0 : c->from->recordings.key_count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        if (loads(c)) {
            compact_recordings_add_key(&c->carry->recordings, load_text(c));
        } else {
            save_text(c, c->from->recordings.keys[i]);
        }
    }
}

static void
code_entry(codec *c, ctx_entry *entry)
{
    CODE_TEXT(c, entry->key);
    CODE(c, entry->is_null);
    entry->value = code_slice(c, entry->value);
    expect(c, !entry->is_null || entry->value.len == 0);
}

static void
code_recording(codec *c, compact_recording *recording)
{
    ctx_entry entries[CTX_RECORDING_ENTRIES_MAX];
    ctx_recording *map = &recording->map;
    CODE(c, map->id);
    CODE(c, recording->is_ended);
    map->entry_count = code_up_to(c, map->entry_count, CTX_RECORDING_ENTRIES_MAX);
    for (size_t i = 0; i < map->entry_count && c->err == LP_OK; i++) {
        entries[i] = loads(c) ? (ctx_entry){0} : map->entries[i];
        code_entry(c, &entries[i]);
    }
    if (loads(c) && c->err == LP_OK) {
        map->entries = entries;
        compact_recordings_add(&c->carry->recordings, map, recording->is_ended);
    }
}

static void
code_recordings(codec *c)
{
    size_t count = code_count(c, loads(c) ? 0 : c->from->recordings.items.count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        compact_recording recording = {0};
        recording = loads(c) ? recording : c->from->recordings.items.items[i];
        code_recording(c, &recording);
    }
}

static void
code_filter(codec *c, ctx_filter *filter)
{
    CODE(c, filter->id);
    CODE(c, filter->begin_ticks);
    filter->rule_count = code_count(c, filter->rule_count);
    if (loads(c)) {
        filter->rules = LP_ARENA_ARRAY(&c->carry->arena, ctx_filter_rule, filter->rule_count);
        fail(c, lp_arena_err(&c->carry->arena));
    }
    for (size_t i = 0; i < filter->rule_count && c->err == LP_OK; i++) {
        ctx_filter_rule rule = filter->rules[i];
        CODE_TEXT(c, rule.type);
        CODE_TEXT(c, rule.terms);
        if (loads(c)) {
            filter->rules[i] = rule;
        }
    }
}

static void
code_filters(codec *c)
{
    size_t count = code_count(c, loads(c) ? 0 : c->from->filters.items.count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        ctx_filter filter = {0};
        filter = loads(c) ? filter : c->from->filters.items.items[i].source;
        code_filter(c, &filter);
        if (loads(c) && c->err == LP_OK) {
            compact_filters_add(&c->carry->filters, &filter);
        }
    }
}

// --- Throttles

static void
code_sampler(codec *c, compact_sampler *sampler)
{
    CODE(c, sampler->is_started);
    CODE(c, sampler->slot);
    CODE(c, sampler->kept);
    compact_load *load = &sampler->load;
    CODE(c, load->seen);
    CODE(c, load->part_seen);
    CODE(c, load->window_seen);
    CODE(c, load->window_count);
    CODE(c, load->rate_fixed);
    CODE(c, load->spread_fixed);
    CODE(c, load->has_usual);
    CODE(c, load->usual);
}

static void
load_throttle(codec *c, compact_throttles *throttles)
{
    LP_ASSERT(loads(c));
    const char *type = load_text(c);
    policy_throttle rate = {0};
    CODE(c, rate.count);
    CODE(c, rate.per_ns);
    expect(c, rate.per_ns > 0);
    uint32_t index = 0;
    size_t count = throttles->items.count;
    if (c->err == LP_OK) {
        fail(c, compact_throttles_add(throttles, type, rate, &index));
        expect(c, index == count);
    }
    if (c->err == LP_OK) {
        compact_sampler *sampler = &throttles->items.items[index].sampler;
        code_sampler(c, sampler);
        expect(c, compact_sampler_is_sound(sampler));
    }
}

static void
save_throttle(codec *c, const char *type, compact_sampler sampler)
{
    LP_ASSERT(!loads(c));
    save_text(c, type);
    CODE(c, sampler.throttle.count);
    CODE(c, sampler.throttle.per_ns);
    code_sampler(c, &sampler);
}

// The flags of an early decision.
enum { EARLY_IS_KEPT = 1, EARLY_IS_SAMPLE = 2 };

static void
code_early(codec *c, compact_early *early)
{
    CODE(c, early->start_ticks);
    CODE(c, early->offset);
    uint64_t flags =
        (early->is_kept ? EARLY_IS_KEPT : 0U) | (early->is_sample ? EARLY_IS_SAMPLE : 0U);
    flags = code_up_to(c, flags, EARLY_IS_KEPT | EARLY_IS_SAMPLE);
    early->is_kept = (flags & EARLY_IS_KEPT) != 0;
    early->is_sample = (flags & EARLY_IS_SAMPLE) != 0;
    early->weight = early->is_sample ? code_up_to(c, early->weight, INT64_MAX) : 0;
}

// CODE_THROTTLES codes a member of the carry-over.
#define CODE_THROTTLES(codec_, member)                                                             \
    do {                                                                                           \
        code_throttles(codec_, loads(codec_) ? NULL : &(codec_)->from->member,                     \
            loads(codec_) ? &(codec_)->carry->member : NULL);                                      \
        CODE_ITEMS(codec_, member.early, code_early, LP_ARENA_PUSH_BESIDE);                        \
    } while (0)

static void
code_throttles(codec *c, const compact_throttles *from, compact_throttles *to)
{
    size_t count = code_count(c, loads(c) ? 0 : from->items.count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        if (loads(c)) {
            load_throttle(c, to);
        } else {
            save_throttle(c, from->items.items[i].type, from->items.items[i].sampler);
        }
    }
}

// --- Contexts

static void
code_standing(codec *c, compact_standing *standing)
{
    *standing = (compact_standing)code_up_to(c, *standing, COMPACT_STANDING_PASSED);
}

static void
code_context(codec *c, compact_context *context)
{
    CODE(c, context->id);
    CODE(c, context->thread_id);
    CODE(c, context->begin);
    CODE(c, context->end);
    CODE(c, context->type_id);
    CODE(c, context->is_written);
    CODE(c, context->is_unmeasured);
    code_standing(c, &context->standing);
}

// save_late saves the late texts of a context. A text of several contexts is saved with the first
// one; the others refer to its number. numbers maps offsets of saved texts to numbers.
static void
save_late(codec *c, const compact_context *context, lp_map *numbers)
{
    LP_ASSERT(!loads(c));
    const compact_contexts *contexts = &c->from->contexts;
    for (uint32_t late = context->late; late != 0;) {
        const compact_late_text *text = &contexts->late_texts.items[late - 1];
        uint32_t number = lp_map_find(numbers, text->offset);
        bool is_new = number == LP_MAP_NONE;
        number = is_new ? (uint32_t)numbers->count : number;
        (void)code_number(c, 1); // one more
        (void)code_number(c, text->attribute);
        (void)code_number(c, number);
        if (is_new) {
            (void)code_slice(c, (lp_slice){contexts->values.ptr + text->offset, text->bytes});
            c->out->is_failed |= lp_map_put(numbers, text->offset, number) != LP_OK;
        }
        late = text->next;
    }
    (void)code_number(c, 0);
}

static void
save_contexts(codec *c)
{
    LP_ASSERT(!loads(c));
    const compact_contexts *contexts = &c->from->contexts;
    lp_map numbers = {0};
    (void)code_number(c, contexts->next_id);
    (void)code_count(c, contexts->items.count);
    for (size_t i = 0; i < contexts->items.count; i++) {
        compact_context context = contexts->items.items[i];
        code_context(c, &context);
        (void)code_slice(c, compact_contexts_recorded(contexts, &context));
        save_late(c, &context, &numbers);
    }
    lp_map_fini(&numbers);
}

static void
load_context(codec *c, uint64_t next_id)
{
    LP_ASSERT(loads(c));
    compact_contexts *known = &c->carry->contexts;
    compact_context context = {0};
    code_context(c, &context);
    lp_slice values = code_slice(c, (lp_slice){0});
    context.values_bytes = (uint32_t)values.len;
    uint64_t last_id = known->items.count == 0 ? 0 : known->items.items[known->items.count - 1].id;
    expect(c, context.id > last_id && context.id < next_id);
    if (c->err == LP_OK) {
        compact_contexts_add(known, &context, values.ptr);
        fail(c, compact_contexts_err(known));
    }
}

typedef LP_VEC(compact_late_text) late_texts;

// load_new_text reads a text that no earlier context has.
static void
load_new_text(codec *c, late_texts *texts)
{
    LP_ASSERT(loads(c));
    lp_slice bytes = code_slice(c, (lp_slice){0});
    compact_late_text text = {.bytes = (uint32_t)bytes.len};
    expect(c, text.bytes >= CTX_STRING_HEADER_BYTES);
    if (c->err == LP_OK) {
        text.offset = compact_contexts_append(&c->carry->contexts, bytes);
        LP_ARENA_PUSH_BESIDE(&c->carry->arena, texts, text);
        fail(c, compact_contexts_err(&c->carry->contexts));
        fail(c, lp_arena_err(&c->carry->arena));
    }
}

// load_late reads the late texts of the last context.
static void
load_late(codec *c, late_texts *texts)
{
    LP_ASSERT(loads(c));
    compact_contexts *contexts = &c->carry->contexts;
    while (code_number(c, 0) != 0) {
        uint64_t attribute = code_number(c, 0);
        uint64_t number = code_number(c, 0);
        expect(c, attribute < CTX_TYPE_ATTRIBUTES_MAX && number <= texts->count);
        if (number == texts->count) {
            load_new_text(c, texts);
        }
        if (c->err == LP_OK) {
            compact_late_text text = texts->items[number];
            text.attribute = (uint16_t)attribute;
            compact_contexts_complete(
                contexts, &contexts->items.items[contexts->items.count - 1], &text);
        }
    }
}

static void
load_contexts(codec *c)
{
    LP_ASSERT(loads(c));
    late_texts texts = {0};
    uint64_t next_id = code_up_to(c, 0, INT64_MAX); // ids never run out
    for (size_t count = code_count(c, 0); count > 0 && c->err == LP_OK; count--) {
        load_context(c, next_id);
        load_late(c, &texts);
    }
    c->carry->contexts.next_id = next_id;
    LP_VEC_FINI(&texts);
}

// --- Times and threads

// Times are saved as differences, which are short.
static void
save_past(codec *c)
{
    LP_ASSERT(!loads(c));
    const compact_kept_times *past = &c->from->past;
    (void)code_count(c, past->threads.count);
    for (size_t i = 0; i < past->threads.count; i++) {
        compact_times times = compact_kept_times_at(past, i);
        (void)code_number(c, past->threads.items[i].identity);
        (void)code_count(c, times.count);
        int64_t before = 0;
        for (size_t k = 0; k < times.count; k++) {
            (void)code_number(c, (uint64_t)times.items[k] - (uint64_t)before);
            before = times.items[k];
        }
    }
}

static void
load_past_thread(codec *c, compact_kept_times *past)
{
    LP_ASSERT(loads(c));
    lp_arena *arena = &c->carry->arena;
    uint64_t identity = code_number(c, 0);
    size_t count = code_count(c, 0);
    bool is_above = past->threads.count == 0 ||
                    past->threads.items[past->threads.count - 1].identity < identity;
    expect(c, count > 0 && is_above);
    int64_t before = INT64_MIN;
    int64_t ticks = 0;
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        ticks = (int64_t)((uint64_t)ticks + code_number(c, 0));
        expect(c, ticks >= before);
        LP_ARENA_PUSH_BESIDE(arena, &past->times, ticks);
        before = ticks;
    }
    const compact_kept_times_thread thread = {.identity = identity, .end = past->times.count};
    LP_ARENA_PUSH_BESIDE(arena, &past->threads, thread);
    fail(c, lp_arena_err(arena));
}

static void
code_past(codec *c)
{
    if (!loads(c)) {
        save_past(c);
        return;
    }
    for (size_t count = code_count(c, 0); count > 0 && c->err == LP_OK; count--) {
        load_past_thread(c, &c->carry->past);
    }
}

// A trigger's begin is saved as a duration, which is short.
static void
code_trigger(codec *c, compact_trigger *trigger)
{
    CODE(c, trigger->thread);
    CODE(c, trigger->commit);
    uint64_t duration = code_number(c, (uint64_t)trigger->commit - (uint64_t)trigger->begin);
    trigger->begin = (int64_t)((uint64_t)trigger->commit - duration);
}

static void
code_interval(codec *c, compact_interval *interval)
{
    CODE(c, interval->thread);
    CODE(c, interval->begin);
    CODE(c, interval->end);
}

static void
code_id(codec *c, uint64_t *id)
{
    CODE(c, *id);
}

static void
code_standing_ahead(codec *c, compact_standing_ahead *ahead)
{
    CODE(c, ahead->id);
    code_standing(c, &ahead->standing);
}

static void
code_thread(codec *c, compact_known_thread *thread)
{
    CODE(c, thread->key);
    CODE(c, thread->identity);
}

static void
code_border(codec *c, compact_border *border)
{
    CODE(c, border->ticks);
    CODE(c, border->known);
}

// --- Requests

// The flags of a request, but for its type and reason: FLAG(bit, member).
#define REQUEST_FLAGS(FLAG)                                                                        \
    FLAG(1, has_root)                                                                              \
    FLAG(2, is_over)                                                                               \
    FLAG(4, is_unended)                                                                            \
    FLAG(8, is_kept)                                                                               \
    FLAG(32, is_decided)                                                                           \
    FLAG(64, is_counted)                                                                           \
    FLAG(128, has_event)

enum {
    HAS_TYPE = 16,
    DROPPED_BY = 256, // times compact_request_dropped_by
    FLAGS_END = DROPPED_BY * COMPACT_REQUEST_DROPPED_COUNT,
};

// code_flags returns whether the request has a type.
static bool
code_flags(codec *c, compact_request *request)
{
    uint64_t flags =
        (request->type != NULL ? HAS_TYPE : 0U) | (unsigned)request->dropped_by * DROPPED_BY;
#define FLAG(bit, member) flags |= request->member ? bit : 0U;
    REQUEST_FLAGS(FLAG)
#undef FLAG
    flags = code_up_to(c, flags, FLAGS_END - 1);
#define FLAG(bit, member) request->member = (flags & bit) != 0;
    REQUEST_FLAGS(FLAG)
#undef FLAG
    request->dropped_by = (uint8_t)(flags / DROPPED_BY);
    return (flags & HAS_TYPE) != 0;
}

static void
code_request_attributes(codec *c, compact_request *request)
{
    lp_arena *arena = loads(c) ? &c->carry->arena : NULL;
    request->attribute_count =
        code_up_to(c, request->attribute_count, COMPACT_REQUEST_ATTRIBUTES_MAX);
    if (loads(c)) {
        request->attributes =
            LP_ARENA_ARRAY(arena, compact_request_attribute, request->attribute_count);
        fail(c, lp_arena_err(arena));
    }
    for (size_t i = 0; i < request->attribute_count && c->err == LP_OK; i++) {
        compact_request_attribute attribute = request->attributes[i];
        CODE_TEXT(c, attribute.name);
        attribute.text = code_slice(c, attribute.text);
        if (loads(c)) {
            attribute.text = lp_arena_copy(arena, attribute.text);
            request->attributes[i] = attribute;
        }
    }
}

static void
code_request(codec *c, compact_request *request)
{
    CODE(c, request->key);
    CODE(c, request->id);
    CODE(c, request->thread);
    CODE(c, request->begin);
    CODE(c, request->end);
    CODE(c, request->busy_ticks);
    CODE(c, request->queued_ticks);
    expect(c, request->busy_ticks >= 0 && request->queued_ticks >= 0);
    CODE(c, request->worked_until);
    CODE(c, request->part_count);
    request->source =
        (compact_request_source)code_up_to(c, request->source, COMPACT_REQUEST_BY_API);
    bool has_type = code_flags(c, request);
    request->kept_by = (uint8_t)code_up_to(c, request->kept_by, COMPACT_REQUEST_KEPT_COUNT - 1);
    code_request_attributes(c, request);
    if (has_type) {
        CODE_TEXT(c, request->type);
    }
}

static void
code_sign(codec *c, compact_sign *sign)
{
    CODE(c, sign->number);
    CODE(c, sign->ticks);
    CODE(c, sign->thread_id);
    CODE(c, sign->values[0]);
    CODE(c, sign->values[1]);
    sign->type_id = (uint16_t)code_up_to(c, sign->type_id, UINT16_MAX);
}

static void
code_joined(codec *c, compact_joined_key *joined)
{
    CODE(c, joined->key);
    CODE(c, joined->to);
    CODE(c, joined->begin);
    CODE(c, joined->until);
    joined->is_further = code_up_to(c, joined->is_further, 1) != 0;
}

// --- The carry-over

// CODE_MEMBER codes a number of the carry-over.
#define CODE_MEMBER(codec_, member)                                                                \
    do {                                                                                           \
        if (loads(codec_)) {                                                                       \
            (codec_)->carry->member = (__typeof__((codec_)->carry->member))code_number(codec_, 0); \
        } else {                                                                                   \
            (void)code_number(codec_, (uint64_t)(codec_)->from->member);                           \
        }                                                                                          \
    } while (0)

static void
code_times(codec *c)
{
    c->version = (int64_t)code_number(c, FORMAT_VERSION);
    if (c->version != FORMAT_VERSION) {
        fail(c, LP_EVERSION);
    }
    CODE_MEMBER(c, border_ticks);
    CODE_MEMBER(c, limit_ticks);
    CODE_MEMBER(c, sampled_end_ns);
    CODE_MEMBER(c, judged_end_ns);
    CODE_MEMBER(c, period_ns);
    expect(c, !loads(c) || c->carry->period_ns >= 0);
    CODE_MEMBER(c, clock.start_wall_ns);
    CODE_MEMBER(c, clock.start_ticks);
    CODE_MEMBER(c, clock.ticks_per_s);
    CODE_MEMBER(c, start_wall_ns);
}

static void
code_requests(codec *c)
{
    if (loads(c)) {
        c->carry->requests.arena = &c->carry->arena;
    }
    CODE_MEMBER(c, next_sign);
    CODE_MEMBER(c, signs_seen);
    CODE_MEMBER(c, contexts_seen);
    CODE_ITEMS(c, signs, code_sign, LP_ARENA_PUSH);
    CODE_ITEMS(c, requests.items, code_request, LP_ARENA_PUSH);
    CODE_ITEMS(c, requests.joined, code_joined, LP_ARENA_PUSH);
    if (!loads(c)) {
        compact_request_rules_save(&c->from->request_rules, c->out);
    } else if (c->err == LP_OK) {
        fail(c, compact_request_rules_load(&c->cursor, &c->carry->request_rules));
    }
}

static void
code_carry(codec *c)
{
    code_times(c);
    CODE_ITEMS(c, types, code_starting_type, LP_ARENA_PUSH);
    CODE_ITEMS(c, completing, code_completing_type, LP_ARENA_PUSH);
    code_keys(c);
    code_recordings(c);
    code_filters(c);
    CODE_THROTTLES(c, throttles);
    CODE_MEMBER(c, pending_bytes);
    expect(c, !loads(c) || c->carry->pending_bytes <= INT64_MAX);
    CODE_THROTTLES(c, quotas);
    if (loads(c)) {
        load_contexts(c);
    } else {
        save_contexts(c);
    }
    code_past(c);
    CODE_ITEMS(c, triggers, code_trigger, LP_ARENA_PUSH_BESIDE);
    CODE_ITEMS(c, intervals, code_interval, LP_ARENA_PUSH_BESIDE);
    CODE_ITEMS(c, written_ahead, code_id, LP_ARENA_PUSH_BESIDE);
    CODE_ITEMS(c, standings_ahead, code_standing_ahead, LP_ARENA_PUSH_BESIDE);
    CODE_ITEMS(c, threads, code_thread, LP_ARENA_PUSH);
    CODE_MEMBER(c, prune_at);
    CODE_ITEMS(c, borders, code_border, LP_ARENA_PUSH_BESIDE);
    code_requests(c);
}

lp_err
compact_carry_save(const compact_carry *carry, lp_buf *out)
{
    compact_carry_check(carry);
    codec c = {.out = out, .from = carry};
    code_carry(&c);
    return lp_buf_check(out);
}

// explain sets the problem of a failed load.
static void
explain(const codec *c, lp_slice bytes, lp_problem *problem)
{
    if (c->err == LP_EVERSION) {
        (void)lp_problem_set(problem, c->err,
            "its version is %lld, and this version of Loupe reads %d", (long long)c->version,
            FORMAT_VERSION);
    } else if (c->err == LP_ECORRUPT) {
        (void)lp_problem_set(problem, c->err, "it is damaged at byte %zu of %zu",
            (size_t)(c->failed_at - bytes.ptr), bytes.len);
    }
}

lp_err
compact_carry_load(lp_slice bytes, compact_carry **out_carry, lp_problem *out_problem)
{
    if (bytes.len == 0) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "it has no bytes");
    }
    compact_carry *carry = compact_carry_create();
    if (carry == NULL) {
        return LP_ENOMEM;
    }
    codec c = {.cursor = jfr_cursor_over(bytes), .carry = carry};
    code_carry(&c);
    fail(&c, lp_arena_err(&carry->arena));
    expect(&c, jfr_cursor_left(&c.cursor) == 0);
    if (c.err != LP_OK) {
        explain(&c, bytes, out_problem);
        compact_carry_destroy(carry);
        return c.err;
    }
    compact_carry_check(carry);
    *out_carry = carry;
    return LP_OK;
}
