// SPDX-License-Identifier: Apache-2.0

// Chunk headers: a known-good header decodes field by field, everything near it is refused, and
// encoding what was decoded gives the same bytes.
//
// The bytes are spelled out here rather than produced by our own writer, so that a mistake made
// twice (once writing, once reading) cannot cancel itself out.

#include "common/jfr/jfr_chunk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t good_header[JFR_CHUNK_HEADER_SIZE] = {
    'F', 'L', 'R', 0,                               // magic
    0, 2, 0, 1,                                     // version 2.1
    0, 0, 0, 0, 0, 0, 0, 68,                        // size: just the header
    0, 0, 0, 0, 0, 0, 0, 64,                        // checkpoint
    0, 0, 0, 0, 0, 0, 0, 65,                        // metadata
    0x17, 0x97, 0x9c, 0xfe, 0x36, 0x2a, 0x00, 0x00, // start: 1.7e18 ns
    0, 0, 0, 0, 0x3b, 0x9a, 0xca, 0x00,             // duration: 1 s
    0, 0, 0, 0, 0, 0, 0, 7,                         // start ticks
    0, 0, 0, 0, 0x40, 0x00, 0x00, 0x00,             // 2^30 ticks per second
    1, 0, 0, 3,                                     // generation 1; varint, last chunk
};

static lp_err
parse_with(size_t offset, uint8_t value)
{
    uint8_t bytes[sizeof(good_header)];
    jfr_chunk_info info;
    memcpy(bytes, good_header, sizeof(bytes));
    bytes[offset] = value;
    return jfr_chunk_parse((lp_slice){bytes, sizeof(bytes)}, &info, NULL);
}

// parse_ending returns the good header with another last byte.
static jfr_chunk_info
parse_ending(uint8_t value)
{
    uint8_t bytes[sizeof(good_header)];
    jfr_chunk_info info = {0};
    memcpy(bytes, good_header, sizeof(bytes));
    bytes[sizeof(bytes) - 1] = value;
    assert_int_equal(jfr_chunk_parse((lp_slice){bytes, sizeof(bytes)}, &info, NULL), LP_OK);
    return info;
}

static void
test_good_header_decodes(void **state)
{
    (void)state;
    jfr_chunk_info info;
    assert_int_equal(
        jfr_chunk_parse((lp_slice){good_header, sizeof(good_header)}, &info, NULL), LP_OK);
    assert_int_equal(info.major, 2);
    assert_int_equal(info.minor, 1);
    assert_int_equal(info.size_bytes, 68);
    assert_int_equal(info.checkpoint_offset, 64);
    assert_int_equal(info.metadata_offset, 65);
    assert_int_equal(info.start_wall_ns, 1700000000000000000);
    assert_int_equal(info.duration_ns, 1000000000);
    assert_int_equal(info.start_ticks, 7);
    assert_int_equal(info.ticks_per_s, 1 << 30);
    assert_int_equal(info.state, 1);
    assert_true(info.is_last);
    assert_false(parse_ending(1).is_last);

    uint8_t encoded[JFR_CHUNK_HEADER_SIZE];
    jfr_chunk_encode(&info, encoded);
    assert_memory_equal(encoded, good_header, sizeof(good_header));
}

static void
test_every_truncation_is_the_end(void **state)
{
    (void)state;
    jfr_chunk_info info;
    for (size_t count = 0; count < sizeof(good_header); count++) {
        assert_int_equal(jfr_chunk_parse((lp_slice){good_header, count}, &info, NULL), LP_EEND);
    }
}

static void
test_contradictions_are_corrupt(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        size_t offset;
        uint8_t value;
        lp_err want;
    } cases[] = {
        {"magic", 0, 'f', LP_ECORRUPT},
        {"magic's final NUL", 3, 1, LP_ECORRUPT},
        {"version 0", 5, 0, LP_EVERSION},
        {"version 1", 5, 1, LP_OK},
        {"future major version", 5, 3, LP_EVERSION},
        {"future minor version is fine", 7, 9, LP_OK},
        {"chunk smaller than its header", 15, 67, LP_ECORRUPT},
        {"chunk size with the top bit set", 8, 0x80, LP_ECORRUPT},
        {"checkpoint past the end", 23, 68, LP_ECORRUPT},
        {"metadata past the end", 31, 68, LP_ECORRUPT},
        {"clock that never ticks", 60, 0, LP_ECORRUPT},
        {"clock that runs backwards", 56, 0x80, LP_ECORRUPT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        print_message("  %s\n", cases[i].what);
        assert_int_equal(parse_with(cases[i].offset, cases[i].value), cases[i].want);
    }
}

// At 24 MHz every third tick is a whole number of nanoseconds: 125.
static void
test_a_chunk_that_starts_too_early_starts_behind(void **state)
{
    (void)state;
    static const struct {
        int64_t wall_ns;
        int64_t start_ns;
        int64_t start_ticks;
        int64_t duration_ns;
    } cases[] = {
        {999, 1000, 7, 300}, // it starts later as it is
        {1000, 1125, 10, 175}, {1124, 1125, 10, 175}, {1125, 1250, 13, 50},
        {1250, 1375, 16, 0}, // its end is gone as well
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        jfr_chunk_info info = {
            .start_wall_ns = 1000, .start_ticks = 7, .duration_ns = 300, .ticks_per_s = 24000000};
        assert_int_equal(jfr_chunk_start_behind(&info, cases[i].wall_ns), i > 0);
        assert_int_equal(info.start_wall_ns, cases[i].start_ns);
        assert_int_equal(info.start_ticks, cases[i].start_ticks);
        assert_int_equal(info.duration_ns, cases[i].duration_ns);
    }
    jfr_chunk_info absurd = {.start_wall_ns = 1000, .ticks_per_s = 24000000};
    assert_false(jfr_chunk_start_behind(&absurd, INT64_MAX));
    assert_int_equal(absurd.start_wall_ns, 1000);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_header_decodes),
        cmocka_unit_test(test_every_truncation_is_the_end),
        cmocka_unit_test(test_contradictions_are_corrupt),
        cmocka_unit_test(test_a_chunk_that_starts_too_early_starts_behind),
    };
    return cmocka_run_group_tests_name("jfr_chunk", tests, NULL, NULL);
}
