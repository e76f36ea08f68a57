// SPDX-License-Identifier: Apache-2.0

// A set of ranges has the numbers that a naive set of bits has after the same random steps, and its
// text and its bytes say them. One that cannot have one more range leaves out its highest, and
// never has a number that was not added: at its limit, and where memory runs out.

#include "common/base/lp_ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NUMBERS = 200, SETS = 3, STEPS = 10000 };

static bool is_out_of_memory;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
void *__real_reallocarray(void *old, size_t count, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void *
__wrap_reallocarray(void *old, size_t count, size_t size)
{
    return is_out_of_memory ? NULL : __real_reallocarray(old, count, size);
}

// The naive set: whether each number is there.
typedef struct bits {
    bool has[NUMBERS];
} bits;

static bool
has(const lp_ranges *set, uint64_t number)
{
    return lp_ranges_overlaps(set, number, number + 1);
}

static uint64_t seed = 1;

static uint64_t
draw(uint64_t below)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (seed >> 33) % below;
}

static void
set_bits(bits *of, uint64_t begin, uint64_t end, bool is_there)
{
    for (uint64_t i = begin; i < end; i++) {
        of->has[i] = is_there;
    }
}

// format_bits writes a naive set as text, by another way than lp_ranges.
static void
format_bits(const bits *of, char *out_text)
{
    out_text[0] = '\0';
    for (size_t i = 0; i < NUMBERS; i++) {
        size_t last = i;
        while (of->has[i] && last + 1 < NUMBERS && of->has[last + 1]) {
            last++;
        }
        if (of->has[i]) {
            const char *comma = out_text[0] == '\0' ? "" : ",";
            out_text += strlen(out_text);
            (void)(last == i ? snprintf(out_text, 16, "%s%zu", comma, i)
                             : snprintf(out_text, 16, "%s%zu-%zu", comma, i, last));
            i = last;
        }
    }
}

static void
check_same(const lp_ranges *set, const bits *naive)
{
    uint64_t count = 0;
    uint64_t first = UINT64_MAX;
    uint64_t end = 0;
    for (size_t i = NUMBERS; i-- > 0;) {
        assert_int_equal(has(set, i), naive->has[i]);
        count += naive->has[i];
        first = naive->has[i] ? i : first;
        end = naive->has[i] && end == 0 ? i + 1 : end;
    }
    assert_int_equal(lp_ranges_count(set), count);
    assert_int_equal(lp_ranges_is_empty(set), count == 0);
    assert_int_equal(lp_ranges_first(set, UINT64_MAX), first);
    assert_int_equal(lp_ranges_end(set), end);
    uint64_t from = draw(NUMBERS);
    uint64_t gap = from;
    while (gap < NUMBERS && naive->has[gap]) {
        gap++;
    }
    assert_int_equal(lp_ranges_first_gap(set, from), gap);
    uint64_t to = draw(NUMBERS + 1);
    uint64_t between = 0;
    for (uint64_t i = from; i < to; i++) {
        between += naive->has[i];
    }
    assert_int_equal(lp_ranges_overlaps(set, from, to), between > 0);
    assert_int_equal(lp_ranges_count_in(set, from, to), between);
}

static void
check_text(const lp_ranges *set, const bits *naive)
{
    char expected[NUMBERS * 5];
    char text[NUMBERS * 5];
    format_bits(naive, expected);
    lp_ranges_format(set, text, sizeof(text));
    assert_string_equal(text, expected);
    lp_ranges again;
    assert_int_equal(lp_ranges_read(lp_ranges_bytes(set), &again), LP_OK);
    check_same(&again, naive);
    lp_ranges_fini(&again);
}

// step does something with a set, and the same with its naive one.
static void
step(lp_ranges *sets, bits *naive)
{
    size_t which = draw(SETS);
    size_t other = (which + 1 + draw(SETS - 1)) % SETS;
    uint64_t begin = draw(NUMBERS);
    uint64_t end = begin + draw(draw(4) == 0 ? NUMBERS - begin + 1 : 3);
    end = end < NUMBERS ? end : NUMBERS;
    switch (draw(8)) {
    case 0:
        lp_ranges_unite(&sets[which], &sets[other]);
        for (size_t i = 0; i < NUMBERS; i++) {
            naive[which].has[i] |= naive[other].has[i];
        }
        break;
    case 1:
        lp_ranges_subtract(&sets[which], &sets[other]);
        for (size_t i = 0; i < NUMBERS; i++) {
            naive[which].has[i] &= !naive[other].has[i];
        }
        break;
    case 2:
        lp_ranges_intersect(&sets[which], &sets[other]);
        for (size_t i = 0; i < NUMBERS; i++) {
            naive[which].has[i] &= naive[other].has[i];
        }
        break;
    case 3:
    case 4:
        lp_ranges_remove(&sets[which], begin, end);
        set_bits(&naive[which], begin, end, false);
        break;
    default:
        lp_ranges_add(&sets[which], begin, end);
        set_bits(&naive[which], begin, end, true);
        break;
    }
    check_same(&sets[which], &naive[which]);
    check_text(&sets[which], &naive[which]);
}

static void
test_random_steps_do_what_they_do_to_bits(void **state)
{
    (void)state;
    lp_ranges sets[SETS] = {0};
    bits naive[SETS] = {0};
    for (size_t i = 0; i < STEPS; i++) {
        step(sets, naive);
    }
    assert_int_equal(lp_ranges_count_left_out(), 0);
    for (size_t i = 0; i < SETS; i++) {
        lp_ranges copy = lp_ranges_copy(&sets[i]);
        check_same(&copy, &naive[i]);
        lp_ranges_fini(&copy);
        lp_ranges_fini(&sets[i]);
        assert_true(lp_ranges_is_empty(&sets[i]));
    }
}

static void
test_nothing_is_there_that_was_not_added_where_memory_runs_out(void **state)
{
    (void)state;
    uint64_t left_out = lp_ranges_count_left_out();
    lp_ranges set = {0};
    bits naive = {0};
    is_out_of_memory = true;
    for (size_t i = 0; i < STEPS; i++) {
        uint64_t begin = draw(NUMBERS - 2);
        bool is_there = draw(2) == 0;
        set_bits(&naive, begin, begin + 2, is_there);
        (is_there ? lp_ranges_add : lp_ranges_remove)(&set, begin, begin + 2);
        for (size_t k = 0; k < NUMBERS; k++) {
            assert_true(naive.has[k] || !has(&set, k));
        }
        assert_true(!is_there || has(&set, begin) || lp_ranges_end(&set) <= begin);
        assert_true(lp_ranges_end(&set) <= NUMBERS);
    }
    is_out_of_memory = false;
    assert_true(lp_ranges_count_left_out() > left_out);
    lp_ranges_fini(&set);
}

static void
test_at_the_limit_the_highest_range_goes(void **state)
{
    (void)state;
    uint64_t left_out = lp_ranges_count_left_out();
    lp_ranges set = {0};
    for (uint64_t i = 1; i <= LP_RANGES_MAX; i++) {
        lp_ranges_add(&set, i * 10, i * 10 + 3);
    }
    assert_int_equal(lp_ranges_count(&set), 3 * LP_RANGES_MAX);
    assert_int_equal(lp_ranges_count_left_out(), left_out);

    const uint64_t last = LP_RANGES_MAX * 10;
    lp_ranges_add(&set, last + 10, last + 13); // the highest itself
    assert_int_equal(lp_ranges_count_left_out(), left_out + 1);
    assert_int_equal(lp_ranges_end(&set), last + 3);
    lp_ranges_remove(&set, last + 1, last + 2); // two of the highest
    assert_int_equal(lp_ranges_count_left_out(), left_out + 2);
    assert_int_equal(lp_ranges_end(&set), last + 1);
    lp_ranges_add(&set, 0, 1);
    assert_int_equal(lp_ranges_count_left_out(), left_out + 3);
    assert_int_equal(lp_ranges_end(&set), last - 10 + 3);
    lp_ranges_remove(&set, 11, 12); // two of one in between
    assert_int_equal(lp_ranges_count_left_out(), left_out + 4);
    assert_int_equal(lp_ranges_end(&set), last - 20 + 3);
    assert_true(has(&set, 0) && has(&set, 10) && !has(&set, 11) && has(&set, 12));
    assert_int_equal(lp_ranges_count(&set), 3 * (LP_RANGES_MAX - 2) - 1 + 1);
    lp_ranges_fini(&set);
}

static void
test_the_largest_numbers_have_a_place(void **state)
{
    (void)state;
    lp_ranges set = {0};
    lp_ranges_add(&set, UINT64_MAX - 1, UINT64_MAX);
    lp_ranges_add(&set, 0, 1);
    assert_int_equal(lp_ranges_count(&set), 2);
    assert_true(lp_ranges_end(&set) == UINT64_MAX);
    lp_ranges_add(&set, 0, UINT64_MAX);
    assert_true(lp_ranges_count(&set) == UINT64_MAX);
    lp_ranges_add(&set, 5, 5);
    lp_ranges_remove(&set, 7, 6);
    assert_true(lp_ranges_count(&set) == UINT64_MAX);
    lp_ranges_fini(&set);
}

static void
test_a_short_text_says_that_there_is_more(void **state)
{
    (void)state;
    char text[64];
    lp_ranges set = {0};
    lp_ranges_add(&set, 0, 5);
    lp_ranges_add(&set, 9, 10);
    lp_ranges_add(&set, 100000000000000000, 100000000000000002);
    lp_ranges_format(&set, text, sizeof(text));
    assert_string_equal(text, "0-4,9,100000000000000000-100000000000000001");
    lp_ranges_add(&set, 200000000000000000, 200000000000000002);
    lp_ranges_format(&set, text, sizeof(text));
    assert_string_equal(text, "0-4,9,100000000000000000-100000000000000001,...");
    lp_ranges_fini(&set);
}

static void
test_what_is_no_set_is_refused(void **state)
{
    (void)state;
    static const lp_range wrong[][2] = {
        {{1, 2}, {2, 3}}, {{1, 5}, {4, 6}}, {{5, 6}, {1, 2}}, {{1, 1}, {4, 5}}, {{1, 2}, {5, 4}}};
    lp_ranges set;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const lp_slice bytes = {(const uint8_t *)wrong[i], sizeof(wrong[i])};
        assert_int_equal(lp_ranges_read(bytes, &set), LP_ECORRUPT);
        assert_true(lp_ranges_is_empty(&set));
    }
    static const lp_range one = {1, 2};
    for (size_t size = 1; size < sizeof(one); size++) {
        assert_int_equal(
            lp_ranges_read((lp_slice){(const uint8_t *)&one, size}, &set), LP_ECORRUPT);
    }
}

// Whoever wrote it may have had a higher limit.
static void
test_of_a_set_with_too_many_ranges_the_lowest_are_read(void **state)
{
    (void)state;
    lp_range many[LP_RANGES_MAX + 2];
    for (uint64_t i = 0; i < LP_RANGES_MAX + 2; i++) {
        many[i] = (lp_range){2 * i, 2 * i + 1};
    }
    lp_ranges set;
    assert_int_equal(lp_ranges_read((lp_slice){(const uint8_t *)many, sizeof(many)}, &set), LP_OK);
    assert_int_equal(lp_ranges_count(&set), LP_RANGES_MAX);
    assert_int_equal(lp_ranges_end(&set), 2 * LP_RANGES_MAX - 1);
    lp_ranges_fini(&set);
    many[LP_RANGES_MAX + 1] = many[LP_RANGES_MAX]; // which is no set, though none of it is kept
    assert_int_equal(
        lp_ranges_read((lp_slice){(const uint8_t *)many, sizeof(many)}, &set), LP_ECORRUPT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_steps_do_what_they_do_to_bits),
        cmocka_unit_test(test_nothing_is_there_that_was_not_added_where_memory_runs_out),
        cmocka_unit_test(test_at_the_limit_the_highest_range_goes),
        cmocka_unit_test(test_the_largest_numbers_have_a_place),
        cmocka_unit_test(test_a_short_text_says_that_there_is_more),
        cmocka_unit_test(test_what_is_no_set_is_refused),
        cmocka_unit_test(test_of_a_set_with_too_many_ranges_the_lowest_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
