// SPDX-License-Identifier: Apache-2.0
// One peer has at most so many, and begins at most so many at once and a second, whatever others
// do; who is forgotten is one of whom there is nothing to know.

#include "collector/base/peers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <cmocka.h>

static struct sockaddr_storage
address_of(const char *text)
{
    struct sockaddr_storage address = {0};
    struct sockaddr_in *four = (struct sockaddr_in *)&address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&address;
    if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
        address.ss_family = AF_INET;
    } else {
        assert_int_equal(inet_pton(AF_INET6, text, &six->sin6_addr), 1);
        address.ss_family = AF_INET6;
    }
    return address;
}

static uint64_t
number_of(const char *text)
{
    struct sockaddr_storage address = address_of(text);
    return peers_of_address((const struct sockaddr *)&address);
}

static void
test_peers_are_hosts_networks_and_names(void **state)
{
    (void)state;
    const struct sockaddr_storage local = {.ss_family = AF_UNIX};
    assert_true(number_of("10.1.2.3") == number_of("10.1.2.3"));
    assert_true(number_of("10.1.2.3") != number_of("10.1.2.4"));
    assert_true(number_of("::ffff:10.1.2.3") == number_of("10.1.2.3"));
    assert_true(number_of("2001:db8::1") == number_of("2001:db8::ffff:1"));
    assert_true(number_of("2001:db8::1") != number_of("2001:db8:0:1::1"));
    assert_true(peers_of_address((const struct sockaddr *)&local) != PEERS_NONE);
    assert_true(peers_of_name("") == PEERS_NONE);
    assert_true(peers_of_name("checkout") != peers_of_name("shop"));
}

static void
expect_text(const char *address, const char *expected)
{
    char text[PEERS_ADDRESS_BYTES];
    struct sockaddr_storage any = address_of(address);
    peers_format_address((const struct sockaddr *)&any, text);
    assert_string_equal(text, expected);
}

static void
test_addresses_are_written_for_people(void **state)
{
    (void)state;
    char text[PEERS_ADDRESS_BYTES];
    const struct sockaddr_storage local = {.ss_family = AF_UNIX};
    const struct sockaddr_storage none = {.ss_family = AF_UNSPEC};
    expect_text("10.1.2.3", "10.1.2.3");
    expect_text("2001:db8::1", "2001:db8::1");
    peers_format_address((const struct sockaddr *)&local, text);
    assert_string_equal(text, "a Unix socket");
    peers_format_address((const struct sockaddr *)&none, text);
    assert_string_equal(text, "an unknown address");
    peers_format_address(NULL, text);
    assert_string_equal(text, "an unknown address");
}

static void
test_each_has_so_many(void **state)
{
    (void)state;
    peers all = {.held_max = 3};
    for (uint64_t id = 1; id <= 1000; id++) {
        for (int i = 0; i < 3; i++) {
            assert_true(peers_has_room(&all, id));
            peers_hold(&all, id);
        }
        assert_false(peers_has_room(&all, id));
    }
    for (uint64_t id = 2; id <= 1000; id += 2) {
        peers_release(&all, id);
        assert_true(peers_has_room(&all, id));
    }
    peers_hold(&all, 1); // over the limit, and back
    peers_release(&all, 1);
    assert_false(peers_has_room(&all, 1));
    peers_release(&all, 1001); // who has nothing
    peers_hold(&all, PEERS_NONE);
    assert_true(peers_has_room(&all, PEERS_NONE));
    peers_fini(&all);
}

static void
test_each_begins_so_many(void **state)
{
    (void)state;
    enum { AT_ONCE = 10, MS = 5 };
    peers all = {.held_max = UINT64_MAX, .begin_max = AT_ONCE, .begin_ms = MS};
    uint64_t now_ms = 1000;
    for (int i = 0; i < AT_ONCE; i++) {
        assert_true(peers_may_begin(&all, 1, now_ms));
        peers_note_begin(&all, 1, now_ms);
    }
    assert_false(peers_may_begin(&all, 1, now_ms));
    assert_true(peers_may_begin(&all, 2, now_ms));
    assert_false(peers_may_begin(&all, 1, now_ms + MS - 1));
    unsigned begun = 0;
    for (unsigned i = 0; i < 1000; i++) {
        now_ms++;
        if (peers_may_begin(&all, 1, now_ms)) {
            peers_note_begin(&all, 1, now_ms);
            begun++;
        }
    }
    assert_int_equal(begun, 1000 / MS);
    peers_fini(&all);
}

static void
test_who_has_something_is_not_forgotten(void **state)
{
    (void)state;
    peers all = {.held_max = 1, .begin_max = 1, .begin_ms = 100};
    for (uint64_t id = 1; id <= 300; id++) {
        if (id % 3 == 0) {
            peers_hold(&all, id);
        } else if (id % 3 == 1) {
            peers_note_begin(&all, id, 1000);
        } else {
            peers_note_begin(&all, id, 0);
        }
    }
    peers_forget(&all, 1000);
    assert_int_equal(all.items.count, 200);
    for (uint64_t id = 1; id <= 300; id++) {
        assert_true(peers_has_room(&all, id) == (id % 3 != 0));
        assert_true(peers_may_begin(&all, id, 1000) == (id % 3 != 1));
    }
    peers_forget(&all, 1100);
    assert_int_equal(all.items.count, 100);
    for (uint64_t id = 3; id <= 300; id += 3) {
        peers_release(&all, id);
    }
    peers_forget(&all, 1100);
    assert_int_equal(all.items.count, 0);
    assert_int_equal(all.by_id.count, 0);
    peers_fini(&all);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peers_are_hosts_networks_and_names),
        cmocka_unit_test(test_addresses_are_written_for_people),
        cmocka_unit_test(test_each_has_so_many),
        cmocka_unit_test(test_each_begins_so_many),
        cmocka_unit_test(test_who_has_something_is_not_forgotten),
    };
    return cmocka_run_group_tests_name("peers", tests, NULL, NULL);
}
