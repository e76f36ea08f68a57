// SPDX-License-Identifier: Apache-2.0
// The list of raw data: chunks are found by the ids of their kept and dropped contexts and few are
// found without them, chunks with unknown ids always are; counts and times by service follow what
// is added and dropped; and everything is bounded. Below a second.

#include "collector/recall/raw/raw_ids.h"
#include "collector/recall/raw/raw_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ONE   "11111111111111111111111111111111"
#define OTHER "22222222222222222222222222222222"

enum { FILTER_BYTES = 64 << 10 };

static int
set_up(void **state)
{
    *state = raw_list_create(FILTER_BYTES);
    return *state == NULL;
}

static int
tear_down(void **state)
{
    raw_list_destroy(*state);
    return 0;
}

static pin_chunk
chunk_of(const char *session_id, uint32_t ordinal)
{
    pin_chunk chunk = {.ordinal = ordinal};
    (void)snprintf(chunk.session_id, sizeof(chunk.session_id), "%s", session_id);
    return chunk;
}

static void
add(raw_list *to, const char *session_id, uint32_t ordinal, const char *service, int64_t start,
    const rollup_ids *ids)
{
    const pin_stored stored = {chunk_of(session_id, ordinal), service, start, start + 10, NULL};
    lp_buf filter = {0};
    if (ids != NULL && raw_ids_make(ids, &filter) != LP_OK) {
        lp_buf_clear(&filter);
    }
    raw_list_add(to, &stored, lp_buf_slice(&filter));
    lp_buf_fini(&filter);
}

static uint64_t
hash_of(const char *id)
{
    uint64_t hash;
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &hash));
    return hash;
}

static pin
wanting(const char *service, const char *id)
{
    pin wanted = {.to_wall_ns = INT64_MAX, .selection.kind = id == NULL ? PIN_ALL : PIN_TRACE};
    (void)snprintf(wanted.service, sizeof(wanted.service), "%s", service);
    (void)snprintf(wanted.selection.id, sizeof(wanted.selection.id), "%s", id == NULL ? "" : id);
    return wanted;
}

// count returns the number of chunks that a pin finds.
static size_t
count(raw_list *in, const pin *wanted, raw_list_span *out_span)
{
    pin_chunks found = {0};
    assert_int_equal(raw_list_find(in, wanted, &found, out_span), LP_OK);
    size_t all = found.count;
    LP_VEC_FINI(&found);
    return all;
}

static void
test_chunks_are_found_by_kept_and_dropped_ids(void **state)
{
    raw_list *list = *state;
    uint64_t a = hash_of("aa");
    uint64_t b = hash_of("bb");
    const rollup_ids first = {{&a, 1, 1}, {0}};
    const rollup_ids second = {{&a, 1, 1}, {&b, 1, 1}};
    const rollup_ids none = {{0}, {0}};
    add(list, ONE, 0, "shop", 100, &first);
    add(list, ONE, 1, "shop", 110, &second);
    add(list, OTHER, 0, "bank", 105, &none);
    const struct {
        pin wanted;
        size_t found;
        int64_t from, to;
    } cases[] = {
        {wanting("shop", "aa"), 2, 100, 120},
        {wanting("", "AA"), 2, 100, 120},
        {wanting("", "bb"), 2, 100, 120}, // it may begin in the chunk before
        {wanting("bank", "aa"), 0, INT64_MAX, INT64_MIN},
        {wanting("", "cc"), 0, INT64_MAX, INT64_MIN},
        {wanting("bank\nshop", NULL), 3, 100, 120},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        raw_list_span span;
        assert_int_equal(count(list, &cases[i].wanted, &span), cases[i].found);
        assert_true(span.from_wall_ns == cases[i].from && span.to_wall_ns == cases[i].to);
    }
    pin later = wanting("", "aa");
    later.from_wall_ns = 111;
    raw_list_span span;
    assert_int_equal(count(list, &later, &span), 1);
    pin of_recording = wanting("", NULL);
    memcpy(of_recording.session_id, OTHER, sizeof(OTHER));
    assert_int_equal(count(list, &of_recording, &span), 1);
    add(list, OTHER, 1, "bank", 120, NULL); // of an earlier run
    assert_int_equal(count(list, &cases[4].wanted, &span), 1);
}

// The ids of all chunks but one are unknown: the one that has the id, and the one before, come
// first.
static void
test_chunks_that_have_the_id_come_first(void **state)
{
    raw_list *list = *state;
    uint64_t a = hash_of("aa");
    const rollup_ids ids = {{0}, {&a, 1, 1}};
    pin_chunks found = {0};
    raw_list_span span;
    for (uint32_t i = 0; i < 5; i++) {
        add(list, ONE, i, "shop", 100, i == 4 ? &ids : NULL);
        add(list, OTHER, i, "bank", 100, NULL);
    }
    const pin wanted = wanting("", "aa");
    assert_int_equal(raw_list_find(list, &wanted, &found, &span), LP_OK);
    assert_int_equal(found.count, 10);
    assert_int_equal(found.items[0].ordinal + found.items[1].ordinal, 3 + 4);
    assert_string_equal(found.items[0].session_id, ONE);
    assert_string_equal(found.items[1].session_id, ONE);
    LP_VEC_FINI(&found);
}

static void
test_few_chunks_are_found_without_the_id(void **state)
{
    raw_list *list = *state;
    enum { CHUNKS = 400, IDS = 100 };
    uint64_t ids[IDS];
    for (uint32_t i = 0; i < CHUNKS; i++) {
        for (size_t k = 0; k < IDS; k++) {
            char text[32];
            (void)snprintf(text, sizeof(text), "%u-%zu", i, k);
            ids[k] = hash_of(text);
        }
        const rollup_ids all = {{ids, IDS, IDS}, {0}};
        add(list, ONE, i, "shop", i, &all);
    }
    raw_list_span span;
    const pin wanted = wanting("shop", "7-7");
    const pin unknown = wanting("shop", "no");
    size_t found = count(list, &wanted, &span);
    assert_true(found >= 1 && found < 12);
    assert_true(span.from_wall_ns <= 7 && span.to_wall_ns >= 17);
    assert_true(count(list, &unknown, &span) < 12);
}

typedef struct seen {
    raw_list_service bank;
    raw_list_service shop;
    size_t count;
} seen;

static void
on_service(void *arg, const raw_list_service *service)
{
    seen *to = arg;
    *(strcmp(service->name, "bank") == 0 ? &to->bank : &to->shop) = *service;
    to->count++;
}

static seen
look(raw_list *at)
{
    seen all = {.count = 0};
    raw_list_each(at, on_service, &all);
    return all;
}

static void
test_services_show_what_is_there(void **state)
{
    raw_list *list = *state;
    const pin_chunk chunks[] = {chunk_of(ONE, 0), chunk_of(ONE, 1), chunk_of(OTHER, 0)};
    add(list, ONE, 0, "shop", 100, NULL);
    add(list, ONE, 1, "shop", 110, NULL);
    add(list, ONE, 1, "shop", 110, NULL); // again
    add(list, OTHER, 0, "shop", 50, NULL);
    raw_list_measure(list, &chunks[0], 7);
    raw_list_measure(list, &chunks[1], 8);
    raw_list_measure(list, &chunks[1], 9);
    raw_list_measure(list, &(pin_chunk){.ordinal = 9}, 1); // it is not listed
    seen now = look(list);
    assert_int_equal(now.count, 1);
    assert_true(now.shop.chunks == 3 && now.shop.bytes == 16 && now.shop.from_wall_ns == 50);
    raw_list_drop(list, &chunks[0], RAW_LIST_BYTES); // a gap: data before its end is not whole
    raw_list_drop(list, &chunks[0], RAW_LIST_BYTES); // once
    now = look(list);
    assert_true(now.shop.chunks == 2 && now.shop.bytes == 9 && now.shop.from_wall_ns == 110);
    assert_true(now.shop.dropped[RAW_LIST_BYTES] == 1 && now.shop.dropped[RAW_LIST_AGE] == 0);
    raw_list_drop(list, &chunks[1], RAW_LIST_REMOVED);
    raw_list_drop(list, &chunks[2], RAW_LIST_AGE);
    now = look(list);
    assert_true(now.shop.chunks == 0 && now.shop.bytes == 0);
    assert_true(now.shop.from_wall_ns == INT64_MAX && now.shop.dropped[RAW_LIST_AGE] == 1);
}

static void
test_everything_is_bounded(void **state)
{
    raw_list *list = *state;
    raw_list_span span;
    char name[20];
    for (uint32_t i = 0; i < RAW_LIST_SERVICES_MAX + 5; i++) {
        (void)snprintf(name, sizeof(name), "s%u", i);
        add(list, ONE, i, name, i, NULL);
    }
    assert_int_equal(look(list).count, RAW_LIST_SERVICES_MAX);
    const pin first = wanting("s0", NULL);
    const pin_chunk gone = chunk_of(ONE, 0);
    raw_list_drop(list, &gone, RAW_LIST_AGE); // its service leaves room for another
    add(list, OTHER, 0, "late", 1, NULL);
    const pin late = wanting("late", NULL);
    assert_int_equal(count(list, &first, &span), 0);
    assert_int_equal(count(list, &late, &span), 1);
    assert_int_equal(look(list).count, RAW_LIST_SERVICES_MAX);
}

// Filters of more than the limit: the oldest ids become unknown, and are found always.
static void
test_the_memory_of_ids_is_bounded(void **state)
{
    raw_list *list = *state;
    enum { IDS = 8 << 10 }; // 12 KB in a filter
    static uint64_t ids[IDS];
    const rollup_ids all = {{ids, IDS, IDS}, {0}};
    for (uint32_t i = 0; i < 6; i++) {
        add(list, ONE, i, "shop", 100 + i, &all);
    }
    raw_list_span span;
    const pin wanted = wanting("shop", "abc");
    assert_int_equal(count(list, &wanted, &span), 1);
    assert_int_equal(span.from_wall_ns, 100);
    const rollup_ids many = {{ids, 1 << 20, 1 << 20}, {0}}; // which do not fit, and are not read
    add(list, OTHER, 0, "shop", 90, &many);
    assert_int_equal(count(list, &wanted, &span), 2);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_chunks_are_found_by_kept_and_dropped_ids),
        TEST(test_chunks_that_have_the_id_come_first),
        TEST(test_few_chunks_are_found_without_the_id),
        TEST(test_services_show_what_is_there),
        TEST(test_everything_is_bounded),
        TEST(test_the_memory_of_ids_is_bounded),
    };
    return cmocka_run_group_tests_name("raw_list", tests, NULL, NULL);
}
