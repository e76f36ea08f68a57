// SPDX-License-Identifier: Apache-2.0

// lp_buf owns a growing run of bytes. {0} is an empty buffer.
//
// Threads: one thread at a time.
// Tests:   tests/unit/common/base/test_lp_base.c
// Errors:  growing may fail. is_failed is then true and later writes do nothing, so callers check
//          once, after several writes.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lp_buf {
    uint8_t *ptr;
    size_t len;
    size_t capacity;
    bool is_failed;
} lp_buf;

void lp_buf_fini(lp_buf *buf);

// lp_buf_clear forgets the content and a failure, and keeps the memory.
void lp_buf_clear(lp_buf *buf);

// lp_buf_extend appends count uninitialised bytes and returns a pointer to the first, valid until
// buf grows again. It returns NULL only if memory ran out, not if count is 0.
uint8_t *lp_buf_extend(lp_buf *buf, size_t count);

// lp_buf_reserve makes room for exactly count more bytes. A caller that knows the final size avoids
// the copies and spare memory of growing step by step.
void lp_buf_reserve(lp_buf *buf, size_t count);

// lp_buf_append copies count bytes to the end.
void lp_buf_append(lp_buf *buf, const void *bytes, size_t count);

// lp_buf_append_text copies a text to the end, without its zero.
void lp_buf_append_text(lp_buf *buf, const char *text);

// lp_buf_check returns LP_ENOMEM if any write since the last clear failed.
LP_MUST_USE lp_err lp_buf_check(const lp_buf *buf);

static inline lp_slice
lp_buf_slice(const lp_buf *buf)
{
    return (lp_slice){.ptr = buf->ptr, .len = buf->len};
}
