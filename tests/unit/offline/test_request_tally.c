// SPDX-License-Identifier: Apache-2.0
// What a recording says of its requests, against what the test wrote: sums over chunks, a field
// more than today's, a type of that name that Loupe did not write, and damage.

#include "support/jfr_build.h"

#include "offline/event_tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ID_LONG = 8, ID_ACCOUNT = 300 };

#define FIELD(field_name)                                                                          \
    {                                                                                              \
        .name = (field_name), .type = ID_LONG                                                      \
    }

static const jfr_build_type types[] = {
    {.id = ID_LONG, .name = "long"},
    {.id = ID_ACCOUNT,
        .name = "dev.loupe.RequestAccounting",
        .super = "jdk.jfr.Event",
        .fields = {FIELD("startTime"), FIELD("duration"), FIELD("offered"), FIELD("kept"),
            FIELD("rootsWithoutEnd"), FIELD("endsWithoutRoot"), FIELD("rootsTwice"),
            FIELD("reopened"), FIELD("partsWithoutRoot"), FIELD("overLimit"),
            FIELD("routesOverLimit"), FIELD("keptByParts"), FIELD("keptByOpen"),
            FIELD("keptByEvent"), FIELD("keptByRare"), FIELD("keptBySlowest"), FIELD("keptBySlow"),
            FIELD("keptByCondition"), FIELD("droppedByBudget"), FIELD("droppedByDrop"),
            FIELD("later")}},
};
static const jfr_build_type others[] = {
    {.id = ID_LONG, .name = "long"},
    {.id = ID_ACCOUNT,
        .name = "dev.loupe.RequestAccounting",
        .super = "jdk.jfr.Event",
        .fields = {FIELD("offered"), FIELD("kept")}},
};

static void
begin(jfr_build *build, const jfr_build_type *described)
{
    jfr_build_begin(build, &(jfr_build_clock){0});
    jfr_build_metadata(build, 1, described, 2);
}

// add adds an event of so many numbers, from offered on.
static void
add(jfr_build *build, const uint64_t *numbers, size_t count)
{
    jfr_build_varint(&build->payload, 100);
    jfr_build_varint(&build->payload, 200);
    for (size_t i = 0; i < count; i++) {
        jfr_build_varint(&build->payload, numbers[i]);
    }
    (void)jfr_build_event(build, ID_ACCOUNT);
}

static lp_err
tally(event_tally *t, jfr_build *build, lp_problem *problem)
{
    jfr_chunk_info info;
    lp_slice chunk = jfr_build_finish(build);
    assert_int_equal(jfr_chunk_parse(chunk, &info, NULL), LP_OK);
    return event_tally_add(t, &info, chunk, problem);
}

static void
test_numbers_are_summed(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {
        9, 2, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 21, 22, 99};
    event_tally t;
    assert_int_equal(event_tally_init(&t), LP_OK);
    for (int i = 0; i < 2; i++) {
        jfr_build build;
        begin(&build, types);
        add(&build, numbers, sizeof(numbers) / sizeof(numbers[0]));
        assert_int_equal(tally(&t, &build, NULL), LP_OK);
        jfr_build_fini(&build);
    }
    assert_int_equal(t.requests.offered, 18);
    assert_int_equal(t.requests.kept, 4);
    static const compact_request_losses twice = {2, 4, 6, 8, 10, 12, 14};
    assert_memory_equal(&t.requests.losses, &twice, sizeof(twice));
    assert_int_equal(compact_request_losses_sum(&t.requests.losses), 56);
    static const compact_request_reasons reasons = {{0, 22, 24, 26, 28, 30, 32, 34}, {0, 42, 44}};
    assert_memory_equal(&t.requests.reasons, &reasons, sizeof(reasons));
    event_tally_fini(&t);
}

static void
test_others_of_the_name_are_passed_over(void **state)
{
    (void)state;
    event_tally t;
    jfr_build build;
    assert_int_equal(event_tally_init(&t), LP_OK);
    begin(&build, others);
    add(&build, (const uint64_t[]){7, 3}, 2);
    assert_int_equal(tally(&t, &build, NULL), LP_OK);
    assert_int_equal(t.requests.offered, 0);
    jfr_build_fini(&build);
    event_tally_fini(&t);
}

static void
test_what_cannot_be_read_is_damage(void **state)
{
    (void)state;
    static const struct {
        uint64_t numbers[18];
        size_t count;
    } damaged[] = {
        {{9, 2, 1}, 3}, {{9, 2}, 17}, {{2, 9}, 18}}; // cut off, twice; more kept than offered
    for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
        event_tally t;
        jfr_build build;
        lp_problem problem;
        assert_int_equal(event_tally_init(&t), LP_OK);
        begin(&build, types);
        add(&build, damaged[i].numbers, damaged[i].count);
        assert_int_equal(tally(&t, &build, &problem), LP_ECORRUPT);
        assert_non_null(strstr(problem.text, "dev.loupe.RequestAccounting"));
        assert_int_equal(t.requests.offered, 0);
        jfr_build_fini(&build);
        event_tally_fini(&t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_summed),
        cmocka_unit_test(test_others_of_the_name_are_passed_over),
        cmocka_unit_test(test_what_cannot_be_read_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
