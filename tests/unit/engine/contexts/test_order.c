// SPDX-License-Identifier: Apache-2.0

// The order of decisions: whatever the order in which entries come, they go by commit time,
// contextual before cut, inner before outer. Checked pair by pair against rules written again here,
// on random entries with many ties; each entry must still be there.

#include "support/chance.h"

#include "engine/contexts/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t seed;

static uint32_t
random_below(uint32_t bound)
{
    return (uint32_t)chance_below(&seed, bound);
}

static bool
may_follow(const compact_entry *a, const compact_entry *b)
{
    if (a->commit != b->commit) {
        return a->commit < b->commit;
    }
    bool is_cut = a->kind == COMPACT_ENTRY_CONTEXT_CUT;
    if (is_cut != (b->kind == COMPACT_ENTRY_CONTEXT_CUT)) {
        return !is_cut;
    }
    return is_cut || a->begin >= b->begin;
}

// sort_random sorts count items that come in runs of about run_length.
static void
sort_random(size_t count, uint32_t run_length)
{
    compact_entry *items = calloc(count, sizeof(*items));
    compact_entry *spare = calloc(count / 2 + 1, sizeof(*spare));
    bool *is_seen = calloc(count, sizeof(*is_seen));
    assert_non_null(items);
    assert_non_null(spare);
    assert_non_null(is_seen);
    int64_t commit = 0;
    for (size_t i = 0; i < count; i++) {
        commit = random_below(run_length) == 0 ? random_below(50) : commit + random_below(2);
        items[i] = (compact_entry){
            .commit = commit,
            .begin = commit - random_below(3),
            .index = (uint32_t)i,
            .kind = (compact_entry_kind)random_below(COMPACT_ENTRY_CONTEXT_CUT + 1),
        };
    }
    compact_order_sort(items, count, spare);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || may_follow(&items[i - 1], &items[i]));
        assert_false(is_seen[items[i].index]);
        is_seen[items[i].index] = true;
    }
    free(items);
    free(spare);
    free(is_seen);
}

static void
test_any_input_comes_out_in_order(void **state)
{
    (void)state;
    seed = 1;
    for (size_t count = 1; count < 200; count++) {
        sort_random(count, 1);
        sort_random(count, 8);
    }
    sort_random(5000, 1);
    sort_random(5000, 300);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_input_comes_out_in_order),
    };
    return cmocka_run_group_tests_name("compact_order", tests, NULL, NULL);
}
