// SPDX-License-Identifier: Apache-2.0

// Which addresses this machine alone reaches, those beside them, and what is no address.

#include "collector/base/loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool
is_v4_loopback(const char *text)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
    } address = {.v4 = {.sin_family = AF_INET}};
    assert_int_equal(inet_pton(AF_INET, text, &address.v4.sin_addr), 1);
    return loopback_has_address(&address.any);
}

static bool
is_v6_loopback(const char *text)
{
    union {
        struct sockaddr any;
        struct sockaddr_in6 v6;
    } address = {.v6 = {.sin6_family = AF_INET6}};
    assert_int_equal(inet_pton(AF_INET6, text, &address.v6.sin6_addr), 1);
    return loopback_has_address(&address.any);
}

static void
test_which_addresses_are_of_this_machine_alone(void **state)
{
    (void)state;
    assert_true(is_v4_loopback("127.0.0.1"));
    assert_true(is_v4_loopback("127.255.255.254"));
    assert_true(is_v6_loopback("::1"));
    assert_true(is_v6_loopback("::ffff:127.0.0.1"));
    assert_false(is_v4_loopback("0.0.0.0"));
    assert_false(is_v4_loopback("126.255.255.255"));
    assert_false(is_v4_loopback("128.0.0.1"));
    assert_false(is_v4_loopback("10.0.0.127"));
    assert_false(is_v4_loopback("1.0.0.127"));
    assert_false(is_v6_loopback("::"));
    assert_false(is_v6_loopback("::2"));
    assert_false(is_v6_loopback("::127.0.0.1"));
    assert_false(is_v6_loopback("::ffff:192.0.2.1"));
    assert_false(is_v6_loopback("::ffff:1.0.0.127"));
    assert_false(is_v6_loopback("fe80::1"));
    assert_false(is_v6_loopback("2001:db8::1"));
    assert_false(loopback_has_address(&(struct sockaddr){.sa_family = AF_UNIX}));
    assert_false(loopback_has_address(NULL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_addresses_are_of_this_machine_alone),
    };
    return cmocka_run_group_tests_name("loopback", tests, NULL, NULL);
}
