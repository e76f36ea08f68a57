// SPDX-License-Identifier: Apache-2.0
// codec: saves values as bytes, or loads them. One function describes a format for both directions:
// it passes each value to the codec, which saves the value or overwrites it with the loaded one.
// Saving writes to the value, too. If other threads may read the value, save a copy of it.
//
// A format is a sequence of varints and strings (length, bytes). After the first failure of
// loading, the codec keeps that error, and all further numbers are 0.
//
// Threads: one thread at a time for each codec.
// Tests:   tests/unit/engine/carry/test_carry_bytes.c,
//          tests/unit/engine/requests/test_request_rules.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/jfr/jfr_varint.h"

typedef struct compact_codec {
    lp_buf *out;       // NULL: loads
    jfr_cursor cursor; // of the bytes to load
    lp_arena *arena;   // of loaded texts
    lp_err err;
    const uint8_t *failed_at; // the cursor at the failure
} compact_codec;

static inline bool
compact_codec_loads(const compact_codec *c)
{
    return c->out == NULL;
}

static inline void
compact_codec_fail(compact_codec *c, lp_err err)
{
    LP_ASSERT(compact_codec_loads(c));
    if (c->err == LP_OK && err != LP_OK) {
        c->err = err;
        c->failed_at = c->cursor.at;
    }
}

// compact_codec_expect makes loading fail if is_so is false. Saved values always meet the
// condition.
static inline void
compact_codec_expect(compact_codec *c, bool is_so)
{
    if (compact_codec_loads(c) && !is_so) {
        compact_codec_fail(c, LP_ECORRUPT);
    }
}

// compact_codec_number returns the number that it saved or loaded.
static inline uint64_t
compact_codec_number(compact_codec *c, uint64_t number)
{
    if (!compact_codec_loads(c)) {
        jfr_varint_append(c->out, number);
        return number;
    }
    number = 0;
    compact_codec_expect(c, c->err == LP_OK && jfr_varint_read(&c->cursor, &number));
    return c->err == LP_OK ? number : 0;
}

static inline uint64_t
compact_codec_up_to(compact_codec *c, uint64_t number, uint64_t max)
{
    number = compact_codec_number(c, number);
    compact_codec_expect(c, number <= max);
    return c->err == LP_OK ? number : 0;
}

// compact_codec_count saves or loads a count of items. Loading fails if the remaining bytes are
// fewer than the items: each item takes at least a byte.
static inline size_t
compact_codec_count(compact_codec *c, size_t count)
{
    uint64_t number = compact_codec_number(c, count);
    compact_codec_expect(c, number <= jfr_cursor_left(&c->cursor));
    return c->err == LP_OK ? (size_t)number : 0;
}

// compact_codec_after saves or loads one of several ascending numbers as its difference from the
// previous number, which makes it short. For the first number, pass 0 as the previous one; the
// first number may be negative.
static inline int64_t
compact_codec_after(compact_codec *c, bool is_first, int64_t before, int64_t number)
{
    uint64_t step = compact_codec_number(c, (uint64_t)number - (uint64_t)before);
    number = (int64_t)((uint64_t)before + step);
    compact_codec_expect(c, is_first || number >= before);
    return number;
}

// COMPACT_CODE codes up to four integers, enumerations or booleans in place.
#define COMPACT_CODE(codec, ...) COMPACT_CODE_EACH(COMPACT_CODE_ONE, codec, __VA_ARGS__)
#define COMPACT_CODE_ONE(codec, it)                                                                \
    ((it) = (__typeof__(it))compact_codec_number(codec, (uint64_t)(it)))

// COMPACT_CODE_EACH evaluates code(codec, item) for each of up to four items.
#define COMPACT_CODE_EACH(code, codec, ...)                                                        \
    (COMPACT_CODE_PICK(__VA_ARGS__, COMPACT_CODE_4, COMPACT_CODE_3, COMPACT_CODE_2,                \
        COMPACT_CODE_1, 0)(code, codec, __VA_ARGS__))
#define COMPACT_CODE_PICK(a, b, c, d, picked, ...) picked
#define COMPACT_CODE_1(code, codec, a)             code(codec, a)
#define COMPACT_CODE_2(code, codec, a, b)          code(codec, a), code(codec, b)
#define COMPACT_CODE_3(code, codec, a, b, c)       code(codec, a), code(codec, b), code(codec, c)
#define COMPACT_CODE_4(code, codec, a, b, c, d)                                                    \
    COMPACT_CODE_2(code, codec, a, b), COMPACT_CODE_2(code, codec, c, d)
