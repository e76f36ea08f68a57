// SPDX-License-Identifier: Apache-2.0
// Events by type, against what the test wrote: type ids of every width, ids and names that change
// from chunk to chunk, chunks of many steps, and what is counted of a damaged one.

#include "support/jfr_build.h"

#include "common/base/lp_assert.h"
#include "offline/event_tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ID_CONTEXTUAL = 7, ID_LONG = 8 };

// begin starts a chunk with event types of these ids and names; those of names with a + in front
// are contextual.
static void
begin(jfr_build *build, const uint64_t *ids, const char *const *names, size_t count)
{
    jfr_build_type types[12] = {
        {.id = ID_CONTEXTUAL, .name = "a.Contextual", .super = "java.lang.annotation.Annotation"},
        {.id = ID_LONG, .name = "long"},
    };
    LP_ASSERT(count <= 10);
    for (size_t i = 0; i < count; i++) {
        bool is_contextual = names[i][0] == '+';
        types[i + 2] = (jfr_build_type){
            .id = ids[i],
            .name = names[i] + is_contextual,
            .super = "jdk.jfr.Event",
            .annotation = is_contextual ? ID_CONTEXTUAL : 0,
            .fields = {{.name = "startTime", .type = ID_LONG}},
        };
    }
    jfr_build_begin(build, &(jfr_build_clock){0});
    jfr_build_metadata(build, 1, types, count + 2);
}

// add_events writes events with that many bytes of payload, and returns the bytes they take.
static uint64_t
add_events(jfr_build *build, uint64_t id, size_t count, size_t payload_bytes)
{
    size_t before = build->bytes.len;
    for (size_t i = 0; i < count; i++) {
        uint8_t *room = lp_buf_extend(&build->payload, payload_bytes);
        LP_ASSERT(room != NULL);
        memset(room, 0x85, payload_bytes);
        (void)jfr_build_event(build, id);
    }
    return build->bytes.len - before;
}

static lp_err
add_slice(event_tally *tally, lp_slice chunk, lp_problem *problem)
{
    jfr_chunk_info info;
    assert_int_equal(jfr_chunk_parse(chunk, &info, problem), LP_OK);
    return event_tally_add(tally, &info, chunk, problem);
}

static void
add_chunk(event_tally *tally, jfr_build *build)
{
    lp_problem problem = {0};
    assert_int_equal(add_slice(tally, jfr_build_finish(build), &problem), LP_OK);
}

static const event_tally_type *
find(const event_tally *tally, const char *name)
{
    const event_tally_type *found = NULL;
    for (size_t i = 0; i < tally->types.count; i++) {
        if (strcmp(tally->types.items[i].name, name) == 0) {
            assert_null(found);
            found = &tally->types.items[i];
        }
    }
    return found;
}

static void
expect(const event_tally *tally, const char *name, uint64_t events, uint64_t bytes)
{
    const event_tally_type *type = find(tally, name);
    assert_non_null(type);
    assert_int_equal(type->events, events);
    assert_int_equal(type->bytes, bytes);
}

static void
test_ids_of_every_width_are_counted(void **state)
{
    (void)state;
    static const uint64_t ids[] = {
        100, 127, 128, 16383, 16384, 65535, 65536, 2097152, 1ull << 40, UINT64_MAX};
    static const char *const names[] = {
        "+t.A", "t.B", "t.C", "t.D", "t.E", "+t.F", "t.G", "t.H", "t.I", "t.J"};
    for (size_t size_width = 0; size_width <= 9; size_width++) {
        jfr_build build;
        event_tally tally;
        uint64_t bytes[10] = {0};
        assert_int_equal(event_tally_init(&tally), LP_OK);
        begin(&build, ids, names, 10);
        for (size_t round = 0; round < 3; round++) { // in turns
            build.size_width = size_width == 1 ? 0 : size_width;
            for (size_t i = 0; i < 10; i++) {
                bytes[i] += add_events(&build, ids[i], i + 1, 3 + 40 * round + i);
            }
        }
        add_chunk(&tally, &build);
        event_tally_finish(&tally);
        assert_int_equal(tally.types.count, 11); // and jdk.Metadata
        for (size_t i = 0; i < 10; i++) {
            const char *name = names[i] + (names[i][0] == '+');
            expect(&tally, name, 3 * (i + 1), bytes[i]);
            assert_int_equal(find(&tally, name)->is_contextual, names[i][0] == '+');
            assert_false(find(&tally, name)->is_built_in);
            assert_string_equal(tally.types.items[i].name, names[9 - i] + (names[9 - i][0] == '+'));
        }
        assert_true(find(&tally, "jdk.Metadata")->is_built_in);
        event_tally_fini(&tally);
        jfr_build_fini(&build);
    }
}

// The same id means another type, a type has another id, and then all is as it was.
static void
test_ids_are_those_of_their_chunk(void **state)
{
    (void)state;
    static const uint64_t ids[][2] = {
        {100, 70000}, {70000, 100}, {70000, 200}, {100, 70000}, {100, 70000}};
    static const char *const names[][2] = {
        {"t.A", "t.B"}, {"t.A", "t.B"}, {"t.C", "t.B"}, {"+t.A", "t.B"}, {"t.A", "t.B"}};
    event_tally tally;
    assert_int_equal(event_tally_init(&tally), LP_OK);
    uint64_t bytes[3] = {0};
    for (size_t i = 0; i < 5; i++) {
        jfr_build build;
        begin(&build, ids[i], names[i], 2);
        bytes[i == 2 ? 2 : 0] += add_events(&build, ids[i][0], 1, 10);
        bytes[1] += add_events(&build, ids[i][1], 10, 10);
        add_chunk(&tally, &build);
        jfr_build_fini(&build); // nothing of it is kept
    }
    event_tally_finish(&tally);
    expect(&tally, "t.A", 4, bytes[0]);
    assert_true(find(&tally, "t.A")->is_contextual); // in one of them
    expect(&tally, "t.B", 50, bytes[1]);
    expect(&tally, "t.C", 1, bytes[2]);
    assert_int_equal(find(&tally, "jdk.Metadata")->events, 5);
    event_tally_fini(&tally);
}

static void
test_all_metadata_of_a_chunk_counts(void **state)
{
    (void)state;
    static const uint64_t ids[] = {100, 101};
    static const char *const names[] = {"t.A", "t.B"};
    event_tally tally;
    assert_int_equal(event_tally_init(&tally), LP_OK);
    for (size_t round = 0; round < 2; round++) {
        jfr_build build;
        jfr_build second;
        begin(&build, ids, names, 1);
        (void)add_events(&build, 100, 1, 10);
        (void)add_events(&build, 101, 1, 10);
        (void)add_events(&build, 102, 1, 10);
        begin(&second, ids + 1, names + 1, 1); // what it describes was used before it
        lp_slice more = jfr_build_payload(&second, second.metadata_offset);
        lp_buf_append(&build.payload, more.ptr, more.len);
        (void)jfr_build_event(&build, 0);
        add_chunk(&tally, &build);
        jfr_build_fini(&build);
        jfr_build_fini(&second);
    }
    event_tally_finish(&tally);
    assert_int_equal(find(&tally, "t.A")->events, 2);
    assert_int_equal(find(&tally, "t.B")->events, 2);
    assert_int_equal(find(&tally, "(not described)")->events, 2);
    assert_int_equal(find(&tally, "jdk.Metadata")->events, 4);
    event_tally_fini(&tally);
}

typedef struct passed {
    const uint8_t *at;
    size_t longest;
} passed;

static void
on_passed(void *arg, lp_slice bytes)
{
    passed *p = arg;
    assert_ptr_equal(bytes.ptr, p->at);
    p->at += bytes.len;
    p->longest = bytes.len > p->longest ? bytes.len : p->longest;
}

static void
test_a_large_chunk_is_passed_in_steps(void **state)
{
    (void)state;
    static const uint64_t ids[] = {100, 101};
    static const char *const names[] = {"t.Small", "t.Large"};
    enum { LARGE = 20 << 20 };
    jfr_build build;
    begin(&build, ids, names, 2);
    uint64_t small = add_events(&build, 100, 300000, 90);
    uint64_t large = add_events(&build, 101, 1, LARGE);
    small += add_events(&build, 100, 1, 90);
    lp_slice chunk = jfr_build_finish(&build);
    event_tally tally;
    assert_int_equal(event_tally_init(&tally), LP_OK);
    passed p = {.at = chunk.ptr};
    tally.on_passed = on_passed;
    tally.arg = &p;
    lp_problem problem;
    assert_int_equal(add_slice(&tally, chunk, &problem), LP_OK);
    assert_ptr_equal(p.at, chunk.ptr + chunk.len);
    assert_true(p.longest < LARGE + (9 << 20));
    event_tally_finish(&tally);
    expect(&tally, "t.Small", 300001, small);
    expect(&tally, "t.Large", 1, large);
    event_tally_fini(&tally);
    jfr_build_fini(&build);
}

// What lies before damage is counted where the header leads to the metadata, and nothing of it
// turns up in the next chunk.
static void
test_what_lies_before_damage_is_counted(void **state)
{
    (void)state;
    static const uint64_t ids[] = {100};
    static const char *const names[] = {"t.A"};
    for (int is_found = 0; is_found < 2; is_found++) {
        jfr_build build;
        jfr_build late;
        event_tally tally;
        assert_int_equal(event_tally_init(&tally), LP_OK);
        begin(&late, ids, names, 1);
        lp_slice metadata = jfr_build_payload(&late, late.metadata_offset);

        jfr_build_begin(&build, &(jfr_build_clock){0});
        uint64_t bytes = add_events(&build, 100, 3, 10);
        size_t damaged = build.bytes.len;
        (void)add_events(&build, 100, 2, 10);
        lp_buf_append(&build.payload, metadata.ptr, metadata.len);
        build.metadata_offset = jfr_build_event(&build, 0);
        if (is_found == 0) {
            build.metadata_offset = damaged;
        }
        lp_slice chunk = jfr_build_finish(&build);
        build.bytes.ptr[damaged] = 0;
        lp_problem problem = {0};
        assert_int_equal(add_slice(&tally, chunk, &problem), LP_ECORRUPT);
        assert_true(problem.has_offset);
        assert_int_equal(problem.offset, damaged);
        assert_non_null(strstr(problem.text, "an event of 0 bytes"));

        uint64_t more = add_events(&late, 100, 5, 10);
        add_chunk(&tally, &late);
        event_tally_finish(&tally);
        expect(&tally, "t.A", is_found ? 8 : 5, (is_found ? bytes : 0) + more);
        event_tally_fini(&tally);
        jfr_build_fini(&build);
        jfr_build_fini(&late);
    }
}

static void
test_a_chunk_without_metadata_is_refused(void **state)
{
    (void)state;
    jfr_build build;
    event_tally tally;
    assert_int_equal(event_tally_init(&tally), LP_OK);
    jfr_build_begin(&build, &(jfr_build_clock){0});
    (void)add_events(&build, 100, 3, 10);
    lp_problem problem = {0};
    for (int round = 0; round < 2; round++) { // not taken to be like the one before, either
        assert_int_equal(add_slice(&tally, jfr_build_finish(&build), &problem), LP_ECORRUPT);
        assert_non_null(strstr(problem.text, "no metadata"));
    }
    event_tally_finish(&tally);
    assert_int_equal(tally.types.count, 0);
    event_tally_fini(&tally);
    jfr_build_fini(&build);
}

static void
test_ids_without_end_are_refused(void **state)
{
    (void)state;
    static const uint64_t ids[] = {100};
    static const char *const names[] = {"t.A"};
    jfr_build build;
    event_tally tally;
    assert_int_equal(event_tally_init(&tally), LP_OK);
    begin(&build, ids, names, 1);
    for (uint64_t id = 0; id < 200000; id++) {
        (void)add_events(&build, 1000 + id, 1, 1);
    }
    lp_problem problem = {0};
    assert_int_equal(add_slice(&tally, jfr_build_finish(&build), &problem), LP_ELIMIT);
    event_tally_fini(&tally);
    jfr_build_fini(&build);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_of_every_width_are_counted),
        cmocka_unit_test(test_ids_are_those_of_their_chunk),
        cmocka_unit_test(test_all_metadata_of_a_chunk_counts),
        cmocka_unit_test(test_a_large_chunk_is_passed_in_steps),
        cmocka_unit_test(test_what_lies_before_damage_is_counted),
        cmocka_unit_test(test_a_chunk_without_metadata_is_refused),
        cmocka_unit_test(test_ids_without_end_are_refused),
    };
    return cmocka_run_group_tests_name("event_tally", tests, NULL, NULL);
}
