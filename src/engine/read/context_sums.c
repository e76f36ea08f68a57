// SPDX-License-Identifier: Apache-2.0
#include "engine/read/context_sums.h"

#include "common/base/lp_hash.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/kind_values.h"

#include <string.h>

static void
end_maps(compact_sums *sums)
{
    for (size_t i = 0; i < sums->types.count; i++) {
        for (size_t k = 0; k < sums->types.items[i]->attributes.count; k++) {
            lp_map_fini(&sums->types.items[i]->attributes.items[k]->by_key);
        }
    }
}

void
compact_sums_fini(compact_sums *sums)
{
    end_maps(sums);
    rollup_ids_fini(&sums->ids);
    LP_VEC_FINI(&sums->divided);
    LP_VEC_FINI(&sums->noted);
    lp_buf_fini(&sums->value);
    lp_buf_fini(&sums->text);
    lp_arena_fini(&sums->arena);
    *sums = (compact_sums){0};
}

void
compact_sums_begin(compact_sums *sums, const compact_view *view)
{
    compact_sums_fini(sums);
    sums->view = view;
    sums->clock = jfr_clock_make(0, 0, view->schema->ticks_per_s);
    sums->of_event =
        LP_ARENA_ARRAY(&sums->arena, compact_type_sums *, view->schema->metadata.types.count);
}

// --- Types and attributes

// add_type adds a type. NULL if there are too many, or memory ran out.
static compact_type_sums *
add_type(compact_sums *sums, const char *name, const policy_index *index)
{
    if (sums->types.count == COMPACT_SUMS_TYPES_MAX) {
        return NULL;
    }
    compact_type_sums *type = LP_ARENA_NEW(&sums->arena, compact_type_sums);
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
    for (size_t i = 0; i < sums->types.count; i++) {
        compact_type_sums *type = sums->types.items[i];
        if (!type->is_event && strcmp(type->name, name) == 0) {
            return type;
        }
    }
    return add_type(sums, name, index);
}

uint32_t
compact_sums_attribute(compact_sums *sums, compact_type_sums *type, const char *name)
{
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
        .is_id = rollup_id_is_trace(name) || rollup_id_is_span(name) ||
                 policy_index_has(type->index, name),
    };
    for (size_t i = 0; i < COMPACT_SUMS_RECENT; i++) {
        attribute->recent_keys[i] = i + 1; // which does not belong there
    }
    LP_ARENA_PUSH(&sums->arena, &type->attributes, attribute);
    return sums->arena.is_failed ? (uint32_t)LP_MAP_NONE : (uint32_t)type->attributes.count - 1;
}

// width_of returns how many bytes a value has, 0 of a number or a text.
static size_t
width_of(const struct compact_reading_value *value)
{
    if (value->pool != JFR_NONE) {
        return 0;
    }
    switch (value->primitive) {
    case CTX_BOOLEAN:
    case CTX_BYTE:
        return 1;
    case CTX_FLOAT:
        return 4;
    case CTX_DOUBLE:
        return 8;
    case CTX_CHAR:
    case CTX_SHORT:
    case CTX_INT:
    case CTX_LONG:
    case CTX_HEX:
    case CTX_STRING:
        break;
    }
    return 0;
}

// make_steps finds out how the attributes of the events of a type are read.
static void
make_steps(compact_sums *sums, compact_type_sums *type, uint32_t index)
{
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
    type->is_from_head = plan->has_plain_head;
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
            .is_string = value.pool == JFR_NONE && value.primitive == CTX_STRING,
            .width = width_of(&value),
            .value = value,
        };
        at = value.before.end + 1; // a value is one op
        LP_ARENA_PUSH(&sums->arena, &type->steps, step);
    }
}

static __attribute__((noinline)) compact_type_sums *
add_type_of_event(compact_sums *sums, uint32_t index)
{
    const compact_schema *schema = sums->view->schema;
    const jfr_metadata *metadata = &schema->metadata;
    compact_type_sums *type =
        add_type(sums, jfr_metadata_text(metadata, metadata->types.items[index].name),
            schema->plans[index].context_index);
    if (type != NULL) {
        type->is_event = true;
        make_steps(sums, type, index);
        sums->of_event[index] = type;
    }
    return sums->arena.is_failed ? NULL : type;
}

static inline compact_type_sums *
type_of_event(compact_sums *sums, uint32_t index)
{
    if (sums->arena.is_failed) {
        return NULL;
    }
    compact_type_sums *type = sums->of_event[index];
    return type != NULL ? type : add_type_of_event(sums, index);
}

// --- Values

static inline void
add_id(compact_sums *sums, lp_slice text, bool is_kept)
{
    uint64_t hash;
    if (!rollup_id_hash(text, &hash)) {
        return;
    }
    if (is_kept) {
        LP_ARENA_PUSH_BESIDE(&sums->arena, &sums->ids.kept, hash);
    } else {
        LP_ARENA_PUSH_BESIDE(&sums->arena, &sums->ids.dropped, hash);
    }
}

void
compact_sums_add_id(compact_sums *sums, lp_slice text, bool is_kept)
{
    add_id(sums, text, is_kept);
}

uint32_t
compact_sums_learn(compact_sums *sums, compact_attribute_sums *attribute, uint64_t key,
    lp_slice text, bool is_null)
{
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

// read_text makes the text of the value at cursor, as it is in answers. False: it is null.
static bool
read_text(compact_sums *sums, const compact_attribute_sums *attribute,
    const struct compact_reading_value *value, jfr_cursor cursor)
{
    const compact_kind kind = {.attribute_count = 1, .attributes = {{.name = attribute->name}}};
    compact_reading reading = {.pools = &sums->view->pools};
    reading.values[0] = *value;
    reading.values[0].before = (jfr_program){0, 0};
    lp_buf_clear(&sums->value);
    lp_buf_clear(&sums->text);
    compact_kind_append_event(&kind, &reading, cursor, false, &sums->value);
    lp_arena_note(&sums->arena, lp_buf_check(&sums->value));
    if (sums->arena.is_failed || value->is_reference || *sums->value.ptr == JFR_STRING_NULL) {
        return false;
    }
    jfr_cursor text = jfr_cursor_over(lp_buf_slice(&sums->value));
    bool is_text = jfr_string_read_utf8(&text, &sums->text);
    lp_arena_note(&sums->arena, lp_buf_check(&sums->text));
    return is_text && !sums->arena.is_failed;
}

// read_bytes reads a key of so many bytes.
static bool
read_bytes(jfr_cursor *cursor, size_t count, uint64_t *out_key)
{
    if (jfr_cursor_left(cursor) < count) {
        return false;
    }
    *out_key = 0;
    for (; count > 0; count--) {
        *out_key = *out_key << 8 | *cursor->at++;
    }
    return true;
}

// read_ascii moves cursor over a string that lies there in ASCII, as most do, in whatever encoding:
// a unit of UTF-16 below 0x80 is one byte, too. Returns false for any other, and does not move
// then.
static inline __attribute__((always_inline)) bool
read_ascii(jfr_cursor *cursor, lp_slice *out_text)
{
    const uint8_t *at = cursor->at;
    size_t left = jfr_cursor_left(cursor);
    if (left < 2 || at[0] < JFR_STRING_UTF8 || at[0] > JFR_STRING_LATIN1 || at[1] >= 0x80 ||
        left - 2 < at[1]) {
        return false;
    }
    const lp_slice text = {at + 2, at[1]};
    uint64_t bits = 0;
    size_t done = 0;
    for (uint64_t word; done + sizeof(word) <= text.len; done += sizeof(word)) {
        memcpy(&word, text.ptr + done, sizeof(word));
        bits |= word;
    }
    for (; done < text.len; done++) {
        bits |= text.ptr[done];
    }
    if ((bits & 0x8080808080808080u) != 0) {
        return false;
    }
    cursor->at = text.ptr + text.len;
    *out_text = text;
    return true;
}

// read_text_key moves cursor over a string and reads its key. *out_ascii is the text if it lies
// there in ASCII, else has no bytes. False if the event ends before.
static inline __attribute__((always_inline)) bool
read_text_key(jfr_cursor *cursor, bool needs_key, uint64_t *out_key, lp_slice *out_ascii)
{
    const uint8_t *begin = cursor->at;
    if (read_ascii(cursor, out_ascii)) {
        *out_key = needs_key ? lp_hash_bytes(lp_hash_seed(), *out_ascii) : 0;
        return true;
    }
    *out_ascii = (lp_slice){0};
    if (jfr_cursor_left(cursor) > 0 && *begin == JFR_STRING_CONSTANT) {
        cursor->at++;
        return jfr_varint_read(cursor, out_key);
    }
    if (!jfr_string_skip(cursor, out_key)) {
        return false;
    }
    if (needs_key) {
        const lp_slice bytes = {begin, (size_t)(cursor->at - begin)};
        *out_key = lp_hash_bytes(lp_hash_seed(), bytes);
    }
    return true;
}

// drop_step leaves out an attribute that nobody asks for any more: the next one skips it, too.
static void
drop_step(compact_type_sums *type, size_t index)
{
    uint32_t begin = type->steps.items[index].skip.begin;
    memmove(&type->steps.items[index], &type->steps.items[index + 1],
        (type->steps.count - index - 1) * sizeof(compact_sums_step));
    type->steps.count--;
    if (index < type->steps.count) {
        type->steps.items[index].skip.begin = begin;
    }
}

static __attribute__((noinline)) uint32_t
learn_value(compact_sums *sums, const compact_sums_step *step, uint64_t key, jfr_cursor cursor)
{
    compact_attribute_sums *attribute = step->attribute;
    bool is_null = !read_text(sums, attribute, &step->value, cursor);
    return compact_sums_learn(sums, attribute, key, lp_buf_slice(&sums->text), is_null);
}

// note_id notes the id that a value is.
static inline void
note_id(compact_sums *sums, const compact_sums_step *step, lp_slice ascii, jfr_cursor cursor,
    compact_id_use ids)
{
    if (ascii.len > 0) {
        add_id(sums, ascii, ids == COMPACT_IDS_KEPT);
    } else if (read_text(sums, step->attribute, &step->value, cursor)) {
        add_id(sums, lp_buf_slice(&sums->text), ids == COMPACT_IDS_KEPT);
    }
}

// skip_fields moves cursor over fields, of which most are a few numbers.
static inline __attribute__((always_inline)) bool
skip_fields(const compact_sums *sums, jfr_program skip, jfr_cursor *cursor)
{
    const jfr_layout *layout = &sums->view->schema->layout;
    uint32_t count = skip.end - skip.begin;
    if (layout->ops.items[skip.begin].varint_run < count) {
        return jfr_layout_walk(layout, skip, cursor);
    }
    while (count > 0 && jfr_varint_skip(cursor)) {
        count--;
    }
    return count == 0;
}

// read_step moves cursor over the value of a step, and finds it. False if the event ends before.
static inline __attribute__((always_inline)) bool
read_step(compact_sums *sums, const compact_sums_step *step, jfr_cursor *cursor, compact_id_use ids,
    uint32_t *out_value)
{
    compact_attribute_sums *attribute = step->attribute;
    bool needs_key = !attribute->has_too_many;
    uint64_t key;
    if (step->skip.begin != step->skip.end && !skip_fields(sums, step->skip, cursor)) {
        return false;
    }
    const jfr_cursor begin = *cursor;
    lp_slice ascii = {0};
    bool is_whole = step->is_string    ? read_text_key(cursor, needs_key, &key, &ascii)
                    : step->width != 0 ? read_bytes(cursor, step->width, &key)
                                       : jfr_varint_read(cursor, &key);
    if (!is_whole) {
        return false;
    }
    if (attribute->is_id && ids != COMPACT_IDS_IGNORED) {
        note_id(sums, step, ascii, begin, ids);
    }
    *out_value = needs_key ? compact_sums_find_key(attribute, key) : COMPACT_VALUE_NONE;
    if (*out_value == LP_MAP_NONE) {
        *out_value = learn_value(sums, step, key, begin);
    }
    return true;
}

// --- Counting

static inline void
count_in(compact_counts *counts, size_t place, uint64_t ns, bool is_of_all, bool is_kept)
{
    if (is_of_all) {
        counts->all[place]++;
        rollup_add_ns(&counts->all_ns, ns);
    }
    if (is_kept) {
        counts->kept[place]++;
        rollup_add_ns(&counts->kept_ns, ns);
    }
}

compact_longest *
compact_sums_find_longest(
    compact_sums *sums, compact_type_sums *type, int64_t duration_ns, int64_t begin)
{
    if (type->longest == NULL) {
        type->longest = LP_ARENA_ARRAY(&sums->arena, compact_longest, HISTOGRAM_BUCKETS + 1);
        for (size_t i = 0; i <= HISTOGRAM_BUCKETS && type->longest != NULL; i++) {
            type->longest[i].duration_ns = -1;
        }
    }
    if (type->longest == NULL) {
        return NULL;
    }
    compact_longest *longest = &type->longest[histogram_bucket(duration_ns) - HISTOGRAM_ZERO];
    bool is_longer = duration_ns > longest->duration_ns ||
                     (duration_ns == longest->duration_ns && begin < longest->begin);
    if (!is_longer) {
        return NULL;
    }
    *longest = (compact_longest){.duration_ns = duration_ns, .begin = begin};
    return longest;
}

void
compact_sums_count(compact_type_sums *type, const compact_sums_values *values, int64_t duration_ns,
    bool is_of_all, bool is_kept)
{
    size_t place = (size_t)(histogram_bucket(duration_ns) - HISTOGRAM_ZERO);
    count_in(&type->counts, place, (uint64_t)duration_ns, is_of_all, is_kept);
    for (size_t i = 0; i < type->attributes.count; i++) {
        if (values->of[i] != COMPACT_VALUE_NONE) {
            compact_counts *counts = type->attributes.items[i]->counts[values->of[i]];
            count_in(counts, place, (uint64_t)duration_ns, is_of_all, is_kept);
        }
    }
}

int64_t
compact_sums_duration_ns(const compact_sums *sums, int64_t begin, int64_t end)
{
    int64_t ticks;
    if (__builtin_sub_overflow(end, begin, &ticks) || ticks < 0) {
        return 0;
    }
    return jfr_clock_length_ns(&sums->clock, ticks);
}

// read_trace reads the id of the trace of an event.
static void
read_trace(compact_sums *sums, const compact_type_sums *type, jfr_cursor cursor,
    char out_trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1])
{
    for (size_t i = 0; i < type->steps.count; i++) {
        const compact_sums_step *step = &type->steps.items[i];
        jfr_cursor begin = cursor;
        uint32_t value;
        if (!read_step(sums, step, &cursor, COMPACT_IDS_IGNORED, &value)) {
            return;
        }
        if (step->attribute->is_trace &&
            jfr_layout_walk(&sums->view->schema->layout, step->skip, &begin) &&
            read_text(sums, step->attribute, &step->value, begin)) {
            compact_longest_set_trace(out_trace, lp_buf_slice(&sums->text));
        }
    }
}

// note_longest notes an event if it is the longest of its bucket.
static __attribute__((noinline)) void
note_longest(compact_sums *sums, compact_type_sums *type, jfr_cursor fields, int64_t duration_ns,
    int64_t begin, uint32_t thread)
{
    compact_longest *longest = compact_sums_find_longest(sums, type, duration_ns, begin);
    if (longest != NULL) {
        longest->thread = thread;
        read_trace(sums, type, fields, longest->trace);
    }
}

// count_event counts an event whose fields begin where the steps of its type do.
static inline __attribute__((always_inline)) void
count_event(compact_sums *sums, compact_type_sums *type, jfr_cursor fields, int64_t begin,
    int64_t commit, uint32_t thread, bool is_of_all, bool is_kept)
{
    const compact_id_use ids = is_kept ? COMPACT_IDS_KEPT : COMPACT_IDS_DROPPED;
    int64_t duration_ns = compact_sums_duration_ns(sums, begin, commit);
    size_t place = (size_t)(histogram_bucket(duration_ns) - HISTOGRAM_ZERO);
    count_in(&type->counts, place, (uint64_t)duration_ns, is_of_all, is_kept);
    jfr_cursor cursor = fields;
    for (size_t i = 0; i < type->steps.count; i++) {
        compact_attribute_sums *attribute = type->steps.items[i].attribute;
        uint32_t value;
        if (attribute->has_too_many && !attribute->is_id) {
            drop_step(type, i--);
            continue;
        }
        if (!read_step(sums, &type->steps.items[i], &cursor, ids, &value)) {
            break;
        }
        if (value != COMPACT_VALUE_NONE) {
            count_in(attribute->counts[value], place, (uint64_t)duration_ns, is_of_all, is_kept);
        }
    }
    if (is_kept) {
        note_longest(sums, type, fields, duration_ns, begin, thread);
    }
}

void
compact_sums_add_event(compact_sums *sums, uint32_t type, jfr_cursor fields, int64_t begin,
    int64_t commit, uint32_t thread, bool is_kept)
{
    compact_type_sums *counted = type_of_event(sums, type);
    if (counted != NULL) {
        count_event(sums, counted, fields, begin, commit, thread, true, is_kept);
    } else {
        sums->contexts_left_out++;
    }
}

// fields_of returns where the steps of the type of an event begin to read it. False if it ends
// before.
static bool
fields_of(const compact_sums *sums, const compact_type_sums *type, const compact_event *event,
    jfr_cursor *out_fields)
{
    const compact_schema *schema = sums->view->schema;
    const jfr_program head = {schema->layout.types.items[event->type].begin,
        schema->plans[event->type].after_thread.begin};
    *out_fields = event->payload;
    return !type->is_from_head || jfr_layout_walk(&schema->layout, head, out_fields);
}

compact_type_sums *
compact_sums_find_event(
    compact_sums *sums, const compact_event *event, compact_sums_values *out_values)
{
    compact_type_sums *type = type_of_event(sums, event->type);
    jfr_cursor cursor;
    memset(out_values->of, COMPACT_VALUE_NONE, sizeof(out_values->of));
    if (type == NULL || !fields_of(sums, type, event, &cursor)) {
        return NULL;
    }
    for (size_t i = 0; i < type->steps.count; i++) {
        const compact_sums_step *step = &type->steps.items[i];
        uint32_t value;
        if (!read_step(sums, step, &cursor, COMPACT_IDS_IGNORED, &value)) {
            break;
        }
        out_values->of[step->index] = (uint8_t)value;
    }
    return type;
}

void
compact_sums_keep(
    compact_sums *sums, const compact_event *event, int64_t begin, int64_t commit, uint32_t thread)
{
    compact_type_sums *type = type_of_event(sums, event->type);
    jfr_cursor fields;
    if (type != NULL && fields_of(sums, type, event, &fields)) {
        count_event(sums, type, fields, begin, commit, thread, false, true);
    }
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
        if (values->of[i] != COMPACT_VALUE_NONE) {
            add_time(type->attributes.items[i]->counts[values->of[i]], time_ns, left_ns);
        }
    }
}
