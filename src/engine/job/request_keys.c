// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request_keys.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/jfr/jfr_string.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/contexts/value.h"
#include "engine/read/kind_values.h"
#include "engine/read/kinds.h"

#include <string.h>

// How the contexts of a type name their request.
struct compact_request_key_plan {
    size_t attribute; // whose value is the key; SIZE_MAX: none
    uint64_t seed;    // of keys: the hash of the attribute's name
    bool is_rooted;   // roots say when such requests begin and end
};

// What the entries of a map name.
struct compact_request_map_key {
    uint64_t key; // 0: none
    bool is_rooted;
};

// How the events of a type do: by a kind whose only attribute is the key.
struct compact_request_event_plan {
    compact_kind kind;
    compact_reading reading;
    compact_request_key_plan key;
};

// Of types whose events name none.
static const compact_request_event_plan no_event_plan;

// --- Values

static uint64_t
seed_of(const char *name)
{
    return lp_hash_text(LP_HASH_FIXED, name) | 1;
}

static uint64_t
key_of_bits(uint64_t seed, uint64_t bits)
{
    uint64_t key = lp_hash_number(seed, bits);
    return key == 0 ? 1 : key;
}

uint64_t
compact_request_keys_root(const char *attribute, uint64_t bits)
{
    return key_of_bits(seed_of(attribute), bits);
}

// parse_hex reads 16 hexadecimal digits.
static bool
parse_hex(lp_slice text, uint64_t *out_bits)
{
    enum { DIGITS = 16 };
    uint64_t bits = 0;
    for (size_t i = 0; i < text.len && text.len == DIGITS; i++) {
        uint8_t c = text.ptr[i];
        bool is_digit = c >= '0' && c <= '9';
        bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
        if (!is_digit && !is_letter) {
            return false;
        }
        bits = bits << 4 | (uint64_t)(is_digit ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    *out_bits = bits;
    return text.len == DIGITS;
}

// parse_decimal reads a long as Java writes it.
static bool
parse_decimal(lp_slice text, uint64_t *out_bits)
{
    bool is_negative = text.len > 1 && text.ptr[0] == '-';
    size_t begin = is_negative ? 1 : 0;
    bool is_padded = text.len - begin > 1 && text.ptr[begin] == '0';
    int64_t value = 0;
    for (size_t i = begin; i < text.len; i++) {
        int digit = text.ptr[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, digit, &value)) { // there is one more below 0 than above
            return false;
        }
    }
    *out_bits = is_negative ? (uint64_t)value : 0 - (uint64_t)value;
    return text.len > begin && !is_padded && (is_negative ? value < 0 : value > INT64_MIN);
}

static uint64_t
key_of_text(uint64_t seed, lp_slice text)
{
    uint64_t bits;
    if (text.len == 0) {
        return 0;
    }
    if (parse_decimal(text, &bits) || parse_hex(text, &bits)) {
        return bits == 0 ? 0 : key_of_bits(seed, bits);
    }
    uint64_t key = lp_hash_bytes(seed, text);
    return key == 0 ? 1 : key;
}

// key_of_read returns the key of the text in keys->value, as kind_values.h has it.
static uint64_t
key_of_read(compact_request_keys *keys, uint64_t seed)
{
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&keys->value));
    bool is_null = keys->value.len == 0 || keys->value.ptr[0] == JFR_STRING_NULL;
    lp_buf_clear(&keys->text);
    return !is_null && jfr_string_read_utf8(&cursor, &keys->text)
               ? key_of_text(seed, lp_buf_slice(&keys->text))
               : 0;
}

static uint64_t
key_of_value(compact_request_keys *keys, uint64_t seed, ctx_kind kind, const compact_value *value)
{
    if (kind == CTX_LONG || kind == CTX_HEX) {
        return value->bits == 0 ? 0 : key_of_bits(seed, value->bits);
    }
    if (kind != CTX_STRING) {
        lp_buf_clear(&keys->value);
        compact_kind_append_bits(kind, value->bits, &keys->value);
        return key_of_read(keys, seed);
    }
    if (value->is_null) {
        return 0;
    }
    lp_buf_clear(&keys->text);
    compact_value_append_utf8(value, &keys->text);
    return key_of_text(seed, lp_buf_slice(&keys->text));
}

// --- Names

// is_named returns whether the values of this name are keys: the policy says so, or tracers name
// the first span of a request in a process so.
static bool
is_named(const compact_request_keys *keys, const char *name)
{
    static const char *const usual[] = {
        "local_root_span_id", "rootspanid", "localRootSpanId", "local root span id"};
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
        if (strcmp(name, usual[i]) == 0) {
            return true;
        }
    }
    return policy_index_has(keys->wanted->by, name);
}

// is_rooted returns whether roots say when the requests begin and end whose key is the value of
// this attribute.
static bool
is_rooted(const compact_request_keys *keys, const char *attribute)
{
    for (size_t i = 0; i < keys->roots->count; i++) {
        const ctx_type *type = &keys->roots->items[i];
        if (type->is_root && strcmp(type->attributes[0].name, attribute) == 0) {
            return true;
        }
    }
    return false;
}

static void
take_key(compact_request_part *part, uint64_t key, bool has_root)
{
    part->source = COMPACT_REQUEST_BY_ATTRIBUTE;
    part->key = key;
    part->is_rooted = has_root;
}

// --- Contexts

// plan_key plans by which attribute contexts of a type name their request.
static compact_request_key_plan
plan_key(const compact_request_keys *keys, const ctx_type *type)
{
    compact_request_key_plan plan = {.attribute = SIZE_MAX};
    for (size_t i = 0; i < type->attribute_count && !type->is_recording; i++) {
        bool is_better = plan.attribute == SIZE_MAX && is_named(keys, type->attributes[i].name);
        if (is_better || type->attributes[i].is_root_key) {
            plan.attribute = i;
        }
        if (type->attributes[i].is_root_key) {
            break;
        }
    }
    if (plan.attribute != SIZE_MAX) {
        plan.seed = seed_of(type->attributes[plan.attribute].name);
        plan.is_rooted = is_rooted(keys, type->attributes[plan.attribute].name);
    }
    return plan;
}

void
compact_request_keys_init(compact_request_keys *keys, const compact_frame *frame,
    const compact_carry_types *roots, const policy_requests *wanted, lp_arena *arena)
{
    LP_ASSERT(compact_frame_is_open(frame));
    *keys = (compact_request_keys){
        .frame = frame,
        .roots = roots,
        .wanted = wanted,
        .arena = arena,
        .plans = LP_ARENA_ARRAY(arena, compact_request_key_plan, frame->type_count),
    };
    for (size_t i = 0; i < frame->type_count && keys->plans != NULL; i++) {
        keys->plans[i] = plan_key(keys, &frame->types[i]);
    }
}

void
compact_request_keys_fini(compact_request_keys *keys)
{
    lp_arena_note(keys->arena, lp_buf_check(&keys->value));
    lp_arena_note(keys->arena, lp_buf_check(&keys->text));
    lp_buf_fini(&keys->value);
    lp_buf_fini(&keys->text);
    lp_map_fini(&keys->by_map);
}

// read_attribute reads the value of an attribute of a context. False if it is damaged.
static bool
read_attribute(const compact_request_keys *keys, const compact_context *context,
    const ctx_type *type, size_t attribute, compact_value *out)
{
    compact_values values = compact_contexts_values(keys->frame->contexts, context);
    for (size_t i = 0; i <= attribute; i++) {
        if (!compact_values_read(&values, type->attributes[i].kind, out)) {
            return false;
        }
    }
    return true;
}

// key_of_map returns what the first entry names that names a request.
static compact_request_map_key
key_of_map(const compact_request_keys *keys, const ctx_recording *map)
{
    for (size_t i = 0; map != NULL && i < map->entry_count; i++) {
        const ctx_entry *entry = &map->entries[i];
        uint64_t key = entry->is_null || !is_named(keys, entry->key)
                           ? 0
                           : key_of_text(seed_of(entry->key), entry->value);
        if (key != 0) {
            return (compact_request_map_key){key, is_rooted(keys, entry->key)};
        }
    }
    return (compact_request_map_key){0};
}

// find_in_map finds the key in the entries of a RecordingContext, whose part has that of the API.
// If that has a root it stays the first. Many contexts have one map, so it is looked at once.
static void
find_in_map(compact_request_keys *keys, const compact_context *context, compact_request_part *part)
{
    uint64_t id = compact_recordings_id(keys->frame->contexts, context);
    uint32_t index = lp_map_find(&keys->by_map, id);
    if (index == LP_MAP_NONE) {
        const ctx_recording *map = compact_recordings_find(keys->frame->recordings, id);
        index = (uint32_t)keys->map_keys.count;
        LP_ARENA_PUSH(keys->arena, &keys->map_keys, key_of_map(keys, map));
        lp_arena_put(keys->arena, &keys->by_map, id, index);
    }
    if (keys->arena->is_failed || keys->map_keys.items[index].key == 0) {
        return;
    }
    if (part->is_rooted) {
        part->also = keys->map_keys.items[index].key;
    } else {
        take_key(part, keys->map_keys.items[index].key, keys->map_keys.items[index].is_rooted);
    }
}

void
compact_request_keys_context(compact_request_keys *keys, const compact_context *context,
    size_t type, compact_request_part *part)
{
    const compact_request_key_plan *plan = &keys->plans[type];
    const ctx_type *described = &keys->frame->types[type];
    compact_value value;
    if (described->is_recording) {
        part->source = COMPACT_REQUEST_BY_API;
        part->key = compact_recordings_request(keys->frame->contexts, context);
        part->is_rooted = compact_recordings_is_rooted(part->key);
        find_in_map(keys, context, part);
    } else if (plan->attribute != SIZE_MAX &&
               read_attribute(keys, context, described, plan->attribute, &value)) {
        ctx_kind kind = described->attributes[plan->attribute].kind;
        take_key(part, key_of_value(keys, plan->seed, kind, &value), plan->is_rooted);
    }
}

// --- Contextual events

// plan_field plans how events of a type are read by a field of this name, as a text. NULL: it has
// none, or memory ran out.
static const compact_request_event_plan *
plan_field(const compact_request_keys *keys, uint32_t type, const char *name)
{
    const jfr_metadata *metadata = &keys->view->schema->metadata;
    const compact_kind kind = {.attribute_count = 1, .attributes = {{.name = name}}};
    const compact_reading reading = compact_reading_make(&kind, metadata, type, &keys->view->pools);
    compact_request_event_plan *plan =
        reading.values[0].is_there ? LP_ARENA_NEW(keys->arena, compact_request_event_plan) : NULL;
    if (plan != NULL) {
        plan->kind = kind;
        plan->reading = reading;
        plan->key.seed = seed_of(name);
        plan->key.is_rooted = is_rooted(keys, name);
    }
    return plan;
}

// plan_event plans by which field the events of a type name their request; by none: no_event_plan.
static const compact_request_event_plan *
plan_event(compact_request_keys *keys, uint32_t type)
{
    const jfr_metadata *metadata = &keys->view->schema->metadata;
    const jfr_type *t = &metadata->types.items[type];
    for (uint32_t i = t->field_begin; i < t->field_begin + t->field_count; i++) {
        const char *name = jfr_metadata_text(metadata, metadata->fields.items[i].name);
        bool is_key = is_named(keys, name) && compact_kinds_is_attribute(metadata, type, i);
        const compact_request_event_plan *plan = is_key ? plan_field(keys, type, name) : NULL;
        if (plan != NULL) {
            keys->has_events = true;
            return plan;
        }
    }
    return &no_event_plan;
}

// find_plan returns the plan of a type of the view; NULL where memory ran out.
static const compact_request_event_plan *
find_plan(compact_request_keys *keys, const compact_view *view, uint32_t type)
{
    if (keys->view != view) {
        size_t count = view->schema->metadata.types.count;
        keys->view = view;
        keys->events = LP_ARENA_ARRAY(keys->arena, const compact_request_event_plan *, count);
    }
    if (keys->events != NULL && keys->events[type] == NULL) {
        keys->events[type] = plan_event(keys, type);
    }
    return keys->events == NULL ? NULL : keys->events[type];
}

void
compact_request_keys_event(compact_request_keys *keys, const compact_view *view,
    const compact_event *event, compact_request_part *part)
{
    const compact_request_event_plan *plan = find_plan(keys, view, event->type);
    if (plan == NULL || plan == &no_event_plan) {
        return;
    }
    lp_buf_clear(&keys->value);
    compact_kind_append_event(&plan->kind, &plan->reading, event->payload, false, &keys->value);
    uint64_t key = key_of_read(keys, plan->key.seed);
    if (key != 0) {
        take_key(part, key, plan->key.is_rooted);
    }
}
