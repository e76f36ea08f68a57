// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_printable.h"

#include "common/base/lp_utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PIECE_BYTES = 7 }; // a character or an escape, with a NUL

// Code points that change where or in which direction the text around them is shown, first and
// last of each range.
static const uint32_t unsafe[][2] = {
    {0x061c, 0x061c}, // Arabic letter mark
    {0x200e, 0x200f}, // marks of other scripts
    {0x2028, 0x202e}, // ends of lines and paragraphs, embeddings and overrides of direction
    {0x2066, 0x2069}, // isolates
};

// decode returns the code point of a well-formed character of length bytes.
static uint32_t
decode(const uint8_t *at, size_t bytes)
{
    static const uint8_t first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t point = at[0] & first_bits[bytes];
    for (size_t i = 1; i < bytes; i++) {
        point = point << 6 | (at[i] & 0x3fu);
    }
    return point;
}

static bool
is_safe(uint32_t point)
{
    bool is_control = point < ' ' || (point >= 0x7f && point < 0xa0);
    for (size_t i = 0; i < sizeof(unsafe) / sizeof(unsafe[0]); i++) {
        is_control |= point >= unsafe[i][0] && point <= unsafe[i][1];
    }
    return !is_control;
}

// escape writes a character that is not safe, or a byte that is not UTF-8, as it is printed.
static void
escape(uint32_t point, char out[PIECE_BYTES])
{
    static const char controls[] = "\n\r\t";
    static const char letters[] = "nrt";
    const char *known = point == 0 || point > 0xff ? NULL : strchr(controls, (int)point);
    if (known != NULL) {
        (void)snprintf(out, PIECE_BYTES, "\\%c", letters[known - controls]);
    } else {
        (void)snprintf(out, PIECE_BYTES, point > 0xff ? "\\u%04x" : "\\x%02x", (unsigned)point);
    }
}

size_t
lp_printable_measure(lp_slice text, bool *out_is_safe)
{
    size_t bytes = lp_utf8_measure(text);
    *out_is_safe = bytes > 0 && is_safe(decode(text.ptr, bytes));
    return bytes == 0 ? 1 : bytes;
}

// print_first writes the first character of text as it is printed; where text begins with no UTF-8,
// the first byte. Returns how many bytes of text that was.
static size_t
print_first(lp_slice text, char out[PIECE_BYTES])
{
    bool is_plain;
    size_t bytes = lp_printable_measure(text, &is_plain);
    if (is_plain) {
        memcpy(out, text.ptr, bytes);
        out[bytes] = '\0';
    } else {
        escape(bytes == 1 ? text.ptr[0] : decode(text.ptr, bytes), out);
    }
    return bytes;
}

size_t
lp_printable(const char *text, char *out, size_t size)
{
    lp_slice rest = {(const uint8_t *)text, strlen(text)};
    size_t len = 0;
    while (rest.len > 0) {
        char piece[PIECE_BYTES];
        size_t step = print_first(rest, piece);
        size_t more = strlen(piece);
        if (more > size - 1 - len) {
            break;
        }
        memcpy(out + len, piece, more);
        len += more;
        rest = (lp_slice){rest.ptr + step, rest.len - step};
    }
    out[len] = '\0';
    return len;
}

void
lp_printable_line(FILE *out, const char *format, ...)
{
    char text[LP_PRINTABLE_LINE_BYTES] = "";
    char line[LP_PRINTABLE_LINE_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    (void)lp_printable(text, line, sizeof(line));
    (void)fprintf(out, "%s\n", line);
}
