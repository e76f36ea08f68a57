// SPDX-License-Identifier: Apache-2.0
// At which of several collectors an agent is, by a clock of the test: agents are spread evenly; one
// stays while it is answered; one that fails, is silent or is drained is left for the next one in
// turn, and not come back to while another is well.

#include "agent/ship/dial/ship_endpoints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    STEP_MS = 100, // between two looks
    LONG_MS = 60 * 60 * 1000,
};

static const ship_address THREE[] = {
    {.endpoint = "tcp://a:1"}, {.endpoint = "tcp://b:1"}, {.endpoint = "tcp://c:1"}};

// What the collectors do, by their number among THREE.
typedef struct fixture {
    ship_endpoints endpoints;
    bool is_away[3];
    bool is_silent[3];
    bool is_drained[3];
    bool is_owing; // the agent always has something to ask
    int64_t now_ms;
    unsigned moves;
    ship_reason last_reason;
} fixture;

static fixture
make(uint64_t seed, size_t count)
{
    fixture f = {.endpoints = {.seed = seed}, .is_owing = true};
    ship_endpoints_set(&f.endpoints, THREE, count);
    return f;
}

static unsigned
number_of(const ship_address *address)
{
    unsigned number = 0;
    while (strcmp(THREE[number].endpoint, address->endpoint) != 0) {
        number++;
    }
    return number;
}

static unsigned
get_place(const fixture *f)
{
    assert_true(f->endpoints.has_current);
    return number_of(&f->endpoints.current.address);
}

// step is one look of the owner's, and what comes of it.
static void
step(fixture *f)
{
    f->now_ms += STEP_MS;
    bool is_there = f->endpoints.has_current && !f->is_away[get_place(f)];
    if (is_there && f->is_owing && !f->is_silent[get_place(f)]) {
        ship_endpoints_note_answer(&f->endpoints, f->is_drained[get_place(f)], f->now_ms);
    }
    const ship_connection connection = {.is_there = is_there, .is_owing = f->is_owing};
    ship_reason why = ship_endpoints_look(&f->endpoints, &connection, f->now_ms);
    const ship_address *to =
        why == SHIP_STAYS ? NULL : ship_endpoints_find(&f->endpoints, why, f->now_ms);
    if (to != NULL) {
        ship_endpoints_note_dialled(&f->endpoints, to, why, f->now_ms);
        f->moves += why != SHIP_BEGINS;
        f->last_reason = why;
    }
}

static void
run(fixture *f, int64_t ms)
{
    for (int64_t end_ms = f->now_ms + ms; f->now_ms < end_ms;) {
        step(f);
    }
}

// run_until_moved returns how long it takes.
static int64_t
run_until_moved(fixture *f)
{
    unsigned before = f->moves;
    int64_t begin_ms = f->now_ms;
    while (f->moves == before) {
        step(f);
        assert_true(f->now_ms < begin_ms + LONG_MS);
    }
    return f->now_ms - begin_ms;
}

static void
test_agents_are_spread_evenly(void **state)
{
    unsigned counts[3] = {0};
    unsigned nexts[3][3] = {{0}};
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        fixture f = make(seed * UINT64_C(0x9e3779b97f4a7c15), 3);
        step(&f);
        unsigned first = get_place(&f);
        counts[first]++;
        f.is_away[first] = true;
        (void)run_until_moved(&f);
        nexts[first][get_place(&f)]++;
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_in_range(counts[i], 850, 1150);
        for (unsigned j = 0; j < 3; j++) { // so are those that leave one
            assert_in_range(nexts[i][j], i == j ? 0 : 350, i == j ? 0 : 650);
        }
    }
}

static void
test_the_order_of_addresses_does_not_matter(void **state)
{
    const ship_address turned[] = {
        THREE[2], THREE[0], THREE[2], THREE[1]}; // and one is there twice
    (void)state;
    for (uint64_t seed = 1; seed < 100; seed++) {
        fixture f = make(seed, 3);
        fixture g = {.endpoints = {.seed = seed}, .is_owing = true};
        ship_endpoints_set(&g.endpoints, turned, 4);
        assert_int_equal(g.endpoints.count, 3);
        step(&f);
        step(&g);
        assert_int_equal(get_place(&f), get_place(&g));
    }
}

static void
test_the_preferred_family_comes_first(void **state)
{
    const ship_address both[] = {
        {.endpoint = "tcp://n:1", .numeric = "tcp://[::1]:1", .preference = 1},
        {.endpoint = "tcp://n:1", .numeric = "tcp://127.0.0.1:1"},
        {.endpoint = "tcp://n:1", .numeric = "tcp://[::2]:1", .preference = 1}};
    (void)state;
    for (uint64_t seed = 1; seed < 100; seed++) {
        ship_endpoints e = {.seed = seed};
        ship_endpoints_set(&e, both, 3);
        const ship_address *first = ship_endpoints_find(&e, SHIP_BEGINS, 0);
        assert_string_equal(ship_address_get_url(first), "tcp://127.0.0.1:1");
    }
}

static void
test_one_stays_while_it_is_answered(void **state)
{
    fixture f = make(1, 3);
    (void)state;
    run(&f, LONG_MS);
    assert_int_equal(f.moves, 0);
    f.is_owing = false; // and where it has nothing to ask
    f.is_silent[get_place(&f)] = true;
    run(&f, LONG_MS);
    assert_int_equal(f.moves, 0);
}

static void
test_one_alone_stays_whatever_happens(void **state)
{
    fixture f = make(1, 1);
    (void)state;
    f.is_away[0] = f.is_silent[0] = f.is_drained[0] = true;
    run(&f, LONG_MS);
    f.is_away[0] = false;
    run(&f, LONG_MS);
    f.is_silent[0] = false;
    run(&f, LONG_MS);
    assert_int_equal(f.moves, 0);
}

static void
test_one_that_cannot_be_reached_is_left(void **state)
{
    fixture f = make(1, 3);
    (void)state;
    step(&f);
    unsigned first = get_place(&f);
    f.is_away[first] = true;
    assert_in_range(
        run_until_moved(&f), SHIP_ENDPOINTS_CONNECT_MS, SHIP_ENDPOINTS_CONNECT_MS + STEP_MS);
    assert_int_equal(f.last_reason, SHIP_UNCONNECTED);
    assert_int_not_equal(get_place(&f), first);
    f.is_away[first] = false; // it is back, and nobody goes back to it
    run(&f, LONG_MS);
    assert_int_equal(f.moves, 1);
}

// The clock is that of a machine which has run for long, and the first look comes late.
static void
test_what_was_just_dialled_has_its_time(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    f.now_ms = LONG_MS;
    step(&f);
    unsigned first = get_place(&f);
    f.is_away[first] = true;
    f.now_ms += LONG_MS;
    assert_in_range(
        run_until_moved(&f), SHIP_ENDPOINTS_CONNECT_MS, SHIP_ENDPOINTS_CONNECT_MS + 2 * STEP_MS);
}

static void
test_one_that_is_silent_is_left(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    run(&f, 10 * 1000);
    f.is_silent[get_place(&f)] = true;
    assert_in_range(
        run_until_moved(&f), SHIP_ENDPOINTS_SILENT_MS - STEP_MS, SHIP_ENDPOINTS_SILENT_MS);
    assert_int_equal(f.last_reason, SHIP_SILENT);
}

// A JVM that was stopped for an hour looks at the clock, and then at what came meanwhile.
static void
test_a_jvm_that_was_stopped_stays(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    run(&f, 10 * 1000);
    for (int i = 0; i < 100; i++) {
        f.now_ms += LONG_MS;
        const ship_connection connection = {.is_there = true, .is_owing = true};
        assert_int_equal(ship_endpoints_look(&f.endpoints, &connection, f.now_ms), SHIP_STAYS);
        step(&f);
    }
    assert_int_equal(f.moves, 0);
}

static void
test_the_end_of_the_jvm_waits_for_less(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    step(&f);
    const ship_connection connection = {.is_there = true, .is_owing = true, .is_hurried = true};
    int64_t begin_ms = f.now_ms;
    while (ship_endpoints_look(&f.endpoints, &connection, f.now_ms) == SHIP_STAYS) {
        f.now_ms += STEP_MS;
    }
    assert_in_range(
        f.now_ms - begin_ms, SHIP_ENDPOINTS_HURRY_MS, SHIP_ENDPOINTS_HURRY_MS + STEP_MS);
}

static void
test_one_that_is_drained_is_left_at_once(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    run(&f, 1000);
    unsigned first = get_place(&f);
    f.is_drained[first] = true;
    assert_int_equal(run_until_moved(&f), STEP_MS);
    assert_int_equal(f.last_reason, SHIP_DRAINED);
    // Where the other one is drained as well, it moves no more than once a minute.
    f.is_drained[0] = f.is_drained[1] = true;
    assert_in_range(
        run_until_moved(&f), SHIP_ENDPOINTS_AVOID_MS - STEP_MS, SHIP_ENDPOINTS_AVOID_MS + STEP_MS);
    unsigned before = f.moves;
    run(&f, LONG_MS);
    assert_in_range(f.moves - before, 50, 60);
}

// The other one is away: the agent is back with the one that is drained, and stays.
static void
test_one_that_is_drained_is_better_than_none(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    run(&f, 1000);
    unsigned first = get_place(&f);
    f.is_drained[first] = true;
    f.is_away[1 - first] = true;
    run(&f, 3000);
    assert_int_equal(f.moves, 2);
    assert_int_equal(get_place(&f), first);
    run(&f, SHIP_ENDPOINTS_AVOID_MS / 2);
    assert_int_equal(f.moves, 2);
}

static void
test_one_that_is_not_drained_any_more_is_not_left(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    run(&f, 1000);
    f.is_drained[0] = f.is_drained[1] = true;
    run(&f, 1000);
    assert_int_equal(f.moves, 1);
    f.is_drained[0] = f.is_drained[1] = false;
    run(&f, LONG_MS);
    assert_int_equal(f.moves, 1);
}

static void
test_where_all_fail_they_are_tried_in_turn(void **state)
{
    fixture f = make(1, 3);
    unsigned visits[3] = {0};
    (void)state;
    f.is_away[0] = f.is_away[1] = f.is_away[2] = true;
    for (unsigned i = 0; i < 12; i++) {
        unsigned rounds = i / 3 < SHIP_ENDPOINTS_ROUNDS_MAX ? i / 3 : SHIP_ENDPOINTS_ROUNDS_MAX;
        int64_t limit_ms = (int64_t)SHIP_ENDPOINTS_CONNECT_MS << rounds;
        assert_in_range(run_until_moved(&f), limit_ms, limit_ms + 2 * STEP_MS);
        visits[get_place(&f)]++;
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(visits[i], 4);
    }
    f.is_away[2] = false; // one is back, and found
    run(&f, 30 * 1000);
    assert_int_equal(get_place(&f), 2);
}

// One of two is away for good. The other one restarts once a minute, and each time the agent has
// been at the one that is away for no more than a second.
static void
test_restarts_beside_one_that_is_away(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    step(&f);
    unsigned well = get_place(&f);
    f.is_away[1 - well] = true;
    for (int i = 0; i < 30; i++) {
        f.is_away[well] = true;
        (void)run_until_moved(&f);
        f.is_away[well] = false;
        assert_int_equal(get_place(&f), 1 - well);
        assert_in_range(run_until_moved(&f), SHIP_ENDPOINTS_CONNECT_MS,
            SHIP_ENDPOINTS_CONNECT_MS + 2 * STEP_MS);
        run(&f, 60 * 1000);
        assert_int_equal(get_place(&f), well);
    }
}

// Collectors that take 7 s for an answer: each has its agent for longer in the second round.
static void
test_slow_collectors_keep_their_agents(void **state)
{
    fixture f = make(1, 2);
    int64_t asked_ms = 0;
    unsigned moves = 0;
    (void)state;
    for (int64_t end_ms = 5 * 60 * 1000; f.now_ms < end_ms;) {
        f.is_silent[0] = f.is_silent[1] = f.now_ms - asked_ms < 7000;
        if (!f.is_silent[0] || f.moves != moves) {
            asked_ms = f.now_ms;
            moves = f.moves;
        }
        step(&f);
    }
    assert_int_equal(f.moves, 2);
}

static void
test_failures_are_forgotten(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    f.is_silent[0] = f.is_silent[1] = true;
    run(&f, 60 * 1000);
    assert_true(ship_endpoints_get_rounds(&f.endpoints) > 1);
    f.is_silent[0] = f.is_silent[1] = false;
    run(&f, SHIP_ENDPOINTS_WELL_MS / 2);
    assert_true(ship_endpoints_get_rounds(&f.endpoints) > 1);
    run(&f, SHIP_ENDPOINTS_WELL_MS / 2 + 1000);
    assert_int_equal(ship_endpoints_get_rounds(&f.endpoints), 0);
    f.is_away[0] = f.is_away[1] = true; // connections that are lacking, with the next answer
    run(&f, 60 * 1000);
    assert_true(ship_endpoints_get_rounds(&f.endpoints) > 1);
    f.is_away[0] = f.is_away[1] = false;
    run(&f, SHIP_ENDPOINTS_CONNECT_MS);
    assert_int_equal(ship_endpoints_get_rounds(&f.endpoints), 0);
}

// The address of a pod that was replaced: it is not waited for.
static void
test_an_address_that_is_gone_is_left_once_it_is_not_connected(void **state)
{
    fixture f = make(1, 2);
    (void)state;
    run(&f, 1000);
    ship_endpoints_set(&f.endpoints, &THREE[2], 1);
    run(&f, LONG_MS);
    assert_int_equal(f.moves, 0);
    f.is_away[0] = f.is_away[1] = true;
    assert_int_equal(run_until_moved(&f), STEP_MS);
    assert_int_equal(get_place(&f), 2);
}

static void
test_more_addresses_than_there_may_be_are_left_out(void **state)
{
    static char urls[SHIP_ADDRESSES_MAX + 1][40];
    ship_address many[SHIP_ADDRESSES_MAX + 1];
    ship_endpoints e = {.seed = 1};
    (void)state;
    for (int i = 0; i <= SHIP_ADDRESSES_MAX; i++) {
        (void)snprintf(urls[i], sizeof(urls[i]), "tcp://a:%d", i + 1);
        many[i] = (ship_address){.endpoint = urls[i]};
    }
    ship_endpoints_set(&e, many, SHIP_ADDRESSES_MAX + 1);
    assert_int_equal(e.count, SHIP_ADDRESSES_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agents_are_spread_evenly),
        cmocka_unit_test(test_the_order_of_addresses_does_not_matter),
        cmocka_unit_test(test_the_preferred_family_comes_first),
        cmocka_unit_test(test_one_stays_while_it_is_answered),
        cmocka_unit_test(test_one_alone_stays_whatever_happens),
        cmocka_unit_test(test_one_that_cannot_be_reached_is_left),
        cmocka_unit_test(test_what_was_just_dialled_has_its_time),
        cmocka_unit_test(test_one_that_is_silent_is_left),
        cmocka_unit_test(test_a_jvm_that_was_stopped_stays),
        cmocka_unit_test(test_the_end_of_the_jvm_waits_for_less),
        cmocka_unit_test(test_one_that_is_drained_is_left_at_once),
        cmocka_unit_test(test_one_that_is_drained_is_better_than_none),
        cmocka_unit_test(test_one_that_is_not_drained_any_more_is_not_left),
        cmocka_unit_test(test_where_all_fail_they_are_tried_in_turn),
        cmocka_unit_test(test_restarts_beside_one_that_is_away),
        cmocka_unit_test(test_slow_collectors_keep_their_agents),
        cmocka_unit_test(test_failures_are_forgotten),
        cmocka_unit_test(test_an_address_that_is_gone_is_left_once_it_is_not_connected),
        cmocka_unit_test(test_more_addresses_than_there_may_be_are_left_out),
    };
    return cmocka_run_group_tests_name("ship_endpoints", tests, NULL, NULL);
}
