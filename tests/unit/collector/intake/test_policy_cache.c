// SPDX-License-Identifier: Apache-2.0
// Equal policies are shared, as many stay as fit, and a policy of a JVM gets no more room.

#include "collector/base/metrics.h"
#include "collector/intake/policy_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SERVICES = 500, TEXT_BYTES = 4096 };

// find asks for the policy with a number, whose text has a type that no other has.
static lp_err
find(policy_cache *cache, unsigned number, bool is_told, policy_file **out_file)
{
    char text[TEXT_BYTES];
    lp_problem problem;
    int len = snprintf(text, sizeof(text),
        "<configuration><event name='t.T%u'><setting name='select'>if-context</setting></event>"
        "<event name='t.*'><setting name='threshold'>20 ms</setting></event></configuration>",
        number);
    return policy_cache_find(
        cache, "told", (lp_slice){(const uint8_t *)text, (size_t)len}, is_told, out_file, &problem);
}

static policy_file *
must_find(policy_cache *cache, unsigned number)
{
    policy_file *file;
    assert_int_equal(find(cache, number, true, &file), LP_OK);
    char name[16];
    (void)snprintf(name, sizeof(name), "t.T%u", number);
    assert_int_equal(
        policy_find(policy_file_get_rules(file), name, false).select, POLICY_SELECT_IF_CONTEXT);
    return file;
}

static void
test_hundreds_of_policies_are_made_once(void **state)
{
    (void)state;
    policy_cache *cache = policy_cache_create(16 << 20);
    assert_non_null(cache);
    static policy_file *files[SERVICES];
    for (unsigned i = 0; i < SERVICES; i++) {
        files[i] = must_find(cache, i);
        policy_file_unref(files[i]); // its chunk is compacted
    }
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < SERVICES; i++) {
            policy_file *again = must_find(cache, i);
            assert_ptr_equal(again, files[i]);
            policy_file_unref(again);
        }
    }
    policy_cache_destroy(cache);
}

static void
test_the_ones_of_long_ago_make_room(void **state)
{
    (void)state;
    uint64_t before = metrics_get(METRICS_policies_bytes);
    policy_cache *cache = policy_cache_create(UINT64_MAX / 2);
    assert_non_null(cache);
    policy_file_unref(must_find(cache, 10));
    uint64_t each = metrics_get(METRICS_policies_bytes) - before;
    assert_true(each > 0);
    policy_cache_destroy(cache);
    assert_int_equal(metrics_get(METRICS_policies_bytes), before);

    cache = policy_cache_create(3 * each);
    assert_non_null(cache);
    policy_file *first = must_find(cache, 10); // a chunk has it
    policy_file *second = must_find(cache, 11);
    policy_file_unref(second);
    policy_file_unref(must_find(cache, 12));
    policy_file_unref(must_find(cache, 11)); // used again
    policy_file_unref(must_find(cache, 13)); // replaces 12
    policy_file *again = must_find(cache, 11);
    assert_ptr_equal(again, second);
    policy_file_unref(again);
    again = must_find(cache, 10);
    assert_ptr_equal(again, first);
    policy_file_unref(again);
    assert_int_equal(metrics_get(METRICS_policies_bytes), before + 3 * each);

    // Chunks use all of them.
    second = must_find(cache, 11);
    policy_file *third = must_find(cache, 13);
    policy_file *none;
    assert_int_equal(find(cache, 14, true, &none), LP_ELIMIT);
    assert_int_equal(metrics_get(METRICS_policies_bytes), before + 3 * each);
    assert_int_equal(find(cache, 14, false, &none), LP_OK); // a policy of the collector
    policy_file_unref(none);
    policy_file_unref(third);
    policy_file_unref(must_find(cache, 14));
    policy_file_unref(second);
    policy_file_unref(first);
    policy_cache_destroy(cache);
}

// The estimate, which the budget uses, is close to the bytes of malloc.
static void
test_what_a_policy_takes_is_known(void **state)
{
    (void)state;
    policy_file *small;
    assert_int_equal(find(NULL, 10, true, &small), LP_OK);
    assert_true(policy_file_measure(small) > 400 && policy_file_measure(small) < 20000);
    policy_file_unref(small);
    lp_problem problem;
    enum { TYPES = 1000, LINE_BYTES = 100 };
    const size_t room = (TYPES + 1) * LINE_BYTES;
    char *text = malloc(room);
    assert_non_null(text);
    size_t len = (size_t)snprintf(text, room, "<configuration>");
    for (int i = 0; i < TYPES; i++) {
        len += (size_t)snprintf(text + len, room - len,
            "<event name='t.T%04d'><setting name='enabled'>true</setting></event>", i);
    }
    len += (size_t)snprintf(text + len, room - len, "</configuration>");
    policy_file *large;
    assert_int_equal(policy_cache_find(NULL, "told", (lp_slice){(const uint8_t *)text, len}, true,
                         &large, &problem),
        LP_OK);
    size_t bytes = policy_file_measure(large);
    assert_true(bytes > len + TYPES * (2 * strlen("t.T0000")) && bytes < 16 * len);
    policy_file_unref(large);
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hundreds_of_policies_are_made_once),
        cmocka_unit_test(test_the_ones_of_long_ago_make_room),
        cmocka_unit_test(test_what_a_policy_takes_is_known),
    };
    return cmocka_run_group_tests_name("policy_cache", tests, NULL, NULL);
}
