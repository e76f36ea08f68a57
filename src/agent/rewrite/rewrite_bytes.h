// SPDX-License-Identifier: Apache-2.0
// rewrite_bytes: reads and writes the big-endian numbers of class files.
//
// Threads: one thread at a time.
// Errors:  a read past the end returns zeros and sets `is_bad`, so one check after several reads is
//          enough. Writes report errors as lp_buf does.
// Tests:   tests/unit/agent/rewrite/test_rewrite_class.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rewrite_bytes {
    lp_slice bytes;
    size_t at;
    bool is_bad; // a read went past the end
} rewrite_bytes;

// Returns the next count bytes; none if there are fewer.
static inline lp_slice
rewrite_bytes_take(rewrite_bytes *r, size_t count)
{
    if (r->is_bad || count > r->bytes.len - r->at) {
        r->is_bad = true;
        return (lp_slice){0};
    }
    lp_slice taken = {r->bytes.ptr + r->at, count};
    r->at += count;
    return taken;
}

static inline uint8_t
rewrite_bytes_u1(rewrite_bytes *r)
{
    lp_slice taken = rewrite_bytes_take(r, 1);
    return taken.len == 0 ? 0 : taken.ptr[0];
}

static inline uint16_t
rewrite_bytes_peek_u2(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint16_t
rewrite_bytes_u2(rewrite_bytes *r)
{
    lp_slice taken = rewrite_bytes_take(r, 2);
    return taken.len == 0 ? 0 : rewrite_bytes_peek_u2(taken.ptr);
}

static inline uint32_t
rewrite_bytes_u4(rewrite_bytes *r)
{
    uint32_t high = rewrite_bytes_u2(r);
    return high << 16 | rewrite_bytes_u2(r);
}

static inline void
rewrite_bytes_put_u1(lp_buf *out, uint8_t value)
{
    lp_buf_append(out, &value, sizeof(value));
}

static inline void
rewrite_bytes_set_u2(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void
rewrite_bytes_put_u2(lp_buf *out, uint16_t value)
{
    uint8_t bytes[2];
    rewrite_bytes_set_u2(bytes, value);
    lp_buf_append(out, bytes, sizeof(bytes));
}

static inline void
rewrite_bytes_set_u4(uint8_t *at, uint32_t value)
{
    rewrite_bytes_set_u2(at, (uint16_t)(value >> 16));
    rewrite_bytes_set_u2(at + 2, (uint16_t)value);
}

static inline void
rewrite_bytes_put_u4(lp_buf *out, uint32_t value)
{
    uint8_t bytes[4];
    rewrite_bytes_set_u4(bytes, value);
    lp_buf_append(out, bytes, sizeof(bytes));
}
