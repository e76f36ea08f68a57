// SPDX-License-Identifier: Apache-2.0

// A session is connected from the moment that it was said to be until it was said not to be.

#include "collector/base/presence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void
test_each_is_as_it_was_set_last(void **state)
{
    enum { COUNT = 1000 };
    (void)state;
    char id[40];
    presence *all = presence_create();
    assert_non_null(all);
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(id, sizeof(id), "%032d", i);
        assert_false(presence_has(all, id));
        presence_set(all, id, true);
        presence_set(all, id, true);
        assert_true(presence_has(all, id));
    }
    for (int i = 0; i < COUNT; i += 2) {
        (void)snprintf(id, sizeof(id), "%032d", i);
        presence_set(all, id, false);
        presence_set(all, id, false);
    }
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(id, sizeof(id), "%032d", i);
        assert_int_equal(presence_has(all, id), i % 2);
    }
    presence_destroy(all);
    presence_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_is_as_it_was_set_last)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
