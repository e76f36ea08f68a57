// SPDX-License-Identifier: Apache-2.0
// Promised: on any number of threads the pipeline gives, in the order of the chunks, what
// compact_chunk gives for one chunk after the other; a chunk that cannot be read is told and has no
// part in the others; what takes the results can end it; a session ends with the last chunk that
// can be read.
//
// The chunks are many and small, so that threads get in each other's way: contexts span them,
// events are stored late, sessions follow one another.

#include "support/chance.h"
#include "support/jfr_sample.h"
#include "support/large.h"

#include "offline/pipeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHUNKS = 60, CHUNK_TICKS = 1000, EVENTS = 100, THREADS_MAX = 5, STACKS = 3, FRAMES = 1500 };

typedef struct world {
    jfr_build builds[CHUNKS];
    pipeline_chunk chunks[CHUNKS];
    // What was taken:
    lp_buf taken[CHUNKS];
    lp_err errs[CHUNKS];
    size_t count;
    size_t borrowed;  // how many had pieces of their source
    size_t end_after; // take fails then
} world;

static uint64_t seed;

// Requests are found after other chunks are decided.
static const compact_options with_requests = {.has_requests = true};

static int64_t
random_below(int64_t bound)
{
    return (int64_t)chance_below(&seed, (uint64_t)bound);
}

// build_chunk makes the chunk from index * CHUNK_TICKS on, with some events that belong before.
static void
build_chunk(jfr_build *build, int64_t index)
{
    jfr_sample_begin(build, index * CHUNK_TICKS);
    for (uint64_t thread = 1; thread <= 4; thread++) {
        jfr_sample_thread(build, thread, (int64_t)thread);
    }
    for (int i = 0; i < EVENTS; i++) {
        int64_t start = index * CHUNK_TICKS - 300 + random_below(CHUNK_TICKS + 300);
        bool is_context = random_below(4) > 0;
        jfr_sample_event(build, &(jfr_sample){
                                    .type = is_context ? JFR_SAMPLE_TRACE : JFR_SAMPLE_PLAIN,
                                    .start = start,
                                    .end = start + random_below(is_context ? 2000 : 20),
                                    .thread = 1 + (uint64_t)random_below(4),
                                    .stack = 1 + (uint64_t)i % STACKS,
                                    .text = "x",
                                });
    }
    jfr_sample_stack(build, STACKS + 1);
    for (uint64_t key = 1; key <= STACKS; key++) { // more than is copied
        lp_buf_append(&build->payload, "\0", 1);
        jfr_build_varint(&build->payload, FRAMES);
        for (int i = 0; i < FRAMES; i++) {
            jfr_build_varint(&build->payload, 1000 + STACKS + 1); // the method of that stack
            lp_buf_append(&build->payload, "\0", 1);
        }
        jfr_build_constant(build, JFR_SAMPLE_STACK_TRACE, key);
    }
    jfr_build_checkpoint(build);
}

static int
setup(void **state)
{
    world *w = calloc(1, sizeof(*w));
    assert_non_null(w);
    seed = 7;
    w->end_after = SIZE_MAX;
    for (size_t i = 0; i < CHUNKS; i++) {
        build_chunk(&w->builds[i], (int64_t)i);
        w->chunks[i] = (pipeline_chunk){
            .jfr = jfr_build_finish(&w->builds[i]),
            .goes_on = i % 20 != 19, // three sessions
        };
    }
    *state = w;
    return 0;
}

static void
forget_taken(world *w)
{
    for (size_t i = 0; i < CHUNKS; i++) {
        lp_buf_fini(&w->taken[i]);
    }
    w->count = w->borrowed = 0;
}

static int
teardown(void **state)
{
    world *w = *state;
    forget_taken(w);
    for (size_t i = 0; i < CHUNKS; i++) {
        jfr_build_fini(&w->builds[i]);
    }
    free(w);
    return 0;
}

static lp_err
take(void *arg, const pipeline_outcome *outcome)
{
    world *w = arg;
    assert_int_equal(outcome->index, w->count);
    w->errs[w->count] = outcome->err;
    if (outcome->err == LP_OK) {
        const compact_result *result = outcome->result;
        for (size_t i = 0; i < result->pieces.count; i++) {
            lp_slice piece = result->pieces.items[i];
            lp_buf_append(&w->taken[w->count], piece.ptr, piece.len);
        }
        w->borrowed += result->pieces.count > 1;
    } else {
        assert_null(outcome->result);
        assert_true(outcome->problem->text[0] != '\0');
    }
    w->count++;
    return w->count == w->end_after ? LP_EIO : LP_OK;
}

static void
release(void *arg, size_t index)
{
    (void)arg;
    assert_true(index < CHUNKS);
}

static lp_err
run(world *w, unsigned threads)
{
    forget_taken(w);
    const pipeline_input in = {
        .chunks = w->chunks,
        .count = CHUNKS,
        .threads = threads,
        .options = &with_requests,
        .take = take,
        .release = release,
        .arg = w,
    };
    return pipeline_run(&in);
}

// expect_as_one_by_one compares what was taken with compact_chunk over the chunks from first to
// end that could be read, all of one session.
static void
expect_as_one_by_one(const world *w, size_t first, size_t end)
{
    compact_source sources[CHUNKS];
    const lp_buf *taken[CHUNKS];
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        if (w->errs[i] == LP_OK) {
            taken[count] = &w->taken[i];
            sources[count++] = (compact_source){.jfr = w->chunks[i].jfr};
        }
    }
    compact_carry *carry = NULL;
    for (size_t i = 0; i < count; i++) {
        compact_result result;
        lp_err err = compact_chunk(
            &sources[i], &sources[i + 1], count - i - 1, carry, &with_requests, &result, NULL);
        assert_int_equal(err, LP_OK);
        assert_int_equal(taken[i]->len, result.jfr.len);
        assert_memory_equal(taken[i]->ptr, result.jfr.ptr, result.jfr.len);
        compact_carry_destroy(carry);
        carry = result.carry;
        result.carry = NULL;
        compact_result_fini(&result);
    }
    compact_carry_destroy(carry);
}

// expect_same runs the pipeline on one thread and compares it with compact_chunk, and then on more
// threads, which must give the same bytes; failed chunks have none.
static void
expect_same(world *w, unsigned step, size_t failed, size_t borrowed)
{
    lp_buf want[CHUNKS] = {0};
    for (unsigned threads = 1; threads <= THREADS_MAX; threads += is_large ? 1 : step) {
        assert_int_equal(run(w, threads), LP_OK);
        assert_int_equal(w->count, CHUNKS);
        assert_int_equal(w->borrowed, borrowed);
        size_t found = 0;
        for (size_t i = 0; i < CHUNKS; i++) {
            found += w->errs[i] != LP_OK;
            if (threads == 1) {
                lp_buf_append(&want[i], w->taken[i].ptr, w->taken[i].len);
            }
            assert_int_equal(w->taken[i].len, want[i].len);
            assert_memory_equal(w->taken[i].ptr, want[i].ptr, want[i].len);
        }
        assert_int_equal(found, failed);
        for (size_t i = 0; i < CHUNKS && threads == 1; i += 20) {
            expect_as_one_by_one(w, i, i + 20);
        }
    }
    for (size_t i = 0; i < CHUNKS; i++) {
        lp_buf_fini(&want[i]);
    }
}

static void
test_any_number_of_threads_gives_the_same(void **state)
{
    expect_same(*state, 3, 0, CHUNKS);
}

static void
test_what_cannot_be_read_is_told_and_passed_over(void **state)
{
    world *w = *state;
    uint8_t garbage[200] = {0};
    size_t bad[] = {0, 5, 6, 7, 8, 9, 10, 19, 33, 59}; // first, several, last of a session, last
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        w->chunks[bad[i]].jfr = (lp_slice){garbage, sizeof(garbage)};
    }
    const size_t failed = sizeof(bad) / sizeof(bad[0]);
    expect_same(w, 4, failed, CHUNKS - failed);
}

static void
test_whoever_takes_the_results_can_end_it(void **state)
{
    world *w = *state;
    w->end_after = 7;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        assert_int_equal(run(w, threads), LP_EIO);
        assert_int_equal(w->count, 7);
    }
}

// Three chunks of a minute, of which the second has no more than a header that can be read, and
// with it a request in the first one that may still have parts when this ends.
typedef struct torn_session {
    pipeline_chunk chunks[3];
    uint64_t requests[3]; // by chunk: that count in it
} torn_session;

static lp_err
take_requests(void *arg, const pipeline_outcome *outcome)
{
    torn_session *s = arg;
    s->requests[outcome->index] = outcome->err == LP_OK ? outcome->result->stats.requests_in : 0;
    return LP_OK;
}

static void
leave(void *arg, size_t index)
{
    (void)arg;
    (void)index;
}

// run_torn runs the pipeline on the session, of which the last chunk is as damaged as the second or
// not.
static void
run_torn(torn_session *s, const policy *rules, bool is_last_torn)
{
    enum { COUNT = 3, HEADER_BYTES = 68 };
    const int64_t second = 1000000000;
    jfr_build builds[COUNT];
    lp_buf torn[COUNT] = {0};
    for (int64_t i = 0; i < COUNT; i++) {
        jfr_sample_begin(&builds[i], i * 60 * second);
        builds[i].clock.duration_ns = 60 * second;
        jfr_sample_thread(&builds[i], 1, 1);
        if (i == 0) {
            jfr_sample_trace(&builds[i], 1, 58 * second, 59 * second, "order");
        }
        jfr_sample_mark(&builds[i], 1, (i * 60 + 59) * second);
        jfr_build_checkpoint(&builds[i]);
        lp_slice jfr = jfr_build_finish(&builds[i]);
        lp_buf_append(&torn[i], jfr.ptr, jfr.len);
        if (i == 1 || (i == 2 && is_last_torn)) {
            memset(torn[i].ptr + HEADER_BYTES, 0, torn[i].len - HEADER_BYTES);
        }
        s->chunks[i] = (pipeline_chunk){.jfr = lp_buf_slice(&torn[i]), .goes_on = i + 1 < COUNT};
    }
    const compact_options options = {.policy = rules, .has_requests = true};
    const pipeline_input in = {
        .chunks = s->chunks,
        .count = COUNT,
        .threads = 2,
        .options = &options,
        .take = take_requests,
        .release = leave,
        .arg = s,
    };
    assert_int_equal(pipeline_run(&in), LP_OK);
    for (size_t i = 0; i < COUNT; i++) {
        jfr_build_fini(&builds[i]);
        lp_buf_fini(&torn[i]);
    }
}

static void
test_a_session_ends_with_the_last_chunk_that_can_be_read(void **state)
{
    (void)state;
    static const char text[] =
        "<configuration><event name='dev.loupe.Request'><setting name='request-by'>traceId"
        "</setting></event></configuration>";
    policy *rules = policy_create();
    assert_non_null(rules);
    assert_int_equal(
        policy_parse(rules, "test", (lp_slice){(const uint8_t *)text, sizeof(text) - 1}, NULL),
        LP_OK);
    torn_session s;
    run_torn(&s, rules, false);
    assert_int_equal(s.requests[0], 0);
    assert_int_equal(s.requests[1], 0);
    assert_int_equal(s.requests[2], 1);
    run_torn(&s, rules, true);
    assert_int_equal(s.requests[0], 1);
    policy_destroy(rules);
}

#define WORLD_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        WORLD_TEST(test_any_number_of_threads_gives_the_same),
        WORLD_TEST(test_what_cannot_be_read_is_told_and_passed_over),
        WORLD_TEST(test_whoever_takes_the_results_can_end_it),
        cmocka_unit_test(test_a_session_ends_with_the_last_chunk_that_can_be_read),
    };
    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
