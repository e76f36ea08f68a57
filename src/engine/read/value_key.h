// SPDX-License-Identifier: Apache-2.0
// value_key: reads values of contextual events for statistics, which need the text of a value only
// when the value is new. A number, the key, stands for the text: the bits of a primitive, the key
// of a constant, or a hash of a text's bytes. Equal keys of a field mean equal texts; equal texts
// may have several keys.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/rollup/test_rollup_make.c, tests/prop/test_rollup_prop.c

#pragma once

#include "common/base/lp_hash.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/jfr_varint.h"
#include "engine/read/kinds.h"
#include "engine/read/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How the keys of an attribute are read.
typedef struct compact_value_key_plan {
    const uint8_t *numbers_end; // JFR_VARINT_BYTES_MAX bytes can be read up to here
    uint64_t seed;              // of hashes
    size_t width;               // of other values in bytes; 0: a varint
} compact_value_key_plan;

// compact_value_key_plan_make returns how to read the keys of an attribute whose values have this
// width (compact_value_key_width).
static inline compact_value_key_plan
compact_value_key_plan_make(const compact_view *view, size_t width)
{
    const lp_slice chunk = view->chunk;
    return (compact_value_key_plan){
        .numbers_end = chunk.ptr + chunk.len - JFR_VARINT_BYTES_MAX,
        .seed = lp_hash_seed(),
        .width = width,
    };
}

// compact_value_key_is_text returns whether events hold the text of a value, not a number.
static inline bool
compact_value_key_is_text(const struct compact_reading_value *value)
{
    return value->pool == JFR_NONE && value->primitive == CTX_STRING;
}

// compact_value_key_width returns the size of a value in bytes; 0 for varints and texts.
size_t compact_value_key_width(const struct compact_reading_value *value);

// compact_value_key_text sets out_text to the text of the value at cursor, as answers show it.
// Returns false if it is null or a reference. value is scratch. Errors: in the buffers
bool compact_value_key_text(const jfr_pools *pools, const struct compact_reading_value *how,
    jfr_cursor cursor, lp_buf *value, lp_buf *out_text);

// --- Keys

static inline __attribute__((always_inline)) bool
compact_value_key_read_number(
    const compact_value_key_plan *plan, jfr_cursor *cursor, uint64_t *out_number)
{
    if (cursor->at > plan->numbers_end) {
        return jfr_varint_read(cursor, out_number);
    }
    cursor->at = jfr_varint_read_guessed(cursor->at, out_number);
    return cursor->at <= cursor->end;
}

static inline __attribute__((always_inline)) bool
compact_value_key_read_bytes(jfr_cursor *cursor, size_t count, uint64_t *out_bits)
{
    LP_REQUIRE(jfr_cursor_left(cursor) >= count, false);
    *out_bits = 0;
    for (; count > 0; count--) {
        *out_bits = *out_bits << 8 | *cursor->at++;
    }
    return true;
}

typedef struct compact_value_key_words {
    uint64_t hash;
    uint64_t bits;  // bits set in any byte
    uint64_t upper; // bits 6 set without bit 5: upper case and a few others
} compact_value_key_words;

static inline __attribute__((always_inline)) void
compact_value_key_add_word(compact_value_key_words *sum, uint64_t seed, uint64_t word)
{
    sum->bits |= word;
    sum->upper |= word & ~(word + word);
    sum->hash = lp_hash_number(seed, sum->hash ^ word);
}

// compact_value_key_hash_text hashes a text of any length. The chunk's header lies before it.
static inline __attribute__((always_inline)) void
compact_value_key_hash_text(
    compact_value_key_words *sum, uint64_t seed, const uint8_t *text, size_t len)
{
    const uint8_t *at = text;
    const uint8_t *end = text + len;
    sum->hash = lp_hash_number(seed, len);
    for (; end - at >= 16; at += 16) {
        compact_value_key_add_word(sum, seed, jfr_varint_word(at));
        compact_value_key_add_word(sum, seed, jfr_varint_word(at + 8));
    }
    if (end - at >= 8) {
        compact_value_key_add_word(sum, seed, jfr_varint_word(at));
        at += 8;
    }
    if (at < end) {
        compact_value_key_add_word(sum, seed, jfr_varint_word(end - 8) >> 8 * (8 - (end - at)));
    }
}

// compact_value_key_read_ascii moves cursor over a non-empty ASCII string of any encoding (a UTF-16
// unit below 0x80 is one byte, too). With the seed LP_HASH_FIXED_NUMBER the hash is that of
// rollup_id_hash, unless *out_has_upper. Returns false, with cursor unchanged, for other strings.
static inline __attribute__((always_inline)) bool
compact_value_key_read_ascii(
    jfr_cursor *cursor, uint64_t seed, uint64_t *out_hash, bool *out_has_upper)
{
    const uint8_t *at = cursor->at;
    size_t left = jfr_cursor_left(cursor);
    if (left < 2 || (uint8_t)(at[0] - JFR_STRING_UTF8) > JFR_STRING_LATIN1 - JFR_STRING_UTF8) {
        return false;
    }
    size_t len = at[1];
    LP_REQUIRE(len - 1 < 0x7f && left - 2 >= len, false);
    const uint8_t *end = at + 2 + len;
    compact_value_key_words sum = {0};
    if (len == 16) { // ids mostly have 16 or 32 digits; a constant length needs no loop
        compact_value_key_hash_text(&sum, seed, at + 2, 16);
    } else if (len == 32) {
        compact_value_key_hash_text(&sum, seed, at + 2, 32);
    } else {
        compact_value_key_hash_text(&sum, seed, at + 2, len);
    }
    LP_REQUIRE((sum.bits & 0x8080808080808080u) == 0, false);
    cursor->at = end;
    *out_hash = sum.hash;
    *out_has_upper = (sum.upper & 0x4040404040404040u) != 0;
    return true;
}

// compact_value_key_read_other reads the key of a string that is not ASCII. Returns the end of the
// string, NULL if the event ends before.
const uint8_t *compact_value_key_read_other(jfr_cursor cursor, uint64_t *out_key);

static inline __attribute__((always_inline)) bool
compact_value_key_read_string(
    const compact_value_key_plan *plan, jfr_cursor *cursor, uint64_t *out_key)
{
    if (cursor->at < cursor->end && *cursor->at == JFR_STRING_CONSTANT) {
        cursor->at++;
        return compact_value_key_read_number(plan, cursor, out_key);
    }
    bool has_upper;
    if (compact_value_key_read_ascii(cursor, plan->seed, out_key, &has_upper)) {
        return true;
    }
    uint64_t key; // *out_key may stay in a register
    cursor->at = compact_value_key_read_other(*cursor, &key);
    *out_key = key;
    return cursor->at != NULL;
}

// compact_value_key_pass_ascii is compact_value_key_read_ascii without the hash.
static inline __attribute__((always_inline)) bool
compact_value_key_pass_ascii(jfr_cursor *cursor)
{
    const uint8_t *at = cursor->at;
    size_t left = jfr_cursor_left(cursor);
    if (left < 2 || (uint8_t)(at[0] - JFR_STRING_UTF8) > JFR_STRING_LATIN1 - JFR_STRING_UTF8) {
        return false;
    }
    size_t len = at[1];
    LP_REQUIRE(len < 0x80 && left - 2 >= len, false);
    uint64_t bits = 0;
    const uint8_t *end = at + 2 + len;
    for (at += 2; end - at >= 8; at += 8) {
        bits |= jfr_varint_word(at);
    }
    if (at < end) { // the chunk's header lies before the text
        bits |= jfr_varint_word(end - 8) >> 8 * (8 - (end - at));
    }
    LP_REQUIRE((bits & 0x8080808080808080u) == 0, false);
    cursor->at = end;
    return true;
}

// compact_value_key_pass_string moves cursor over a string. Returns false if the event ends before.
static inline __attribute__((always_inline)) bool
compact_value_key_pass_string(jfr_cursor *cursor)
{
    if (compact_value_key_pass_ascii(cursor)) {
        return true;
    }
    uint64_t key;
    cursor->at = compact_value_key_read_other(*cursor, &key);
    return cursor->at != NULL;
}

// compact_value_key_read moves cursor over a value and reads its key. is_text as
// compact_value_key_is_text. Returns false if the event ends before.
static inline __attribute__((always_inline)) bool
compact_value_key_read(
    const compact_value_key_plan *plan, bool is_text, jfr_cursor *cursor, uint64_t *out_key)
{
    return is_text            ? compact_value_key_read_string(plan, cursor, out_key)
           : plan->width != 0 ? compact_value_key_read_bytes(cursor, plan->width, out_key)
                              : compact_value_key_read_number(plan, cursor, out_key);
}
