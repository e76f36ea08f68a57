// SPDX-License-Identifier: Apache-2.0
// A question whose memory runs out, or whose chunks become unreadable between two reads of them. It
// fails, or reports the chunk: no answer lacks events in silence.

#include "support/failing_alloc.h"
#include "support/query_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    ENTER = 201, // jdk.JavaMonitorEnter: startTime duration eventThread
    CHUNKS = 3,
};

static const jfr_build_type enter_type = {
    .id = ENTER,
    .name = "jdk.JavaMonitorEnter",
    .super = "jdk.jfr.Event",
    .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD},
};

static void
add_enter(jfr_build *build, int64_t start, int64_t end)
{
    query_world_add_times(build, start, end);
    jfr_build_varint(&build->payload, 1);
    jfr_build_event(build, ENTER);
}

// make_world makes a context with an event in each of three chunks.
static void
make_world(query_world *w)
{
    jfr_build *chunks[CHUNKS];
    for (int i = 0; i < CHUNKS; i++) {
        chunks[i] = query_world_begin_chunk(w, 100 * (i + 1), 1000000000, &enter_type, 1);
        add_enter(chunks[i], 100 * (i + 1) + 50, 100 * (i + 1) + 60);
    }
    (void)jfr_sample_trace(chunks[CHUNKS - 1], 1, 120, 390, "a");
    query_world_finish(w);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    query_world_say(arg, "%zu events\n", answer->row_count);
    return LP_OK;
}

static lp_err
on_unreadable(void *arg, size_t source, const lp_problem *problem)
{
    query_world_say(arg, "chunk %zu: %s\n", source, problem->text);
    return LP_OK;
}

static lp_err
ask(query_world *w, const query_sources *sources)
{
    query_selection selection = query_selection_begin(false);
    const query_question question = {
        .sources = sources,
        .selection = &selection,
        .on_context = on_context,
        .on_unreadable = on_unreadable,
        .arg = w,
    };
    w->lines[0] = '\0';
    query_names_fini(&w->names); // its memory may have run out
    w->names = (query_names){0};
    return query_run(&question, &w->names, &w->outcome);
}

static void
test_memory_that_runs_out_ends_the_question(void **state)
{
    (void)state;
    query_world w = {0};
    make_world(&w);
    const query_sources sources = query_world_sources(&w);
    size_t failing = 0;
    bool has_failed = true;
    while (has_failed) {
        allocations_left = ++failing;
        lp_err err = ask(&w, &sources);
        has_failed = allocations_left == 0;
        allocations_left = 0;
        assert_true(err == LP_OK || (has_failed && err == LP_ENOMEM));
        if (err == LP_OK) {
            assert_string_equal(w.lines, "3 events\n");
        }
    }
    assert_true(failing > 50);
    query_world_fini(&w);
}

// lender lends the chunks of a world, but fails at one of its loans.
typedef struct lender {
    const query_world *world;
    int loans;
    int failing;
} lender;

static lp_err
lend(void *arg, size_t source, lp_slice *out_bytes, lp_problem *out_problem)
{
    lender *from = arg;
    *out_bytes = from->world->sources[source].bytes;
    return ++from->loans == from->failing ? lp_problem_set(out_problem, LP_EIO, "gone") : LP_OK;
}

static void
take_back(void *arg, size_t source, lp_slice bytes)
{
    (void)arg;
    (void)source;
    (void)bytes;
}

static void
test_each_unreadable_chunk_is_reported(void **state)
{
    (void)state;
    query_world w = {0};
    make_world(&w);
    query_source lent[CHUNKS];
    for (size_t i = 0; i < CHUNKS; i++) {
        lent[i] = w.sources[i];
        lent[i].bytes = (lp_slice){NULL, 0};
    }
    lender from = {.world = &w};
    const query_sources sources = {lent, CHUNKS, lend, take_back, &from};
    assert_int_equal(ask(&w, &sources), LP_OK);
    assert_string_equal(w.lines, "3 events\n");
    const int loans = from.loans;
    assert_int_equal(loans, 2 * CHUNKS); // once for its contexts, and once for their events
    for (int failing = 1; failing <= loans; failing++) {
        from = (lender){.world = &w, .failing = failing};
        assert_int_equal(ask(&w, &sources), LP_OK);
        assert_non_null(strstr(w.lines, ": gone\n"));
    }
    query_world_fini(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_that_runs_out_ends_the_question),
        cmocka_unit_test(test_each_unreadable_chunk_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
