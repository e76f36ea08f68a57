// SPDX-License-Identifier: Apache-2.0
// ctx_build: context records for tests, byte by byte as ctx_record.h describes them.

#pragma once

#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"

#include <string.h>

static inline void
ctx_build_le(lp_buf *out, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint8_t byte = (uint8_t)(value >> (8 * i));
        lp_buf_append(out, &byte, 1);
    }
    LP_ASSERT(!out->is_failed);
}

// ctx_build_text appends a string value: coder 0 = Latin-1, 1 = UTF-16.
static inline void
ctx_build_text(lp_buf *values, const void *bytes, size_t count, uint32_t coder)
{
    ctx_build_le(values, count, 4);
    ctx_build_le(values, coder, 4);
    lp_buf_append(values, bytes, count);
    ctx_build_le(values, 0, (8 - count % 8) % 8);
}

static inline void
ctx_build_latin1(lp_buf *values, const char *text)
{
    ctx_build_text(values, text, strlen(text), 0);
}

static inline void
ctx_build_null(lp_buf *values)
{
    ctx_build_le(values, 0xffffffff, 4);
    ctx_build_le(values, 0, 4);
}

// ctx_build_record writes a record of kind 1 (set), 2 (unset) or 3 (thread end), takes what is in
// values (NULL: none), and leaves them empty.
static inline void
ctx_build_record(
    lp_buf *out, uint8_t kind, uint16_t type, int64_t thread, int64_t time, lp_buf *values)
{
    size_t value_bytes = values == NULL ? 0 : values->len;
    ctx_build_le(out, 24 + value_bytes, 4);
    ctx_build_le(out, type, 2);
    ctx_build_le(out, kind, 1);
    ctx_build_le(out, 0, 1);
    ctx_build_le(out, (uint64_t)thread, 8);
    ctx_build_le(out, (uint64_t)time, 8);
    if (values != NULL) {
        lp_buf_append(out, values->ptr, value_bytes);
        lp_buf_clear(values);
    }
}
