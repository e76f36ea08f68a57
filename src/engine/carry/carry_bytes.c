// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/carry_bytes.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_varint.h"
#include "engine/carry/carry.h"
#include "engine/carry/request_bytes.h"

#include <string.h>

// The saved form is a run of varints and strings (length, bytes), in the order of
// compact_carry_save.
enum { FORMAT_VERSION = 1 };

static void
save_number(lp_buf *out, int64_t number)
{
    jfr_varint_append(out, (uint64_t)number);
}

static void
save_text(lp_buf *out, const char *text)
{
    size_t length = strlen(text);
    jfr_varint_append(out, length);
    lp_buf_append(out, text, length);
}

// save_past saves times as their distances, which are short.
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

// A trigger's begin is saved as a length, which is short.
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
    KIND_ROOT_KEY = 16, // a bit beside the kind of an attribute
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
        save_number(out, (int64_t)map->entries[i].value.len);
        lp_buf_append(out, map->entries[i].value.ptr, map->entries[i].value.len);
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
    save_number(out, sampler->throttle.count);
    save_number(out, sampler->throttle.per_ns);
    save_number(out, sampler->is_started);
    save_number(out, sampler->slot);
    save_number(out, (int64_t)sampler->kept);
    const compact_load *load = &sampler->load;
    save_number(out, (int64_t)load->seen);
    save_number(out, (int64_t)load->part_seen);
    save_number(out, (int64_t)load->window_seen);
    save_number(out, (int64_t)load->window_count);
    save_number(out, (int64_t)load->rate_fixed);
    save_number(out, (int64_t)load->spread_fixed);
    save_number(out, load->has_usual);
    save_number(out, (int64_t)load->usual);
}

// The members of an early decision besides its place and weight, as bits.
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
// of them, and by its number with the others; numbers maps the offsets of saved texts to their
// numbers.
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
            save_number(out, text->bytes);
            lp_buf_append(out, contexts->values.ptr + text->offset, text->bytes);
            out->is_failed |= lp_map_put(numbers, text->offset, number) != LP_OK;
        }
        late = text->next;
    }
    save_number(out, 0);
}

static void
save_context(lp_buf *out, const compact_contexts *contexts, const compact_context *context)
{
    save_number(out, (int64_t)context->id);
    save_number(out, context->thread_id);
    save_number(out, context->begin);
    save_number(out, context->end);
    save_number(out, context->type_id);
    save_number(out, context->is_written);
    save_number(out, context->is_unmeasured);
    save_number(out, context->standing);
    save_number(out, context->values_bytes);
    lp_buf_append(out, compact_contexts_recorded(contexts, context).ptr, context->values_bytes);
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

lp_err
compact_carry_save(const compact_carry *carry, lp_buf *out)
{
    LP_ASSERT(carry->contexts.arena == &carry->arena);
    save_number(out, FORMAT_VERSION);
    save_number(out, carry->border_ticks);
    save_number(out, carry->limit_ticks);
    save_number(out, carry->sampled_end_ns);
    save_number(out, carry->judged_end_ns);
    save_number(out, carry->period_ns);
    save_number(out, carry->clock.start_wall_ns);
    save_number(out, carry->clock.start_ticks);
    save_number(out, carry->clock.ticks_per_s);
    save_number(out, carry->start_wall_ns);
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
    compact_request_bytes_save(carry, out);
    return lp_buf_check(out);
}

// Reading: a loader remembers the first failure, so that a run of reads is checked once.
typedef struct loader {
    jfr_cursor cursor;
    compact_carry *carry;
    int64_t version;
    lp_err err;
    const uint8_t *failed_at; // where the cursor was
} loader;

// fail notes an error, unless there was one before.
static void
fail(loader *l, lp_err err)
{
    if (l->err == LP_OK && err != LP_OK) {
        l->err = err;
        l->failed_at = l->cursor.at;
    }
}

// expect notes that the bytes are damaged, unless a condition holds that every saved carry-over
// meets.
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

// load_count reads how many items follow; each takes a byte at least.
static size_t
load_count(loader *l)
{
    uint64_t count = (uint64_t)load_number(l);
    expect(l, count <= jfr_cursor_left(&l->cursor));
    return l->err == LP_OK ? (size_t)count : 0;
}

// load_count_to is load_count for items of which there are max at most.
static size_t
load_count_to(loader *l, size_t max)
{
    size_t count = load_count(l);
    expect(l, count <= max);
    return l->err == LP_OK ? count : 0;
}

static const uint8_t *
load_bytes(loader *l, size_t count)
{
    const uint8_t *bytes = l->cursor.at;
    expect(l, l->err == LP_OK && jfr_cursor_skip(&l->cursor, count));
    return l->err == LP_OK ? bytes : NULL;
}

// load_text reads a text, which lasts as long as the carry-over.
static char *
load_text(loader *l)
{
    static char none[1];
    size_t length = load_count(l);
    const uint8_t *bytes = load_bytes(l, length);
    char *text = bytes == NULL ? NULL : lp_arena_alloc(&l->carry->arena, length + 1, 1);
    if (text == NULL) {
        fail(l, LP_ENOMEM);
        return none;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    return text;
}

// load_id reads the id of a type, or a 0.
static uint16_t
load_id(loader *l)
{
    uint64_t number = (uint64_t)load_number(l);
    expect(l, number <= UINT16_MAX);
    return (uint16_t)number;
}

// load_kind reads the kind of an attribute, and whether it names requests.
static void
load_kind(loader *l, ctx_attribute *attribute)
{
    uint64_t number = (uint64_t)load_number(l);
    uint64_t kind = number & ~(uint64_t)KIND_ROOT_KEY;
    attribute->kind = kind <= CTX_HEX ? (ctx_kind)kind : (ctx_kind)0;
    attribute->is_root_key = kind != number;
}

// load_types reads the types that begin no contexts, or the other ones.
static void
load_types(loader *l, compact_carry_types *types, bool is_completing)
{
    for (size_t count = load_count_to(l, CTX_TYPES_MAX); count > 0 && l->err == LP_OK; count--) {
        ctx_type type = {.id = load_id(l)};
        type.name = load_text(l);
        type.label = load_text(l);
        type.description = load_text(l);
        uint64_t role = (uint64_t)load_number(l);
        expect(l, role <= ROLE_ROOT);
        type.is_recording = role == ROLE_RECORDING;
        type.is_root = role == ROLE_ROOT;
        type.completes = load_id(l);
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
    entry->value.len = load_count(l);
    entry->value.ptr = load_bytes(l, entry->value.len);
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
    int64_t number = load_number(l);
    bool is_one = number >= COMPACT_STANDING_NONE && number <= COMPACT_STANDING_PASSED;
    expect(l, is_one);
    return is_one ? (compact_standing)number : COMPACT_STANDING_NONE;
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
    context.values_bytes = (uint32_t)load_count(l);
    const uint8_t *values = load_bytes(l, context.values_bytes);
    const compact_contexts *known = &l->carry->contexts;
    uint64_t last_id = known->items.count == 0 ? 0 : known->items.items[known->items.count - 1].id;
    expect(l, context.id > last_id && context.id < next_id);
    if (l->err == LP_OK) {
        compact_contexts_add(&l->carry->contexts, &context, values);
        fail(l, compact_contexts_err(&l->carry->contexts));
    }
}

// LOAD_PUSH adds an item to a vector, or notes that memory ran out.
#define LOAD_PUSH(loader_, vec, ...)                                                               \
    do {                                                                                           \
        if (LP_VEC_ROOM(vec)) {                                                                    \
            (vec)->items[(vec)->count++] = __VA_ARGS__;                                            \
        } else {                                                                                   \
            fail(loader_, LP_ENOMEM);                                                              \
        }                                                                                          \
    } while (0)

typedef LP_VEC(compact_late_text) late_texts;

// load_new_text reads a text that no context before had.
static void
load_new_text(loader *l, late_texts *texts)
{
    compact_late_text text = {.bytes = (uint32_t)load_count(l)};
    expect(l, text.bytes >= CTX_STRING_HEADER_BYTES);
    const lp_slice bytes = {load_bytes(l, text.bytes), text.bytes};
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
    uint64_t next_id = (uint64_t)load_number(l);
    expect(l, next_id <= INT64_MAX); // ids never run out
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
    uint64_t bits = (uint64_t)load_number(l);
    early.is_kept = (bits & EARLY_IS_KEPT) != 0;
    early.is_sample = (bits & EARLY_IS_SAMPLE) != 0;
    early.weight = early.is_sample ? (uint64_t)load_number(l) : 0;
    expect(l, bits <= (EARLY_IS_KEPT | EARLY_IS_SAMPLE) && early.weight <= INT64_MAX);
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
load_pending(loader *l)
{
    l->carry->pending_bytes = (uint64_t)load_number(l);
    expect(l, l->carry->pending_bytes <= INT64_MAX);
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
load_requests(loader *l)
{
    if (l->err == LP_OK) {
        fail(l, compact_request_bytes_load(&l->cursor, l->carry));
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

// explain sets the problem of a carry-over that was not read.
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
    load_pending(&l);
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
