// SPDX-License-Identifier: Apache-2.0
// compact_context_stacks: the contexts that apply at each moment, from the outermost to the
// innermost. Promised: the same result as a search of all contexts for every event, including ties;
// and as few states as the header says, however contexts overlap. Checked on cases written by hand,
// against that naive search on random contexts, and on deep and long ones.
#include "support/chance.h"
#include "support/large.h"

#include "engine/show/context_stacks.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NONE = COMPACT_CONTEXT_STACKS_NONE };

typedef struct question {
    uint32_t thread;
    int64_t commit;
    uint32_t moment;
} question;

// chain_of writes the contexts of a state as "outer inner", " ..." in front where it is cut.
static const char *
chain_of(const compact_context_stacks *applied, uint32_t state, char *text, size_t size)
{
    uint32_t chain[256];
    size_t count = 0;
    bool is_cut = false;
    for (uint32_t at = state; at != NONE; at = applied->states.items[at].parent) {
        assert_true(count < sizeof(chain) / sizeof(chain[0]));
        chain[count++] = applied->states.items[at].context;
        is_cut = applied->states.items[at].is_cut;
    }
    size_t used = (size_t)snprintf(text, size, "%s", is_cut ? "..." : "");
    while (count > 0) {
        used += (size_t)snprintf(
            text + used, size - used, "%s%u", used == 0 ? "" : " ", chain[--count]);
    }
    return text;
}

typedef struct expectation {
    uint32_t thread;
    int64_t commit;
    const char *chain;
} expectation;

// assert_chains asks for all of them before it builds.
static void
assert_chains(compact_context_stacks *applied, const expectation *expected, size_t count)
{
    uint32_t moments[16];
    assert_true(count <= sizeof(moments) / sizeof(moments[0]));
    for (size_t i = 0; i < count; i++) {
        moments[i] = compact_context_stacks_want(applied, expected[i].thread, expected[i].commit);
    }
    assert_int_equal(compact_context_stacks_build(applied), LP_OK);
    for (size_t i = 0; i < count; i++) {
        char text[256];
        assert_string_equal(
            chain_of(applied, compact_context_stacks_at(applied, moments[i]), text, sizeof(text)),
            expected[i].chain);
    }
}

static void
test_nested_contexts_apply_from_the_outermost_to_the_innermost(void **state)
{
    (void)state;
    const compact_stack_moments_context contexts[] = {
        {10, 100, 1, 0}, {20, 50, 1, 1}, {30, 40, 1, 0}, {20, 50, 0, 0}, // another thread
    };
    static const expectation expected[] = {
        {1, 60, "0"},
        {1, 9, ""},
        {1, 10, "0"},
        {1, 35, "0 1 2"},
        {1, 41, "0 1"},
        {1, 100, "0"},
        {1, 101, ""},
        {0, 20, "3"},
        {0, 19, ""},
        {2, 30, ""},
    };
    compact_context_stacks applied;
    assert_int_equal(compact_context_stacks_init(&applied, contexts, 4, 3, 64), LP_OK);
    assert_chains(&applied, expected, sizeof(expected) / sizeof(expected[0]));
    assert_int_equal(applied.states.count, 4); // one for each context

    uint32_t found =
        compact_context_stacks_at(&applied, compact_context_stacks_want(&applied, 1, 35));
    const compact_context_stacks_state *inner = &applied.states.items[found];
    assert_int_equal(inner->types, 3);
    assert_int_equal(compact_context_stacks_latest(&applied, inner, 0), 2);
    assert_int_equal(compact_context_stacks_latest(&applied, inner, 1), 1);
    compact_context_stacks_fini(&applied);
}

static void
test_what_ends_with_a_context_but_began_later_is_in_it(void **state)
{
    (void)state;
    const compact_stack_moments_context contexts[] = {
        {1, 9, 0, 0}, // around
        {3, 9, 0, 1}, // the one that asks
        {5, 9, 0, 2}, // within
        {3, 9, 0, 3}, // its twin, which is decided later
        {9, 12, 0, 4},
        {2, 4, 0, 5},
    };
    compact_context_stacks applied;
    char text[64];
    assert_int_equal(compact_context_stacks_init(&applied, contexts, 6, 1, 64), LP_OK);
    for (uint32_t i = 0; i < 6; i++) {
        compact_context_stacks_want_own(&applied, i);
    }
    assert_int_equal(compact_context_stacks_build(&applied), LP_OK);
    static const char *const expected[] = {"4", "0 3 4", "0 3 1 4", "0 4", "", "0 3 1"};
    for (uint32_t i = 0; i < 6; i++) {
        assert_string_equal(
            chain_of(&applied, compact_context_stacks_own(&applied, i), text, sizeof(text)),
            expected[i]);
    }
    compact_context_stacks_fini(&applied);
}

static void
test_contexts_without_an_end_apply_for_ever(void **state)
{
    (void)state;
    const compact_stack_moments_context contexts[] = {
        {5, INT64_MAX, 0, 0}, {INT64_MIN, 7, 0, 1}, {INT64_MAX, INT64_MAX, 0, 2}};
    compact_context_stacks applied;
    assert_int_equal(compact_context_stacks_init(&applied, contexts, 3, 1, 64), LP_OK);
    static const expectation expected[] = {
        {0, INT64_MIN, "1"},
        {0, 6, "1 0"},
        {0, 8, "0"},
        {0, INT64_MAX, "0 2"},
    };
    compact_context_stacks_want_own(&applied, 2);
    assert_chains(&applied, expected, 4);
    char text[64];
    assert_string_equal(
        chain_of(&applied, compact_context_stacks_own(&applied, 2), text, sizeof(text)), "0");
    compact_context_stacks_fini(&applied);
}

static void
test_no_contexts_and_no_threads_are_fine(void **state)
{
    (void)state;
    compact_context_stacks applied;
    assert_int_equal(compact_context_stacks_init(&applied, NULL, 0, 0, 2), LP_OK);
    assert_int_equal(compact_context_stacks_build(&applied), LP_OK);
    compact_context_stacks_fini(&applied);
    assert_int_equal(compact_context_stacks_init(&applied, NULL, 0, 2, 2), LP_OK);
    assert_chains(&applied, &(expectation){1, 5, ""}, 1);
    compact_context_stacks_fini(&applied);
}

// --- Against a naive look

enum { CONTEXTS_MAX = 40, QUESTIONS = 60, CHAIN_MAX = 400 };

typedef struct naive {
    uint32_t chain[CHAIN_MAX]; // outermost first
    size_t count;
} naive;

// is_outer says whether a is around b where both apply.
static bool
is_outer(const compact_stack_moments_context *contexts, uint32_t a, uint32_t b)
{
    const compact_stack_moments_context *x = &contexts[a];
    const compact_stack_moments_context *y = &contexts[b];
    if (x->begin != y->begin) {
        return x->begin < y->begin;
    }
    return x->end != y->end ? x->end > y->end : a > b;
}

static void
insert(naive *n, const compact_stack_moments_context *contexts, uint32_t context)
{
    size_t at = n->count++;
    while (at > 0 && is_outer(contexts, context, n->chain[at - 1])) {
        n->chain[at] = n->chain[at - 1];
        at--;
    }
    n->chain[at] = context;
}

// states_max is a limit that is linear in contexts and moments.
static size_t
states_max(size_t contexts, size_t moments)
{
    return 2 * (2 * contexts + (COMPACT_CONTEXT_STACKS_STATES_PER_MOMENT + 1) * moments);
}

static naive
look(const compact_stack_moments_context *contexts, size_t count, uint32_t thread, int64_t commit)
{
    naive n = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        const compact_stack_moments_context *c = &contexts[i];
        if (c->thread == thread && c->begin <= commit && commit <= c->end) {
            insert(&n, contexts, (uint32_t)i);
        }
    }
    return n;
}

static naive
look_around(const compact_stack_moments_context *contexts, size_t count, uint32_t own)
{
    const compact_stack_moments_context *o = &contexts[own];
    naive n = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        const compact_stack_moments_context *c = &contexts[i];
        bool is_later =
            c->end > o->end ||
            (c->end == o->end && (c->begin < o->begin || (c->begin == o->begin && i > own)));
        if (c->thread == o->thread && is_later && c->begin <= o->end) {
            insert(&n, contexts, i);
        }
    }
    return n;
}

// Chains that are shorter than they would be if contexts nested.
static size_t chain_count;
static size_t short_count;

// full_length is how long the chain of count contexts is: all of them, or back to where the block
// before the innermost one's begins.
static size_t
full_length(size_t count, size_t depth_max)
{
    size_t block = depth_max / 2;
    return count <= depth_max ? count : block + (count - 1) % block + 1;
}

// is_same compares the result with a naive search. Chains may be short if contexts overlap.
static bool
is_same(const compact_context_stacks *applied, uint32_t state, const naive *n)
{
    const compact_stack_moments_context *contexts = applied->moments.contexts;
    if (n->count == 0 || state == NONE) {
        return n->count == 0 && state == NONE;
    }
    uint64_t types = 0;
    for (size_t i = 0; i < n->count; i++) {
        types |= (uint64_t)1 << contexts[n->chain[i]].type;
    }
    const compact_context_stacks_state *innermost = &applied->states.items[state];
    if (innermost->types != types) {
        return false;
    }
    for (uint32_t t = 0; t < COMPACT_CONTEXT_STACKS_TYPES_MAX; t++) {
        if ((types >> t & 1) == 0) {
            continue;
        }
        size_t i = n->count - 1;
        while (contexts[n->chain[i]].type != t) {
            i--;
        }
        if (compact_context_stacks_latest(applied, innermost, t) != n->chain[i]) {
            return false;
        }
    }
    size_t length = 0;
    bool is_cut = false;
    for (uint32_t at = state; at != NONE; at = applied->states.items[at].parent) {
        if (length == n->count ||
            applied->states.items[at].context != n->chain[n->count - 1 - length]) {
            return false;
        }
        is_cut = applied->states.items[at].is_cut;
        length++;
    }
    size_t full = full_length(n->count, applied->depth_max);
    chain_count++;
    short_count += length < full;
    return is_cut == (length < n->count) && length <= full;
}

static bool
is_round_right(uint64_t seed)
{
    uint64_t chance = seed;
    compact_stack_moments_context contexts[CONTEXTS_MAX];
    question questions[QUESTIONS];
    bool asks[CONTEXTS_MAX];
    size_t count = chance_below(&chance, CONTEXTS_MAX + 1);
    uint64_t ticks = chance_below(&chance, 2) == 0 ? 12 : 300;
    uint32_t threads = (uint32_t)(1 + chance_below(&chance, 3));
    uint32_t types = (uint32_t)(chance_below(&chance, 4) == 0 ? 64 : 1 + chance_below(&chance, 3));
    uint32_t depth_max =
        (uint32_t)(chance_below(&chance, 2) == 0 ? 2 + 2 * chance_below(&chance, 4) : 64);
    for (size_t i = 0; i < count; i++) {
        int64_t begin = (int64_t)chance_below(&chance, ticks);
        contexts[i] = (compact_stack_moments_context){
            .begin = begin,
            .end =
                begin + (int64_t)chance_below(&chance, chance_below(&chance, 2) == 0 ? 4 : ticks),
            .thread = (uint32_t)chance_below(&chance, threads),
            .type = (uint32_t)chance_below(&chance, types),
        };
        asks[i] = chance_below(&chance, 3) == 0;
    }
    compact_context_stacks applied;
    assert_int_equal(
        compact_context_stacks_init(&applied, contexts, count, threads, depth_max), LP_OK);
    for (size_t i = 0; i < QUESTIONS; i++) {
        question *q = &questions[i];
        *q = (question){
            (uint32_t)chance_below(&chance, threads), (int64_t)chance_below(&chance, ticks + 4), 0};
        q->moment = compact_context_stacks_want(&applied, q->thread, q->commit);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (asks[i]) {
            compact_context_stacks_want_own(&applied, i);
        }
    }
    assert_int_equal(compact_context_stacks_build(&applied), LP_OK);
    bool is_right = applied.states.count <= states_max(count, QUESTIONS + count);
    for (size_t i = 0; i < QUESTIONS && is_right; i++) {
        const question *q = &questions[i];
        naive n = look(contexts, count, q->thread, q->commit);
        is_right = is_same(&applied, compact_context_stacks_at(&applied, q->moment), &n);
    }
    for (uint32_t i = 0; i < count && is_right; i++) {
        naive n = look_around(contexts, count, i);
        is_right = !asks[i] || is_same(&applied, compact_context_stacks_own(&applied, i), &n);
    }
    compact_context_stacks_fini(&applied);
    return is_right;
}

static void
test_it_finds_what_a_look_at_every_context_finds(void **state)
{
    (void)state;
    const uint64_t rounds = is_large ? 20000 : 5000;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        if (!is_round_right(seed)) {
            fail_msg("seed %" PRIu64, seed);
        }
    }
    assert_true(chain_count > 5 * rounds);
    assert_true(short_count < chain_count / 10);
}

// Contexts that nest, in random depth, never make chains shorter than they may be.
static void
test_nested_contexts_never_lack_states(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    const uint64_t rounds = is_large ? 200 : 80;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t chance = seed;
        compact_stack_moments_context contexts[COUNT];
        uint32_t moments[2 * COUNT];
        uint32_t open[COUNT];
        size_t opened = 0;
        size_t depth = 0;
        int64_t ticks = 0;
        while (opened < COUNT || depth > 0) {
            bool begins = opened < COUNT && (depth == 0 || chance_below(&chance, 100) < 56);
            if (begins) {
                contexts[opened] = (compact_stack_moments_context){
                    .begin = ticks++, .thread = 0, .type = (uint32_t)chance_below(&chance, 5)};
                open[depth++] = (uint32_t)opened++;
            } else {
                contexts[open[--depth]].end = ticks++;
            }
        }
        compact_context_stacks applied;
        uint32_t depth_max = (uint32_t)(2 + 2 * chance_below(&chance, 8));
        assert_int_equal(
            compact_context_stacks_init(&applied, contexts, COUNT, 1, depth_max), LP_OK);
        for (int64_t i = 0; i < ticks; i++) {
            moments[i] = compact_context_stacks_want(&applied, 0, i);
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            compact_context_stacks_want_own(&applied, i);
        }
        assert_int_equal(compact_context_stacks_build(&applied), LP_OK);
        assert_true(applied.states.count <= 2 * COUNT);
        short_count = 0;
        for (int64_t i = 0; i < ticks; i++) {
            naive n = look(contexts, COUNT, 0, i);
            assert_true(is_same(&applied, compact_context_stacks_at(&applied, moments[i]), &n));
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            naive n = look_around(contexts, COUNT, i);
            assert_true(is_same(&applied, compact_context_stacks_own(&applied, i), &n));
        }
        assert_int_equal(short_count, 0);
        compact_context_stacks_fini(&applied);
    }
}

// --- Many

enum { MANY = 10000 };

static void
test_states_stay_few_where_contexts_end_in_the_order_of_their_begins(void **state)
{
    (void)state;
    // All begin, then one after the other ends; an event after each end sees another set.
    compact_stack_moments_context *contexts = calloc(MANY, sizeof(*contexts));
    assert_non_null(contexts);
    for (int64_t i = 0; i < MANY; i++) {
        contexts[i] = (compact_stack_moments_context){i, MANY + 2 * i, 0, (uint32_t)(i % 64)};
    }
    compact_context_stacks applied;
    assert_int_equal(compact_context_stacks_init(&applied, contexts, MANY, 1, 64), LP_OK);
    static uint32_t moments[MANY];
    for (int64_t i = 0; i < MANY; i++) {
        moments[i] = compact_context_stacks_want(&applied, 0, MANY + 2 * i - 1);
    }
    assert_int_equal(compact_context_stacks_build(&applied), LP_OK);
    assert_true(applied.states.count <= states_max(MANY, MANY));
    for (int64_t i = 0; i < MANY; i++) { // the last to begin ends last
        uint32_t found = compact_context_stacks_at(&applied, moments[i]);
        assert_int_equal(applied.states.items[found].context, MANY - 1);
        int64_t left = MANY - i;
        assert_int_equal(
            __builtin_popcountll(applied.states.items[found].types), left < 64 ? left : 64);
    }
    compact_context_stacks_fini(&applied);
    free(contexts);
}

static void
test_a_quarter_of_a_million_that_overlap_are_no_trouble_either(void **state)
{
    (void)state;
    // As above, with a number of contexts for which a step for each pair would take too long.
    enum { QUARTER_MILLION = 250000, TYPES = 4 };
    compact_stack_moments_context *contexts = calloc(QUARTER_MILLION, sizeof(*contexts));
    uint32_t *moments = calloc(QUARTER_MILLION, sizeof(*moments));
    assert_non_null(contexts);
    assert_non_null(moments);
    for (int64_t i = 0; i < QUARTER_MILLION; i++) {
        contexts[i] =
            (compact_stack_moments_context){i, QUARTER_MILLION + 2 * i, 0, (uint32_t)(i % TYPES)};
    }
    for (uint32_t depth_max = 64; depth_max > 0; depth_max = depth_max == 64 ? INT32_MAX - 1 : 0) {
        compact_context_stacks applied;
        assert_int_equal(
            compact_context_stacks_init(&applied, contexts, QUARTER_MILLION, 1, depth_max), LP_OK);
        for (int64_t i = 0; i < QUARTER_MILLION; i++) {
            moments[i] = compact_context_stacks_want(&applied, 0, QUARTER_MILLION + 2 * i - 1);
            compact_context_stacks_want_own(&applied, (uint32_t)i);
        }
        assert_int_equal(compact_context_stacks_build(&applied), LP_OK);
        assert_true(applied.states.count <= states_max(QUARTER_MILLION, 2 * QUARTER_MILLION));
        for (int64_t i = 0; i < QUARTER_MILLION; i++) {
            uint32_t found = compact_context_stacks_at(&applied, moments[i]);
            const compact_context_stacks_state *innermost = &applied.states.items[found];
            for (uint32_t t = 0; t < TYPES && t < QUARTER_MILLION - i; t++) {
                assert_int_equal(compact_context_stacks_latest(
                                     &applied, innermost, (QUARTER_MILLION - 1 - t) % TYPES),
                    QUARTER_MILLION - 1 - t);
            }
        }
        compact_context_stacks_fini(&applied);
    }
    free(moments);
    free(contexts);
}

static void
test_deep_nesting_is_cut_and_keeps_the_innermost_of_each_type(void **state)
{
    (void)state;
    compact_stack_moments_context *contexts = calloc(MANY, sizeof(*contexts));
    assert_non_null(contexts);
    for (int64_t i = 0; i < MANY; i++) {
        contexts[i] = (compact_stack_moments_context){i, 4 * MANY - i, 0, i == 0 ? 0 : 1};
    }
    compact_context_stacks applied;
    assert_int_equal(compact_context_stacks_init(&applied, contexts, MANY, 1, 64), LP_OK);
    uint32_t moment = compact_context_stacks_want(&applied, 0, 2 * MANY);
    for (int64_t i = 0; i < MANY; i++) {
        (void)compact_context_stacks_want(&applied, 0, 3 * MANY + i);
        compact_context_stacks_want_own(&applied, (uint32_t)i);
    }
    assert_int_equal(compact_context_stacks_build(&applied), LP_OK);
    uint32_t found = compact_context_stacks_at(&applied, moment);
    const compact_context_stacks_state *innermost = &applied.states.items[found];
    assert_int_equal(innermost->context, MANY - 1);
    assert_int_equal(innermost->types, 3);
    assert_int_equal(compact_context_stacks_latest(&applied, innermost, 0), 0);
    size_t depth = 0;
    bool is_cut = false;
    for (uint32_t at = found; at != NONE; at = applied.states.items[at].parent) {
        is_cut = applied.states.items[at].is_cut;
        assert_int_equal(compact_context_stacks_latest(&applied, &applied.states.items[at], 0), 0);
        depth++;
    }
    assert_int_equal(depth, full_length(MANY, 64));
    assert_true(is_cut);
    assert_true(applied.states.count <= 2 * MANY);
    compact_context_stacks_fini(&applied);
    free(contexts);
}

static void
test_a_million_contexts_are_no_trouble(void **state)
{
    (void)state;
    enum { MILLION = 1000000 };
    compact_stack_moments_context *contexts = calloc(MILLION, sizeof(*contexts));
    assert_non_null(contexts);
    for (int64_t i = 0; i < MILLION; i++) { // pairs: a request, and a step in it
        int64_t begin = i / 2 * 10;
        contexts[i] = i % 2 == 0 ? (compact_stack_moments_context){begin, begin + 9, 0, 0}
                                 : (compact_stack_moments_context){begin + 2, begin + 6, 0, 1};
    }
    compact_context_stacks applied;
    assert_int_equal(compact_context_stacks_init(&applied, contexts, MILLION, 1, 64), LP_OK);
    uint32_t *moments = calloc(MILLION, sizeof(*moments));
    assert_non_null(moments);
    for (int64_t i = 0; i < MILLION; i++) {
        moments[i] = compact_context_stacks_want(&applied, 0, i * 5 + 4);
    }
    assert_int_equal(compact_context_stacks_build(&applied), LP_OK);
    assert_int_equal(applied.states.count, MILLION);
    for (int64_t i = 0; i < MILLION; i++) {
        uint32_t found = compact_context_stacks_at(&applied, moments[i]);
        assert_true(found != NONE);
        assert_int_equal(applied.states.items[found].context, i ^ 1); // step and request in turn
    }
    compact_context_stacks_fini(&applied);
    free(moments);
    free(contexts);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_contexts_apply_from_the_outermost_to_the_innermost),
        cmocka_unit_test(test_what_ends_with_a_context_but_began_later_is_in_it),
        cmocka_unit_test(test_contexts_without_an_end_apply_for_ever),
        cmocka_unit_test(test_no_contexts_and_no_threads_are_fine),
        cmocka_unit_test(test_it_finds_what_a_look_at_every_context_finds),
        cmocka_unit_test(test_nested_contexts_never_lack_states),
        cmocka_unit_test(test_states_stay_few_where_contexts_end_in_the_order_of_their_begins),
        cmocka_unit_test(test_a_quarter_of_a_million_that_overlap_are_no_trouble_either),
        cmocka_unit_test(test_deep_nesting_is_cut_and_keeps_the_innermost_of_each_type),
        cmocka_unit_test(test_a_million_contexts_are_no_trouble),
    };
    return cmocka_run_group_tests_name("compact_context_stacks", tests, NULL, NULL);
}
