// SPDX-License-Identifier: Apache-2.0
// Promised: if the metadata of a damaged chunk is intact, every event before the damage is in the
// output unchanged, nothing else is, and the damage is reported with its offset. With
// COMPACT_REFUSED_ALL the chunk is refused. Chunks are damaged at every place. The expected output
// follows from how they were made, and a reader that shares no code with the engine reads it.

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EVENTS = 12, THREADS = 3, CHUNK_HEADER_TYPE = 222 };

// Where the constants are: writers differ.
typedef enum order {
    CONSTANTS_FIRST, // metadata, constants, events: what Loupe writes
    CONSTANTS_LAST,  // metadata, events, constants: async-profiler
    METADATA_LAST,   // events, constants, metadata: HotSpot, where all of it is one flush
} order;

// A chunk, and where its events are.
typedef struct chunk {
    jfr_build build;
    lp_buf with_metadata_first; // the same, for the reader of the tests
    lp_slice bytes;
    size_t begins[EVENTS];
    size_t ends[EVENTS];
} chunk;

static void
add_constants(jfr_build *build)
{
    for (uint64_t key = 1; key <= THREADS; key++) {
        jfr_sample_thread(build, key, (int64_t)key);
        jfr_sample_stack(build, key);
    }
    jfr_build_checkpoint(build);
}

static void
add_events(chunk *c)
{
    for (size_t i = 0; i < EVENTS; i++) {
        char text[40];
        (void)snprintf(text, sizeof(text), "event %zu", i);
        c->begins[i] = jfr_sample_event(&c->build, &(jfr_sample){.type = JFR_SAMPLE_PLAIN,
                                                       .start = (int64_t)(1000 + i),
                                                       .end = (int64_t)(2000 + i),
                                                       .thread = 1 + i % THREADS,
                                                       .stack = 1 + i % THREADS,
                                                       .text = text});
        c->ends[i] = c->build.bytes.len;
    }
}

// move_metadata makes a chunk whose metadata is behind everything, out of one where it is first.
static void
move_metadata_back(chunk *c)
{
    jfr_build *build = &c->build;
    size_t begin = build->metadata_offset;
    size_t size = c->begins[0] - begin;
    lp_buf metadata = {0};
    lp_buf_append(&metadata, build->bytes.ptr + begin, size);
    memmove(
        build->bytes.ptr + begin, build->bytes.ptr + begin + size, build->bytes.len - begin - size);
    build->bytes.len -= size;
    for (size_t i = 0; i < EVENTS; i++) {
        c->begins[i] -= size;
        c->ends[i] -= size;
    }
    build->checkpoint_offset -= size;
    build->metadata_offset = build->bytes.len;
    lp_buf_append(&build->bytes, metadata.ptr, size);
    lp_buf_fini(&metadata);
}

static void
make(chunk *c, order how)
{
    *c = (chunk){.bytes = {0}};
    jfr_sample_begin(&c->build, 500);
    if (how == CONSTANTS_FIRST) {
        add_constants(&c->build);
    }
    add_events(c);
    if (how != CONSTANTS_FIRST) {
        add_constants(&c->build);
    }
    c->bytes = jfr_build_finish(&c->build);
    lp_buf_append(&c->with_metadata_first, c->bytes.ptr, c->bytes.len);
    if (how == METADATA_LAST) {
        move_metadata_back(c);
    }
    c->bytes = jfr_build_finish(&c->build);
}

static void
drop(chunk *c)
{
    jfr_build_fini(&c->build);
    lp_buf_fini(&c->with_metadata_first);
}

// damaged returns a copy of exactly the size of the chunk, so that a sanitizer sees reads beyond
// it.
static lp_slice
damaged(lp_slice bytes, size_t size)
{
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes.ptr, size);
    return (lp_slice){copy, size};
}

static void
expect_refusal(lp_slice bytes)
{
    const compact_source source = {.jfr = bytes};
    for (compact_refused refused = COMPACT_REFUSED_UNREADABLE; refused <= COMPACT_REFUSED_ALL;
         refused++) {
        const compact_options strict = {.refused = refused};
        compact_result result;
        lp_problem problem;
        assert_int_equal(
            compact_chunk(&source, NULL, 0, NULL, &strict, &result, &problem), LP_ECORRUPT);
        assert_true(problem.has_offset);
        assert_true(problem.offset <= bytes.len);
    }
}

// find_text gives the index of the event with that text, EVENTS if there is none.
static size_t
find_text(const char (*texts)[600], const lp_buf *text)
{
    size_t i = 0;
    while (i < EVENTS && strcmp(texts[i], (const char *)text->ptr) != 0) {
        i++;
    }
    return i;
}

// expect compacts the bytes, and expects the events that were made before `from`: unchanged if
// has_constants. Some of the later ones may be there.
static compact_damage
expect(const chunk *c, lp_slice bytes, size_t from, bool has_constants)
{
    static char texts[EVENTS][600];
    const compact_source source = {.jfr = bytes};
    compact_result result;
    lp_problem problem;
    jfr_read before;
    jfr_read after;
    bool is_found[EVENTS] = {false};
    lp_buf text = {0};

    jfr_read_open(&before, lp_buf_slice(&c->with_metadata_first));
    assert_int_equal(before.events.count, EVENTS);
    for (size_t i = 0; i < EVENTS; i++) {
        lp_buf_clear(&text);
        jfr_read_text(&before, &before.events.items[i], &text);
        assert_true(text.len < sizeof(texts[i]));
        memcpy(texts[i], text.ptr, text.len + 1);
    }
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &result, &problem), LP_OK);
    compact_run_read(&result, &after);
    for (size_t i = 0; i < after.events.count; i++) {
        lp_buf_clear(&text);
        jfr_read_text(&after, &after.events.items[i], &text);
        size_t index = find_text(texts, &text);
        if (index < EVENTS) {
            assert_false(is_found[index]);
            is_found[index] = true;
        } else {
            assert_false(has_constants); // an event that never was
        }
    }
    for (size_t i = 0; i < from && has_constants; i++) {
        assert_true(is_found[i]);
    }
    assert_true(after.events.count >= from);
    compact_damage damage = result.damage;
    result.damage = (compact_damage){0};
    jfr_read_close(&before);
    jfr_read_close(&after);
    compact_result_fini(&result);
    lp_buf_fini(&text);
    return damage;
}

static size_t
count_before(const chunk *c, size_t offset)
{
    size_t count = 0;
    while (count < EVENTS && c->ends[count] <= offset) {
        count++;
    }
    return count;
}

static void
test_every_truncation_leaves_the_events_before_it(void **state)
{
    (void)state;
    chunk c;
    make(&c, CONSTANTS_FIRST);
    for (size_t size = c.begins[0]; size < c.bytes.len; size++) {
        lp_slice bytes = damaged(c.bytes, size);
        size_t count = count_before(&c, size);
        compact_damage damage = expect(&c, bytes, count, true);
        size_t rest = count == 0 ? size - c.begins[0] : size - c.ends[count - 1];
        assert_int_equal(damage.skipped_bytes, rest);
        assert_int_equal(damage.place_count, 1 + (rest > 0)); // the size in the header is one
        if (rest > 0) {
            assert_int_equal(damage.notes.items[1].problem.offset, size - rest);
        }
        expect_refusal(bytes);
        free((void *)(uintptr_t)bytes.ptr);
    }
    drop(&c);
}

static void
test_of_a_checkpoint_that_is_cut_off_the_constants_before_it_are_used(void **state)
{
    (void)state;
    chunk c;
    make(&c, CONSTANTS_LAST);
    size_t with_threads = 0;
    for (size_t size = c.ends[EVENTS - 1]; size < c.bytes.len; size++) {
        lp_slice bytes = damaged(c.bytes, size);
        compact_damage damage = expect(&c, bytes, EVENTS, size == c.bytes.len);
        assert_true(damage.skipped_bytes <= size - c.ends[EVENTS - 1]);

        const compact_source source = {.jfr = bytes};
        compact_result result;
        jfr_read read;
        assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &result, NULL), LP_OK);
        compact_run_read(&result, &read);
        size_t threads = jfr_read_find_type(&read, "java.lang.Thread") == NULL
                             ? 0
                             : jfr_read_pool_size(&read, "java.lang.Thread");
        assert_true(threads >= with_threads); // the more there is, the more is used
        with_threads = threads;
        jfr_read_close(&read);
        compact_result_fini(&result);
        free((void *)(uintptr_t)bytes.ptr);
    }
    assert_int_equal(with_threads, THREADS);
    drop(&c);
}

static void
test_a_place_without_an_event_leaves_the_events_before_it(void **state)
{
    (void)state;
    static const order orders[] = {CONSTANTS_FIRST, CONSTANTS_LAST, METADATA_LAST};
    for (size_t o = 0; o < 3; o++) {
        chunk c;
        make(&c, orders[o]);
        for (size_t i = 0; i < EVENTS; i++) {
            lp_slice bytes = damaged(c.bytes, c.bytes.len);
            ((uint8_t *)(uintptr_t)bytes.ptr)[c.begins[i]] = 0; // its size
            compact_damage damage = expect(&c, bytes, i, true);
            assert_int_equal(damage.place_count, 1);
            assert_int_equal(damage.notes.items[0].problem.offset, c.begins[i]);
            expect_refusal(bytes);
            free((void *)(uintptr_t)bytes.ptr);
        }
        drop(&c);
    }
}

static void
test_a_wrong_size_in_the_header_costs_nothing(void **state)
{
    (void)state;
    chunk c;
    make(&c, METADATA_LAST);
    for (unsigned what = 0; what < 3; what++) {
        lp_slice bytes = damaged(c.bytes, c.bytes.len);
        uint8_t *header = (uint8_t *)(uintptr_t)bytes.ptr;
        memset(header + 8, what == 0 ? 0 : 0x7f, what == 2 ? 24 : 8); // with 2 the offsets, too
        compact_damage damage = expect(&c, bytes, EVENTS, true);
        assert_int_equal(damage.place_count, 1);
        assert_int_equal(damage.skipped_bytes, 0);
        expect_refusal(bytes);
        free((void *)(uintptr_t)bytes.ptr);
    }
    drop(&c);
}

// expect_damage_counted expects that without a policy nothing but damage drops an event, unless it
// is read as a context, in which nothing happened.
static void
expect_damage_counted(const compact_stats *stats, size_t written)
{
    assert_int_equal(stats->events_out, written);
    uint64_t contexts = stats->events_dropped.by[COMPACT_BY_SELECT];
    assert_int_equal(
        stats->events_dropped.by[COMPACT_BY_DAMAGED] + contexts, stats->events_in - written);
    assert_int_equal(compact_dropped_sum(&stats->events_dropped), stats->events_in - written);
}

static void
test_any_changed_byte_among_events_leaves_those_before_it(void **state)
{
    (void)state;
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    for (size_t o = 0; o < 2; o++) {
        chunk c;
        make(&c, o == 0 ? CONSTANTS_FIRST : METADATA_LAST);
        for (size_t at = c.begins[0]; at < c.ends[EVENTS - 1]; at++) {
            for (size_t i = 0; i < sizeof(changes); i++) {
                lp_slice bytes = damaged(c.bytes, c.bytes.len);
                ((uint8_t *)(uintptr_t)bytes.ptr)[at] ^= changes[i];
                const compact_source source = {.jfr = bytes};
                compact_result result;
                jfr_read read;
                lp_problem problem;
                if (compact_chunk(&source, NULL, 0, NULL, NULL, &result, &problem) == LP_OK) {
                    compact_run_read(&result, &read);
                    assert_true(read.events.count >= count_before(&c, at));
                    expect_damage_counted(&result.stats, read.events.count);
                    jfr_read_close(&read);
                    compact_result_fini(&result);
                } else {
                    print_error("at %zu: %s\n", at, problem.text);
                    fail(); // the metadata is intact
                }
                free((void *)(uintptr_t)bytes.ptr);
            }
        }
        drop(&c);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_truncation_leaves_the_events_before_it),
        cmocka_unit_test(test_of_a_checkpoint_that_is_cut_off_the_constants_before_it_are_used),
        cmocka_unit_test(test_a_place_without_an_event_leaves_the_events_before_it),
        cmocka_unit_test(test_a_wrong_size_in_the_header_costs_nothing),
        cmocka_unit_test(test_any_changed_byte_among_events_leaves_those_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
