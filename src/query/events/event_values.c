// SPDX-License-Identifier: Apache-2.0
#include "query/events/event_values.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/jfr/jfr_clock.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/text.h"
#include "query/frames/frames.h"
#include "query/select/json_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The event, and the limits that are left.
typedef struct reader {
    query_chunk *chunk;
    const jfr_metadata *metadata;
    const jfr_layout *layout;
    jfr_clock clock; // of the chunk
    size_t values_left;
    size_t bytes_left;
    unsigned depth;
    bool is_truncated;
} reader;

static json_t *read_value(reader *r, uint32_t type, jfr_cursor cursor);

static const char *
name_of_type(const reader *r, uint32_t type)
{
    return jfr_metadata_text(r->metadata, r->metadata->types.items[type].name);
}

// count_value takes the room for a value. False if there is none.
static bool
count_value(reader *r)
{
    LP_DEBUG_ASSERT(r->values_left <= QUERY_EVENT_VALUES_MAX && r->depth <= QUERY_EVENT_DEPTH_MAX);
    if (r->values_left == 0) {
        r->is_truncated = true;
        return false;
    }
    r->values_left--;
    return true;
}

// --- Texts

static json_t *
text_json(reader *r, lp_slice text)
{
    size_t len = compact_text_cut(text, r->bytes_left);
    r->is_truncated |= len < text.len;
    r->bytes_left -= len;
    return query_json_text((lp_slice){text.ptr, len});
}

static json_t *
read_string(reader *r, jfr_cursor cursor, unsigned depth)
{
    jfr_cursor rest = cursor;
    uint64_t key;
    if (!jfr_string_skip(&rest, &key) || *cursor.at == JFR_STRING_NULL) {
        return json_null();
    }
    if (*cursor.at == JFR_STRING_CONSTANT) {
        uint32_t type = r->layout->string_type;
        const jfr_pools *pools = &r->chunk->view.pools;
        const jfr_constant *constant =
            type == JFR_NONE || depth > 0 ? NULL : jfr_pools_find(pools, type, key);
        const uint8_t *value = constant == NULL ? NULL : pools->chunk.ptr + constant->offset;
        return constant == NULL
                   ? json_null()
                   : read_string(r, (jfr_cursor){value, value + constant->size_bytes}, depth + 1);
    }
    lp_buf text = {0};
    bool is_read = jfr_string_read_utf8(&cursor, &text);
    json_t *json = text.is_failed ? NULL
                   : is_read      ? text_json(r, lp_buf_slice(&text))
                                  : json_null();
    lp_buf_fini(&text);
    return json;
}

// --- Numbers

typedef enum number_kind { INTEGER, BYTE, BOOLEAN, CHARACTER, FLOAT, DOUBLE } number_kind;

typedef struct number_type {
    const char *name;
    number_kind kind;
    unsigned bits;
} number_type;

static const number_type *
find_number(const char *name)
{
    static const number_type types[] = {
        {"long", INTEGER, 64},
        {"int", INTEGER, 32},
        {"short", INTEGER, 16},
        {"byte", BYTE, 8},
        {"boolean", BOOLEAN, 8},
        {"char", CHARACTER, 16},
        {"float", FLOAT, 32},
        {"double", DOUBLE, 64},
    };
    return LP_FIND(types, LP_COUNT(types), strcmp(name, at->name) == 0);
}

// read_bits reads the bits of a number: a varint, or bytes in big-endian order.
static bool
read_bits(const number_type *type, jfr_cursor *cursor, uint64_t *out_bits)
{
    if (type->kind == INTEGER || type->kind == CHARACTER) {
        return jfr_varint_read(cursor, out_bits);
    }
    size_t bytes = type->bits / 8;
    *out_bits = 0;
    for (size_t i = 0; i < bytes && bytes <= jfr_cursor_left(cursor); i++) {
        *out_bits = *out_bits << 8 | cursor->at[i];
    }
    return jfr_cursor_skip(cursor, bytes);
}

// single_json returns the shortest decimal number that is this float: 0.1 has more digits as a
// double.
static json_t *
single_json(float single)
{
    lp_buf text = {0};
    if (!isfinite(single)) {
        return query_json_real((double)single);
    }
    compact_text_append_float(&text, single);
    lp_buf_append(&text, "", 1);
    json_t *json = text.is_failed ? NULL : query_json_real(strtod((const char *)text.ptr, NULL));
    lp_buf_fini(&text);
    return json;
}

static json_t *
real_json(const number_type *type, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float single;
    double value;
    memcpy(&single, &low, sizeof(single));
    memcpy(&value, &bits, sizeof(value));
    return type->kind == FLOAT ? single_json(single) : query_json_real(value);
}

static json_t *
character_json(reader *r, uint64_t bits)
{
    const uint8_t utf16[] = {(uint8_t)bits, (uint8_t)(bits >> 8)};
    lp_buf text = {0};
    jfr_utf8_append_utf16(&text, (lp_slice){utf16, sizeof(utf16)});
    json_t *json = text.is_failed ? NULL : text_json(r, lp_buf_slice(&text));
    lp_buf_fini(&text);
    return json;
}

// scale_of returns the ns of a unit of an annotation; 0 for others.
static int64_t
scale_of(const char *unit)
{
    static const struct unit {
        const char *name;
        int64_t ns;
    } units[] = {
        {"NANOSECONDS", 1},
        {"MICROSECONDS", 1000},
        {"MILLISECONDS", 1000000},
        {"SECONDS", 1000000000},
        {"MILLISECONDS_SINCE_EPOCH", 1000000},
        {"NANOSECONDS_SINCE_EPOCH", 1},
    };
    const struct unit *found = LP_FIND(units, LP_COUNT(units), strcmp(unit, at->name) == 0);
    return found == NULL ? 0 : found->ns;
}

static int64_t
scale(int64_t number, int64_t ns)
{
    int64_t scaled;
    return !__builtin_mul_overflow(number, ns, &scaled) ? scaled
           : number < 0                                 ? INT64_MIN
                                                        : INT64_MAX;
}

static const char *
find_annotation(const reader *r, const jfr_field *field, const char *name)
{
    return field == NULL ? NULL : jfr_metadata_find_annotation(r->metadata, field->element, name);
}

// time_json returns a number as a time, by its field; NULL if it is no time. INT64_MIN means no
// time.
static json_t *
time_json(const reader *r, const jfr_field *field, int64_t number)
{
    const char *point = find_annotation(r, field, "jdk.jfr.Timestamp");
    const char *length = find_annotation(r, field, "jdk.jfr.Timespan");
    if (number == INT64_MIN && (point != NULL || length != NULL)) {
        return json_null();
    }
    if (field != NULL && field->ticks == JFR_TICKS_POINT) {
        return query_json_wall_ns(jfr_clock_wall_ns(&r->clock, number));
    }
    if (field != NULL && field->ticks == JFR_TICKS_LENGTH) {
        return query_json_integer(jfr_clock_length_ns(&r->clock, number));
    }
    if (point != NULL && scale_of(point) != 0) {
        return query_json_wall_ns(scale(number, scale_of(point)));
    }
    return length != NULL && scale_of(length) != 0
               ? query_json_integer(scale(number, scale_of(length)))
               : NULL;
}

static bool
is_unsigned(const reader *r, const jfr_field *field)
{
    const jfr_element *elements = r->metadata->elements.items;
    uint32_t child = field == NULL ? (uint32_t)JFR_NONE : elements[field->element].first_child;
    for (; child != JFR_NONE; child = elements[child].next_sibling) {
        if (jfr_metadata_is_annotation(r->metadata, child, "jdk.jfr.Unsigned")) {
            return true;
        }
    }
    return false;
}

static json_t *
integer_json(const reader *r, const jfr_field *field, unsigned bits, uint64_t value)
{
    unsigned above = 64 - bits;
    if (is_unsigned(r, field)) {
        value = value << above >> above;
        return value > INT64_MAX ? json_sprintf("%" PRIu64, value)
                                 : query_json_integer((int64_t)value);
    }
    int64_t number = (int64_t)(value << above) >> above;
    json_t *time = time_json(r, field, number);
    return time != NULL ? time : query_json_integer(number);
}

// read_number reads a number. field has it, or is NULL.
static json_t *
read_number(reader *r, const number_type *type, const jfr_field *field, jfr_cursor cursor)
{
    uint64_t bits;
    if (!read_bits(type, &cursor, &bits)) {
        return json_null();
    }
    switch (type->kind) {
    case BOOLEAN:
        return json_boolean(bits != 0);
    case CHARACTER:
        return character_json(r, bits);
    case FLOAT:
    case DOUBLE:
        return real_json(type, bits);
    case INTEGER:
    case BYTE:
        break;
    }
    return integer_json(r, field, type->bits, bits);
}

// --- Constants

static json_t *read_constant(reader *r, uint32_t type, uint64_t key);

typedef enum named_kind { NAMED_OTHER, NAMED_CLASS, NAMED_METHOD } named_kind;

static named_kind
kind_of(const reader *r, uint32_t type)
{
    const char *name = name_of_type(r, type);
    return strcmp(name, "java.lang.Class") == 0    ? NAMED_CLASS
           : strcmp(name, "jdk.types.Method") == 0 ? NAMED_METHOD
                                                   : NAMED_OTHER;
}

// read_named reads a field of a structure if it is a constant of the kind, so that the recursion
// ends.
static json_t *
read_named(reader *r, uint32_t type, const char *name, named_kind kind, jfr_cursor cursor)
{
    query_place place = query_chunk_place(r->chunk, type, name);
    uint64_t key;
    bool is_there = place.is_there && kind_of(r, place.type) == kind &&
                    jfr_layout_walk(r->layout, place.before, &cursor) &&
                    jfr_varint_read(&cursor, &key);
    return is_there ? read_constant(r, place.type, key) : json_null();
}

static json_t *
class_json(reader *r, uint32_t type, jfr_cursor cursor)
{
    json_t *name = read_named(r, type, "name", NAMED_OTHER, cursor);
    if (!json_is_string(name)) {
        return name;
    }
    lp_buf text = {0};
    lp_buf_append(&text, json_string_value(name), json_string_length(name));
    for (size_t i = 0; i < text.len; i++) {
        text.ptr[i] = text.ptr[i] == '/' ? '.' : text.ptr[i];
    }
    json_decref(name);
    json_t *json = text.is_failed ? NULL : query_json_text(lp_buf_slice(&text));
    lp_buf_fini(&text);
    return json;
}

static json_t *
method_json(reader *r, uint32_t type, jfr_cursor cursor)
{
    json_t *class = read_named(r, type, "type", NAMED_CLASS, cursor);
    json_t *name = read_named(r, type, "name", NAMED_OTHER, cursor);
    const char *class_name = json_string_value(class);
    const char *own_name = json_string_value(name);
    json_t *json = class == NULL || name == NULL
                       ? NULL
                       : json_sprintf("%s.%s", class_name == NULL ? "" : class_name,
                             own_name == NULL ? "" : own_name);
    json_decref(class);
    json_decref(name);
    return json;
}

static json_t *
thread_json(reader *r, uint64_t key)
{
    int64_t java_id;
    const char *name =
        query_names_text(r->chunk->names, query_chunk_thread(r->chunk, key, &java_id));
    return text_json(r, (lp_slice){(const uint8_t *)name, strlen(name)});
}

static json_t *
read_constant(reader *r, uint32_t type, uint64_t key)
{
    const jfr_pools *pools = &r->chunk->view.pools;
    const jfr_constant *constant = jfr_pools_find(pools, type, key);
    if (constant == NULL || r->depth == QUERY_EVENT_DEPTH_MAX) {
        r->is_truncated |= constant != NULL;
        return json_null();
    }
    const uint8_t *value = pools->chunk.ptr + constant->offset;
    jfr_cursor cursor = {value, value + constant->size_bytes};
    named_kind kind = kind_of(r, type);
    r->depth++;
    json_t *json = type == r->chunk->view.schema->thread_type ? thread_json(r, key)
                   : kind == NAMED_CLASS                      ? class_json(r, type, cursor)
                   : kind == NAMED_METHOD                     ? method_json(r, type, cursor)
                                                              : read_value(r, type, cursor);
    r->depth--;
    return json;
}

// --- Fields

// program_of returns the program that skips a field of a type.
static jfr_program
program_of(const reader *r, const jfr_type *type, uint32_t type_index, uint32_t field)
{
    bool is_last = field + 1 == type->field_begin + type->field_count;
    return (jfr_program){
        .begin = r->layout->field_ops.items[field],
        .end = is_last ? r->layout->types.items[type_index].end
                       : r->layout->field_ops.items[field + 1],
    };
}

static json_t *
read_array(reader *r, const jfr_field *field, jfr_cursor cursor)
{
    uint64_t count;
    if (!jfr_varint_read(&cursor, &count)) {
        return json_null();
    }
    json_t *array = json_array();
    size_t done = 0;
    for (bool is_whole = true; done < count && is_whole && count_value(r); done++) {
        jfr_cursor item = cursor;
        uint64_t key = 0;
        is_whole = field->is_constant
                       ? jfr_varint_read(&cursor, &key)
                       : jfr_layout_walk(r->layout, r->layout->types.items[field->type], &cursor);
        (void)json_array_append_new(array, !is_whole            ? json_null()
                                           : field->is_constant ? read_constant(r, field->type, key)
                                                                : read_value(r, field->type, item));
    }
    return query_json_whole(array, done);
}

static json_t *
read_field(reader *r, const jfr_field *field, jfr_cursor cursor)
{
    uint64_t key;
    if (field->type == JFR_NONE || !count_value(r)) {
        return json_null();
    }
    if (field->is_array) {
        return read_array(r, field, cursor);
    }
    if (field->is_constant) {
        return jfr_varint_read(&cursor, &key) ? read_constant(r, field->type, key) : json_null();
    }
    const number_type *number = r->metadata->types.items[field->type].field_count > 0
                                    ? NULL
                                    : find_number(name_of_type(r, field->type));
    return number != NULL ? read_number(r, number, field, cursor)
                          : read_value(r, field->type, cursor);
}

static bool
is_simple(const reader *r, const jfr_type *type)
{
    const char *value = jfr_metadata_find_attribute(r->metadata, type->element, "simpleType");
    return type->field_count == 1 && value != NULL && strcmp(value, "true") == 0;
}

// is_wanted returns whether a field of an event is wanted.
static bool
is_wanted(const query_field_names *only, const char *name)
{
    static const char *const others[] = {"startTime", "duration", "eventThread", "stackTrace"};
    bool is_named =
        only->count == 0 || LP_FIND(only->names, only->count, query_setting_is(*at, name)) != NULL;
    return is_named && LP_FIND(others, LP_COUNT(others), strcmp(name, *at) == 0) == NULL;
}

// read_structure reads the fields of a structure, or the wanted fields of an event: only is NULL
// for structures.
static json_t *
read_structure(reader *r, uint32_t type_index, jfr_cursor cursor, const query_field_names *only)
{
    const jfr_type *type = &r->metadata->types.items[type_index];
    json_t *object = json_object();
    for (uint32_t i = 0; i < type->field_count && object != NULL; i++) {
        uint32_t index = type->field_begin + i;
        const jfr_field *field = &r->metadata->fields.items[index];
        const char *name = jfr_metadata_text(r->metadata, field->name);
        if (only == NULL || is_wanted(only, name)) {
            object = query_json_set(object, name, read_field(r, field, cursor));
        }
        if (!jfr_layout_walk(r->layout, program_of(r, type, type_index, index), &cursor)) {
            break;
        }
    }
    return object;
}

static json_t *
read_value(reader *r, uint32_t type_index, jfr_cursor cursor)
{
    const jfr_type *type = &r->metadata->types.items[type_index];
    if (jfr_layout_is_text(r->layout, type_index)) {
        return read_string(r, cursor, 0);
    }
    const number_type *number =
        type->field_count > 0 ? NULL : find_number(name_of_type(r, type_index));
    if (number != NULL) {
        return read_number(r, number, NULL, cursor);
    }
    if (r->depth == QUERY_EVENT_DEPTH_MAX) {
        r->is_truncated = true;
        return json_null();
    }
    r->depth++;
    json_t *json = is_simple(r, type)
                       ? read_field(r, &r->metadata->fields.items[type->field_begin], cursor)
                       : read_structure(r, type_index, cursor, NULL);
    r->depth--;
    return json;
}

// --- Events

json_t *
query_event_values(
    query_chunk *chunk, const query_event *event, const query_field_names *only, bool *is_truncated)
{
    LP_ASSERT(only->count <= QUERY_FIELDS_MAX);
    const compact_schema *schema = chunk->view.schema;
    const jfr_chunk_info *info = &chunk->view.info;
    LP_ASSERT(event->type_index < schema->metadata.types.count);
    reader r = {
        .chunk = chunk,
        .metadata = &schema->metadata,
        .layout = &schema->layout,
        .clock = jfr_clock_make(info->start_wall_ns, info->start_ticks, info->ticks_per_s),
        .values_left = QUERY_EVENT_VALUES_MAX,
        .bytes_left = QUERY_EVENT_TEXT_BYTES_MAX,
    };
    json_t *object = read_structure(&r, event->type_index, event->payload, only);
    *is_truncated |= r.is_truncated;
    return object;
}

json_t *
query_event_stack(query_chunk *chunk, const query_event *event, bool *is_truncated)
{
    query_frame frames[QUERY_EVENT_FRAMES_MAX];
    uint32_t trace = query_frames_find(chunk, event);
    if (trace == QUERY_NO_TRACE) {
        return json_null();
    }
    bool is_whole;
    size_t count = query_frames_read(chunk, trace, frames, QUERY_EVENT_FRAMES_MAX, &is_whole);
    *is_truncated |= !is_whole;
    json_t *array = json_array();
    size_t bytes_left = QUERY_EVENT_TEXT_BYTES_MAX;
    size_t done = 0;
    for (; done < count; done++) {
        const char *name = query_names_text(chunk->names, frames[done].name);
        uint32_t line = frames[done].line;
        if (strlen(name) > bytes_left) {
            *is_truncated = true;
            break;
        }
        bytes_left -= strlen(name);
        (void)json_array_append_new(
            array, line == 0 ? json_string(name) : json_sprintf("%s:%" PRIu32, name, line));
    }
    return query_json_whole(array, done);
}
