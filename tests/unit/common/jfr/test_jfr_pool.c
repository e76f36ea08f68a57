// SPDX-License-Identifier: Apache-2.0
// Pools: constants by type and key with the extent of their values, the first of two with one key,
// what is reachable from what, and every truncation refused.

#include "support/exact_copy.h"
#include "types_fixture.h"

#include "common/jfr/jfr_pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    types_fixture types;
    jfr_pools pools;
} fixture;

// open_pools reads the checkpoint that is last in the chunk.
static void
open_pools(fixture *f)
{
    lp_problem problem = {0};
    lp_slice chunk = lp_buf_slice(&f->types.build.bytes);
    assert_int_equal(jfr_pools_init(&f->pools, chunk, &f->types.metadata, &f->types.layout), LP_OK);
    lp_slice payload = jfr_build_payload(&f->types.build, f->types.build.checkpoint_offset);
    assert_int_equal(jfr_pools_add(&f->pools, &f->types.metadata, payload, &problem), LP_OK);
    assert_int_equal(jfr_pools_index(&f->pools), LP_OK);
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    types_fixture_sample(&f->types);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    if (f->pools.pools != NULL) {
        jfr_pools_fini(&f->pools);
    }
    types_fixture_fini(&f->types);
    free(f);
    return 0;
}

static jfr_constant *
find(const fixture *f, uint64_t type_id, uint64_t key)
{
    return jfr_pools_find(&f->pools, jfr_metadata_find_type(&f->types.metadata, type_id), key);
}

static void
test_constants_are_found_with_their_values(void **state)
{
    fixture *f = *state;
    static const uint64_t keys[] = {0, 1, 127, 128, 0x8000002, 1ull << 63, UINT64_MAX};
    for (size_t i = 0; i < 7; i++) {
        lp_buf_append(&f->types.build.payload, "\3\1", 2);
        lp_buf_append(&f->types.build.payload, &"abcdefg"[i], 1);
        jfr_build_constant(&f->types.build, JFR_SAMPLE_SYMBOL, keys[i]);
    }
    jfr_sample_thread(&f->types.build, 5, 6);
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    for (size_t i = 0; i < 7; i++) {
        const jfr_constant *constant = find(f, JFR_SAMPLE_SYMBOL, keys[i]);
        assert_non_null(constant);
        assert_true(constant->key == keys[i]);
        assert_int_equal(constant->size_bytes, 3);
        assert_int_equal(f->pools.chunk.ptr[constant->offset + 2], "abcdefg"[i]);
        assert_false(constant->is_marked);
    }
    assert_non_null(find(f, JFR_SAMPLE_THREAD, 5));
    assert_null(find(f, JFR_SAMPLE_THREAD, 6));
    assert_null(find(f, JFR_SAMPLE_SYMBOL, 5));
}

static void
test_the_first_of_two_with_one_key_counts(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < 2; i++) {
        jfr_build_string(&f->types.build.payload, i == 0 ? "first" : "second one");
        jfr_build_constant(&f->types.build, JFR_SAMPLE_SYMBOL, 7);
    }
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    assert_int_equal(find(f, JFR_SAMPLE_SYMBOL, 7)->size_bytes, 7);
}

static void
test_marks_reach_everything_and_nothing_else(void **state)
{
    fixture *f = *state;
    jfr_sample_stack(&f->types.build, 1);
    jfr_sample_stack(&f->types.build, 2);
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_STACK_TRACE);
    jfr_pools_mark(&f->pools, type, 1);
    jfr_pools_mark(&f->pools, type, 1); // once more does no harm
    jfr_pools_mark(&f->pools, type, 99);
    assert_int_equal(jfr_pools_mark_reachable(&f->pools), LP_OK);
    static const struct {
        uint64_t type;
        uint64_t base;
    } chain[] = {{JFR_SAMPLE_STACK_TRACE, 0}, {JFR_SAMPLE_METHOD, 1000}, {JFR_SAMPLE_CLASS, 2000},
        {JFR_SAMPLE_SYMBOL, 3000}, {JFR_SAMPLE_SYMBOL, 4000}};
    for (size_t i = 0; i < 5; i++) {
        assert_true(find(f, chain[i].type, chain[i].base + 1)->is_marked);
        assert_false(find(f, chain[i].type, chain[i].base + 2)->is_marked);
    }
    uint32_t symbols = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_SYMBOL);
    assert_int_equal(f->pools.pools[symbols].marked_count, 2);
}

static void
test_constants_may_go_in_circles(void **state)
{
    fixture *f = *state;
    for (uint64_t key = 1; key <= 3; key++) {
        jfr_build_varint(&f->types.build.payload, key % 3 + 1); // 1 -> 2 -> 3 -> 1
        jfr_build_string(&f->types.build.payload, "g");
        jfr_build_constant(&f->types.build, JFR_SAMPLE_THREAD_GROUP, key);
    }
    jfr_build_checkpoint(&f->types.build);
    open_pools(f);
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_THREAD_GROUP);
    jfr_pools_mark(&f->pools, type, 2);
    assert_int_equal(jfr_pools_mark_reachable(&f->pools), LP_OK);
    assert_int_equal(f->pools.pools[type].marked_count, 3);
}

static void
test_long_chains_are_followed(void **state)
{
    fixture *f = *state;
    enum { LINKS = 200000 };
    for (uint64_t key = 1; key <= LINKS; key++) {
        jfr_build_varint(&f->types.build.payload, key - 1);
        jfr_build_string(&f->types.build.payload, NULL);
        jfr_build_constant(&f->types.build, JFR_SAMPLE_THREAD_GROUP, key);
    }
    // append_pool of the builder would be asked for its type LINKS times: written here instead.
    lp_buf payload = {0};
    lp_buf_append(&payload, "\0\0\0\0\1", 5);
    jfr_build_varint(&payload, JFR_SAMPLE_THREAD_GROUP);
    jfr_build_varint(&payload, LINKS);
    for (size_t i = 0; i < LINKS; i++) {
        jfr_build_varint(&payload, f->types.build.constants.items[i].key);
        lp_buf_append(&payload,
            f->types.build.values.ptr + f->types.build.constants.items[i].offset,
            f->types.build.constants.items[i].size_bytes);
    }
    assert_int_equal(
        jfr_pools_init(&f->pools, lp_buf_slice(&payload), &f->types.metadata, &f->types.layout),
        LP_OK);
    assert_int_equal(
        jfr_pools_add(&f->pools, &f->types.metadata, lp_buf_slice(&payload), NULL), LP_OK);
    assert_int_equal(jfr_pools_index(&f->pools), LP_OK);
    uint32_t type = jfr_metadata_find_type(&f->types.metadata, JFR_SAMPLE_THREAD_GROUP);
    jfr_pools_mark(&f->pools, type, LINKS);
    assert_int_equal(jfr_pools_mark_reachable(&f->pools), LP_OK);
    assert_int_equal(f->pools.pools[type].marked_count, LINKS);
    lp_buf_fini(&payload);
}

static void
test_every_truncation_is_refused(void **state)
{
    fixture *f = *state;
    jfr_sample_stack(&f->types.build, 1);
    jfr_sample_thread(&f->types.build, 5, 6);
    jfr_build_checkpoint(&f->types.build);
    lp_slice whole = jfr_build_payload(&f->types.build, f->types.build.checkpoint_offset);
    for (size_t len = 0; len < whole.len; len++) {
        uint8_t *copy = exact_copy_make(whole.ptr, len);
        lp_slice payload = {copy, len};
        lp_problem problem = {0};
        jfr_pools pools;
        assert_int_equal(
            jfr_pools_init(&pools, payload, &f->types.metadata, &f->types.layout), LP_OK);
        assert_int_equal(jfr_pools_add(&pools, &f->types.metadata, payload, &problem), LP_ECORRUPT);
        assert_true(!problem.has_offset || problem.offset <= len);
        jfr_pools_fini(&pools);
        free(copy);
    }
}

static void
test_a_pool_of_an_unknown_type_is_refused(void **state)
{
    fixture *f = *state;
    // Its values have no known end, so nothing behind it can be found.
    jfr_build_string(&f->types.build.payload, "x");
    jfr_build_constant(&f->types.build, 4711, 1);
    jfr_build_checkpoint(&f->types.build);
    lp_problem problem = {0};
    lp_slice chunk = lp_buf_slice(&f->types.build.bytes);
    assert_int_equal(jfr_pools_init(&f->pools, chunk, &f->types.metadata, &f->types.layout), LP_OK);
    lp_slice payload = jfr_build_payload(&f->types.build, f->types.build.checkpoint_offset);
    assert_int_equal(jfr_pools_add(&f->pools, &f->types.metadata, payload, &problem), LP_ECORRUPT);
    assert_true(problem.has_offset);
    assert_in_range(problem.offset, f->types.build.checkpoint_offset, chunk.len);
}

// Keys, and nothing behind them: the JDK has no parser for such a type.
static void
test_a_pool_of_a_type_without_values_is_refused(void **state)
{
    fixture *f = *state;
    lp_problem problem = {0};
    jfr_build_constant(&f->types.build, JFR_SAMPLE_ENABLED, 1);
    jfr_build_checkpoint(&f->types.build);
    lp_slice chunk = lp_buf_slice(&f->types.build.bytes);
    assert_int_equal(jfr_pools_init(&f->pools, chunk, &f->types.metadata, &f->types.layout), LP_OK);
    lp_slice payload = jfr_build_payload(&f->types.build, f->types.build.checkpoint_offset);
    assert_int_equal(jfr_pools_add(&f->pools, &f->types.metadata, payload, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "jdk.settings.Enabled"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_constants_are_found_with_their_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_first_of_two_with_one_key_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_marks_reach_everything_and_nothing_else, setup, teardown),
        cmocka_unit_test_setup_teardown(test_constants_may_go_in_circles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_chains_are_followed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_truncation_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_pool_of_an_unknown_type_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_pool_of_a_type_without_values_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests_name("jfr_pool", tests, NULL, NULL);
}
