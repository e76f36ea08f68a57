// SPDX-License-Identifier: Apache-2.0
#include "support/jfr_build.h"

#include "support/be64.h"

#include "common/base/lp_assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 68, ATTRIBUTES_MAX = 5 };

void
jfr_build_padded(lp_buf *out, uint64_t value, size_t width)
{
    uint8_t bytes[9];
    LP_ASSERT(width >= 1 && width <= sizeof(bytes));
    LP_ASSERT(width == 9 || value >> (7 * width) == 0);
    for (size_t i = 0; i < width; i++) {
        bool is_last = i + 1 == width;
        if (i == 8) {
            bytes[i] = (uint8_t)value; // the ninth byte is raw
        } else {
            bytes[i] = (uint8_t)((value & 0x7f) | (is_last ? 0 : 0x80));
            value >>= 7;
        }
    }
    lp_buf_append(out, bytes, width);
    LP_ASSERT(!out->is_failed);
}

static size_t
width_of(uint64_t value)
{
    size_t width = 1;
    while (width < 9 && value >> (7 * width) != 0) {
        width++;
    }
    return width;
}

void
jfr_build_varint(lp_buf *out, uint64_t value)
{
    jfr_build_padded(out, value, width_of(value));
}

static void
append_byte(lp_buf *out, uint8_t byte)
{
    lp_buf_append(out, &byte, 1);
}

void
jfr_build_string(lp_buf *out, const char *utf8)
{
    if (utf8 == NULL || utf8[0] == '\0') {
        append_byte(out, utf8 == NULL ? 0 : 1);
        return;
    }
    append_byte(out, 3);
    jfr_build_varint(out, strlen(utf8));
    lp_buf_append(out, utf8, strlen(utf8));
}

void
jfr_build_string_utf16(lp_buf *out, const uint16_t *units, size_t count)
{
    append_byte(out, 4);
    jfr_build_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        jfr_build_varint(out, units[i]);
    }
}

void
jfr_build_string_latin1(lp_buf *out, const char *bytes)
{
    append_byte(out, 5);
    jfr_build_varint(out, strlen(bytes));
    lp_buf_append(out, bytes, strlen(bytes));
}

void
jfr_build_string_constant(lp_buf *out, uint64_t key)
{
    append_byte(out, 2);
    jfr_build_varint(out, key);
}

void
jfr_build_begin(jfr_build *build, const jfr_build_clock *clock)
{
    *build = (jfr_build){.clock = *clock};
    if (build->clock.ticks_per_s == 0) {
        build->clock.ticks_per_s = 1000000000;
    }
    uint8_t *header = lp_buf_extend(&build->bytes, HEADER_BYTES);
    LP_ASSERT(header != NULL);
    memset(header, 0, HEADER_BYTES);
}

static void
clear_strings(jfr_build *build)
{
    for (size_t i = 0; i < build->strings.items.count; i++) {
        free((char *)(uintptr_t)build->strings.items.items[i]);
    }
    lp_names_fini(&build->strings);
}

void
jfr_build_fini(jfr_build *build)
{
    lp_buf_fini(&build->bytes);
    lp_buf_fini(&build->payload);
    lp_buf_fini(&build->values);
    LP_VEC_FINI(&build->constants);
    clear_strings(build);
}

// append_event writes an event around payload.
static size_t
append_event(jfr_build *build, uint64_t type, const lp_buf *payload)
{
    size_t offset = build->bytes.len;
    size_t type_width = width_of(type) > build->type_width ? width_of(type) : build->type_width;
    size_t rest = type_width + payload->len;
    size_t width = build->size_width;
    if (width == 0) {
        for (width = 1; width_of(rest + width) > width; width++) {
        }
    }
    jfr_build_padded(&build->bytes, rest + width, width);
    jfr_build_padded(&build->bytes, type, type_width);
    lp_buf_append(&build->bytes, payload->ptr, payload->len);
    LP_ASSERT(!build->bytes.is_failed);
    return offset;
}

size_t
jfr_build_event(jfr_build *build, uint64_t type)
{
    size_t offset = append_event(build, type, &build->payload);
    lp_buf_clear(&build->payload);
    return offset;
}

void
jfr_build_constant(jfr_build *build, uint64_t type, uint64_t key)
{
    struct jfr_build_constant *constant = LP_VEC_PUSH(&build->constants);
    LP_ASSERT(constant != NULL);
    *constant = (struct jfr_build_constant){
        .type = type,
        .key = key,
        .offset = build->values.len,
        .size_bytes = build->payload.len,
    };
    lp_buf_append(&build->values, build->payload.ptr, build->payload.len);
    lp_buf_clear(&build->payload);
}

// append_pool writes every constant of the type.
static void
append_pool(const jfr_build *build, uint64_t type, lp_buf *out)
{
    size_t count = 0;
    for (size_t i = 0; i < build->constants.count; i++) {
        count += build->constants.items[i].type == type;
    }
    jfr_build_varint(out, type);
    jfr_build_varint(out, count);
    for (size_t i = 0; i < build->constants.count; i++) {
        const struct jfr_build_constant *constant = &build->constants.items[i];
        if (constant->type == type) {
            jfr_build_varint(out, constant->key);
            if (constant->size_bytes > 0) {
                lp_buf_append(out, build->values.ptr + constant->offset, constant->size_bytes);
            }
        }
    }
}

static bool
is_first_of_type(const jfr_build *build, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (build->constants.items[i].type == build->constants.items[index].type) {
            return false;
        }
    }
    return true;
}

void
jfr_build_checkpoint(jfr_build *build)
{
    lp_buf payload = {0};
    uint64_t here = build->bytes.len;
    uint64_t before = build->checkpoint_offset;
    size_t pool_count = 0;
    for (size_t i = 0; i < build->constants.count; i++) {
        pool_count += is_first_of_type(build, i);
    }
    jfr_build_varint(&payload, (uint64_t)build->clock.start_ticks);
    jfr_build_varint(&payload, 0);
    jfr_build_varint(&payload, before == 0 ? 0 : before - here); // negative
    append_byte(&payload, 0);
    jfr_build_varint(&payload, pool_count);
    for (size_t i = 0; i < build->constants.count; i++) {
        if (is_first_of_type(build, i)) {
            append_pool(build, build->constants.items[i].type, &payload);
        }
    }
    build->checkpoint_offset = append_event(build, 1, &payload);
    lp_buf_fini(&payload);
    lp_buf_clear(&build->values);
    build->constants.count = 0;
}

static uint64_t
string_index(jfr_build *build, const char *text)
{
    uint32_t index = lp_names_find(&build->strings, text);
    if (index != LP_MAP_NONE) {
        return index;
    }
    char *copy;
    LP_ASSERT(lp_names_add_copy(&build->strings, text, &copy) == LP_OK);
    return build->strings.items.count - 1;
}

// append_element writes what stands before the children. attributes are key, value, ...; those with
// the value NULL are left out.
static void
append_element(jfr_build *build, lp_buf *out, const char *name,
    const char *attributes[2 * ATTRIBUTES_MAX], size_t child_count)
{
    size_t count = 0;
    for (size_t i = 0; i < ATTRIBUTES_MAX && attributes[2 * i] != NULL; i++) {
        count += attributes[2 * i + 1] != NULL;
    }
    jfr_build_varint(out, string_index(build, name));
    jfr_build_varint(out, count);
    for (size_t i = 0; i < ATTRIBUTES_MAX && attributes[2 * i] != NULL; i++) {
        if (attributes[2 * i + 1] != NULL) {
            jfr_build_varint(out, string_index(build, attributes[2 * i]));
            jfr_build_varint(out, string_index(build, attributes[2 * i + 1]));
        }
    }
    jfr_build_varint(out, child_count);
}

typedef struct decimal {
    char text[24];
} decimal;

static decimal
decimal_of(uint64_t value)
{
    decimal out;
    (void)snprintf(out.text, sizeof(out.text), "%lld", (long long)value);
    return out;
}

static void
append_annotation(jfr_build *build, lp_buf *out, uint64_t type, const char *value)
{
    decimal id = decimal_of(type);
    const char *attributes[2 * ATTRIBUTES_MAX] = {"class", id.text, "value", value};
    append_element(build, out, "annotation", attributes, 0);
}

static void
append_field(jfr_build *build, lp_buf *out, const jfr_build_field *field)
{
    decimal id = decimal_of(field->type);
    const char *attributes[2 * ATTRIBUTES_MAX] = {"name", field->name, "class", id.text,
        "constantPool", field->is_constant ? "true" : NULL, "dimension",
        field->is_array ? "1" : NULL};
    append_element(build, out, "field", attributes, field->annotation != 0);
    if (field->annotation != 0) {
        append_annotation(build, out, field->annotation, field->annotation_value);
    }
}

static void
append_class(jfr_build *build, lp_buf *out, const jfr_build_type *type)
{
    size_t field_count = 0;
    while (field_count < JFR_BUILD_FIELDS_MAX && type->fields[field_count].name != NULL) {
        field_count++;
    }
    decimal id = decimal_of(type->id);
    decimal control = decimal_of(type->setting);
    const char *attributes[2 * ATTRIBUTES_MAX] = {"name", type->name, "id", id.text, "superType",
        type->super, "simpleType", type->is_simple ? "true" : NULL};
    append_element(build, out, "class", attributes,
        field_count + (type->annotation != 0) + (type->setting != 0));
    if (type->setting != 0) {
        const char *setting[2 * ATTRIBUTES_MAX] = {"name",
            type->setting_name == NULL ? "enabled" : type->setting_name, "class", control.text,
            "defaultValue", "true"};
        append_element(build, out, "setting", setting, 0);
    }
    for (size_t i = 0; i < field_count; i++) {
        append_field(build, out, &type->fields[i]);
    }
    if (type->annotation != 0) {
        append_annotation(build, out, type->annotation, type->annotation_value);
    }
}

static void
append_string_in_turn(lp_buf *out, const char *text, size_t turn)
{
    if (text[0] == '\0' || turn % 3 == 0) {
        jfr_build_string(out, text);
    } else if (turn % 3 == 1) {
        uint16_t units[4096];
        size_t count = strlen(text);
        LP_ASSERT(count <= sizeof(units) / sizeof(units[0]));
        for (size_t i = 0; i < count; i++) {
            units[i] = (uint8_t)text[i]; // ASCII
        }
        jfr_build_string_utf16(out, units, count);
    } else {
        jfr_build_string_latin1(out, text);
    }
}

void
jfr_build_metadata(
    jfr_build *build, uint64_t metadata_id, const jfr_build_type *types, size_t count)
{
    const char *none[2 * ATTRIBUTES_MAX] = {NULL};
    const char *region[2 * ATTRIBUTES_MAX] = {"locale", "en_US", "gmtOffset", "0"};
    lp_buf tree = {0};
    lp_buf payload = {0};
    append_element(build, &tree, "root", none, 2);
    append_element(build, &tree, "metadata", none, count);
    for (size_t i = 0; i < count; i++) {
        append_class(build, &tree, &types[i]);
    }
    append_element(build, &tree, "region", region, 0);

    jfr_build_varint(&payload, (uint64_t)build->clock.start_ticks);
    jfr_build_varint(&payload, 0);
    jfr_build_varint(&payload, metadata_id);
    jfr_build_varint(&payload, build->strings.items.count);
    for (size_t i = 0; i < build->strings.items.count; i++) {
        append_string_in_turn(&payload, build->strings.items.items[i], i);
    }
    lp_buf_append(&payload, tree.ptr, tree.len);
    build->metadata_offset = append_event(build, 0, &payload);
    clear_strings(build);
    lp_buf_fini(&tree);
    lp_buf_fini(&payload);
}

static void
write_header(const jfr_build *build, uint8_t *header)
{
    memcpy(header, "FLR\0\0\2\0\1", 8);
    be64_put(header + 8, build->bytes.len);
    be64_put(header + 16, build->checkpoint_offset);
    be64_put(header + 24, build->metadata_offset);
    be64_put(header + 32, (uint64_t)build->clock.start_wall_ns);
    be64_put(header + 40, (uint64_t)build->clock.duration_ns);
    be64_put(header + 48, (uint64_t)build->clock.start_ticks);
    be64_put(header + 56, (uint64_t)build->clock.ticks_per_s);
    memcpy(header + 64, "\0\0\0\1", 4);
}

void
jfr_build_flush(jfr_build *build, uint64_t chunk_header_type)
{
    static const uint8_t room[HEADER_BYTES];
    lp_buf payload = {0};
    uint64_t here = build->bytes.len;
    uint64_t before = build->checkpoint_offset;
    jfr_build_varint(&payload, (uint64_t)build->clock.start_ticks);
    jfr_build_varint(&payload, 0);
    jfr_build_varint(&payload, before == 0 ? 0 : before - here); // negative
    append_byte(&payload, 3);
    jfr_build_varint(&payload, 1);
    jfr_build_varint(&payload, chunk_header_type);
    jfr_build_varint(&payload, 1);
    jfr_build_varint(&payload, 1); // key
    append_byte(&payload, HEADER_BYTES);
    lp_buf_append(&payload, room, HEADER_BYTES);
    build->checkpoint_offset = append_event(build, 1, &payload);
    write_header(build, build->bytes.ptr + build->bytes.len - HEADER_BYTES);
    lp_buf_fini(&payload);
}

lp_slice
jfr_build_finish(jfr_build *build)
{
    write_header(build, build->bytes.ptr);
    return lp_buf_slice(&build->bytes);
}

lp_slice
jfr_build_payload(const jfr_build *build, size_t offset)
{
    const uint8_t *event = build->bytes.ptr + offset;
    size_t size = 0;
    size_t width = 0;
    do {
        size |= (size_t)(event[width] & 0x7f) << (7 * width);
    } while (event[width++] >= 0x80);
    while (event[width++] >= 0x80) { // the type id
    }
    return (lp_slice){event + width, size - width};
}
