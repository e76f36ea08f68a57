// SPDX-License-Identifier: Apache-2.0
// The open contexts after any records, beside an array with those of each thread; and the limit.
#include "agent/context/ctx_rings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 3000, RECORDS = 400000, TYPES = CTX_TYPES_MAX, CHECKS = 20 };

static void
note(ctx_open *open, ctx_record_kind kind, uint64_t thread, unsigned type)
{
    const ctx_record_header header = {
        .size_bytes = sizeof(header),
        .type_id = (uint16_t)type,
        .kind = (uint8_t)kind,
        .thread_id = (int64_t)thread,
    };
    ctx_open_note(open, &header);
}

static void
assert_open(const ctx_open *open, const uint64_t *expected)
{
    lp_buf list = {0};
    size_t count = 0;
    assert_int_equal(ctx_open_list(open, &list), LP_OK);
    for (size_t at = 0; at < list.len; at += sizeof(uint64_t)) {
        uint64_t thread;
        memcpy(&thread, list.ptr + at, sizeof(thread));
        assert_true(thread < THREADS);
        assert_int_not_equal(expected[thread], 0);
        count++;
    }
    lp_buf_fini(&list);
    for (size_t i = 0; i < THREADS; i++) {
        count -= expected[i] != 0;
    }
    assert_int_equal(count, 0); // each once
}

static void
test_what_is_open_is_known(void **state)
{
    (void)state;
    ctx_open open;
    uint64_t *expected = calloc(THREADS, sizeof(*expected));
    assert_non_null(expected);
    assert_int_equal(ctx_open_init(&open), LP_OK);
    uint64_t random = 1;
    for (size_t i = 0; i < RECORDS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t thread = (random >> 33) % THREADS;
        unsigned type = 1 + (unsigned)(random >> 50) % TYPES;
        unsigned what = (unsigned)(random >> 58) % 16;
        uint64_t bit = (uint64_t)1 << (type - 1);
        if (what == 0) {
            note(&open, CTX_RECORD_THREAD_END, thread, 0);
            expected[thread] = 0;
        } else if (what < 9) {
            note(&open, CTX_RECORD_UNSET, thread, type);
            expected[thread] &= ~bit;
        } else {
            note(&open, CTX_RECORD_SET, thread, type);
            expected[thread] |= bit;
        }
        if (i % (RECORDS / CHECKS) == 0) {
            assert_open(&open, expected);
        }
    }
    assert_open(&open, expected);
    ctx_open_fini(&open);
    free(expected);
}

static void
test_threads_over_the_limit_are_counted_and_the_others_found(void **state)
{
    (void)state;
    ctx_open open;
    assert_int_equal(ctx_open_init(&open), LP_OK);
    for (uint64_t thread = 1; thread <= CTX_OPEN_THREADS_MAX + 10; thread++) {
        note(&open, CTX_RECORD_SET, thread, 1);
    }
    assert_int_equal(open.count, CTX_OPEN_THREADS_MAX);
    assert_int_equal(open.unknown, 10);
    for (uint64_t thread = 1; thread <= CTX_OPEN_THREADS_MAX + 10; thread++) {
        note(&open, CTX_RECORD_UNSET, thread, 1);
    }
    assert_int_equal(open.count, 0);
    ctx_open_fini(&open);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_open_is_known),
        cmocka_unit_test(test_threads_over_the_limit_are_counted_and_the_others_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
