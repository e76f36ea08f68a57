// SPDX-License-Identifier: Apache-2.0
// The events that record allocated bytes, and a query for them: it counts samples, or, in a
// recording without samples, allocations of buffers and outside of them.

#include "support/jfr_sample.h"

#include "query/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLE = 201, BUFFER = 202 };

static const jfr_build_type more_types[] = {
    {.id = SAMPLE,
        .name = "jdk.ObjectAllocationSample",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD,
            {.name = "weight", .type = JFR_SAMPLE_LONG}}},
    {.id = BUFFER,
        .name = "jdk.ObjectAllocationInNewTLAB",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD,
            {.name = "allocationSize", .type = JFR_SAMPLE_LONG},
            {.name = "tlabSize", .type = JFR_SAMPLE_LONG}}},
};

static void
begin_chunk(jfr_build *build)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    memcpy(types + count, more_types, sizeof(more_types));
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = 100, .duration_ns = 1000});
    jfr_build_metadata(build, 1, types, count + 2);
    jfr_sample_thread(build, 1, 11);
    jfr_sample_event(
        build, &(jfr_sample){
                   .type = JFR_SAMPLE_TRACE, .start = 100, .end = 200, .thread = 1, .text = "a"});
}

static void
add_sample(jfr_build *build, int64_t at, uint64_t weight)
{
    jfr_build_varint(&build->payload, (uint64_t)at);
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, weight);
    jfr_build_event(build, SAMPLE);
}

static void
add_buffer(jfr_build *build, int64_t at, uint64_t size, uint64_t buffer_size)
{
    jfr_build_varint(&build->payload, (uint64_t)at);
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, size);
    jfr_build_varint(&build->payload, buffer_size);
    jfr_build_event(build, BUFFER);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    int64_t *sum = arg;
    for (size_t i = 0; i < answer->row_count; i++) {
        *sum += answer->rows[i].bytes;
    }
    return LP_OK;
}

static int64_t
sum_of(jfr_build *build, bool wants_bytes)
{
    int64_t sum = 0;
    query_names names = {0};
    query_outcome outcome;
    const query_selection selection = query_selection_begin(false);
    jfr_build_checkpoint(build);
    const query_source source = {.bytes = jfr_build_finish(build)};
    const query_sources sources = {.items = &source, .count = 1};
    const query_question question = {.sources = &sources,
        .selection = &selection,
        .wants_bytes = wants_bytes,
        .on_context = on_context,
        .arg = &sum};
    assert_int_equal(query_run(&question, &names, &outcome), LP_OK);
    query_names_fini(&names);
    return sum;
}

static void
test_types_that_say_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        const char *field;
        bool is_sample;
    } cases[] = {
        {"jdk.ObjectAllocationSample", "weight", true},
        {"jdk.ObjectAllocationInNewTLAB", "tlabSize", false},
        {"jdk.ObjectAllocationOutsideTLAB", "allocationSize", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const query_allocation found = query_allocation_find(cases[i].type);
        assert_string_equal(found.bytes, cases[i].field);
        assert_int_equal(found.is_sample, cases[i].is_sample);
    }
    assert_null(query_allocation_find("jdk.ThreadPark").bytes);
}

static void
test_bytes_count_once(void **state)
{
    (void)state;
    jfr_build build;
    begin_chunk(&build);
    add_buffer(&build, 110, 16, 1000);
    add_buffer(&build, 120, 24, 2000);
    assert_int_equal(sum_of(&build, true), 3000);
    assert_int_equal(sum_of(&build, false), 0);
    jfr_build_fini(&build);

    begin_chunk(&build);
    add_buffer(&build, 110, 16, 1000);
    add_sample(&build, 110, 70);
    add_sample(&build, 130, 7);
    assert_int_equal(sum_of(&build, true), 77);
    jfr_build_fini(&build);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_that_say_bytes),
        cmocka_unit_test(test_bytes_count_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
