// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_printable.h"

#include "common/base/lp_utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PIECE_BYTES = 5 }; // a character or an escape, with a NUL

// escape writes a control character, or a byte that is not UTF-8, as it is printed.
static void
escape(unsigned char byte, char out[PIECE_BYTES])
{
    static const char controls[] = "\n\r\t";
    static const char letters[] = "nrt";
    const char *known = strchr(controls, byte);
    if (known != NULL) {
        (void)snprintf(out, PIECE_BYTES, "\\%c", letters[known - controls]);
    } else {
        (void)snprintf(out, PIECE_BYTES, "\\x%02x", (unsigned)byte);
    }
}

// print_first writes the first character of text as it is printed; where text begins with no UTF-8,
// the first byte. Returns how many bytes of text that was.
static size_t
print_first(lp_slice text, char out[PIECE_BYTES])
{
    const unsigned char first = text.ptr[0];
    size_t bytes = lp_utf8_measure(text);
    bool is_c1 = bytes == 2 && first == 0xc2 && text.ptr[1] < 0xa0; // U+0080 to U+009F
    if (is_c1) {
        escape(text.ptr[1], out);
    } else if (bytes == 0 || first < ' ' || first == 0x7f) {
        escape(first, out);
    } else {
        memcpy(out, text.ptr, bytes);
        out[bytes] = '\0';
    }
    return bytes == 0 ? 1 : bytes;
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
