// SPDX-License-Identifier: Apache-2.0

// The hash of a secret is SHA-256, by the examples of FIPS 180, and another secret has another one.

#include "collector/base/secret_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
assert_hash(const char *secret, const char *hex)
{
    uint8_t hash[SECRET_HASH_BYTES];
    char text[2 * SECRET_HASH_BYTES + 1];
    secret_hash_make((lp_slice){(const uint8_t *)secret, strlen(secret)}, hash);
    for (size_t i = 0; i < sizeof(hash); i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", hash[i]);
    }
    assert_string_equal(text, hex);
}

static void
test_it_is_sha_256(void **state)
{
    (void)state;
    assert_hash("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_hash("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void
test_each_bit_counts(void **state)
{
    (void)state;
    uint8_t a[SECRET_HASH_BYTES] = {0};
    uint8_t b[SECRET_HASH_BYTES] = {0};
    assert_true(secret_hash_is_equal(a, b));
    for (unsigned bit = 0; bit < 8 * sizeof(b); bit++) {
        b[bit / 8] = (uint8_t)(1U << bit % 8);
        assert_false(secret_hash_is_equal(a, b));
        b[bit / 8] = 0;
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_sha_256),
        cmocka_unit_test(test_each_bit_counts),
    };
    return cmocka_run_group_tests_name("secret_hash", tests, NULL, NULL);
}
