// SPDX-License-Identifier: Apache-2.0
// Promised: the encoding of a chunk does not matter. One story is written in the simplest way, and
// then in every other way that the format allows. The engine's output for each must read, by a
// reader of the tests' own, like the simplest one, and have as many constants and types.

#include "story.h"
#include "support/compact_run.h"
#include "support/jfr_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The options: numbers only in a context, and contexts that contain something.
static const char policy_text[] =
    "<event name='test.NumberLists'><setting name='select'>if-context</setting></event>"
    "<event name='test.Instant'><setting name='enabled'>false</setting></event>";

// --- The output

static compact_result
compact(lp_slice chunk)
{
    const compact_source source = {.jfr = chunk};
    policy *rules = compact_run_policy(policy_text);
    compact_result result;
    compact_run(&source, 1, rules, COMPACT_RUN_AS_IT_IS, &result);
    policy_destroy(rules);
    return result;
}

typedef LP_VEC(char *) lines;

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
lines_add(lines *all, const jfr_read *read, const jfr_read_event *event)
{
    lp_buf text = {0};
    jfr_read_text(read, event, &text);
    char **line = LP_VEC_PUSH(all);
    assert_non_null(line);
    *line = (char *)text.ptr;
}

static void
lines_fini(lines *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i]);
    }
    LP_VEC_FINI(all);
}

// is_in_trace decides for a STORY_NUMBER_LISTS event by the most naive reading of the rules: its
// thread has a trace around its time.
static bool
is_in_trace(uint64_t n)
{
    for (uint64_t trace = 0; trace < STORY_ROUNDS; trace++) {
        uint64_t begin = 95 + 10 * trace;
        uint64_t end = begin + (trace % 2 == 0 ? 20 : 1);
        if (trace % 3 == n % 3 && begin <= 100 + 10 * n && 100 + 10 * n <= end) {
            return true;
        }
    }
    return false;
}

// is_around_kept decides for a STORY_TRACE, as naively: an event that is kept whatever is around it
// was committed in it, or another trace that is kept.
static bool
is_around_kept(uint64_t trace)
{
    uint64_t thread = 1 + trace % 3;
    uint64_t begin = 95 + 10 * trace;
    uint64_t end = begin + (trace % 2 == 0 ? 20 : 1);
    for (uint64_t n = 0; n < STORY_ROUNDS; n++) {
        uint64_t start = 100 + 10 * n;
        uint64_t on = 1 + n % 3;
        uint64_t scalars = start + (n % 2 == 0 ? 0 : 70000);
        bool is_by_texts = n % 4 == thread && begin <= start && start <= end;
        bool is_by_others = on == thread && ((begin <= scalars && scalars <= end) ||
                                                (begin <= start && start <= end) ||
                                                (begin <= start + 3 && start + 3 <= end));
        uint64_t other_end = 95 + 10 * n + (n % 2 == 0 ? 20 : 1); // a trace within the trace
        bool is_by_trace = n != trace && on == thread && begin <= other_end && other_end <= end;
        if (is_by_texts || is_by_others || (is_by_trace && is_around_kept(n))) {
            return true;
        }
    }
    return false;
}

static bool
is_kept(const char *type, uint64_t n)
{
    if (strcmp(type, "test.Instant") == 0) {
        return false;
    }
    if (strcmp(type, "test.NumberLists") == 0) {
        return is_in_trace(n);
    }
    return strcmp(type, "test.Trace") != 0 || is_around_kept(n);
}

// expected_lines returns the kept events as the plain chunk has them, sorted.
static lines
expected_lines(lp_slice plain)
{
    lines all = {0};
    jfr_read read;
    jfr_read_open(&read, plain);
    assert_int_equal(read.events.count, STORY_ROUNDS * STORY_EVENTS_IN_ROUND);
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *event = &read.events.items[i];
        if (is_kept(jfr_read_name(&read, event), i / STORY_EVENTS_IN_ROUND)) {
            lines_add(&all, &read, event);
        }
    }
    jfr_read_close(&read);
    qsort(all.items, all.count, sizeof(char *), compare_lines);
    return all;
}

static void
expect_lines(const lines *want, const jfr_read *read, const char *name)
{
    lines got = {0};
    for (size_t i = 0; i < read->events.count; i++) {
        lines_add(&got, read, &read->events.items[i]);
    }
    qsort(got.items, got.count, sizeof(char *), compare_lines);
    for (size_t i = 0; i < want->count || i < got.count; i++) {
        const char *w = i < want->count ? want->items[i] : "(nothing more)";
        const char *g = i < got.count ? got.items[i] : "(nothing more)";
        if (strcmp(w, g) != 0) {
            fail_msg("%s\n want %s\n  got %s\n", name, w, g);
        }
    }
    lines_fini(&got);
}

typedef struct fixture {
    lines want;
    size_t constant_count; // in the output of the plain way
    size_t type_count;
} fixture;

static void
expect_story(const fixture *f, const story_telling *t)
{
    story w;
    jfr_read read;
    compact_result result = compact(story_tell(&w, t));
    compact_run_read(&result, &read);
    expect_lines(&f->want, &read, t->name);
    if (read.constants.count != f->constant_count || read.types.count != f->type_count) {
        fail_msg("%s: %zu constants, %zu types", t->name, read.constants.count, read.types.count);
    }
    assert_int_equal(
        result.stats.unknown_events, t->has_unknown_events ? 2 * (uint64_t)STORY_ROUNDS : 0);
    jfr_read_close(&read);
    compact_result_fini(&result);
    story_fini(&w);
}

static const story_telling plain = {.name = "plain"};

static int
setup(void **state)
{
    static fixture f;
    story w;
    jfr_read read;
    lp_slice chunk = story_tell(&w, &plain);
    f.want = expected_lines(chunk);
    compact_result result = compact(chunk);
    compact_run_read(&result, &read);
    f.constant_count = read.constants.count;
    f.type_count = read.types.count;
    jfr_read_close(&read);
    compact_result_fini(&result);
    story_fini(&w);
    *state = &f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    lines_fini(&f->want);
    return 0;
}

// --- Tests

#define HUGE_ID 0xf000000000000000

static void
test_the_plain_way(void **state)
{
    const fixture *f = *state;
    // Of 20 constants a thread, a text, a symbol and a class are for nobody, and the texts that
    // only those name. All types stay, as this is the first chunk; the type of the accounts needs
    // five that are not there, and a contextual type one.
    assert_in_range(f->constant_count, 12, 17);
    assert_int_equal(f->type_count, STORY_TYPES + 7);
    assert_in_range(f->want.count, STORY_ROUNDS * 5 + 1, STORY_ROUNDS * 7 - 1);
    expect_story(f, &plain);
}

static void
test_every_other_way(void **state)
{
    static const story_telling ways[] = {
        {.name = "version 1.0", .major = 1},
        {.name = "version 1.1", .major = 1, .minor = 1},
        {.name = "version 2.0", .major = 2},
        {.name = "metadata amid the events", .metadata = STORY_AMID},
        {.name = "metadata last", .metadata = STORY_LAST},
        {.name = "metadata last, constants before",
            .metadata = STORY_LAST,
            .constants = STORY_AMID},
        {.name = "constants amid the events", .constants = STORY_AMID},
        {.name = "constants last", .constants = STORY_LAST},
        {.name = "constants in many checkpoints", .constants = STORY_SPREAD},
        {.name = "constants and metadata last", .constants = STORY_LAST, .metadata = STORY_LAST},
        {.name = "the same metadata twice", .is_metadata_repeated = true},
        {.name = "types in one of two metadata", .is_metadata_split = true},
        {.name = "types in one of two, late", .is_metadata_split = true, .metadata = STORY_AMID},
        {.name = "constants defined twice", .is_redefined = true},
        {.name = "constants defined twice, late", .is_redefined = true, .constants = STORY_SPREAD},
        {.name = "the header names the first checkpoint",
            .has_vague_header = true,
            .constants = STORY_SPREAD},
        {.name = "checkpoints without a chain",
            .chain = STORY_CHAIN_ZERO,
            .constants = STORY_SPREAD},
        {.name = "checkpoints with a wrong chain",
            .chain = STORY_CHAIN_WRONG,
            .constants = STORY_SPREAD},
        {.name = "types above 2^63", .type_bias = HUGE_ID},
        {.name = "keys above 2^63", .key_bias = HUGE_ID},
        {.name = "types and keys above 2^32", .type_bias = 1ull << 33, .key_bias = 1ull << 40},
        {.name = "unknown events", .has_unknown_events = true},
        {.name = "empty pools", .has_empty_pools = true},
        {.name = "trailing bytes", .has_trailing_bytes = true},
        {.name = "sizes of 4 bytes", .size_width = 4},
        {.name = "sizes of 9 bytes", .size_width = 9},
        {.name = "type ids of 3 bytes", .type_width = 3},
        {.name = "type ids of 9 bytes", .type_width = 9},
        {.name = "numbers of 2 bytes", .value_width = 2},
        {.name = "numbers of 5 bytes", .value_width = 5},
        {.name = "numbers of 9 bytes", .value_width = 9},
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        expect_story(*state, &ways[i]);
    }
}

// Where the constants of an unknown type end nobody can say, so the rest of their checkpoint is
// lost; nothing else is.
static void
test_constants_of_an_unknown_type_cost_their_checkpoint(void **state)
{
    const fixture *f = *state;
    const story_telling t = {.name = "unknown constants", .constants = STORY_LAST};
    story w;
    (void)story_tell(&w, &t);
    uint64_t offset = w.build.bytes.len;
    const compact_source source = {.jfr = story_add_unknown_constants(&w)};
    policy *rules = compact_run_policy(policy_text);
    compact_options options = {.policy = rules, .refused = COMPACT_REFUSED_ALL};
    compact_result result;
    lp_problem problem = {0};
    assert_int_equal(
        compact_chunk(&source, NULL, 0, NULL, &options, &result, &problem), LP_ECORRUPT);
    assert_in_range(problem.offset, offset, w.build.bytes.len);
    options.refused = COMPACT_REFUSED_NONE;
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, &options, &result, NULL), LP_OK);
    jfr_read read;
    compact_run_read(&result, &read);
    expect_lines(&f->want, &read, t.name);
    assert_int_equal(read.constants.count, f->constant_count);
    assert_int_equal(result.damage.notes.count, 1);
    jfr_read_close(&read);
    compact_result_fini(&result);
    policy_destroy(rules);
    story_fini(&w);
}

static uint64_t
random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void
test_any_mixture_of_ways(void **state)
{
    static const uint64_t biases[] = {0, 0, 100, 1ull << 33, HUGE_ID};
    static const size_t widths[] = {0, 0, 3, 4, 8, 9};
    uint64_t seed = 20240229;
    for (int i = 0; i < 300; i++) {
        char name[40];
        uint64_t bits = random_next(&seed);
        (void)snprintf(name, sizeof(name), "mixture %d", i);
        story_telling t = {
            .name = name,
            .major = (uint8_t)(bits % 3),
            .minor = (uint8_t)(bits >> 2 & 1),
            .metadata = (story_place)(bits >> 3) % 3,
            .constants = (story_place)(bits >> 8) % 4,
            .is_metadata_split = bits >> 13 & 1,
            .is_metadata_repeated = bits >> 14 & 1,
            .is_redefined = bits >> 15 & 1,
            .has_vague_header = bits >> 16 & 1,
            .has_unknown_events = bits >> 18 & 1,
            .has_empty_pools = bits >> 20 & 1,
            .has_trailing_bytes = bits >> 21 & 1,
            .chain = (story_chain)(bits >> 22) % 3,
            .type_bias = biases[(bits >> 26) % 5],
            .key_bias = biases[(bits >> 30) % 5],
            .size_width = widths[2 + (bits >> 34) % 4],
            .type_width = widths[(bits >> 38) % 6],
            .value_width = widths[(bits >> 42) % 6],
        };
        expect_story(*state, &t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_plain_way),
        cmocka_unit_test(test_every_other_way),
        cmocka_unit_test(test_constants_of_an_unknown_type_cost_their_checkpoint),
        cmocka_unit_test(test_any_mixture_of_ways),
    };
    return cmocka_run_group_tests_name("compact_variety", tests, setup, teardown);
}
