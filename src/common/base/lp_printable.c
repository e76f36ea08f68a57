// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_printable.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ESCAPE_BYTES = 5 }; // with a NUL

// control_of gives the control character that begins at, and how many bytes it has; 0: none does.
static unsigned char
control_of(const char *at, size_t *out_size)
{
    const unsigned char first = (unsigned char)at[0];
    const unsigned char second = (unsigned char)at[1];
    bool is_long = first == 0xc2 && second >= 0x80 && second < 0xa0; // U+0080 to U+009F
    *out_size = is_long ? 2 : 1;
    return is_long ? second : first < ' ' || first == 0x7f ? first : 0;
}

// escape makes a control character as it is printed.
static void
escape(unsigned char control, char out[ESCAPE_BYTES])
{
    static const char controls[] = "\n\r\t";
    static const char letters[] = "nrt";
    const char *known = strchr(controls, control);
    if (known != NULL) {
        (void)snprintf(out, ESCAPE_BYTES, "\\%c", letters[known - controls]);
    } else {
        (void)snprintf(out, ESCAPE_BYTES, "\\x%02x", (unsigned)control);
    }
}

size_t
lp_printable(const char *text, char *out, size_t size)
{
    size_t len = 0;
    size_t step;
    for (const char *at = text; *at != '\0'; at += step) {
        char piece[ESCAPE_BYTES] = {*at};
        unsigned char control = control_of(at, &step);
        if (control != 0) {
            escape(control, piece);
        }
        size_t more = strlen(piece);
        if (more > size - 1 - len) {
            break;
        }
        memcpy(out + len, piece, more);
        len += more;
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
