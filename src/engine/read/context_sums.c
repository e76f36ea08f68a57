// SPDX-License-Identifier: Apache-2.0
#include "engine/read/context_sums.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/kind_values.h"
#include "engine/read/value_key.h"

#include <string.h>

void
compact_sums_check(const compact_sums *sums)
{
    LP_ASSERT(sums->types.count <= COMPACT_SUMS_TYPES_MAX);
    LP_ASSERT(sums->value_count <= COMPACT_SUMS_VALUES_MAX);
}

void
compact_sums_fini(compact_sums *sums)
{
    compact_sums_check(sums);
    for (size_t i = 0; i < sums->types.count; i++) {
        for (size_t k = 0; k < sums->types.items[i]->attributes.count; k++) {
            lp_map_fini(&sums->types.items[i]->attributes.items[k]->by_key);
        }
    }
    rollup_ids_fini(&sums->ids);
    LP_VEC_FINI(&sums->rows);
    LP_VEC_FINI(&sums->divided);
    LP_VEC_FINI(&sums->noted);
    LP_VEC_FINI(&sums->periods);
    lp_buf_fini(&sums->value);
    lp_buf_fini(&sums->text);
    lp_arena_fini(&sums->arena);
    *sums = (compact_sums){0};
}

// begin_slices chooses the shortest slices that keep within ROLLUP_SLICES_MAX for the chunk.
static void
begin_slices(compact_sums *sums, const jfr_chunk_info *chunk)
{
    LP_ASSERT(chunk->ticks_per_s > 0); // compact_schema_make asserts it
    const int64_t least_ns = ROLLUP_SLICE_S * (int64_t)1000000000;
    int64_t length_ns = chunk->duration_ns > 0 ? chunk->duration_ns : 0;
    sums->slice_ns = (length_ns / ROLLUP_SLICES_MAX / least_ns + 1) * least_ns;
    LP_ASSERT(sums->slice_ns >= least_ns);
    sums->slices_from = (double)chunk->start_ticks;
    sums->slices_per_tick = 1e9 / (double)chunk->ticks_per_s / (double)sums->slice_ns;
}

void
compact_sums_begin(compact_sums *sums, const compact_view *view)
{
    compact_view_check(view);
    bool has_traces = sums->has_traces;
    compact_sums_fini(sums);
    sums->has_traces = has_traces;
    sums->view = view;
    sums->clock = jfr_clock_make(0, 0, view->schema->ticks_per_s);
    begin_slices(sums, &view->info);
    sums->of_event =
        LP_ARENA_ARRAY(&sums->arena, compact_event_sums *, view->schema->metadata.types.count);
    sums->queues = LP_ARENA_ARRAY(
        &sums->arena, compact_queue *, COMPACT_COUNT_WAYS * view->schema->metadata.types.count);
    sums->nowhere = LP_ARENA_NEW(&sums->arena, compact_counts);
}

// --- Types and attributes

static compact_type_sums *
add_type(compact_sums *sums, compact_type_sums *type, const char *name, const policy_index *index)
{
    compact_sums_check(sums);
    if (type != NULL) {
        type->name = name;
        type->index = index;
        LP_ARENA_PUSH(&sums->arena, &sums->types, type);
    }
    return sums->arena.is_failed ? NULL : type;
}

compact_type_sums *
compact_sums_type(compact_sums *sums, const char *name, const policy_index *index)
{
    compact_sums_check(sums);
    for (size_t i = 0; i < sums->types.count; i++) {
        compact_type_sums *type = sums->types.items[i];
        if (type->of_events == NULL && strcmp(type->name, name) == 0) {
            return type;
        }
    }
    LP_REQUIRE(sums->types.count != COMPACT_SUMS_TYPES_MAX, NULL);
    return add_type(sums, LP_ARENA_NEW(&sums->arena, compact_type_sums), name, index);
}

bool
compact_sums_is_id(const policy_index *index, const char *name)
{
    return rollup_id_is_trace(name) || rollup_id_is_span(name) || policy_index_has(index, name);
}

uint32_t
compact_sums_attribute(compact_sums *sums, compact_type_sums *type, const char *name)
{
    compact_sums_check(sums);
    for (uint32_t i = 0; i < type->attributes.count; i++) {
        if (strcmp(type->attributes.items[i]->name, name) == 0) {
            return i;
        }
    }
    if (type->attributes.count == ROLLUP_ATTRIBUTES_MAX) {
        type->has_more_attributes = true;
        return LP_MAP_NONE;
    }
    compact_attribute_sums *attribute = LP_ARENA_NEW(&sums->arena, compact_attribute_sums);
    if (attribute == NULL) {
        return LP_MAP_NONE;
    }
    *attribute = (compact_attribute_sums){
        .name = name,
        .is_trace = rollup_id_is_trace(name),
        .is_id = compact_sums_is_id(type->index, name),
    };
    attribute->counts[COMPACT_VALUE_NONE] = sums->nowhere;
    for (size_t i = 0; i < COMPACT_SUMS_RECENT; i++) {
        attribute->recent[i].key = i + 1; // a key of another place
    }
    LP_ARENA_PUSH(&sums->arena, &type->attributes, attribute);
    return sums->arena.is_failed ? (uint32_t)LP_MAP_NONE : (uint32_t)type->attributes.count - 1;
}

// give_columns gives the steps of a type columns, those of ids last: most have too many values.
static void
give_columns(compact_event_sums *of_events)
{
    uint32_t next = 0;
    for (int are_ids = 0; are_ids < 2; are_ids++) {
        for (size_t i = 0; i < of_events->steps.count; i++) {
            compact_sums_step *step = &of_events->steps.items[i];
            if (step->attribute->is_id == (are_ids == 1)) {
                step->column = next;
                next += next < COMPACT_SUMS_COLUMNS;
            }
        }
    }
}

static void
make_steps(compact_sums *sums, compact_event_sums *of_events, uint32_t index)
{
    LP_ASSERT(of_events->steps.count == 0);
    const compact_schema *schema = sums->view->schema;
    const compact_plan *plan = &schema->plans[index];
    compact_kinds kinds = {.arena = &sums->arena};
    compact_kinds_add_event(&kinds, &schema->metadata, index);
    if (kinds.items.count == 0) {
        return;
    }
    const compact_kind *kind = &kinds.items.items[0];
    const compact_reading reading =
        compact_reading_make(kind, &schema->metadata, index, &sums->view->pools);
    compact_type_sums *type = &of_events->type;
    of_events->is_from_head = plan->has_plain_head;
    uint32_t at =
        plan->has_plain_head ? plan->after_thread.begin : schema->layout.types.items[index].begin;
    for (size_t i = 0; i < kind->attribute_count; i++) {
        uint32_t attribute = compact_sums_attribute(sums, type, kind->attributes[i].name);
        struct compact_reading_value value = reading.values[i];
        if (attribute == LP_MAP_NONE || !value.is_there || value.is_reference ||
            value.before.end < at) {
            continue;
        }
        const compact_sums_step step = {
            .skip = {at, value.before.end},
            .attribute = type->attributes.items[attribute],
            .index = attribute,
            .is_string = compact_value_key_is_text(&value),
            .width = compact_value_key_width(&value),
            .value = value,
        };
        at = value.before.end + 1; // a value is one op
        LP_ARENA_PUSH(&sums->arena, &of_events->steps, step);
    }
}

compact_event_sums *
compact_sums_events(compact_sums *sums, uint32_t index)
{
    compact_sums_check(sums);
    if (sums->arena.is_failed || sums->of_event[index] != NULL ||
        sums->types.count == COMPACT_SUMS_TYPES_MAX) {
        return sums->arena.is_failed ? NULL : sums->of_event[index];
    }
    const compact_schema *schema = sums->view->schema;
    const char *name = jfr_metadata_type_name(&schema->metadata, index);
    compact_event_sums *of_events = LP_ARENA_NEW(&sums->arena, compact_event_sums);
    if (of_events == NULL ||
        add_type(sums, &of_events->type, name, schema->plans[index].context_index) == NULL) {
        return NULL;
    }
    of_events->type.of_events = of_events;
    of_events->row_type = sums->types.count <= UINT8_MAX ? (uint8_t)sums->types.count : 0;
    make_steps(sums, of_events, index);
    give_columns(of_events);
    sums->of_event[index] = of_events;
    for (uint32_t way = 0; way < COMPACT_COUNT_WAYS; way++) {
        sums->queues[COMPACT_COUNT_WAYS * index + way] = &of_events->queues[way];
        of_events->queues[way].next = of_events->queues[way].items;
    }
    return sums->arena.is_failed ? NULL : of_events;
}

// --- Values

void
compact_sums_add_id(compact_sums *sums, lp_slice text, bool is_trace, bool is_kept)
{
    compact_sums_check(sums);
    rollup_hashes *ids = is_kept ? &sums->ids.kept : &sums->ids.dropped;
    uint64_t hash;
    if (rollup_id_hash(text, &hash)) {
        LP_ARENA_PUSH_BESIDE(&sums->arena, ids, hash);
        if (is_trace && sums->has_traces) {
            LP_ARENA_PUSH_BESIDE(&sums->arena, &sums->ids.traces, hash);
        }
    }
}

void
compact_sums_add_before(compact_sums *sums, lp_slice text)
{
    uint64_t hash;
    LP_ASSERT(sums->has_traces);
    if (rollup_id_hash(text, &hash)) {
        LP_ARENA_PUSH_BESIDE(&sums->arena, &sums->ids.before, hash);
    }
}

uint32_t
compact_sums_learn(compact_sums *sums, compact_attribute_sums *attribute, uint64_t key,
    lp_slice text, bool is_null)
{
    compact_sums_check(sums);
    uint32_t value = is_null ? (uint32_t)COMPACT_VALUE_NONE : 0;
    while (value < attribute->value_count &&
           (attribute->texts[value].len != text.len ||
               memcmp(attribute->texts[value].ptr, text.ptr, text.len) != 0)) {
        value++;
    }
    if (!is_null && value == attribute->value_count) {
        if (value == ROLLUP_VALUES_MAX || text.len > ROLLUP_VALUE_BYTES_MAX ||
            sums->value_count == COMPACT_SUMS_VALUES_MAX) {
            attribute->has_too_many = true;
            lp_map_fini(&attribute->by_key);
            return COMPACT_VALUE_NONE;
        }
        attribute->texts[value] = lp_arena_copy(&sums->arena, text);
        attribute->counts[value] = LP_ARENA_NEW(&sums->arena, compact_counts);
        if (sums->arena.is_failed) {
            return COMPACT_VALUE_NONE;
        }
        attribute->value_count++;
        sums->value_count++;
    }
    lp_arena_put(&sums->arena, &attribute->by_key, key, value);
    return value;
}

// --- Counting

compact_longest *
compact_sums_find_longest(
    compact_sums *sums, compact_type_sums *type, int64_t duration_ns, int64_t begin)
{
    compact_sums_check(sums);
    if (type->longest == NULL) {
        type->longest = LP_ARENA_ARRAY(&sums->arena, compact_longest, HISTOGRAM_BUCKETS + 1);
        for (size_t i = 0; i <= HISTOGRAM_BUCKETS && type->longest != NULL; i++) {
            type->longest[i].duration_ns = -1;
        }
    }
    LP_REQUIRE(type->longest != NULL, NULL);
    compact_longest *longest = &type->longest[histogram_bucket(duration_ns) - HISTOGRAM_ZERO];
    if (!compact_longest_is_beaten(longest, duration_ns, begin)) {
        return NULL;
    }
    *longest = (compact_longest){.duration_ns = duration_ns, .begin = begin};
    return longest;
}

void
compact_sums_count(
    compact_type_sums *type, const compact_sums_values *values, int64_t duration_ns, bool is_kept)
{
    const compact_way way = is_kept ? COMPACT_COUNT_KEPT : COMPACT_COUNT_DROPPED;
    size_t place = (size_t)(histogram_bucket(duration_ns) - HISTOGRAM_ZERO);
    compact_counts_add(&type->counts, place, (uint64_t)duration_ns, way);
    for (size_t i = 0; i < type->attributes.count; i++) {
        compact_counts_add(
            type->attributes.items[i]->counts[values->of[i]], place, (uint64_t)duration_ns, way);
    }
}

int64_t
compact_sums_duration_ns(const compact_sums *sums, int64_t begin, int64_t end)
{
    compact_sums_check(sums);
    int64_t ticks;
    if (__builtin_sub_overflow(end, begin, &ticks) || ticks < 0) {
        return 0;
    }
    return jfr_clock_length_ns(&sums->clock, ticks);
}

void
compact_sums_note(compact_sums *sums, uint32_t plain)
{
    LP_ARENA_PUSH_BESIDE(&sums->arena, &sums->noted, plain);
}

static void
add_time(compact_counts *counts, const uint64_t time_ns[TIME_CATEGORY_COUNT], uint64_t left_ns)
{
    for (size_t i = 0; i < TIME_CATEGORY_COUNT; i++) {
        rollup_add_ns(&counts->time_ns[i], time_ns[i]);
    }
    rollup_add_ns(&counts->left_ns, left_ns);
}

void
compact_sums_add_time(compact_type_sums *type, const compact_sums_values *values,
    const uint64_t time_ns[TIME_CATEGORY_COUNT], uint64_t left_ns)
{
    add_time(&type->counts, time_ns, left_ns);
    for (size_t i = 0; i < type->attributes.count; i++) {
        add_time(type->attributes.items[i]->counts[values->of[i]], time_ns, left_ns);
    }
}

// --- Fields as texts

void
compact_field_texts_read(compact_sums *sums, const compact_kind *kind,
    const compact_reading *reading, jfr_cursor payload, compact_field_texts *out)
{
    LP_ASSERT(kind->attribute_count <= COMPACT_FIELD_TEXTS_MAX);
    *out = (compact_field_texts){0};
    lp_buf_clear(&sums->value);
    compact_kind_append_event(kind, reading, payload, false, &sums->value);
    lp_arena_note(&sums->arena, lp_buf_check(&sums->value));
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&sums->value));
    for (size_t i = 0; i < kind->attribute_count && !sums->arena.is_failed; i++) {
        uint64_t key;
        jfr_cursor text =
            jfr_cursor_over(compact_kind_next_value(&kind->attributes[i], &cursor, &key));
        lp_buf_clear(&sums->text);
        (void)jfr_string_read_utf8(&text, &sums->text);
        if (sums->text.len > 0 && sums->text.len <= COMPACT_FIELD_TEXT_BYTES_MAX) {
            memcpy(out->of[i], sums->text.ptr, sums->text.len);
        }
    }
}
