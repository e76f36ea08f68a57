// SPDX-License-Identifier: Apache-2.0
// The queue of committed chunks: first in, first out; a full one drops the oldest, and says so.

#include "collector/base/chunk_feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static bool
push(chunk_feed *feed, const char *session_id, uint32_t ordinal)
{
    chunk_feed_item item = {.ordinal = ordinal};
    (void)snprintf(item.session_id, sizeof(item.session_id), "%s", session_id);
    return chunk_feed_push(feed, &item);
}

static void
assert_next(chunk_feed *feed, const char *session_id, uint32_t ordinal)
{
    chunk_feed_item item;
    assert_true(chunk_feed_pop(feed, &item));
    assert_string_equal(item.session_id, session_id);
    assert_int_equal(item.ordinal, ordinal);
}

static void
test_chunks_come_out_as_they_went_in(void **state)
{
    (void)state;
    chunk_feed *feed = chunk_feed_create();
    assert_non_null(feed);
    chunk_feed_item item;
    assert_false(chunk_feed_pop(feed, &item));
    assert_true(push(feed, "3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b", 7));
    assert_true(push(feed, "b", 0));
    assert_next(feed, "3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b", 7);
    assert_true(push(feed, "c", UINT32_MAX));
    assert_next(feed, "b", 0);
    assert_next(feed, "c", UINT32_MAX);
    assert_false(chunk_feed_pop(feed, &item));
    chunk_feed_destroy(feed);
}

static void
test_a_full_queue_drops_the_oldest(void **state)
{
    (void)state;
    chunk_feed *feed = chunk_feed_create();
    for (uint32_t i = 0; i < CHUNK_FEED_MAX; i++) {
        assert_true(push(feed, "s", i));
    }
    assert_false(push(feed, "s", CHUNK_FEED_MAX));
    assert_false(push(feed, "s", CHUNK_FEED_MAX + 1));
    for (uint32_t i = 2; i < CHUNK_FEED_MAX + 2; i++) {
        assert_next(feed, "s", i);
    }
    chunk_feed_item item;
    assert_false(chunk_feed_pop(feed, &item));
    assert_true(push(feed, "s", 5));
    assert_next(feed, "s", 5);
    chunk_feed_destroy(feed);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_come_out_as_they_went_in),
        cmocka_unit_test(test_a_full_queue_drops_the_oldest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
