// SPDX-License-Identifier: Apache-2.0
// Pins: a key is made once for a service, pins take turns, later chunks join
// the pins whose time and service they are of, once each, and every list is bounded. Below a
// second.

#include "collector/recall/pin/pins.h"

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

static const int64_t SECOND_NS = INT64_C(1000000000);

static int
set_up(void **state)
{
    *state = pins_create();
    return *state == NULL;
}

static int
tear_down(void **state)
{
    pins_destroy(*state);
    return 0;
}

static pin
make(const char *key, const char *service, int64_t from, int64_t to)
{
    pin made = {.from_wall_ns = from * SECOND_NS, .to_wall_ns = to * SECOND_NS};
    (void)snprintf(made.key, sizeof(made.key), "%s", key);
    (void)snprintf(made.service, sizeof(made.service), "%s", service);
    return made;
}

static pin_chunk
chunk_of(const char *session_id, uint32_t ordinal)
{
    pin_chunk chunk = {.ordinal = ordinal};
    (void)snprintf(chunk.session_id, sizeof(chunk.session_id), "%s", session_id);
    return chunk;
}

// expect has a chunk stored, without ids.
static void
expect(pins *to, const char *service, const pin_chunk *chunk, int64_t start, int64_t end)
{
    static const rollup_ids none;
    const pin_stored stored = {*chunk, service, start * SECOND_NS, end * SECOND_NS, &none};
    pins_expect(to, &stored);
}

// add adds a pin with count chunks of ONE, from 0 on.
static pin
add(pins *to, const pin *asked, size_t count, bool is_new)
{
    pin_chunks chunks = {0};
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(LP_VEC_ADD(&chunks, chunk_of(ONE, i)), LP_OK);
    }
    pin now;
    bool was_new;
    assert_int_equal(pins_add(to, asked, &now, &was_new), LP_OK);
    assert_int_equal(was_new, is_new);
    if (is_new) {
        pins_fill(to, now.id, &chunks, &now);
    }
    LP_VEC_FINI(&chunks);
    return now;
}

static void
test_a_key_is_made_once_for_a_service(void **state)
{
    pins *p = *state;
    pin first = make("k", "shop", 10, 20);
    pin again = make("k", "shop", 30, 40);
    pin other = make("k", "bank", 10, 20);
    uint64_t id = add(p, &first, 2, true).id;
    pin now = add(p, &again, 5, false);
    assert_true(now.id == id && now.waiting == 2 && now.from_wall_ns == 10 * SECOND_NS);
    assert_true(add(p, &other, 1, true).id != id);
}

static void
test_pins_take_turns_and_chunks_are_noted(void **state)
{
    pins *p = *state;
    pin first = make("a", "shop", 10, 20);
    pin second = make("b", "shop", 10, 20);
    uint64_t ids[2] = {add(p, &first, 2, true).id, add(p, &second, 1, true).id};
    static const unsigned of[] = {0, 1, 0};
    static const pin_outcome outcomes[] = {PIN_KEPT, PIN_MISSING, PIN_FAILED};
    pin_work work;
    for (size_t i = 0; i < 3; i++) {
        assert_true(pins_take(p, &work));
        assert_true(work.pin_id == ids[of[i]] && work.selection.kind == PIN_ALL);
        assert_int_equal(work.chunk.ordinal, i == 2 ? 1 : 0);
        pins_note(p, work.pin_id, outcomes[i]);
    }
    assert_false(pins_take(p, &work));
    pin now = add(p, &first, 0, false);
    assert_true(now.waiting == 0 && now.outcomes[PIN_KEPT] == 1 && now.outcomes[PIN_FAILED] == 1);
}

static void
test_later_chunks_join_the_pins_that_they_are_of(void **state)
{
    pins *p = *state;
    pin of_service = make("a", "shop", 10, 20);
    pin of_recording = make("b", "shop", 10, 20);
    memcpy(of_recording.session_id, ONE, sizeof(ONE));
    (void)add(p, &of_service, 1, true);
    (void)add(p, &of_recording, 0, true);
    const struct {
        const char *session_id;
        const char *service;
        uint32_t ordinal;
        int64_t start, end;
        uint64_t waiting[2]; // of both, afterwards
    } steps[] = {
        {ONE, "shop", 0, 10, 12, {1, 1}}, // the first pin has it
        {ONE, "shop", 0, 10, 12, {1, 1}}, // once
        {OTHER, "shop", 0, 12, 30, {2, 1}},
        {ONE, "bank", 1, 12, 13, {2, 1}},
        {ONE, "shop", 1, 5, 9, {2, 1}},
        {ONE, "shop", 2, 21, 30, {2, 1}},
        {ONE, "shop", 3, 20, 30, {3, 2}}, // the bounds are of the time
        {ONE, "shop", 4, 5, 10, {4, 3}},
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        const pin_chunk chunk = chunk_of(steps[i].session_id, steps[i].ordinal);
        expect(p, steps[i].service, &chunk, steps[i].start, steps[i].end);
        assert_int_equal(add(p, &of_service, 0, false).waiting, steps[i].waiting[0]);
        assert_int_equal(add(p, &of_recording, 0, false).waiting, steps[i].waiting[1]);
    }
}

static void
test_chunks_join_the_pin_of_a_trace_if_they_have_its_id(void **state)
{
    pins *p = *state;
    uint64_t wanted;
    uint64_t other;
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)"abc", 3}, &wanted));
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)"abd", 3}, &other));
    uint64_t both[] = {wanted < other ? wanted : other, wanted < other ? other : wanted};
    pin asked = make("a", "shop\nbank", 10, 20);
    asked.selection = (pin_selection){PIN_TRACE, "ABC"};
    pin everywhere = make("a", "", 10, 20);
    everywhere.selection = asked.selection;
    (void)add(p, &asked, 0, true);
    (void)add(p, &everywhere, 0, true);
    const struct {
        const char *service;
        rollup_ids ids;
        uint64_t waiting[2];
    } steps[] = {
        {"shop", {{&other, 1, 1}, {0}}, {0, 0}},
        {"shop", {{both, 2, 2}, {0}}, {1, 1}},
        {"bank", {{&other, 1, 1}, {&wanted, 1, 1}}, {2, 2}}, // where it was dropped
        {"sho", {{&wanted, 1, 1}, {0}}, {2, 3}},
        {"", {{&wanted, 1, 1}, {0}}, {2, 4}},
        {"shop\nbank", {{&wanted, 1, 1}, {0}}, {2, 5}},
    };
    for (uint32_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        const pin_stored stored = {
            chunk_of(ONE, i), steps[i].service, 10 * SECOND_NS, 11 * SECOND_NS, &steps[i].ids};
        pins_expect(p, &stored);
        assert_int_equal(add(p, &asked, 0, false).waiting, steps[i].waiting[0]);
        assert_int_equal(add(p, &everywhere, 0, false).waiting, steps[i].waiting[1]);
    }
    pin_work work;
    assert_true(pins_take(p, &work));
    assert_true(work.selection.kind == PIN_TRACE && strcmp(work.selection.id, "ABC") == 0);
    pins_note(p, work.pin_id, PIN_WITHOUT);
}

// The pin is there before its chunks are listed.
static void
test_a_chunk_that_is_stored_while_others_are_listed_joins_once(void **state)
{
    pins *p = *state;
    pin asked = make("a", "shop", 10, 20);
    pin now = add(p, &asked, 0, true);
    pin_chunks listed = {0};
    for (uint32_t i = 0; i < 3; i++) {
        const pin_chunk chunk = chunk_of(ONE, i);
        if (i > 0) {
            expect(p, "shop", &chunk, 10, 11);
        }
        if (i < 2) { // the last one came after the listing
            assert_int_equal(LP_VEC_ADD(&listed, chunk), LP_OK);
        }
    }
    pins_fill(p, now.id, &listed, &now);
    assert_int_equal(now.waiting, 3);
    pins_cancel(p, now.id); // chunks wait
    assert_int_equal(add(p, &asked, 0, false).waiting, 3);
    LP_VEC_FINI(&listed);
}

static void
test_a_cancelled_pin_can_be_made_again(void **state)
{
    pins *p = *state;
    pin asked = make("a", "shop", 10, 20);
    pin now = add(p, &asked, 0, true);
    pins_cancel(p, now.id);
    pins_cancel(p, now.id);
    pins_fill(p, now.id, &(pin_chunks){0}, &now); // it is not there
    assert_int_equal(add(p, &asked, 2, true).waiting, 2);
}

static void
test_the_chunks_of_all_pins_are_bounded(void **state)
{
    pins *p = *state;
    for (unsigned i = 0; i < PINS_CHUNKS_ALL_MAX / PINS_CHUNKS_MAX; i++) {
        char key[20];
        (void)snprintf(key, sizeof(key), "%u", i);
        pin large = make(key, "shop", 10, 20);
        assert_int_equal(add(p, &large, PINS_CHUNKS_MAX, true).waiting, PINS_CHUNKS_MAX);
    }
    pin more = make("more", "shop", 10, 20);
    assert_int_equal(add(p, &more, 1, true).left_out, 1);
    pin_work work;
    while (pins_take(p, &work)) {
        pins_note(p, work.pin_id, PIN_MISSING);
    }
    pins_forget(p, (21 + PINS_FORGET_S) * SECOND_NS);
    assert_int_equal(add(p, &more, 1, true).waiting, 1);
}

static void
count_pin(void *arg, const pin *of)
{
    (void)of;
    ++*(unsigned *)arg;
}

static void
test_everything_is_bounded(void **state)
{
    pins *p = *state;
    pin large = make("large", "shop", 10, 20);
    pin now = add(p, &large, PINS_CHUNKS_MAX + 3, true);
    assert_true(now.waiting == PINS_CHUNKS_MAX && now.left_out == 3);
    const pin_chunk late = chunk_of(OTHER, 0);
    expect(p, "shop", &late, 10, 11);
    assert_int_equal(add(p, &large, 0, false).left_out, 4);
    bool is_new;
    for (unsigned i = 1; i < PINS_MAX; i++) {
        char key[20];
        (void)snprintf(key, sizeof(key), "%u", i);
        pin small = make(key, "shop", 10, 20);
        small.made_wall_ns = i < PINS_MINUTE_MAX ? 0 : i * 2 * SECOND_NS;
        if (i == PINS_MINUTE_MAX) {
            pin quick = small;
            quick.made_wall_ns = 59 * SECOND_NS;
            assert_int_equal(pins_add(p, &quick, &now, &is_new), LP_EAGAIN);
        }
        (void)add(p, &small, 0, true);
    }
    pin more = make("more", "shop", 10, 20);
    assert_int_equal(pins_add(p, &more, &now, &is_new), LP_ELIMIT);
    pins_forget(p, (20 + PINS_FORGET_S) * SECOND_NS);
    unsigned count = 0;
    pins_each(p, count_pin, &count);
    assert_int_equal(count, PINS_MAX);
    pins_forget(p, (2 * PINS_MAX + PINS_FORGET_S) * SECOND_NS);
    count = 0;
    pins_each(p, count_pin, &count);
    assert_int_equal(count, 1); // whose chunks wait
    (void)add(p, &more, 0, true);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_key_is_made_once_for_a_service),
        TEST(test_pins_take_turns_and_chunks_are_noted),
        TEST(test_later_chunks_join_the_pins_that_they_are_of),
        TEST(test_chunks_join_the_pin_of_a_trace_if_they_have_its_id),
        TEST(test_a_chunk_that_is_stored_while_others_are_listed_joins_once),
        TEST(test_a_cancelled_pin_can_be_made_again),
        TEST(test_the_chunks_of_all_pins_are_bounded),
        TEST(test_everything_is_bounded),
    };
    return cmocka_run_group_tests_name("pins", tests, NULL, NULL);
}
