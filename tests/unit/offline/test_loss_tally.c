// SPDX-License-Identifier: Apache-2.0
// What a recording says it lacks, against what the test wrote: sums by kind over chunks, a field
// more than today's, a type of that name that Loupe did not write, and damage.

#include "support/jfr_build.h"

#include "offline/event_tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ID_LONG = 8, ID_STRING = 9, ID_LOSS = 300 };

#define LOSS_FIELDS                                                                                \
    {.name = "startTime", .type = ID_LONG}, {.name = "duration", .type = ID_LONG},                 \
        {.name = "kind", .type = ID_STRING}, {.name = "amount", .type = ID_LONG},                  \
    {                                                                                              \
        .name = "message", .type = ID_STRING                                                       \
    }

static const jfr_build_type types[] = {
    {.id = ID_LONG, .name = "long"},
    {.id = ID_STRING, .name = "java.lang.String"},
    {.id = ID_LOSS, .name = "dev.loupe.Loss", .super = "jdk.jfr.Event", .fields = {LOSS_FIELDS}},
};
static const jfr_build_type others[] = {
    {.id = ID_LONG, .name = "long"},
    {.id = ID_STRING, .name = "java.lang.String"},
    {.id = ID_LOSS,
        .name = "dev.loupe.Loss",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "kind", .type = ID_STRING}, {.name = "amount", .type = ID_LONG}}},
};
enum { TYPES = sizeof(types) / sizeof(types[0]) };

static void
begin(jfr_build *build, const jfr_build_type *described)
{
    jfr_build_begin(build, &(jfr_build_clock){0});
    jfr_build_metadata(build, 1, described, TYPES);
}

static void
add_loss(jfr_build *build, const char *kind, uint64_t amount)
{
    jfr_build_varint(&build->payload, 100);
    jfr_build_varint(&build->payload, 200);
    jfr_build_string(&build->payload, kind);
    jfr_build_varint(&build->payload, amount);
    jfr_build_string(&build->payload, "somewhere");
    (void)jfr_build_event(build, ID_LOSS);
}

static lp_err
tally(event_tally *t, jfr_build *build)
{
    jfr_chunk_info info;
    lp_problem problem;
    lp_slice chunk = jfr_build_finish(build);
    assert_int_equal(jfr_chunk_parse(chunk, &info, NULL), LP_OK);
    return event_tally_add(t, &info, chunk, &problem);
}

static void
test_losses_are_summed_by_kind(void **state)
{
    (void)state;
    event_tally t;
    assert_int_equal(event_tally_init(&t), LP_OK);
    for (int i = 0; i < 2; i++) {
        jfr_build build;
        begin(&build, types);
        add_loss(&build, "gap_bytes", 1000);
        add_loss(&build, "carries_lost", 1);
        add_loss(&build, "gap_bytes", 7);
        assert_int_equal(tally(&t, &build), LP_OK);
        jfr_build_fini(&build);
    }
    assert_int_equal(t.losses.count, 2);
    assert_string_equal(t.losses.kinds[0].name, "gap_bytes");
    assert_int_equal(t.losses.kinds[0].amount, 2014);
    assert_string_equal(t.losses.kinds[1].name, "carries_lost");
    assert_int_equal(t.losses.kinds[1].amount, 2);
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
    jfr_build_string(&build.payload, "gap_bytes");
    jfr_build_varint(&build.payload, 5);
    (void)jfr_build_event(&build, ID_LOSS);
    assert_int_equal(tally(&t, &build), LP_OK);
    assert_int_equal(t.losses.count, 0);
    jfr_build_fini(&build);
    event_tally_fini(&t);
}

static void
test_what_cannot_be_read_is_damage(void **state)
{
    (void)state;
    event_tally t;
    jfr_build build;
    assert_int_equal(event_tally_init(&t), LP_OK);
    begin(&build, types);
    add_loss(&build, "gap_bytes", 5);
    jfr_build_varint(&build.payload, 100);
    (void)jfr_build_event(&build, ID_LOSS);
    assert_int_equal(tally(&t, &build), LP_ECORRUPT);
    assert_int_equal(t.losses.count, 1);
    assert_int_equal(t.losses.kinds[0].amount, 5);
    jfr_build_fini(&build);
    event_tally_fini(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_are_summed_by_kind),
        cmocka_unit_test(test_others_of_the_name_are_passed_over),
        cmocka_unit_test(test_what_cannot_be_read_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
