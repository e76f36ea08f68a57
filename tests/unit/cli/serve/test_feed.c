// SPDX-License-Identifier: Apache-2.0
// What the service of a recording in a file is called, as a table. Milliseconds.

#include "cli/serve/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_a_service_is_called_as_its_file(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *service;
    } cases[] = {
        {"shop.jfr", "shop"},
        {"/var/tmp/shop.jfr", "shop"},
        {"a.b/shop.jfr.gz", "shop"},
        {"shop.jfr.lz4", "shop"},
        {"shop.jfr.zst", "shop"},
        {"shop.gz", "shop"},
        {"shop.jfr.jfr", "shop.jfr"},
        {"shop", "shop"},
        {"shop.txt", "shop.txt"},
        {".jfr", ".jfr"},
        {"..jfr", "."},
        {"caf\303\251 1.jfr", "caf\303\251 1"},
        {"a\nb.jfr", "a\\nb"},
        {"a/", "unnamed"},
        {"", "unnamed"},
        {"standard input", "standard input"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char name[FEED_NAME_BYTES];
        feed_name_service(cases[i].file, name);
        assert_string_equal(name, cases[i].service);
    }
    char longest[2 * FEED_NAME_BYTES];
    char name[FEED_NAME_BYTES];
    memset(longest, 'a', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    feed_name_service(longest, name);
    assert_int_equal(strlen(name), FEED_NAME_BYTES - 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_service_is_called_as_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
