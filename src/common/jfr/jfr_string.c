// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_string.h"

#include "common/base/lp_utf8.h"

enum {
    REPLACEMENT = 0xfffd,
    HIGH_SURROGATE = 0xd800,
    LOW_SURROGATE = 0xdc00,
    SURROGATES_END = 0xe000,
};

static void
append_code_point(lp_buf *out, uint32_t c)
{
    uint8_t bytes[4];
    size_t count = 0;
    if (c < 0x80) {
        bytes[count++] = (uint8_t)c;
    } else if (c < 0x800) {
        bytes[count++] = (uint8_t)(0xc0 | c >> 6);
        bytes[count++] = (uint8_t)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        bytes[count++] = (uint8_t)(0xe0 | c >> 12);
        bytes[count++] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        bytes[count++] = (uint8_t)(0x80 | (c & 0x3f));
    } else {
        bytes[count++] = (uint8_t)(0xf0 | c >> 18);
        bytes[count++] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
        bytes[count++] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        bytes[count++] = (uint8_t)(0x80 | (c & 0x3f));
    }
    lp_buf_append(out, bytes, count);
}

// append_unit takes the next UTF-16 unit. *high holds a high surrogate that waits for its other
// half.
static void
append_unit(lp_buf *out, uint32_t unit, uint32_t *high)
{
    bool is_low = unit >= LOW_SURROGATE && unit < SURROGATES_END;
    if (*high != 0) {
        if (is_low) {
            append_code_point(
                out, 0x10000 + ((*high - HIGH_SURROGATE) << 10) + (unit - LOW_SURROGATE));
            *high = 0;
            return;
        }
        append_code_point(out, REPLACEMENT);
        *high = 0;
    }
    if (unit >= HIGH_SURROGATE && unit < LOW_SURROGATE) {
        *high = unit;
    } else {
        append_code_point(out, is_low ? REPLACEMENT : unit);
    }
}

static void
append_end(lp_buf *out, uint32_t high)
{
    if (high != 0) {
        append_code_point(out, REPLACEMENT);
    }
}

// measure_ascii returns how many of the first of count bytes, which are there, are ASCII.
static size_t
measure_ascii(const uint8_t *at, uint64_t count)
{
    size_t ascii = 0;
    while (
        count - ascii >= sizeof(uint64_t) && (jfr_varint_word(at + ascii) & JFR_VARINT_MORE) == 0) {
        ascii += sizeof(uint64_t);
    }
    while (ascii < count && at[ascii] < 0x80) {
        ascii++;
    }
    return ascii;
}

bool
jfr_string_skip(jfr_cursor *cursor, uint64_t *out_key)
{
    *out_key = 0;
    LP_REQUIRE(cursor->at != cursor->end, false);
    uint64_t length;
    switch (*cursor->at++) {
    case JFR_STRING_NULL:
    case JFR_STRING_EMPTY:
        return true;
    case JFR_STRING_CONSTANT:
        return jfr_varint_read(cursor, out_key);
    case JFR_STRING_UTF8:
    case JFR_STRING_LATIN1:
        return jfr_varint_read(cursor, &length) && jfr_cursor_skip(cursor, length);
    case JFR_STRING_UTF16:
        return jfr_varint_read(cursor, &length) && jfr_varint_skip_many(cursor, length);
    default:
        return false;
    }
}

bool
jfr_string_read_utf8(jfr_cursor *cursor, lp_buf *out)
{
    jfr_cursor start = *cursor;
    uint64_t key;
    if (!jfr_string_skip(cursor, &key)) { // from here on nothing can run over the end
        return false;
    }
    uint8_t encoding = *start.at++;
    LP_REQUIRE(encoding != JFR_STRING_CONSTANT, false);
    if (encoding == JFR_STRING_NULL || encoding == JFR_STRING_EMPTY) {
        return true;
    }
    uint64_t length = 0;
    (void)jfr_varint_read(&start, &length);
    if (encoding == JFR_STRING_UTF8) {
        jfr_utf8_append_valid(out, (lp_slice){start.at, (size_t)length});
    } else if (encoding == JFR_STRING_LATIN1) {
        jfr_utf8_append_latin1(out, (lp_slice){start.at, (size_t)length});
    } else {
        uint32_t high = 0;
        while (length > 0) {
            size_t ascii = high == 0 ? measure_ascii(start.at, length) : 0;
            lp_buf_append(out, start.at, ascii); // a unit below 0x80 is one byte, and the same
            start.at += ascii;
            length -= ascii;
            if (length > 0) {
                uint64_t unit = 0;
                (void)jfr_varint_read(&start, &unit);
                append_unit(out, (uint16_t)unit, &high);
                length--;
            }
        }
        append_end(out, high);
    }
    return true;
}

bool
jfr_string_find_ascii(jfr_cursor cursor, lp_slice *out)
{
    LP_REQUIRE(jfr_cursor_left(&cursor) > 0, false);
    uint8_t encoding = *cursor.at++;
    uint64_t length = 0;
    // A unit of UTF-16 takes one byte at least, and one that is ASCII takes no more.
    if (encoding < JFR_STRING_UTF8 || encoding > JFR_STRING_LATIN1 ||
        !jfr_varint_read(&cursor, &length) || length > jfr_cursor_left(&cursor) ||
        measure_ascii(cursor.at, length) < length) {
        return false;
    }
    *out = (lp_slice){cursor.at, (size_t)length};
    return true;
}

void
jfr_string_append(lp_buf *out, lp_slice utf8)
{
    uint8_t head[1 + JFR_VARINT_BYTES_MAX] = {JFR_STRING_EMPTY};
    size_t head_bytes = 1;
    if (utf8.len > 0) {
        head[0] = JFR_STRING_UTF8;
        head_bytes += jfr_varint_encode(utf8.len, head + 1);
    }
    uint8_t *at = lp_buf_extend(out, head_bytes + utf8.len);
    if (at != NULL) {
        memcpy(at, head, head_bytes);
        memcpy(at + head_bytes, utf8.len == 0 ? head : utf8.ptr, utf8.len);
    }
}

void
jfr_utf8_append_latin1(lp_buf *out, lp_slice latin1)
{
    for (size_t at = 0; at < latin1.len; at++) {
        size_t ascii = measure_ascii(latin1.ptr + at, latin1.len - at);
        lp_buf_append(out, latin1.ptr + at, ascii);
        at += ascii;
        if (at < latin1.len) {
            append_code_point(out, latin1.ptr[at]);
        }
    }
}

void
jfr_utf8_append_utf16(lp_buf *out, lp_slice utf16)
{
    uint32_t high = 0;
    for (size_t i = 0; i + 1 < utf16.len; i += 2) {
        append_unit(out, utf16.ptr[i] | (uint32_t)utf16.ptr[i + 1] << 8, &high);
    }
    append_end(out, high);
}

// measure_valid returns how many bytes at the start of text are UTF-8.
static size_t
measure_valid(lp_slice text)
{
    size_t valid = measure_ascii(text.ptr, text.len);
    size_t bytes = 1;
    while (valid < text.len && bytes > 0) {
        bytes = lp_utf8_measure((lp_slice){text.ptr + valid, text.len - valid});
        valid += bytes;
    }
    return valid;
}

void
jfr_utf8_append_valid(lp_buf *out, lp_slice utf8)
{
    static const uint8_t replacement[] = {0xef, 0xbf, 0xbd};
    for (size_t at = 0; at < utf8.len; at++) {
        size_t valid = measure_valid((lp_slice){utf8.ptr + at, utf8.len - at});
        lp_buf_append(out, utf8.ptr + at, valid);
        at += valid;
        if (at < utf8.len) {
            lp_buf_append(out, replacement, sizeof(replacement));
        }
    }
}
