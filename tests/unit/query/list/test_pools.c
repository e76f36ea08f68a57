// SPDX-License-Identifier: Apache-2.0
// Threads by pool: which pool a thread is of; CPU, allocations and waits of all threads of a pool
// together, in order. Chunks are made by hand, and a person has added them up.

#include "support/query_world.h"

#include "query/list/pools.h"
#include "query/select/pool_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ENTER = 150, WAIT, CPU_TIME, TLAB };

static const jfr_build_type types[] = {
    {.id = ENTER,
        .name = "jdk.JavaMonitorEnter",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD}},
    {.id = WAIT,
        .name = "jdk.JavaMonitorWait",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD}},
    {.id = CPU_TIME,
        .name = "jdk.CPUTimeSample",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD,
            {.name = "samplingPeriod", .type = JFR_SAMPLE_LONG}}},
    {.id = TLAB,
        .name = "jdk.ObjectAllocationOutsideTLAB",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD,
            {.name = "allocationSize", .type = JFR_SAMPLE_LONG}}},
};

static void
add_wait(jfr_build *build, uint64_t type, uint64_t thread, int64_t start, int64_t end)
{
    query_world_add_times(build, start, end);
    jfr_build_varint(&build->payload, thread);
    jfr_build_event(build, type);
}

static void
add_number(jfr_build *build, uint64_t type, uint64_t thread, int64_t at, uint64_t number)
{
    jfr_build_varint(&build->payload, (uint64_t)at);
    jfr_build_varint(&build->payload, thread);
    jfr_build_varint(&build->payload, number);
    jfr_build_event(build, type);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_pools_add(arg, answer);
}

// expect compares the first `limit` pools of the threads on `thread`, or of all.
static void
expect(query_world *w, const char *thread, size_t limit, const char *expected)
{
    const query_sources sources = query_world_sources(w);
    query_selection selection = query_selection_begin(false);
    selection.unit = QUERY_UNIT_THREADS;
    selection.thread = thread;
    query_pools pools = {.names = &w->names};
    query_question question = {
        .sources = &sources, .selection = &selection, .on_context = on_context, .arg = &pools};
    query_pools_prepare(&question);
    assert_int_equal(query_run(&question, &w->names, &w->outcome), LP_OK);
    query_pools_finish(&pools);
    json_t *json = query_pools_json(&pools, limit, &w->outcome);
    char *text = json_dumps(json, 0);
    assert_string_equal(text, expected);
    free(text);
    json_decref(json);
    query_pools_fini(&pools);
}

// Both threads, thread-11 and thread-12, are of one pool.
static void
test_threads_of_a_pool_are_added_up(void **state)
{
    (void)state;
    query_world w = {0};
    for (int64_t i = 0; i < 2; i++) {
        jfr_build *build = query_world_begin_chunk(&w, i * 1000, 1000000000, types, 4);
        add_wait(build, ENTER, 1, i * 1000 + 10, i * 1000 + 110);
        add_wait(build, WAIT, 2, i * 1000 + 10, i * 1000 + 40);
        add_number(build, CPU_TIME, 2, i * 1000 + 200, 60);
        add_number(build, TLAB, 1, i * 1000 + 210, 4096);
    }
    query_world_finish(&w);
    expect(&w, NULL, 10,
        "{\"pools\": [{\"pool\": \"thread-*\", \"threads\": 2, \"samples\": 2, \"cpu_ns\": 120, "
        "\"alloc_bytes\": 8192, \"blocked_ns\": 260, \"waits\": {\"lock\": 200, \"wait\": 60}}], "
        "\"pool_count\": 1, \"is_truncated\": false}");
    expect(&w, "11", 10,
        "{\"pools\": [{\"pool\": \"thread-*\", \"threads\": 1, \"samples\": 0, \"cpu_ns\": 0, "
        "\"alloc_bytes\": 8192, \"blocked_ns\": 200, \"waits\": {\"lock\": 200}}], "
        "\"pool_count\": 1, \"is_truncated\": false}");
    expect(&w, "thread-*", 0, "{\"pools\": [], \"pool_count\": 1, \"is_truncated\": false}");
    expect(&w, "none", 10, "{\"pools\": [], \"pool_count\": 0, \"is_truncated\": false}");
    query_world_fini(&w);
}

static void
test_a_pool_is_a_name_without_the_number_at_its_end(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"http-nio-8080-exec-12", "http-nio-8080-exec-*"},
        {"pool-3-thread-1", "pool-3-thread-*"},
        {"GC Thread#0", "GC Thread#*"},
        {"C2 CompilerThread0", "C2 CompilerThread*"},
        {"main", "main"},
        {"HikariPool-1 housekeeper", "HikariPool-1 housekeeper"},
        {"42", "42"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char name[QUERY_POOL_NAME_BYTES];
        query_pool_name(cases[i][0], name);
        assert_string_equal(name, cases[i][1]);
    }
    char name[QUERY_POOL_NAME_BYTES];
    char longest[2 * QUERY_POOL_NAME_BYTES];
    memset(longest, 'x', sizeof(longest));
    longest[sizeof(longest) - 2] = '1';
    longest[sizeof(longest) - 1] = '\0';
    query_pool_name(longest, name);
    assert_int_equal(strlen(name), QUERY_POOL_NAME_BYTES - 1); // cut
    assert_int_equal(name[QUERY_POOL_NAME_BYTES - 2], 'x');
}

static query_pool
pool_of(query_names *names, const char *name, int64_t cpu_ns, int64_t blocked_ns)
{
    return (query_pool){
        .name = query_names_add(names, name), .cpu_ns = cpu_ns, .blocked_ns = blocked_ns};
}

static void
test_pools_are_in_order_of_cpu_waits_and_name(void **state)
{
    (void)state;
    query_names names = {0};
    query_pools pools = {.names = &names};
    const query_pool made[] = {pool_of(&names, "b", 1, 5), pool_of(&names, "d", 1, 9),
        pool_of(&names, "a", 1, 5), pool_of(&names, "c", 2, 0)};
    for (size_t i = 0; i < 4; i++) {
        query_pool *pool = LP_VEC_PUSH(&pools.items);
        assert_non_null(pool);
        *pool = made[i];
    }
    query_pools_finish(&pools);
    static const char *const order[] = {"c", "d", "a", "b"};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(query_names_text(&names, pools.items.items[i].name), order[i]);
    }
    query_pools_fini(&pools);
    query_names_fini(&names);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_of_a_pool_are_added_up),
        cmocka_unit_test(test_a_pool_is_a_name_without_the_number_at_its_end),
        cmocka_unit_test(test_pools_are_in_order_of_cpu_waits_and_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
