// SPDX-License-Identifier: Apache-2.0

// The order of decisions: whatever the order in which items come, they go by thread, commit time,
// plain before contextual before cut, inner before outer. Checked pair by pair against rules
// written again here, on random items with many ties; each item must still be there.

#include "collector/compact/compact_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { THREADS = 5 };

static uint64_t random_state;

static uint32_t
random_below(uint32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % bound;
}

static int
class_of(const compact_item *item)
{
    switch (item->kind) {
    case COMPACT_ITEM_ROW:
    case COMPACT_ITEM_ROW_AHEAD:
        return 0;
    case COMPACT_ITEM_TRIGGER:
    case COMPACT_ITEM_EVENT:
    case COMPACT_ITEM_EVENT_AHEAD:
    case COMPACT_ITEM_CONTEXT:
        return 1;
    case COMPACT_ITEM_CONTEXT_CUT:
        break;
    }
    return 2;
}

static bool
may_follow(const compact_item *a, const compact_item *b)
{
    if (a->thread != b->thread || a->commit != b->commit) {
        return a->thread < b->thread || (a->thread == b->thread && a->commit < b->commit);
    }
    if (class_of(a) != class_of(b)) {
        return class_of(a) < class_of(b);
    }
    return class_of(a) != 1 || a->begin >= b->begin;
}

// sort_random sorts count items that come in runs of about run_length.
static void
sort_random(size_t count, uint32_t run_length)
{
    compact_item *items = calloc(count, sizeof(*items));
    bool *is_seen = calloc(count, sizeof(*is_seen));
    assert_non_null(items);
    assert_non_null(is_seen);
    int64_t commit = 0;
    for (size_t i = 0; i < count; i++) {
        commit = random_below(run_length) == 0 ? random_below(50) : commit + random_below(2);
        items[i] = (compact_item){
            .commit = commit,
            .begin = commit - random_below(3),
            .thread = random_below(THREADS),
            .index = (uint32_t)i,
            .kind = (compact_item_kind)random_below(COMPACT_ITEM_CONTEXT_CUT + 1),
        };
    }
    assert_int_equal(compact_order_sort(&items, count, THREADS), LP_OK);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || may_follow(&items[i - 1], &items[i]));
        assert_false(is_seen[items[i].index]);
        is_seen[items[i].index] = true;
    }
    free(items);
    free(is_seen);
}

static void
test_any_input_comes_out_in_order(void **state)
{
    (void)state;
    random_state = 1;
    for (size_t count = 1; count < 200; count++) {
        sort_random(count, 1);
        sort_random(count, 8);
    }
    sort_random(5000, 1);
    sort_random(5000, 300);
}

static void
test_nothing_is_in_order(void **state)
{
    (void)state;
    compact_item *items = NULL;
    assert_int_equal(compact_order_sort(&items, 0, 0), LP_OK);
    assert_null(items);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_input_comes_out_in_order),
        cmocka_unit_test(test_nothing_is_in_order),
    };
    return cmocka_run_group_tests_name("compact_order", tests, NULL, NULL);
}
