// SPDX-License-Identifier: Apache-2.0
#include "cli/base/terminal.h"

#include "common/base/lp_printable.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    COLUMNS_MAX = 10000, // a wider terminal is a mistake
    REST_MIN = 20,
};

static const char ellipsis[] = "\xe2\x80\xa6";

static bool
is_terminal(FILE *out)
{
    return isatty(fileno(out)) == 1;
}

size_t
terminal_columns(FILE *out)
{
    struct winsize size;
    if (!is_terminal(out)) {
        return 0;
    }
    const char *variable = getenv("COLUMNS");
    unsigned long columns = variable == NULL ? 0 : strtoul(variable, NULL, 10);
    if (columns > 0 && columns <= COLUMNS_MAX) {
        return columns;
    }
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

size_t
terminal_rest(FILE *out, size_t used)
{
    size_t columns = terminal_columns(out);
    return columns == 0 ? 0 : columns >= used + REST_MIN ? columns - used : REST_MIN;
}

static bool
has_colour(FILE *out)
{
    const char *refused = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return (refused == NULL || refused[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0) &&
           is_terminal(out);
}

void
terminal_begin_heading(FILE *out)
{
    if (has_colour(out)) {
        (void)fputs("\033[1m", out);
    }
}

void
terminal_end_heading(FILE *out)
{
    if (has_colour(out)) {
        (void)fputs("\033[0m", out);
    }
}

void
terminal_bar(double share, char out_bar[TERMINAL_BAR_BYTES])
{
    enum { EIGHTHS = 8 };
    char *at = out_bar;
    int left = (int)(share * TERMINAL_BAR_COLUMNS * EIGHTHS + 0.5);
    for (int i = 0; i < TERMINAL_BAR_COLUMNS; i++, left -= EIGHTHS) {
        if (left <= 0) {
            *at++ = ' ';
        } else { // U+2588 is a whole block, U+258F an eighth of one
            *at++ = '\xe2';
            *at++ = '\x96';
            *at++ = (char)(0x90 - (left < EIGHTHS ? left : EIGHTHS));
        }
    }
    *at = '\0';
}

void
terminal_print_bar(FILE *out, double share)
{
    char bar[TERMINAL_BAR_BYTES];
    bool is_coloured = has_colour(out);
    terminal_bar(share, bar);
    (void)fprintf(out, "%s%s%s", is_coloured ? "\033[36m" : "", bar, is_coloured ? "\033[0m" : "");
}

// skip returns how many bytes the first count characters of a text have.
static size_t
skip(const char *text, size_t count)
{
    lp_slice rest = {(const uint8_t *)text, strlen(text)};
    size_t bytes = 0;
    bool is_safe;
    for (; count > 0 && bytes < rest.len; count--) {
        bytes += lp_printable_measure((lp_slice){rest.ptr + bytes, rest.len - bytes}, &is_safe);
    }
    return bytes;
}

size_t
terminal_width(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text += skip(text, 1)) {
        count++;
    }
    return count;
}

void
terminal_fit(const char *text, size_t columns, char *out, size_t size)
{
    size_t count = columns == 0 ? 0 : terminal_width(text);
    if (count <= columns) {
        (void)lp_printable(text, out, size); // which cuts between two characters
        return;
    }
    size_t first = columns / 2;
    size_t last = columns - first - 1; // and one for the ellipsis
    size_t first_size = skip(text, first) + 1;
    size_t len = lp_printable(text, out, first_size < size ? first_size : size);
    len += lp_printable(ellipsis, out + len, size - len);
    (void)lp_printable(text + skip(text, count - last), out + len, size - len);
}

void
terminal_pad(FILE *out, const char *text, size_t columns)
{
    size_t count = terminal_width(text);
    (void)fprintf(out, "%s%*s", text, count < columns ? (int)(columns - count) : 0, "");
}
