// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_printable.h"

#include <stdio.h>
#include <string.h>

enum { ESCAPE_BYTES = 5 }; // with a NUL

// escape makes c as it is printed.
static void
escape(unsigned char c, char out[ESCAPE_BYTES])
{
    static const char controls[] = "\n\r\t";
    static const char letters[] = "nrt";
    const char *known = c == '\0' ? NULL : strchr(controls, c);
    if (known != NULL) {
        (void)snprintf(out, ESCAPE_BYTES, "\\%c", letters[known - controls]);
    } else if (c < ' ' || c == 0x7f) {
        (void)snprintf(out, ESCAPE_BYTES, "\\x%02x", (unsigned)c);
    } else {
        (void)snprintf(out, ESCAPE_BYTES, "%c", c);
    }
}

size_t
lp_printable(const char *text, char *out, size_t size)
{
    size_t len = 0;
    for (const char *at = text; *at != '\0'; at++) {
        char piece[ESCAPE_BYTES];
        escape((unsigned char)*at, piece);
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
