// SPDX-License-Identifier: Apache-2.0
// A table of cases: which chunks expire.

#include "collector/keep/retention_stock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// A case: the chunks as "service start end bytes", sorted by start; an upper case service has later
// chunks. The expired ones are a mask.
typedef struct decision {
    const char *chunks[6];
    retention_service services[2];
    uint64_t bytes_max;
    const char *goes;
} decision;

#define ANY_AGE   INT64_MAX
#define ANY_BYTES UINT64_MAX

static void
test_decisions(void **state)
{
    (void)state;
    static const decision cases[] = {
        // Nothing is limited.
        {{"a 0 10 5", "b 1 11 5"}, {{5, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}}, ANY_BYTES,
            "--"},
        // An age of 20 at 40: an end at 20 is exactly the limit.
        {{"a 0 19 5", "a 1 20 5", "a 2 21 5"}, {{15, 20, ANY_BYTES}}, ANY_BYTES, "x--"},
        // A long chunk does not keep later ones.
        {{"a 0 30 5", "a 1 2 5", "a 2 3 5"}, {{15, 20, ANY_BYTES}}, ANY_BYTES, "-xx"},
        // Ages of services.
        {{"a 0 10 5", "b 0 10 5", "b 1 25 5"}, {{5, 100, ANY_BYTES}, {10, 20, ANY_BYTES}},
            ANY_BYTES, "-x-"},
        // The total of bytes: as few as necessary, by start.
        {{"a 0 10 5", "b 1 11 5", "a 2 12 5"}, {{10, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}},
            15, "---"},
        {{"a 0 10 5", "b 1 11 5", "a 2 12 5"}, {{10, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}},
            14, "x--"},
        {{"a 0 10 5", "b 1 11 5", "a 2 12 5"}, {{10, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}},
            5, "xx-"},
        {{"a 0 10 5", "b 1 11 5", "a 2 12 5"}, {{10, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}},
            0, "xxx"},
        // Bytes of a service.
        {{"a 0 10 5", "b 1 11 5", "b 2 12 5"}, {{5, ANY_AGE, ANY_BYTES}, {10, ANY_AGE, 5}},
            ANY_BYTES, "-x-"},
        // Chunks that go for one limit count for the other.
        {{"a 0 10 5", "b 1 39 5", "b 2 39 5"}, {{5, 20, ANY_BYTES}, {10, ANY_AGE, ANY_BYTES}}, 10,
            "x--"},
        // After the last candidate of a service no chunk goes for the total of bytes.
        {{"A 0 10 5", "b 9 39 5"}, {{100, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}}, 50, "x-"},
        // A clock was set back: a chunk that ends in the future is not old.
        {{"a 0 90 5"}, {{5, 20, ANY_BYTES}}, ANY_BYTES, "-"},
        {{"a 0 -9223372036854775808 5"}, {{5, 20, ANY_BYTES}}, ANY_BYTES, "-"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const decision *d = &cases[i];
        retention_candidate candidates[6] = {0};
        retention_service services[2];
        memcpy(services, d->services, sizeof(services));
        size_t count = strlen(d->goes);
        size_t expected = 0;
        for (size_t k = 0; k < count; k++) {
            char service;
            assert_int_equal(
                sscanf(d->chunks[k], "%c %ld %ld %lu", &service, &candidates[k].start_wall_ns,
                    &candidates[k].end_wall_ns, &candidates[k].bytes),
                4);
            candidates[k].has_more = service < 'a';
            candidates[k].service = (size_t)((service | 32) - 'a');
            expected += d->goes[k] == 'x';
        }
        size_t gone = retention_stock_decide(candidates, count, services, 2, d->bytes_max, 40);
        for (size_t k = 0; k < count; k++) {
            if (candidates[k].goes != (d->goes[k] == 'x')) {
                fail_msg("case %zu, chunk %zu", i, k);
            }
        }
        assert_int_equal(gone, expected);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
