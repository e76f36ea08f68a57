// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/carry_bytes.h"

#include "common/context/ctx_type.h"
#include "common/jfr/jfr_varint.h"
#include "engine/carry/carry.h"

#include <stdlib.h>
#include <string.h>

// The saved form is a run of varints and strings (length, bytes), in the order of
// compact_carry_save.
enum { FORMAT_VERSION = 15 };

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

static void
save_type(lp_buf *out, const ctx_type *type)
{
    save_number(out, type->id);
    save_text(out, type->name);
    save_text(out, type->label);
    save_text(out, type->description);
    save_number(out, type->is_recording);
    save_number(out, type->completes);
    save_number(out, (int64_t)type->attribute_count);
    for (size_t i = 0; i < type->attribute_count; i++) {
        save_number(out, type->attributes[i].kind);
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
    save_number(out, (int64_t)sampler->random);
    save_number(out, sampler->time_ns);
    save_number(out, (int64_t)sampler->seen);
    save_number(out, (int64_t)sampler->kept);
    save_number(out, (int64_t)sampler->window_seen);
    save_number(out, (int64_t)sampler->window_count);
    save_number(out, (int64_t)sampler->rate_fixed);
    save_number(out, (int64_t)sampler->spread_fixed);
    save_number(out, sampler->has_usual);
    save_number(out, (int64_t)sampler->usual_fixed);
}

// What is known of an early event besides where it is, as bits.
enum { EARLY_IS_KEPT = 1, EARLY_IS_SAMPLE = 2 };

static void
save_early(lp_buf *out, const compact_early *early)
{
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

static void
save_weights(lp_buf *out, const compact_weights *weights)
{
    save_number(out, (int64_t)weights->rest);
    save_number(out, (int64_t)weights->usual_bytes);
    save_number(out, (int64_t)weights->items.count);
    for (size_t i = 0; i < weights->items.count; i++) {
        save_number(out, (int64_t)weights->items.items[i].thread);
        save_number(out, (int64_t)weights->items.items[i].bytes);
    }
}

// save_late saves the late texts of a context. A text of several contexts is saved with the first,
// and named by its number with the others; numbers has those of the saved ones by their offsets.
static lp_err
save_late(
    lp_buf *out, const compact_contexts *contexts, const compact_context *context, lp_map *numbers)
{
    lp_err err = LP_OK;
    for (uint32_t late = context->late; late != 0 && err == LP_OK;) {
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
            err = lp_map_put(numbers, text->offset, number);
        }
        late = text->next;
    }
    save_number(out, 0);
    return err;
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

static lp_err
save_contexts(lp_buf *out, const compact_contexts *contexts)
{
    lp_map numbers = {0};
    lp_err err = LP_OK;
    save_number(out, (int64_t)contexts->next_id);
    save_number(out, (int64_t)contexts->items.count);
    for (size_t i = 0; i < contexts->items.count && err == LP_OK; i++) {
        save_context(out, contexts, &contexts->items.items[i]);
        err = save_late(out, contexts, &contexts->items.items[i], &numbers);
    }
    lp_map_fini(&numbers);
    return err;
}

lp_err
compact_carry_save(const compact_carry *carry, lp_buf *out)
{
    save_number(out, FORMAT_VERSION);
    save_number(out, carry->border_ticks);
    save_number(out, carry->limit_ticks);
    save_number(out, carry->clock.start_wall_ns);
    save_number(out, carry->clock.start_ticks);
    save_number(out, carry->clock.ticks_per_s);
    save_number(out, carry->start_ticks);
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
    save_weights(out, &carry->weights);
    save_throttles(out, &carry->quotas);
    lp_err err = save_contexts(out, &carry->contexts);
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
    return err == LP_OK ? lp_buf_check(out) : err;
}

// Reading: a loader remembers the first failure, so that a run of reads is checked once.
typedef struct loader {
    jfr_cursor cursor;
    lp_err err;
} loader;

static int64_t
load_number(loader *l)
{
    uint64_t number = 0;
    if (l->err == LP_OK && !jfr_varint_read(&l->cursor, &number)) {
        l->err = LP_ECORRUPT;
    }
    return l->err == LP_OK ? (int64_t)number : 0;
}

// load_count reads how many items follow; each takes a byte at least.
static size_t
load_count(loader *l)
{
    uint64_t count = (uint64_t)load_number(l);
    if (count > jfr_cursor_left(&l->cursor)) {
        l->err = LP_ECORRUPT;
        return 0;
    }
    return (size_t)count;
}

static const uint8_t *
load_bytes(loader *l, size_t count)
{
    const uint8_t *bytes = l->cursor.at;
    if (l->err == LP_OK && !jfr_cursor_skip(&l->cursor, count)) {
        l->err = LP_ECORRUPT;
    }
    return l->err == LP_OK ? bytes : NULL;
}

static char *
load_text(loader *l)
{
    size_t length = load_count(l);
    const uint8_t *bytes = load_bytes(l, length);
    if (bytes == NULL) {
        return NULL;
    }
    char *text = malloc(length + 1); // not strndup, which wants a string: there is no NUL in bytes
    if (text == NULL) {
        l->err = LP_ENOMEM;
        return NULL;
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
    if (number > UINT16_MAX) {
        l->err = LP_ECORRUPT;
        return 0;
    }
    return (uint16_t)number;
}

static ctx_kind
load_kind(loader *l)
{
    uint64_t number = (uint64_t)load_number(l);
    return number <= CTX_HEX ? (ctx_kind)number : (ctx_kind)0;
}

// load_type reads a type that completes another, or one that does not.
static void
load_type(loader *l, compact_carry_types *types, bool is_completing)
{
    ctx_type type = {.id = load_id(l)};
    type.name = load_text(l);
    type.label = load_text(l);
    type.description = load_text(l);
    type.is_recording = load_number(l) != 0;
    type.completes = load_id(l);
    size_t count = load_count(l);
    if (count > CTX_TYPE_ATTRIBUTES_MAX) {
        l->err = LP_ECORRUPT;
        count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        type.attribute_count = i + 1;
        type.attributes[i].kind = load_kind(l);
        type.attributes[i].name = load_text(l);
        type.attributes[i].label = load_text(l);
        type.attributes[i].description = load_text(l);
    }
    bool is_fit = types->count < CTX_TYPES_MAX && ctx_type_is_sound(&type) &&
                  (type.completes != 0) == is_completing;
    if (l->err == LP_OK && !is_fit) {
        l->err = LP_ECORRUPT;
    }
    ctx_type *slot = l->err == LP_OK ? LP_VEC_PUSH(types) : NULL;
    if (slot == NULL) {
        l->err = l->err == LP_OK ? LP_ENOMEM : l->err;
        ctx_type_fini(&type);
        return;
    }
    *slot = type;
}

static void
load_key(loader *l, compact_carry *carry)
{
    char *key = load_text(l);
    if (l->err == LP_OK) {
        l->err = compact_recordings_add_key(&carry->recordings, key);
    }
    free(key);
}

static void
load_entry(loader *l, ctx_entry *entry)
{
    entry->key = load_text(l);
    entry->is_null = load_number(l) != 0;
    entry->value.len = load_count(l);
    entry->value.ptr = load_bytes(l, entry->value.len);
    if (l->err == LP_OK && entry->is_null && entry->value.len > 0) {
        l->err = LP_ECORRUPT;
    }
}

static void
load_recording(loader *l, compact_carry *carry)
{
    ctx_entry entries[CTX_RECORDING_ENTRIES_MAX];
    ctx_recording map = {.id = (uint64_t)load_number(l), .entries = entries};
    bool is_ended = load_number(l) != 0;
    size_t count = load_count(l);
    if (count > CTX_RECORDING_ENTRIES_MAX) {
        l->err = LP_ECORRUPT;
        count = 0;
    }
    for (; map.entry_count < count; map.entry_count++) {
        load_entry(l, &entries[map.entry_count]);
    }
    if (l->err == LP_OK) {
        l->err = compact_recordings_add(&carry->recordings, &map, is_ended);
    }
    for (size_t i = 0; i < map.entry_count; i++) {
        free((char *)(uintptr_t)entries[i].key);
    }
}

static void
load_filter(loader *l, compact_carry *carry)
{
    ctx_filter filter = {.id = (uint64_t)load_number(l)};
    filter.begin_ticks = load_number(l);
    size_t count = load_count(l);
    filter.rules = calloc(count + 1, sizeof(*filter.rules));
    if (filter.rules == NULL) {
        l->err = LP_ENOMEM;
        return;
    }
    for (; filter.rule_count < count && l->err == LP_OK; filter.rule_count++) {
        filter.rules[filter.rule_count].type = load_text(l);
        filter.rules[filter.rule_count].terms = load_text(l);
    }
    if (l->err == LP_OK) {
        l->err = compact_filters_add(&carry->filters, &filter);
    }
    for (size_t i = 0; i < filter.rule_count; i++) {
        free((char *)(uintptr_t)filter.rules[i].type);
        free((char *)(uintptr_t)filter.rules[i].terms);
    }
    free(filter.rules);
}

static void
load_throttle(loader *l, compact_throttles *throttles)
{
    char *type = load_text(l);
    policy_throttle rate = {.count = load_number(l)};
    rate.per_ns = load_number(l);
    uint32_t index = 0;
    size_t count = throttles->items.count;
    if (l->err == LP_OK) {
        l->err = compact_throttles_add(throttles, type, rate, &index);
    }
    free(type);
    if (l->err != LP_OK || index < count) {
        l->err = l->err == LP_OK ? LP_ECORRUPT : l->err;
        return;
    }
    compact_sampler *sampler = &throttles->items.items[index].sampler;
    sampler->random = (uint64_t)load_number(l);
    sampler->time_ns = load_number(l);
    sampler->seen = (uint64_t)load_number(l);
    sampler->kept = (uint64_t)load_number(l);
    sampler->window_seen = (uint64_t)load_number(l);
    sampler->window_count = (uint64_t)load_number(l);
    sampler->rate_fixed = (uint64_t)load_number(l);
    sampler->spread_fixed = (uint64_t)load_number(l);
    sampler->has_usual = load_number(l) != 0;
    sampler->usual_fixed = (uint64_t)load_number(l);
    if (l->err == LP_OK && !compact_sampler_is_sound(sampler)) {
        l->err = LP_ECORRUPT;
    }
}

static compact_standing
load_standing(loader *l)
{
    int64_t number = load_number(l);
    if (number < COMPACT_STANDING_NONE || number > COMPACT_STANDING_PASSED) {
        l->err = LP_ECORRUPT;
        return COMPACT_STANDING_NONE;
    }
    return (compact_standing)number;
}

static void
load_context(loader *l, compact_carry *carry, uint64_t next_id)
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
    const compact_contexts *known = &carry->contexts;
    uint64_t last_id = known->items.count == 0 ? 0 : known->items.items[known->items.count - 1].id;
    if (l->err == LP_OK && (context.id <= last_id || context.id >= next_id)) {
        l->err = LP_ECORRUPT;
    }
    if (l->err == LP_OK) {
        l->err = compact_contexts_add(&carry->contexts, &context, values);
    }
}

// LOAD_INTO pushes a new item onto a vector, or notes that memory ran out and gives NULL.
#define LOAD_INTO(loader_, vec)                                                                    \
    ({                                                                                             \
        typeof((vec)->items) slot_ = (loader_)->err == LP_OK ? LP_VEC_PUSH(vec) : NULL;            \
        if (slot_ == NULL && (loader_)->err == LP_OK) {                                            \
            (loader_)->err = LP_ENOMEM;                                                            \
        }                                                                                          \
        slot_;                                                                                     \
    })

typedef LP_VEC(compact_late_text) late_texts;

// load_new_text reads a text that no context before had.
static void
load_new_text(loader *l, compact_contexts *contexts, late_texts *texts)
{
    compact_late_text text = {.bytes = (uint32_t)load_count(l)};
    if (l->err == LP_OK && text.bytes < CTX_STRING_HEADER_BYTES) {
        l->err = LP_ECORRUPT;
    }
    const lp_slice bytes = {load_bytes(l, text.bytes), text.bytes};
    if (l->err == LP_OK) {
        l->err = compact_contexts_append(contexts, bytes, &text.offset);
    }
    compact_late_text *slot = LOAD_INTO(l, texts);
    if (slot != NULL) {
        *slot = text;
    }
}

// load_late reads the late texts of the last context.
static void
load_late(loader *l, compact_contexts *contexts, late_texts *texts)
{
    while (load_number(l) != 0) {
        uint64_t attribute = (uint64_t)load_number(l);
        uint64_t number = (uint64_t)load_number(l);
        if (attribute >= CTX_TYPE_ATTRIBUTES_MAX || number > texts->count) {
            l->err = l->err == LP_OK ? LP_ECORRUPT : l->err;
        } else if (number == texts->count) {
            load_new_text(l, contexts, texts);
        }
        if (l->err == LP_OK) {
            compact_late_text text = texts->items[number];
            text.attribute = (uint16_t)attribute;
            l->err = compact_contexts_complete(
                contexts, &contexts->items.items[contexts->items.count - 1], &text);
        }
    }
}

static void
load_contexts(loader *l, compact_carry *carry)
{
    late_texts texts = {0};
    uint64_t next_id = (uint64_t)load_number(l);
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        load_context(l, carry, next_id);
        load_late(l, &carry->contexts, &texts);
    }
    carry->contexts.next_id = next_id;
    LP_VEC_FINI(&texts);
}

static compact_early
load_early(loader *l)
{
    compact_early early = {.offset = (uint32_t)load_number(l)};
    uint64_t bits = (uint64_t)load_number(l);
    early.is_kept = (bits & EARLY_IS_KEPT) != 0;
    early.is_sample = (bits & EARLY_IS_SAMPLE) != 0;
    early.weight = early.is_sample ? (uint64_t)load_number(l) : 0;
    bool is_good = bits <= (EARLY_IS_KEPT | EARLY_IS_SAMPLE) && early.weight <= INT64_MAX;
    if (l->err == LP_OK && !is_good) {
        l->err = LP_ECORRUPT;
    }
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
        compact_early *slot = LOAD_INTO(l, &throttles->early);
        if (slot != NULL) {
            *slot = early;
        }
    }
}

static void
load_weights(loader *l, compact_weights *weights)
{
    weights->rest = (uint64_t)load_number(l);
    weights->usual_bytes = (uint64_t)load_number(l);
    if (weights->rest > INT64_MAX || weights->usual_bytes > INT64_MAX) {
        l->err = LP_ECORRUPT;
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        uint64_t thread = (uint64_t)load_number(l);
        uint64_t bytes = (uint64_t)load_number(l);
        if (l->err == LP_OK) {
            l->err = compact_weights_restore(weights, thread, bytes);
        }
    }
}

static void
load_past_thread(loader *l, compact_kept_times *past)
{
    uint64_t identity = (uint64_t)load_number(l);
    size_t count = load_count(l);
    bool is_above = past->threads.count == 0 ||
                    past->threads.items[past->threads.count - 1].identity < identity;
    if (l->err == LP_OK && (count == 0 || !is_above)) {
        l->err = LP_ECORRUPT;
    }
    int64_t before = 0;
    for (size_t i = 0; i < count && l->err == LP_OK; i++) {
        int64_t ticks = (int64_t)((uint64_t)before + (uint64_t)load_number(l));
        int64_t *slot = LOAD_INTO(l, &past->times);
        if (slot == NULL) {
            return;
        }
        if (i > 0 && ticks < before) {
            l->err = LP_ECORRUPT;
        }
        *slot = ticks;
        before = ticks;
    }
    compact_kept_times_thread *thread = LOAD_INTO(l, &past->threads);
    if (thread != NULL) {
        *thread = (compact_kept_times_thread){.identity = identity, .end = past->times.count};
    }
}

static void
load_moments(loader *l, compact_carry *carry)
{
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        load_past_thread(l, &carry->past);
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_trigger trigger = {.thread = (uint64_t)load_number(l)};
        trigger.commit = load_number(l);
        trigger.begin = (int64_t)((uint64_t)trigger.commit - (uint64_t)load_number(l));
        compact_trigger *slot = LOAD_INTO(l, &carry->triggers);
        if (slot != NULL) {
            *slot = trigger;
        }
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_interval interval = {.thread = (uint64_t)load_number(l)};
        interval.begin = load_number(l);
        interval.end = load_number(l);
        compact_interval *slot = LOAD_INTO(l, &carry->intervals);
        if (slot != NULL) {
            *slot = interval;
        }
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        uint64_t id = (uint64_t)load_number(l);
        uint64_t *slot = LOAD_INTO(l, &carry->written_ahead);
        if (slot != NULL) {
            *slot = id;
        }
    }
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_standing_ahead ahead = {.id = (uint64_t)load_number(l)};
        ahead.standing = load_standing(l);
        compact_standing_ahead *slot = LOAD_INTO(l, &carry->standings_ahead);
        if (slot != NULL) {
            *slot = ahead;
        }
    }
}

static void
load_threads(loader *l, compact_carry *carry)
{
    for (size_t count = load_count(l); count > 0 && l->err == LP_OK; count--) {
        compact_known_thread thread = {.key = (uint64_t)load_number(l)};
        thread.identity = (uint64_t)load_number(l);
        compact_known_thread *slot = LOAD_INTO(l, &carry->threads);
        if (slot != NULL) {
            *slot = thread;
        }
    }
    carry->prune_at = (size_t)load_number(l);
}

lp_err
compact_carry_load(lp_slice bytes, compact_carry **out_carry)
{
    if (bytes.len == 0) {
        return LP_ECORRUPT;
    }
    compact_carry *carry = compact_carry_create();
    if (carry == NULL) {
        return LP_ENOMEM;
    }
    loader l = {.cursor = jfr_cursor_over(bytes)};
    if (load_number(&l) != FORMAT_VERSION && l.err == LP_OK) {
        l.err = LP_EVERSION;
    }
    carry->border_ticks = load_number(&l);
    carry->limit_ticks = load_number(&l);
    carry->clock.start_wall_ns = load_number(&l);
    carry->clock.start_ticks = load_number(&l);
    carry->clock.ticks_per_s = load_number(&l);
    carry->start_ticks = load_number(&l);
    for (size_t count = load_count(&l); count > 0 && l.err == LP_OK; count--) {
        load_type(&l, &carry->types, false);
    }
    for (size_t count = load_count(&l); count > 0 && l.err == LP_OK; count--) {
        load_type(&l, &carry->completing, true);
    }
    for (size_t count = load_count(&l); count > 0 && l.err == LP_OK; count--) {
        load_key(&l, carry);
    }
    for (size_t count = load_count(&l); count > 0 && l.err == LP_OK; count--) {
        load_recording(&l, carry);
    }
    for (size_t count = load_count(&l); count > 0 && l.err == LP_OK; count--) {
        load_filter(&l, carry);
    }
    load_throttles(&l, &carry->throttles);
    load_weights(&l, &carry->weights);
    load_throttles(&l, &carry->quotas);
    load_contexts(&l, carry);
    load_moments(&l, carry);
    load_threads(&l, carry);
    if (l.err == LP_OK && jfr_cursor_left(&l.cursor) != 0) {
        l.err = LP_ECORRUPT;
    }
    if (l.err != LP_OK) {
        compact_carry_destroy(carry);
        return l.err;
    }
    *out_carry = carry;
    return LP_OK;
}
