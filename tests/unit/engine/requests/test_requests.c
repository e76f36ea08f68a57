// SPDX-License-Identifier: Apache-2.0
// The rules of requests.h one by one, each on a few parts whose requests are written by hand, and
// memory that runs out at each allocation. test_requests_windows.c has what windows leave for the
// next, and limits.

#include "support/failing_alloc.h"
#include "unit/engine/requests/requests_rig.h"

// --- Which parts are one request

static void
test_parts_with_one_key_are_one_request(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {
        part(1, 10, 20, 7), part(2, 15, 30, 7), part(3, 12, 13, 8)};
    RUN(s, 0, 100, parts);
    assert_int_equal(s->out.items.count, 2);
    expect(s, 0, 7, 10, 30, 20, 2);
    expect(s, 1, 8, 12, 13, 1, 1);
    assert_int_equal(request_of(s, 0), 0);
    assert_int_equal(request_of(s, 1), 0);
    assert_int_equal(request_of(s, 2), 1);
    assert_true(item(s, 0)->is_over && !item(s, 0)->is_unended && !item(s, 0)->has_root);
    assert_int_equal(item(s, 0)->thread, 1);
    assert_int_equal(s->out.stays.count, 3);
    assert_int_equal(compact_requests_find(&s->out, 2, 30), 0);
    assert_int_equal(compact_requests_find(&s->out, 2, 31), COMPACT_REQUEST_NONE);
    end_session(s);
}

static void
test_a_part_without_a_key_belongs_to_the_request_around_it(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 10, 20, 7), part(1, 12, 14, 0),
        part(2, 12, 18, 0), part(2, 13, 14, 0), part(1, 20, 22, 0)};
    RUN(s, 0, 100, parts);
    assert_int_equal(s->out.items.count, 3);
    expect(s, 0, 7, 10, 20, 10, 2);
    expect(s, 1, 0, 12, 18, 6, 2); // itself, with another one in it
    expect(s, 2, 0, 20, 22, 2, 1); // behind it
    assert_int_equal(item(s, 1)->source, COMPACT_REQUEST_NESTED);
    assert_int_equal(request_of(s, 3), 1);
    end_session(s);
}

static void
test_a_part_around_one_with_a_key_is_no_request(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 10, 40, 0), part(1, 11, 12, 0),
        part(1, 15, 20, 7), part(2, 10, 40, 0), part(2, 15, 20, 7), part(2, 25, 30, 8)};
    RUN(s, 0, 100, parts);
    assert_int_equal(s->out.items.count, 2);
    expect(s, 0, 7, 15, 20, 5, 2); // those around do not count
    expect(s, 1, 8, 25, 30, 5, 1);
    assert_int_equal(request_of(s, 0), 0);
    assert_int_equal(request_of(s, 1), 0);
    assert_int_equal(request_of(s, 3), NONE); // there are two in it
    end_session(s);
}

static void
test_parts_that_are_open_together_join_their_requests(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 10, 40, 7), part(1, 15, 20, 8), part(2, 5, 12, 8),
        part(2, 30, 32, 8), part(3, 38, 45, 9)};
    RUN(s, 0, 100, parts);
    assert_int_equal(s->out.items.count, 2);
    expect(s, 0, 7, 5, 40, 35, 4); // with what of the other was before
    expect(s, 1, 9, 38, 45, 7, 1);
    assert_int_equal(item(s, 0)->thread, 2);
    end_session(s);
}

// Key 8 means a request with a root, on the first thread, and is met within a request without one
// on the second: what both are has the root's times, in one window or in two.
static void
test_a_request_with_a_root_keeps_it(void **state)
{
    (void)state;
    const compact_root roots[] = {root(1, 0, false), root(1, 60, true)};
    const compact_request_part parts[] = {
        rooted(1, 5, 10, 1), part(1, 6, 8, 8), part(2, 7, 80, 7), part(2, 12, 13, 8)};
    session *s = begin_session();
    RUN(s, 0, 100, parts, .roots = roots, .root_count = 2);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 1, 0, 60, 55, 4);
    assert_true(item(s, 0)->has_root);
    assert_int_equal(request_of(s, 2), 0);
    assert_int_equal(s->out.losses.ends_without_root, 0);
    end_session(s);

    const compact_request_part first[] = {
        rooted(1, 5, 10, 1), part(1, 6, 8, 8), part(2, 7, OPEN, 7)};
    const compact_request_part second[] = {known(part(2, 7, 80, 7)), part(2, 22, 23, 8)};
    s = begin_session();
    RUN(s, 0, 20, first, .roots = roots, .root_count = 1);
    assert_int_equal(s->out.items.count, 2);
    RUN(s, 20, 100, second, .roots = &roots[1], .root_count = 1);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 1, 0, 60, 58, 4); // three ticks of both, before they were one, count twice
    assert_true(item(s, 0)->has_root);
    end_session(s);
}

static void
test_a_part_that_begins_where_another_one_ends_is_apart(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 10, 20, 7), part(1, 20, 30, 8),
        part(1, 30, 30, 9), part(2, 10, 20, 6), part(2, 20, 30, 6)};
    RUN(s, 0, 100, parts);
    assert_int_equal(s->out.items.count, 4);
    expect(s, 2, 8, 20, 30, 10, 1);
    expect(s, 3, 9, 30, 30, 0, 1);
    assert_int_equal(s->out.stays.count, 4); // the last two are one
    assert_int_equal(s->out.items.items[compact_requests_find(&s->out, 1, 20)].key, 8);
    end_session(s);
}

static void
test_a_joined_key_is_free_once_its_request_is_over(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {
        part(1, 10, 20, 7), part(1, 12, 15, 8), part(2, 30, 31, 8), part(2, 50, 51, 8)};
    RUN(s, 0, 100, parts);
    assert_int_equal(s->out.items.count, 2);
    expect(s, 0, 7, 10, 31, 11, 3);
    expect(s, 1, 8, 50, 51, 1, 1);
    assert_int_equal(s->out.losses.reopened, 1);
    end_session(s);
}

// Key 8 is joined to a request with a root, and to another one on the second thread once that is
// over. Then the first thread works for the root's key again, while its part with key 8 is open.
static void
test_a_key_means_the_request_that_its_thread_worked_for_last(void **state)
{
    (void)state;
    const compact_root roots[] = {root(1, 0, false), root(1, 14, true)};
    const compact_request_part parts[] = {rooted(1, 5, 20, 1), part(1, 6, 60, 8),
        part(2, 10, 80, 7), part(2, 16, 17, 8), part(3, 18, 19, 8), rooted(1, 22, 23, 1),
        part(3, 24, 25, 8)};
    session *s = begin_session();
    RUN(s, 0, 100, parts, .roots = roots, .root_count = 2);
    assert_int_equal(s->out.items.count, 2);
    assert_int_equal(request_of(s, 4), request_of(s, 2));
    assert_int_equal(request_of(s, 6), request_of(s, 0));
    end_session(s);
}

// The root's part has key 8 as well: part of its request is what begins with that key while parts
// may, in this window and the next, but neither what is open with the key already, nor a request
// with a root.
static void
test_a_further_key_leads_to_the_request(void **state)
{
    (void)state;
    const compact_root roots[] = {
        root(1, 10, false), root(2, 12, false), root(2, 19, true), root(1, 40, true)};
    compact_request_part first[] = {rooted(1, 11, 60, 1), rooted(2, 12, 18, 2), part(3, 13, 14, 8),
        part(3, 5, 10, 9), rooted(1, 15, 16, 1)};
    first[0].also = 8;
    first[1].also = 8;
    first[4].also = 9; // it has lingered, and is not over
    session *s = begin_session();
    RUN(s, 0, 30, first, .roots = roots, .root_count = 3);
    assert_int_equal(s->out.items.count, 3);
    assert_int_equal(request_of(s, 2), request_of(s, 0));
    assert_int_equal(request_of(s, 3), 0);
    expect(s, 0, 9, 5, 10, 5, 1);
    expect(s, 1, 1, 10, 30, 19, 3);
    expect(s, 2, 2, 12, 19, 6, 1);
    compact_request_part second[] = {
        known(rooted(1, 11, 60, 1)), part(3, 35, 36, 8), part(3, 52, 53, 8)};
    second[0].also = 8;
    RUN(s, 30, 100, second, .roots = &roots[3], .root_count = 1);
    assert_int_equal(s->out.items.count, 2);
    expect(s, 0, 1, 10, 40, 29, 4);
    expect(s, 1, 8, 52, 53, 1, 1);
    end_session(s);
}

// Key 8 came to mean the request of root 1 as a further key: it makes no request with another root
// one with that, where it begins within the other one and where the other one begins within it, in
// this window or the next.
static void
test_a_further_key_makes_no_two_requests_with_roots_one(void **state)
{
    (void)state;
    const compact_root roots[] = {root(1, 10, false), root(2, 12, false), root(2, 18, true),
        root(3, 22, false), root(3, 28, true)};
    compact_request_part first[] = {rooted(1, 11, 60, 1), part(3, 12, 90, 8), rooted(3, 22, 28, 3),
        rooted(2, 12, 18, 2), part(2, 13, 15, 8)};
    first[0].also = 8;
    session *s = begin_session();
    RUN(s, 0, 30, first, .roots = roots, .root_count = 5);
    assert_int_equal(s->out.items.count, 3);
    assert_int_equal(request_of(s, 1), request_of(s, 0));
    assert_int_equal(request_of(s, 4), request_of(s, 3));
    expect(s, 0, 1, 10, 30, 19, 2);
    expect(s, 1, 2, 12, 18, 6, 2);
    expect(s, 2, 3, 22, 28, 6, 1);
    end_session(s);
}

static void
test_a_further_key_stays_one_in_the_next_window(void **state)
{
    (void)state;
    const compact_root roots[] = {
        root(1, 10, false), root(4, 32, false), root(4, 38, true), root(1, 60, true)};
    compact_request_part first[] = {rooted(1, 11, 60, 1)};
    first[0].also = 8;
    session *s = begin_session();
    RUN(s, 0, 30, first, .roots = roots, .root_count = 1);
    assert_int_equal(s->open.joined.count, 1);
    compact_request_part second[] = {
        known(rooted(1, 11, 60, 1)), rooted(2, 32, 38, 4), part(2, 33, 34, 8)};
    second[0].also = 8;
    RUN(s, 30, 100, second, .roots = &roots[1], .root_count = 3);
    assert_int_equal(s->out.items.count, 2);
    expect(s, 0, 1, 10, 60, 49, 1);
    expect(s, 1, 4, 32, 38, 6, 2);
    end_session(s);
}

// --- Begin and end

static void
test_a_request_without_a_root_is_over_when_it_has_lingered(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 10, 20, 7), part(1, 30, 31, 7),
        part(1, 42, 43, 7), part(2, 85, 90, 8), part(3, 85, 89, 9)};
    RUN(s, 0, 100, parts);
    assert_int_equal(s->out.items.count, 4);
    expect(s, 0, 7, 10, 31, 11, 2);
    expect(s, 1, 7, 42, 43, 1, 1);
    assert_true(item(s, 0)->id != item(s, 1)->id);
    assert_int_equal(s->out.losses.reopened, 1);
    assert_false(item(s, 2)->is_over); // up to 100 a part may come
    assert_true(item(s, 2)->goes_on && item(s, 2)->is_carried);
    assert_true(item(s, 3)->is_over);
    end_session(s);
}

static void
test_a_root_says_when_a_request_begins_and_ends(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {rooted(1, 12, 20, 7), rooted(2, 25, 45, 7),
        rooted(2, 48, 49, 7), rooted(2, 51, 52, 7), rooted(1, 5, 6, 7)};
    const compact_root roots[] = {root(7, 40, true), root(7, 10, false)};
    RUN(s, 0, 100, parts, .roots = roots, .root_count = 2);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 7, 10, 40, 8 + 15, 2);
    assert_true(item(s, 0)->has_root && item(s, 0)->is_over && !item(s, 0)->is_unended);
    assert_int_equal(request_of(s, 2), 0);
    assert_int_equal(request_of(s, 3), NONE);
    assert_int_equal(request_of(s, 4), NONE);
    assert_int_equal(s->out.losses.parts_without_root, 2);
    end_session(s);
}

static void
test_roots_that_are_odd_are_counted(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 12, 14, 6)};
    const compact_root roots[] = {root(7, 10, false), root(7, 20, false), root(8, 30, true),
        root(6, 15, true), root(6, 16, true)};
    RUN(s, 0, 100, parts, .roots = roots, .root_count = COUNT_OF(roots), .is_last = true);
    assert_int_equal(s->out.items.count, 3);
    expect(s, 0, 7, 10, 20, 0, 0);
    expect(s, 1, 6, 12, 15, 2, 1); // the end is told, the begin was not
    expect(s, 2, 7, 20, 100, 0, 0);
    assert_true(item(s, 0)->is_unended && !item(s, 1)->is_unended && item(s, 2)->is_unended);
    assert_true(item(s, 0)->id != item(s, 2)->id);
    assert_int_equal(s->out.losses.roots_twice, 1);
    assert_int_equal(s->out.losses.roots_without_end, 2);
    assert_int_equal(s->out.losses.ends_without_root, 3);
    end_session(s);
}

static void
test_a_thread_works_for_the_part_with_a_root(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 10, 60, 8), rooted(1, 20, 90, 7),
        part(1, 25, 26, 0), part(1, 70, 71, 9), part(2, 85, 86, 8)};
    const compact_root roots[] = {root(7, 20, false), root(7, 40, true)};
    RUN(s, 0, 100, parts, .roots = roots, .root_count = 2);
    assert_int_equal(s->out.items.count, 3);
    expect(s, 0, 7, 20, 40, 20, 3); // its root counts, not what was before
    expect(s, 1, 9, 70, 71, 1, 1);  // the part that is left open keeps nobody from a request
    expect(s, 2, 8, 85, 86, 1, 1);
    assert_int_equal(request_of(s, 0), 0);
    end_session(s);
}

static void
test_a_lost_root_takes_no_other_request_along(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {
        rooted(1, 10, 60, 7), part(1, 20, 30, 8), part(1, 22, 23, 0)};
    RUN(s, 0, 100, parts);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 8, 20, 30, 10, 2);
    assert_int_equal(s->out.losses.parts_without_root, 1);
    end_session(s);
}

static void
test_where_the_session_ends_all_are_over(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {
        part(1, 10, OPEN, 7), part(2, 95, 96, 8), part(3, 50, OPEN, 0), rooted(4, 60, 70, 5)};
    const compact_root roots[] = {root(5, 60, false)};
    RUN(s, 0, 100, parts, .roots = roots, .root_count = 1, .is_last = true);
    assert_int_equal(s->out.items.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(item(s, i)->is_over && !item(s, i)->goes_on);
        assert_int_equal(item(s, i)->is_unended, item(s, i)->key != 8);
    }
    expect(s, 3, 8, 95, 96, 1, 1);
    expect(s, 2, 5, 60, 100, 10, 1);
    assert_int_equal(s->open.items.count, 4); // the session may go on
    end_session(s);
}

// --- Times

static void
test_a_task_that_waits_while_nobody_works_is_queued(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {
        part(1, 10, 20, 7), part(2, 30, 50, 7), part(3, 46, 47, 7)};
    const compact_hand_over hand_overs[] = {
        {1, 2, 15, 29}, {1, 3, 25, 45}, {1, 3, 1, 2}, {1, 4, 10, 20}, {2, 2, 39, 60}};
    RUN(s, 0, 100, parts, .hand_overs = hand_overs, .hand_over_count = COUNT_OF(hand_overs));
    expect(s, 0, 7, 10, 50, 30, 3);
    assert_int_equal(item(s, 0)->queued_ticks, 10);
    assert_int_equal(s->out.waits.count, 2); // the third took another task first
    assert_int_equal(s->out.waits.items[0].hand_over, 0);
    assert_int_equal(s->out.waits.items[1].hand_over, 1);
    end_session(s);
}

// --- Memory

static lp_err
run_two_windows(session *s)
{
    const compact_request_part first[] = {part(1, 10, OPEN, 0), part(1, 20, OPEN, 7),
        part(1, 30, 40, 8), rooted(2, 10, 20, 9), part(3, 10, OPEN, 0), part(3, 12, OPEN, 0)};
    const compact_root begins[] = {root(9, 5, false)};
    const compact_request_part second[] = {known(part(1, 20, 130, 7)), part(2, 110, 120, 8)};
    const compact_root ends[] = {root(9, 150, true)};
    const compact_hand_over hand_overs[] = {{1, 2, 100, 110}};
    lp_err err = run_window(s, (compact_requests_input){.hi = 100,
                                   .parts = first,
                                   .part_count = COUNT_OF(first),
                                   .roots = begins,
                                   .root_count = 1});
    if (err != LP_OK) {
        return err;
    }
    return run_window(s, (compact_requests_input){.lo = 100,
                             .hi = 200,
                             .parts = second,
                             .part_count = COUNT_OF(second),
                             .roots = ends,
                             .root_count = 1,
                             .hand_overs = hand_overs,
                             .hand_over_count = 1});
}

static void
test_memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    bool has_failed = true;
    size_t nth = 1;
    for (; has_failed; nth++) {
        session *s = begin_session();
        allocations_left = nth;
        lp_err err = run_two_windows(s);
        has_failed = allocations_left == 0;
        allocations_left = 0;
        assert_int_equal(err, has_failed ? LP_ENOMEM : LP_OK);
        end_session(s);
    }
    assert_true(nth > 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_with_one_key_are_one_request),
        cmocka_unit_test(test_a_part_without_a_key_belongs_to_the_request_around_it),
        cmocka_unit_test(test_a_part_around_one_with_a_key_is_no_request),
        cmocka_unit_test(test_parts_that_are_open_together_join_their_requests),
        cmocka_unit_test(test_a_request_with_a_root_keeps_it),
        cmocka_unit_test(test_a_part_that_begins_where_another_one_ends_is_apart),
        cmocka_unit_test(test_a_joined_key_is_free_once_its_request_is_over),
        cmocka_unit_test(test_a_request_without_a_root_is_over_when_it_has_lingered),
        cmocka_unit_test(test_a_root_says_when_a_request_begins_and_ends),
        cmocka_unit_test(test_roots_that_are_odd_are_counted),
        cmocka_unit_test(test_a_thread_works_for_the_part_with_a_root),
        cmocka_unit_test(test_a_lost_root_takes_no_other_request_along),
        cmocka_unit_test(test_where_the_session_ends_all_are_over),
        cmocka_unit_test(test_a_task_that_waits_while_nobody_works_is_queued),
        cmocka_unit_test(test_a_key_means_the_request_that_its_thread_worked_for_last),
        cmocka_unit_test(test_a_further_key_leads_to_the_request),
        cmocka_unit_test(test_a_further_key_makes_no_two_requests_with_roots_one),
        cmocka_unit_test(test_a_further_key_stays_one_in_the_next_window),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
