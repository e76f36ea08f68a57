// SPDX-License-Identifier: Apache-2.0
// Samples of known populations. The number of chosen items is exact, and so is that of each prefix.
// The chance of each item is judged by how often it is chosen (chi-square at the 0.1 % level).
// Weights sum to the bytes of all items, and the weights of a class are as near to its bytes as a
// sample of that size can be.

#include "support/chance.h"

#include "engine/sample/choose.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 4000 };

static bool is_chosen[MANY];
static compact_sized items[MANY];
static uint64_t spare[MANY];

static compact_chance
chance_of(int64_t number)
{
    return compact_chance_start(77, number);
}

static size_t
count_chosen(size_t count)
{
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++) {
        chosen += is_chosen[i];
    }
    return chosen;
}

// chi_square_max is the value that chance exceeds once in a thousand times (Wilson and Hilferty).
static double
chi_square_max(double freedom)
{
    double part = 2 / (9 * freedom);
    double root = 1 - part + 3.0902 * sqrt(part);
    return freedom * root * root * root;
}

// --- Equal chances

static void
test_exactly_so_many_are_chosen_and_all_where_there_is_room(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 3, 7, 100, 101, 999, MANY};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        for (uint64_t room = 0; room < counts[i] + 2; room += 1 + room / 9) {
            compact_chance chance = chance_of((int64_t)room);
            compact_choose_equal(&chance, room, counts[i], is_chosen);
            assert_int_equal(count_chosen(counts[i]), room < counts[i] ? room : counts[i]);
        }
    }
}

// Of the first k, k * room / count are chosen, rounded down, or one more.
static void
test_a_sample_is_spread_evenly(void **state)
{
    (void)state;
    for (uint64_t room = 1; room < MANY; room += 1 + room / 3) {
        compact_chance chance = chance_of(5);
        compact_choose_equal(&chance, room, MANY, is_chosen);
        for (size_t k = 0, chosen = 0; k < MANY; k++) {
            size_t sure = k * room / MANY;
            assert_in_range(chosen, sure, sure + 1);
            chosen += is_chosen[k];
        }
    }
}

static void
test_each_has_the_same_chance(void **state)
{
    (void)state;
    enum { COUNT = 30, ROOM = 7, SAMPLES = 20000 };
    double chosen[COUNT] = {0};
    for (int64_t i = 0; i < SAMPLES; i++) {
        compact_chance chance = chance_of(i);
        compact_choose_equal(&chance, ROOM, COUNT, is_chosen);
        for (size_t k = 0; k < COUNT; k++) {
            chosen[k] += is_chosen[k];
        }
    }
    double statistic = 0;
    double expected = (double)SAMPLES * ROOM / COUNT;
    for (size_t k = 0; k < COUNT; k++) {
        statistic += (chosen[k] - expected) * (chosen[k] - expected) / expected;
    }
    assert_true(statistic < chi_square_max(COUNT - 1));
}

// A sample that took every 14th would see two of the keys only.
static void
test_keys_that_take_turns_have_the_same_chance(void **state)
{
    (void)state;
    enum { KEYS = 7, SAMPLES = 100, ROOM = MANY / (2 * KEYS) };
    double chosen[KEYS] = {0};
    for (int64_t i = 0; i < SAMPLES; i++) {
        compact_chance chance = chance_of(i);
        compact_choose_equal(&chance, ROOM, ROOM * 2 * KEYS, is_chosen);
        for (size_t k = 0; k < (size_t)ROOM * 2 * KEYS; k++) {
            chosen[k % KEYS] += is_chosen[k];
        }
    }
    double statistic = 0;
    double expected = (double)SAMPLES * ROOM / KEYS;
    for (size_t k = 0; k < KEYS; k++) {
        statistic += (chosen[k] - expected) * (chosen[k] - expected) / expected;
    }
    assert_true(statistic < chi_square_max(KEYS - 1));
}

static void
test_another_number_draws_another_sample_and_the_same_one_the_same(void **state)
{
    (void)state;
    bool first[100];
    compact_chance chance = chance_of(1);
    compact_choose_equal(&chance, 50, 100, first);
    chance = chance_of(1);
    compact_choose_equal(&chance, 50, 100, is_chosen);
    assert_memory_equal(first, is_chosen, sizeof(first));
    chance = chance_of(2);
    compact_choose_equal(&chance, 50, 100, is_chosen);
    assert_memory_not_equal(first, is_chosen, sizeof(first));
}

// The sample is the same on every machine and in every version: this one was drawn by hand, with
// the numbers of splitmix64 for the state 1 (910a2dec89025cc1, beeb8da1658eec67, f893a2eefb32555e).
// The first two share 1/2 + 1/2 of a chance: 910a... is not below a half, so the second is chosen.
// Then a whole is 0 and 1/2: the third holds it. The fourth is chosen, as beeb... decides nothing
// and f893... is not below a half.
static void
test_a_sample_of_two_out_of_four(void **state)
{
    (void)state;
    compact_chance chance = {1};
    compact_choose_equal(&chance, 2, 4, is_chosen);
    assert_false(is_chosen[0]);
    assert_true(is_chosen[1]);
    assert_false(is_chosen[2]);
    assert_true(is_chosen[3]);
}

// --- By bytes

static uint64_t
choose_sized(int64_t number, uint64_t room, size_t count)
{
    compact_chance chance = chance_of(number);
    compact_choose_sized(&chance, room, items, count, spare);
    uint64_t chosen = 0;
    for (size_t i = 0; i < count; i++) {
        chosen += items[i].is_chosen;
        assert_true(items[i].is_chosen || items[i].weight == 0);
    }
    return chosen;
}

static uint64_t
sum_of_weights(size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += items[i].weight;
    }
    return sum;
}

static void
set_bytes(const uint64_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        items[i] = (compact_sized){.bytes = bytes[i]};
    }
}

static void
test_what_is_large_enough_is_sure_and_the_others_share_the_rest(void **state)
{
    (void)state;
    // 3 of 1,160 bytes: 1,000 is sure; of the others, 2 of 160: 100 is sure; then 1 of 60.
    static const uint64_t bytes[] = {10, 1000, 20, 100, 30};
    size_t chosen[5] = {0};
    for (int64_t i = 0; i < 6000; i++) {
        set_bytes(bytes, 5);
        assert_int_equal(choose_sized(i, 3, 5), 3);
        assert_int_equal(items[1].weight, 1000);
        assert_int_equal(items[3].weight, 100);
        assert_int_equal(items[0].weight + items[2].weight + items[4].weight, 60);
        for (size_t k = 0; k < 5; k++) {
            chosen[k] += items[k].is_chosen;
        }
    }
    double statistic = 0;
    for (size_t k = 0; k < 5; k += 2) {
        double expected = 6000.0 * (double)bytes[k] / 60;
        statistic += ((double)chosen[k] - expected) * ((double)chosen[k] - expected) / expected;
    }
    assert_true(statistic < chi_square_max(2));
}

static void
test_weights_sum_to_the_bytes_of_all_whatever_the_sizes(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int64_t round = 0; round < 3000; round++) {
        size_t count = 1 + chance_below(&seed, 60);
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            items[i] = (compact_sized){
                .bytes = chance_below(&seed, (uint64_t)1 << chance_below(&seed, 55))};
            sum += items[i].bytes;
        }
        uint64_t room = chance_below(&seed, count + 3);
        assert_int_equal(choose_sized(round, room, count), room < count ? room : count);
        assert_true(sum_of_weights(count) == (room == 0 ? 0 : sum));
    }
}

static void
test_allocations_of_no_bytes_and_of_absurd_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < 10; i++) {
        items[i] = (compact_sized){.bytes = 0};
    }
    assert_int_equal(choose_sized(1, 4, 10), 4);
    assert_int_equal(sum_of_weights(10), 0);
    for (size_t i = 0; i < MANY; i++) {
        items[i] = (compact_sized){.bytes = INT64_MAX};
    }
    assert_int_equal(choose_sized(1, 3, MANY), 3);
    for (size_t i = 0; i < MANY; i++) { // it would stand for more than a weight can be
        assert_int_equal(items[i].weight, items[i].is_chosen ? INT64_MAX : 0);
    }
    items[7].bytes = 1;
    assert_int_equal(choose_sized(1, MANY - 1, MANY), MANY - 1);
}

static void
test_the_weights_of_a_class_are_its_bytes(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {32, 256, 416, 40000, 1000000};
    enum { CLASSES = 5, ROUNDS = 200, ROOM = 150, COUNT = 3000 };
    size_t off = 0;
    for (int64_t round = 0; round < ROUNDS; round++) {
        uint64_t seed = (uint64_t)round;
        double truth[CLASSES] = {0};
        double weight[CLASSES] = {0};
        double samples[CLASSES] = {0};
        size_t class_of[COUNT];
        for (size_t i = 0; i < COUNT; i++) { // as many bytes of each class, but of the largest more
            uint64_t place = chance_below(&seed, 10000);
            class_of[i] = place < 6 ? 4 : place < 60 ? 3 : place < 2000 ? 2 : place < 5000 ? 1 : 0;
            items[i].bytes = sizes[class_of[i]];
            truth[class_of[i]] += (double)items[i].bytes;
        }
        assert_int_equal(choose_sized(round, ROOM, COUNT), ROOM);
        for (size_t i = 0; i < COUNT; i++) {
            weight[class_of[i]] += (double)items[i].weight;
            samples[class_of[i]] += items[i].is_chosen;
        }
        for (size_t k = 0; k < CLASSES; k++) {
            double n = samples[k] > 1 ? samples[k] : 1;
            off += truth[k] > 0 && fabs(weight[k] - truth[k]) > 2 / sqrt(n) * truth[k];
        }
    }
    assert_true(off < (size_t)CLASSES * ROUNDS / 20); // two standard deviations
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exactly_so_many_are_chosen_and_all_where_there_is_room),
        cmocka_unit_test(test_a_sample_is_spread_evenly),
        cmocka_unit_test(test_each_has_the_same_chance),
        cmocka_unit_test(test_keys_that_take_turns_have_the_same_chance),
        cmocka_unit_test(test_another_number_draws_another_sample_and_the_same_one_the_same),
        cmocka_unit_test(test_a_sample_of_two_out_of_four),
        cmocka_unit_test(test_what_is_large_enough_is_sure_and_the_others_share_the_rest),
        cmocka_unit_test(test_weights_sum_to_the_bytes_of_all_whatever_the_sizes),
        cmocka_unit_test(test_allocations_of_no_bytes_and_of_absurd_ones),
        cmocka_unit_test(test_the_weights_of_a_class_are_its_bytes),
    };
    return cmocka_run_group_tests_name("compact_choose", tests, NULL, NULL);
}
