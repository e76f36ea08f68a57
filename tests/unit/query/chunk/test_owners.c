// SPDX-License-Identifier: Apache-2.0
// The owners of monitors for which a thread waited, compared with a computation at each tick. It
// covers chains, several owners of one wait, unknown threads and unknown monitors. By hand: the
// picture of the header, a chain that is too long, and an impossible deadlock.

#include "query/chunk/owners.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    TICKS = 40,
    THREADS = 6,
    MONITORS = 3,
    WAITS = 24,
    ROUNDS = 2000,
    TEXT = 4096,
    ITEMS = 1024,
};

static void
add(query_owners *owners, uint64_t thread, uint64_t monitor, int64_t begin, int64_t end,
    uint64_t owner)
{
    const query_monitor_wait wait = {begin, end, thread, owner, monitor, (uint32_t)monitor % 2};
    assert_int_equal(query_owners_add(owners, &wait), LP_OK);
}

// --- At each tick

// An owner by its chain: threads and classes as text.
typedef struct naive_item {
    char path[64];
    int64_t had;
    uint64_t waits;
    int64_t begin;
    int64_t end;
    bool is_in[WAITS];
} naive_item;

typedef struct naive {
    const query_owners *of;
    naive_item items[ITEMS];
    size_t count;
} naive;

// wait_at returns the wait of a thread that counts at a tick; NULL: none.
static const query_monitor_wait *
wait_at(const query_owners *of, uint64_t thread, int64_t tick)
{
    const query_monitor_wait *found = NULL;
    for (size_t i = 0; i < of->waits.count; i++) {
        const query_monitor_wait *wait = &of->waits.items[i];
        bool is_it = wait->thread == thread && wait->begin <= tick && tick < wait->end;
        found = is_it && (found == NULL || wait->begin < found->begin) ? wait : found;
    }
    return found;
}

static uint64_t
owner_at(const query_owners *of, uint64_t monitor, int64_t tick)
{
    const query_monitor_wait *next = NULL;
    for (size_t i = 0; i < of->waits.count; i++) {
        const query_monitor_wait *wait = &of->waits.items[i];
        bool is_it = wait->monitor == monitor && wait->end > tick;
        next = is_it && (next == NULL || wait->end < next->end) ? wait : next;
    }
    return next == NULL ? 0 : next->owner;
}

static void
note(naive *n, const char *path, const query_monitor_wait *wait, int64_t tick)
{
    size_t i = 0;
    while (i < n->count && strcmp(n->items[i].path, path) != 0) {
        i++;
    }
    naive_item *item = &n->items[i];
    if (i == n->count) {
        assert_true(n->count < ITEMS);
        *item = (naive_item){.begin = tick};
        (void)snprintf(item->path, sizeof(item->path), "%s", path);
        n->count++;
    }
    size_t index = (size_t)(wait - n->of->waits.items);
    item->had++;
    item->waits += !item->is_in[index];
    item->is_in[index] = true;
    item->end = tick + 1;
}

static void
look(naive *n, uint64_t thread, int64_t tick)
{
    bool is_in_chain[THREADS + 1] = {[0] = true};
    char path[64] = "";
    for (const query_monitor_wait *wait = wait_at(n->of, thread, tick); wait != NULL;
         wait = wait_at(n->of, thread, tick)) {
        size_t len = strlen(path);
        is_in_chain[thread] = true;
        thread = owner_at(n->of, wait->monitor, tick);
        if (is_in_chain[thread]) {
            return;
        }
        (void)snprintf(
            path + len, sizeof(path) - len, "/%u:%u", (unsigned)thread, wait->class_name);
        note(n, path, wait, tick);
    }
}

// --- As texts, in order

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void
append(char lines[][128], size_t *count, const char *path, const query_owner *owner)
{
    assert_true(*count < ITEMS);
    (void)snprintf(lines[(*count)++], 128, "%s had %lld in %llu, %lld to %lld\n", path,
        (long long)owner->had, (unsigned long long)owner->waits, (long long)owner->begin,
        (long long)owner->end);
}

static void
path_of(const query_owners *owners, uint32_t index, char path[64])
{
    const query_owner *owner = &owners->items.items[index];
    path[0] = '\0';
    if (owner->parent != QUERY_NO_OWNER) {
        path_of(owners, owner->parent, path);
    }
    size_t len = strlen(path);
    (void)snprintf(path + len, 64 - len, "/%u:%u", (unsigned)owner->thread, owner->class_name);
}

// join makes one text of the lines, in their order.
static char *
join(char lines[][128], size_t count)
{
    qsort(lines, count, sizeof(lines[0]), compare_lines);
    char *text = calloc(1, count * 128 + 1);
    assert_non_null(text);
    char *at = text;
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(lines[i]);
        memcpy(at, lines[i], len);
        at += len;
    }
    return text;
}

static char *
found(const query_owners *owners)
{
    static char lines[ITEMS][128];
    size_t count = 0;
    for (uint32_t i = 0; i < owners->items.count; i++) {
        char path[64];
        path_of(owners, i, path);
        append(lines, &count, path, &owners->items.items[i]);
    }
    return join(lines, count);
}

static char *
expected(const query_owners *owners, uint64_t thread, int64_t begin, int64_t end)
{
    static char lines[ITEMS][128];
    static naive n;
    size_t count = 0;
    n.of = owners;
    n.count = 0;
    for (int64_t tick = begin; tick < end; tick++) {
        look(&n, thread, tick);
    }
    for (size_t i = 0; i < n.count; i++) {
        const naive_item *item = &n.items[i];
        const query_owner as_owner = {
            .had = item->had, .waits = item->waits, .begin = item->begin, .end = item->end};
        append(lines, &count, item->path, &as_owner);
    }
    return join(lines, count);
}

static uint32_t
next_number(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*state >> 33) % below;
}

static void
test_owners_are_those_of_each_tick(void **state)
{
    (void)state;
    uint64_t seed = 41;
    size_t chains = 0;
    for (int round = 0; round < ROUNDS; round++) {
        query_owners owners = {0};
        uint32_t waits = next_number(&seed, WAITS + 1);
        for (uint32_t i = 0; i < waits; i++) {
            uint64_t thread = 1 + next_number(&seed, THREADS);
            uint64_t monitor = 1 + next_number(&seed, MONITORS);
            int64_t begin = next_number(&seed, TICKS);
            int64_t end = begin + next_number(&seed, TICKS);
            add(&owners, thread, monitor, begin, end, next_number(&seed, THREADS + 1));
        }
        int64_t begin = next_number(&seed, TICKS);
        int64_t end = begin + next_number(&seed, TICKS);
        assert_int_equal(query_owners_finish(&owners), LP_OK);
        assert_int_equal(query_owners_explain(&owners, 1, begin, end, NULL), LP_OK);
        char *is = found(&owners);
        char *should = expected(&owners, 1, begin, end);
        assert_string_equal(is, should);
        for (size_t i = 0; i < owners.items.count; i++) {
            chains += owners.items.items[i].parent != QUERY_NO_OWNER;
        }
        free(is);
        free(should);
        query_owners_fini(&owners);
    }
    assert_true(chains > ROUNDS / 8); // else nothing of them was tested
}

// --- By hand

static void
test_a_wait_is_divided_among_its_owners(void **state)
{
    (void)state;
    query_owners owners = {0};
    add(&owners, 1, 1, 0, 100, 2);
    add(&owners, 2, 1, 5, 30, 9);
    add(&owners, 2, 2, 40, 75, 3);
    assert_int_equal(query_owners_finish(&owners), LP_OK);
    assert_int_equal(query_owners_explain(&owners, 1, 0, 100, NULL), LP_OK);
    char *text = found(&owners);
    assert_string_equal(text,
        "/2:1 had 70 in 1, 30 to 100\n/2:1/3:0 had 35 in 1, 40 to 75\n/9:1 had 30 in 1, 0 to 30\n");
    free(text);
    query_owners_fini(&owners);
}

static void
test_a_long_chain_ends(void **state)
{
    (void)state;
    query_owners owners = {0};
    for (uint64_t i = 1; i < 20; i++) {
        add(&owners, i, 100 + i, 0, 10, i + 1);
    }
    assert_int_equal(query_owners_finish(&owners), LP_OK);
    assert_int_equal(query_owners_explain(&owners, 1, 0, 10, NULL), LP_OK);
    assert_int_equal(owners.items.count, QUERY_OWNERS_DEPTH);
    query_owners_fini(&owners);
}

static void
test_those_that_wait_for_each_other_end_a_chain(void **state)
{
    (void)state;
    query_owners owners = {0};
    add(&owners, 1, 1, 0, 10, 2);
    add(&owners, 2, 2, 0, 10, 1);
    assert_int_equal(query_owners_finish(&owners), LP_OK);
    assert_int_equal(query_owners_explain(&owners, 1, 0, 10, NULL), LP_OK);
    assert_int_equal(owners.items.count, 1);
    query_owners_fini(&owners);
}

static void
test_too_many_owners_are_left_out(void **state)
{
    (void)state;
    query_owners owners = {0};
    for (uint64_t i = 0; i <= QUERY_OWNERS_MAX; i++) {
        add(&owners, 1, 1, (int64_t)i, (int64_t)i + 1, i + 2);
    }
    assert_int_equal(query_owners_finish(&owners), LP_OK);
    assert_int_equal(query_owners_explain(&owners, 1, 0, QUERY_OWNERS_MAX + 1, NULL), LP_OK);
    assert_int_equal(owners.items.count, QUERY_OWNERS_MAX);
    assert_true(owners.is_truncated);
    query_owners_fini(&owners);
}

// With many pieces, those behind the first check of the flag are not explained.
static void
test_it_can_be_cancelled_between_pieces(void **state)
{
    (void)state;
    static const struct {
        int64_t pieces;
        bool is_cancelled;
        lp_err expected;
    } cases[] = {
        {100, true, LP_OK}, // it is over before anybody looks
        {10000, true, LP_ECLOSED},
        {10000, false, LP_OK},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_owners owners = {0};
        const atomic_bool is_cancelled = cases[i].is_cancelled;
        add(&owners, 1, 1, 0, cases[i].pieces, 2);
        for (int64_t k = 0; k < cases[i].pieces - 1; k++) {
            add(&owners, 3, 1, k, k + 1, 2);
        }
        assert_int_equal(query_owners_finish(&owners), LP_OK);
        assert_int_equal(
            query_owners_explain(&owners, 1, 0, cases[i].pieces, &is_cancelled), cases[i].expected);
        bool is_whole = owners.items.items[0].had == cases[i].pieces;
        assert_int_equal(is_whole, cases[i].expected == LP_OK);
        query_owners_fini(&owners);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_owners_are_those_of_each_tick),
        cmocka_unit_test(test_a_wait_is_divided_among_its_owners),
        cmocka_unit_test(test_a_long_chain_ends),
        cmocka_unit_test(test_those_that_wait_for_each_other_end_a_chain),
        cmocka_unit_test(test_too_many_owners_are_left_out),
        cmocka_unit_test(test_it_can_be_cancelled_between_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
