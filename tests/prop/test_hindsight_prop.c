// SPDX-License-Identifier: Apache-2.0
// Random sessions (naive.h): the engine keeps what the rules say of the session as a whole, in both
// directions, and in each unit of a rate up to a second as many as it may. It keeps the same
// wherever the session is cut into chunks. The bytes are the same however many chunks more than
// needed are known behind each, whether carry-overs are saved and loaded, and, as a file, on one
// thread and on two.
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other sessions than the usual ones
//
// A session that fails is printed as small as it fails.

#include "naive.h"
#include "support/chance.h"
#include "support/compact_run.h"

#include "common/base/lp_log.h"
#include "offline/pipeline.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Contexts of the API end so soon behind each chunk, or not at all.
enum { KNOWN_S = NAIVE_SECONDS_MAX + 1, LATE_S = 2, NS_PER_S = 1000000000 };

// --- Running the engine

typedef struct outputs {
    lp_buf chunks[NAIVE_CHUNKS_MAX];
    size_t count;
} outputs;

static void
outputs_fini(outputs *o)
{
    for (size_t i = 0; i < o->count; i++) {
        lp_buf_fini(&o->chunks[i]);
    }
}

static bool
is_same(const outputs *a, const outputs *b, const char *what)
{
    for (size_t i = 0; i < a->count; i++) {
        if (a->chunks[i].len != b->chunks[i].len ||
            memcmp(a->chunks[i].ptr, b->chunks[i].ptr, a->chunks[i].len) != 0) {
            naive_say("chunk %zu of %zu has other bytes with %s\n", i, a->count, what);
            return false;
        }
    }
    return a->count == b->count;
}

// What is known of the chunks behind one: of each of them the engine gets all.
typedef struct look_ahead {
    int64_t known_ns;
    const size_t *needed; // how many of them; NULL: all of them are there
    uint64_t *chance;     // chooses how many more are there; and carry-overs are saved and loaded
} look_ahead;

static const look_ahead everything = {.known_ns = (int64_t)KNOWN_S * NS_PER_S};

// run compacts chunk by chunk.
static void
run(const naive_chunks *chunks, const policy *rules, const look_ahead *ahead, outputs *out,
    jfr_read *reads, compact_result *results)
{
    const compact_options options = {
        .policy = rules, .refused = COMPACT_REFUSED_ALL, .known_ns = ahead->known_ns};
    uint64_t *chance = ahead->chance;
    compact_carry *carry = NULL;
    out->count = chunks->count;
    for (size_t i = 0; i < chunks->count; i++) {
        size_t behind = chunks->count - i - 1;
        size_t known = behind;
        if (chance != NULL) {
            known = ahead->needed[i] + chance_below(chance, behind - ahead->needed[i] + 1);
        }
        lp_problem problem;
        assert_int_equal(compact_chunk(&chunks->sources[i], &chunks->sources[i + 1], known, carry,
                             &options, &results[i], &problem),
            LP_OK);
        compact_carry_destroy(carry);
        carry = chance == NULL ? results[i].carry : compact_run_through_bytes(results[i].carry);
        if (chance == NULL) {
            results[i].carry = NULL; // moves
        }
        lp_buf_append(&out->chunks[i], results[i].jfr.ptr, results[i].jfr.len);
        if (reads != NULL) {
            compact_run_read(&results[i], &reads[i]);
        }
    }
    compact_carry_destroy(carry);
}

static bool
is_same_with(const naive_chunks *chunks, const policy *rules, const look_ahead *ahead,
    const outputs *expected, const char *what)
{
    static compact_result results[NAIVE_CHUNKS_MAX];
    outputs o = {.count = 0};
    run(chunks, rules, ahead, &o, NULL, results);
    bool is_good = is_same(expected, &o, what);
    for (size_t i = 0; i < chunks->count; i++) {
        compact_result_fini(&results[i]);
    }
    outputs_fini(&o);
    return is_good;
}

// is_same_with_a_limit waits for a time as the collector does: what is there beyond it by chance
// must not show.
static bool
is_same_with_a_limit(const naive *s, const naive_cut *cut, const naive_chunks *chunks,
    const policy *rules, uint64_t *chance)
{
    static compact_result results[NAIVE_CHUNKS_MAX];
    const int64_t known =
        s->ticks_per_s / 2 + (int64_t)chance_below(chance, (uint64_t)(8 * s->ticks_per_s));
    size_t needed[NAIVE_CHUNKS_MAX] = {0};
    for (size_t i = 0; i + 1 < cut->count; i++) {
        needed[i] = naive_chunk_at(cut, cut->borders[i + 1] + known + LATE_S * s->ticks_per_s) - i;
    }
    look_ahead limited = {.known_ns = known * (NS_PER_S / s->ticks_per_s)};
    outputs o = {.count = 0};
    run(chunks, rules, &limited, &o, NULL, results);
    limited.needed = needed;
    limited.chance = chance;
    bool is_good = is_same_with(chunks, rules, &limited, &o, "what is known by chance");
    for (size_t i = 0; i < chunks->count; i++) {
        compact_result_fini(&results[i]);
    }
    outputs_fini(&o);
    return is_good;
}

static lp_err
take_chunk(void *arg, const pipeline_outcome *outcome)
{
    outputs *o = arg;
    assert_int_equal(outcome->err, LP_OK);
    assert_int_equal(outcome->index, o->count);
    lp_buf *chunk = &o->chunks[o->count++];
    for (size_t i = 0; i < outcome->result->pieces.count; i++) {
        const lp_slice *piece = &outcome->result->pieces.items[i];
        lp_buf_append(chunk, piece->ptr, piece->len);
    }
    if (outcome->result->pieces.count == 0) {
        lp_buf_append(chunk, outcome->result->jfr.ptr, outcome->result->jfr.len);
    }
    return LP_OK;
}

static void
release_chunk(void *arg, size_t index)
{
    (void)arg;
    (void)index;
}

// is_same_offline does the same as a whole file.
static bool
is_same_offline(
    const naive_chunks *chunks, const policy *rules, const outputs *expected, unsigned threads)
{
    const compact_options options = {.policy = rules, .refused = COMPACT_REFUSED_ALL};
    pipeline_chunk parts[NAIVE_CHUNKS_MAX];
    for (size_t i = 0; i < chunks->count; i++) {
        parts[i] =
            (pipeline_chunk){.jfr = chunks->sources[i].jfr, .goes_on = i + 1 < chunks->count};
    }
    outputs o = {.count = 0};
    assert_int_equal(pipeline_run(&(pipeline_input){.chunks = parts,
                         .count = chunks->count,
                         .threads = threads,
                         .options = &options,
                         .take = take_chunk,
                         .release = release_chunk,
                         .arg = &o}),
        LP_OK);
    bool is_good = is_same(expected, &o, threads == 1 ? "one thread" : "two threads");
    outputs_fini(&o);
    return is_good;
}

// --- One session

static bool
is_chunk_kept_the_same(const naive *a, const naive *b)
{
    for (size_t i = 0; i < a->event_count; i++) {
        if (a->events[i].is_kept != b->events[i].is_kept) {
            naive_say("event %zu is kept in one cut only\n", a->events[i].number);
            return false;
        }
    }
    for (size_t i = 0; i < a->context_count; i++) {
        if (a->contexts[i].is_kept != b->contexts[i].is_kept) {
            naive_say("context %zu is kept in one cut only\n", a->contexts[i].number);
            return false;
        }
    }
    return true;
}

// is_cut_right notes in s what is kept.
static bool
is_cut_right(naive *s, const naive_cut *cut, const policy *rules, uint64_t seed)
{
    static naive_chunks chunks;
    static compact_result results[NAIVE_CHUNKS_MAX];
    static jfr_read reads[NAIVE_CHUNKS_MAX];
    outputs o = {.count = 0};
    naive_build(s, cut, &chunks);
    run(&chunks, rules, &everything, &o, reads, results);
    const look_ahead enough = {
        .known_ns = everything.known_ns, .needed = chunks.needed, .chance = &seed};
    bool is_good = naive_take(s, cut, reads) && naive_is_right(s) &&
                   is_same_with(&chunks, rules, &enough, &o, "less ahead") &&
                   is_same_with_a_limit(s, cut, &chunks, rules, &seed);
    if (is_good && s->record_count == 0) {
        is_good = is_same_offline(&chunks, rules, &o, 1) && is_same_offline(&chunks, rules, &o, 2);
    }
    for (size_t i = 0; i < chunks.count; i++) {
        jfr_read_close(&reads[i]);
        compact_result_fini(&results[i]);
    }
    outputs_fini(&o);
    naive_chunks_fini(&chunks);
    return is_good;
}

static bool
is_session_right(naive *s, uint64_t seed)
{
    static naive first;
    policy *rules = compact_run_policy(s->policy);
    bool is_good = true;
    for (size_t i = 0; i < NAIVE_CUTS && is_good; i++) {
        is_good = is_cut_right(s, &s->cuts[i], rules, seed);
        if (i == 0) {
            first = *s;
        }
        is_good = is_good && is_chunk_kept_the_same(&first, s);
    }
    policy_destroy(rules);
    return is_good;
}

// --- Making a session smaller that fails

static bool
still_fails(naive *s, naive *smaller, uint64_t seed)
{
    naive_put_together(smaller);
    if (!naive_is_valid(smaller) || is_session_right(smaller, seed)) {
        return false;
    }
    *s = *smaller;
    return true;
}

static bool
drop_something(naive *s, uint64_t seed)
{
    static naive smaller;
    bool has_dropped = false;
    for (size_t i = s->event_count; i-- > 0;) {
        smaller = *s;
        memmove(&smaller.events[i], &smaller.events[i + 1],
            (--smaller.event_count - i) * sizeof(*smaller.events));
        has_dropped |= still_fails(s, &smaller, seed);
    }
    for (size_t i = s->record_count; i-- > 0;) {
        smaller = *s;
        memmove(&smaller.records[i], &smaller.records[i + 1],
            (--smaller.record_count - i) * sizeof(*smaller.records));
        has_dropped |= still_fails(s, &smaller, seed);
    }
    for (size_t i = 0; i < NAIVE_CUTS; i++) {
        for (size_t k = s->cuts[i].count; k-- > 1;) {
            smaller = *s;
            naive_cut *cut = &smaller.cuts[i];
            memmove(
                &cut->borders[k], &cut->borders[k + 1], (--cut->count - k) * sizeof(*cut->borders));
            has_dropped |= still_fails(s, &smaller, seed);
        }
    }
    return has_dropped;
}

static void
show_failure(naive *s, uint64_t seed)
{
    print_error("LOUPE_PROP_SEED=%" PRIu64 " LOUPE_PROP_ROUNDS=1 shows it\n", seed);
    naive_is_quiet = true;
    while (drop_something(s, seed)) {
    }
    naive_is_quiet = false;
    print_error("the smallest:\n");
    (void)is_session_right(s, seed);
    naive_print(s);
    fail();
}

// --- Rounds

static uint64_t
number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

// What was seen: properties of nothing prove nothing.
typedef struct tally {
    size_t chunks;
    size_t kept;
    size_t dropped;
} tally;

static tally
check_rounds(const naive_settings *settings, uint64_t rounds)
{
    static naive s;
    tally seen = {0};
    uint64_t first = number_of("LOUPE_PROP_SEED", 1);
    for (uint64_t seed = first; seed < first + rounds; seed++) {
        uint64_t chance = seed;
        memset(&s, 0, sizeof(s));
        naive_make(&s, settings, &chance);
        if (!is_session_right(&s, seed)) {
            show_failure(&s, seed);
        }
        seen.chunks += s.cuts[0].count;
        for (size_t i = 0; i < s.event_count; i++) {
            seen.kept += s.events[i].is_kept;
            seen.dropped += !s.events[i].is_kept;
        }
    }
    print_message(
        "%zu chunks, %zu events kept, %zu dropped\n", seen.chunks, seen.kept, seen.dropped);
    return seen;
}

static void
test_session(void **state)
{
    const naive_settings *settings = *state;
    uint64_t rounds = number_of("LOUPE_PROP_ROUNDS", 50);
    tally seen = check_rounds(settings, rounds);
    assert_true(
        rounds < 10 || (seen.chunks > rounds && seen.kept > rounds && seen.dropped > rounds));
}

#define TEST(what, ...)                                                                            \
    {                                                                                              \
        .name = (what), .test_func = test_session, .initial_state = &(naive_settings)              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("events in contextual events of any length", .selects_by_context = true),
        TEST("events in contexts of any length", .selects_by_context = true, .has_records = true),
        TEST("contextual events by their length", .selects_by_context = true,
            .has_thresholds = true),
        TEST("contexts by their length", .selects_by_context = true, .has_thresholds = true,
            .has_records = true),
        TEST("samples of contextual events", .selects_by_context = true, .has_thresholds = true,
            .throttles_contexts = true),
        TEST("samples of contexts", .selects_by_context = true, .has_thresholds = true,
            .throttles_contexts = true, .has_records = true),
        TEST("throttles of plain types", .throttles_plain = true),
        TEST("throttles of plain types that need contexts", .throttles_plain = true,
            .selects_by_context = true, .has_thresholds = true, .has_records = true),
        TEST("throttles of contextual types", .throttles_contextual = true, .has_records = true),
        TEST("throttles of all types", .throttles_contextual = true, .throttles_plain = true,
            .selects_by_context = true),
        TEST("units of minutes and hours", .throttles_contextual = true, .throttles_plain = true,
            .has_long_units = true),
        TEST("everything at once", .selects_by_context = true, .has_thresholds = true,
            .throttles_plain = true, .throttles_contextual = true, .throttles_contexts = true,
            .has_long_units = true, .has_records = true),
    };
    lp_log_init("prop", LP_LOG_ERROR);
    return cmocka_run_group_tests_name("hindsight_prop", tests, NULL, NULL);
}
