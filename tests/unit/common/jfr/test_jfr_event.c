// SPDX-License-Identifier: Apache-2.0
// The framing of events, against bytes made by hand: all widths of sizes and type ids, and what is
// not an event is refused where it is, by name.

#include "support/jfr_build.h"

#include "common/jfr/jfr_event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
test_events_of_all_widths_are_framed(void **state)
{
    (void)state;
    for (size_t size_width = 1; size_width <= 9; size_width++) {
        for (size_t type_width = 1; type_width <= 9; type_width++) {
            for (size_t payload = 0; payload < 40; payload++) {
                size_t size = size_width + type_width + payload;
                lp_buf buf = {0};
                jfr_build_padded(&buf, size, size_width);
                jfr_build_padded(&buf, 101, type_width);
                uint8_t *room = lp_buf_extend(&buf, payload + 1);
                assert_non_null(room);
                memset(room, 0xff, payload + 1);
                jfr_cursor rest = {buf.ptr, buf.ptr + buf.len};
                jfr_event event = {0};
                assert_int_equal(jfr_event_next(&rest, &event), LP_OK);
                assert_ptr_equal(event.begin, buf.ptr);
                assert_int_equal(event.size, size);
                assert_int_equal(event.type_id, 101);
                assert_ptr_equal(event.payload.at, buf.ptr + size_width + type_width);
                assert_ptr_equal(event.payload.end, buf.ptr + size);
                assert_ptr_equal(rest.at, buf.ptr + size);
                assert_int_equal(jfr_cursor_left(&rest), 1);
                assert_ptr_equal(jfr_event_payload(&event).ptr, event.payload.at);
                assert_int_equal(jfr_event_payload(&event).len, payload);
                lp_buf_fini(&buf);
            }
        }
    }
}

// However many bytes were likely, the event is the one that jfr_event_append writes.
static void
test_an_event_in_place_is_like_any_other(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 124, 125, 126, 127, 128, 16379, 16380, 16381, 16384,
        2097146, 2097147, 2097148, 2097152};
    enum { COUNT = sizeof(sizes) / sizeof(sizes[0]) };
    for (size_t i = 0; i < COUNT * COUNT; i++) {
        size_t bytes = sizes[i % COUNT];
        uint8_t *payload = malloc(bytes + 1);
        assert_non_null(payload);
        for (size_t k = 0; k < bytes; k++) {
            payload[k] = (uint8_t)(k * 7);
        }
        lp_buf want = {0};
        lp_buf got = {0};
        lp_buf_append(&want, "abc", 3);
        lp_buf_append(&got, "abc", 3);
        jfr_event_append(&want, 300, (lp_slice){payload, bytes});
        jfr_event_open event = jfr_event_begin(&got, 300, sizes[i / COUNT]);
        lp_buf_append(&got, payload, bytes);
        jfr_event_end(&got, event);
        assert_int_equal(got.len, want.len);
        assert_memory_equal(got.ptr, want.ptr, want.len);
        lp_buf_fini(&want);
        lp_buf_fini(&got);
        free(payload);
    }
}

static void
test_an_event_may_have_bytes_elsewhere(void **state)
{
    (void)state;
    lp_buf got = {0};
    jfr_event_open event = jfr_event_begin(&got, 5, 20);
    lp_buf_append(&got, "abc", 3);
    event.bytes_elsewhere = 123;
    jfr_event_end(&got, event);
    assert_int_equal(got.len, 6);
    assert_memory_equal(got.ptr, "\x81\1\5abc", 6); // 2 + 1 + 3 + 123 bytes
    lp_buf_fini(&got);
}

static void
test_at_the_end_there_is_none(void **state)
{
    (void)state;
    uint8_t byte = 3;
    jfr_cursor rest = {&byte, &byte};
    jfr_event event = {0};
    assert_int_equal(jfr_event_next(&rest, &event), LP_EEND);
}

// expect_refused puts the bytes behind 7 others, at the very end of an allocation.
static void
expect_refused(const uint8_t *bytes, size_t count, const char *want_text)
{
    uint8_t *chunk = malloc(7 + count);
    assert_non_null(chunk);
    memset(chunk, 0, 7);
    memcpy(chunk + 7, bytes, count);
    jfr_cursor rest = {chunk + 7, chunk + 7 + count};
    jfr_event event = {0};
    assert_int_equal(jfr_event_next(&rest, &event), LP_ECORRUPT);
    assert_ptr_equal(rest.at, chunk + 7);
    lp_problem problem = {0};
    lp_slice whole = {chunk, 7 + count};
    assert_int_equal(jfr_event_problem(whole, &rest, &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, want_text);
    assert_true(problem.has_offset);
    assert_int_equal(problem.offset, 7);
    free(chunk);
}

static void
test_what_is_no_event_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        uint8_t bytes[12];
        const char *text;
    } rows[] = {
        {1, {0x80}, "an event's size is cut short"},
        {3, {0x83, 0x80, 0x80}, "an event's size is cut short"},
        {8, {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, "an event's size is cut short"},
        {3, {0, 5, 0}, "an event of 0 bytes, with 3 left in the chunk"},
        {3, {1, 5, 0}, "an event of 1 bytes, with 3 left in the chunk"},
        {3, {4, 5, 0}, "an event of 4 bytes, with 3 left in the chunk"},
        {5, {0x84, 0x80, 0x80, 0x00, 5}, "an event of 4 bytes, with 5 left in the chunk"},
        {5, {0x86, 0x80, 0x80, 0x00, 5}, "an event of 6 bytes, with 5 left in the chunk"},
        {10, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 5},
            "an event of 18446744073709551615 bytes, with 10 left in the chunk"},
        {2, {2, 0x80}, "an event without a type"},
        {12, {0, 5}, "an event of 0 bytes, with 12 left in the chunk"},
        {12, {1, 5}, "an event of 1 bytes, with 12 left in the chunk"},
        {12, {13, 5}, "an event of 13 bytes, with 12 left in the chunk"},
        {12, {0x84, 0x80, 0x80, 0x00, 5}, "an event of 4 bytes, with 12 left in the chunk"},
        {12, {0x8d, 0x80, 0x80, 0x00, 5}, "an event of 13 bytes, with 12 left in the chunk"},
        {12, {0x80, 0x80, 0x80, 0x01, 5}, "an event of 2097152 bytes, with 12 left in the chunk"},
        {12, {2, 0x80, 0x01}, "an event without a type"},
        {12, {3, 0x80, 0x80, 0x01, 0, 0, 0, 0, 0, 0, 0, 0}, "an event without a type"},
        {12, {0x85, 0x80, 0x80, 0x00, 0x80, 0x01, 0, 0, 0, 0, 0, 0}, "an event without a type"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        expect_refused(rows[i].bytes, rows[i].count, rows[i].text);
    }
}

// naive_varint reads at most len bytes; 0 bytes taken: they end within the number.
static size_t
naive_varint(const uint8_t *bytes, size_t len, uint64_t *out_value)
{
    *out_value = 0;
    for (size_t i = 0; i < len; i++) {
        if (i == 8) {
            *out_value += (uint64_t)bytes[i] << 56;
            return 9;
        }
        *out_value += (uint64_t)(bytes[i] % 128) << (7 * i);
        if (bytes[i] < 128) {
            return i + 1;
        }
    }
    return 0;
}

// Bytes of which about every tenth begin with an event.
static void
test_random_bytes_are_framed_as_by_hand(void **state)
{
    (void)state;
    uint64_t seed = 0x2545f4914f6cdd1du;
    unsigned accepted = 0;
    for (int round = 0; round < 300000; round++) {
        uint8_t bytes[20];
        for (size_t i = 0; i < sizeof(bytes); i++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            uint8_t high = (seed >> 40 & 3) != 0 ? 0x80 : 0; // often a longer number
            bytes[i] = (uint8_t)((seed >> 20 & 7) | high);
        }
        size_t len = (size_t)(seed >> 50) % 20 + 1;
        uint8_t *copy = malloc(len);
        assert_non_null(copy);
        memcpy(copy, bytes, len);
        uint64_t size = 0;
        uint64_t type = 0;
        size_t size_width = naive_varint(bytes, len, &size);
        bool is_event = size_width > 0 && size > size_width && size <= len;
        size_t type_width =
            is_event ? naive_varint(bytes + size_width, (size_t)size - size_width, &type) : 0;
        is_event &= type_width > 0;

        jfr_cursor rest = {copy, copy + len};
        jfr_event event = {0};
        assert_int_equal(jfr_event_next(&rest, &event), is_event ? LP_OK : LP_ECORRUPT);
        if (is_event) {
            accepted++;
            assert_int_equal(event.size, size);
            assert_true(event.type_id == type);
            assert_ptr_equal(event.payload.at, copy + size_width + type_width);
            assert_ptr_equal(rest.at, copy + size);
        }
        free(copy);
    }
    assert_true(accepted > 10000);
}

static void
expect_event(size_t payload_bytes, size_t want_total)
{
    lp_buf payload = {0};
    lp_buf buf = {0};
    uint8_t *bytes = lp_buf_extend(&payload, payload_bytes);
    assert_non_null(bytes);
    memset(bytes, 0x55, payload_bytes);
    jfr_event_append(&buf, 300, lp_buf_slice(&payload));
    assert_int_equal(buf.len, want_total);
    jfr_cursor rest = {buf.ptr, buf.ptr + buf.len};
    jfr_event event = {0};
    assert_int_equal(jfr_event_next(&rest, &event), LP_OK);
    assert_int_equal(event.size, want_total);
    assert_int_equal(event.type_id, 300);
    assert_int_equal(jfr_cursor_left(&event.payload), payload_bytes);
    lp_buf_fini(&payload);
    lp_buf_fini(&buf);
}

static void
test_the_size_of_an_event_counts_itself(void **state)
{
    (void)state;
    expect_event(1, 4);
    expect_event(124, 127);     // the longest with a size of one byte
    expect_event(125, 129);     // 128 would need two bytes for the size, and so be 129
    expect_event(16379, 16383); // the longest with two
    expect_event(16380, 16385);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_of_all_widths_are_framed),
        cmocka_unit_test(test_an_event_in_place_is_like_any_other),
        cmocka_unit_test(test_an_event_may_have_bytes_elsewhere),
        cmocka_unit_test(test_at_the_end_there_is_none),
        cmocka_unit_test(test_what_is_no_event_is_refused_by_name),
        cmocka_unit_test(test_random_bytes_are_framed_as_by_hand),
        cmocka_unit_test(test_the_size_of_an_event_counts_itself),
    };
    return cmocka_run_group_tests_name("jfr_event", tests, NULL, NULL);
}
