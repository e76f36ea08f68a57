// SPDX-License-Identifier: Apache-2.0
#include "engine/read/text.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DOUBLE_DIGITS_MAX = 17, // enough to read back any double
    FLOAT_DIGITS_MAX = 9,
    HEX_DIGITS = 16,
    NUMBER_TEXT_BYTES = 32,  // for numbers of DOUBLE_DIGITS_MAX digits
    PLAIN_EXPONENT_MIN = -3, // Java writes 0.001 and 9999999.0 without an exponent
    PLAIN_EXPONENT_MAX = 6,
};

static void
append_string(lp_buf *out, const char *text)
{
    lp_buf_append(out, text, strlen(text));
}

void
compact_text_append_integer(lp_buf *out, int64_t value)
{
    char text[NUMBER_TEXT_BYTES];
    char *at = text + sizeof(text);
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        *--at = '-';
    }
    lp_buf_append(out, at, (size_t)(text + sizeof(text) - at));
}

static void
write_hex(uint64_t value, uint8_t digits[HEX_DIGITS])
{
    for (size_t i = HEX_DIGITS; i-- > 0; value >>= 4) {
        digits[i] = (uint8_t) "0123456789abcdef"[value & 15];
    }
}

void
compact_text_append_hex(lp_buf *out, uint64_t value)
{
    uint8_t digits[HEX_DIGITS];
    write_hex(value, digits);
    lp_buf_append(out, digits, sizeof(digits));
}

void
compact_text_append_hex_string(lp_buf *out, uint64_t value)
{
    uint8_t digits[HEX_DIGITS];
    write_hex(value, digits);
    jfr_string_append(out, (lp_slice){digits, sizeof(digits)});
}

void
compact_text_append_string(lp_buf *out, const char *text)
{
    jfr_string_append(out, (lp_slice){(const uint8_t *)text, strlen(text)});
}

void
compact_text_append_char(lp_buf *out, uint16_t unit)
{
    const uint8_t bytes[] = {(uint8_t)unit, (uint8_t)(unit >> 8)};
    jfr_utf8_append_utf16(out, (lp_slice){bytes, sizeof(bytes)});
}

// The decimal d.ddd * 10^exponent.
typedef struct decimal {
    char digits[NUMBER_TEXT_BYTES]; // without trailing zeros, but at least two
    int exponent;
} decimal;

static decimal
decimal_of(const char *scientific)
{
    decimal d = {.exponent = (int)strtol(strchr(scientific, 'e') + 1, NULL, 10)};
    size_t count = 0;
    for (const char *c = scientific; *c != 'e'; c++) {
        if (*c != '.') {
            d.digits[count++] = *c;
        }
    }
    LP_ASSERT(count >= 2 && count <= DOUBLE_DIGITS_MAX); // the precision of the format
    while (count > 2 && d.digits[count - 1] == '0') {
        d.digits[--count] = '\0';
    }
    return d;
}

static void
append_zeros(lp_buf *out, int count)
{
    for (; count > 0; count--) {
        lp_buf_append(out, "0", 1);
    }
}

static void
append_decimal(lp_buf *out, const decimal *d)
{
    int count = (int)strlen(d->digits);
    if (d->exponent < PLAIN_EXPONENT_MIN || d->exponent > PLAIN_EXPONENT_MAX) {
        lp_buf_append(out, d->digits, 1);
        append_string(out, ".");
        append_string(out, d->digits + 1);
        append_string(out, "E");
        compact_text_append_integer(out, d->exponent);
        return;
    }
    if (d->exponent < 0) {
        append_string(out, "0.");
        append_zeros(out, -d->exponent - 1);
        bool ends_in_zero = count == 2 && d->digits[1] == '0';
        lp_buf_append(out, d->digits, (size_t)(ends_in_zero ? 1 : count));
        return;
    }
    int whole = d->exponent + 1;
    lp_buf_append(out, d->digits, (size_t)(count < whole ? count : whole));
    append_zeros(out, whole - count);
    append_string(out, ".");
    append_string(out, count > whole ? d->digits + whole : "0");
}

// append_special appends NaN, infinity or zero and returns true; for other values it appends the
// sign.
static bool
append_special(lp_buf *out, double value)
{
    if (isnan(value)) {
        append_string(out, "NaN");
        return true;
    }
    if (signbit(value)) {
        append_string(out, "-");
    }
    if (isinf(value)) {
        append_string(out, "Infinity");
        return true;
    }
    if (value == 0) {
        append_string(out, "0.0");
        return true;
    }
    return false;
}

// append_shortest appends the shortest decimal that strtof (is_float) or strtod reads as value.
static void
append_shortest(lp_buf *out, double value, int digits_max, bool is_float)
{
    if (append_special(out, value)) {
        return;
    }
    char text[NUMBER_TEXT_BYTES];
    double size = fabs(value);
    for (int digits = 2; digits <= digits_max; digits++) {
        (void)snprintf(text, sizeof(text), "%.*e", digits - 1, size);
        if ((is_float ? (double)strtof(text, NULL) : strtod(text, NULL)) == size) {
            break;
        }
    }
    const decimal d = decimal_of(text);
    append_decimal(out, &d);
}

void
compact_text_append_double(lp_buf *out, double value)
{
    append_shortest(out, value, DOUBLE_DIGITS_MAX, false);
}

void
compact_text_append_float(lp_buf *out, float value)
{
    append_shortest(out, (double)value, FLOAT_DIGITS_MAX, true);
}

const char *
compact_text_take(lp_buf *buf, lp_arena *arena)
{
    lp_arena_note(arena, lp_buf_check(buf));
    const char *text = lp_arena_string(arena, lp_buf_slice(buf));
    lp_buf_fini(buf);
    return text;
}

size_t
compact_text_cut(lp_slice utf8, size_t bytes_max)
{
    if (utf8.len <= bytes_max) {
        return utf8.len;
    }
    size_t end = bytes_max;
    while (end > 0 && (utf8.ptr[end] & 0xc0) == 0x80) { // in the middle of a character
        end--;
    }
    return end;
}
