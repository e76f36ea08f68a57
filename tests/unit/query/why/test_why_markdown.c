// SPDX-License-Identifier: Apache-2.0
// An answer as Markdown: the question, the table, and the notes about missing rows; and durations
// for people.

#include "query/why/duration_text.h"
#include "query/why/why_markdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char caps[] =
    "\nEach moment counts once, for the innermost event or pause. Below a row are up to 5 frames "
    "with most of its time: the application's topmost frame of each stack trace, via the library's "
    "frame that it called.";

static void
set(query_selection *selection, const char *name, const char *value)
{
    lp_problem problem;
    assert_int_equal(query_selection_set(selection, name, value, &problem), LP_OK);
}

static void
expect(const query_why *why, const query_names *names, const query_selection *selection,
    const query_outcome *outcome, uint64_t left_out, const char *table, const char *end)
{
    char expected[4096];
    lp_buf out = {0};
    query_why_markdown(why, names, selection, outcome, left_out, &out);
    lp_buf_append(&out, "", 1);
    assert_int_equal(lp_buf_check(&out), LP_OK);
    (void)snprintf(expected, sizeof(expected), "%s%s%s\n", table, caps, end);
    assert_string_equal((const char *)out.ptr, expected);
    lp_buf_fini(&out);
}

static void
add_slice(query_why *why, query_names *names, const char *type, int64_t total_ns)
{
    query_why_slice *slice = LP_VEC_PUSH(&why->slices);
    assert_non_null(slice);
    *slice = (query_why_slice){.category = type == NULL ? TIME_LOCK : TIME_OTHER,
        .type = query_names_add(names, type == NULL ? "" : type),
        .total_ns = total_ns,
        .events = 2};
}

static void
test_the_table_has_what_was_asked(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {.requests = 2, .total_ns = 2000000, .unaccounted_ns = 500000};
    query_selection selection = query_selection_begin(false);
    const query_outcome outcome = {0};
    add_slice(&why, &names, NULL, 1500000);
    why.slices.items[0].top[0] = (query_why_frame){
        .frame = query_names_add(&names, "shop.`A|B"), .total_ns = 1000000, .events = 1};
    why.slices.items[0].top_count = 1;
    set(&selection, "service", "shop");
    set(&selection, "where", "path^=/o|r");
    set(&selection, "min_duration_ns", "12300000");
    set(&selection, "from", "2026-01-02T03:04:05Z");
    add_slice(&why, &names, "exceptions", 0);
    why.slices.items[1].is_count = true;
    why.slices.items[1].top[0] = (query_why_frame){.frame = query_names_add(&names, "shop.C"),
        .via = query_names_add(&names, "lib.D"),
        .events = 1};
    why.slices.items[1].top_count = 1;
    why.repeat_count = 1;
    why.repeats[0] = (query_why_repeat){.category = TIME_IO,
        .frame = query_names_add(&names, "shop.|R"),
        .requests = 1,
        .events = 58,
        .total_ns = 58000};
    expect(&why, &names, &selection, &outcome, 0,
        "# Why: 2 contexts, 2.00 ms\n\n"
        "`service=shop` `from=2026-01-02T03:04:05.000000000Z` `where=path^=/o/r` "
        "`min_duration=12.3 ms` \n\n"
        "| share | each | all | events | |\n| ---: | ---: | ---: | ---: | --- |\n"
        "| 75.0 % | 750 us | 1.50 ms | 2 | **lock** |\n"
        "| 50.0 % | 500 us | 1.00 ms | 1 | `shop.'A/B` |\n"
        "| | 1.0 x | | 2 | **exceptions** |\n"
        "| | 0.5 x | | 1 | `shop.C` |\n"
        "| | | | | via `lib.D` |\n"
        "| 25.0 % | 250 us | 500 us | 0 | **not accounted** |\n"
        "\nRepeated:\n\n- 58 x `shop./R` (io), 1.00 us each: in 1 contexts, 58.0 us in all\n",
        "");
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_what_is_missing_is_said(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    const query_selection selection = query_selection_begin(false);
    const query_outcome outcome = {.is_truncated = true, .unreadable_events = 3};
    expect(&why, &names, &selection, &outcome, 1,
        "# Why: 0 contexts, 0 ns\n\nAll contexts.\n\n"
        "| share | each | all | events | |\n| ---: | ---: | ---: | ---: | --- |\n"
        "| 0.0 % | 0 ns | 0 ns | 0 | **not accounted** |\n",
        " **A limit was reached: something is missing.** **Could not be read: 1 chunks, and of "
        "others 3 events and 0 damaged places.**");
    for (int i = 0; i < QUERY_WHY_MARKDOWN_ROWS + 2; i++) {
        add_slice(&why, &names, "shop.Mail", 1);
    }
    lp_buf out = {0};
    query_why_markdown(&why, &names, &selection, &outcome, 0, &out);
    lp_buf_append(&out, "", 1);
    size_t rows = 0;
    for (const char *at = (const char *)out.ptr; (at = strstr(at, "shop.Mail")) != NULL; at++) {
        rows++;
    }
    assert_int_equal(rows, QUERY_WHY_MARKDOWN_ROWS);
    assert_non_null(strstr((const char *)out.ptr, " 2 rows with less time are not shown."));
    lp_buf_fini(&out);
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_lengths_of_time_have_three_digits(void **state)
{
    (void)state;
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {{0, "0 ns"}, {999, "999 ns"}, {1000, "1.00 us"}, {12345678, "12.3 ms"},
        {999000000, "999 ms"}, {3600000000000, "3600 s"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[QUERY_DURATION_BYTES];
        query_duration_text(cases[i].ns, text);
        assert_string_equal(text, cases[i].text);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table_has_what_was_asked),
        cmocka_unit_test(test_what_is_missing_is_said),
        cmocka_unit_test(test_lengths_of_time_have_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
