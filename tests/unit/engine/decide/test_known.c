// SPDX-License-Identifier: Apache-2.0
// What is waited for behind the end of a chunk counts, and no more: contexts that are stored in any
// later chunk cover the events in them as far as their ends are known, contexts of the API are
// judged by these ends, and those that come too late are counted. Times are in nanoseconds.

#include "unit/engine/compact_session.h"

#include "engine/carry/carry.h"
#include "engine/read/threads.h"

#define IF_CONTEXT "<event name='test.Mark'><setting name='select'>if-context</setting></event>"

enum { KNOWN_NS = 1500 };

// begin makes a session with chunks of 1000 ns, of which KNOWN_NS are known behind each.
static void
begin(session *s, const char *rules)
{
    session_rules(s, rules);
    s->known_ns = KNOWN_NS;
    session_chunk(s, 0);
}

static void
expect_late(const session *s, const uint64_t *counts)
{
    for (size_t i = 0; i < s->count; i++) {
        assert_int_equal(s->results[i].stats.late_contexts, counts[i]);
    }
}

// The first chunk ends at 1000, and what ends up to 2500 is known.
static void
test_contexts_count_up_to_what_is_known(void **state)
{
    session *s = *state;
    begin(s, IF_CONTEXT);
    session_mark(s, KEPT, 600, 1);
    session_mark(s, GONE, 600, 2);
    session_mark(s, GONE, 600, 3); // no context is there yet
    session_mark(s, GONE, 600, 4);
    session_chunk(s, 1000);
    session_mark(s, KEPT, 1200, 1);
    session_mark(s, KEPT, 1200, 2);
    session_mark(s, KEPT, 1200, 3);
    session_mark(s, GONE, 1200, 4);
    session_chunk(s, 2000);
    session_trace(s, KEPT, 500, 2500, 1);
    session_trace(s, KEPT, 500, 2501, 2);  // too late for the first chunk
    session_trace(s, KEPT, 1000, 2700, 3); // that had ended when it began
    session_chunk(s, 3000);
    session_chunk(s, 4000);
    session_trace(s, GONE, 550, 4100, 4); // too late for the first two, and counted once
    session_run(s);
    expect_late(s, (const uint64_t[]){0, 0, 1, 0, 1});
}

// compact_one_ahead compacts one chunk after the other, with one behind each, and returns how many
// contexts came too late for earlier ones.
static uint64_t
compact_one_ahead(session *s)
{
    const compact_options options = {.policy = s->rules, .known_ns = KNOWN_NS};
    compact_source sources[SESSION_CHUNKS_MAX];
    compact_result results[SESSION_CHUNKS_MAX];
    uint64_t late = 0;
    for (size_t i = 0; i < s->count; i++) {
        sources[i] = (compact_source){.jfr = jfr_build_finish(&s->chunks[i])};
    }
    compact_run_how(sources, s->count, &options, COMPACT_RUN_ONE_BEHIND, results);
    for (size_t i = 0; i < s->count; i++) {
        late += results[i].stats.late_contexts;
        compact_result_fini(&results[i]);
    }
    return late;
}

static void
test_contexts_are_late_beyond_what_was_at_hand(void **state)
{
    session *s = *state;
    begin(s, IF_CONTEXT);
    session_mark(s, KEPT, 600, 1);
    session_mark(s, KEPT, 600, 2);
    session_chunk(s, 1000);
    session_trace(s, KEPT, 550, 1900, 2);
    session_chunk(s, 2000);
    session_trace(s, KEPT, 500, 2100, 1);
    session_trace(s, GONE, 1000, 2200, 3); // the first chunk had ended when it began
    session_run(s);
    expect_late(s, (const uint64_t[]){0, 0, 0});
    assert_int_equal(compact_one_ahead(s), 1);
}

// Contexts that do not matter are not missed.
static void
test_only_contexts_that_matter_are_late(void **state)
{
    session *s = *state;
    begin(s, IF_CONTEXT
        "<event name='test.Trace'><setting name='context-threshold'>3000 ns</setting></event>");
    session_mark(s, GONE, 600, 1);
    session_chunk(s, 1000);
    session_chunk(s, 2000);
    session_trace(s, GONE, 500, 2999, 1);
    session_run(s);
    expect_late(s, (const uint64_t[]){0, 0, 0});
}

static void
test_without_if_context_nothing_is_late(void **state)
{
    session *s = *state;
    begin(s, "");
    session_chunk(s, 1000);
    session_chunk(s, 2000);
    session_trace(s, GONE, 500, 2999, 1);
    session_run(s);
    expect_late(s, (const uint64_t[]){0, 0, 0});
}

// A chunk that starts far too late leaves no time to those that follow.
static void
test_chunks_of_no_time_are_not_remembered(void **state)
{
    session *s = *state;
    begin(s, IF_CONTEXT);
    session_chunk(s, INT64_C(1000000000000000));
    session_chunk(s, 2000);
    session_chunk(s, 3000);
    session_chunk(s, 4000);
    session_run(s);
    assert_in_range(s->results[4].carry->borders.count, 1, 2);
}

// Contexts of the API that are open where the first chunk ends, at 1000.
static void
test_contexts_of_the_api_are_judged_by_their_known_ends(void **state)
{
    session *s = *state;
    begin(s, IF_CONTEXT
        "<event name='tracer'><setting name='context-threshold'>1600 ns</setting></event>");
    session_set(s, 900, 1, "long enough");
    session_set(s, 900, 2, "short");
    session_set(s, 901, 3, "short, but its end is not known");
    session_mark(s, KEPT, 950, 1);
    session_mark(s, GONE, 950, 2);
    session_mark(s, KEPT, 950, 3);
    session_chunk(s, 1000);
    session_unset(s, 1100, 2);
    session_mark(s, KEPT, 1200, 1);
    session_mark(s, KEPT, 1200, 3);
    session_chunk(s, 2000);
    session_unset(s, 2500, 1);
    session_mark(s, KEPT, 2400, 3); // it goes on to matter
    session_unset(s, 2501, 3);
    session_chunk(s, 3000);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 900..999 @1 id=\"long enough\", "
        "#3 901..999 @3 id=\"short, but its end is not known\"");
}

// What is there of later chunks beyond what is known makes no difference.
static void
test_what_is_known_by_chance_does_not_count(void **state)
{
    session *s = *state;
    begin(s, IF_CONTEXT
        "<event name='tracer'><setting name='context-threshold'>5000 ns</setting></event>");
    session_set(s, 900, 1, "short");
    session_mark(s, KEPT, 950, 1); // its end is not known
    session_mark(s, GONE, 950, 2);
    session_chunk(s, 1000);
    session_chunk(s, 2000);
    session_unset(s, 2501, 1);
    session_set(s, 2502, 1, "later");
    session_unset(s, 2600, 1);
    session_trace(s, GONE, 900, 2502, 2);
    session_run(s);

    const compact_options options = {.policy = s->rules, .known_ns = KNOWN_NS};
    compact_source sources[2] = {{.types = s->types[0], .type_count = s->type_count[0]}};
    sources[0].jfr = jfr_build_finish(&s->chunks[0]);
    sources[0].records = lp_buf_slice(&s->records[0]);
    sources[1].jfr = jfr_build_finish(&s->chunks[1]);
    compact_result alone;
    assert_int_equal(
        compact_chunk(&sources[0], &sources[1], 1, NULL, &options, &alone, NULL), LP_OK);
    assert_int_equal(alone.jfr.len, s->results[0].jfr.len);
    assert_memory_equal(alone.jfr.ptr, s->results[0].jfr.ptr, alone.jfr.len);
    compact_result_fini(&alone);
}

// Of a chunk that is far behind, only the times of its contexts are there.
static void
test_contexts_of_a_far_chunk_count_like_others(void **state)
{
    session *s = *state;
    begin(s, IF_CONTEXT);
    session_mark(s, KEPT, 600, 1);
    session_mark(s, KEPT, 600, 2);
    session_chunk(s, 1000);
    session_chunk(s, 2000);
    session_trace(s, KEPT, 500, 2100, 1);
    session_trace(s, KEPT, 550, 2200, 2);
    session_trace(s, GONE, 1000, 2300, 3);
    session_run(s);

    compact_intervals far = {0};
    lp_slice last = jfr_build_finish(&s->chunks[2]);
    assert_int_equal(compact_far_read(last, s->rules, 1000, NULL, &far), LP_OK);
    assert_int_equal(far.count, 2);
    assert_int_equal(far.items[0].begin, 500);
    assert_int_equal(far.items[0].end, 2100);
    const compact_options options = {.policy = s->rules, .known_ns = KNOWN_NS};
    const compact_source sources[] = {
        {.jfr = jfr_build_finish(&s->chunks[0])},
        {.jfr = jfr_build_finish(&s->chunks[1])},
        {.intervals = far.items, .interval_count = far.count},
    };
    compact_result result;
    assert_int_equal(
        compact_chunk(&sources[0], &sources[1], 2, NULL, &options, &result, NULL), LP_OK);
    assert_int_equal(result.jfr.len, s->results[0].jfr.len);
    assert_memory_equal(result.jfr.ptr, s->results[0].jfr.ptr, result.jfr.len);
    compact_result_fini(&result);
    LP_VEC_FINI(&far);

    last.len = 60; // within its header
    assert_int_equal(compact_far_read(last, s->rules, 1000, NULL, &far), LP_ECORRUPT);
}

// The last chunk has a context on a thread that it does not describe, as the first does.
static void
test_a_thread_that_a_far_chunk_does_not_describe_is_the_one_of_before(void **state)
{
    session *s = *state;
    begin(s, IF_CONTEXT);
    jfr_sample_thread(session_build(s), 9, 77);
    session_chunk(s, 1000);
    session_chunk(s, 2000);
    session_trace(s, GONE, 1500, 2100, 9);
    session_run(s);
    compact_intervals far = {0};
    assert_int_equal(compact_far_read(jfr_build_finish(&s->chunks[2]), s->rules, 2000,
                         s->results[0].carry, &far),
        LP_OK);
    assert_int_equal(far.count, 1);
    assert_int_equal(far.items[0].thread, compact_identity_java(77));
    LP_VEC_FINI(&far);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_contexts_count_up_to_what_is_known),
        SESSION_TEST(test_contexts_are_late_beyond_what_was_at_hand),
        SESSION_TEST(test_only_contexts_that_matter_are_late),
        SESSION_TEST(test_without_if_context_nothing_is_late),
        SESSION_TEST(test_chunks_of_no_time_are_not_remembered),
        SESSION_TEST(test_contexts_of_the_api_are_judged_by_their_known_ends),
        SESSION_TEST(test_what_is_known_by_chance_does_not_count),
        SESSION_TEST(test_contexts_of_a_far_chunk_count_like_others),
        SESSION_TEST(test_a_thread_that_a_far_chunk_does_not_describe_is_the_one_of_before),
    };
    return cmocka_run_group_tests_name("known", tests, NULL, NULL);
}
