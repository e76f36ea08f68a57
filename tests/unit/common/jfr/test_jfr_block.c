// SPDX-License-Identifier: Apache-2.0
// Blocks: the stops among 64 bytes, by SSE2 and by words, and what is counted of them, against a
// look at each byte.

#include "support/chance.h"
#include "support/exact_copy.h"

#include "common/jfr/jfr_block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// expect_block looks at bytes, which may be read up to their end and no further.
static void
expect_block(const uint8_t *bytes)
{
    uint64_t stops = jfr_block_stops(bytes);
    assert_true(stops == jfr_block_stops_by_word(bytes));
    unsigned count = 0;
    unsigned more_in_a_row = 0;
    unsigned most_in_a_row = 0;
    for (unsigned i = 0; i < JFR_BLOCK_BYTES; i++) {
        bool is_stop = bytes[i] < 0x80;
        assert_int_equal(stops >> i & 1, is_stop);
        more_in_a_row = is_stop ? 0 : more_in_a_row + 1;
        most_in_a_row = more_in_a_row > most_in_a_row ? more_in_a_row : most_in_a_row;
        count += is_stop;
        if (is_stop) {
            assert_int_equal(jfr_block_size(stops, count), i + 1);
        }
    }
    assert_int_equal(jfr_block_count(stops), count);
    assert_int_equal(jfr_block_size(stops, 0), 0);
    assert_int_equal(jfr_block_has_raw(stops), most_in_a_row >= 8);
}

static void
test_all_bytes_alike(void **state)
{
    (void)state;
    for (unsigned value = 0; value < 256; value++) {
        uint8_t bytes[JFR_BLOCK_BYTES];
        memset(bytes, (int)value, sizeof(bytes));
        expect_block(bytes);
    }
}

static void
test_a_run_of_continuation_bits_anywhere(void **state)
{
    (void)state;
    for (unsigned begin = 0; begin < JFR_BLOCK_BYTES; begin++) {
        for (unsigned len = 0; begin + len <= JFR_BLOCK_BYTES; len++) {
            uint8_t bytes[JFR_BLOCK_BYTES] = {0};
            memset(bytes + begin, 0x80, len);
            expect_block(bytes);
        }
    }
}

static void
test_random_blocks(void **state)
{
    (void)state;
    uint64_t seed = 20261122;
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t bytes[JFR_BLOCK_BYTES];
        uint64_t share = chance_below(&seed, 16); // of the bytes that have a continuation bit
        for (unsigned i = 0; i < JFR_BLOCK_BYTES; i++) {
            uint64_t more = chance_below(&seed, 15) < share ? 0x80 : 0;
            bytes[i] = (uint8_t)(chance_below(&seed, 0x80) | more);
        }
        uint8_t *copy = exact_copy_make(bytes, sizeof(bytes));
        expect_block(copy);
        free(copy);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_bytes_alike),
        cmocka_unit_test(test_a_run_of_continuation_bits_anywhere),
        cmocka_unit_test(test_random_blocks),
    };
    return cmocka_run_group_tests_name("jfr_block", tests, NULL, NULL);
}
