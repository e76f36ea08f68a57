// SPDX-License-Identifier: Apache-2.0
// jfr_varint: the compressed integers of JFR, and a cursor over bytes that come from outside.
//
// Little-endian base 128 in at most 9 bytes: bytes 0..7 carry 7 bits each and a continuation bit;
// the ninth is raw, all 8 bits count. Negative numbers are their 64-bit pattern. Longer encodings
// than necessary are legal.
//
// Threads: any thread.

#ifndef LP_COMMON_JFR_JFR_VARINT_H
#define LP_COMMON_JFR_JFR_VARINT_H

#include "common/base/lp_buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JFR_VARINT_BYTES_MAX = 9 };

typedef struct jfr_cursor {
    const uint8_t *at;
    const uint8_t *end;
} jfr_cursor;

static inline size_t
jfr_cursor_left(const jfr_cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

// jfr_cursor_skip moves over count bytes; false, without moving, if fewer are left.
static inline bool
jfr_cursor_skip(jfr_cursor *cursor, uint64_t count)
{
    if (count > jfr_cursor_left(cursor)) {
        return false;
    }
    cursor->at += count;
    return true;
}

// jfr_varint_read reads one number; false if the bytes end within it.
static inline bool
jfr_varint_read(jfr_cursor *cursor, uint64_t *out_value)
{
    const uint8_t *at = cursor->at;
    const uint8_t *end = cursor->end;
    if (at < end && *at < 0x80) { // most of them
        *out_value = *at;
        cursor->at = at + 1;
        return true;
    }
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 56; shift += 7) {
        if (at == end) {
            return false;
        }
        uint8_t byte = *at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out_value = value;
            cursor->at = at;
            return true;
        }
    }
    if (at == end) {
        return false;
    }
    *out_value = value | (uint64_t)*at++ << 56;
    cursor->at = at;
    return true;
}

// jfr_varint_skip is jfr_varint_read for a number that nobody wants.
static inline bool
jfr_varint_skip(jfr_cursor *cursor)
{
    uint64_t ignored;
    return jfr_varint_read(cursor, &ignored);
}

static inline size_t
jfr_varint_size(uint64_t value)
{
    size_t size = 1;
    while (value >= 0x80 && size < JFR_VARINT_BYTES_MAX) {
        value >>= 7;
        size++;
    }
    return size;
}

// jfr_varint_encode writes value at out, which has room for JFR_VARINT_BYTES_MAX bytes, and returns
// how many it took.
static inline size_t
jfr_varint_encode(uint64_t value, uint8_t *out)
{
    size_t size = 0;
    while (value >= 0x80 && size < JFR_VARINT_BYTES_MAX - 1) {
        out[size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    out[size++] = (uint8_t)value;
    return size;
}

static inline void
jfr_varint_append(lp_buf *buf, uint64_t value)
{
    uint8_t bytes[JFR_VARINT_BYTES_MAX];
    lp_buf_append(buf, bytes, jfr_varint_encode(value, bytes));
}

#endif // LP_COMMON_JFR_JFR_VARINT_H
