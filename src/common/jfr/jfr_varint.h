// SPDX-License-Identifier: Apache-2.0
// jfr_varint: the compressed integers of JFR, and a cursor over bytes that come from outside.
//
// The integers are little-endian, base 128, in at most 9 bytes. Bytes 0 to 7 have 7 bits of the
// number and a continuation bit; the ninth byte is raw, with 8 bits of the number. A negative
// number is encoded as its 64-bit pattern. Longer encodings than necessary are legal.
//
// Threads: any thread.

#pragma once

#include "common/base/lp_buf.h"

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { JFR_VARINT_BYTES_MAX = 9 };

typedef struct jfr_cursor {
    const uint8_t *at;
    const uint8_t *end;
} jfr_cursor;

// jfr_cursor_over returns a cursor at the begin of bytes. bytes may be empty, with ptr NULL.
static inline jfr_cursor
jfr_cursor_over(lp_slice bytes)
{
    return (jfr_cursor){bytes.ptr, bytes.len == 0 ? bytes.ptr : bytes.ptr + bytes.len};
}

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

// A word is 8 bytes at once, the first of them lowest. JFR_VARINT_MORE has the continuation bit of
// each byte.
#define JFR_VARINT_MORE 0x8080808080808080u

static inline uint64_t
jfr_varint_word(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return le64toh(word);
}

// jfr_varint_stops returns the highest bit of each byte that ends a number, if no byte is raw.
static inline uint64_t
jfr_varint_stops(uint64_t word)
{
    return ~word & JFR_VARINT_MORE;
}

// jfr_varint_stop_size returns the number of bytes up to and including the first stop. stops is not
// 0.
static inline unsigned
jfr_varint_stop_size(uint64_t stops)
{
    return ((unsigned)__builtin_ctzll(stops) >> 3) + 1;
}

// jfr_varint_squeeze joins the low 7 bits of the 8 bytes.
static inline uint64_t
jfr_varint_squeeze(uint64_t word)
{
    word &= ~JFR_VARINT_MORE;
    word = (word & 0x007f007f007f007fu) | (word & 0x7f007f007f007f00u) >> 1;
    word = (word & 0x00003fff00003fffu) | (word & 0x3fff00003fff0000u) >> 2;
    return (word & 0x000000000fffffffu) | (word & 0x0fffffff00000000u) >> 4;
}

// jfr_varint_read_word reads one number and returns where it ends. JFR_VARINT_BYTES_MAX bytes must
// be readable. Cost: the same for one byte and for eight, no branch that depends on the size
static inline const uint8_t *
jfr_varint_read_word(const uint8_t *at, uint64_t *out_value)
{
    uint64_t word = jfr_varint_word(at);
    uint64_t stops = jfr_varint_stops(word);
    if (stops == 0) {
        *out_value = jfr_varint_squeeze(word) | (uint64_t)at[8] << 56;
        return at + JFR_VARINT_BYTES_MAX;
    }
    *out_value = jfr_varint_squeeze(word & (stops ^ (stops - 1))); // all up to the first stop
    return at + jfr_varint_stop_size(stops);
}

// jfr_varint_read_pext is jfr_varint_read_word with an instruction that joins the groups. Call it
// only if jfr_varint_has_pext returned true. Cost: less than half of jfr_varint_read_word's
static inline const uint8_t *
jfr_varint_read_pext(const uint8_t *at, uint64_t *out_value)
{
#ifdef __x86_64__
    uint64_t word = jfr_varint_word(at);
    uint64_t stops = jfr_varint_stops(word);
    if (stops != 0) {
        uint64_t groups = (stops ^ (stops - 1)) & ~JFR_VARINT_MORE;
        __asm__("pext %2, %1, %0" : "=r"(*out_value) : "r"(word), "r"(groups));
        return at + jfr_varint_stop_size(stops);
    }
#endif
    return jfr_varint_read_word(at, out_value);
}

// jfr_varint_has_pext returns whether the CPU has the instruction pext and is fast at it.
bool jfr_varint_has_pext(void);

// jfr_varint_read_short is jfr_varint_read_word for numbers that mostly have up to four bytes, as
// keys do. Cost: less than jfr_varint_read_word for short numbers
static inline void
jfr_varint_read_short(const uint8_t *at, uint64_t *out_value)
{
    uint32_t word;
    memcpy(&word, at, sizeof(word));
    word = le32toh(word);
    uint32_t stops = ~word & 0x80808080u;
    if (stops == 0) {
        (void)jfr_varint_read_word(at, out_value);
        return;
    }
    word &= stops ^ (stops - 1); // all up to the first stop
    *out_value =
        (word & 0x7fu) | (word >> 1 & 0x3f80u) | (word >> 2 & 0x1fc000u) | (word >> 3 & 0xfe00000u);
}

// jfr_varint_read_guessed is jfr_varint_read_word for numbers that mostly are short and of the same
// size as the numbers that the same line of code has read before. Cost: a branch each for one byte
// and for two. If the CPU predicts them, it reads the next number before this number is known
static inline __attribute__((always_inline)) const uint8_t *
jfr_varint_read_guessed(const uint8_t *at, uint64_t *out_value)
{
    if (at[0] < 0x80) {
        *out_value = at[0];
        return at + 1;
    }
    if (at[1] < 0x80) {
        *out_value = (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
        return at + 2;
    }
    return jfr_varint_read_word(at, out_value);
}

// jfr_varint_read_near_end is jfr_varint_read, byte by byte.
bool jfr_varint_read_near_end(jfr_cursor *cursor, uint64_t *out_value);

// jfr_varint_read reads one number; false, without moving, if the bytes end within it.
// Cost: one branch each for one byte, for up to eight, and for nine, wherever the number ends.
//       always_inline: a call would cost as much as reading, and gcc would make it a call.
static inline __attribute__((always_inline)) bool
jfr_varint_read(jfr_cursor *cursor, uint64_t *out_value)
{
    const uint8_t *at = cursor->at;
    if (at < cursor->end && *at < 0x80) { // most of them
        *out_value = *at;
        cursor->at = at + 1;
        return true;
    }
    if (cursor->end - at < JFR_VARINT_BYTES_MAX) {
        if (cursor->end - at >= 2 && at[1] < 0x80) { // most of the others that are near an end
            *out_value = (*at & 0x7fu) | (uint64_t)at[1] << 7;
            cursor->at = at + 2;
            return true;
        }
        jfr_cursor copy = *cursor; // so that the caller's may stay in registers
        uint64_t value;
        LP_REQUIRE(jfr_varint_read_near_end(&copy, &value), false);
        *out_value = value;
        cursor->at = copy.at;
        return true;
    }
    cursor->at = jfr_varint_read_word(at, out_value);
    return true;
}

// jfr_varint_skip is jfr_varint_read for a number that is not needed.
static inline bool
jfr_varint_skip(jfr_cursor *cursor)
{
    uint64_t ignored;
    return jfr_varint_read(cursor, &ignored);
}

// jfr_varint_skip_words is jfr_varint_skip_many 8 bytes at a time.
static inline bool
jfr_varint_skip_words(jfr_cursor *cursor, uint64_t count)
{
    jfr_cursor rest = *cursor;
    while (count > 0 && rest.end - rest.at >= JFR_VARINT_BYTES_MAX) {
        uint64_t stops = jfr_varint_stops(jfr_varint_word(rest.at));
        uint64_t stop_count = (stops >> 7) * 0x0101010101010101u >> 56;
        if (stops == 0) {
            rest.at += JFR_VARINT_BYTES_MAX;
            count--;
        } else if (stop_count <= count) {
            // Moves behind the last stop, so that each word begins with a number.
            rest.at += 8 - ((unsigned)__builtin_clzll(stops) >> 3);
            count -= stop_count;
        } else {
            for (; count > 1; count--) {
                stops &= stops - 1;
            }
            rest.at += jfr_varint_stop_size(stops);
            count = 0;
        }
    }
    for (; count > 0; count--) {
        LP_REQUIRE(jfr_varint_skip(&rest), false);
    }
    cursor->at = rest.at;
    return true;
}

// jfr_varint_skip_blocks is jfr_varint_skip_many 64 bytes at a time (jfr_block.h).
bool jfr_varint_skip_blocks(jfr_cursor *cursor, uint64_t count);

enum { JFR_VARINT_MANY = 16 }; // from this count on, a block is faster than words

// jfr_varint_skip_many moves over count numbers; false, without moving, if the bytes end before.
// Cost: proportional to words of 8 or blocks of 64 bytes, not to numbers.
static inline bool
jfr_varint_skip_many(jfr_cursor *cursor, uint64_t count)
{
    if (count < JFR_VARINT_MANY) {
        return jfr_varint_skip_words(cursor, count);
    }
    jfr_cursor copy = *cursor; // so that the caller's may stay in registers
    bool is_whole = jfr_varint_skip_blocks(&copy, count);
    cursor->at = copy.at;
    return is_whole;
}

static inline size_t
jfr_varint_size(uint64_t value)
{
    return value >> 56 != 0 ? JFR_VARINT_BYTES_MAX
                            : (63 - (unsigned)__builtin_clzll(value | 1)) / 7 + 1;
}

// jfr_varint_spread is the reverse of jfr_varint_squeeze, for the low 56 bits of value.
static inline uint64_t
jfr_varint_spread(uint64_t value)
{
    value = (value & 0x000000000fffffffu) | (value & 0x00fffffff0000000u) << 4;
    value = (value & 0x00003fff00003fffu) | (value & 0x0fffc0000fffc000u) << 2;
    return (value & 0x007f007f007f007fu) | (value & 0x3f803f803f803f80u) << 1;
}

// jfr_varint_put_groups writes groups, which have 7 bits in each byte, with continuation bits.
static inline __attribute__((always_inline)) size_t
jfr_varint_put_groups(uint64_t groups, uint8_t *out)
{
    unsigned last = (63 - (unsigned)__builtin_clzll(groups | 1)) >> 3; // counts from 0
    uint64_t more = JFR_VARINT_MORE & (((uint64_t)1 << 8 * last) - 1);
    uint64_t word = htole64(groups | more);
    memcpy(out, &word, sizeof(word));
    return last + 1;
}

// jfr_varint_encode writes value at out, which has room for JFR_VARINT_BYTES_MAX bytes, and returns
// its length. It may write garbage behind the number, within that room.
static inline size_t
jfr_varint_encode(uint64_t value, uint8_t *out)
{
    if (value >> 56 == 0) {
        return jfr_varint_put_groups(jfr_varint_spread(value), out);
    }
    uint64_t word = htole64(jfr_varint_spread(value) | JFR_VARINT_MORE);
    memcpy(out, &word, sizeof(word));
    out[8] = (uint8_t)(value >> 56);
    return JFR_VARINT_BYTES_MAX;
}

// jfr_varint_encode_short is jfr_varint_encode for numbers that mostly have up to 28 bits, as keys
// do. Cost: less than jfr_varint_encode for these
static inline __attribute__((always_inline)) size_t
jfr_varint_encode_short(uint64_t value, uint8_t *out)
{
    if (value >> 28 != 0) {
        return jfr_varint_encode(value, out);
    }
    uint32_t bits = (uint32_t)value;
    return jfr_varint_put_groups(
        (bits & 0x7fu) | (bits & 0x3f80u) << 1 | (bits & 0x1fc000u) << 2 | (bits & 0xfe00000u) << 3,
        out);
}

static inline void
jfr_varint_append(lp_buf *buf, uint64_t value)
{
    // Most of the time there is room for any number: no call then.
    if (!buf->is_failed && buf->capacity - buf->len >= JFR_VARINT_BYTES_MAX) {
        buf->len += jfr_varint_encode(value, buf->ptr + buf->len);
        return;
    }
    uint8_t bytes[JFR_VARINT_BYTES_MAX];
    lp_buf_append(buf, bytes, jfr_varint_encode(value, bytes));
}
