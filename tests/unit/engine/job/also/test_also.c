// SPDX-License-Identifier: Apache-2.0
// What a chunk has besides what the policy keeps: all that happened to a trace, a request or a
// thread, and what the owners of locks did meanwhile. A person listed what is expected. The
// accounting of each chunk must fit its events (compact_run.h). Costs 0.1 s.

#include "unit/engine/compact_session.h"

#include "common/jfr/jfr_metadata.h"
#include "common/rollup/rollup_id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
id_of(const char *text)
{
    uint64_t hash;
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)text, strlen(text)}, &hash));
    return hash;
}

// --- Owners of locks

enum {
    ENTER = 201, // jdk.JavaMonitorEnter: startTime duration eventThread previousOwner
    PAUSE = 202, // jdk.GCPhasePause: startTime duration
};

static const jfr_build_type more_types[] = {
    {.id = ENTER,
        .name = "jdk.JavaMonitorEnter",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            {.name = "previousOwner", .type = JFR_SAMPLE_THREAD, .is_constant = true}}},
    {.id = PAUSE,
        .name = "jdk.GCPhasePause",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION}},
};

enum { MORE_TYPES = sizeof(more_types) / sizeof(more_types[0]) };

static void
begin(jfr_build *build)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    memcpy(types + count, more_types, sizeof(more_types));
    jfr_build_begin(
        build, &(jfr_build_clock){.start_wall_ns = 1700000000000000000, .duration_ns = 1000000000});
    jfr_build_metadata(build, 1, types, count + MORE_TYPES);
    for (uint64_t key = 1; key <= 4; key++) {
        jfr_sample_thread(build, key, (int64_t)key);
    }
}

static void
add(jfr_build *build, uint64_t type, int64_t start, int64_t end, uint64_t thread, uint64_t owner)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)(end - start));
    if (type == ENTER) {
        jfr_build_varint(&build->payload, thread);
        jfr_build_varint(&build->payload, owner);
    }
    (void)jfr_build_event(build, type);
}

// expect compares the events of a chunk, each as "Type begin", in their order.
static void
expect(const compact_result *result, const char *want)
{
    lp_buf got = {0};
    jfr_read output;
    compact_run_read(result, &output);
    for (size_t i = 0; i < output.events.count; i++) {
        const jfr_read_event *event = &output.events.items[i];
        char line[80];
        const char *name = strrchr(jfr_read_name(&output, event), '.') + 1;
        (void)snprintf(line, sizeof(line), "%s%s %d", got.len > 0 ? ", " : "", name,
            (int)jfr_read_number(&output, event, "startTime"));
        lp_buf_append(&got, line, strlen(line));
    }
    lp_buf_append(&got, "", 1);
    assert_string_equal((const char *)got.ptr, want);
    lp_buf_fini(&got);
    jfr_read_close(&output);
}

static void
fill(jfr_build *build)
{
    begin(build);
    jfr_sample_mark(build, 4, 105);
    jfr_sample_mark(build, 1, 110);    // in the context
    jfr_sample_mark(build, 3, 130);    // the owner of the owner's lock
    add(build, ENTER, 115, 150, 2, 3); // the owner waits, too
    jfr_sample_mark(build, 3, 151);    // it has its lock
    jfr_sample_mark(build, 2, 160);    // what the owner did
    add(build, PAUSE, 165, 170, 0, 0); // pauses of the JVM
    add(build, ENTER, 120, 180, 1, 2); // waits for the owner
    jfr_sample_mark(build, 2, 185);    // no longer the owner
    jfr_sample_trace(build, 1, 100, 200, "A1");
    add(build, PAUSE, 210, 220, 0, 0);
    jfr_sample_mark(build, 1, 230);
    jfr_sample_trace(build, 1, 225, 240, "B2");
    add(build, ENTER, 250, 260, 4, 2);
    jfr_build_checkpoint(build);
}

// request_in returns the id of the first request in an output.
static uint64_t
request_in(const compact_result *result)
{
    jfr_read output;
    lp_buf text = {0};
    compact_run_read(result, &output);
    for (size_t i = 0; i < output.events.count && text.len == 0; i++) {
        if (strcmp(jfr_read_name(&output, &output.events.items[i]), JFR_REQUEST_TYPE) == 0) {
            assert_true(jfr_read_value(&output, &output.events.items[i], "id", &text));
        }
    }
    uint64_t id = strtoull((const char *)text.ptr + 1, NULL, 16); // behind the quote
    lp_buf_fini(&text);
    jfr_read_close(&output);
    return id;
}

static void
test_the_owner_of_a_lock_is_there_and_what_it_did(void **state)
{
    (void)state;
    jfr_build build;
    fill(&build);
    policy *rules = compact_run_policy(
        "<event name='test.Mark'><setting name='enabled'>false</setting></event>"
        "<event name='jdk.GCPhasePause'><setting name='enabled'>false</setting></event>"
        "<event name='jdk.JavaMonitorEnter'><setting name='threshold'>1 s</setting></event>");
    const compact_source source = {.jfr = jfr_build_finish(&build)};
    const uint64_t ids[] = {id_of("a1")}; // ids ignore case
    const compact_also also = {.ids = ids, .id_count = 1};
    compact_options options = {
        .policy = rules, .has_rollup = true, .has_requests = true, .also = &also};
    compact_result with;
    compact_result without;
    compact_run_with(&source, 1, &options, &with);
    options.also = NULL;
    compact_run_with(&source, 1, &options, &without);
    expect(&without, "RequestAccounting 0");
    expect(&with, "Trace 100, Request 100, Mark 110, Mark 130, JavaMonitorEnter 115, Mark 160, "
                  "GCPhasePause 165, JavaMonitorEnter 120, RequestAccounting 0");
    assert_int_equal(with.stats.requests_in, without.stats.requests_in);
    assert_int_equal(with.stats.requests_out, 0);
    assert_int_equal(with.stats.events_out, 7);
    assert_int_equal(with.stats.events_dropped.by[COMPACT_BY_ENABLED], 5);
    assert_int_equal(with.stats.events_dropped.by[COMPACT_BY_THRESHOLD], 1);

    const uint64_t requests[] = {request_in(&with)}; // the same, by the id of its request
    const compact_also by_request = {.requests = requests, .request_count = 1};
    compact_result again;
    options.also = &by_request;
    compact_run_with(&source, 1, &options, &again);
    assert_int_equal(again.jfr.len, with.jfr.len);
    assert_memory_equal(again.jfr.ptr, with.jfr.ptr, with.jfr.len);
    assert_false(with.stats.has_asked || again.stats.has_asked); // nobody asked
    compact_result_fini(&again);

    const uint64_t more[] = {requests[0], UINT64_MAX}; // it has only the first one
    for (size_t i = 0; i < 2; i++) {
        const compact_also asked = {
            .requests = more, .request_count = 2, .asked_request = &more[i]};
        options.also = &asked;
        compact_run_with(&source, 1, &options, &again);
        assert_int_equal(again.stats.has_asked, i == 0);
        compact_result_fini(&again);
    }
    compact_result_fini(&with);
    compact_result_fini(&without);
    policy_destroy(rules);
    jfr_build_fini(&build);
}

// --- Requests and contexts of the Loupe API

static ctx_entry pay_entries[] = {{.key = "traceId", .value = SESSION_VALUE("c3")}};
static ctx_entry ping_entries[] = {{.key = "route", .value = SESSION_VALUE("/ping")}};
static const ctx_recording maps[] = {{7, 1, pay_entries}, {8, 1, ping_entries}};

enum { PAY = 7, PING };

static void
part(session *s, int64_t from, int64_t to, int64_t thread, int64_t map, uint64_t request)
{
    session_install_for(s, from, thread, map, request);
    session_uninstall(s, to, thread);
}

static void
keep_nothing(session *s, const compact_also *also)
{
    s->has_requests = true;
    s->also = also;
    session_chunk(s, 0);
    session_define(s, maps, 2);
    session_rules(s, "<event name='test.Mark'><setting name='enabled'>false</setting></event>"
                     "<event name='jdk.RecordingContext'>"
                     "<setting name='context-threshold'>1 s</setting></event>");
}

// The trace's id is on one thread, but the request went on on another one.
static void
test_a_request_is_there_on_all_its_threads(void **state)
{
    session *s = *state;
    const uint64_t ids[] = {id_of("c3")};
    const compact_also also = {.ids = ids, .id_count = 1};
    keep_nothing(s, &also);
    session_root(s, 100, 1, 3, false);
    part(s, 110, 200, 1, PAY, 3);
    session_take(s, 250, 2, 1, 150);
    part(s, 250, 300, 2, PING, 3);
    session_root(s, 400, 2, 3, true);
    part(s, 500, 600, 1, PING, 4);
    session_mark(s, KEPT, 120, 1);
    session_mark(s, GONE, 120, 2);
    session_mark(s, KEPT, 260, 2);
    session_mark(s, GONE, 320, 2);
    session_mark(s, GONE, 550, 1);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 110..200 @1 traceId=\"c3\" route=\"null\", #2 250..300 @2 traceId=\"null\" "
        "route=\"/ping\"");
    assert_int_equal(jfr_read_count(&s->outputs[0], JFR_REQUEST_TYPE), 2);
    assert_int_equal(s->results[0].stats.requests_out, 0);
}

// The time of a thread, by its name and by its id. Chunk 0 begins at 1.7e18 ns.
static void
test_a_thread_is_there_in_its_time(void **state)
{
    session *s = *state;
    const int64_t wall = 1700000000000000000;
    const compact_also_thread threads[] = {{"thread-2", 0, wall + 200, wall + 300},
        {"no thread", 3, wall + 250, wall + 260}, {"no thread", 0, wall, wall + 1000}};
    const compact_also also = {.threads = threads, .thread_count = 3, .asked_thread = &threads[1]};
    keep_nothing(s, &also);
    part(s, 190, 210, 2, PING, 4);
    part(s, 301, 310, 2, PING, 5);
    session_mark(s, GONE, 199, 2);
    session_mark(s, KEPT, 200, 2);
    session_mark(s, KEPT, 300, 2);
    session_mark(s, GONE, 301, 2);
    session_mark(s, GONE, 240, 3);
    session_mark(s, KEPT, 250, 3);
    session_mark(s, GONE, 250, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 190..210 @2 traceId=\"null\" route=\"/ping\"");
    assert_true(s->results[0].stats.has_asked);
}

static void
test_a_thread_that_is_not_there_is_not_found(void **state)
{
    session *s = *state;
    const compact_also_thread threads[] = {
        {"thread-2", 0, 0, INT64_MAX}, {"thread-20", 99, 0, INT64_MAX}};
    const compact_also also = {.threads = threads, .thread_count = 2, .asked_thread = &threads[1]};
    keep_nothing(s, &also);
    session_mark(s, KEPT, 199, 2);
    session_run(s);
    assert_false(s->results[0].stats.has_asked);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_owner_of_a_lock_is_there_and_what_it_did),
        SESSION_TEST(test_a_request_is_there_on_all_its_threads),
        SESSION_TEST(test_a_thread_is_there_in_its_time),
        SESSION_TEST(test_a_thread_that_is_not_there_is_not_found),
    };
    return cmocka_run_group_tests_name("also", tests, NULL, NULL);
}
