// SPDX-License-Identifier: Apache-2.0
// Open blocks: each reason for which a block has to be looked at again, and none. That the blocks
// that are not looked at are decided right is in tests/prop/test_compact_prop.c.

#include "engine/decide/open_blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BLOCKS = 3 };

// Of threads 1 and 2; of thread 3; without contextual events.
static compact_block blocks[BLOCKS] = {
    {.span_begin_min = 100, .span_commit_max = 200, .threads = {{1 << 1 | 1 << 2}}},
    {.span_begin_min = 150, .span_commit_max = 300, .threads = {{1 << 3}}},
    {.span_begin_min = INT64_MAX, .span_commit_max = INT64_MIN},
};

typedef struct opened {
    lp_arena arena;
    compact_view view;
    compact_open_blocks open;
} opened;

static void
start(opened *o, compact_stray *strays, size_t count)
{
    *o = (opened){.view = {.blocks = {blocks, BLOCKS, BLOCKS}, .strays = {strays, count, count}}};
    compact_open_blocks_init(&o->open, &o->view, &o->arena);
    assert_int_equal(lp_arena_err(&o->arena), LP_OK);
}

static void
expect_open(opened *o, bool first, bool second, bool third)
{
    const bool want[BLOCKS] = {first, second, third};
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_int_equal(compact_open_blocks_ask(&o->open, i), want[i]);
        assert_int_equal(o->open.is_open[i], want[i]);
    }
    lp_arena_fini(&o->arena);
}

static void
test_blocks_are_closed(void **state)
{
    (void)state;
    opened o;
    start(&o, NULL, 0);
    expect_open(&o, false, false, false);
}

static void
test_strays_open_what_they_may_lie_in(void **state)
{
    (void)state;
    static const struct {
        compact_stray stray;
        bool first;
        bool second;
    } cases[] = {
        {{.commit = 100, .thread = 1}, true, false}, {{.commit = 99, .thread = 1}, false, false},
        {{.commit = 200, .thread = 2}, true, false}, {{.commit = 201, .thread = 2}, false, false},
        {{.commit = 160, .thread = 3}, false, true}, {{.commit = 160, .thread = 4}, false, false},
        {{.commit = 160, .thread = 64 + 3}, false, false},
        {{.commit = 160, .thread = 256 + 3}, false, true}, // is taken for 3
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        opened o;
        compact_stray strays[] = {
            {.commit = 1000, .thread = 1}, cases[i].stray, {.commit = 10, .thread = 3}};
        start(&o, strays, 3);
        assert_int_equal(strays[0].commit, 1000); // they are borrowed
        expect_open(&o, cases[i].first, cases[i].second, false);
    }
}

static void
test_times_at_the_borders_open(void **state)
{
    (void)state;
    opened o;
    start(&o, NULL, 0);
    o.open.begin_max = 100;
    expect_open(&o, true, false, false);
    start(&o, NULL, 0);
    o.open.commit_min = 201;
    expect_open(&o, false, true, false);
    start(&o, NULL, 0);
    compact_open_blocks_keep(&o.open, &(compact_span){.commit = 149, .thread = 3});
    expect_open(&o, false, false, false);
    start(&o, NULL, 0);
    compact_open_blocks_keep(&o.open, &(compact_span){.commit = 150, .thread = 3});
    expect_open(&o, false, true, false);
    start(&o, NULL, 0);
    compact_thread_set_add(&o.open.threads, 2);
    expect_open(&o, true, false, false);
    start(&o, NULL, 0);
    o.open.has_all = true;
    expect_open(&o, true, true, true);
    start(&o, NULL, 0);
    blocks[1].is_open = true;
    expect_open(&o, false, true, false);
    blocks[1].is_open = false;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_closed),
        cmocka_unit_test(test_strays_open_what_they_may_lie_in),
        cmocka_unit_test(test_times_at_the_borders_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
