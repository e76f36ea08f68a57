// SPDX-License-Identifier: Apache-2.0

#include "common/base/lp_buf.h"

#include "common/base/lp_large.h"

#include <string.h>

enum { FIRST_CAPACITY_BYTES = 256 };

static bool
set_capacity(lp_buf *buf, size_t capacity)
{
    uint8_t *ptr = lp_large_grow(buf->ptr, buf->capacity, capacity);
    if (ptr == NULL) {
        buf->is_failed = true;
        return false;
    }
    buf->ptr = ptr;
    buf->capacity = capacity;
    return true;
}

static bool
has_room(const lp_buf *buf, size_t count)
{
    // An empty one has no bytes to point to, even for a count of 0.
    return buf->ptr != NULL && count <= buf->capacity - buf->len;
}

static __attribute__((noinline)) bool
grow(lp_buf *buf, size_t count)
{
    size_t capacity = buf->capacity < FIRST_CAPACITY_BYTES ? FIRST_CAPACITY_BYTES : buf->capacity;
    while (capacity - buf->len < count) {
        if (capacity > SIZE_MAX / 2) {
            buf->is_failed = true;
            return false;
        }
        capacity *= 2;
    }
    return set_capacity(buf, capacity);
}

static inline bool
reserve(lp_buf *buf, size_t count)
{
    LP_REQUIRE(!buf->is_failed, false);
    return has_room(buf, count) || grow(buf, count);
}

void
lp_buf_reserve(lp_buf *buf, size_t count)
{
    if (buf->is_failed || has_room(buf, count)) {
        return;
    }
    if (count > SIZE_MAX / 2 - buf->len) {
        buf->is_failed = true;
        return;
    }
    (void)set_capacity(buf, buf->len + (count == 0 ? 1 : count));
}

void
lp_buf_fini(lp_buf *buf)
{
    lp_large_free(buf->ptr);
    *buf = (lp_buf){0};
}

void
lp_buf_clear(lp_buf *buf)
{
    buf->len = 0;
    buf->is_failed = false;
}

uint8_t *
lp_buf_extend(lp_buf *buf, size_t count)
{
    LP_REQUIRE(reserve(buf, count), NULL);
    uint8_t *begin = buf->ptr + buf->len;
    buf->len += count;
    return begin;
}

void
lp_buf_append(lp_buf *buf, const void *bytes, size_t count)
{
    if (count > 0 && reserve(buf, count)) {
        memcpy(buf->ptr + buf->len, bytes, count);
        buf->len += count;
    }
}

void
lp_buf_append_text(lp_buf *buf, const char *text)
{
    lp_buf_append(buf, text, strlen(text));
}

lp_err
lp_buf_check(const lp_buf *buf)
{
    return buf->is_failed ? LP_ENOMEM : LP_OK;
}
