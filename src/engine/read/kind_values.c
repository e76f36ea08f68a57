// SPDX-License-Identifier: Apache-2.0
#include "engine/read/kind_values.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/text.h"

#include <string.h>

enum { NUMBER_BYTES_MAX = 64 }; // of the text of a primitive, with room to spare

void
compact_kind_append_null(lp_buf *out)
{
    const uint8_t null = JFR_STRING_NULL; // also key 0
    lp_buf_append(out, &null, 1);
}

void
compact_kind_append_text(lp_buf *out, const lp_buf *utf8)
{
    lp_slice text = lp_buf_slice(utf8);
    text.len = compact_text_cut(text, CTX_VALUE_BYTES_MAX);
    jfr_string_append(out, text);
    out->is_failed |= utf8->is_failed;
}

// append_text appends the text at cursor; null if there is none or it is a reference.
static void
append_text(jfr_cursor cursor, lp_buf *out)
{
    lp_slice ascii;
    if (jfr_string_find_ascii(cursor, &ascii) && ascii.len <= CTX_VALUE_BYTES_MAX) {
        jfr_string_append(out, ascii);
        return;
    }
    lp_buf utf8 = {0};
    bool is_null = jfr_cursor_left(&cursor) > 0 && *cursor.at == JFR_STRING_NULL;
    if (!is_null && jfr_string_read_utf8(&cursor, &utf8)) {
        compact_kind_append_text(out, &utf8);
    } else {
        compact_kind_append_null(out);
    }
    lp_buf_fini(&utf8);
}

static jfr_cursor
value_of(const jfr_pools *pools, const jfr_constant *constant)
{
    const uint8_t *value = pools->chunk.ptr + constant->offset;
    return (jfr_cursor){value, value + constant->size_bytes};
}

static void
append_pooled(const jfr_pools *pools, uint64_t key, bool copies_constants, lp_buf *out)
{
    uint32_t type = pools->layout->string_type;
    const jfr_constant *constant = type == JFR_NONE ? NULL : jfr_pools_find(pools, type, key);
    if (constant == NULL) {
        compact_kind_append_null(out);
    } else if (copies_constants && *value_of(pools, constant).at != JFR_STRING_CONSTANT) {
        lp_buf_append(out, value_of(pools, constant).at, constant->size_bytes);
    } else {
        append_text(value_of(pools, constant), out);
    }
}

static bool
append_string(const jfr_pools *pools, jfr_cursor *cursor, bool copies_constants, lp_buf *out)
{
    jfr_cursor start = *cursor;
    uint64_t key;
    LP_REQUIRE(jfr_string_skip(cursor, &key), false);
    if (*start.at == JFR_STRING_CONSTANT) {
        append_pooled(pools, key, copies_constants, out);
    } else {
        append_text(start, out);
    }
    return true;
}

// append_constant appends the text of a constant with nothing else (is_one_text).
static void
append_constant(
    const jfr_pools *pools, uint32_t type, uint64_t key, bool copies_constants, lp_buf *out)
{
    if (type == pools->layout->string_type) {
        append_pooled(pools, key, copies_constants, out);
        return;
    }
    const jfr_constant *constant = jfr_pools_find(pools, type, key);
    jfr_cursor cursor = constant == NULL ? (jfr_cursor){0} : value_of(pools, constant);
    if (constant == NULL || !append_string(pools, &cursor, copies_constants, out)) {
        compact_kind_append_null(out);
    }
}

size_t
compact_kind_fixed_bytes(ctx_kind primitive)
{
    switch (primitive) {
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
    case CTX_STRING:
    case CTX_HEX:
        break;
    }
    return 0;
}

static bool
read_bits(ctx_kind primitive, jfr_cursor *cursor, uint64_t *out_bits)
{
    size_t bytes = compact_kind_fixed_bytes(primitive);
    if (bytes == 0) {
        return jfr_varint_read(cursor, out_bits);
    }
    LP_REQUIRE(jfr_cursor_left(cursor) >= bytes, false);
    *out_bits = 0;
    for (; bytes > 0; bytes--) {
        *out_bits = *out_bits << 8 | *cursor->at++;
    }
    return true;
}

void
compact_kind_append_bits(ctx_kind primitive, uint64_t bits, lp_buf *out)
{
    const uint8_t head[] = {JFR_STRING_UTF8, 0}; // the length is one byte, too
    size_t begin = out->len;
    lp_buf_append(out, head, sizeof(head));
    float single;
    double value;
    switch (primitive) {
    case CTX_BOOLEAN:
        lp_buf_append(out, (uint8_t)bits != 0 ? "true" : "false", (uint8_t)bits != 0 ? 4 : 5);
        break;
    case CTX_CHAR:
        compact_text_append_char(out, (uint16_t)bits);
        break;
    case CTX_BYTE:
        compact_text_append_integer(out, (int8_t)bits);
        break;
    case CTX_SHORT:
        compact_text_append_integer(out, (int16_t)bits);
        break;
    case CTX_INT:
        compact_text_append_integer(out, (int32_t)bits);
        break;
    case CTX_FLOAT:
        memcpy(&single, &(uint32_t){(uint32_t)bits}, sizeof(single));
        compact_text_append_float(out, single);
        break;
    case CTX_DOUBLE:
        memcpy(&value, &bits, sizeof(value));
        compact_text_append_double(out, value);
        break;
    case CTX_LONG:
    case CTX_STRING:
        compact_text_append_integer(out, (int64_t)bits);
        break;
    case CTX_HEX:
        compact_text_append_hex(out, bits);
        break;
    }
    size_t length = out->len - begin - sizeof(head);
    if (!out->is_failed) {
        LP_ASSERT(length > 0 && length < NUMBER_BYTES_MAX);
        out->ptr[begin + 1] = (uint8_t)length;
    }
}

void
compact_kind_append_primitive(ctx_kind primitive, uint64_t bits, lp_buf *out)
{
    for (size_t bytes = compact_kind_fixed_bytes(primitive); bytes > 0; bytes--) { // big-endian
        lp_buf_append(out, &(uint8_t){(uint8_t)(bits >> 8 * (bytes - 1))}, 1);
    }
    if (primitive == CTX_SHORT || primitive == CTX_CHAR) {
        jfr_varint_append(out, (uint16_t)bits);
    } else if (primitive == CTX_INT) {
        jfr_varint_append(out, (uint32_t)bits);
    } else if (primitive == CTX_LONG) {
        jfr_varint_append(out, bits);
    }
}

void
compact_kind_append_number(ctx_kind primitive, uint64_t bits, lp_buf *out)
{
    const uint8_t is_there = 1;
    bool is_byte = primitive == CTX_BYTE; // which compact_attribute_number makes an int
    lp_buf_append(out, &is_there, 1);
    compact_kind_append_primitive(
        is_byte ? CTX_INT : primitive, is_byte ? (uint64_t)(int8_t)bits : bits, out);
}

static bool
append_value(const compact_reading *reading, const compact_attribute *attribute,
    const struct compact_reading_value *value, jfr_cursor *cursor, bool copies_constants,
    lp_buf *out)
{
    bool is_constant = value->pool != JFR_NONE;
    if (!is_constant && value->primitive == CTX_STRING) {
        return append_string(reading->pools, cursor, copies_constants, out);
    }
    uint64_t bits;
    bool is_whole =
        is_constant ? jfr_varint_read(cursor, &bits) : read_bits(value->primitive, cursor, &bits);
    LP_REQUIRE(is_whole, false);
    if (value->is_reference) {
        jfr_varint_append(out, bits);
    } else if (is_constant) {
        append_constant(reading->pools, value->pool, bits, copies_constants, out);
    } else if (attribute->number != 0) {
        compact_kind_append_number(value->primitive, bits, out);
    } else {
        compact_kind_append_bits(value->primitive, bits, out);
    }
    return true;
}

void
compact_kind_append_event(const compact_kind *kind, const compact_reading *reading,
    jfr_cursor payload, bool copies_constants, lp_buf *out)
{
    jfr_cursor cursor = payload;
    uint32_t passed = 0; // the ops of the layout before cursor end here; 0: cursor is unknown
    for (size_t i = 0; i < kind->attribute_count; i++) {
        const struct compact_reading_value *value = &reading->values[i];
        bool goes_on = passed != 0 && value->before.end >= passed;
        cursor = goes_on ? cursor : payload;
        const jfr_program skip = {goes_on ? passed : value->before.begin, value->before.end};
        bool is_whole =
            value->is_there && jfr_layout_walk(reading->pools->layout, skip, &cursor) &&
            append_value(reading, &kind->attributes[i], value, &cursor, copies_constants, out);
        passed = is_whole ? value->before.end + 1 : 0; // a value is one op
        if (!is_whole) {
            compact_kind_append_null(out);
        }
    }
}

void
compact_kind_append_nulls(const compact_kind *kind, lp_buf *out)
{
    for (size_t i = 0; i < kind->attribute_count; i++) {
        compact_kind_append_null(out);
    }
}

lp_slice
compact_kind_next_value(const compact_attribute *attribute, jfr_cursor *cursor, uint64_t *out_key)
{
    const uint8_t *begin = cursor->at;
    bool is_whole;
    if (attribute->number != 0) {
        uint64_t bits;
        is_whole = *cursor->at++ == 0 || read_bits((ctx_kind)attribute->number, cursor, &bits);
    } else {
        is_whole = attribute->reference == NULL ? jfr_string_skip(cursor, out_key)
                                                : jfr_varint_read(cursor, out_key);
    }
    LP_ASSERT(is_whole); // kind_values made it
    return (lp_slice){begin, (size_t)(cursor->at - begin)};
}
