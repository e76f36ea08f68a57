// SPDX-License-Identifier: Apache-2.0
// Events of watched types are counted, with the time that they were recorded in, wherever pieces of
// chunks are cut, and once each.
//
// The test makes chunks of events whose number it knows as it makes them. It costs little.

#include "support/be64.h"
#include "support/chance.h"

#include "agent/tail/tail_events.h"
#include "common/base/lp_buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    PARK = 300, // its id has two bytes
    READ = 9,
    OTHER = 301,
    START_NS = 1000000,
};

typedef struct fixture {
    tail_events *events;
    lp_buf bytes;   // of the chunk
    uint64_t parks; // in it
    uint64_t reads;
} fixture;

static int
set_up(void **state)
{
    static fixture f;
    f = (fixture){.events = tail_events_create()};
    assert_non_null(f.events);
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    tail_events_destroy(f->events);
    lp_buf_fini(&f->bytes);
    return 0;
}

static void
watch(fixture *f, uint64_t type)
{
    tail_events_watch(f->events, &type, 1);
}

static void
put_byte(fixture *f, unsigned byte)
{
    lp_buf_append(&f->bytes, &(uint8_t){(uint8_t)byte}, 1);
}

// put_padded puts a number in so many bytes, 8 at most.
static void
put_padded(fixture *f, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        put_byte(f, (unsigned)(value >> (7 * i) & 0x7f) | (i + 1 < width ? 0x80 : 0));
    }
}

static void
begin(fixture *f)
{
    static const uint8_t header[JFR_CHUNK_HEADER_SIZE] = {0};
    lp_buf_clear(&f->bytes);
    lp_buf_append(&f->bytes, header, sizeof(header));
    f->parks = 0;
    f->reads = 0;
}

// put_event puts an event whose size has so many bytes and whose type two; its values look like
// events.
static void
put_event(fixture *f, uint64_t type, size_t width, size_t values)
{
    put_padded(f, width + 2 + values, width);
    put_padded(f, type, 2);
    for (size_t i = 0; i < values; i++) {
        put_byte(f, i % 2 == 0 ? 3 : READ);
    }
    f->parks += type == PARK;
    f->reads += type == READ;
}

// feed hands on the bytes of the chunk from begin to end. A duration below 0: there is no header.
static void
feed(fixture *f, uint32_t chunk, size_t begin, size_t end, bool begins_event, int64_t duration_ns)
{
    tail_piece piece = {
        .place = {.chunk = chunk, .offset = begin},
        .size = end - begin,
        .begins_event = begins_event,
        .has_header = duration_ns >= 0,
    };
    memcpy(piece.header, "FLR\0\0\2\0\1", 8);
    be64_put(piece.header + 8, end);
    be64_put(piece.header + 32, START_NS);
    be64_put(piece.header + 40, (uint64_t)duration_ns);
    be64_put(piece.header + 56, 1000);
    tail_events_feed(f->events, &piece, (lp_slice){f->bytes.ptr + begin, end - begin});
}

static void
assert_counts(fixture *f, uint64_t events, int64_t recorded_ns, int64_t until_ns)
{
    tail_events_counts counts = tail_events_get(f->events);
    assert_int_equal(counts.events, events);
    assert_int_equal(counts.recorded_ns, recorded_ns);
    assert_int_equal(counts.until_wall_ns, until_ns == 0 ? 0 : START_NS + until_ns);
}

static void
put_some(fixture *f)
{
    begin(f);
    put_event(f, PARK, 1, 0);
    put_event(f, OTHER, 4, 20);
    put_event(f, READ, 8, 5);
    put_event(f, PARK, 2, 300);
    put_event(f, 0, 4, 7);
    put_event(f, PARK, 4, 1);
}

static void
test_events_count_wherever_pieces_are_cut(void **state)
{
    fixture *f = *state;
    put_some(f);
    assert_int_equal(f->parks, 3);
    watch(f, PARK);
    for (size_t cut = 1; cut < f->bytes.len; cut++) {
        uint32_t chunk = (uint32_t)cut;
        feed(f, chunk, 0, cut, false, -1);
        assert_counts(f, 3 * (cut - 1), (int64_t)(cut - 1) * 100, cut == 1 ? 0 : 100);
        feed(f, chunk, cut, f->bytes.len, false, 100);
        assert_counts(f, 3 * cut, (int64_t)cut * 100, 100);
    }
}

static void
test_several_types_count_together(void **state)
{
    fixture *f = *state;
    put_some(f);
    tail_events_watch(f->events, (const uint64_t[]){READ, PARK}, 2);
    feed(f, 0, 0, f->bytes.len, false, 50);
    assert_counts(f, f->reads + f->parks, 50, 50);
}

static void
test_a_varint_of_nine_bytes(void **state)
{
    fixture *f = *state;
    begin(f);
    put_padded(f, 9 + 2, 8);
    f->bytes.ptr[f->bytes.len - 1] |= 0x80;
    put_byte(f, 0); // all of its bits count
    put_padded(f, PARK, 2);
    put_event(f, PARK, 1, 3);
    watch(f, PARK);
    feed(f, 0, 0, f->bytes.len, false, 50);
    assert_counts(f, 2, 50, 50);
}

static void
test_random_chunks_in_random_pieces(void **state)
{
    fixture *f = *state;
    uint64_t seed = 40;
    uint64_t parks = 0;
    int64_t recorded_ns = 0;
    watch(f, PARK);
    for (uint32_t chunk = 0; chunk < 200; chunk++) {
        static const uint64_t types[] = {PARK, OTHER, READ, 0, 1};
        begin(f);
        size_t at = 0;
        int64_t duration_ns = 0;
        for (size_t flushes = chance_below(&seed, 5) + 1; flushes-- > 0;) {
            for (size_t count = chance_below(&seed, 30); count-- > 0;) {
                size_t width = 2 + chance_below(&seed, 6);
                put_event(f, types[chance_below(&seed, 5)], width, chance_below(&seed, 400));
            }
            duration_ns += (int64_t)chance_below(&seed, 1000) + 1;
            bool begins_event = at > 0;
            while (at < f->bytes.len) {
                size_t end = at + 1 + chance_below(&seed, f->bytes.len - at);
                feed(f, chunk, at, end, begins_event, end == f->bytes.len ? duration_ns : -1);
                begins_event = false;
                at = end;
            }
        }
        feed(f, chunk, at, at, true, ++duration_ns); // the last header comes alone
        parks += f->parks;
        recorded_ns += duration_ns;
        assert_counts(f, parks, recorded_ns, duration_ns);
    }
}

static void
test_events_count_with_the_header_behind_them(void **state)
{
    fixture *f = *state;
    put_some(f);
    watch(f, PARK);
    size_t first = f->bytes.len;
    feed(f, 0, 0, first, false, -1);
    assert_counts(f, 0, 0, 0);
    put_event(f, PARK, 1, 0);
    feed(f, 0, first, f->bytes.len, false, 70);
    assert_counts(f, 4, 70, 70);
}

static void
test_what_comes_again_counts_once(void **state)
{
    fixture *f = *state;
    put_some(f);
    watch(f, PARK);
    size_t first = f->bytes.len;
    feed(f, 0, 0, first, false, 100);
    put_event(f, PARK, 1, 0);
    size_t second = f->bytes.len;
    feed(f, 0, first, second, true, 150);
    assert_counts(f, 4, 150, 150);
    feed(f, 0, 0, 90, false, -1);
    feed(f, 0, 90, 90, false, 150);
    feed(f, 0, 90, second, false, 150);
    assert_counts(f, 4, 150, 150);
    put_event(f, PARK, 1, 40);
    feed(f, 0, second, second + 4, true, -1);
    feed(f, 0, 0, f->bytes.len, false, 170); // over what was read of it, and more
    assert_counts(f, 5, 170, 170);
    size_t third = f->bytes.len;
    put_event(f, PARK, 1, 0);
    feed(f, 0, third, f->bytes.len, true, 180);
    assert_counts(f, 6, 180, 180);
}

static void
test_nothing_counts_until_something_is_watched(void **state)
{
    fixture *f = *state;
    put_some(f);
    size_t first = f->bytes.len;
    feed(f, 0, 0, first, false, 100);
    assert_counts(f, 0, 0, 0);
    watch(f, PARK);
    put_event(f, PARK, 1, 0);
    size_t second = f->bytes.len;
    feed(f, 0, first, second, false, -1); // there was an event before, which may be cut
    put_event(f, PARK, 1, 0);
    size_t third = f->bytes.len;
    feed(f, 0, second, third, false, 130);
    assert_counts(f, 0, 0, 0);
    put_event(f, PARK, 1, 0);
    feed(f, 0, third, f->bytes.len, true, 145);
    assert_counts(f, 1, 15, 145);
    tail_events_watch(f->events, &(uint64_t){PARK}, 0);
    put_some(f);
    feed(f, 1, 0, f->bytes.len, false, 100);
    assert_counts(f, 1, 15, 145);
    watch(f, OTHER);
    put_some(f);
    feed(f, 2, 0, f->bytes.len, false, 100);
    assert_counts(f, 2, 115, 100);
}

static void
test_types_change_with_a_header_or_a_chunk(void **state)
{
    fixture *f = *state;
    put_some(f);
    size_t first = f->bytes.len;
    for (size_t cut = 1; cut < first; cut++) {
        uint32_t chunk = (uint32_t)(2 * cut);
        tail_events_counts before = tail_events_get(f->events);
        watch(f, PARK);
        put_some(f);
        feed(f, chunk, 0, cut, false, -1);
        watch(f, READ);
        feed(f, chunk, cut, first, false, 100);
        assert_int_equal(tail_events_get(f->events).events, before.events + 3);
        put_event(f, PARK, 1, 0);
        put_event(f, READ, 1, 0);
        feed(f, chunk, first, f->bytes.len, true, 130);
        assert_counts(f, before.events + 4, before.recorded_ns + 130, 130);
        watch(f, OTHER);
        put_some(f);
        feed(f, chunk + 1, 0, first, false, 50);
        assert_counts(f, before.events + 5, before.recorded_ns + 180, 50);
    }
}

static void
test_times_that_are_too_large_do_not_count(void **state)
{
    fixture *f = *state;
    put_some(f);
    size_t first = f->bytes.len;
    watch(f, PARK);
    feed(f, 0, 0, first, false, INT64_MAX); // behind START_NS
    assert_counts(f, 0, 0, 0);
    put_event(f, PARK, 1, 0);
    feed(f, 0, first, f->bytes.len, true, 100); // since when is unknown
    assert_counts(f, 0, 0, 0);
    put_some(f);
    feed(f, 1, 0, first, false, INT64_MAX - START_NS);
    assert_counts(f, 3, INT64_MAX - START_NS, INT64_MAX - START_NS);
    put_some(f);
    feed(f, 2, 0, first, false, START_NS + 1); // in all
    assert_counts(f, 3, INT64_MAX - START_NS, INT64_MAX - START_NS);
}

static void
test_a_damaged_event_ends_it_until_the_next_header(void **state)
{
    fixture *f = *state;
    for (uint32_t chunk = 0; chunk < 2; chunk++) {
        put_some(f);
        watch(f, PARK);
        put_padded(f, chunk == 0 ? 2 : 100000, 3); // shorter than its head, or longer than all
        put_padded(f, OTHER, 2);
        put_event(f, PARK, 1, 0);
        size_t first = f->bytes.len;
        feed(f, chunk, 0, first, false, 100);
        assert_counts(f, chunk, (int64_t)chunk * 20, chunk == 0 ? 0 : 120);
        put_event(f, PARK, 1, 0);
        feed(f, chunk, first, f->bytes.len, true, 120);
        assert_counts(f, chunk + 1, (int64_t)(chunk + 1) * 20, 120);
    }
}

static void
test_a_chunk_without_an_end_does_not_count(void **state)
{
    fixture *f = *state;
    put_some(f);
    watch(f, PARK);
    feed(f, 0, 0, 100, false, -1);
    feed(f, 1, 0, f->bytes.len, false, 100);
    assert_counts(f, 3, 100, 100);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_events_count_wherever_pieces_are_cut),
        TEST(test_several_types_count_together),
        TEST(test_a_varint_of_nine_bytes),
        TEST(test_random_chunks_in_random_pieces),
        TEST(test_events_count_with_the_header_behind_them),
        TEST(test_what_comes_again_counts_once),
        TEST(test_nothing_counts_until_something_is_watched),
        TEST(test_types_change_with_a_header_or_a_chunk),
        TEST(test_times_that_are_too_large_do_not_count),
        TEST(test_a_damaged_event_ends_it_until_the_next_header),
        TEST(test_a_chunk_without_an_end_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
