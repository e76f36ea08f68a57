// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/carry_bytes.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_varint.h"
#include "engine/carry/carry.h"
#include "engine/requests/request_rules_bytes.h"

#include <string.h>

// The format: varints and strings (length, bytes), in the order of compact_carry_save.
enum { FORMAT_VERSION = 1 };

static void
save_number(lp_buf *out, int64_t number)
{
    jfr_varint_append(out, (uint64_t)number);
}

static void
save_numbers(lp_buf *out, const uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        jfr_varint_append(out, numbers[i]);
    }
}

static void
save_slice(lp_buf *out, lp_slice bytes)
{
    jfr_varint_append(out, bytes.len);
    lp_buf_append(out, bytes.ptr, bytes.len);
}

static void
save_text(lp_buf *out, const char *text)
{
    save_slice(out, (lp_slice){(const uint8_t *)text, strlen(text)});
}

// Times are saved as differences, which are short.
static void
save_past(lp_buf *out, const compact_kept_times *past)
{
    save_number(out, (int64_t)past->threads.count);
    for (size_t i = 0; i < past->threads.count; i++) {
        compact_times times = compact_kept_times_at(past, i);
        save_number(out, (int64_t)past->threads.items[i].identity);
        save_number(out, (int64_t)times.count);
        int64_t before = 0;
        for (size_t k = 0; k < times.count; k++) {
            jfr_varint_append(out, (uint64_t)times.items[k] - (uint64_t)before);
            before = times.items[k];
        }
    }
}

// A trigger's begin is saved as a duration, which is short.
static void
save_trigger(lp_buf *out, const compact_trigger *trigger)
{
    save_number(out, (int64_t)trigger->thread);
    save_number(out, trigger->commit);
    jfr_varint_append(out, (uint64_t)trigger->commit - (uint64_t)trigger->begin);
}

enum {
    ROLE_RECORDING = 1, // of types
    ROLE_ROOT = 2,
    KIND_ROOT_KEY = 16, // a bit in the kind of an attribute
};

static void
save_type(lp_buf *out, const ctx_type *type)
{
    save_number(out, type->id);
    save_text(out, type->name);
    save_text(out, type->label);
    save_text(out, type->description);
    save_number(out, type->is_root ? ROLE_ROOT : type->is_recording ? ROLE_RECORDING : 0);
    save_number(out, type->is_hand_over ? type->id : type->completes); // no type completes itself
    save_number(out, (int64_t)type->attribute_count);
    for (size_t i = 0; i < type->attribute_count; i++) {
        save_number(
            out, type->attributes[i].kind | (type->attributes[i].is_root_key ? KIND_ROOT_KEY : 0));
        save_text(out, type->attributes[i].name);
        save_text(out, type->attributes[i].label);
        save_text(out, type->attributes[i].description);
    }
}

static void
save_types(lp_buf *out, const compact_carry_types *types)
{
    save_number(out, (int64_t)types->count);
    for (size_t i = 0; i < types->count; i++) {
        save_type(out, &types->items[i]);
    }
}

static void
save_recording(lp_buf *out, const compact_recording *recording)
{
    const ctx_recording *map = &recording->map;
    save_number(out, (int64_t)map->id);
    save_number(out, recording->is_ended);
    save_number(out, (int64_t)map->entry_count);
    for (size_t i = 0; i < map->entry_count; i++) {
        save_text(out, map->entries[i].key);
        save_number(out, map->entries[i].is_null);
        save_slice(out, map->entries[i].value);
    }
}

static void
save_filter(lp_buf *out, const ctx_filter *filter)
{
    save_number(out, (int64_t)filter->id);
    save_number(out, filter->begin_ticks);
    save_number(out, (int64_t)filter->rule_count);
    for (size_t i = 0; i < filter->rule_count; i++) {
        save_text(out, filter->rules[i].type);
        save_text(out, filter->rules[i].terms);
    }
}

static void
save_sampler(lp_buf *out, const compact_sampler *sampler)
{
    const compact_load *load = &sampler->load;
    const uint64_t numbers[] = {(uint64_t)sampler->throttle.count,
        (uint64_t)sampler->throttle.per_ns, sampler->is_started, (uint64_t)sampler->slot,
        sampler->kept, load->seen, load->part_seen, load->window_seen, load->window_count,
        load->rate_fixed, load->spread_fixed, load->has_usual, load->usual};
    save_numbers(out, numbers, sizeof(numbers) / sizeof(*numbers));
}

// The flags of an early decision.
enum { EARLY_IS_KEPT = 1, EARLY_IS_SAMPLE = 2 };

static void
save_early(lp_buf *out, const compact_early *early)
{
    save_number(out, early->start_ticks);
    save_number(out, early->offset);
    save_number(
        out, (early->is_kept ? EARLY_IS_KEPT : 0) | (early->is_sample ? EARLY_IS_SAMPLE : 0));
    if (early->is_sample) {
        save_number(out, (int64_t)early->weight);
    }
}

static void
save_throttles(lp_buf *out, const compact_throttles *throttles)
{
    save_number(out, (int64_t)throttles->items.count);
    for (size_t i = 0; i < throttles->items.count; i++) {
        save_text(out, throttles->items.items[i].type);
        save_sampler(out, &throttles->items.items[i].sampler);
    }
    save_number(out, (int64_t)throttles->early.count);
    for (size_t i = 0; i < throttles->early.count; i++) {
        save_early(out, &throttles->early.items[i]);
    }
}

// save_late saves the late texts of a context. A text of several contexts is saved with the first
// one; the others refer to its number. numbers maps offsets of saved texts to numbers.
static void
save_late(
    lp_buf *out, const compact_contexts *contexts, const compact_context *context, lp_map *numbers)
{
    for (uint32_t late = context->late; late != 0;) {
        const compact_late_text *text = &contexts->late_texts.items[late - 1];
        uint32_t number = lp_map_find(numbers, text->offset);
        bool is_new = number == LP_MAP_NONE;
        number = is_new ? (uint32_t)numbers->count : number;
        save_number(out, 1); // one more
        save_number(out, text->attribute);
        save_number(out, number);
        if (is_new) {
            save_slice(out, (lp_slice){contexts->values.ptr + text->offset, text->bytes});
            out->is_failed |= lp_map_put(numbers, text->offset, number) != LP_OK;
        }
        late = text->next;
    }
    save_number(out, 0);
}

static void
save_context(lp_buf *out, const compact_contexts *contexts, const compact_context *context)
{
    const uint64_t numbers[] = {context->id, (uint64_t)context->thread_id, (uint64_t)context->begin,
        (uint64_t)context->end, context->type_id, context->is_written, context->is_unmeasured,
        context->standing};
    save_numbers(out, numbers, sizeof(numbers) / sizeof(*numbers));
    save_slice(out, compact_contexts_recorded(contexts, context));
}

static void
save_contexts(lp_buf *out, const compact_contexts *contexts)
{
    lp_map numbers = {0};
    save_number(out, (int64_t)contexts->next_id);
    save_number(out, (int64_t)contexts->items.count);
    for (size_t i = 0; i < contexts->items.count; i++) {
        save_context(out, contexts, &contexts->items.items[i]);
        save_late(out, contexts, &contexts->items.items[i], &numbers);
    }
    lp_map_fini(&numbers);
}

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
    save_numbers(out, numbers, sizeof(numbers) / sizeof(*numbers));
    for (size_t i = 0; i < request->attribute_count; i++) {
        save_text(out, request->attributes[i].name);
        save_slice(out, request->attributes[i].text);
    }
    if (request->type != NULL) {
        save_text(out, request->type);
    }
}

static void
save_sign(const compact_sign *sign, lp_buf *out)
{
    const uint64_t numbers[] = {sign->number, (uint64_t)sign->ticks, (uint64_t)sign->thread_id,
        sign->values[0], sign->values[1], sign->type_id};
    save_numbers(out, numbers, sizeof(numbers) / sizeof(*numbers));
}

static void
save_requests(const compact_carry *carry, lp_buf *out)
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
        const uint64_t numbers[] = {joined->key, joined->to, (uint64_t)joined->begin,
            (uint64_t)joined->until, joined->is_further};
        save_numbers(out, numbers, sizeof(numbers) / sizeof(*numbers));
    }
    compact_request_rules_save(&carry->request_rules, out);
}

lp_err
compact_carry_save(const compact_carry *carry, lp_buf *out)
{
    LP_ASSERT(carry->contexts.arena == &carry->arena);
    const int64_t times[] = {FORMAT_VERSION, carry->border_ticks, carry->limit_ticks,
        carry->sampled_end_ns, carry->judged_end_ns, carry->period_ns, carry->clock.start_wall_ns,
        carry->clock.start_ticks, carry->clock.ticks_per_s, carry->start_wall_ns};
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        save_number(out, times[i]);
    }
    save_types(out, &carry->types);
    save_types(out, &carry->completing);
    save_number(out, (int64_t)carry->recordings.key_count);
    for (size_t i = 0; i < carry->recordings.key_count; i++) {
        save_text(out, carry->recordings.keys[i]);
    }
    save_number(out, (int64_t)carry->recordings.items.count);
    for (size_t i = 0; i < carry->recordings.items.count; i++) {
        save_recording(out, &carry->recordings.items.items[i]);
    }
    save_number(out, (int64_t)carry->filters.items.count);
    for (size_t i = 0; i < carry->filters.items.count; i++) {
        save_filter(out, &carry->filters.items.items[i].source);
    }
    save_throttles(out, &carry->throttles);
    save_number(out, (int64_t)carry->pending_bytes);
    save_throttles(out, &carry->quotas);
    save_contexts(out, &carry->contexts);
    save_past(out, &carry->past);
    save_number(out, (int64_t)carry->triggers.count);
    for (size_t i = 0; i < carry->triggers.count; i++) {
        save_trigger(out, &carry->triggers.items[i]);
    }
    save_number(out, (int64_t)carry->intervals.count);
    for (size_t i = 0; i < carry->intervals.count; i++) {
        save_number(out, (int64_t)carry->intervals.items[i].thread);
        save_number(out, carry->intervals.items[i].begin);
        save_number(out, carry->intervals.items[i].end);
    }
    save_number(out, (int64_t)carry->written_ahead.count);
    for (size_t i = 0; i < carry->written_ahead.count; i++) {
        save_number(out, (int64_t)carry->written_ahead.items[i]);
    }
    save_number(out, (int64_t)carry->standings_ahead.count);
    for (size_t i = 0; i < carry->standings_ahead.count; i++) {
        save_number(out, (int64_t)carry->standings_ahead.items[i].id);
        save_number(out, carry->standings_ahead.items[i].standing);
    }
    save_number(out, (int64_t)carry->threads.count);
    for (size_t i = 0; i < carry->threads.count; i++) {
        save_number(out, (int64_t)carry->threads.items[i].key);
        save_number(out, (int64_t)carry->threads.items[i].identity);
    }
    save_number(out, (int64_t)carry->prune_at);
    save_number(out, (int64_t)carry->borders.count);
    for (size_t i = 0; i < carry->borders.count; i++) {
        save_number(out, carry->borders.items[i].ticks);
        save_number(out, carry->borders.items[i].known);
    }
    save_requests(carry, out);
    return lp_buf_check(out);
}

// A loader remembers its first failure; it reads 0 or "" from then on.
typedef struct loader {
    jfr_cursor cursor;
    compact_carry *carry;
    int64_t version;
    lp_err err;
    const uint8_t *failed_at; // the cursor at the failure
} loader;

// fail notes the first error.
static void
fail(loader *l, lp_err err)
{
    if (l->err == LP_OK && err != LP_OK) {
        l->err = err;
        l->failed_at = l->cursor.at;
    }
}

// expect fails unless a condition holds that every saved carry-over meets.
static void
expect(loader *l, bool is_so)
{
    if (!is_so) {
        fail(l, LP_ECORRUPT);
    }
}

static int64_t
load_number(loader *l)
{
    uint64_t number = 0;
    expect(l, l->err == LP_OK && jfr_varint_read(&l->cursor, &number));
    return l->err == LP_OK ? (int64_t)number : 0;
}

// load_count reads a count of items, which take at least a byte each.
static size_t
load_count(loader *l)
{
    uint64_t count = (uint64_t)load_number(l);
    expect(l, count <= jfr_cursor_left(&l->cursor));
    return l->err == LP_OK ? (size_t)count : 0;
}

static size_t
load_count_to(loader *l, size_t max)
{
    size_t count = load_count(l);
    expect(l, count <= max);
    return l->err == LP_OK ? count : 0;
}

// load_up_to fails for numbers above max.
static uint64_t
load_up_to(loader *l, uint64_t max)
{
    uint64_t number = (uint64_t)load_number(l);
    expect(l, number <= max);
    return l->err == LP_OK ? number : 0;
}

// load_slice returns bytes borrowed from the input.
static lp_slice
load_slice(loader *l)
{
    size_t len = load_count(l);
    const lp_slice bytes = {l->cursor.at, len};
    l->cursor.at += len;
    return bytes;
}

// load_text returns a text in the carry-over's arena.
static char *
load_text(loader *l)
{
    static char none[1];
    lp_slice text = load_slice(l);
    expect(l, text.len == 0 || memchr(text.ptr, 0, text.len) == NULL);
    char *copy = lp_arena_alloc(&l->carry->arena, text.len + 1, 1);
    if (copy == NULL) {
        fail(l, LP_ENOMEM);
        return none;
    }
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

// load_kind reads an attribute's kind and whether it names requests.
static void
load_kind(loader *l, ctx_attribute *attribute)
{
    uint64_t number = (uint64_t)load_number(l);
    uint64_t kind = number & ~(uint64_t)KIND_ROOT_KEY;
    attribute->kind = kind <= CTX_HEX ? (ctx_kind)kind : (ctx_kind)0;
    attribute->is_root_key = kind != number;
}

// load_types reads the types that begin no contexts (is_completing) or the others.
static void
load_types(loader *l, compact_carry_types *types, bool is_completing)
{
    for (size_t count = load_count_to(l, CTX_TYPES_MAX); count > 0 && l->err == LP_OK; count--) {
        ctx_type type = {.id = (uint16_t)load_up_to(l, UINT16_MAX)};
        type.name = load_text(l);
        type.label = load_text(l);
        type.description = load_text(l);
        uint64_t role = load_up_to(l, ROLE_ROOT);
        type.is_recording = role == ROLE_RECORDING;
        type.is_root = role == ROLE_ROOT;
        type.completes = (uint16_t)load_up_to(l, UINT16_MAX);
        type.is_hand_over = type.completes != 0 && type.completes == type.id;
        type.completes = type.is_hand_over ? 0 : type.completes;
        type.attribute_count = load_count_to(l, CTX_TYPE_ATTRIBUTES_MAX);
        for (size_t i = 0; i < type.attribute_count; i++) {
            load_kind(l, &type.attributes[i]);
            type.attributes[i].name = load_text(l);
            type.attributes[i].label = load_text(l);
            type.attributes[i].description = load_text(l);
        }
        expect(l, ctx_type_is_sound(&type) && ctx_type_begins_contexts(&type) != is_completing);
        LP_ARENA_PUSH(&l->carry->arena, types, type);
    }
}

static void
load_keys(loader *l)
{
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_recordings_add_key(&l->carry->recordings, load_text(l));
    }
}

static void
load_entry(loader *l, ctx_entry *entry)
{
    entry->key = load_text(l);
    entry->is_null = load_number(l) != 0;
    entry->value = load_slice(l);
    expect(l, !entry->is_null || entry->value.len == 0);
}

static void
load_recordings(loader *l)
{
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        ctx_entry entries[CTX_RECORDING_ENTRIES_MAX];
        ctx_recording map = {.id = (uint64_t)load_number(l), .entries = entries};
        bool is_ended = load_number(l) != 0;
        map.entry_count = load_count_to(l, CTX_RECORDING_ENTRIES_MAX);
        for (size_t i = 0; i < map.entry_count; i++) {
            load_entry(l, &entries[i]);
        }
        if (l->err == LP_OK) {
            compact_recordings_add(&l->carry->recordings, &map, is_ended);
        }
    }
}

static void
load_filters(loader *l)
{
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        ctx_filter filter = {.id = (uint64_t)load_number(l)};
        filter.begin_ticks = load_number(l);
        filter.rule_count = load_count(l);
        filter.rules = LP_ARENA_ARRAY(&l->carry->arena, ctx_filter_rule, filter.rule_count);
        if (filter.rules == NULL) {
            fail(l, LP_ENOMEM);
            return;
        }
        for (size_t i = 0; i < filter.rule_count; i++) {
            filter.rules[i].type = load_text(l);
            filter.rules[i].terms = load_text(l);
        }
        compact_filters_add(&l->carry->filters, &filter);
    }
}

static void
load_throttle(loader *l, compact_throttles *throttles)
{
    const char *type = load_text(l);
    policy_throttle rate = {.count = load_number(l)};
    rate.per_ns = load_number(l);
    expect(l, rate.per_ns > 0);
    uint32_t index = 0;
    size_t count = throttles->items.count;
    if (l->err == LP_OK) {
        fail(l, compact_throttles_add(throttles, type, rate, &index));
        expect(l, index == count);
    }
    if (l->err != LP_OK) {
        return;
    }
    compact_sampler *sampler = &throttles->items.items[index].sampler;
    sampler->is_started = load_number(l) != 0;
    sampler->slot = load_number(l);
    sampler->kept = (uint64_t)load_number(l);
    compact_load *load = &sampler->load;
    load->seen = (uint64_t)load_number(l);
    load->part_seen = (uint64_t)load_number(l);
    load->window_seen = (uint64_t)load_number(l);
    load->window_count = (uint64_t)load_number(l);
    load->rate_fixed = (uint64_t)load_number(l);
    load->spread_fixed = (uint64_t)load_number(l);
    load->has_usual = load_number(l) != 0;
    load->usual = (uint64_t)load_number(l);
    expect(l, compact_sampler_is_sound(sampler));
}

static compact_standing
load_standing(loader *l)
{
    return (compact_standing)load_up_to(l, COMPACT_STANDING_PASSED);
}

static void
load_context(loader *l, uint64_t next_id)
{
    compact_context context = {.id = (uint64_t)load_number(l)};
    context.thread_id = load_number(l);
    context.begin = load_number(l);
    context.end = load_number(l);
    context.type_id = (uint16_t)load_number(l);
    context.is_written = load_number(l) != 0;
    context.is_unmeasured = load_number(l) != 0;
    context.standing = load_standing(l);
    lp_slice values = load_slice(l);
    context.values_bytes = (uint32_t)values.len;
    const compact_contexts *known = &l->carry->contexts;
    uint64_t last_id = known->items.count == 0 ? 0 : known->items.items[known->items.count - 1].id;
    expect(l, context.id > last_id && context.id < next_id);
    if (l->err == LP_OK) {
        compact_contexts_add(&l->carry->contexts, &context, values.ptr);
        fail(l, compact_contexts_err(&l->carry->contexts));
    }
}

// LOAD_PUSH adds an item to a vector.
#define LOAD_PUSH(loader_, vec, ...)                                                               \
    do {                                                                                           \
        if (LP_VEC_ROOM(vec)) {                                                                    \
            (vec)->items[(vec)->count++] = __VA_ARGS__;                                            \
        } else {                                                                                   \
            fail(loader_, LP_ENOMEM);                                                              \
        }                                                                                          \
    } while (0)

typedef LP_VEC(compact_late_text) late_texts;

// load_new_text reads a text that no earlier context has.
static void
load_new_text(loader *l, late_texts *texts)
{
    lp_slice bytes = load_slice(l);
    compact_late_text text = {.bytes = (uint32_t)bytes.len};
    expect(l, text.bytes >= CTX_STRING_HEADER_BYTES);
    if (l->err == LP_OK) {
        text.offset = compact_contexts_append(&l->carry->contexts, bytes);
        fail(l, compact_contexts_err(&l->carry->contexts));
        LOAD_PUSH(l, texts, text);
    }
}

// load_late reads the late texts of the last context.
static void
load_late(loader *l, late_texts *texts)
{
    compact_contexts *contexts = &l->carry->contexts;
    while (load_number(l) != 0) {
        uint64_t attribute = (uint64_t)load_number(l);
        uint64_t number = (uint64_t)load_number(l);
        expect(l, attribute < CTX_TYPE_ATTRIBUTES_MAX && number <= texts->count);
        if (number == texts->count) {
            load_new_text(l, texts);
        }
        if (l->err == LP_OK) {
            compact_late_text text = texts->items[number];
            text.attribute = (uint16_t)attribute;
            compact_contexts_complete(
                contexts, &contexts->items.items[contexts->items.count - 1], &text);
        }
    }
}

static void
load_contexts(loader *l)
{
    late_texts texts = {0};
    uint64_t next_id = load_up_to(l, INT64_MAX); // ids never run out
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        load_context(l, next_id);
        load_late(l, &texts);
    }
    l->carry->contexts.next_id = next_id;
    LP_VEC_FINI(&texts);
}

static compact_early
load_early(loader *l)
{
    compact_early early = {.start_ticks = load_number(l)};
    early.offset = (uint32_t)load_number(l);
    uint64_t bits = load_up_to(l, EARLY_IS_KEPT | EARLY_IS_SAMPLE);
    early.is_kept = (bits & EARLY_IS_KEPT) != 0;
    early.is_sample = (bits & EARLY_IS_SAMPLE) != 0;
    early.weight = early.is_sample ? load_up_to(l, INT64_MAX) : 0;
    return early;
}

static void
load_throttles(loader *l, compact_throttles *throttles)
{
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        load_throttle(l, throttles);
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        const compact_early early = load_early(l);
        LOAD_PUSH(l, &throttles->early, early);
    }
}

static void
load_past_thread(loader *l, compact_kept_times *past)
{
    uint64_t identity = (uint64_t)load_number(l);
    size_t count = load_count(l);
    bool is_above = past->threads.count == 0 ||
                    past->threads.items[past->threads.count - 1].identity < identity;
    expect(l, count > 0 && is_above);
    int64_t before = INT64_MIN;
    int64_t ticks = 0;
    for (size_t i = 0; i < count && l->err == LP_OK; i++) {
        ticks = (int64_t)((uint64_t)ticks + (uint64_t)load_number(l));
        expect(l, ticks >= before);
        LOAD_PUSH(l, &past->times, ticks);
        before = ticks;
    }
    const compact_kept_times_thread thread = {.identity = identity, .end = past->times.count};
    LOAD_PUSH(l, &past->threads, thread);
}

static void
load_moments(loader *l)
{
    compact_carry *carry = l->carry;
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        load_past_thread(l, &carry->past);
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_trigger trigger = {.thread = (uint64_t)load_number(l)};
        trigger.commit = load_number(l);
        trigger.begin = (int64_t)((uint64_t)trigger.commit - (uint64_t)load_number(l));
        LOAD_PUSH(l, &carry->triggers, trigger);
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_interval interval = {.thread = (uint64_t)load_number(l)};
        interval.begin = load_number(l);
        interval.end = load_number(l);
        LOAD_PUSH(l, &carry->intervals, interval);
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        uint64_t id = (uint64_t)load_number(l);
        LOAD_PUSH(l, &carry->written_ahead, id);
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_standing_ahead ahead = {.id = (uint64_t)load_number(l)};
        ahead.standing = load_standing(l);
        LOAD_PUSH(l, &carry->standings_ahead, ahead);
    }
}

static void
load_threads(loader *l)
{
    compact_carry *carry = l->carry;
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_known_thread thread = {.key = (uint64_t)load_number(l)};
        thread.identity = (uint64_t)load_number(l);
        LP_ARENA_PUSH(&carry->arena, &carry->threads, thread);
    }
    carry->prune_at = (size_t)load_number(l);
}

static void
load_borders(loader *l)
{
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_border border = {.ticks = load_number(l)};
        border.known = load_number(l);
        LOAD_PUSH(l, &l->carry->borders, border);
    }
}

static void
load_request(loader *l)
{
    lp_arena *arena = &l->carry->arena;
    compact_request request = {.key = (uint64_t)load_number(l)};
    request.id = (uint64_t)load_number(l);
    request.thread = (uint64_t)load_number(l);
    request.begin = load_number(l);
    request.end = load_number(l);
    request.busy_ticks = load_number(l);
    request.queued_ticks = load_number(l);
    expect(l, request.busy_ticks >= 0 && request.queued_ticks >= 0);
    request.worked_until = load_number(l);
    request.part_count = (uint64_t)load_number(l);
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
    fail(l, lp_arena_err(arena));
    for (size_t i = 0; request.attributes != NULL && i < request.attribute_count; i++) {
        request.attributes[i].name = load_text(l);
        request.attributes[i].text = lp_arena_copy(arena, load_slice(l));
    }
    request.type = (flags & HAS_TYPE) != 0 ? load_text(l) : NULL;
    LP_ARENA_PUSH(arena, &l->carry->requests.items, request);
}

static void
load_sign(loader *l)
{
    compact_sign sign = {.number = (uint64_t)load_number(l)};
    sign.ticks = load_number(l);
    sign.thread_id = load_number(l);
    sign.values[0] = (uint64_t)load_number(l);
    sign.values[1] = (uint64_t)load_number(l);
    sign.type_id = (uint16_t)load_up_to(l, UINT16_MAX);
    LP_ARENA_PUSH(&l->carry->arena, &l->carry->signs, sign);
}

static void
load_requests(loader *l)
{
    compact_carry *carry = l->carry;
    carry->requests.arena = &carry->arena;
    carry->next_sign = (uint64_t)load_number(l);
    carry->signs_seen = (uint64_t)load_number(l);
    carry->contexts_seen = (uint64_t)load_number(l);
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        load_sign(l);
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        load_request(l);
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_joined_key joined = {.key = (uint64_t)load_number(l)};
        joined.to = (uint64_t)load_number(l);
        joined.begin = load_number(l);
        joined.until = load_number(l);
        joined.is_further = load_up_to(l, 1) != 0;
        LP_ARENA_PUSH(&carry->arena, &carry->requests.joined, joined);
    }
    if (l->err == LP_OK) {
        fail(l, compact_request_rules_load(&l->cursor, &carry->request_rules));
    }
}

// load_times reads the version and the times.
static void
load_times(loader *l)
{
    compact_carry *carry = l->carry;
    l->version = load_number(l);
    if (l->version != FORMAT_VERSION) {
        fail(l, LP_EVERSION);
    }
    carry->border_ticks = load_number(l);
    carry->limit_ticks = load_number(l);
    carry->sampled_end_ns = load_number(l);
    carry->judged_end_ns = load_number(l);
    carry->period_ns = load_number(l);
    expect(l, carry->period_ns >= 0);
    carry->clock.start_wall_ns = load_number(l);
    carry->clock.start_ticks = load_number(l);
    carry->clock.ticks_per_s = load_number(l);
    carry->start_wall_ns = load_number(l);
}

// explain sets the problem of a failed load.
static void
explain(const loader *l, lp_slice bytes, lp_problem *problem)
{
    if (l->err == LP_EVERSION) {
        (void)lp_problem_set(problem, l->err,
            "its version is %lld, and this version of Loupe reads %d", (long long)l->version,
            FORMAT_VERSION);
    } else if (l->err == LP_ECORRUPT) {
        (void)lp_problem_set(problem, l->err, "it is damaged at byte %zu of %zu",
            (size_t)(l->failed_at - bytes.ptr), bytes.len);
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
    loader l = {.cursor = jfr_cursor_over(bytes), .carry = carry};
    load_times(&l);
    load_types(&l, &carry->types, false);
    load_types(&l, &carry->completing, true);
    load_keys(&l);
    load_recordings(&l);
    load_filters(&l);
    load_throttles(&l, &carry->throttles);
    carry->pending_bytes = load_up_to(&l, INT64_MAX);
    load_throttles(&l, &carry->quotas);
    load_contexts(&l);
    load_moments(&l);
    load_threads(&l);
    load_borders(&l);
    load_requests(&l);
    fail(&l, lp_arena_err(&carry->arena));
    expect(&l, jfr_cursor_left(&l.cursor) == 0);
    if (l.err != LP_OK) {
        explain(&l, bytes, out_problem);
        compact_carry_destroy(carry);
        return l.err;
    }
    *out_carry = carry;
    return LP_OK;
}
