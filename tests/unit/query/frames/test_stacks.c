// SPDX-License-Identifier: Apache-2.0
// Stack traces of chunks made by hand, read by a query and written as lines: equal ones are one
// node, whichever keys their chunks have for them; what does not fit counts at the frame that
// called it.

#include "support/query_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct world {
    query_world session;
    query_stacks stacks;
} world;

typedef struct frame {
    uint64_t method; // its key
    uint64_t line;
} frame;

static jfr_build *
begin_chunk(world *w, int64_t start)
{
    jfr_build *build = &w->session.builds[w->session.count++];
    jfr_sample_begin(build, start);
    jfr_sample_thread(build, 1, 11);
    return build;
}

// add_cut_trace defines a stack trace, the topmost frame first, that JFR cut or did not.
static void
add_cut_trace(jfr_build *build, uint64_t key, const frame *frames, size_t count, bool is_cut)
{
    lp_buf *out = &build->payload;
    lp_buf_append(out, is_cut ? "\1" : "\0", 1);
    jfr_build_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        jfr_build_varint(out, frames[i].method);
        jfr_build_varint(out, frames[i].line);
    }
    jfr_build_constant(build, JFR_SAMPLE_STACK_TRACE, key);
}

static void
add_trace(jfr_build *build, uint64_t key, const frame *frames, size_t count)
{
    add_cut_trace(build, key, frames, count, false);
}

static void
add_event(jfr_build *build, int64_t at, uint64_t trace)
{
    jfr_sample_event(
        build, &(jfr_sample){
                   .type = JFR_SAMPLE_PLAIN, .start = at, .end = at, .thread = 1, .stack = trace});
}

static void
end_chunk(world *w, int64_t start)
{
    jfr_build *build = &w->session.builds[w->session.count - 1];
    jfr_sample_event(build,
        &(jfr_sample){
            .type = JFR_SAMPLE_TRACE, .start = start, .end = start + 99, .thread = 1, .text = "a"});
    jfr_build_checkpoint(build);
    w->session.sources[w->session.count - 1] = (query_source){.bytes = jfr_build_finish(build)};
}

static void
say_stack(world *w, uint32_t node)
{
    const query_stack_node *at = &w->stacks.nodes.items[node];
    if (node != QUERY_STACK_ROOT) {
        assert_true(at->parent < node);
        say_stack(w, at->parent);
        query_world_say(&w->session, ";%s", query_names_text(&w->session.names, at->name));
        if (at->line != 0) {
            query_world_say(&w->session, ":%u", at->line);
        }
    }
}

// on_context writes a line for each event: its node, and its stack trace.
static lp_err
on_context(void *arg, const query_answer *answer)
{
    world *w = arg;
    for (size_t i = 0; i < answer->row_count; i++) {
        query_world_say(&w->session, "%u ", answer->rows[i].stack);
        say_stack(w, answer->rows[i].stack);
        query_world_say(&w->session, "\n");
    }
    return LP_OK;
}

static bool
wants_all(const query_row *row)
{
    (void)row;
    return true;
}

static void
ask(world *w)
{
    const query_selection selection = query_selection_begin(false);
    const query_sources sources = query_world_sources(&w->session);
    const query_question question = {
        .sources = &sources,
        .selection = &selection,
        .stacks = &w->stacks,
        .wants_stack = wants_all,
        .on_context = on_context,
        .arg = w,
    };
    assert_int_equal(query_run(&question, &w->session.names, &w->session.outcome), LP_OK);
}

static void
expect(world *w, bool has_lines, const char *lines)
{
    w->session.lines[0] = '\0';
    query_stacks_fini(&w->stacks);
    w->stacks.has_lines = has_lines;
    ask(w);
    assert_string_equal(w->session.lines, lines);
}

static void
end(world *w)
{
    query_world_fini(&w->session);
    query_stacks_fini(&w->stacks);
}

// --- Tests

static void
test_equal_stack_traces_are_one_node(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    jfr_sample_method(build, 1, "java/lang/Thread", "run");
    jfr_sample_method(build, 2, "shop/Stock", "take");
    jfr_sample_method(build, 3, "shop/Stock", "wait");
    add_trace(build, 7, (const frame[]){{2, 20}, {1, 10}}, 2);
    add_trace(build, 8, (const frame[]){{2, 21}, {1, 10}}, 2);
    add_trace(build, 9, (const frame[]){{3, 0xffffffff}, {2, 21}, {1, 10}}, 3); // in native code
    add_event(build, 110, 7);
    add_event(build, 120, 8);
    add_event(build, 130, 9);
    add_event(build, 140, 0);
    end_chunk(&w, 100);
    build = begin_chunk(&w, 200); // the same under other keys
    jfr_sample_method(build, 31, "shop/Stock", "take");
    jfr_sample_method(build, 32, "java/lang/Thread", "run");
    add_trace(build, 5, (const frame[]){{31, 20}, {32, 10}}, 2);
    add_event(build, 210, 5);
    end_chunk(&w, 200);
    expect(&w, false,
        "2 ;java.lang.Thread.run;shop.Stock.take\n"
        "2 ;java.lang.Thread.run;shop.Stock.take\n"
        "3 ;java.lang.Thread.run;shop.Stock.take;shop.Stock.wait\n"
        "0 \n"
        "2 ;java.lang.Thread.run;shop.Stock.take\n");
    expect(&w, true,
        "2 ;java.lang.Thread.run:10;shop.Stock.take:20\n"
        "3 ;java.lang.Thread.run:10;shop.Stock.take:21\n"
        "4 ;java.lang.Thread.run:10;shop.Stock.take:21;shop.Stock.wait\n"
        "0 \n"
        "2 ;java.lang.Thread.run:10;shop.Stock.take:20\n");
    assert_false(w.stacks.is_truncated);
    end(&w);
}

static void
test_frames_of_unknown_methods_are_left_out(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    jfr_sample_method(build, 2, "shop/Stock", "take");
    add_trace(build, 7, (const frame[]){{2, 1}, {99, 1}}, 2);
    add_trace(build, 8, (const frame[]){{98, 1}, {99, 1}}, 2);
    add_trace(build, 9, NULL, 0);
    add_event(build, 110, 7);
    add_event(build, 120, 8);
    add_event(build, 130, 9);
    add_event(build, 140, 10); // no such stack trace
    end_chunk(&w, 100);
    expect(&w, false, "1 ;shop.Stock.take\n0 \n0 \n0 \n");
    end(&w);
}

static void
test_deep_stack_traces_are_cut_in_the_middle(void **state)
{
    (void)state;
    enum { DEPTH = QUERY_STACK_DEPTH_MAX + 5, TOP = QUERY_STACK_DEPTH_MAX / 2 };
    static frame frames[DEPTH];
    world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    jfr_sample_method(build, 1, "java/lang/Thread", "run");
    jfr_sample_method(build, 2, "shop/Tree", "walk");
    jfr_sample_method(build, 3, "shop/Tree", "look");
    for (size_t i = 0; i < DEPTH; i++) {
        frames[i] = (frame){2, i + 1};
    }
    frames[0].method = 3;
    frames[DEPTH - 1].method = 1;
    add_trace(build, 7, frames, DEPTH);
    add_event(build, 110, 7);
    end_chunk(&w, 100);
    w.stacks.has_lines = true;
    ask(&w);
    const query_stack_node *nodes = w.stacks.nodes.items; // from the bottom
    assert_int_equal(w.stacks.nodes.count, 1 + QUERY_STACK_DEPTH_MAX);
    assert_true(w.stacks.is_truncated && w.session.outcome.is_truncated);
    assert_string_equal(query_names_text(&w.session.names, nodes[1].name), "java.lang.Thread.run");
    for (uint32_t i = 1; i < TOP; i++) {
        assert_int_equal(nodes[i].line, DEPTH + 1 - i);
    }
    assert_string_equal(query_names_text(&w.session.names, nodes[TOP].name), "[6 frames left out]");
    for (uint32_t i = TOP + 1; i <= QUERY_STACK_DEPTH_MAX; i++) {
        assert_int_equal(nodes[i].line, QUERY_STACK_DEPTH_MAX + 1 - i);
    }
    assert_string_equal(
        query_names_text(&w.session.names, nodes[QUERY_STACK_DEPTH_MAX].name), "shop.Tree.look");
    end(&w);
}

static void
test_stack_traces_that_just_fit_are_whole(void **state)
{
    (void)state;
    static frame frames[QUERY_STACK_DEPTH_MAX];
    world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    jfr_sample_method(build, 2, "shop/Tree", "walk");
    for (size_t i = 0; i < QUERY_STACK_DEPTH_MAX; i++) {
        frames[i] = (frame){2, 1};
    }
    add_trace(build, 7, frames, QUERY_STACK_DEPTH_MAX);
    add_event(build, 110, 7);
    end_chunk(&w, 100);
    ask(&w);
    assert_int_equal(w.stacks.nodes.count, 1 + QUERY_STACK_DEPTH_MAX);
    assert_false(w.stacks.is_truncated);
    end(&w);
}

static void
test_stack_traces_that_jfr_cut_begin_with_a_frame_that_says_so(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    jfr_sample_method(build, 1, "java/lang/Thread", "run");
    jfr_sample_method(build, 2, "shop/Stock", "take");
    add_cut_trace(build, 7, (const frame[]){{2, 20}, {1, 10}}, 2, true);
    add_trace(build, 8, (const frame[]){{2, 20}, {1, 10}}, 2);
    add_cut_trace(build, 9, NULL, 0, true); // nothing is known of it
    add_event(build, 110, 7);
    add_event(build, 120, 8);
    add_event(build, 130, 9);
    end_chunk(&w, 100);
    expect(&w, false,
        "3 ;[truncated];java.lang.Thread.run;shop.Stock.take\n"
        "5 ;java.lang.Thread.run;shop.Stock.take\n"
        "0 \n");
    assert_false(w.stacks.is_truncated);
    end(&w);
}

static void
test_what_does_not_fit_counts_at_the_caller(void **state)
{
    (void)state;
    query_stacks stacks = {0};
    uint32_t node = QUERY_STACK_ROOT;
    const uint32_t max = QUERY_STACK_NODES_MAX - QUERY_STACK_SPARE;
    for (uint32_t i = 1; i < max; i++) {
        assert_int_equal(query_stacks_add(&stacks, 0, 1, i, &node), LP_OK);
        assert_int_equal(node, i);
    }
    assert_false(stacks.is_truncated);
    assert_int_equal(query_stacks_add(&stacks, node, 1, 0, &node), LP_OK);
    assert_int_equal(node, max - 1);
    assert_true(stacks.is_truncated);
    assert_int_equal(query_stacks_add(&stacks, 0, 1, 5, &node), LP_OK);
    assert_int_equal(node, 5); // what is there is found
    for (uint32_t i = 0; i < QUERY_STACK_SPARE; i++) {
        assert_int_equal(query_stacks_add_spare(&stacks, 2 + i, &node), LP_OK);
        assert_int_equal(node, max + i);
    }
    query_stacks_fini(&stacks);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_stack_traces_are_one_node),
        cmocka_unit_test(test_frames_of_unknown_methods_are_left_out),
        cmocka_unit_test(test_deep_stack_traces_are_cut_in_the_middle),
        cmocka_unit_test(test_stack_traces_that_just_fit_are_whole),
        cmocka_unit_test(test_stack_traces_that_jfr_cut_begin_with_a_frame_that_says_so),
        cmocka_unit_test(test_what_does_not_fit_counts_at_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
