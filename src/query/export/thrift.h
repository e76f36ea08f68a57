// SPDX-License-Identifier: Apache-2.0
// thrift: writes structures in Thrift's compact protocol, for Parquet's metadata
// (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md).
//
//   field      delta of its number to the field before << 4 | type, then the value
//   integer    zigzag varint
//   text       varint of its length, bytes
//   list       count << 4 | type of its items, or from 15 on 0xf0 | type and a varint of the count
//   structure  fields, then 0
//
// Threads: any thread; pure functions. If memory runs out, the buffer fails.
// Tests:   tests/unit/query/export/test_tables.c

#pragma once

#include "common/base/lp_buf.h"

#include <string.h>

typedef enum thrift_type {
    THRIFT_I32 = 5,
    THRIFT_I64 = 6,
    THRIFT_TEXT = 8,
    THRIFT_LIST = 9,
    THRIFT_STRUCT = 12,
} thrift_type;

// A structure that is being written.
typedef struct thrift {
    lp_buf *out;
    unsigned last; // number of the field before
} thrift;

static inline void
thrift_varint(lp_buf *out, uint64_t value)
{
    uint8_t bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7) {
        bytes[count++] = (uint8_t)(value | 0x80);
    }
    bytes[count++] = (uint8_t)value;
    lp_buf_append(out, bytes, count);
}

static inline void
thrift_integer(lp_buf *out, int64_t value)
{
    thrift_varint(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

// thrift_field begins a field; its number is at most 15 above the one before.
static inline void
thrift_field(thrift *t, unsigned number, thrift_type type)
{
    const uint8_t head = (uint8_t)((number - t->last) << 4 | type);
    lp_buf_append(t->out, &head, 1);
    t->last = number;
}

static inline void
thrift_i32(thrift *t, unsigned number, int32_t value)
{
    thrift_field(t, number, THRIFT_I32);
    thrift_integer(t->out, value);
}

static inline void
thrift_i64(thrift *t, unsigned number, int64_t value)
{
    thrift_field(t, number, THRIFT_I64);
    thrift_integer(t->out, value);
}

// thrift_string writes a text that is no field, such as an item of a list.
static inline void
thrift_string(lp_buf *out, const char *text)
{
    size_t len = strlen(text);
    thrift_varint(out, len);
    lp_buf_append(out, text, len);
}

static inline void
thrift_text(thrift *t, unsigned number, const char *text)
{
    thrift_field(t, number, THRIFT_TEXT);
    thrift_string(t->out, text);
}

// thrift_list begins a list; the caller writes its items.
static inline void
thrift_list(thrift *t, unsigned number, thrift_type type, size_t count)
{
    const uint8_t head = (uint8_t)((count < 15 ? count : 15) << 4 | type);
    thrift_field(t, number, THRIFT_LIST);
    lp_buf_append(t->out, &head, 1);
    if (count >= 15) {
        thrift_varint(t->out, count);
    }
}

// thrift_struct begins a field that is a structure.
static inline thrift
thrift_struct(thrift *t, unsigned number)
{
    thrift_field(t, number, THRIFT_STRUCT);
    return (thrift){.out = t->out};
}

static inline void
thrift_end(thrift *t)
{
    lp_buf_append(t->out, "", 1);
}
