// SPDX-License-Identifier: Apache-2.0

// The reader accepts the bytes of NNG's requesters, however they are split, and refuses others. It
// allocates memory only with the owner's consent, and for bytes that were sent.
//
// The bytes are written by hand, from the specifications of SP's mappings to TCP and to Unix
// sockets.

#include "collector/net/sp_frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LIMIT = 1 << 20 };

#define REQUESTER 0, 'S', 'P', 0, 0, 0x30, 0, 0

static const uint8_t stream[] = {
    REQUESTER,                                              //
    0, 0, 0, 0, 0, 0, 0, 7, 0x80, 0, 0, 1, 'a', 'b', 'c',   //
    0, 0, 0, 0, 0, 0, 0, 4, 0xff, 0xff, 0xff, 0xff,         // nothing but its header
    0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 5, 0x80, 0, 0, 2, 'd', // through a device
};

static const uint8_t unix_stream[] = {
    REQUESTER,                                                 //
    1, 0, 0, 0, 0, 0, 0, 0, 7, 0x80, 0, 0, 1, 'a', 'b', 'c',   //
    1, 0, 0, 0, 0, 0, 0, 0, 4, 0xff, 0xff, 0xff, 0xff,         //
    1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 5, 0x80, 0, 0, 2, 'd', //
};

// The messages of both.
static const struct {
    size_t header_bytes;
    const char *body;
} wanted[] = {{4, "abc"}, {4, ""}, {8, "d"}};

// feed gives the reader up to count bytes at a time, and takes as many messages as come.
static size_t
feed(sp_reader *reader, const uint8_t *bytes, size_t size, size_t count)
{
    size_t messages = 0;
    for (size_t at = 0;;) {
        sp_event event = sp_reader_next(reader);
        if (event == SP_ANNOUNCED) {
            assert_int_equal(sp_reader_admit(reader), LP_OK);
        } else if (event == SP_MESSAGE) {
            sp_message message = sp_reader_take(reader);
            lp_slice bytes_of_it = {message.bytes, message.size_bytes};
            size_t header_bytes = sp_find_header(bytes_of_it);
            assert_int_equal(header_bytes, wanted[messages].header_bytes);
            assert_int_equal(message.size_bytes - header_bytes, strlen(wanted[messages].body));
            assert_memory_equal(message.bytes + header_bytes, wanted[messages].body,
                message.size_bytes - header_bytes);
            free(message.bytes);
            messages++;
        } else {
            assert_int_equal(event, SP_WAITS);
            if (at == size) {
                return messages;
            }
            size_t left = size - at < count ? size - at : count;
            struct iovec pieces[SP_READER_PIECES];
            int piece_count = sp_reader_get_room(reader, pieces);
            size_t filled = 0;
            assert_true(piece_count > 0);
            for (int i = 0; i < piece_count; i++) {
                size_t n = pieces[i].iov_len < left ? pieces[i].iov_len : left;
                memcpy(pieces[i].iov_base, bytes + at, n);
                at += n;
                left -= n;
                filled += n;
            }
            sp_reader_fill(reader, filled);
        }
    }
}

static void
test_messages_come_whole_however_they_are_cut(void **state)
{
    (void)state;
    for (size_t count = 1; count <= sizeof(unix_stream); count++) {
        sp_reader tcp = {.transport = SP_TCP, .message_bytes_max = LIMIT};
        assert_int_equal(feed(&tcp, stream, sizeof(stream), count), 3);
        assert_false(sp_reader_is_partial(&tcp));
        sp_reader_fini(&tcp);
        sp_reader local = {.transport = SP_UNIX, .message_bytes_max = LIMIT};
        assert_int_equal(feed(&local, unix_stream, sizeof(unix_stream), count), 3);
        sp_reader_fini(&local);
    }
}

static void
test_every_truncation_waits(void **state)
{
    (void)state;
    static const size_t ends[] = {SP_GREETING_BYTES, 23, 35, sizeof(stream)};
    for (size_t size = 0; size < sizeof(stream); size++) {
        size_t ended = 0;
        bool is_end = false;
        for (size_t i = 1; i < sizeof(ends) / sizeof(ends[0]); i++) {
            ended += ends[i] <= size;
        }
        for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
            is_end |= ends[i] == size;
        }
        sp_reader reader = {.transport = SP_TCP, .message_bytes_max = LIMIT};
        assert_int_equal(feed(&reader, stream, size, sizeof(stream)), ended);
        assert_int_equal(sp_reader_is_partial(&reader), !is_end);
        sp_reader_fini(&reader);
    }
}

// put feeds one piece of bytes, and returns the event.
static sp_event
put(sp_reader *reader, const uint8_t *bytes, size_t size)
{
    struct iovec pieces[SP_READER_PIECES];
    assert_int_equal(sp_reader_get_room(reader, pieces), 1);
    assert_true(pieces[0].iov_len >= size);
    memcpy(pieces[0].iov_base, bytes, size);
    sp_reader_fill(reader, size);
    return sp_reader_next(reader);
}

static void
test_only_a_requester_is_greeted(void **state)
{
    (void)state;
    static const uint8_t good[SP_GREETING_BYTES] = {REQUESTER};
    for (size_t i = 0; i < sizeof(good); i++) {
        for (unsigned value = 0; value <= UINT8_MAX; value++) {
            uint8_t bytes[SP_GREETING_BYTES];
            memcpy(bytes, good, sizeof(good));
            bytes[i] = (uint8_t)value;
            sp_reader reader = {.transport = SP_TCP, .message_bytes_max = LIMIT};
            assert_int_equal(
                put(&reader, bytes, sizeof(bytes)), value == good[i] ? SP_WAITS : SP_FOREIGN);
            sp_reader_fini(&reader);
        }
    }
}

static void
test_sizes_have_limits(void **state)
{
    (void)state;
    static const struct {
        uint8_t prefix[8];
        sp_event event;
    } table[] = {
        {{0, 0, 0, 0, 0, 0, 0, 0}, SP_FOREIGN}, // a request has a header
        {{0, 0, 0, 0, 0, 0, 0, 3}, SP_FOREIGN},
        {{0, 0, 0, 0, 0, 0, 0, 4}, SP_ANNOUNCED},
        {{0, 0, 0, 0, 0, 0x10, 0, 0}, SP_ANNOUNCED}, // LIMIT
        {{0, 0, 0, 0, 0, 0x10, 0, 1}, SP_TOO_LARGE},
        {{0, 0, 0, 1, 0, 0, 0, 4}, SP_TOO_LARGE},
        {{0x80, 0, 0, 0, 0, 0, 0, 4}, SP_TOO_LARGE},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, SP_TOO_LARGE},
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        sp_reader reader = {.transport = SP_TCP, .message_bytes_max = LIMIT, .is_greeted = true};
        assert_int_equal(put(&reader, table[i].prefix, sizeof(table[i].prefix)), table[i].event);
        struct iovec pieces[SP_READER_PIECES];
        assert_int_equal(sp_reader_get_room(&reader, pieces), 0); // nothing is read before consent
        sp_reader_fini(&reader);
    }
    static const uint8_t unmarked[] = {2, 0, 0, 0, 0, 0, 0, 0, 4};
    sp_reader local = {.transport = SP_UNIX, .message_bytes_max = LIMIT, .is_greeted = true};
    assert_int_equal(put(&local, unmarked, sizeof(unmarked)), SP_FOREIGN);
    sp_reader_fini(&local);
}

static void
test_a_large_message_has_memory_once_it_comes(void **state)
{
    (void)state;
    static const uint8_t prefix[] = {0, 0, 0, 0, 0, 0x10, 0, 0};
    struct iovec pieces[SP_READER_PIECES];
    sp_reader reader = {.transport = SP_TCP, .message_bytes_max = LIMIT, .is_greeted = true};
    assert_int_equal(put(&reader, prefix, sizeof(prefix)), SP_ANNOUNCED);
    assert_int_equal(sp_reader_admit(&reader), LP_OK);
    assert_int_equal(sp_reader_get_room(&reader, pieces), 1);
    assert_int_equal(pieces[0].iov_len, SP_FIRST_BYTES);
    memset(pieces[0].iov_base, 0x81, SP_FIRST_BYTES);
    sp_reader_fill(&reader, SP_FIRST_BYTES);
    assert_int_equal(sp_reader_next(&reader), SP_WAITS);
    assert_int_equal(sp_reader_get_room(&reader, pieces), 2);
    assert_int_equal(pieces[0].iov_len, LIMIT - SP_FIRST_BYTES);
    memset(pieces[0].iov_base, 0x82, pieces[0].iov_len);
    sp_reader_fill(&reader, pieces[0].iov_len);
    assert_int_equal(sp_reader_next(&reader), SP_MESSAGE);
    sp_message message = sp_reader_take(&reader);
    assert_int_equal(message.size_bytes, LIMIT);
    for (size_t i = 0; i < LIMIT; i++) {
        assert_int_equal(message.bytes[i], i < SP_FIRST_BYTES ? 0x81 : 0x82);
    }
    free(message.bytes);
    sp_reader_fini(&reader);
}

static void
test_headers(void **state)
{
    (void)state;
    uint8_t ids[SP_HEADER_BYTES_MAX + 4] = {0};
    assert_int_equal(sp_find_header((lp_slice){ids, sizeof(ids)}), 0);
    for (size_t last = 0; last < sizeof(ids) / 4; last++) {
        memset(ids, 0, sizeof(ids));
        ids[last * 4] = 0x80;
        size_t size = last < SP_IDS_MAX ? (last + 1) * 4 : 0;
        assert_int_equal(sp_find_header((lp_slice){ids, sizeof(ids)}), size);
        assert_int_equal(sp_find_header((lp_slice){ids, last * 4 + 3}), 0);
        assert_int_equal(sp_find_header((lp_slice){ids, last * 4 + 4}), size);
    }
    memset(ids, 0x7f, sizeof(ids));
    assert_int_equal(sp_find_header((lp_slice){ids, sizeof(ids)}), 0);
}

static void
test_what_is_sent(void **state)
{
    (void)state;
    static const uint8_t replier[] = {0, 'S', 'P', 0, 0, 0x31, 0, 0};
    static const uint8_t before[] = {1, 0, 0, 0, 0, 0, 0x12, 0x34, 0x56};
    uint8_t bytes[SP_PREFIX_BYTES_MAX];
    sp_greet(bytes);
    assert_memory_equal(bytes, replier, sizeof(replier));
    assert_int_equal(sp_encode_prefix(SP_TCP, 0x123456, bytes), 8);
    assert_memory_equal(bytes, before + 1, 8);
    assert_int_equal(sp_encode_prefix(SP_UNIX, 0x123456, bytes), 9);
    assert_memory_equal(bytes, before, 9);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_come_whole_however_they_are_cut),
        cmocka_unit_test(test_every_truncation_waits),
        cmocka_unit_test(test_only_a_requester_is_greeted),
        cmocka_unit_test(test_sizes_have_limits),
        cmocka_unit_test(test_a_large_message_has_memory_once_it_comes),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_what_is_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
