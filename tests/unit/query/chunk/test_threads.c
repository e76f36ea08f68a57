// SPDX-License-Identifier: Apache-2.0
// A key that a chunk does not describe is resolved by the last earlier chunk that has it, or else
// the next one. Chunks are lists of their threads.

#include "engine/read/threads.h"
#include "query/chunk/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const uint64_t UNKNOWN = COMPACT_IDENTITY_KEY;

static void
add(query_threads *threads, uint32_t chunk, uint64_t key, uint64_t identity)
{
    compact_thread thread = {.key = key, .identity = identity};
    const compact_view view = {.threads = {.items = &thread, .count = 1, .capacity = 1}};
    assert_int_equal(query_threads_add(threads, chunk, &view), LP_OK);
}

static void
test_the_chunk_before_describes_a_key_or_the_next_one(void **state)
{
    (void)state;
    query_threads threads = {0};
    uint64_t a = compact_identity_java(1);
    uint64_t b = compact_identity_java(2);
    add(&threads, 2, 77, a);
    add(&threads, 3, 77, a);
    add(&threads, 5, 77, b);       // the key has got another thread
    add(&threads, 6, 78, UNKNOWN); // which says nothing
    assert_int_equal(query_threads_find(&threads, 0, 77, UNKNOWN), a);
    assert_int_equal(query_threads_find(&threads, 4, 77, UNKNOWN), a);
    assert_int_equal(query_threads_find(&threads, 5, 77, UNKNOWN), b);
    assert_int_equal(query_threads_find(&threads, 9, 77, UNKNOWN), b);
    assert_int_equal(query_threads_find(&threads, 9, 78, UNKNOWN), UNKNOWN);
    assert_int_equal(query_threads_find(&threads, 9, 77, a), a); // the chunk itself knows
    query_threads_fini(&threads);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_chunk_before_describes_a_key_or_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
