// SPDX-License-Identifier: Apache-2.0
// Input that no JVM writes, and memory that runs out: the engine refuses or copes, in little time,
// and leaves nothing behind. Run under the sanitizers, it also shows that no number overflows.

#include "compact_session.h"
#include "support/alloc_build.h"
#include "support/ctx_build.h"
#include "support/failing_alloc.h"
#include "support/large.h"

#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/context/ctx_type.h"
#include "common/rollup/rollup_bytes.h"
#include "engine/carry/carry.h"
#include "engine/show/survey.h"
#include "engine/write/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// The result of a run: its error, and a hash of all bytes that it wrote.
typedef struct outcome {
    lp_err err;
    uint64_t hash;
} outcome;

static void
hash_bytes(outcome *run, const lp_buf *bytes)
{
    run->hash = lp_hash_bytes(run->hash, lp_buf_slice(bytes));
}

// expect_clean is called with the outcome of a run that began with allocations_left above 0, and
// with that of a whole run, in which no allocation fails. A run in which one failed ends with
// LP_ENOMEM, or has written the same bytes without it. Returns whether one failed.
static bool
expect_clean(outcome whole, outcome run)
{
    bool has_failed = allocations_left == 0;
    allocations_left = 0;
    if (has_failed && run.err != LP_OK) {
        assert_int_equal(run.err, LP_ENOMEM);
    } else {
        assert_int_equal(run.err, LP_OK);
        assert_true(run.hash == whole.hash);
    }
    return has_failed;
}

static lp_err
compact_one(lp_slice jfr, lp_problem *problem)
{
    const compact_source source = {.jfr = jfr};
    compact_result result = {0};
    lp_err err = compact_chunk(&source, NULL, 0, NULL, NULL, &result, problem);
    compact_result_fini(&result);
    return err;
}

// Each type has sixteen fields of the next one, so the first has 16^15 of the last.
static void
test_structures_that_multiply_are_refused(void **state)
{
    (void)state;
    enum { LEVELS = 16, FIRST_ID = 100 };
    char names[LEVELS][16];
    jfr_build_type types[LEVELS + 1] = {[LEVELS] = {.id = FIRST_ID + LEVELS, .name = "long"}};
    for (uint64_t i = 0; i < LEVELS; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "Level%" PRIu64, i);
        types[i] = (jfr_build_type){.id = FIRST_ID + i, .name = names[i]};
        for (size_t k = 0; k < JFR_BUILD_FIELDS_MAX; k++) {
            types[i].fields[k] = (jfr_build_field){.name = "more", .type = FIRST_ID + i + 1};
        }
    }
    jfr_build build;
    jfr_build_begin(&build, &(jfr_build_clock){0});
    jfr_build_metadata(&build, 1, types, LEVELS + 1);
    lp_problem problem;
    assert_int_equal(compact_one(jfr_build_finish(&build), &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "fields"));
    jfr_build_fini(&build);
}

// startTime, duration and the thread's ids are structures without any field: they have no bytes.
static void
test_fields_without_bytes_are_not_numbers(void **state)
{
    (void)state;
    enum { THREAD = 100, EVENT = 101, EMPTY = 102 };
    const jfr_build_type types[] = {
        {.id = EMPTY, .name = "Empty"},
        {.id = THREAD,
            .name = "java.lang.Thread",
            .fields = {{.name = "osThreadId", .type = EMPTY},
                {.name = "javaThreadId", .type = EMPTY}}},
        {.id = EVENT,
            .name = "Event",
            .super = "jdk.jfr.Event",
            .fields = {{.name = "startTime", .type = EMPTY}, {.name = "duration", .type = EMPTY}}},
    };
    jfr_build build;
    jfr_build_begin(&build, &(jfr_build_clock){0});
    jfr_build_metadata(&build, 1, types, 3);
    jfr_build_constant(&build, THREAD, 1);
    jfr_build_checkpoint(&build);
    (void)jfr_build_event(&build, EVENT);
    assert_int_equal(compact_one(jfr_build_finish(&build), NULL), LP_OK);
    jfr_build_fini(&build);
}

// A type with the name of a number claims to be an event with a time and a thread. Its events
// consist of that type, and as no event can have that name, it gets another.
static void
test_an_event_may_have_the_name_of_a_number(void **state)
{
    (void)state;
    enum { NUMBER = 1, THREAD = 100, EVENT = 101 };
    const jfr_build_type types[] = {
        {.id = NUMBER, .name = "long"},
        {.id = THREAD,
            .name = "java.lang.Thread",
            .fields = {{.name = "javaThreadId", .type = NUMBER}}},
        {.id = EVENT,
            .name = "double",
            .super = "jdk.jfr.Event",
            .fields = {{.name = "startTime", .type = NUMBER},
                {.name = "sampledThread", .type = THREAD, .is_constant = true}}},
    };
    jfr_build build;
    jfr_build_begin(&build, &(jfr_build_clock){0});
    jfr_build_metadata(&build, 1, types, 3);
    jfr_build_varint(&build.payload, 5);
    jfr_build_varint(&build.payload, 0);
    (void)jfr_build_event(&build, EVENT);
    const compact_source source = {.jfr = jfr_build_finish(&build)};
    compact_result result;
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &result, NULL), LP_OK);
    assert_int_equal(result.stats.unknown_events, 0);
    assert_int_equal(result.stats.events_out, 1);
    assert_string_equal(result.stats.types[0].name, "double_");
    assert_int_equal(result.damage.place_count, 1);
    compact_result_fini(&result);
    jfr_build_fini(&build);
}

// The first of two metadata events describes a class without an id; the second is whole.
static void
test_metadata_that_a_later_one_replaces_may_be_damaged(void **state)
{
    (void)state;
    jfr_build build;
    jfr_sample_begin(&build, 0);
    size_t first_end = build.bytes.len;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    jfr_build_metadata(&build, 2, types, jfr_sample_types(types));
    jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_IDLE, .start = 5, .end = 6});
    lp_slice chunk = jfr_build_finish(&build);
    uint8_t *id = memmem(build.bytes.ptr, first_end, "\2id", 3); // the string, after its length
    assert_non_null(id);
    id[2] = 'e';
    const compact_source source = {.jfr = chunk};
    compact_result result;
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &result, NULL), LP_OK);
    assert_int_equal(result.stats.events_out, 1);
    assert_int_equal(result.damage.place_count, 1);
    compact_result_fini(&result);
    jfr_build_fini(&build);
}

// Lookups by the names of types: a linear search each time would take minutes.
static void
test_there_may_be_any_number_of_types(void **state)
{
    (void)state;
    enum { MANY = 70000 }; // more than 16 bits count
    compact_stats stats = {.type_count = MANY, .types = calloc(MANY, sizeof(*stats.types))};
    compact_stats total = {0};
    compact_throttles throttles = {0};
    const policy_throttle rate = {.count = 1, .per_ns = 1};
    for (size_t i = 0; i < MANY; i++) {
        char name[24];
        (void)snprintf(name, sizeof(name), "test.Type%zu", i);
        stats.types[i] = (compact_type_stats){.name = strdup(name), .events_in = i};
    }
    for (size_t round = 1; round <= 2; round++) {
        assert_int_equal(compact_stats_add(&total, &stats), LP_OK);
        assert_int_equal(total.type_count, MANY);
        for (size_t i = 0; i < MANY; i++) {
            uint32_t index;
            assert_int_equal(
                compact_throttles_add(&throttles, stats.types[i].name, rate, &index), LP_OK);
            assert_int_equal(index, i);
            assert_int_equal(total.types[i].events_in, round * i);
            assert_string_equal(total.types[i].name, stats.types[i].name);
        }
    }
    assert_int_equal(throttles.items.count, MANY);
    compact_throttles_fini(&throttles);
    compact_stats_fini(&total);
    compact_stats_fini(&stats);
}

// A context from the first tick there is, in which nothing happened.
static void
test_what_never_happened_was_at_no_time(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, GONE, INT64_MIN, 10, 1);
    session_trace(s, KEPT, INT64_MIN, 10, 2);
    session_mark(s, KEPT, 9, 2);
    session_run(s);
}

static void
test_any_time_is_a_time(void **state)
{
    (void)state;
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    enum { COUNT = sizeof(ends) / sizeof(ends[0]) };
    for (size_t start = 0; start < COUNT; start++) {
        for (size_t next = 0; next < COUNT; next++) {
            session *s = session_create();
            session_chunk(s, ends[start]);
            s->chunks[0].clock.ticks_per_s = ends[next] > 0 ? ends[next] : 1000000000;
            s->chunks[0].clock.start_wall_ns = ends[next];
            s->chunks[0].clock.duration_ns = ends[start];
            for (size_t i = 0; i < COUNT; i++) {
                session_mark(s, KEPT, ends[i], 1);
                session_plain(s, KEPT, ends[start], ends[i], 2);
                session_set(s, ends[i], 1, "x");
                session_unset(s, ends[next], 1);
                session_set(s, ends[i], 2, "y");
            }
            session_chunk(s, ends[next]);
            session_mark(s, KEPT, ends[start], 1);
            session_run(s);
            session_destroy(s);
        }
    }
}

static void
test_more_context_types_than_a_jvm_has_are_refused(void **state)
{
    session *s = *state;
    ctx_type types[CTX_TYPES_MAX + 1];
    for (size_t i = 0; i <= CTX_TYPES_MAX; i++) {
        types[i] = session_types[0];
        types[i].id = (uint16_t)(i + 1);
    }
    session_chunk(s, 0);
    const compact_source source = {
        .jfr = jfr_build_finish(session_build(s)), .types = types, .type_count = CTX_TYPES_MAX + 1};
    compact_result result;
    lp_problem problem;
    lp_err err = compact_chunk(&source, NULL, 0, NULL, NULL, &result, &problem);
    assert_int_equal(err, LP_ELIMIT);
}

static void
test_a_carry_over_with_an_unfit_type_is_refused(void **state)
{
    (void)state;
    const ctx_type key_and_text = {.attribute_count = 2, .attributes = {{CTX_LONG}, {CTX_STRING}}};
    const ctx_type one_long = {.attribute_count = 1, .attributes = {{CTX_LONG}}};
    const ctx_type two_longs = {.attribute_count = 2, .attributes = {{CTX_LONG}, {CTX_LONG}}};
    const struct {
        const ctx_type *like;
        uint16_t id;
        uint16_t completes;
        bool is_recording;
        bool is_among_completing;
        lp_err err;
    } cases[] = {
        {&key_and_text, 2, 1, false, true, LP_OK},
        {&key_and_text, 2, 0, false, false, LP_OK},
        {&two_longs, 2, 0, true, false, LP_OK},
        {&two_longs, 2, 1, true, true, LP_ECORRUPT},
        {&one_long, 2, 0, true, false, LP_ECORRUPT}, // has no second attribute
        {&one_long, 2, 1, false, true, LP_ECORRUPT},
        {&key_and_text, 2, 1, true, true, LP_ECORRUPT},
        {&key_and_text, 2, 0, true, false, LP_ECORRUPT},
        {&key_and_text, 2, 2, false, true, LP_ECORRUPT},
        {&key_and_text, 0, 1, false, true, LP_ECORRUPT},
        {&key_and_text, 2, 0, false, true, LP_ECORRUPT}, // in the wrong list
        {&key_and_text, 2, 1, false, false, LP_ECORRUPT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        compact_carry *carry = compact_carry_create();
        compact_carry *loaded = NULL;
        lp_buf saved = {0};
        ctx_type type = *cases[i].like;
        type.id = cases[i].id;
        type.completes = cases[i].completes;
        type.is_recording = cases[i].is_recording;
        compact_carry_types *list =
            cases[i].is_among_completing ? &carry->completing : &carry->types;
        LP_ARENA_PUSH(&carry->arena, list, ctx_type_copy_in(&carry->arena, &type));
        assert_int_equal(compact_carry_save(carry, &saved), LP_OK);
        assert_int_equal(compact_carry_load(lp_buf_slice(&saved), &loaded, NULL), cases[i].err);
        compact_carry_destroy(loaded);
        compact_carry_destroy(carry);
        lp_buf_fini(&saved);
    }
}

// The engine looks contexts up in the order of their ids, and gives new ones ids above all others.
static void
test_a_carry_over_with_contexts_out_of_order_is_refused(void **state)
{
    (void)state;
    const struct {
        uint64_t ids[2];
        uint64_t next_id;
        lp_err err;
    } cases[] = {
        {{1, 2}, 3, LP_OK}, {{3, 7}, 100, LP_OK}, {{2, 1}, 3, LP_ECORRUPT},
        {{2, 2}, 3, LP_ECORRUPT}, {{0, 2}, 3, LP_ECORRUPT}, // they count from 1
        {{1, 3}, 3, LP_ECORRUPT},
        {{1, 2}, UINT64_MAX, LP_ECORRUPT}, // there would be no id behind it
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        compact_carry *carry = compact_carry_create();
        compact_carry *loaded = NULL;
        lp_buf saved = {0};
        for (size_t k = 0; k < 2; k++) {
            const compact_context context = {.id = k + 1, .end = COMPACT_OPEN_END};
            compact_contexts_add(&carry->contexts, &context, NULL);
        }
        carry->contexts.items.items[0].id = cases[i].ids[0];
        carry->contexts.items.items[1].id = cases[i].ids[1];
        carry->contexts.next_id = cases[i].next_id;
        assert_int_equal(compact_carry_save(carry, &saved), LP_OK);
        assert_int_equal(compact_carry_load(lp_buf_slice(&saved), &loaded, NULL), cases[i].err);
        compact_carry_destroy(loaded);
        compact_carry_destroy(carry);
        lp_buf_fini(&saved);
    }
}

// A context that is said to end in the far future is never over: each chunk may bring more of them.
static void
test_contexts_of_the_future_do_not_fill_the_memory(void **state)
{
    (void)state;
    enum { MORE = 1000, BYTES = 1 + 9 + 9 }; // as it is saved: thread, begin, end
    jfr_build b;
    jfr_sample_begin(&b, 0);
    const jfr_sample span = {JFR_SAMPLE_SPAN, INT64_MAX - 1, INT64_MAX - 1, .thread = 1};
    size_t at = b.bytes.len;
    (void)jfr_sample_event(&b, &span);
    lp_buf event = {0};
    lp_buf_append(&event, b.bytes.ptr + at, b.bytes.len - at);
    for (int64_t i = 1; i < COMPACT_CARRY_TRIGGERS_MAX + MORE; i++) {
        lp_buf_append(&b.bytes, event.ptr, event.len);
    }
    lp_buf_fini(&event);
    const compact_source source = {.jfr = jfr_build_finish(&b)};
    policy *rules = compact_run_policy(
        "<event name='test.Mark'><setting name='select'>if-context</setting></event>");
    compact_result result;
    compact_run(&source, 1, rules, COMPACT_RUN_AS_IT_IS, &result);
    lp_buf saved = {0};
    assert_int_equal(compact_carry_save(result.carry, &saved), LP_OK);
    assert_in_range(saved.len, COMPACT_CARRY_TRIGGERS_MAX * BYTES,
        (COMPACT_CARRY_TRIGGERS_MAX + MORE / 2) * BYTES);
    lp_buf_fini(&saved);
    compact_result_fini(&result);
    policy_destroy(rules);
    jfr_build_fini(&b);
}

// run_pair compacts both chunks, with carry-overs saved and loaded in between, and frees it all.
static outcome
run_pair(const compact_source chunks[2], const policy *rules, compact_context_style style)
{
    const compact_options options = {
        .policy = rules, .has_rollup = true, .has_requests = true, .style = style};
    compact_result first = {0};
    compact_result second = {0};
    compact_carry *carry = NULL;
    compact_stats total = {0};
    lp_buf saved = {0};
    lp_buf rollup_bytes = {0};
    lp_err err = compact_chunk(&chunks[0], &chunks[1], 1, NULL, &options, &first, NULL);
    if (err == LP_OK) {
        err = compact_carry_save(first.carry, &saved);
    }
    if (err == LP_OK) {
        err = compact_carry_load(lp_buf_slice(&saved), &carry, NULL);
    }
    if (err == LP_OK) {
        err = compact_chunk(&chunks[1], NULL, 0, carry, &options, &second, NULL);
    }
    if (err == LP_OK) {
        err = compact_stats_add(&total, &second.stats);
    }
    if (err == LP_OK) {
        err = rollup_bytes_encode(&second.rollup, &rollup_bytes);
    }
    outcome run = {.err = err};
    hash_bytes(&run, &first.jfr);
    hash_bytes(&run, &rollup_bytes);
    hash_bytes(&run, &saved);
    hash_bytes(&run, &second.jfr);
    compact_stats_fini(&total);
    compact_carry_destroy(carry);
    lp_buf_fini(&saved);
    lp_buf_fini(&rollup_bytes);
    compact_result_fini(&first);
    compact_result_fini(&second);
    return run;
}

// next_of returns which allocation fails after this one: each of the first ones, then one of five.
static size_t
next_of(size_t nth)
{
    return nth + (is_large || nth < 50 ? 1 : 5);
}

// expect_clean_failures lets allocations fail, one at a time.
static void
expect_clean_failures(
    const compact_source chunks[2], const policy *rules, compact_context_style style)
{
    const outcome whole = run_pair(chunks, rules, style);
    size_t nth = 1;
    for (allocations_left = nth; expect_clean(whole, run_pair(chunks, rules, style));) {
        allocations_left = nth = next_of(nth);
    }
    assert_true(nth > 50);
}

// A type that completes another; both come after the types of every session.
enum { SPAN = SESSION_TYPES + 1, SPAN_NAME, SPAN_TYPES = SPAN_NAME };

static void
add_span_types(ctx_type types[SPAN_TYPES])
{
    static char span[] = "span";
    static char key[] = "key";
    static char name[] = "name";
    memcpy(types, session_types, sizeof(session_types));
    types[SPAN - 1] = (ctx_type){.id = SPAN,
        .name = span,
        .label = name,
        .description = name,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, key, name, name}, {CTX_STRING, name, name, name}}};
    types[SPAN_NAME - 1] = types[SPAN - 1];
    types[SPAN_NAME - 1].id = SPAN_NAME;
    types[SPAN_NAME - 1].completes = SPAN;
}

static void
set_text(session *s, int64_t time, uint16_t type, const char *text)
{
    lp_buf values = {0};
    ctx_build_le(&values, 7, 8);
    ctx_build_latin1(&values, text);
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_SET, type, 1, time, &values);
    lp_buf_fini(&values);
}

static void
test_every_allocation_failure_is_clean(void **state)
{
    session *s = *state;
    ctx_type types[SPAN_TYPES];
    compact_source sources[2];
    add_span_types(types);
    for (int64_t i = 0; i < 2; i++) {
        session_chunk(s, 1000 * i);
        jfr_sample_thread(session_build(s), 1, 1);
        jfr_sample_stack(session_build(s), 100);
        session_trace(s, KEPT, 1000 * i + 10, 1000 * i + 20, 1);
        session_mark(s, KEPT, 1000 * i + 15, 1);
        session_event_of(
            s, KEPT, &(jfr_sample){JFR_SAMPLE_EXECUTION, 1000 * i + 16, .thread = 1, .stack = 100});
        session_trace(s, KEPT, 500 + i, 510, 1); // of the second chunk, but over in the first
        session_set(s, 500 * i + 5, 1, "x");
        session_unset(s, 500 * i + 6, 1);
        session_set(s, 1000 * i + 7, 1, "x");
        set_text(s, 1000 * i + 8, SPAN, "early");
        set_text(s, 1000 * i + 17, SPAN_NAME, i == 0 ? "late" : "later");
        jfr_build_checkpoint(session_build(s));
    }
    for (size_t i = 0; i < 2; i++) {
        sources[i] = (compact_source){.jfr = jfr_build_finish(&s->chunks[i]),
            .records = lp_buf_slice(&s->records[i]),
            .types = types,
            .type_count = i == 0 ? SPAN_TYPES : 0};
    }
    policy *rules = compact_run_policy(
        "<event name='test.Trace'><setting name='context-match'>traceId=*</setting>"
        "<setting name='context-throttle'>1/s</setting></event>"
        "<event name='tracer'><setting name='context-match'>id=x</setting>"
        "<setting name='context-throttle'>1/s</setting></event>");
    for (compact_context_style style = COMPACT_STYLE_EVENTS; style <= COMPACT_STYLE_REF; style++) {
        expect_clean_failures(sources, rules, style);
    }
    policy_destroy(rules);
    static const char *const requests[] = {
        "<event name='dev.loupe.Request'><setting name='request'>test.Trace</setting></event>",
        "<event name='dev.loupe.Request'><setting name='request-by'>traceId, id, key</setting>"
        "<setting name='request-keep'>whole</setting></event>",
    };
    for (size_t i = 0; i < LP_COUNT(requests); i++) {
        rules = compact_run_policy(requests[i]);
        expect_clean_failures(sources, rules, COMPACT_STYLE_EVENTS);
        policy_destroy(rules);
    }
}

// RecordingContexts, with maps that come with both chunks and end, and filters that look at them.
static void
test_every_allocation_failure_while_filtering_is_clean(void **state)
{
    session *s = *state;
    ctx_entry entries[] = {
        {.key = "user", .value = SESSION_VALUE("ada")}, {.key = "cart", .is_null = true}};
    const ctx_recording maps[] = {{1, 2, entries}, {2, 1, entries}};
    const uint64_t ended[] = {1};
    ctx_filter_rule rules_of[] = {{"test.Mark", "has-entry user=ada and has-key cart"},
        {"", "has-context"}, {"test.Span", "of-a-later-version"}};
    const ctx_filter filters[] = {{1, 5, 2, rules_of}, {2, 1005, 3, rules_of}};
    compact_source sources[2];
    for (int64_t i = 0; i < 2; i++) {
        session_chunk(s, 1000 * i);
        jfr_sample_thread(session_build(s), 1, 1);
        session_install(s, 1000 * i + 5, 1, i + 1);
        session_trace(s, KEPT, 1000 * i + 10, 1000 * i + 20, 1);
        session_mark(s, KEPT, 1000 * i + 15, 1);
        session_plain(s, KEPT, 1000 * i + 16, 1000 * i + 17, 1);
        session_mark(s, KEPT, 500, 1); // of the second chunk, but over in the first
        jfr_build_checkpoint(session_build(s));
    }
    for (size_t i = 0; i < 2; i++) {
        sources[i] = (compact_source){.jfr = jfr_build_finish(&s->chunks[i]),
            .records = lp_buf_slice(&s->records[i]),
            .types = session_types,
            .type_count = i == 0 ? SESSION_TYPES : 0,
            .recordings = &maps[i],
            .recording_count = 1,
            .recordings_ended = ended,
            .recordings_ended_count = i,
            .filters = &filters[i],
            .filter_count = 1};
    }
    policy *rules = compact_run_policy(
        "<event name='test.Mark'><setting name='select'>if-context</setting></event>"
        "<event name='test.Trace'><setting name='throttle'>1/s</setting></event>"
        "<event name='loupe.RecordingContext'>"
        "<setting name='context-match'>user=ada</setting></event>");
    for (compact_context_style style = COMPACT_STYLE_EVENTS; style <= COMPACT_STYLE_REF; style++) {
        expect_clean_failures(sources, rules, style);
    }
    policy_destroy(rules);
}

// run_merge compacts both chunks into one file, like two JVMs, and frees everything.
static outcome
run_merge(const compact_source chunks[2])
{
    outcome run = {.err = LP_OK};
    compact_survey survey = {0};
    compact_options options = {.style = COMPACT_STYLE_FIELDS, .survey = &survey};
    compact_merge *merge = compact_merge_create(2);
    lp_err err = merge == NULL ? LP_ENOMEM : LP_OK;
    for (uint32_t i = 0; i < 2 && err == LP_OK; i++) {
        err = compact_run_add_to_merge(merge, i, chunks[i].jfr, NULL);
        err = err == LP_OK ? compact_survey_add(&survey, chunks[i].jfr, NULL) : err;
    }
    err = err == LP_OK ? compact_merge_number(merge) : err;
    for (uint32_t i = 0; i < 2 && err == LP_OK; i++) {
        compact_source source = chunks[i];
        compact_result result = {0};
        source.merge = merge;
        source.merge_source = i;
        err = compact_chunk(&source, NULL, 0, NULL, &options, &result, NULL);
        hash_bytes(&run, &result.jfr);
        compact_result_fini(&result);
    }
    compact_merge_destroy(merge);
    compact_survey_fini(&survey);
    run.err = err;
    return run;
}

// The JVMs disagree on an enumeration, and agree on its first constant.
static void
test_every_allocation_failure_while_merging_is_clean(void **state)
{
    session *s = *state;
    compact_source sources[2];
    for (size_t i = 0; i < 2; i++) {
        session_chunk(s, 0);
        jfr_build *build = session_build(s);
        jfr_build_string(&build->payload, "STATE_RUNNABLE");
        jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, 1);
        jfr_build_string(&build->payload, i == 0 ? "STATE_SLEEPING" : "STATE_PARKED");
        jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, 2);
        jfr_sample_thread(build, 1, 1);
        session_trace(s, KEPT, 10, 20, 1);
        session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_EXECUTION, 16, .thread = 1});
        jfr_build_checkpoint(build);
        sources[i] = (compact_source){.jfr = jfr_build_finish(build)};
    }
    const outcome whole = run_merge(sources);
    size_t nth = 1;
    for (allocations_left = nth; expect_clean(whole, run_merge(sources));) {
        allocations_left = nth = next_of(nth);
    }
    assert_true(nth > 50);
}

// The second chunk has an event of the first one's time, and two threads.
static void
test_every_allocation_failure_while_samples_are_made_is_clean(void **state)
{
    (void)state;
    jfr_build builds[2];
    compact_source sources[2] = {{.jfr = {0}}};
    for (uint64_t i = 0; i < 2; i++) {
        alloc_build_begin(&builds[i], (int64_t)(1000 * i), ALLOC_JDK_11);
        for (uint64_t k = 0; k < 3; k++) {
            (void)alloc_build_event(&builds[i], &(alloc_event){.type = ALLOC_IN_TLAB,
                                                    .time = (int64_t)(1000 * i + 400 * k) - 200,
                                                    .thread = 1 + k % 2,
                                                    .class = ALLOC_CLASS + k,
                                                    .bytes = 100});
            alloc_build_class(&builds[i], ALLOC_CLASS + k);
        }
        jfr_sample_thread(&builds[i], 1, 1);
        jfr_sample_thread(&builds[i], 2, 2);
        jfr_build_checkpoint(&builds[i]);
        sources[i].jfr = jfr_build_finish(&builds[i]);
    }
    policy *rules = compact_run_policy(
        "<event name='jdk.ObjectAllocationSample'><setting name='enabled'>true</setting>"
        "<setting name='throttle'>3/s</setting></event>");
    expect_clean_failures(sources, rules, COMPACT_STYLE_EVENTS);
    policy_destroy(rules);
    jfr_build_fini(&builds[0]);
    jfr_build_fini(&builds[1]);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structures_that_multiply_are_refused),
        cmocka_unit_test(test_fields_without_bytes_are_not_numbers),
        cmocka_unit_test(test_an_event_may_have_the_name_of_a_number),
        cmocka_unit_test(test_metadata_that_a_later_one_replaces_may_be_damaged),
        cmocka_unit_test(test_there_may_be_any_number_of_types),
        SESSION_TEST(test_what_never_happened_was_at_no_time),
        cmocka_unit_test(test_any_time_is_a_time),
        SESSION_TEST(test_more_context_types_than_a_jvm_has_are_refused),
        cmocka_unit_test(test_a_carry_over_with_an_unfit_type_is_refused),
        cmocka_unit_test(test_a_carry_over_with_contexts_out_of_order_is_refused),
        cmocka_unit_test(test_contexts_of_the_future_do_not_fill_the_memory),
        SESSION_TEST(test_every_allocation_failure_is_clean),
        SESSION_TEST(test_every_allocation_failure_while_filtering_is_clean),
        SESSION_TEST(test_every_allocation_failure_while_merging_is_clean),
        cmocka_unit_test(test_every_allocation_failure_while_samples_are_made_is_clean),
    };
    return cmocka_run_group_tests_name("compact_hostile", tests, NULL, NULL);
}
