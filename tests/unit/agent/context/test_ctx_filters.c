// SPDX-License-Identifier: Apache-2.0
// The filters of the API in the agent: numbered and copied, the last one there as long as no other
// is, and none instead of one that is over a limit.

#include "agent/context/ctx_filters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int
set_up(void **state)
{
    *state = ctx_filters_create();
    return *state == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
    ctx_filters_destroy(*state);
    return 0;
}

static void
set(ctx_filters *filters, int64_t ticks, const char *terms)
{
    ctx_filter_rule rule = {"some.Type", terms};
    const ctx_filter filter = {
        .begin_ticks = ticks, .rule_count = terms == NULL ? 0 : 1, .rules = &rule};
    ctx_filters_set(filters, &filter);
}

// expect compares the filters over an id with "ID@TICKS:TERMS ...", without TERMS for none.
static void
expect(ctx_filters *filters, uint64_t after, const char *want)
{
    ctx_filter_list list = {0};
    char got[1024] = "";
    assert_int_equal(ctx_filters_list(filters, after, &list), LP_OK);
    for (size_t i = 0; i < list.count; i++) {
        const ctx_filter *filter = &list.items[i];
        assert_true(filter->rule_count <= 1);
        if (filter->rule_count == 1) {
            assert_string_equal(filter->rules[0].type, "some.Type");
        }
        size_t len = strlen(got);
        (void)snprintf(got + len, sizeof(got) - len, "%s%d@%d:%s", i == 0 ? "" : " ",
            (int)filter->id, (int)filter->begin_ticks,
            filter->rule_count == 0 ? "" : filter->rules[0].terms);
    }
    assert_string_equal(got, want);
    LP_VEC_FINI(&list);
}

// drop takes the filters before this one.
static void
drop(ctx_filters *filters, uint64_t id)
{
    ctx_filter_list taken = {0};
    assert_int_equal(ctx_filters_take(filters, id, &taken), LP_OK);
    for (size_t i = 0; i < taken.count; i++) {
        ctx_filter_fini(&taken.items[i]);
    }
    LP_VEC_FINI(&taken);
}

static void
test_filters_are_copied_and_numbered(void **state)
{
    ctx_filters *filters = *state;
    char terms[] = "one";
    expect(filters, 0, "");
    set(filters, 10, terms);
    terms[0] = 'O';
    set(filters, 20, terms);
    set(filters, 30, NULL);
    expect(filters, 0, "1@10:one 2@20:One 3@30:");
    expect(filters, 2, "3@30:");
    expect(filters, 3, "");
}

static void
test_none_is_no_news_where_there_is_none(void **state)
{
    ctx_filters *filters = *state;
    set(filters, 10, NULL);
    expect(filters, 0, "");
    set(filters, 20, "one");
    set(filters, 30, NULL);
    set(filters, 40, NULL);
    expect(filters, 0, "1@20:one 2@30:");
}

static void
test_the_last_that_was_sent_stays(void **state)
{
    ctx_filters *filters = *state;
    set(filters, 10, "one");
    set(filters, 20, "two");
    drop(filters, 2);
    expect(filters, 0, "2@20:two");
    set(filters, 30, "three");
    drop(filters, 2);
    expect(filters, 0, "2@20:two 3@30:three");
    expect(filters, 2, "3@30:three");
}

static char *
make_terms(size_t len)
{
    char *terms = malloc(len + 1);
    assert_non_null(terms);
    memset(terms, 'x', len);
    terms[len] = '\0';
    return terms;
}

static void
test_one_that_is_too_large_counts_and_none_takes_its_place(void **state)
{
    ctx_filters *filters = *state;
    ctx_filter_rule rule = {"some.Type", ""};
    ctx_filter filter = {.rule_count = 1, .rules = &rule};
    size_t fits = CTX_FILTER_BYTES_MAX - ctx_filter_measure(&filter);
    char *terms = make_terms(fits + 1);
    set(filters, 10, "one");
    set(filters, 20, terms);
    expect(filters, 0, "1@10:one 2@20:");
    assert_int_equal(ctx_filters_get_refused(filters), 1);
    set(filters, 30, terms); // there is none already
    expect(filters, 2, "");
    assert_int_equal(ctx_filters_get_refused(filters), 2);
    terms[fits] = '\0';
    set(filters, 40, terms);
    ctx_filter_list list = {0};
    assert_int_equal(ctx_filters_list(filters, 2, &list), LP_OK);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].rules[0].terms, terms);
    LP_VEC_FINI(&list);
    free(terms);
}

static void
test_unsent_ones_are_limited_in_bytes(void **state)
{
    ctx_filters *filters = *state;
    enum { LEN = 50000 };
    char *terms = make_terms(LEN);
    for (int i = 1; i <= CTX_FILTERS_UNSENT_BYTES_MAX / LEN; i++) {
        set(filters, i, terms);
    }
    assert_int_equal(ctx_filters_get_refused(filters), 0);
    set(filters, 100, terms);
    expect(filters, CTX_FILTERS_UNSENT_BYTES_MAX / LEN, "6@100:");
    assert_int_equal(ctx_filters_get_refused(filters), 1);
    drop(filters, 6); // they were sent
    set(filters, 200, terms);
    assert_int_equal(ctx_filters_get_refused(filters), 1);
    free(terms);
}

static void
test_unsent_ones_are_limited_in_number(void **state)
{
    ctx_filters *filters = *state;
    for (int i = 1; i < CTX_FILTERS_UNSENT_MAX; i++) {
        set(filters, i, "one");
    }
    assert_int_equal(ctx_filters_get_refused(filters), 0);
    for (int i = 0; i < 3; i++) {
        set(filters, 5000 + i, "one");
    }
    assert_int_equal(ctx_filters_get_refused(filters), 3);
    expect(filters, CTX_FILTERS_UNSENT_MAX - 2, "1023@1023:one 1024@5000:");
    set(filters, 6000, NULL);
    expect(filters, CTX_FILTERS_UNSENT_MAX - 1, "1024@5000:");
    drop(filters, CTX_FILTERS_UNSENT_MAX);
    set(filters, 7000, "one");
    expect(filters, 0, "1024@5000: 1025@7000:one");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_filters_are_copied_and_numbered),
        TEST(test_none_is_no_news_where_there_is_none),
        TEST(test_the_last_that_was_sent_stays),
        TEST(test_one_that_is_too_large_counts_and_none_takes_its_place),
        TEST(test_unsent_ones_are_limited_in_bytes),
        TEST(test_unsent_ones_are_limited_in_number),
    };
    return cmocka_run_group_tests_name("ctx_filters", tests, NULL, NULL);
}
