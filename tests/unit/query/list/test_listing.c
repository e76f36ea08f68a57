// SPDX-License-Identifier: Apache-2.0
// Pages of a list: each goes on behind the one before, and all of them are the whole list, in
// whatever order, however many rows are equal, and however long pages are. Contexts whose events
// the list does not want are not in it. Quantiles are of all that were added, listed or not. A
// cursor is read back as it was written, and nothing else is.

#include "query/list/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CONTEXTS = 60, ROUNDS = 200 };

static unsigned unwanted_count; // contexts whose events a list did not want

// A context as a query answers it.
typedef struct made {
    query_context context;
    int64_t begin_wall_ns;
    int64_t duration_ns;
    uint32_t source;
    size_t row_count;
} made;

static uint64_t
next_random(uint64_t *seed, uint64_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % below;
}

static void
add(query_listing *listing, const made *m)
{
    static query_row rows[4]; // locks
    static time_span spans[4];
    for (uint32_t i = 0; i < 4; i++) {
        spans[i] = (time_span){.event = i, .own_ns = 1};
    }
    bool is_wanted = query_listing_wants(listing, m->begin_wall_ns, m->duration_ns);
    unwanted_count += is_wanted ? 0 : 1;
    const query_answer answer = {
        .context = &m->context,
        .source = m->source,
        .begin_wall_ns = m->begin_wall_ns,
        .duration_ns = m->duration_ns,
        .rows = rows,
        .spans = spans,
        .row_count = is_wanted ? m->row_count : 0,
    };
    assert_int_equal(query_listing_add(listing, &answer), LP_OK);
}

// list reads the rows behind a cursor, as places, and returns how many there are.
static size_t
list(const made *all, size_t count, query_sort sort, size_t limit, const query_cursor *after,
    uint64_t *out_places, query_cursor *out_next, bool *out_has_next)
{
    query_listing listing = {.sort = sort, .limit = limit, .after = after};
    for (size_t i = 0; i < count; i++) {
        add(&listing, &all[i]);
    }
    query_listing_finish(&listing);
    size_t found = listing.items.count;
    assert_true(found <= limit);
    for (size_t i = 0; i < found; i++) {
        const query_listed *item = &listing.items.items[i];
        out_places[i] = (uint64_t)item->source << 32 | item->offset;
        assert_int_equal(item->triggers, all[item->offset - all[0].context.offset].row_count);
    }
    assert_int_equal(listing.has_more, listing.has_next);
    *out_has_next = listing.has_next;
    *out_next = listing.next;
    query_listing_fini(&listing);
    return found;
}

// expect_pages expects pages of so many rows to be the whole list.
static void
expect_pages(const made *all, size_t count, query_sort sort, size_t limit, const uint64_t *whole)
{
    uint64_t page[CONTEXTS];
    query_cursor after;
    query_cursor next;
    bool has_next = true;
    size_t at = 0;
    for (bool is_first = true; has_next; is_first = false) {
        size_t found =
            list(all, count, sort, limit, is_first ? NULL : &after, page, &next, &has_next);
        assert_true(at + found <= count);
        assert_memory_equal(page, whole + at, found * sizeof(*page));
        at += found;
        assert_int_equal(has_next, at < count);
        if (has_next) {
            char text[QUERY_CURSOR_BYTES];
            lp_problem problem;
            query_cursor_format(&next, text);
            assert_int_equal(query_cursor_parse(text, sort, &after, &problem), LP_OK);
        }
    }
    assert_int_equal(at, count);
}

static void
test_all_pages_are_the_whole_list(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        static made all[CONTEXTS];
        uint64_t seed = round;
        size_t count = 1 + next_random(&seed, CONTEXTS);
        uint64_t kinds = 1 + next_random(&seed, 5); // of one, all are equal
        for (size_t i = 0; i < count; i++) {
            all[i] = (made){
                .context = {.offset = (uint32_t)i},
                .begin_wall_ns = (int64_t)next_random(&seed, kinds) - 2,
                .duration_ns = (int64_t)next_random(&seed, kinds),
                .source = (uint32_t)next_random(&seed, 3),
                .row_count = next_random(&seed, kinds < 4 ? kinds : 4),
            };
        }
        query_sort sort = (query_sort)next_random(&seed, 4);
        uint64_t whole[CONTEXTS];
        query_cursor next;
        bool has_next;
        assert_int_equal(list(all, count, sort, CONTEXTS, NULL, whole, &next, &has_next), count);
        assert_false(has_next);
        expect_pages(all, count, sort, 1, whole);
        expect_pages(all, count, sort, 1 + next_random(&seed, count), whole);
    }
    assert_true(unwanted_count > 0);
}

static void
test_rows_that_were_added_meanwhile_shift_nothing(void **state)
{
    (void)state;
    made all[] = {{.duration_ns = 50}, {.duration_ns = 40}, {.duration_ns = 30},
        {.duration_ns = 20}, {.duration_ns = 60}};
    uint64_t places[4];
    query_cursor after;
    bool has_next;
    for (uint32_t i = 0; i < 5; i++) {
        all[i].context.offset = i;
    }
    assert_int_equal(list(all, 4, QUERY_SORT_DURATION, 2, NULL, places, &after, &has_next), 2);
    query_cursor next;
    // The fifth comes before those that were listed.
    assert_int_equal(list(all, 5, QUERY_SORT_DURATION, 2, &after, places, &next, &has_next), 2);
    assert_int_equal(places[0], 2);
    assert_int_equal(places[1], 3);
    assert_false(has_next);
    // The one that the cursor is behind, and the first, are gone.
    assert_int_equal(list(all + 2, 2, QUERY_SORT_DURATION, 1, &after, places, &next, &has_next), 1);
    assert_int_equal(places[0], 2);
    assert_true(has_next);
}

static void
test_other_texts_are_no_cursors(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "d", "d.", "d.1", "d.1.2", "d.1.2.", "d.1.2.0",
        "d.1.2.10001", "d.1.2.3.4", "d.1.2.3 ", "d. 1.2.3", "d.+1.2.3", "d.x.2.3", "d.-.2.3",
        "d.9223372036854775808.2.3", "x.1.2.3", "d,1,2,3", "dd.1.2.3"};
    lp_problem problem;
    query_cursor cursor;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_equal(
            query_cursor_parse(texts[i], QUERY_SORT_DURATION, &cursor, &problem), LP_ECORRUPT);
    }
    assert_int_equal(
        query_cursor_parse("s.1.2.3", QUERY_SORT_DURATION, &cursor, &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, "cursor 's.1.2.3': it is of an answer with another sort");
    assert_int_equal(
        query_cursor_parse("s.1.2", QUERY_SORT_DURATION, &cursor, &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, "cursor 's.1.2': not the `next` of an answer");
    assert_int_equal(query_cursor_parse("s.-9223372036854775808.9223372036854775807.10000",
                         QUERY_SORT_START, &cursor, &problem),
        LP_OK);
    assert_true(cursor.key == INT64_MIN && cursor.begin_wall_ns == INT64_MAX);
    assert_int_equal(cursor.equal_count, 10000);
}

static int
compare_durations(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

// expect_near expects a duration within 19 % of another one.
static void
expect_near(int64_t found_ns, int64_t exact_ns)
{
    assert_true(found_ns * 119 / 100 + 1 >= exact_ns && exact_ns * 119 / 100 + 1 >= found_ns);
}

static void
test_quantiles_are_of_all_that_were_added(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t seed = round;
        size_t count = 1 + next_random(&seed, 500);
        int64_t durations[500];
        query_listing listing = {.sort = QUERY_SORT_START, .limit = 1};
        assert_int_equal(query_listing_quantile_ns(&listing, 0.5), 0);
        for (size_t i = 0; i < count; i++) {
            durations[i] = 1000 + (int64_t)next_random(&seed, 1000000000);
            add(&listing, &(made){.duration_ns = durations[i]});
        }
        qsort(durations, count, sizeof(*durations), compare_durations);
        expect_near(query_listing_quantile_ns(&listing, 0.5), durations[(count + 1) / 2 - 1]);
        expect_near(
            query_listing_quantile_ns(&listing, 0.99), durations[(99 * count + 99) / 100 - 1]);
        query_listing_fini(&listing);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pages_are_the_whole_list),
        cmocka_unit_test(test_quantiles_are_of_all_that_were_added),
        cmocka_unit_test(test_rows_that_were_added_meanwhile_shift_nothing),
        cmocka_unit_test(test_other_texts_are_no_cursors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
