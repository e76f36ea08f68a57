// SPDX-License-Identifier: Apache-2.0
#include "support/jfr_read.h"

#include "support/be64.h"

#include "common/base/lp_assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 68, DEPTH_MAX = 12 };

typedef struct reader {
    const uint8_t *at;
    const uint8_t *end;
} reader;

static uint8_t
take_byte(reader *in)
{
    LP_ASSERT(in->at < in->end);
    return *in->at++;
}

static uint64_t
take_varint(reader *in)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint8_t byte = take_byte(in);
        value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if ((byte & 0x80) == 0) {
            return value;
        }
    }
    return value | (uint64_t)take_byte(in) << 56;
}

static const uint8_t *
take_bytes(reader *in, uint64_t count)
{
    LP_ASSERT(count <= (uint64_t)(in->end - in->at));
    in->at += count;
    return in->at - count;
}

// append appends to out, unless what is read is passed over: out is NULL then.
static void
append(lp_buf *out, const void *bytes, size_t count)
{
    if (out != NULL) {
        lp_buf_append(out, bytes, count);
    }
}

static void
append_text(lp_buf *out, const char *text)
{
    append(out, text, strlen(text));
}

static void
append_number(lp_buf *out, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%" PRId64, (int64_t)value);
    append_text(out, text);
}

static void
append_hex(lp_buf *out, uint8_t byte)
{
    char text[4];
    (void)snprintf(text, sizeof(text), "%02x", byte);
    append_text(out, text);
}

// append_code_point writes UTF-8. A lone surrogate is written like any other code point, so that it
// cannot be mistaken for something else.
static void
append_code_point(lp_buf *out, uint32_t c)
{
    uint8_t bytes[4];
    size_t count;
    if (c < 0x80) {
        bytes[0] = (uint8_t)c;
        count = 1;
    } else if (c < 0x800) {
        bytes[0] = (uint8_t)(0xc0 | c >> 6);
        count = 2;
    } else if (c < 0x10000) {
        bytes[0] = (uint8_t)(0xe0 | c >> 12);
        count = 3;
    } else {
        bytes[0] = (uint8_t)(0xf0 | c >> 18);
        count = 4;
    }
    for (size_t i = 1; i < count; i++) {
        bytes[i] = (uint8_t)(0x80 | (c >> (6 * (count - 1 - i)) & 0x3f));
    }
    append(out, bytes, count);
}

static void
take_utf16(reader *in, lp_buf *out)
{
    uint64_t count = take_varint(in);
    uint32_t high = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t unit = take_varint(in);
        LP_ASSERT(unit <= 0xffff);
        bool is_low = unit >= 0xdc00 && unit <= 0xdfff;
        if (high != 0 && is_low) {
            append_code_point(out, 0x10000 + (high - 0xd800) * 0x400 + (uint32_t)unit - 0xdc00);
            high = 0;
            continue;
        }
        if (high != 0) {
            append_code_point(out, high);
            high = 0;
        }
        if (unit >= 0xd800 && unit <= 0xdbff) {
            high = (uint32_t)unit;
        } else {
            append_code_point(out, (uint32_t)unit);
        }
    }
    if (high != 0) {
        append_code_point(out, high);
    }
}

// take_string appends a string that lies here; returns true if it is a constant with *out_key
// instead.
static bool
take_string(reader *in, lp_buf *out, uint64_t *out_key)
{
    uint8_t encoding = take_byte(in);
    LP_ASSERT(encoding <= 5);
    if (encoding == 0) {
        append_text(out, "null");
    } else if (encoding == 2) {
        *out_key = take_varint(in);
        return true;
    } else if (encoding == 3) {
        uint64_t count = take_varint(in);
        append(out, take_bytes(in, count), count);
    } else if (encoding == 4) {
        take_utf16(in, out);
    } else if (encoding == 5) {
        for (uint64_t left = take_varint(in); left > 0; left--) {
            append_code_point(out, take_byte(in));
        }
    }
    return false;
}

static const jfr_read_type *
find_type_by_id(const jfr_read *read, uint64_t id)
{
    for (size_t i = read->types.count; i > 0; i--) {
        if (read->types.items[i - 1].id == id) {
            return &read->types.items[i - 1];
        }
    }
    return NULL;
}

static const jfr_read_constant *
find_constant(const jfr_read *read, uint64_t type, uint64_t key)
{
    for (size_t i = 0; i < read->constants.count; i++) {
        if (read->constants.items[i].type == type && read->constants.items[i].key == key) {
            return &read->constants.items[i];
        }
    }
    return NULL;
}

static void take_field(
    const jfr_read *read, const jfr_read_field *field, reader *in, lp_buf *out, int depth);

static void take_fields(
    const jfr_read *read, const jfr_read_type *type, reader *in, lp_buf *out, int depth);

static void take_value(
    const jfr_read *read, const jfr_read_type *type, reader *in, lp_buf *out, int depth);

static void
append_constant(
    const jfr_read *read, const jfr_read_type *type, uint64_t key, lp_buf *out, int depth)
{
    if (out == NULL) {
        return;
    }
    const jfr_read_constant *constant = find_constant(read, type->id, key);
    if (constant == NULL) {
        append_text(out, key == 0 ? "null" : "undefined");
        return;
    }
    if (depth >= DEPTH_MAX) {
        append_text(out, "..."); // class loaders and classes go round in circles
        return;
    }
    const uint8_t *value = read->chunk.ptr + constant->offset;
    reader in = {value, value + constant->size_bytes};
    take_value(read, type, &in, out, depth + 1);
}

// take_primitive reads types that have no fields; false if it is none.
static bool
take_primitive(const jfr_read *read, const jfr_read_type *type, reader *in, lp_buf *out, int depth)
{
    const char *name = type->name;
    if (strcmp(name, "long") == 0 || strcmp(name, "int") == 0 || strcmp(name, "short") == 0 ||
        strcmp(name, "char") == 0) {
        append_number(out, take_varint(in));
    } else if (strcmp(name, "boolean") == 0 || strcmp(name, "byte") == 0) {
        append_number(out, take_byte(in));
    } else if (strcmp(name, "float") == 0 || strcmp(name, "double") == 0) {
        size_t count = name[0] == 'f' ? 4 : 8;
        const uint8_t *bytes = take_bytes(in, count);
        for (size_t i = 0; i < count; i++) {
            append_hex(out, bytes[i]);
        }
    } else if (strcmp(name, "java.lang.String") == 0) {
        uint64_t key = 0;
        append_text(out, "\"");
        if (take_string(in, out, &key)) {
            append_constant(read, type, key, out, depth);
        }
        append_text(out, "\"");
    } else {
        return false;
    }
    return true;
}

static void
take_value(const jfr_read *read, const jfr_read_type *type, reader *in, lp_buf *out, int depth)
{
    if (take_primitive(read, type, in, out, depth)) {
        return;
    }
    if (type->is_simple && type->fields.count == 1) {
        take_field(read, &type->fields.items[0], in, out, depth);
        return;
    }
    append_text(out, "{");
    take_fields(read, type, in, out, depth);
    append_text(out, "}");
}

static void
take_field(const jfr_read *read, const jfr_read_field *field, reader *in, lp_buf *out, int depth)
{
    const jfr_read_type *type = find_type_by_id(read, field->type);
    LP_ASSERT(type != NULL);
    uint64_t count = field->is_array ? take_varint(in) : 1;
    append_text(out, field->is_array ? "[" : "");
    for (uint64_t i = 0; i < count; i++) {
        append_text(out, i > 0 ? "," : "");
        if (field->is_constant) {
            append_constant(read, type, take_varint(in), out, depth);
        } else {
            take_value(read, type, in, out, depth);
        }
    }
    append_text(out, field->is_array ? "]" : "");
}

static void
take_fields(const jfr_read *read, const jfr_read_type *type, reader *in, lp_buf *out, int depth)
{
    for (size_t i = 0; i < type->fields.count; i++) {
        append_text(out, i > 0 ? " " : "");
        append_text(out, type->fields.items[i].name);
        append_text(out, "=");
        take_field(read, &type->fields.items[i], in, out, depth);
    }
}

static reader
event_reader(const jfr_read *read, const jfr_read_event *event)
{
    return (reader){
        read->chunk.ptr + event->payload, read->chunk.ptr + event->offset + event->size_bytes};
}

void
jfr_read_text(const jfr_read *read, const jfr_read_event *event, lp_buf *out)
{
    reader in = event_reader(read, event);
    const jfr_read_type *type = &read->types.items[event->type];
    append_text(out, type->name);
    append_text(out, " ");
    take_fields(read, type, &in, out, 0);
    lp_buf_append(out, "", 1);
    LP_ASSERT(!out->is_failed);
    out->len--;
}

int64_t
jfr_read_number(const jfr_read *read, const jfr_read_event *event, const char *field)
{
    const jfr_read_type *type = &read->types.items[event->type];
    reader in = event_reader(read, event);
    for (size_t i = 0; i < type->fields.count; i++) {
        uint64_t value = take_varint(&in);
        if (strcmp(type->fields.items[i].name, field) == 0) {
            return (int64_t)value;
        }
    }
    (void)fprintf(stderr, "%s has no field %s\n", type->name, field);
    abort();
}

// find_field moves in, at which a value of type lies, to the field of that name; NULL: it has none.
static const jfr_read_field *
find_field(const jfr_read *read, const jfr_read_type *type, reader *in, const char *name)
{
    for (size_t i = 0; i < type->fields.count; i++) {
        const jfr_read_field *field = &type->fields.items[i];
        if (strcmp(field->name, name) == 0) {
            return field;
        }
        take_field(read, field, in, NULL, 0);
    }
    return NULL;
}

static bool
take_named(
    const jfr_read *read, const jfr_read_type *type, reader in, const char *name, lp_buf *out)
{
    const jfr_read_field *field = find_field(read, type, &in, name);
    if (field == NULL) {
        return false;
    }
    take_field(read, field, &in, out, 0);
    lp_buf_append(out, "", 1);
    LP_ASSERT(!out->is_failed);
    out->len--;
    return true;
}

static bool
take_key(
    const jfr_read *read, const jfr_read_type *type, reader in, const char *name, uint64_t *out_key)
{
    const jfr_read_field *field = find_field(read, type, &in, name);
    if (field == NULL || !field->is_constant || field->is_array) {
        return false;
    }
    *out_key = take_varint(&in);
    return true;
}

bool
jfr_read_value(const jfr_read *read, const jfr_read_event *event, const char *field, lp_buf *out)
{
    const jfr_read_type *type = &read->types.items[event->type];
    return take_named(read, type, event_reader(read, event), field, out);
}

bool
jfr_read_key(
    const jfr_read *read, const jfr_read_event *event, const char *field, uint64_t *out_key)
{
    const jfr_read_type *type = &read->types.items[event->type];
    return take_key(read, type, event_reader(read, event), field, out_key);
}

static reader
constant_reader(const jfr_read *read, const jfr_read_constant *constant)
{
    const uint8_t *bytes = read->chunk.ptr + constant->offset;
    return (reader){bytes, bytes + constant->size_bytes};
}

bool
jfr_read_constant_value(
    const jfr_read *read, const jfr_read_constant *constant, const char *field, lp_buf *out)
{
    const jfr_read_type *type = find_type_by_id(read, constant->type);
    return take_named(read, type, constant_reader(read, constant), field, out);
}

bool
jfr_read_constant_key(
    const jfr_read *read, const jfr_read_constant *constant, const char *field, uint64_t *out_key)
{
    const jfr_read_type *type = find_type_by_id(read, constant->type);
    return take_key(read, type, constant_reader(read, constant), field, out_key);
}

const char *
jfr_read_name(const jfr_read *read, const jfr_read_event *event)
{
    return read->types.items[event->type].name;
}

const jfr_read_type *
jfr_read_find_type(const jfr_read *read, const char *name)
{
    for (size_t i = read->types.count; i > 0; i--) {
        if (strcmp(read->types.items[i - 1].name, name) == 0) {
            return &read->types.items[i - 1];
        }
    }
    return NULL;
}

const jfr_read_constant *
jfr_read_find_constant(const jfr_read *read, const char *type_name, uint64_t key)
{
    const jfr_read_type *type = jfr_read_find_type(read, type_name);
    return type == NULL ? NULL : find_constant(read, type->id, key);
}

bool
jfr_read_has_annotation(
    const jfr_read *read, const jfr_read_field *field, const char *annotation_name)
{
    for (size_t i = 0; i < field->annotation_count; i++) {
        const jfr_read_type *annotation = find_type_by_id(read, field->annotations[i]);
        LP_ASSERT(annotation != NULL);
        if (strcmp(annotation->name, annotation_name) == 0) {
            return true;
        }
    }
    return false;
}

size_t
jfr_read_count(const jfr_read *read, const char *type_name)
{
    size_t count = 0;
    for (size_t i = 0; i < read->events.count; i++) {
        count += strcmp(jfr_read_name(read, &read->events.items[i]), type_name) == 0;
    }
    return count;
}

size_t
jfr_read_pool_size(const jfr_read *read, const char *type_name)
{
    const jfr_read_type *type = jfr_read_find_type(read, type_name);
    size_t count = 0;
    for (size_t i = 0; type != NULL && i < read->constants.count; i++) {
        count += read->constants.items[i].type == type->id;
    }
    return count;
}

static const char *
string_at(const jfr_read *read, uint64_t index)
{
    LP_ASSERT(index < read->strings.count);
    return read->strings.items[index];
}

// Attributes of one element, as far as they matter here.
typedef struct element {
    const char *name;
    char attribute_name[128];
    char super_type[128];
    uint64_t id;
    uint64_t class_id;
    bool is_constant;
    bool is_array;
    bool is_simple;
    uint64_t child_count;
} element;

static element
take_element(const jfr_read *read, reader *in)
{
    element out = {.name = string_at(read, take_varint(in))};
    for (uint64_t left = take_varint(in); left > 0; left--) {
        const char *key = string_at(read, take_varint(in));
        const char *value = string_at(read, take_varint(in));
        if (strcmp(key, "name") == 0) {
            (void)snprintf(out.attribute_name, sizeof(out.attribute_name), "%s", value);
        } else if (strcmp(key, "superType") == 0) {
            (void)snprintf(out.super_type, sizeof(out.super_type), "%s", value);
        } else if (strcmp(key, "id") == 0) {
            out.id = strtoull(value, NULL, 10); // which also takes negative ones
        } else if (strcmp(key, "class") == 0) {
            out.class_id = strtoull(value, NULL, 10);
        } else if (strcmp(key, "constantPool") == 0) {
            out.is_constant = strcmp(value, "true") == 0;
        } else if (strcmp(key, "dimension") == 0) {
            out.is_array = strcmp(value, "1") == 0;
        } else if (strcmp(key, "simpleType") == 0) {
            out.is_simple = strcmp(value, "true") == 0;
        }
    }
    out.child_count = take_varint(in);
    return out;
}

// take_tree reads an element and all below it. type and field are what it lies in, JFR-wise.
static void
take_tree(jfr_read *read, reader *in, size_t type, size_t field)
{
    element e = take_element(read, in);
    if (strcmp(e.name, "class") == 0) {
        jfr_read_type *made = LP_VEC_PUSH(&read->types);
        LP_ASSERT(made != NULL);
        memcpy(made->name, e.attribute_name, sizeof(made->name));
        made->id = e.id;
        made->is_event = strcmp(e.super_type, "jdk.jfr.Event") == 0;
        made->is_simple = e.is_simple;
        type = read->types.count - 1;
        field = SIZE_MAX;
    } else if (strcmp(e.name, "field") == 0) {
        jfr_read_field *made = LP_VEC_PUSH(&read->types.items[type].fields);
        LP_ASSERT(made != NULL);
        memcpy(made->name, e.attribute_name, sizeof(made->name));
        made->type = e.class_id;
        made->is_constant = e.is_constant;
        made->is_array = e.is_array;
        field = read->types.items[type].fields.count - 1;
    } else if (strcmp(e.name, "annotation") == 0 && field != SIZE_MAX) {
        jfr_read_field *owner = &read->types.items[type].fields.items[field];
        LP_ASSERT(owner->annotation_count < JFR_READ_ANNOTATIONS_MAX);
        owner->annotations[owner->annotation_count++] = e.class_id;
    }
    for (uint64_t i = 0; i < e.child_count; i++) {
        take_tree(read, in, type, field);
    }
}

static void
free_types(jfr_read *read)
{
    for (size_t i = 0; i < read->types.count; i++) {
        LP_VEC_FINI(&read->types.items[i].fields);
    }
    LP_VEC_FINI(&read->types);
}

static void
free_strings(jfr_read *read)
{
    for (size_t i = 0; i < read->strings.count; i++) {
        free(read->strings.items[i]);
    }
    LP_VEC_FINI(&read->strings);
}

static void
take_metadata(jfr_read *read, reader in)
{
    (void)take_varint(&in); // time
    (void)take_varint(&in); // duration
    read->metadata_id = take_varint(&in);
    free_strings(read);
    for (uint64_t left = take_varint(&in); left > 0; left--) {
        lp_buf text = {0};
        uint64_t key;
        LP_ASSERT(!take_string(&in, &text, &key));
        lp_buf_append(&text, "", 1);
        char **slot = LP_VEC_PUSH(&read->strings);
        LP_ASSERT(slot != NULL && !text.is_failed);
        *slot = (char *)text.ptr;
    }
    take_tree(read, &in, SIZE_MAX, SIZE_MAX);
    LP_ASSERT(in.at == in.end);
}

static void
take_checkpoint(jfr_read *read, reader in)
{
    (void)take_varint(&in); // time
    (void)take_varint(&in); // duration
    (void)take_varint(&in); // delta, see check_checkpoints
    (void)take_byte(&in);
    for (uint64_t pools = take_varint(&in); pools > 0; pools--) {
        uint64_t id = take_varint(&in);
        const jfr_read_type *type = find_type_by_id(read, id);
        LP_ASSERT(type != NULL);
        uint64_t count = take_varint(&in);
        LP_ASSERT(count > 0);
        for (; count > 0; count--) {
            uint64_t key = take_varint(&in);
            const uint8_t *begin = in.at;
            take_value(read, type, &in, NULL, 0);
            jfr_read_constant *constant = LP_VEC_PUSH(&read->constants);
            LP_ASSERT(constant != NULL);
            *constant = (jfr_read_constant){.type = id,
                .key = key,
                .offset = (size_t)(begin - read->chunk.ptr),
                .size_bytes = (size_t)(in.at - begin)};
        }
    }
}

// walk calls the right function for each event of one kind: 0 metadata, 1 checkpoints, 2 others.
// Returns how many there were.
static size_t
walk(jfr_read *read, int kind)
{
    size_t count = 0;
    for (size_t offset = HEADER_BYTES; offset < read->chunk.len;) {
        reader in = {read->chunk.ptr + offset, read->chunk.ptr + read->chunk.len};
        uint64_t size = take_varint(&in);
        LP_ASSERT(size > 0 && size <= read->chunk.len - offset);
        in.end = read->chunk.ptr + offset + size;
        uint64_t id = take_varint(&in);
        const jfr_read_type *type = find_type_by_id(read, id);
        if (kind == 0 && id == 0) {
            take_metadata(read, in);
            count++;
        } else if (kind == 1 && id == 1) {
            take_checkpoint(read, in);
            count++;
        } else if (kind == 2 && id > 1 && type != NULL) {
            jfr_read_event *event = LP_VEC_PUSH(&read->events);
            LP_ASSERT(event != NULL);
            *event = (jfr_read_event){.type = (uint32_t)(type - read->types.items),
                .offset = offset,
                .payload = (size_t)(in.at - read->chunk.ptr),
                .size_bytes = size};
            count++;
        }
        offset += size;
    }
    return count;
}

// check_checkpoints follows the chain from the header and expects to meet all of them.
static void
check_checkpoints(const jfr_read *read, size_t count)
{
    uint64_t offset = read->checkpoint_offset;
    for (; count > 0; count--) {
        LP_ASSERT(offset >= HEADER_BYTES && offset < read->chunk.len);
        reader in = {read->chunk.ptr + offset, read->chunk.ptr + read->chunk.len};
        (void)take_varint(&in);
        LP_ASSERT(take_varint(&in) == 1);
        (void)take_varint(&in);
        (void)take_varint(&in);
        uint64_t delta = take_varint(&in);
        LP_ASSERT((delta == 0) == (count == 1));
        offset += delta;
    }
}

void
jfr_read_open(jfr_read *read, lp_slice chunk)
{
    const uint8_t *header = chunk.ptr;
    LP_ASSERT(chunk.len >= HEADER_BYTES && memcmp(header, "FLR\0\0\2\0\1", 8) == 0);
    LP_ASSERT(memcmp(header + 65, "\0\0", 2) == 0 && (header[67] & 1) == 1);
    *read = (jfr_read){
        .chunk = chunk,
        .size_bytes = be64_get(header + 8),
        .checkpoint_offset = be64_get(header + 16),
        .metadata_offset = be64_get(header + 24),
        .start_wall_ns = (int64_t)be64_get(header + 32),
        .duration_ns = (int64_t)be64_get(header + 40),
        .start_ticks = (int64_t)be64_get(header + 48),
        .ticks_per_s = (int64_t)be64_get(header + 56),
        .state = header[64],
    };
    LP_ASSERT(read->size_bytes == chunk.len);
    LP_ASSERT(walk(read, 0) > 0);
    reader in = {chunk.ptr + read->metadata_offset, chunk.ptr + chunk.len};
    (void)take_varint(&in);
    LP_ASSERT(take_varint(&in) == 0);
    check_checkpoints(read, walk(read, 1));
    (void)walk(read, 2);
}

void
jfr_read_close(jfr_read *read)
{
    free_types(read);
    free_strings(read);
    LP_VEC_FINI(&read->events);
    LP_VEC_FINI(&read->constants);
    *read = (jfr_read){0};
}
