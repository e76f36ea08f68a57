// SPDX-License-Identifier: Apache-2.0
// Promised: cutting a session into chunks does not show, however long contexts are and however
// short chunks are: events with select=if-context are kept in contexts that are stored many chunks
// later, and what is kept is what is kept of the same session in one chunk.

#include "support/chance.h"
#include "support/compact_run.h"
#include "support/jfr_sample.h"
#include "support/large.h"

#include "common/jfr/jfr_event.h"
#include "engine/read/view.h"
#include "offline/pipeline.h"
#include "offline/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t SECOND = 1000000000;

// Each recording is compacted with as many copies of its session, as those of that many JVMs.
enum { COPIES = 2, CHUNKS_MAX = 400, EVENTS = 3000, THREADS = 4 };

enum { SESSIONS = 3, SESSIONS_SHORT = 1 };

// What was recorded, and what was kept of it.
typedef struct recording {
    jfr_build builds[CHUNKS_MAX];
    pipeline_chunk chunks[COPIES * CHUNKS_MAX];
    size_t count;
    policy *rules;
    bool has_damage;
    LP_VEC(int64_t) kept; // starts; of contexts negative
} recording;

// --- Making recordings

static recording *
start(const char *rules)
{
    recording *r = calloc(1, sizeof(*r));
    assert_non_null(r);
    r->rules = compact_run_policy(rules);
    return r;
}

static void
end(recording *r)
{
    for (size_t i = 0; i < r->count; i++) {
        jfr_build_fini(&r->builds[i]);
    }
    LP_VEC_FINI(&r->kept);
    policy_destroy(r->rules);
    free(r);
}

// add_chunk adds a chunk of the session that starts at a time.
static jfr_build *
add_chunk(recording *r, int64_t start_ticks)
{
    assert_true(r->count < CHUNKS_MAX);
    jfr_build *build = &r->builds[r->count++];
    jfr_sample_begin(build, start_ticks);
    return build;
}

static void
describe_threads(jfr_build *build)
{
    for (uint64_t i = 1; i <= THREADS; i++) {
        jfr_sample_thread(build, i, (int64_t)i);
    }
    jfr_build_checkpoint(build);
}

static void
add_mark(jfr_build *build, int64_t ticks, uint64_t thread)
{
    (void)jfr_sample_event(build,
        &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = ticks, .end = ticks, .thread = thread});
}

static void
add_trace(jfr_build *build, int64_t begin, int64_t end_ticks, uint64_t thread)
{
    (void)jfr_sample_event(build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                      .start = begin,
                                      .end = end_ticks,
                                      .thread = thread,
                                      .text = "job"});
}

// --- Compacting them

// add_kept adds what is in an output.
static void
add_kept(recording *r, const compact_result *result)
{
    jfr_read read;
    compact_run_read(result, &read);
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *event = &read.events.items[i];
        int64_t time = jfr_read_number(&read, event, "startTime");
        bool is_context = strcmp(jfr_read_name(&read, event), "test.Trace") == 0;
        int64_t *kept = LP_VEC_PUSH(&r->kept);
        assert_non_null(kept);
        *kept = is_context ? -time : time;
    }
    jfr_read_close(&read);
}

static lp_err
take(void *arg, const pipeline_outcome *outcome)
{
    recording *r = arg;
    if (outcome->err == LP_OK) {
        add_kept(r, outcome->result);
    } else {
        assert_true(r->has_damage && outcome->err == LP_ECORRUPT);
    }
    return LP_OK;
}

static void
release(void *arg, size_t index)
{
    (void)arg;
    (void)index;
}

static int
compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void
sort_kept(recording *r)
{
    if (r->kept.count > 0) {
        qsort(r->kept.items, r->kept.count, sizeof(*r->kept.items), compare_numbers);
    }
}

static void
finish_chunks(recording *r)
{
    for (size_t i = 0; i < r->count; i++) {
        r->chunks[i] = (pipeline_chunk){
            .jfr = jfr_build_finish(&r->builds[i]),
            .goes_on = i + 1 < r->count,
        };
    }
}

static void
compact_finished(recording *r, unsigned threads)
{
    const compact_options options = {.policy = r->rules};
    for (size_t i = r->count; i < COPIES * r->count; i++) {
        r->chunks[i] = r->chunks[i - r->count];
    }
    const pipeline_input in = {
        .chunks = r->chunks,
        .count = COPIES * r->count,
        .threads = threads,
        .options = &options,
        .take = take,
        .release = release,
        .arg = r,
    };
    r->kept.count = 0;
    assert_int_equal(pipeline_run(&in), LP_OK);
    sort_kept(r);
}

static void
compact(recording *r, unsigned threads)
{
    finish_chunks(r);
    compact_finished(r, threads);
}

static void
expect_kept(const recording *r, const int64_t *wanted, size_t count)
{
    assert_int_equal(r->kept.count, COPIES * count);
    for (size_t i = 0; i < COPIES * count; i++) {
        assert_true(r->kept.items[i] == wanted[i / COPIES]);
    }
}

#define EXPECT_KEPT(r, ...)                                                                        \
    do {                                                                                           \
        const int64_t wanted[] = {__VA_ARGS__};                                                    \
        expect_kept(r, wanted, sizeof(wanted) / sizeof(wanted[0]));                                \
    } while (0)

#define RATE(rate)                                                                                 \
    "<event name='test.Trace'><setting name='context-throttle'>" rate "</setting></event>"

#define IF_CONTEXT "<event name='test.Mark'><setting name='select'>if-context</setting></event>"

// --- Tests

// A job goes through five chunks of a minute, with a step in each. Beside it a thread without a
// context has as many steps.
static void
test_all_steps_of_a_job_over_five_chunks_are_kept(void **state)
{
    (void)state;
    recording *r = start(IF_CONTEXT);
    int64_t minute = 60 * SECOND;
    for (int64_t i = 0; i < 5; i++) {
        jfr_build *build = add_chunk(r, (i + 1) * minute);
        add_mark(build, (i + 1) * minute + 30 * SECOND, 1);
        add_mark(build, (i + 1) * minute + 31 * SECOND, 2);
        if (i == 4) {
            add_trace(build, minute + SECOND, 6 * minute - SECOND, 1);
        }
        describe_threads(build);
    }
    for (unsigned threads = 1; threads <= 3; threads++) {
        compact(r, threads);
        EXPECT_KEPT(r, -(minute + SECOND), 90 * SECOND, 150 * SECOND, 210 * SECOND, 270 * SECOND,
            330 * SECOND);
    }
    end(r);
}

// The chunk of the context does not describe its thread: another one does, or none at all.
static void
test_the_thread_may_be_described_elsewhere(void **state)
{
    (void)state;
    static const unsigned described[] = {1 << 0, 1 << 1, 1 << 0 | 1 << 5, 0};
    for (size_t k = 0; k < sizeof(described) / sizeof(described[0]); k++) {
        recording *r = start(IF_CONTEXT);
        for (int64_t i = 0; i < 6; i++) {
            jfr_build *build = add_chunk(r, (i + 1) * 10 * SECOND);
            add_mark(build, (i + 1) * 10 * SECOND + 5, 1);
            if (i == 4) {
                add_trace(build, 10 * SECOND, 51 * SECOND, 1);
            }
            if ((described[k] >> i & 1) != 0) {
                describe_threads(build);
            } else {
                jfr_build_checkpoint(build);
            }
        }
        compact(r, 1);
        EXPECT_KEPT(r, -10 * SECOND, 10 * SECOND + 5, 20 * SECOND + 5, 30 * SECOND + 5,
            40 * SECOND + 5, 50 * SECOND + 5);
        end(r);
    }
}

// A context that does not matter covers nothing, wherever it is stored.
static void
test_contexts_that_do_not_matter_are_not_far(void **state)
{
    (void)state;
    recording *r = start(IF_CONTEXT
        "<event name='test.Trace'><setting name='context-threshold'>30 s</setting></event>");
    for (int64_t i = 0; i < 6; i++) {
        jfr_build *build = add_chunk(r, (i + 1) * 10 * SECOND);
        add_mark(build, (i + 1) * 10 * SECOND + 5 * SECOND, 1);
        add_mark(build, (i + 1) * 10 * SECOND + 6 * SECOND, 2);
        if (i == 5) {
            add_trace(build, 12 * SECOND, 62 * SECOND, 1);
            add_trace(build, 34 * SECOND, 63 * SECOND, 2);
        }
        describe_threads(build);
    }
    compact(r, 1);
    EXPECT_KEPT(r, -12 * SECOND, 15 * SECOND, 25 * SECOND, 35 * SECOND, 45 * SECOND, 55 * SECOND);
    end(r);
}

// An event of a random session: stored at a time, up to a second after it ended.
typedef struct stored {
    int64_t begin;
    int64_t end;
    int64_t stored;
    uint64_t thread;
    bool is_context;
} stored;

static int
compare_stored(const void *a, const void *b)
{
    const stored *x = a;
    const stored *y = b;
    return (x->stored > y->stored) - (x->stored < y->stored);
}

enum { LENGTH_S = 60 };

// make_session makes one in which a quarter of the contexts last up to half of it, if long_ones.
static void
make_session(stored *events, bool long_ones, uint64_t *seed)
{
    for (size_t i = 0; i < EVENTS; i++) {
        stored *e = &events[i];
        uint64_t length_ns = (uint64_t)LENGTH_S * (uint64_t)SECOND;
        e->end = SECOND + (int64_t)chance_below(seed, length_ns);
        e->is_context = chance_below(seed, 20) == 0;
        bool is_long = chance_below(seed, 4) == 0 && long_ones;
        uint64_t span_ns = is_long ? length_ns / 2 : (uint64_t)SECOND;
        e->begin = e->is_context ? e->end - (int64_t)chance_below(seed, span_ns) : e->end;
        e->begin = e->begin < SECOND ? SECOND : e->begin;
        e->stored = e->end + (int64_t)chance_below(seed, (uint64_t)SECOND);
        e->thread = chance_below(seed, THREADS * 4); // 0: none; most others have no description
    }
    qsort(events, EVENTS, sizeof(*events), compare_stored);
}

// record cuts a session where as many nanoseconds have passed as cut says, or up to twice as many.
static recording *
record(const stored *events, const char *rules, int64_t cut_ns, uint64_t *seed)
{
    recording *r = start(rules);
    jfr_build *build = add_chunk(r, SECOND);
    int64_t next = SECOND + cut_ns;
    for (size_t i = 0; i < EVENTS; i++) {
        const stored *e = &events[i];
        while (cut_ns > 0 && e->stored >= next) {
            describe_threads(build);
            build = add_chunk(r, next);
            next += cut_ns + (int64_t)chance_below(seed, (uint64_t)cut_ns);
        }
        if (e->is_context) {
            add_trace(build, e->begin, e->end, e->thread);
        } else {
            add_mark(build, e->end, e->thread);
        }
    }
    describe_threads(build);
    return r;
}

static void
expect_cuts_not_to_show(const char *rules)
{
    static const int64_t cuts_ms[] = {200, 300, 500, 900, 1500, 2500, 4000, 9000, 20000};
    stored *events = calloc(EVENTS, sizeof(*events));
    assert_non_null(events);
    for (uint64_t seed = 1; seed <= (is_large ? SESSIONS : SESSIONS_SHORT); seed++) {
        uint64_t state_of_chance = seed;
        make_session(events, true, &state_of_chance);
        recording *whole = record(events, rules, 0, &state_of_chance);
        compact(whole, 1);
        assert_in_range(whole->kept.count, EVENTS / 50 * COPIES, EVENTS * 9 / 10 * COPIES);
        for (size_t i = 0; i < sizeof(cuts_ms) / sizeof(cuts_ms[0]); i++) {
            recording *cut = record(events, rules, cuts_ms[i] * 1000000, &state_of_chance);
            compact(cut, 1 + (unsigned)i % 3);
            assert_int_equal(cut->kept.count, whole->kept.count);
            assert_memory_equal(
                cut->kept.items, whole->kept.items, whole->kept.count * sizeof(*whole->kept.items));
            end(cut);
        }
        end(whole);
    }
    free(events);
}

static void
test_cutting_a_session_does_not_show(void **state)
{
    (void)state;
    expect_cuts_not_to_show(IF_CONTEXT);
}

// A throttle chooses whole seconds, of events of which some lie behind the chunk.
static void
test_cutting_a_session_does_not_show_in_samples(void **state)
{
    (void)state;
    expect_cuts_not_to_show("<event name='test.Mark'><setting name='select'>if-context</setting>"
                            "<setting name='throttle'>10/s</setting></event>");
}

// A sample of contexts is of those that end in a second, of which the longest began 30 chunks
// before. Units of minutes and hours go on from second to second.
static void
test_cutting_a_session_does_not_show_in_samples_of_contexts(void **state)
{
    (void)state;
    static const char *const rates[] = {"1/s", "1/ms", "60/m", "900/h"};
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        char rules[512];
        (void)snprintf(rules, sizeof(rules),
            IF_CONTEXT
            "<event name='test.Trace'><setting name='context-throttle'>%s</setting></event>",
            rates[i]);
        expect_cuts_not_to_show(rules);
    }
}

// Nothing is selected by context, so only the contexts themselves depend on it.
static void
test_samples_of_contexts_need_no_selection(void **state)
{
    (void)state;
    expect_cuts_not_to_show(
        "<event name='test.Mark'><setting name='throttle'>20/s</setting></event>"
        "<event name='test.Trace'><setting name='context-throttle'>1/s</setting>"
        "<setting name='context-threshold'>100 ms</setting></event>");
}

// --- Damage

// is_readable returns whether anything of a chunk can be read.
static bool
is_readable(lp_slice chunk)
{
    compact_view view;
    lp_err err = compact_view_open(&view, chunk, NULL, false, NULL, NULL);
    if (err == LP_OK) {
        compact_view_close(&view);
    }
    return err == LP_OK;
}

// lose_events makes the events of a chunk end at one behind an offset.
static void
lose_events(const jfr_build *build, size_t offset)
{
    uint8_t *bytes = build->bytes.ptr;
    jfr_cursor rest = {bytes + JFR_CHUNK_HEADER_SIZE, bytes + build->bytes.len};
    jfr_event event;
    while (jfr_event_next(&rest, &event) == LP_OK) {
        if ((size_t)(event.begin - bytes) >= offset) {
            bytes[event.begin - bytes] = 0; // no event has no bytes
            return;
        }
    }
}

// damage_some damages chunks in the middle: there is nothing to be read of some, not even where
// they start, and of others events are missing, or what describes them.
static void
damage_some(recording *r, uint64_t *seed)
{
    r->has_damage = true;
    for (size_t i = 1; i + 1 < r->count; i++) {
        lp_slice *jfr = &r->chunks[i].jfr;
        size_t middle = jfr->len / 4 + (size_t)chance_below(seed, jfr->len / 2);
        uint64_t kind = i == 1 ? 2 : chance_below(seed, 8); // one at least cannot be read
        if (kind == 0) {
            lose_events(&r->builds[i], middle);
        } else if (kind == 1) {
            jfr->len = middle;
        }
        if (kind == 2 || !is_readable(*jfr)) {
            memset(r->builds[i].bytes.ptr, 0, 4);
        }
    }
}

// compact_one_by_one compacts each chunk that can be read with those behind it, as whoever gets
// them one after the other: nothing is known beforehand.
static void
compact_one_by_one(recording *r)
{
    static compact_source sources[CHUNKS_MAX];
    static compact_result results[CHUNKS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (is_readable(r->chunks[i].jfr)) {
            sources[count++] = (compact_source){.jfr = r->chunks[i].jfr};
        }
    }
    assert_in_range(count, 2, r->count - 1); // some cannot
    r->kept.count = 0;
    compact_run_with(sources, count, &(compact_options){.policy = r->rules}, results);
    for (size_t i = 0; i < count; i++) {
        add_kept(r, &results[i]);
        compact_result_fini(&results[i]);
    }
    sort_kept(r);
}

// Contexts are short enough that none is open where knowledge ends. So the first pass chooses
// exactly those that the engine does without it, whatever cannot be read.
static void
test_the_first_pass_chooses_as_the_engine_does(void **state)
{
    (void)state;
    static const int64_t cuts_ms[] = {400, 700, 1500, 2500};
    stored *events = calloc(EVENTS, sizeof(*events));
    assert_non_null(events);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        uint64_t state_of_chance = seed;
        make_session(events, false, &state_of_chance);
        recording *r = record(events, seed % 2 == 0 ? IF_CONTEXT RATE("1/s") : RATE("20/m"),
            cuts_ms[seed % 4] * 1000000, &state_of_chance);
        finish_chunks(r);
        damage_some(r, &state_of_chance);
        compact_one_by_one(r);
        size_t count = r->kept.count;
        int64_t *kept = calloc(count + 1, sizeof(*kept));
        assert_non_null(kept);
        memcpy(kept, r->kept.items, count * sizeof(*kept));
        compact_finished(r, 1 + (unsigned)seed % 3);
        expect_kept(r, kept, count);
        free(kept);
        end(r);
    }
    free(events);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_steps_of_a_job_over_five_chunks_are_kept),
        cmocka_unit_test(test_the_thread_may_be_described_elsewhere),
        cmocka_unit_test(test_contexts_that_do_not_matter_are_not_far),
        cmocka_unit_test(test_cutting_a_session_does_not_show),
        cmocka_unit_test(test_cutting_a_session_does_not_show_in_samples),
        cmocka_unit_test(test_cutting_a_session_does_not_show_in_samples_of_contexts),
        cmocka_unit_test(test_samples_of_contexts_need_no_selection),
        cmocka_unit_test(test_the_first_pass_chooses_as_the_engine_does),
    };
    return cmocka_run_group_tests_name("far_contexts", tests, NULL, NULL);
}
