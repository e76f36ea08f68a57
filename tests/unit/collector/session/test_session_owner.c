// SPDX-License-Identifier: Apache-2.0

// Whose a session is, as a table: what its row knows, what a Hello has, and whether that may speak
// for it.

#include "collector/base/secret_hash.h"
#include "collector/session/session_owner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *
check(const catalog_session *row, const Loupe__Wire__Hello *hello, const char *identity)
{
    catalog_session claim;
    session_owner_of(hello, identity, &claim);
    return session_owner_compare(row, &claim);
}

static void
note(catalog_session *row, const Loupe__Wire__Hello *hello, const char *identity)
{
    catalog_session claim;
    session_owner_of(hello, identity, &claim);
    session_owner_take(row, &claim);
}

static uint8_t right[WIRE_SECRET_BYTES + 1] = "0123456789abcdef";
static uint8_t wrong[WIRE_SECRET_BYTES + 1] = "0123456789abcdeg";

// make_row makes the row of a session of the service "shop".
static catalog_session
make_row(catalog_secret secret)
{
    static char service[] = "shop";
    static char nothing[] = "";
    catalog_session row = {.service = service,
        .instance = nothing,
        .jvm_name = nothing,
        .jvm_version = nothing,
        .secret = secret};
    if (secret == CATALOG_SECRET_HASHED) {
        secret_hash_make((lp_slice){right, WIRE_SECRET_BYTES}, row.secret_hash);
    }
    return row;
}

static Loupe__Wire__Hello
make_hello(uint8_t *secret, size_t size)
{
    static char service[] = "shop";
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    hello.service = service;
    hello.secret = (ProtobufCBinaryData){size, secret};
    return hello;
}

static void
test_who_may_speak_for_a_session(void **state)
{
    (void)state;
    const struct {
        const char *name;
        catalog_secret known;
        uint8_t *secret;
        size_t size;
        bool may;
    } cases[] = {
        {"the agent that began it", CATALOG_SECRET_HASHED, right, WIRE_SECRET_BYTES, true},
        {"another secret", CATALOG_SECRET_HASHED, wrong, WIRE_SECRET_BYTES, false},
        {"no secret", CATALOG_SECRET_HASHED, right, 0, false},
        {"a part of it", CATALOG_SECRET_HASHED, right, WIRE_SECRET_BYTES - 1, false},
        {"more than it", CATALOG_SECRET_HASHED, right, WIRE_SECRET_BYTES + 1, false},
        {"an agent without", CATALOG_SECRET_NONE, right, 0, true},
        {"one with a secret in its place", CATALOG_SECRET_NONE, right, WIRE_SECRET_BYTES, false},
        {"the first that is heard of", CATALOG_SECRET_UNKNOWN, right, WIRE_SECRET_BYTES, true},
        {"the same, of an agent without", CATALOG_SECRET_UNKNOWN, right, 0, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const catalog_session row = make_row(cases[i].known);
        const Loupe__Wire__Hello hello = make_hello(cases[i].secret, cases[i].size);
        if ((check(&row, &hello, "") == NULL) != cases[i].may) {
            fail_msg("%s", cases[i].name);
        }
    }
}

static void
test_a_session_keeps_its_service_once_it_is_known(void **state)
{
    (void)state;
    const struct {
        const char *known;
        bool may;
    } cases[] = {{"shop", true}, {"", true}, {"unknown", true}, {"sho", false}, {"shopp", false},
        {"Shop", false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char service[20];
        catalog_session row = make_row(CATALOG_SECRET_HASHED);
        const Loupe__Wire__Hello hello = make_hello(right, WIRE_SECRET_BYTES);
        (void)snprintf(service, sizeof(service), "%s", cases[i].known);
        row.service = service;
        assert_int_equal(check(&row, &hello, "") == NULL, cases[i].may);
    }
}

static void
test_the_first_hello_says_whose_it_is(void **state)
{
    (void)state;
    catalog_session row = make_row(CATALOG_SECRET_UNKNOWN);
    const Loupe__Wire__Hello first = make_hello(right, WIRE_SECRET_BYTES);
    const Loupe__Wire__Hello other = make_hello(wrong, WIRE_SECRET_BYTES);
    const Loupe__Wire__Hello old = make_hello(wrong, 0);
    note(&row, &first, "");
    assert_int_equal(row.secret, CATALOG_SECRET_HASHED);
    assert_null(check(&row, &first, ""));
    note(&row, &other, ""); // it stays
    assert_non_null(check(&row, &other, ""));
    assert_null(check(&row, &first, ""));

    row = make_row(CATALOG_SECRET_UNKNOWN);
    note(&row, &old, "");
    assert_int_equal(row.secret, CATALOG_SECRET_NONE);
    assert_non_null(check(&row, &first, ""));
    assert_null(check(&row, &old, ""));
}

static void
test_a_session_is_of_one_identity(void **state)
{
    (void)state;
    catalog_session row = make_row(CATALOG_SECRET_HASHED);
    const Loupe__Wire__Hello hello = make_hello(right, WIRE_SECRET_BYTES);
    assert_null(check(&row, &hello, "a")); // it began when nobody was asked
    note(&row, &hello, "a");
    assert_string_equal(row.identity, "a");
    assert_null(check(&row, &hello, "a"));
    assert_non_null(check(&row, &hello, "b"));
    assert_non_null(check(&row, &hello, "aa"));
    assert_null(check(&row, &hello, "")); // nobody is asked any more
    note(&row, &hello, "b");
    assert_string_equal(row.identity, "a");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_may_speak_for_a_session),
        cmocka_unit_test(test_a_session_keeps_its_service_once_it_is_known),
        cmocka_unit_test(test_the_first_hello_says_whose_it_is),
        cmocka_unit_test(test_a_session_is_of_one_identity),
    };
    return cmocka_run_group_tests_name("session_owner", tests, NULL, NULL);
}
