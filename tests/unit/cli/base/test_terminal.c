// SPDX-License-Identifier: Apache-2.0
// Names that are cut in the middle have as many characters as there is room for, and all of their
// characters are whole, however few bytes there is room for; columns count characters; where output
// is no terminal nothing is cut or bold. Terminals are those of the system.

#include "cli/base/terminal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

static void
test_a_long_name_is_cut_in_the_middle(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns;
        const char *fit;
    } cases[] = {
        {"shop.Inventory.reserve", 0, "shop.Inventory.reserve"},
        {"shop.Inventory.reserve", 22, "shop.Inventory.reserve"},
        {"shop.Inventory.reserve", 21, "shop.Inven\u2026ry.reserve"},
        {"shop.Inventory.reserve", 4, "sh\u2026e"},
        {"", 1, ""},
        {"ab", 1, "\u2026"},
        {"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 6, "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"},
        {"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 4, "\u00e9\u00e9\u2026\u00e9"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char out[64];
        terminal_fit(cases[i].text, cases[i].columns, out, sizeof(out));
        assert_string_equal(out, cases[i].fit);
    }
}

static void
test_a_name_is_cut_between_two_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns;
        size_t size;
        const char *fit;
    } cases[] = {
        {"\u00e9\u00e9", 0, 5, "\u00e9\u00e9"},
        {"\u00e9\u00e9", 0, 4, "\u00e9"},
        {"\u00e9\u00e9", 2, 2, ""},
        {"\u00e9\u00e9", 2, 1, ""},
        {"\u00e9a\u00e9a\u00e9a", 4, 9, "\u00e9a\u2026a"},
        {"\u00e9a\u00e9a\u00e9a", 4, 7, "\u00e9a\u2026"},
        {"aa\u00e9\u00e9\u00e9\u00e9", 4, 7, "aa\u2026"}, // a byte is left for two
        {"\u00e9\u00e9\u00e9\u00e9", 3, 4, "\u00e9"},
        {"\u00e9\u00e9\u00e9\u00e9", 3, 2, ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char out[64];
        terminal_fit(cases[i].text, cases[i].columns, out, cases[i].size);
        assert_string_equal(out, cases[i].fit);
    }
}

static void
test_columns_are_of_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *padded;
    } cases[] = {
        {"", "    "},
        {"ab", "ab  "},
        {"\u00e9\u00e9", "\u00e9\u00e9  "},
        {"abcd", "abcd"},
        {"abcde", "abcde"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *padded = NULL;
        size_t size;
        FILE *out = open_memstream(&padded, &size);
        assert_non_null(out);
        terminal_pad(out, cases[i].text, 4);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(padded, cases[i].padded);
        free(padded);
    }
}

static void
test_a_bar_has_the_length_of_its_share(void **state)
{
    (void)state;
    static const struct {
        double share;
        const char *bar;
    } cases[] = {
        {0, "          "},
        {0.001, "          "},
        {0.0125, "\u258f         "},
        {0.1, "\u2588         "},
        {0.15, "\u2588\u258c        "},
        {0.9875, "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2589"},
        {1, "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char bar[TERMINAL_BAR_BYTES];
        terminal_bar(cases[i].share, bar);
        assert_string_equal(bar, cases[i].bar);
    }
}

// open_terminal returns the user's end of a terminal of so many columns, and the other in
// *out_other.
static FILE *
open_terminal(unsigned short columns, int *out_other)
{
    *out_other = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(*out_other >= 0);
    assert_int_equal(grantpt(*out_other), 0);
    assert_int_equal(unlockpt(*out_other), 0);
    const struct winsize size = {.ws_col = columns, .ws_row = 24};
    assert_int_equal(ioctl(*out_other, TIOCSWINSZ, &size), 0);
    FILE *out = fopen(ptsname(*out_other), "w");
    assert_non_null(out);
    return out;
}

static void
test_a_terminal_has_a_width(void **state)
{
    (void)state;
    int other;
    FILE *out = open_terminal(99, &other);
    (void)unsetenv("COLUMNS");
    assert_int_equal(terminal_columns(out), 99);
    assert_int_equal(terminal_rest(out, 40), 59);
    assert_int_equal(terminal_rest(out, 90), 20);
    assert_int_equal(setenv("COLUMNS", "50", 1), 0);
    assert_int_equal(terminal_columns(out), 50);
    static const char *const ignored[] = {"", "0", "x", "1000000"};
    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
        assert_int_equal(setenv("COLUMNS", ignored[i], 1), 0);
        assert_int_equal(terminal_columns(out), 99);
    }
    assert_int_equal(fclose(out), 0);
    assert_int_equal(close(other), 0);
}

// print_heading prints a heading and a text, and returns how many bytes that were.
static size_t
print_heading(FILE *out, int other)
{
    char read_back[64];
    terminal_begin_heading(out);
    (void)fputs("head", out);
    terminal_end_heading(out);
    (void)fputs("\n", out);
    assert_int_equal(fflush(out), 0);
    ssize_t size = read(other, read_back, sizeof(read_back));
    assert_true(size > 0);
    return (size_t)size;
}

static void
test_a_heading_is_bold_where_that_is_wanted(void **state)
{
    (void)state;
    int other;
    FILE *out = open_terminal(80, &other);
    const size_t plain = strlen("head\r\n");
    (void)unsetenv("NO_COLOR");
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(print_heading(out, other), plain + strlen("\033[1m\033[0m"));
    assert_int_equal(setenv("TERM", "dumb", 1), 0);
    assert_int_equal(print_heading(out, other), plain);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    assert_int_equal(print_heading(out, other), plain);
    assert_int_equal(setenv("NO_COLOR", "", 1), 0);
    assert_true(print_heading(out, other) > plain);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(close(other), 0);
}

static void
test_what_is_no_terminal_has_no_width(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    FILE *out = fdopen(ends[1], "w");
    assert_non_null(out);
    assert_int_equal(setenv("COLUMNS", "50", 1), 0);
    assert_int_equal(terminal_columns(out), 0);
    assert_int_equal(terminal_rest(out, 10), 0);
    assert_int_equal(print_heading(out, ends[0]), strlen("head\n"));
    assert_int_equal(fclose(out), 0);
    assert_int_equal(close(ends[0]), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_name_is_cut_in_the_middle),
        cmocka_unit_test(test_a_name_is_cut_between_two_characters),
        cmocka_unit_test(test_columns_are_of_characters),
        cmocka_unit_test(test_a_bar_has_the_length_of_its_share),
        cmocka_unit_test(test_a_terminal_has_a_width),
        cmocka_unit_test(test_a_heading_is_bold_where_that_is_wanted),
        cmocka_unit_test(test_what_is_no_terminal_has_no_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
