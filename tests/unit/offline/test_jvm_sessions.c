// SPDX-License-Identifier: Apache-2.0
// Promised: chunks of one JVM come together in the order of time, those of two never do, and a
// chunk that several files have counts once. Each test says what JVMs there were, lays their chunks
// into files, and compares with what it knows.

#include "offline/jvm_sessions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CHUNKS_MAX = 200, SECOND = 1000000000 };

static const int64_t base_wall_ns = 1700000000 * (int64_t)SECOND;

// A JVM; chunks are made of it.
typedef struct jvm {
    int64_t start_wall_ns; // counted from base_wall_ns
    int64_t ticks_per_s;
    int64_t pid; // 0: its chunks do not tell
} jvm;

typedef struct world {
    jvm_chunk chunks[CHUNKS_MAX];
    jvm_identity identities[CHUNKS_MAX]; // pid 0: none
    uint64_t contents[CHUNKS_MAX];       // the same number: the same bytes
    int types[CHUNKS_MAX];               // another number: a type id means something else
    size_t count;
    size_t identified; // how often the chunks were asked
    jvm_place places[CHUNKS_MAX];
} world;

// add puts a chunk of the JVM, from one moment to another, into a file.
static void
add(world *w, const jvm *of, uint32_t file, int64_t begin_ns, int64_t end_ns)
{
    size_t i = w->count++;
    __int128 ticks = (__int128)(begin_ns - of->start_wall_ns) * of->ticks_per_s / SECOND;
    w->chunks[i] = (jvm_chunk){
        .info = {.major = 2,
            .minor = 1,
            .start_wall_ns = base_wall_ns + begin_ns,
            .duration_ns = end_ns - begin_ns,
            .start_ticks = (int64_t)ticks,
            .ticks_per_s = of->ticks_per_s},
        .size_bytes = 1000,
        .file = file,
    };
    w->identities[i] = (jvm_identity){of->pid, (base_wall_ns + of->start_wall_ns) / 1000000};
    w->contents[i] = 1000 + i;
}

static bool
identify(void *arg, size_t chunk, jvm_identity *out_identity)
{
    world *w = arg;
    w->identified++;
    *out_identity = w->identities[chunk];
    return w->identities[chunk].pid != 0;
}

static bool
has_same_bytes(void *arg, size_t chunk, size_t other)
{
    const world *w = arg;
    return w->contents[chunk] == w->contents[other];
}

static bool
has_other_types(void *arg, size_t chunk, size_t other)
{
    const world *w = arg;
    return w->types[chunk] != w->types[other];
}

static void
find(world *w)
{
    const jvm_chunk_reader reader = {w, identify, has_same_bytes, has_other_types};
    assert_int_equal(jvm_sessions_find(w->chunks, w->count, &reader, w->places), LP_OK);
    bool is_placed[CHUNKS_MAX] = {false};
    for (size_t i = 0; i < w->count; i++) {
        assert_true(w->places[i].chunk < w->count);
        assert_false(is_placed[w->places[i].chunk]);
        is_placed[w->places[i].chunk] = true;
    }
}

// expect compares the places with text: the indexes of chunks, '|' between sessions, '=' before a
// duplicate and the one that it is of.
static void
expect(world *w, const char *text)
{
    char found[4 * CHUNKS_MAX] = "";
    find(w);
    size_t at = 0;
    for (size_t i = 0; i < w->count; i++) {
        const jvm_place *place = &w->places[i];
        bool is_duplicate = place->session == JVM_SESSIONS_DUPLICATE;
        if (is_duplicate) {
            found[at++] = '=';
        } else if (i > 0 && place->session != w->places[i - 1].session) {
            assert_int_equal(place->session, w->places[i - 1].session + 1);
            found[at++] = '|';
        }
        found[at++] = (char)('0' + place->chunk);
        if (is_duplicate) {
            found[at++] = (char)('0' + place->twin);
        }
    }
    assert_string_equal(found, text);
}

static const jvm nanos = {.start_wall_ns = 0, .ticks_per_s = SECOND, .pid = 10};
static const jvm tsc = {.start_wall_ns = 0, .ticks_per_s = 2600000000, .pid = 10};

static void
test_chunks_that_meet_are_one_session_without_a_look_into_them(void **state)
{
    (void)state;
    const jvm *jvms[] = {&nanos, &tsc};
    for (size_t i = 0; i < 2; i++) {
        world w = {.count = 0};
        for (int64_t k = 0; k < 5; k++) {
            add(&w, jvms[i], 0, 100 * k + 7, 100 * (k + 1) + 7);
        }
        expect(&w, "01234");
        assert_int_equal(w.identified, 0);
    }
}

static void
test_files_may_come_in_any_order(void **state)
{
    (void)state;
    world w = {.count = 0};
    add(&w, &nanos, 0, 20 * (int64_t)SECOND, 30 * (int64_t)SECOND);
    add(&w, &nanos, 1, 0, 10 * (int64_t)SECOND);
    add(&w, &nanos, 2, 10 * (int64_t)SECOND, 20 * (int64_t)SECOND);
    expect(&w, "120");
}

static void
test_a_gap_in_a_recording_does_not_part_it(void **state)
{
    (void)state;
    world w = {.count = 0};
    add(&w, &nanos, 0, 0, 10 * (int64_t)SECOND);
    add(&w, &nanos, 0, 50 * (int64_t)SECOND, 60 * (int64_t)SECOND);
    add(&w, &nanos, 1, 90 * (int64_t)SECOND, 99 * (int64_t)SECOND);
    expect(&w, "012");
}

static void
test_within_a_file_a_gap_needs_no_identity(void **state)
{
    (void)state;
    const jvm silent = {.start_wall_ns = 0, .ticks_per_s = SECOND, .pid = 0};
    world w = {.count = 0};
    add(&w, &silent, 0, 0, 10 * (int64_t)SECOND);
    add(&w, &silent, 0, 50 * (int64_t)SECOND, 60 * (int64_t)SECOND);
    add(&w, &silent, 1, 90 * (int64_t)SECOND, 99 * (int64_t)SECOND); // nothing speaks for it
    expect(&w, "01|2");
}

// Wall time and ticks are read one after the other, wall time of older JVMs is whole milliseconds,
// and the frequency in the header is not quite right.
static void
test_within_a_file_a_gap_may_have_an_inexact_clock(void **state)
{
    (void)state;
    static const jvm jvms[] = {{0, 2600000000, 0}, {0, SECOND, 0}};
    static const int64_t late_ns[] = {200000000, 2000000}; // 0.2 % of the time between; 2 ms
    for (size_t i = 0; i < 2; i++) {
        world w = {.count = 0};
        add(&w, &jvms[i], 0, 0, 10 * (int64_t)SECOND);
        add(&w, &jvms[i], 0, 100 * (int64_t)SECOND, 110 * (int64_t)SECOND);
        w.chunks[1].info.start_wall_ns += late_ns[i];
        expect(&w, "01");
    }
}

// A JVM's clock counts from its start. These numbers are from two JVMs that were started one after
// the other, in a script; the second one was quicker to record.
static void
test_within_a_file_silent_jvms_of_the_same_second_are_two(void **state)
{
    (void)state;
    const jvm first = {.start_wall_ns = 0, .ticks_per_s = SECOND, .pid = 0};
    const jvm second = {.start_wall_ns = 768395545, .ticks_per_s = SECOND, .pid = 0};
    static const int64_t delays_ns[] = {395551870, 557095163, 999999999}; // of the second one
    for (size_t i = 0; i < 3; i++) {
        int64_t begin_ns = second.start_wall_ns + delays_ns[i];
        world w = {.count = 0};
        add(&w, &first, 0, 557095163, 639182867);
        add(&w, &first, 0, 639182867, 688910102);
        add(&w, &second, 0, begin_ns, begin_ns + 98449579);
        add(&w, &second, 0, begin_ns + 98449579, begin_ns + 106827368);
        expect(&w, "01|23");
    }
}

// The JDK's reader fails on a file where an id is that of two types, as a damaged name makes it;
// whether the chunks say of which JVM they are or not.
static void
test_chunks_that_meet_with_other_types_are_two_sessions(void **state)
{
    (void)state;
    const jvm *jvms[] = {&nanos, &tsc};
    for (size_t i = 0; i < 4; i++) {
        world w = {.count = 0};
        jvm of = *jvms[i / 2];
        of.pid = i % 2 == 0 ? of.pid : 0;
        for (int64_t k = 0; k < 5; k++) {
            add(&w, &of, 0, 100 * k + 7, 100 * (k + 1) + 7);
        }
        w.types[2] = 1;
        expect(&w, "01|2|34");
    }
}

// Clocks that count from the start of the machine look alike, but JVMs of two versions, say, number
// their types in other ways.
static void
test_within_a_file_silent_jvms_with_other_types_are_two(void **state)
{
    (void)state;
    const jvm silent = {.start_wall_ns = 0, .ticks_per_s = SECOND, .pid = 0};
    for (int is_other = 0; is_other < 2; is_other++) {
        world w = {.count = 0};
        add(&w, &silent, 0, 0, 10 * (int64_t)SECOND);
        add(&w, &silent, 0, 10 * (int64_t)SECOND, 20 * (int64_t)SECOND);
        add(&w, &silent, 0, 50 * (int64_t)SECOND, 60 * (int64_t)SECOND);
        w.types[2] = is_other;
        expect(&w, is_other ? "01|2" : "012");
    }
}

static void
test_two_jvms_of_the_same_second_are_two(void **state)
{
    (void)state;
    const jvm other = {.start_wall_ns = 400000000, .ticks_per_s = SECOND, .pid = 11};
    world w = {.count = 0};
    add(&w, &nanos, 0, SECOND, 10 * (int64_t)SECOND);
    add(&w, &nanos, 0, 10 * (int64_t)SECOND, 20 * (int64_t)SECOND);
    add(&w, &other, 1, SECOND + 5, 10 * (int64_t)SECOND + 5);
    add(&w, &other, 1, 10 * (int64_t)SECOND + 5, 20 * (int64_t)SECOND);
    expect(&w, "01|23");
}

static void
test_two_jvms_one_after_the_other_with_the_same_clock_are_two(void **state)
{
    (void)state;
    // Clocks that count from the start of the machine look alike.
    const jvm other = {.start_wall_ns = 0, .ticks_per_s = SECOND, .pid = 11};
    for (uint32_t file = 0; file < 2; file++) {
        world w = {.count = 0};
        add(&w, &nanos, 0, 0, 10 * (int64_t)SECOND);
        add(&w, &other, file, 11 * (int64_t)SECOND, 20 * (int64_t)SECOND);
        add(&w, &nanos, file, 30 * (int64_t)SECOND, 40 * (int64_t)SECOND);
        expect(&w, "02|1");
    }
}

// What `loupe compact` makes of several JVMs counts nanoseconds from a minute before its first
// chunk, and has keys of its own: chunks of one of the JVMs that were recorded later, or before,
// are not in these terms, however far away they are.
static void
test_what_was_merged_and_what_was_recorded_by_one_of_its_jvms_are_two(void **state)
{
    (void)state;
    static const int64_t later_ns[] = {20 * (int64_t)SECOND, 36000 * (int64_t)SECOND};
    static const int64_t first_ns[] = {7 * (int64_t)SECOND, 59500 * (int64_t)1000000};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 2; k++) {
            const jvm merged = {first_ns[k] - 60 * (int64_t)SECOND, SECOND, nanos.pid};
            world w = {.count = 0};
            add(&w, &merged, 0, first_ns[k], first_ns[k] + SECOND);
            add(&w, &nanos, 1, first_ns[k] + later_ns[i], first_ns[k] + later_ns[i] + SECOND);
            w.identities[0] = w.identities[1];
            expect(&w, "0|1");
            w.count = 0;
            add(&w, &nanos, 0, first_ns[k] - SECOND, first_ns[k]);
            add(&w, &merged, 1, first_ns[k] + later_ns[i], first_ns[k] + later_ns[i] + SECOND);
            w.identities[1] = w.identities[0];
            expect(&w, "0|1");
        }
    }
}

static void
test_the_first_process_of_two_containers_is_two(void **state)
{
    (void)state;
    const jvm one = {.start_wall_ns = 0, .ticks_per_s = SECOND, .pid = 1};
    const jvm other = {.start_wall_ns = 300000, .ticks_per_s = SECOND, .pid = 1};
    world w = {.count = 0};
    add(&w, &one, 0, SECOND, 10 * (int64_t)SECOND);
    add(&w, &other, 1, SECOND + 5, 10 * (int64_t)SECOND + 5);
    expect(&w, "0|1");
}

static void
test_different_frequencies_are_different_jvms(void **state)
{
    (void)state;
    world w = {.count = 0};
    add(&w, &nanos, 0, 0, 10 * (int64_t)SECOND);
    add(&w, &tsc, 0, 10 * (int64_t)SECOND, 20 * (int64_t)SECOND);
    expect(&w, "0|1");
}

static void
test_chunks_that_meet_by_chance_have_other_clocks(void **state)
{
    (void)state;
    const jvm later = {.start_wall_ns = 5 * (int64_t)SECOND, .ticks_per_s = SECOND, .pid = 11};
    world w = {.count = 0};
    add(&w, &nanos, 0, 0, 10 * (int64_t)SECOND);
    add(&w, &later, 1, 10 * (int64_t)SECOND, 20 * (int64_t)SECOND);
    expect(&w, "0|1");
}

static void
test_dumps_that_overlap_have_each_chunk_once(void **state)
{
    (void)state;
    world w = {.count = 0};
    for (int64_t k = 0; k < 3; k++) {
        add(&w, &nanos, 0, 100 * k, 100 * (k + 1));
    }
    for (int64_t k = 1; k < 4; k++) {
        add(&w, &nanos, 1, 100 * k, 100 * (k + 1));
    }
    expect(&w, "0125=31=42");
}

static void
test_the_best_of_several_copies_is_taken(void **state)
{
    (void)state;
    for (int what = 0; what < 3; what++) {
        world w = {.count = 0};
        add(&w, &nanos, 0, 100, 200);
        add(&w, &nanos, 1, 100, 300);
        add(&w, &nanos, 2, 100, 200);
        switch (what) {
        case 0: // copies of a chunk that the JVM is writing: the finished one
            w.chunks[0].info.state = 5;
            w.chunks[2].info.state = 7;
            w.chunks[0].size_bytes = 5000; // with what it has not flushed
            break;
        case 1: // one that is not damaged
            w.chunks[0].is_damaged = w.chunks[2].is_damaged = true;
            w.chunks[1].info.state = 5;
            break;
        default: // the longer one
            w.chunks[1].size_bytes = 1001;
        }
        expect(&w, "1=01=21");
    }
}

static void
test_within_a_file_only_the_same_bytes_are_the_same_chunk(void **state)
{
    (void)state;
    world w = {.count = 0};
    add(&w, &nanos, 0, 100, 200);
    add(&w, &nanos, 0, 100, 200);
    add(&w, &nanos, 0, 100, 200);
    w.contents[2] = w.contents[0];
    expect(&w, "0|1=20");
}

static void
test_chunks_without_a_clock_are_kept(void **state)
{
    (void)state;
    const jvm none = {.start_wall_ns = 0, .ticks_per_s = SECOND, .pid = 0};
    world w = {.count = 0};
    add(&w, &none, 0, 0, 0);
    add(&w, &none, 1, 0, 0);
    w.chunks[0].info.start_wall_ns = w.chunks[1].info.start_wall_ns = 0;
    expect(&w, "0|1");
}

static void
test_absurd_headers_are_stood(void **state)
{
    (void)state;
    static const int64_t numbers[] = {0, 1, -1, INT64_MAX, INT64_MIN, SECOND};
    world w = {.count = 0};
    for (size_t i = 0; i < 150; i++) {
        add(&w, &nanos, (uint32_t)(i / 50), 0, 0);
        jfr_chunk_info *info = &w.chunks[i].info;
        info->start_wall_ns = numbers[i % 6];
        info->duration_ns = numbers[i / 6 % 6];
        info->start_ticks = numbers[(i + i / 36) % 6];
        info->ticks_per_s = i % 7 == 0 ? INT64_MAX : 1;
        w.identities[i].pid = (int64_t)(i % 3);
    }
    find(&w);
}

static void
test_nothing_has_no_sessions(void **state)
{
    (void)state;
    world w = {.count = 0};
    find(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_that_meet_are_one_session_without_a_look_into_them),
        cmocka_unit_test(test_files_may_come_in_any_order),
        cmocka_unit_test(test_a_gap_in_a_recording_does_not_part_it),
        cmocka_unit_test(test_within_a_file_a_gap_needs_no_identity),
        cmocka_unit_test(test_within_a_file_a_gap_may_have_an_inexact_clock),
        cmocka_unit_test(test_within_a_file_silent_jvms_of_the_same_second_are_two),
        cmocka_unit_test(test_within_a_file_silent_jvms_with_other_types_are_two),
        cmocka_unit_test(test_chunks_that_meet_with_other_types_are_two_sessions),
        cmocka_unit_test(test_two_jvms_of_the_same_second_are_two),
        cmocka_unit_test(test_two_jvms_one_after_the_other_with_the_same_clock_are_two),
        cmocka_unit_test(test_what_was_merged_and_what_was_recorded_by_one_of_its_jvms_are_two),
        cmocka_unit_test(test_the_first_process_of_two_containers_is_two),
        cmocka_unit_test(test_different_frequencies_are_different_jvms),
        cmocka_unit_test(test_chunks_that_meet_by_chance_have_other_clocks),
        cmocka_unit_test(test_dumps_that_overlap_have_each_chunk_once),
        cmocka_unit_test(test_the_best_of_several_copies_is_taken),
        cmocka_unit_test(test_within_a_file_only_the_same_bytes_are_the_same_chunk),
        cmocka_unit_test(test_chunks_without_a_clock_are_kept),
        cmocka_unit_test(test_absurd_headers_are_stood),
        cmocka_unit_test(test_nothing_has_no_sessions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
