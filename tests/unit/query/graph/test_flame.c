// SPDX-License-Identifier: Apache-2.0
// Flame graphs of profiles made by hand: the order of the nodes, what is cut, and what becomes of
// them as JSON and as text; JSON is whole, or none where memory runs out. And their hot frames.

#include "query/graph/flame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_BYTES = 4096 };

typedef struct world {
    query_names names;
    query_profile profile;
    query_flame flame;
} world;

static void
begin(world *w)
{
    *w = (world){0};
    w->profile = query_profile_begin(QUERY_MEASURE_COUNT, &w->names);
}

// add adds amounts of a stack trace such as "run;pay" to the selection and to the base.
static void
add(world *w, const char *frames, int64_t value, int64_t base_value)
{
    char copy[256];
    char *rest = NULL;
    uint32_t node = QUERY_STACK_ROOT;
    (void)snprintf(copy, sizeof(copy), "%s", frames);
    for (char *frame = strtok_r(copy, ";", &rest); frame != NULL;
         frame = strtok_r(NULL, ";", &rest)) {
        uint32_t name = query_names_add(&w->names, frame);
        assert_int_equal(query_stacks_add(&w->profile.stacks, node, name, 0, &node), LP_OK);
    }
    query_cell *cell = LP_VEC_PUSH(&w->profile.cells);
    assert_non_null(cell);
    cell->stack = node;
    cell->sides[0].value = value;
    cell->sides[1].value = base_value;
    w->profile.totals[0].value += value;
    w->profile.totals[1].value += base_value;
}

static void
end(world *w)
{
    query_flame_fini(&w->flame);
    query_profile_fini(&w->profile);
    query_names_fini(&w->names);
}

// expect makes a flame graph and compares it: a line for each node, indented by its level.
static void
expect(world *w, size_t max, const char *text)
{
    char found[TEXT_BYTES] = "";
    query_flame_fini(&w->flame);
    assert_int_equal(query_flame_make(&w->flame, &w->profile, max), LP_OK);
    for (size_t i = 0; i < w->flame.nodes.count; i++) {
        const query_flame_node *node = &w->flame.nodes.items[i];
        const char *name = node->level == 0 ? "all"
                                            : query_names_text(&w->names,
                                                  w->profile.stacks.nodes.items[node->stack].name);
        size_t len = strlen(found);
        (void)snprintf(found + len, TEXT_BYTES - len, "%*s%s %lld/%lld self %lld/%lld\n",
            (int)node->level, "", name, (long long)node->value[0], (long long)node->value[1],
            (long long)node->self[0], (long long)node->self[1]);
    }
    assert_string_equal(found, text);
}

// --- Tests

static void
test_children_are_in_order(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, "run;b", 5, 0);
    add(&w, "run;a", 5, 0);
    add(&w, "run;c", 5, 1);
    add(&w, "run;d;e", 9, 0);
    add(&w, "run;d", 1, 0);
    add(&w, "run;none", 0, 0);
    add(&w, "main", 30, 0);
    add(&w, "run;old", 0, 3);
    expect(&w, 100,
        "all 55/4 self 0/0\n"
        " main 30/0 self 30/0\n"
        " run 25/4 self 0/0\n"
        "  d 10/0 self 1/0\n"
        "   e 9/0 self 9/0\n"
        "  c 5/1 self 5/1\n"
        "  a 5/0 self 5/0\n"
        "  b 5/0 self 5/0\n"
        "  old 0/3 self 0/3\n");
    assert_int_equal(w.flame.cut_count, 0);
    end(&w);
}

static void
test_nothing_is_a_root(void **state)
{
    (void)state;
    world w;
    begin(&w);
    expect(&w, 1, "all 0/0 self 0/0\n");
    end(&w);
}

static void
test_small_shares_are_cut(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, "run;pay;lock", 50, 0); // a chain of equal nodes: from below
    add(&w, "run;pay;read", 30, 0);
    add(&w, "run;ship", 15, 0);
    add(&w, "run", 5, 0);
    expect(&w, 4,
        "all 100/0 self 0/0\n"
        " run 100/0 self 5/0\n"
        "  pay 80/0 self 0/0\n"
        "   lock 50/0 self 50/0\n");
    assert_int_equal(w.flame.cut_count, 2);
    assert_int_equal(w.flame.cut_value[0], 45);
    expect(&w, 1, "all 100/0 self 0/0\n");
    assert_int_equal(w.flame.cut_count, 5);
    assert_int_equal(w.flame.cut_value[0], 100);
    expect(&w, 2, "all 100/0 self 0/0\n run 100/0 self 5/0\n");
    end(&w);
}

static void
test_a_share_of_the_base_counts_as_well(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, "new", 900, 0);
    add(&w, "rare", 100, 0);
    add(&w, "old", 0, 7); // 70 % of the base
    add(&w, "older", 0, 3);
    expect(&w, 4,
        "all 1000/10 self 0/0\n"
        " new 900/0 self 900/0\n"
        " old 0/7 self 0/7\n"
        " older 0/3 self 0/3\n");
    assert_int_equal(w.flame.cut_value[0], 100);
    assert_int_equal(w.flame.cut_value[1], 0);
    end(&w);
}

static void
test_text_has_a_line_for_each_stack_trace(void **state)
{
    (void)state;
    world w;
    lp_buf out = {0};
    begin(&w);
    add(&w, "run;pay", 20, 0);
    add(&w, "run;pay;[lock]", 50, 0);
    add(&w, "[other: odd\ntype]", 5, 0);
    add(&w, "gone", 0, 4);
    expect(&w, 100,
        "all 75/4 self 0/0\n"
        " run 70/0 self 0/0\n"
        "  pay 70/0 self 20/0\n"
        "   [lock] 50/0 self 50/0\n"
        " [other: odd\ntype] 5/0 self 5/0\n"
        " gone 0/4 self 0/4\n");
    assert_true(query_flame_collapsed_write(&w.flame, &w.profile, &out));
    lp_buf_append(&out, "", 1);
    assert_int_equal(lp_buf_check(&out), LP_OK);
    assert_string_equal((const char *)out.ptr, "run;pay 20\n"
                                               "run;pay;[lock] 50\n"
                                               "[other: odd_type] 5\n");
    lp_buf_clear(&out);
    assert_non_null(lp_buf_extend(&out, QUERY_PROFILE_BYTES_MAX)); // no room is left
    assert_false(query_flame_collapsed_write(&w.flame, &w.profile, &out));
    assert_int_equal(out.len, QUERY_PROFILE_BYTES_MAX);
    lp_buf_fini(&out);
    end(&w);
}

static void
test_text_has_no_name_that_breaks_a_line(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *line;
    } rows[] = {
        {"caf\xc3\xa9.\xe2\x82\xac", "caf\xc3\xa9.\xe2\x82\xac 1\n"},
        {"a\nb\x1b[2J\x7f", "a_b_[2J_ 1\n"},
        {"a\xc2\x80\xc2\x85\xc2\x9b[2J\xc2\xa0", "a___[2J\xc2\xa0 1\n"}, // C1
        // NOLINTNEXTLINE(misc-misleading-bidirectional): it is what is tested
        {"a\xe2\x80\xae\xe2\x80\xa8\xe2\x81\xa6z", "a___z 1\n"}, // direction, line
        {"a\xff\xe2\x80", "a___ 1\n"},                           // no UTF-8
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        world w;
        lp_buf out = {0};
        begin(&w);
        add(&w, rows[i].name, 1, 0);
        assert_int_equal(query_flame_make(&w.flame, &w.profile, 100), LP_OK);
        assert_true(query_flame_collapsed_write(&w.flame, &w.profile, &out));
        lp_buf_append(&out, "", 1);
        assert_int_equal(lp_buf_check(&out), LP_OK);
        assert_string_equal((const char *)out.ptr, rows[i].line);
        lp_buf_fini(&out);
        end(&w);
    }
}

// A name cannot end the script in which the data is, nor begin another one.
static void
test_the_page_has_the_data_and_no_names_as_markup(void **state)
{
    (void)state;
    const query_outcome outcome = {.contexts = 1};
    lp_buf out = {0};
    world w;
    begin(&w);
    add(&w, "</script><b>;@DATA@", 3, 0);
    assert_int_equal(query_flame_make(&w.flame, &w.profile, 10), LP_OK);
    json_t *json = query_flame_json(&w.flame, &w.profile, &outcome, false);
    query_flame_html_write(json, "a<b>.jfr", &out);
    json_decref(json);
    lp_buf_append(&out, "", 1);
    assert_int_equal(lp_buf_check(&out), LP_OK);
    const char *data = strstr((const char *)out.ptr, "id=\"data\">{\"of\":\"count\"");
    assert_non_null(data);
    const char *name = strstr(data, "\\u003c/script>\\u003cb>");
    assert_non_null(name);
    assert_non_null(strstr(name, "\"title\":\"a\\u003cb>.jfr\"}</script>"));
    assert_non_null(strstr(name, "</html>"));
    lp_buf_fini(&out);
    end(&w);
}

// --- JSON

static size_t allocations_left; // until one fails

// allocate is malloc, but for one allocation.
static void *
allocate(size_t size)
{
    return allocations_left-- == 0 ? NULL : malloc(size);
}

static const char without_base[] =
    "{\"of\": \"count\", \"unit\": \"events\", \"requests\": 4, \"total\": 70, \"per_request\": 17,"
    " \"of_kind\": {\"l\": 60, \".\": 10}, \"names\": [\"all\", \"run\", \"[lock]\"], \"kinds\": "
    "\"..l\", \"level\": [0, 1, 2, 1],"
    " \"name\": [0, 1, 2, 2], \"value\": [70, 40, 30, 30], \"self\": [0, 10, 30, 30],"
    " \"cut\": {\"nodes\": 0, \"value\": 0}, \"is_truncated\": false}";

static const char with_base[] =
    "{\"of\": \"count\", \"unit\": \"events\", \"requests\": 4, \"total\": 70, \"per_request\": 17,"
    " \"of_kind\": {\"l\": 60, \".\": 10}, \"names\": [\"all\", \"run\", \"[lock]\"], \"kinds\": "
    "\"..l\", \"level\": [0, 1, 2, 1],"
    " \"name\": [0, 1, 2, 2], \"value\": [70, 40, 30, 30], \"self\": [0, 10, 30, 30],"
    " \"cut\": {\"nodes\": 0, \"value\": 0, \"base_value\": 0}, \"is_truncated\": false,"
    " \"base_requests\": 2, \"base_total\": 5, \"base_value\": [5, 5, 5, 0],"
    " \"base_self\": [0, 0, 5, 0]}";

// is_whole returns whether there is an answer, which then has to be all of this text.
static bool
is_whole(json_t *json, const char *text)
{
    allocations_left = SIZE_MAX;
    if (json == NULL) {
        return false;
    }
    char *dumped = json_dumps(json, 0);
    json_decref(json);
    assert_non_null(dumped);
    assert_string_equal(dumped, text);
    free(dumped);
    return true;
}

static void
test_json_is_whole_or_none(void **state)
{
    (void)state;
    const query_outcome outcome = {.contexts = 6};
    world w;
    begin(&w);
    add(&w, "run", 10, 0);
    add(&w, "run;[lock]", 30, 5);
    add(&w, "[lock]", 30, 0);
    w.profile.totals[0].requests = 4;
    w.profile.totals[1].requests = 2;
    assert_int_equal(query_flame_make(&w.flame, &w.profile, 100), LP_OK);
    for (int has_base = 0; has_base <= 1; has_base++) {
        size_t tries = 0;
        json_set_alloc_funcs(allocate, free);
        do {
            allocations_left = tries++;
        } while (!is_whole(query_flame_json(&w.flame, &w.profile, &outcome, has_base != 0),
            has_base != 0 ? with_base : without_base));
        json_set_alloc_funcs(malloc, free);
        assert_true(tries > 30); // some failed
    }
    end(&w);
}

// expect_hot compares the hot frames: a line for each, with its own and its total amount.
static void
expect_hot(world *w, query_hot_order order, const char *text)
{
    char found[TEXT_BYTES] = "";
    query_hot hot;
    assert_int_equal(query_hot_make(&hot, &w->profile, order), LP_OK);
    for (size_t i = 0; i < hot.frames.count; i++) {
        const query_hot_frame *frame = &hot.frames.items[i];
        size_t len = strlen(found);
        (void)snprintf(found + len, TEXT_BYTES - len, "%s %lld %lld\n",
            query_names_text(&w->names, frame->name), (long long)frame->own.value,
            (long long)frame->total_value);
    }
    query_hot_fini(&hot);
    assert_string_equal(found, text);
}

static void
test_a_hot_frame_counts_once_in_a_stack_trace(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, "run;walk;walk;walk", 7, 0);
    add(&w, "run;walk;[lock]", 3, 0); // walk's own
    add(&w, "main;walk", 1, 0);
    add(&w, "[gc]", 9, 0);
    add(&w, "old", 0, 5); // of the base
    expect_hot(&w, QUERY_HOT_BY_OWN, "walk 11 11\n[gc] 9 9\nrun 0 10\nmain 0 1\n");
    expect_hot(&w, QUERY_HOT_BY_TOTAL, "walk 11 11\nrun 0 10\n[gc] 9 9\nmain 0 1\n");
    end(&w);
}

static void
test_hot_frames_without_an_amount_are_none(void **state)
{
    (void)state;
    world w;
    begin(&w);
    expect_hot(&w, QUERY_HOT_BY_OWN, "");
    add(&w, "run", 0, 0);
    expect_hot(&w, QUERY_HOT_BY_OWN, "");
    end(&w);
}

static void
test_equal_hot_frames_are_in_the_order_of_their_names(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, "b;y", 2, 0);
    add(&w, "a;x", 2, 0);
    expect_hot(&w, QUERY_HOT_BY_OWN, "x 2 2\ny 2 2\na 0 2\nb 0 2\n");
    end(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children_are_in_order),
        cmocka_unit_test(test_nothing_is_a_root),
        cmocka_unit_test(test_small_shares_are_cut),
        cmocka_unit_test(test_a_share_of_the_base_counts_as_well),
        cmocka_unit_test(test_text_has_a_line_for_each_stack_trace),
        cmocka_unit_test(test_text_has_no_name_that_breaks_a_line),
        cmocka_unit_test(test_the_page_has_the_data_and_no_names_as_markup),
        cmocka_unit_test(test_json_is_whole_or_none),
        cmocka_unit_test(test_a_hot_frame_counts_once_in_a_stack_trace),
        cmocka_unit_test(test_hot_frames_without_an_amount_are_none),
        cmocka_unit_test(test_equal_hot_frames_are_in_the_order_of_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
