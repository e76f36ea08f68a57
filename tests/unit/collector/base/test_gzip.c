// SPDX-License-Identifier: Apache-2.0
// Bytes to gzip and back: what gzip(1) made is read, what is made begins as RFC 1952 says, and what
// is broken or cut off is refused.

#include "collector/base/gzip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// printf 'hello hello hello\n' | gzip -9n
static const uint8_t hello_gzip[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
    0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x5c, 0x00, 0x3b, 0x7c, 0x8a, 0xdf, 0x12,
    0x00, 0x00, 0x00};
enum { HELLO_BYTES = sizeof("hello hello hello\n") - 1 };

static void
test_what_gzip_made_is_read(void **state)
{
    (void)state;
    lp_buf out = {0};
    lp_buf_append(&out, "> ", 2);
    assert_int_equal(
        gzip_expand((lp_slice){.ptr = hello_gzip, .len = sizeof(hello_gzip)}, &out), LP_OK);
    assert_int_equal(out.len, 2 + HELLO_BYTES);
    assert_memory_equal(out.ptr, "> hello hello hello\n", out.len);
    lp_buf_fini(&out);
}

static void
test_what_is_broken_is_refused(void **state)
{
    (void)state;
    lp_buf out = {0};
    for (size_t len = 0; len < sizeof(hello_gzip); len++) {
        uint8_t bytes[sizeof(hello_gzip)] = {0};
        memcpy(bytes, hello_gzip, len);
        memcpy(bytes + (len < 4 ? 0 : len - 4), (uint8_t[]){HELLO_BYTES, 0, 0, 0}, len < 4 ? 0 : 4);
        assert_int_equal(gzip_expand((lp_slice){.ptr = bytes, .len = len}, &out), LP_ECORRUPT);
    }
    for (size_t i = 0; i < sizeof(hello_gzip); i++) {
        uint8_t bytes[sizeof(hello_gzip) + 1] = {0};
        memcpy(bytes, hello_gzip, sizeof(hello_gzip));
        bytes[i] ^= 0x40;
        // Time, level and system of a header say nothing about the content.
        bool is_ignored = i >= 4 && i < 10;
        if (i < sizeof(hello_gzip) - 2) { // not of gigabytes
            assert_int_equal(gzip_expand((lp_slice){.ptr = bytes, .len = sizeof(hello_gzip)}, &out),
                is_ignored ? LP_OK : LP_ECORRUPT);
        }
    }
    uint8_t more[sizeof(hello_gzip) + 4];
    memcpy(more, hello_gzip, sizeof(hello_gzip));
    memcpy(more + sizeof(hello_gzip), (uint8_t[]){HELLO_BYTES, 0, 0, 0}, 4);
    assert_int_equal(gzip_expand((lp_slice){.ptr = more, .len = sizeof(more)}, &out), LP_ECORRUPT);
    assert_int_equal(out.len, 6 * HELLO_BYTES); // those that were ignored
    lp_buf_fini(&out);
}

static void
test_there_and_back(void **state)
{
    (void)state;
    static uint8_t bytes[300000];
    uint32_t chance = 1;
    for (size_t i = 0; i < sizeof(bytes); i++) { // hardly compressible, then very much so
        chance = chance * 1664525 + 1013904223;
        bytes[i] = i < sizeof(bytes) / 2 ? (uint8_t)(chance >> 24) : (uint8_t)i;
    }
    static const size_t lens[] = {0, 1, 31, 65536, 150000, sizeof(bytes)};
    for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        lp_buf gzip = {0};
        lp_buf out = {0};
        lp_buf_append(&gzip, ">", 1);
        assert_int_equal(gzip_compress((lp_slice){.ptr = bytes, .len = lens[i]}, &gzip), LP_OK);
        assert_memory_equal(gzip.ptr, ">\x1f\x8b\x08\x00\x00\x00\x00\x00", 9);
        assert_int_equal(
            gzip_expand((lp_slice){.ptr = gzip.ptr + 1, .len = gzip.len - 1}, &out), LP_OK);
        assert_int_equal(out.len, lens[i]);
        assert_true(lens[i] == 0 || memcmp(out.ptr, bytes, lens[i]) == 0);
        lp_buf_fini(&gzip);
        lp_buf_fini(&out);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_gzip_made_is_read),
        cmocka_unit_test(test_what_is_broken_is_refused),
        cmocka_unit_test(test_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
