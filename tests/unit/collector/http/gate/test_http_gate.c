// SPDX-License-Identifier: Apache-2.0
// The HTTP gate: which connection is cut for another one, which clients are too slow, and the
// notice when a client leaves. Descriptors, addresses, bytes and times are simulated.

#include "collector/base/metrics.h"
#include "collector/http/gate/http_gate.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FDS = 64 };

static const http_gate_limits limits = {
    .connections = 6,
    .per_address = 4,
    .reserved = 2,
    .leaving = 8,
    .head_ms = 20,
    .body_ms = 30,
    .idle_ms = 60,
    .answer_ms = 50,
    .answer_bytes = 100,
};

typedef struct fixture {
    http_gate *gate;
    http_line *lines[FDS];
    int cut_fd; // of the last that was cut; -1: none since it was looked at
    http_gate_limit cut_limit;
    unsigned cut_count;
    http_gate_bytes bytes[FDS];
    bool cannot_measure;
} fixture;

static void
on_cut(void *arg, int fd, http_gate_limit limit)
{
    fixture *f = arg;
    f->cut_fd = fd;
    f->cut_limit = limit;
    f->cut_count++;
}

static bool
on_measure(void *arg, int fd, http_gate_bytes *out_bytes)
{
    const fixture *f = arg;
    *out_bytes = f->bytes[fd];
    return !f->cannot_measure;
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->gate =
        http_gate_create(&limits, &(http_gate_ops){.cut = on_cut, .measure = on_measure, .arg = f});
    assert_non_null(f->gate);
    f->cut_fd = -1;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    http_gate_destroy(f->gate);
    free(f);
    assert_int_equal(metrics_get(METRICS_http_connections), 0);
    return 0;
}

typedef union any_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} any_address;

static any_address
address_of(const char *text)
{
    any_address at = {.v4 = {.sin_family = AF_INET}};
    if (inet_pton(AF_INET, text, &at.v4.sin_addr) != 1) {
        at.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6};
        assert_int_equal(inet_pton(AF_INET6, text, &at.v6.sin6_addr), 1);
    }
    return at;
}

static uint64_t
come(fixture *f, int fd, const char *text, int64_t now_ms)
{
    any_address at = address_of(text);
    uint64_t id = 0;
    assert_true(http_gate_admit(f->gate, fd, &at.any, now_ms, &id));
    f->lines[fd] = http_gate_begin(f->gate, fd);
    assert_non_null(f->lines[fd]);
    return id;
}

// come_to_work is come, by a client whose request is worked on.
static void
come_to_work(fixture *f, int fd, const char *text, int64_t now_ms)
{
    (void)come(f, fd, text, now_ms);
    http_line_enter(f->lines[fd], HTTP_GATE_WORKS, now_ms);
}

// expect_cut expects that this one was cut since the last time; -1: none.
static void
expect_cut(fixture *f, int fd, http_gate_limit limit)
{
    assert_int_equal(f->cut_fd, fd);
    assert_true(fd < 0 || f->cut_limit == limit);
    f->cut_fd = -1;
}

static void
expect_none(fixture *f)
{
    expect_cut(f, -1, HTTP_GATE_ADDRESS);
}

static void
test_an_address_has_its_share(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_http_connections_cut_address);
    for (int fd = 0; fd < 4; fd++) {
        come_to_work(f, fd, "192.0.2.1", fd);
    }
    expect_none(f);
    (void)come(f, 4, "::ffff:192.0.2.1", 5); // the same
    assert_true(http_line_is_reserved(f->lines[4]));
    (void)come(f, 5, "192.0.2.2", 6);
    assert_false(http_line_is_reserved(f->lines[5]));
    expect_none(f);
    // The one that has waited for its client for the longest goes for the next.
    http_line_enter(f->lines[2], HTTP_GATE_RESTS, 10);
    http_line_enter(f->lines[1], HTTP_GATE_AWAITS_BODY, 11);
    (void)come(f, 6, "192.0.2.1", 12);
    expect_cut(f, 2, HTTP_GATE_ADDRESS);
    assert_false(http_line_is_reserved(f->lines[6]));
    assert_int_equal(metrics_get(METRICS_http_connections_cut_address), before + 1);
}

static void
test_a_64_of_ipv6_is_one_address(void **state)
{
    fixture *f = *state;
    come_to_work(f, 0, "2001:db8:0:1::1", 0);
    come_to_work(f, 1, "2001:db8:0:1::2", 0);
    come_to_work(f, 2, "2001:db8:0:1:ffff::", 0);
    come_to_work(f, 3, "2001:db8:0:1:8000::", 0);
    (void)come(f, 4, "2001:db8:0:1::5", 0);
    assert_true(http_line_is_reserved(f->lines[4]));
    (void)come(f, 5, "2001:db8:0:2::1", 0);
    assert_false(http_line_is_reserved(f->lines[5]));
}

static void
test_who_has_most_makes_room(void **state)
{
    fixture *f = *state;
    for (int fd = 0; fd < 4; fd++) {
        come_to_work(f, fd, "192.0.2.1", fd);
    }
    come_to_work(f, 4, "192.0.2.2", 4);
    come_to_work(f, 5, "192.0.2.2", 5);
    // All work: the oldest one of the largest address is cut.
    (void)come(f, 6, "192.0.2.3", 6);
    expect_cut(f, 0, HTTP_GATE_CONNECTIONS);
    // A waiting connection of any address is cut before; none is cut twice.
    http_line_enter(f->lines[5], HTTP_GATE_RESTS, 50);
    (void)come(f, 7, "192.0.2.4", 50);
    expect_cut(f, 5, HTTP_GATE_CONNECTIONS);
}

static void
test_where_all_have_the_same_the_newcomer_gets_a_reserved_one(void **state)
{
    fixture *f = *state;
    for (int fd = 0; fd < 6; fd++) {
        come_to_work(f, fd, fd < 3 ? "192.0.2.1" : "192.0.2.2", fd);
    }
    // 3 and 3: the newcomer would have as many as the loser.
    (void)come(f, 6, "192.0.2.2", 6);
    assert_true(http_line_is_reserved(f->lines[6]));
    expect_none(f);
    (void)come(f, 7, "192.0.2.3", 7); // 3 are more than 0 and 1
    assert_false(http_line_is_reserved(f->lines[7]));
    expect_cut(f, 0, HTTP_GATE_CONNECTIONS);
}

static void
fill_all(fixture *f)
{
    static const char *const all[] = {
        "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.6"};
    for (int fd = 0; fd < 6; fd++) {
        come_to_work(f, fd, all[fd], fd);
    }
}

static void
test_reserved_ones_are_always_to_be_had(void **state)
{
    fixture *f = *state;
    fill_all(f);
    (void)come(f, 6, "192.0.2.7", 6);
    (void)come(f, 7, "192.0.2.7", 7);
    expect_none(f);
    (void)come(f, 8, "127.0.0.1", 8); // the largest address there loses one
    expect_cut(f, 6, HTTP_GATE_RESERVED);
    (void)come(f, 9, "192.0.2.8", 9); // this machine's own is the last to go
    expect_cut(f, 7, HTTP_GATE_RESERVED);
    for (int fd = 10; fd < 14; fd++) {
        (void)come(f, fd, "192.0.2.9", fd);
        assert_true(http_line_is_reserved(f->lines[fd]));
        assert_int_not_equal(f->cut_fd, 8);
    }
}

static void
test_who_leaves_makes_room(void **state)
{
    fixture *f = *state;
    fill_all(f);
    http_gate_leave(f->gate, 3);
    (void)come(f, 3, "192.0.2.9", 10);
    assert_false(http_line_is_reserved(f->lines[3]));
    expect_none(f);
    http_gate_leave(f->gate, FDS - 1); // nobody's
}

static void
test_others_wait_until_those_that_are_cut_have_left(void **state)
{
    fixture *f = *state;
    for (int fd = 0; fd < 4 + 8; fd++) {
        assert_false(http_gate_is_crowded(f->gate));
        (void)come(f, fd, "192.0.2.1", fd);
    }
    assert_int_equal(f->cut_count, 8);
    assert_true(http_gate_is_crowded(f->gate));
    http_gate_leave(f->gate, 0);
    assert_false(http_gate_is_crowded(f->gate));
}

static void
test_one_that_has_not_begun_is_cut_when_it_begins(void **state)
{
    fixture *f = *state;
    any_address at = address_of("192.0.2.1");
    uint64_t id;
    for (int fd = 0; fd < 5; fd++) {
        assert_true(http_gate_admit(f->gate, fd, &at.any, fd, &id));
    }
    expect_none(f); // its descriptor may be somebody else's by now
    assert_non_null(http_gate_begin(f->gate, 0));
    expect_cut(f, 0, HTTP_GATE_ADDRESS);
    // One that never began leaves its place to the next with its descriptor.
    assert_true(http_gate_admit(f->gate, 1, &at.any, 9, &id));
    assert_int_equal(http_gate_check(f->gate, 9), 5);
}

static void
test_ones_that_never_begin_leave_in_the_end(void **state)
{
    fixture *f = *state;
    any_address at = address_of("192.0.2.1");
    uint64_t id;
    uint64_t before = metrics_get(METRICS_http_connections_cut_no_memory);
    for (int fd = 0; fd < 4 + 8; fd++) {
        assert_true(http_gate_admit(f->gate, fd, &at.any, fd, &id));
    }
    assert_true(http_gate_is_crowded(f->gate));
    assert_int_equal(http_gate_check(f->gate, 19), 12);
    assert_int_equal(http_gate_check(f->gate, 25), 6); // 20 after they came
    assert_false(http_gate_is_crowded(f->gate));
    assert_int_equal(http_gate_check(f->gate, 31), 0);
    // Of these 8 had been cut, and counted, before.
    assert_int_equal(metrics_get(METRICS_http_connections_cut_no_memory), before + 4);
    assert_null(http_gate_begin(f->gate, 11));
    expect_none(f);
}

static void
test_heads_and_bodies_have_a_time_in_all(void **state)
{
    fixture *f = *state;
    (void)come(f, 0, "192.0.2.1", 100);
    f->bytes[0].received = 1;
    (void)http_gate_check(f->gate, 119);
    expect_none(f);
    f->bytes[0].received = 20; // a byte each ms helps nothing
    (void)http_gate_check(f->gate, 120);
    expect_cut(f, 0, HTTP_GATE_HEAD_SLOW);
    (void)http_gate_check(f->gate, 1000);
    expect_none(f);

    (void)come(f, 1, "192.0.2.1", 200);
    http_line_enter(f->lines[1], HTTP_GATE_AWAITS_BODY, 210);
    (void)http_gate_check(f->gate, 239);
    expect_none(f);
    (void)http_gate_check(f->gate, 240);
    expect_cut(f, 1, HTTP_GATE_BODY_SLOW);

    (void)come(f, 2, "192.0.2.1", 300);
    http_line_enter(f->lines[2], HTTP_GATE_WORKS, 300); // that is our time
    (void)http_gate_check(f->gate, 1000000);
    expect_none(f);
}

static void
test_a_client_rests_for_so_long(void **state)
{
    fixture *f = *state;
    (void)come(f, 0, "192.0.2.1", 0);
    f->bytes[0].received = 500;
    http_line_enter(f->lines[0], HTTP_GATE_RESTS, 10);
    (void)http_gate_check(f->gate, 20);
    (void)http_gate_check(f->gate, 69);
    expect_none(f);
    (void)http_gate_check(f->gate, 70);
    expect_cut(f, 0, HTTP_GATE_IDLE);
    // The time for the next head begins with its first byte.
    (void)come(f, 1, "192.0.2.1", 100);
    http_line_enter(f->lines[1], HTTP_GATE_RESTS, 100);
    (void)http_gate_check(f->gate, 110);
    f->bytes[1].received = 1;
    (void)http_gate_check(f->gate, 120);
    (void)http_gate_check(f->gate, 139);
    expect_none(f);
    (void)http_gate_check(f->gate, 140);
    expect_cut(f, 1, HTTP_GATE_HEAD_SLOW);
}

static void
test_an_answer_is_taken_at_a_rate(void **state)
{
    fixture *f = *state;
    (void)come(f, 0, "192.0.2.1", 0);
    http_line_enter(f->lines[0], HTTP_GATE_SENDS, 0);
    f->bytes[0] = (http_gate_bytes){.taken = 0, .is_waiting = true};
    (void)http_gate_check(f->gate, 0);
    for (int64_t ms = 10; ms < 1000; ms += 10) { // 100 bytes in 50 ms
        f->bytes[0].taken += 20;
        (void)http_gate_check(f->gate, ms);
        expect_none(f);
    }
    f->bytes[0].is_waiting = false; // all is taken: it is we who are slow
    (void)http_gate_check(f->gate, 5000);
    f->bytes[0].is_waiting = true;
    (void)http_gate_check(f->gate, 5049);
    expect_none(f);
    f->bytes[0].taken += 99;
    (void)http_gate_check(f->gate, 5050);
    expect_cut(f, 0, HTTP_GATE_ANSWER_SLOW);

    f->cannot_measure = true; // then nobody is slow
    (void)come(f, 1, "192.0.2.1", 0);
    http_line_enter(f->lines[1], HTTP_GATE_SENDS, 0);
    (void)http_gate_check(f->gate, 1000000);
    expect_none(f);
}

static void
count_gone(void *arg)
{
    (*(int *)arg)++;
}

static void
test_who_waits_learns_that_the_client_left(void **state)
{
    fixture *f = *state;
    int gone[3] = {0};
    uint64_t first = come(f, 0, "192.0.2.1", 0);
    uint64_t second = come(f, 1, "192.0.2.1", 0);
    assert_int_not_equal(first, second);
    http_line_watch(f->lines[0], count_gone, &gone[0]);
    http_line_watch(f->lines[1], count_gone, &gone[1]);
    http_gate_note_gone(f->gate, first);
    http_gate_note_gone(f->gate, first);
    http_gate_note_gone(f->gate, second + 100);
    assert_int_equal(gone[0], 1);
    assert_int_equal(gone[1], 0);
    http_line_unwatch(f->lines[1]);
    http_gate_note_gone(f->gate, second);
    assert_int_equal(gone[1], 0);
    http_line_watch(f->lines[1], count_gone, &gone[2]); // it had left before
    assert_int_equal(gone[2], 1);
    // The next one with its descriptor is somebody else.
    http_gate_leave(f->gate, 0);
    uint64_t third = come(f, 0, "192.0.2.1", 0);
    http_line_watch(f->lines[0], count_gone, &gone[0]);
    http_gate_note_gone(f->gate, first);
    assert_int_equal(gone[0], 1);
    http_gate_note_gone(f->gate, third);
    assert_int_equal(gone[0], 2);
    http_line_watch(NULL, count_gone, &gone[0]);
    http_line_unwatch(NULL);
    http_line_enter(NULL, HTTP_GATE_RESTS, 0);
    assert_false(http_line_is_reserved(NULL));
}

// With few descriptors all kinds of connections have fewer, as many as there are descriptors for;
// with enough of them there are the usual ones.
static void
test_few_descriptors_are_shared(void **state)
{
    (void)state;
    for (unsigned descriptors = 0; descriptors < 1000; descriptors++) {
        const http_gate_limits found = http_gate_limits_within(descriptors);
        unsigned most = descriptors < 768 ? descriptors : 768;
        assert_true(found.connections >= 1 && found.reserved >= 1 && found.leaving >= 1);
        assert_true(
            found.connections + found.reserved + found.leaving <= (most < 3 ? 3 : most + 2));
        assert_in_range(found.per_address, 1, found.connections);
    }
    const http_gate_limits few = http_gate_limits_within(65); // of 1,024
    assert_int_equal(few.connections, 40);
    assert_int_equal(few.per_address, 20);
    assert_int_equal(few.reserved, 2);
    const http_gate_limits usual = http_gate_limits_within(768);
    assert_memory_equal(&usual, &http_gate_limits_usual, sizeof(usual));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_descriptors_are_shared),
        TEST(test_an_address_has_its_share),
        TEST(test_a_64_of_ipv6_is_one_address),
        TEST(test_who_has_most_makes_room),
        TEST(test_where_all_have_the_same_the_newcomer_gets_a_reserved_one),
        TEST(test_reserved_ones_are_always_to_be_had),
        TEST(test_who_leaves_makes_room),
        TEST(test_others_wait_until_those_that_are_cut_have_left),
        TEST(test_one_that_has_not_begun_is_cut_when_it_begins),
        TEST(test_ones_that_never_begin_leave_in_the_end),
        TEST(test_heads_and_bodies_have_a_time_in_all),
        TEST(test_a_client_rests_for_so_long),
        TEST(test_an_answer_is_taken_at_a_rate),
        TEST(test_who_waits_learns_that_the_client_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
