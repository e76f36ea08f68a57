// SPDX-License-Identifier: Apache-2.0
// Statistics by type, attribute and value: each is found under its name, limits leave out the same
// whatever comes first, the best exemplar of a bucket stays; and rollups add up to the same in any
// order and in any groups. Names of ids are known in all spellings.

#include "rollup_fixture.h"
#include "support/large.h"

#include "common/base/lp_buf.h"
#include "common/rollup/rollup_bytes.h"
#include "common/rollup/rollup_id.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void
test_what_is_added_is_found(void **state)
{
    (void)state;
    rollup sums;
    rollup_init(&sums);
    assert_non_null(rollup_add_type(&sums, "b"));
    assert_non_null(rollup_add_type(&sums, "c"));
    rollup_type *type = rollup_add_type(&sums, "a");
    assert_ptr_equal(rollup_add_type(&sums, "a"), type);
    assert_ptr_equal(rollup_find_type(&sums, "a"), type);
    assert_null(rollup_find_type(&sums, "d"));
    rollup_attribute *attribute = rollup_add_attribute(&sums, type, "key");
    assert_non_null(rollup_add_attribute(&sums, type, "another"));
    attribute = rollup_add_attribute(&sums, type, "key");
    assert_ptr_equal(rollup_find_attribute(type, "key"), attribute);
    assert_null(rollup_find_attribute(type, "ke"));
    static const char *const texts[] = {"b", "", "ab", "a"};
    for (size_t i = 0; i < 4; i++) {
        rollup_value *value = rollup_add_value(&sums, attribute, text_slice(texts[i]));
        histogram_add(&value->numbers.all, &sums.arena, (int64_t)i);
    }
    assert_int_equal(attribute->values.count, 4);
    static const struct {
        const char *text;
        uint64_t sum_ns;
    } order[] = {{"", 1}, {"a", 3}, {"ab", 2}, {"b", 0}};
    for (size_t i = 0; i < 4; i++) {
        const rollup_value *value = &attribute->values.items[i];
        assert_int_equal(value->text.len, strlen(order[i].text));
        assert_memory_equal(value->text.ptr, order[i].text, value->text.len);
        assert_true(value->numbers.all.sum_ns == order[i].sum_ns);
    }
    assert_int_equal(rollup_err(&sums), LP_OK);
    rollup_fini(&sums);
}

static void
test_limits_leave_out_the_last_in_order(void **state)
{
    (void)state;
    rollup sums;
    rollup_init(&sums);
    char name[ROLLUP_NAME_BYTES_MAX + 2];
    for (int i = ROLLUP_TYPES_MAX; i > 0; i--) {
        (void)snprintf(name, sizeof(name), "t%03d", i);
        rollup_type *type = rollup_add_type(&sums, name);
        histogram_add(&type->numbers.all, &sums.arena, 5);
    }
    assert_null(rollup_add_type(&sums, "t065"));
    rollup_type *first = rollup_add_type(&sums, "t000");
    assert_non_null(first); // in place of t064, whose context is left out
    assert_null(rollup_find_type(&sums, "t064"));
    assert_non_null(rollup_find_type(&sums, "t063"));
    assert_int_equal(sums.types.count, ROLLUP_TYPES_MAX);
    assert_true(sums.contexts_left_out == 1);
    for (int i = ROLLUP_ATTRIBUTES_MAX; i > 0; i--) {
        (void)snprintf(name, sizeof(name), "a%03d", i);
        assert_non_null(rollup_add_attribute(&sums, first, name));
    }
    assert_false(first->has_more_attributes);
    assert_null(rollup_add_attribute(&sums, first, "a033"));
    assert_true(first->has_more_attributes);
    assert_non_null(rollup_add_attribute(&sums, first, "a000"));
    assert_null(rollup_find_attribute(first, "a032"));
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_null(rollup_add_type(&sums, name));
    assert_null(rollup_add_attribute(&sums, first, name));
    rollup_fini(&sums);
}

static void
test_an_attribute_with_too_many_values_has_none(void **state)
{
    (void)state;
    rollup sums;
    rollup_init(&sums);
    rollup_type *type = rollup_add_type(&sums, "t");
    rollup_attribute *attribute = rollup_add_attribute(&sums, type, "a");
    char text[ROLLUP_VALUE_BYTES_MAX + 2];
    for (int i = 0; i < ROLLUP_VALUES_MAX; i++) {
        (void)snprintf(text, sizeof(text), "%d", i);
        assert_non_null(rollup_add_value(&sums, attribute, text_slice(text)));
    }
    assert_non_null(rollup_add_value(&sums, attribute, text_slice("63")));
    assert_false(attribute->has_too_many);
    assert_null(rollup_add_value(&sums, attribute, text_slice("64")));
    assert_true(attribute->has_too_many);
    assert_int_equal(attribute->values.count, 0);
    assert_null(rollup_add_value(&sums, attribute, text_slice("0")));

    rollup_attribute *other = rollup_add_attribute(&sums, type, "b");
    memset(text, 'v', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_null(rollup_add_value(&sums, other, text_slice(text)));
    assert_true(other->has_too_many);
    rollup_attribute *whole = rollup_add_attribute(&sums, type, "c");
    assert_non_null(rollup_add_value(&sums, whole, text_slice(text + 1)));
    rollup_fini(&sums);
}

// Contexts and requests of one name are two types, and each unit has its own limit.
static void
test_requests_are_apart_from_contexts(void **state)
{
    (void)state;
    rollup sums;
    rollup_init(&sums);
    rollup_type *request = rollup_add_type_of(&sums, ROLLUP_REQUESTS, "t");
    histogram_add(&request->numbers.all, &sums.arena, 5);
    assert_null(rollup_find_type(&sums, "t"));
    assert_ptr_equal(rollup_find_request(&sums, "t"), request);
    assert_ptr_not_equal(rollup_add_type(&sums, "t"), rollup_find_request(&sums, "t"));
    assert_int_equal(rollup_get_types(&sums, ROLLUP_REQUESTS)->count, 1);
    char name[16];
    for (int i = 0; i < ROLLUP_TYPES_MAX; i++) {
        (void)snprintf(name, sizeof(name), "s%03d", i);
        assert_non_null(rollup_add_type_of(&sums, ROLLUP_REQUESTS, name));
    }
    assert_null(rollup_find_request(&sums, "t")); // its one request is left out
    assert_non_null(rollup_find_type(&sums, "t"));
    assert_true(sums.requests_left_out == 1 && sums.contexts_left_out == 0);
    rollup total;
    rollup_init(&total);
    rollup_add(&total, &sums, "");
    assert_int_equal(total.requests.count, ROLLUP_TYPES_MAX);
    assert_true(total.requests_left_out == 1 && total.contexts_left_out == 0);
    rollup_fini(&total);
    rollup_fini(&sums);
}

static void
test_a_bucket_has_its_best_exemplar(void **state)
{
    (void)state;
    static const rollup_exemplar from_worst[] = {
        {.duration_ns = 901, .begin_wall_ns = 1, .trace = "a"},
        {.duration_ns = 1000, .begin_wall_ns = 5, .ref = {7, 2}},
        {.duration_ns = 1000, .begin_wall_ns = 5, .ref = {7, 1}},
        {.duration_ns = 1000, .begin_wall_ns = 5, .ref = {6, 3}, .request = 9},
        {.duration_ns = 1000, .begin_wall_ns = 5, .ref = {6, 3}, .request = 8},
        {.duration_ns = 1000, .begin_wall_ns = 4, .ref = {8, 0}},
        {.duration_ns = 1001, .begin_wall_ns = 9, .trace = "a2"},
        {.duration_ns = 1001, .begin_wall_ns = 9, .trace = "a1", .recording = "r2"},
        {.duration_ns = 1001, .begin_wall_ns = 9, .trace = "a1", .recording = "r1"},
    };
    enum { COUNT = sizeof(from_worst) / sizeof(from_worst[0]) };
    rollup sums;
    rollup_init(&sums);
    rollup_type *type = rollup_add_type(&sums, "t");
    for (size_t i = 0; i < COUNT; i++) {
        type->exemplars.count = 0;
        for (size_t k = 0; k <= i; k++) {
            rollup_add_exemplar(&sums, type, &from_worst[i - k]);
        }
        assert_memory_equal(type->exemplars.items, &from_worst[i], sizeof(from_worst[i]));
        for (size_t k = 0; k <= i; k++) {
            rollup_add_exemplar(&sums, type, &from_worst[k]);
        }
        assert_memory_equal(type->exemplars.items, &from_worst[i], sizeof(from_worst[i]));
    }
    rollup_add_exemplar(&sums, type, &(rollup_exemplar){.duration_ns = 5});
    rollup_add_exemplar(&sums, type, &(rollup_exemplar){.duration_ns = 0});
    rollup_add_exemplar(&sums, type, &(rollup_exemplar){.duration_ns = 5000});
    static const int64_t order[] = {0, 5, 1001, 5000};
    assert_int_equal(type->exemplars.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(type->exemplars.items[i].duration_ns, order[i]);
    }
    rollup_fini(&sums);
}

static lp_buf
bytes_of(const rollup *sums)
{
    lp_buf bytes = {0};
    assert_int_equal(rollup_err(sums), LP_OK);
    assert_int_equal(rollup_bytes_encode(sums, &bytes), LP_OK);
    return bytes;
}

static void
assert_same(const rollup *one, const rollup *other)
{
    lp_buf a = bytes_of(one);
    lp_buf b = bytes_of(other);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.ptr, b.ptr, a.len);
    lp_buf_fini(&a);
    lp_buf_fini(&b);
}

// The whole is counted context by context, the parts are cut at random and added in two orders, the
// second time in groups.
static void
test_parts_add_up_to_the_whole(void **state)
{
    (void)state;
    enum { PARTS = 7 };
    for (uint64_t round = 0; round < (is_large ? 60 : 18); round++) {
        rollup whole;
        rollup one;
        rollup other;
        rollup group;
        rollup parts[PARTS];
        rollup_init(&whole);
        rollup_init(&one);
        rollup_init(&other);
        rollup_init(&group);
        unsigned names = round % 3 == 0 ? 3 : round % 3 == 1 ? 40 : 90;
        uint64_t cut = round;
        uint64_t all = round + 1000;
        uint64_t part = all;
        for (size_t i = 0; i < PARTS; i++) {
            size_t contexts = (size_t)chance_below(&cut, 800);
            add_random(&whole, &all, contexts, names);
            rollup_init(&parts[i]);
            add_random(&parts[i], &part, contexts, names);
        }
        for (size_t i = 0; i < PARTS; i++) {
            rollup_add(&one, &parts[i], "");
            rollup_add(i % 2 == 0 ? &other : &group, &parts[PARTS - 1 - i], "");
        }
        rollup_add(&other, &group, "");
        assert_same(&one, &whole);
        assert_same(&other, &whole);
        rollup_fini(&whole);
        rollup_fini(&one);
        rollup_fini(&other);
        rollup_fini(&group);
        for (size_t i = 0; i < PARTS; i++) {
            rollup_fini(&parts[i]);
        }
    }
}

static void
test_exemplars_get_their_recording_once(void **state)
{
    (void)state;
    rollup chunk;
    rollup hour;
    rollup day;
    rollup_init(&chunk);
    rollup_init(&hour);
    rollup_init(&day);
    rollup_add_exemplar(&chunk, rollup_add_type(&chunk, "t"), &(rollup_exemplar){.duration_ns = 7});
    rollup_add(&hour, &chunk, "r1");
    rollup_add(&day, &hour, "");
    assert_string_equal(day.types.items[0].exemplars.items[0].recording, "r1");
    rollup_add(&day, &hour, "r0");
    assert_string_equal(day.types.items[0].exemplars.items[0].recording, "r1");
    rollup_fini(&chunk);
    rollup_fini(&hour);
    rollup_fini(&day);
}

static void
test_samples_are_no_more_than_what_is_left(void **state)
{
    (void)state;
    rollup_numbers numbers = {.left_ns = 30};
    numbers.time_ns[TIME_CPU] = 20;
    assert_int_equal(rollup_cpu_ns(&numbers), 20);
    numbers.time_ns[TIME_CPU] = 40;
    assert_int_equal(rollup_cpu_ns(&numbers), 30);
}

static void
test_ids_have_names_in_any_spelling(void **state)
{
    (void)state;
    static const char *const traces[] = {
        "traceid", "traceId", "trace_id", "TRACE-ID", "trace.id", "Trace Id"};
    static const char *const others[] = {"", "trace", "traceid2", "atraceid", "otel.traceid"};
    for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
        assert_true(rollup_id_is_trace(traces[i]));
        assert_false(rollup_id_is_span(traces[i]));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_false(rollup_id_is_trace(others[i]));
        assert_false(rollup_id_is_span(others[i]));
    }
    assert_true(rollup_id_is_span("span_id"));
    assert_false(rollup_id_is_trace("span_id"));
}

// Slices are those of a chunk: they are in its bytes, in order and with their limit, and in no sum.
static void
test_slices_are_of_one_chunk(void **state)
{
    (void)state;
    rollup chunk;
    rollup_init(&chunk);
    chunk.slice_ns = 5;
    rollup_type *type = rollup_add_type(&chunk, "shop.Request");
    for (int i = ROLLUP_SLICES_MAX; i > 0; i--) {
        rollup_slice *slice = rollup_add_slice(&chunk, type, 5 * i);
        assert_non_null(slice);
        assert_ptr_equal(rollup_add_slice(&chunk, type, 5 * i), slice);
        histogram_add_counts(&slice->all, &chunk.arena, 10, (uint64_t)i);
        histogram_add_counts(&slice->kept, &chunk.arena, 10, 1);
    }
    assert_null(rollup_add_slice(&chunk, type, 1));
    lp_buf bytes = bytes_of(&chunk);
    rollup read;
    rollup_init(&read);
    assert_int_equal(rollup_bytes_read(&read, lp_buf_slice(&bytes), ""), LP_OK);
    assert_true(read.slice_ns == 5);
    const rollup_type *found = rollup_find_type(&read, "shop.Request");
    assert_int_equal(found->slices.count, ROLLUP_SLICES_MAX);
    for (size_t i = 0; i < ROLLUP_SLICES_MAX; i++) {
        const rollup_slice *slice = &found->slices.items[i];
        assert_true(slice->begin_wall_ns == 5 * (int64_t)(i + 1));
        assert_true(histogram_get(&slice->all, 10) == i + 1);
        assert_true(histogram_get(&slice->kept, 10) == 1);
    }
    rollup total;
    rollup_init(&total);
    rollup_add(&total, &read, "");
    assert_int_equal(rollup_bytes_add(&total, lp_buf_slice(&bytes), ""), LP_OK);
    assert_true(total.slice_ns == 0);
    assert_int_equal(rollup_find_type(&total, "shop.Request")->slices.count, 0);
    rollup_fini(&total);
    rollup_fini(&read);
    lp_buf_fini(&bytes);
    rollup_fini(&chunk);
}

static void
test_an_id_has_one_hash_in_either_case(void **state)
{
    (void)state;
    uint64_t hash;
    uint64_t other;
    char text[ROLLUP_ID_BYTES_MAX + 2];
    assert_true(rollup_id_hash(text_slice("4bf92f3577b34da6"), &hash));
    assert_true(rollup_id_hash(text_slice("4BF92F3577B34DA6"), &other));
    assert_true(hash == other);
    assert_true(rollup_id_hash(text_slice("4bf92f3577b34da7"), &other));
    assert_true(hash != other);
    assert_false(rollup_id_hash(text_slice(""), &other));
    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_false(rollup_id_hash(text_slice(text), &other));
    assert_true(rollup_id_hash(text_slice(text + 1), &other));
}

static void
test_tidy_ids_are_in_one_list_once(void **state)
{
    (void)state;
    static const uint64_t kept[] = {7, 3, 7, 9};
    static const uint64_t dropped[] = {9, 1, 8, 1, 3, 10};
    rollup_ids ids = {0};
    for (size_t i = 0; i < 4; i++) {
        *LP_VEC_PUSH(&ids.kept) = kept[i];
    }
    for (size_t i = 0; i < 6; i++) {
        *LP_VEC_PUSH(&ids.dropped) = dropped[i];
    }
    rollup_ids_tidy(&ids);
    assert_int_equal(ids.kept.count, 3);
    assert_memory_equal(ids.kept.items, ((uint64_t[]){3, 7, 9}), 3 * sizeof(uint64_t));
    assert_int_equal(ids.dropped.count, 3);
    assert_memory_equal(ids.dropped.items, ((uint64_t[]){1, 8, 10}), 3 * sizeof(uint64_t));
    rollup_ids_fini(&ids);
    rollup_ids_tidy(&ids);
    assert_int_equal(ids.kept.count + ids.dropped.count, 0);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_added_is_found),
        cmocka_unit_test(test_limits_leave_out_the_last_in_order),
        cmocka_unit_test(test_an_attribute_with_too_many_values_has_none),
        cmocka_unit_test(test_requests_are_apart_from_contexts),
        cmocka_unit_test(test_a_bucket_has_its_best_exemplar),
        cmocka_unit_test(test_parts_add_up_to_the_whole),
        cmocka_unit_test(test_exemplars_get_their_recording_once),
        cmocka_unit_test(test_samples_are_no_more_than_what_is_left),
        cmocka_unit_test(test_ids_have_names_in_any_spelling),
        cmocka_unit_test(test_slices_are_of_one_chunk),
        cmocka_unit_test(test_an_id_has_one_hash_in_either_case),
        cmocka_unit_test(test_tidy_ids_are_in_one_list_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
