// SPDX-License-Identifier: Apache-2.0
// The rules of requests.h one by one, each on a few parts whose requests are written by hand; what
// windows leave for the next; limits; times that make no sense; and memory that runs out at each
// allocation. What a machine may send is as large as here without taking more than a second.

#include "support/failing_alloc.h"

#include "engine/request_reasons.h"
#include "engine/requests/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    LINGER = 10,
    NONE = -1,
    OPEN = 0, // in place of an end
    MANY = 100000,
};

// A session: its windows one after the other.
typedef struct session {
    lp_arena arena;
    lp_arena carried[2];
    size_t windows;
    compact_open_requests open;
    compact_requests out;
} session;

static session *
begin_session(void)
{
    session *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    return s;
}

static void
end_session(session *s)
{
    lp_arena_fini(&s->arena);
    lp_arena_fini(&s->carried[0]);
    lp_arena_fini(&s->carried[1]);
    free(s);
}

// run_window finds the requests of the next window.
static lp_err
run_window(session *s, compact_requests_input input)
{
    lp_arena *next = &s->carried[s->windows % 2];
    lp_arena_reset(&s->arena);
    lp_arena_reset(next);
    input.open = s->windows == 0 ? NULL : &s->open;
    input.lo = s->windows == 0 ? INT64_MIN : input.lo;
    input.linger_ticks = LINGER;
    input.known = input.known == 0 ? input.hi : input.known;
    s->out = (compact_requests){.request_of = NULL};
    compact_requests_make(&input, &s->arena, &s->out);
    lp_err err = lp_arena_err(&s->arena);
    compact_open_requests open = {.arena = next};
    if (err == LP_OK) {
        compact_requests_carry(&s->out, &open);
        err = lp_arena_err(next);
    }
    s->open = open;
    s->windows++;
    return err;
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// RUN runs a window of these arrays up to hi.
#define RUN(s, begin, end, parts_, ...)                                                            \
    assert_int_equal(run_window(s, (compact_requests_input){.lo = (begin),                         \
                                       .hi = (end),                                                \
                                       .parts = (parts_),                                          \
                                       .part_count = COUNT_OF(parts_),                             \
                                       __VA_ARGS__}),                                              \
        LP_OK)

static compact_request_part
part(uint64_t thread, int64_t begin, int64_t end, uint64_t key)
{
    return (compact_request_part){
        .thread = thread,
        .begin = begin,
        .end = end == OPEN ? INT64_MAX : end,
        .key = key,
        .source = key == 0 ? COMPACT_REQUEST_NESTED : COMPACT_REQUEST_BY_ATTRIBUTE,
        .is_new = true,
    };
}

static compact_request_part
rooted(uint64_t thread, int64_t begin, int64_t end, uint64_t key)
{
    compact_request_part p = part(thread, begin, end, key);
    p.is_rooted = true;
    p.source = COMPACT_REQUEST_BY_API;
    return p;
}

static compact_request_part
known(compact_request_part p)
{
    p.is_new = false;
    return p;
}

static compact_root
root(uint64_t key, int64_t ticks, bool is_end)
{
    return (compact_root){.key = key,
        .thread = 1,
        .ticks = ticks,
        .source = COMPACT_REQUEST_BY_API,
        .is_end = is_end};
}

static void
expect(const session *s, size_t index, uint64_t key, int64_t begin, int64_t end, int64_t busy,
    uint64_t parts)
{
    assert_true(index < s->out.items.count);
    const compact_request *r = &s->out.items.items[index];
    assert_true(key == 0 || r->key == key);
    assert_int_equal(r->begin, begin);
    assert_int_equal(r->end, end);
    assert_int_equal(r->busy_ticks, busy);
    assert_int_equal(r->part_count, parts);
}

static const compact_request *
item(const session *s, size_t index)
{
    assert_true(index < s->out.items.count);
    return &s->out.items.items[index];
}

static int
request_of(const session *s, size_t part)
{
    return s->out.request_of[part] == COMPACT_REQUEST_NONE ? NONE : (int)s->out.request_of[part];
}

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

// --- Windows

static void
test_a_request_goes_through_windows_and_counts_once(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_root begins[] = {root(7, 10, false)};
    const compact_root ends[] = {root(7, 250, true)};
    const compact_request_part first[] = {rooted(1, 20, OPEN, 7), part(2, 95, 97, 9)};
    RUN(s, 0, 100, first, .roots = begins, .root_count = 1);
    expect(s, 0, 7, 10, 100, 80, 1);
    assert_true(!item(s, 0)->is_over && item(s, 0)->goes_on);
    s->out.items.items[0].type = "shop.Order";
    s->out.items.items[0].is_kept = true;
    uint64_t id = item(s, 0)->id;

    const compact_request_part second[] = {known(rooted(1, 20, 150, 7)), rooted(3, 140, 160, 7)};
    RUN(s, 100, 200, second);
    assert_int_equal(s->out.items.count, 2);
    expect(s, 0, 7, 10, 200, 140, 2);
    expect(s, 1, 9, 95, 97, 2, 1); // over now that it has lingered
    assert_true(item(s, 1)->is_over && !item(s, 1)->is_counted);

    const compact_request_part third[] = {rooted(1, 245, 295, 7)};
    RUN(s, 200, 255, third, .roots = ends, .root_count = 1);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 7, 10, 250, 145, 3);
    assert_true(item(s, 0)->is_over && !item(s, 0)->is_counted && item(s, 0)->is_carried);
    assert_true(item(s, 0)->id == id);

    const compact_request_part fourth[] = {rooted(2, 259, 262, 7), rooted(2, 270, 275, 7)};
    RUN(s, 255, 300, fourth);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 7, 10, 250, 145, 3);
    assert_true(item(s, 0)->is_counted && !item(s, 0)->is_carried);
    assert_int_equal(request_of(s, 0), 0);
    assert_int_equal(request_of(s, 1), NONE);
    assert_int_equal(s->open.items.count, 0);
    end_session(s);
}

static void
test_what_the_caller_has_filled_in_is_carried(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 20, OPEN, 7)};
    RUN(s, 0, 100, parts);
    compact_request_attribute attribute = {"route", {(const uint8_t *)"/orders", 7}};
    compact_request *r = &s->out.items.items[0];
    *r = *item(s, 0);
    r->type = "shop.Order";
    r->attributes = &attribute;
    r->attribute_count = 1;
    r->is_kept = true;
    r->kept_by = 1;
    lp_arena arena = {0};
    s->open = (compact_open_requests){.arena = &arena};
    compact_requests_carry(&s->out, &s->open);
    const compact_request carried = s->open.items.items[0];
    const compact_request_part again[] = {known(part(1, 20, 130, 7))};
    RUN(s, 100, 200, again);
    const compact_request *found = item(s, 0);
    assert_ptr_not_equal(found->type, carried.type); // which may go before found does
    assert_ptr_not_equal(found->attributes, carried.attributes);
    assert_string_equal(found->type, "shop.Order");
    assert_int_equal(found->attribute_count, 1);
    assert_string_equal(found->attributes[0].name, "route");
    assert_memory_equal(found->attributes[0].text.ptr, "/orders", 7);
    assert_true(found->is_kept && found->kept_by == 1);
    assert_ptr_not_equal(found->attributes, &attribute);
    lp_arena_fini(&arena);
    end_session(s);
}

static void
test_joined_keys_are_carried_with_their_request(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part first[] = {
        part(1, 20, OPEN, 7), part(1, 30, 40, 8), part(2, 25, 90, 8)};
    RUN(s, 0, 100, first);
    assert_int_equal(s->out.items.count, 1);
    assert_int_equal(s->open.joined.count, 1);
    assert_int_equal(s->open.joined.items[0].key, 8);
    assert_int_equal(s->open.joined.items[0].to, 7);
    const compact_request_part second[] = {
        known(part(1, 20, 110, 7)), part(3, 115, 120, 8), part(3, 140, 145, 8)};
    RUN(s, 100, 200, second);
    assert_int_equal(s->out.items.count, 2);
    expect(s, 0, 7, 20, 120, 95, 4);
    expect(s, 1, 8, 140, 145, 5, 1);
    end_session(s);
}

static void
test_an_open_request_may_be_joined_in_a_later_window(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part first[] = {part(1, 20, OPEN, 7), part(2, 30, OPEN, 8)};
    RUN(s, 0, 100, first);
    assert_int_equal(s->out.items.count, 2);
    const compact_request_part second[] = {
        known(part(1, 20, 150, 7)), known(part(2, 30, 120, 8)), part(1, 110, 111, 8)};
    RUN(s, 100, 200, second);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 7, 20, 150, 130, 3); // no more than its duration
    end_session(s);
}

// A session seems to end, so its open requests count; then it goes on, and so do they: with and
// without a root, without a key, and one of which no part is open.
static void
test_a_session_that_goes_on_counts_no_request_twice(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_root roots[] = {root(1, 5, false), root(1, 160, true)};
    const compact_request_part first[] = {
        rooted(2, 10, 20, 1), part(1, 20, OPEN, 7), part(3, 30, OPEN, 0), part(4, 95, 98, 9)};
    RUN(s, 0, 100, first, .roots = roots, .root_count = 1, .is_last = true);
    assert_int_equal(compact_requests_count(&s->out).in, 4);
    expect(s, 0, 1, 5, 100, 10, 1);
    assert_int_equal(s->out.losses.roots_without_end, 1);

    const compact_request_part second[] = {rooted(2, 140, 145, 1), known(part(1, 20, 150, 7)),
        part(2, 130, 131, 7), known(part(3, 30, 120, 0)), part(3, 115, 116, 0)};
    RUN(s, 100, 200, second, .roots = &roots[1], .root_count = 1);
    assert_int_equal(compact_requests_count(&s->out).in, 0);
    assert_int_equal(s->out.items.count, 4);
    expect(s, 0, 1, 5, 160, 15, 2);
    expect(s, 1, 7, 20, 150, 130, 2);
    expect(s, 2, 0, 30, 120, 90, 2);
    expect(s, 3, 9, 95, 98, 3, 1);
    for (size_t i = 0; i < 4; i++) {
        assert_true(item(s, i)->is_over && !item(s, i)->is_unended);
        assert_true(item(s, i)->is_counted && !item(s, i)->was_over);
    }
    const compact_request_losses none = {0};
    assert_memory_equal(&s->out.losses, &none, sizeof(none));

    const compact_request_part third[] = {part(1, 210, OPEN, 7)}; // another one
    RUN(s, 200, 300, third);
    const compact_request_part fourth[] = {known(part(1, 210, 310, 7))};
    RUN(s, 300, 400, fourth, .is_last = true);
    assert_int_equal(compact_requests_count(&s->out).in, 1);
    end_session(s);
}

// It seems to end once more before a root does: that counted as missing the first time.
static void
test_a_root_is_missing_once(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_root begins = root(1, 5, false);
    const compact_request_part first[] = {rooted(2, 10, OPEN, 1)};
    RUN(s, 0, 100, first, .roots = &begins, .root_count = 1, .is_last = true);
    assert_int_equal(s->out.losses.roots_without_end, 1);
    const compact_request_part second[] = {known(rooted(2, 10, OPEN, 1))};
    RUN(s, 100, 200, second, .is_last = true);
    assert_int_equal(s->out.losses.roots_without_end, 0);
    assert_int_equal(compact_requests_count(&s->out).in, 0);
    expect(s, 0, 1, 5, 200, 190, 1);
    end_session(s);
}

// A request that has counted where the session seemed to end becomes one with a request that began
// later, which is the one that stays: with a root (1), or as it lies around (3). Neither counts.
static void
test_a_request_that_is_joined_counts_no_second_time(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part first[] = {part(1, 10, OPEN, 7), part(2, 95, 98, 8)};
    RUN(s, 0, 100, first, .is_last = true);
    assert_int_equal(compact_requests_count(&s->out).in, 2);
    s->open.items.items[1].dropped_by = COMPACT_REQUEST_DROPPED_BUDGET;
    const compact_root roots[] = {root(1, 101, false), root(1, 150, true)};
    const compact_request_part second[] = {known(part(1, 10, 120, 7)), rooted(1, 102, 110, 1),
        part(2, 101, 110, 3), part(2, 102, 109, 8)};
    RUN(s, 100, 200, second, .roots = roots, .root_count = COUNT_OF(roots));
    assert_int_equal(s->out.items.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(item(s, i)->key == 1 || item(s, i)->key == 3);
        assert_true(item(s, i)->is_over && item(s, i)->is_counted);
    }
    assert_int_equal(compact_requests_count(&s->out).in, 0);
    assert_int_equal(item(s, 0)->dropped_by, COMPACT_REQUEST_DROPPED_BUDGET); // that with the key 3
    end_session(s);
}

static void
test_a_part_without_a_key_is_no_request_from_then_on(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part first[] = {part(1, 20, OPEN, 0)};
    RUN(s, 0, 100, first);
    assert_int_equal(s->out.items.count, 1);
    const compact_request_part second[] = {known(part(1, 20, OPEN, 0)), part(1, 110, 120, 7)};
    RUN(s, 100, 200, second);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 7, 110, 120, 10, 1);
    const compact_request_part third[] = {known(part(1, 20, 250, 0)), part(1, 210, 220, 0)};
    RUN(s, 200, 300, third);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 0, 210, 220, 10, 1);
    assert_int_equal(request_of(s, 0), NONE);
    end_session(s);
}

static void
test_an_event_that_is_known_late_counts_from_its_begin(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part first[] = {part(2, 30, OPEN, 8)};
    RUN(s, 0, 100, first);
    const compact_request_part second[] = {
        part(1, 20, 150, 0), known(part(2, 30, 130, 8)), part(3, 60, 120, 9)};
    RUN(s, 100, 200, second);
    assert_int_equal(s->out.items.count, 3);
    expect(s, 0, 0, 20, 150, 130, 1);
    expect(s, 1, 8, 30, 130, 100, 1);
    expect(s, 2, 9, 60, 120, 60, 1);
    end_session(s);
}

static void
test_an_event_that_is_known_early_is_one_request(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {known(part(1, 20, 150, 0))};
    RUN(s, 0, 100, parts);
    expect(s, 0, 0, 20, 100, 80, 0);
    assert_true(item(s, 0)->goes_on);
    const compact_request_part again[] = {part(1, 20, 150, 0)};
    RUN(s, 100, 200, again);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 0, 20, 150, 130, 1);
    assert_true(item(s, 0)->is_over);
    end_session(s);
}

static void
test_what_is_known_behind_the_window_says_what_goes_on(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {
        part(1, 90, 95, 7), part(2, 90, 95, 8), part(3, 103, 104, 8), part(3, 112, 113, 7)};
    RUN(s, 0, 100, parts, .known = 120);
    assert_int_equal(s->out.items.count, 2);
    assert_true(!item(s, 0)->is_over && !item(s, 0)->goes_on && item(s, 0)->is_carried);
    assert_true(!item(s, 1)->is_over && item(s, 1)->goes_on);
    assert_int_equal(request_of(s, 2), NONE); // it belongs to the next window
    end_session(s);
}

// --- Limits

static void
test_requests_over_the_limit_are_ended(void **state)
{
    (void)state;
    enum { EXTRA = 1000, COUNT = COMPACT_REQUESTS_OPEN_MAX + EXTRA };
    session *s = begin_session();
    compact_root *roots = calloc(2 * (size_t)COUNT, sizeof(*roots));
    assert_non_null(roots);
    for (size_t i = 0; i < COUNT; i++) {
        roots[i] = root(i + 1, (int64_t)i, false);
    }
    const compact_request_part parts[] = {part(1, 0, OPEN, 0), rooted(1, 10, OPEN, 2)};
    RUN(s, 0, COUNT, parts, .roots = roots, .root_count = COUNT);
    assert_int_equal(s->out.items.count, COUNT);
    assert_int_equal(s->open.items.count, COMPACT_REQUESTS_OPEN_MAX);
    assert_int_equal(s->out.losses.over_limit, EXTRA);
    assert_int_equal(s->out.losses.roots_without_end, EXTRA);
    assert_true(item(s, 0)->is_over && item(s, 0)->is_unended && !item(s, 0)->goes_on);
    assert_false(item(s, EXTRA)->is_over);
    assert_int_equal(s->open.items.items[0].begin, EXTRA);

    // Those that have ended are as many, and are not counted once more.
    for (size_t i = 0; i < COUNT; i++) {
        roots[i] = root(COUNT + i + 1, COUNT, false);
        roots[COUNT + i] = root(COUNT + i + 1, COUNT, true);
    }
    const compact_request_part again[] = {known(rooted(1, 10, OPEN, 2))};
    RUN(s, COUNT, COUNT + 1, again, .roots = roots, .root_count = 2 * (size_t)COUNT);
    assert_int_equal(s->out.items.count, COUNT + COMPACT_REQUESTS_OPEN_MAX);
    assert_int_equal(s->open.items.count, COMPACT_REQUESTS_OPEN_MAX);
    assert_int_equal(s->out.losses.over_limit, COMPACT_REQUESTS_OPEN_MAX);
    free(roots);
    end_session(s);
}

// Where the session seemed to end the missing ends of all counted. It goes on, and further requests
// are too many.
static void
test_a_root_over_the_limit_is_missing_once(void **state)
{
    (void)state;
    enum { EXTRA = 1000, COUNT = COMPACT_REQUESTS_OPEN_MAX + EXTRA };
    session *s = begin_session();
    compact_root *roots = calloc(COUNT, sizeof(*roots));
    assert_non_null(roots);
    for (size_t i = 0; i < COUNT; i++) {
        roots[i] = root(i + 1, (int64_t)i, false);
    }
    const compact_request_part parts[] = {rooted(1, 10, 11, 2)};
    RUN(s, 0, COMPACT_REQUESTS_OPEN_MAX, parts, .roots = roots,
        .root_count = COMPACT_REQUESTS_OPEN_MAX, .is_last = true);
    assert_int_equal(s->out.losses.roots_without_end, COMPACT_REQUESTS_OPEN_MAX);
    const compact_request_part again[] = {
        rooted(1, COMPACT_REQUESTS_OPEN_MAX, OPEN, COMPACT_REQUESTS_OPEN_MAX)};
    RUN(s, COMPACT_REQUESTS_OPEN_MAX, COUNT, again, .roots = &roots[COMPACT_REQUESTS_OPEN_MAX],
        .root_count = EXTRA);
    assert_int_equal(s->out.losses.over_limit, EXTRA);
    assert_int_equal(s->out.losses.roots_without_end, 0);
    free(roots);
    end_session(s);
}

static void
test_parts_over_the_limit_belong_to_the_threads_request(void **state)
{
    (void)state;
    enum { COUNT = 3 * COMPACT_REQUESTS_AT_ONCE_MAX };
    session *s = begin_session();
    compact_request_part parts[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        parts[i] = part(1, 10 + (int64_t)i, 900 - (int64_t)i, i + 1);
    }
    RUN(s, 0, 1000, parts);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 1, 10, 900, 890, COUNT);
    end_session(s);
}

// --- What makes no sense

static void
test_times_that_go_back_are_harmless(void **state)
{
    (void)state;
    session *s = begin_session();
    const compact_request_part parts[] = {part(1, 50, 40, 7), part(1, 45, 46, 8),
        part(2, 50, 40, 0), part(2, 50, 45, 0), part(3, -20, -30, 9)};
    const compact_root roots[] = {root(6, 30, true), root(6, 40, false)};
    const compact_hand_over hand_overs[] = {{1, 1, 60, 50}};
    RUN(s, 0, 100, parts, .roots = roots, .root_count = 2, .hand_overs = hand_overs,
        .hand_over_count = 1);
    assert_int_equal(s->out.items.count, 5);
    expect(s, 0, 9, -20, -20, 0, 1);
    expect(s, 1, 6, 40, 100, 0, 0);
    expect(s, 2, 8, 45, 46, 1, 1);
    const compact_root late[] = {root(6, 20, true)};
    const compact_request_part again[] = {part(1, 30, 20, 3)};
    RUN(s, 100, 200, again, .roots = late, .root_count = 1);
    assert_int_equal(item(s, 1)->begin, 40);
    assert_int_equal(item(s, 1)->end, 40); // it did not end before it began
    end_session(s);
}

static void
test_any_numbers_are_harmless(void **state)
{
    (void)state;
    static const int64_t ticks[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    enum { TICKS = COUNT_OF(ticks) };
    compact_request_part parts[TICKS * TICKS * 3];
    compact_root roots[TICKS * 2];
    compact_hand_over hand_overs[TICKS * TICKS];
    size_t count = 0;
    for (size_t i = 0; i < TICKS; i++) {
        for (size_t k = 0; k < TICKS; k++) {
            hand_overs[i * TICKS + k] =
                (compact_hand_over){k, UINT64_MAX - i % 2, ticks[i], ticks[k]};
            for (size_t kind = 0; kind < 3; kind++) {
                uint64_t thread = i % 2 == 0 ? UINT64_MAX : 0;
                parts[count] = kind == 0 ? part(thread, ticks[i], ticks[k], 0)
                                         : part(thread, ticks[i], ticks[k], UINT64_MAX - k);
                parts[count++].is_rooted = kind == 2;
            }
        }
        roots[2 * i] = root(i % 2 == 0 ? UINT64_MAX : 0, ticks[i], i % 3 == 0);
        roots[2 * i + 1] = root(UINT64_MAX - i, ticks[i], i % 2 == 0);
    }
    for (size_t lo = 0; lo < TICKS; lo++) {
        session *s = begin_session();
        for (size_t hi = lo; hi < TICKS; hi++) {
            RUN(s, ticks[lo], ticks[hi], parts, .roots = roots, .root_count = COUNT_OF(roots),
                .hand_overs = hand_overs, .hand_over_count = COUNT_OF(hand_overs));
            for (size_t i = 0; i < s->out.items.count; i++) {
                const compact_request *r = item(s, i);
                assert_true(r->busy_ticks >= 0 && r->queued_ticks >= 0);
                assert_true(r->begin <= r->end || !r->is_over);
            }
        }
        end_session(s);
    }
}

// --- Much

// A tick at which a thread begins and ends very many parts, each of which it was handed.
static void
test_very_many_at_one_tick(void **state)
{
    (void)state;
    session *s = begin_session();
    compact_request_part *parts = calloc(MANY, sizeof(*parts));
    compact_hand_over *hand_overs = calloc(MANY, sizeof(*hand_overs));
    assert_true(parts != NULL && hand_overs != NULL);
    for (size_t i = 0; i < MANY; i++) {
        parts[i] = part(1, 50, 50, i + 1);
        hand_overs[i] = (compact_hand_over){2, 1, 10, 50};
    }
    const compact_requests_input input = {.hi = 100,
        .parts = parts,
        .part_count = MANY,
        .hand_overs = hand_overs,
        .hand_over_count = MANY};
    assert_int_equal(run_window(s, input), LP_OK);
    assert_int_equal(s->out.items.count, MANY);
    assert_int_equal(s->out.waits.count, MANY);
    free(parts);
    free(hand_overs);
    end_session(s);
}

// Each key is joined to the next one, and that to the one behind.
static void
test_very_many_keys_in_a_chain(void **state)
{
    (void)state;
    session *s = begin_session();
    compact_request_part *parts = calloc(2 * (size_t)MANY, sizeof(*parts));
    assert_non_null(parts);
    for (size_t i = 0; i < MANY; i++) {
        int64_t begin = 10 * (int64_t)i;
        parts[2 * i] = part(i + 1, begin, begin + 19, i + 2);
        parts[2 * i + 1] = part(i + 1, begin + 1, begin + 18, i + 1);
    }
    const compact_requests_input input = {
        .hi = 10 * (int64_t)MANY + 100, .parts = parts, .part_count = 2 * (size_t)MANY};
    assert_int_equal(run_window(s, input), LP_OK);
    assert_int_equal(s->out.items.count, 1);
    expect(s, 0, 0, 0, 10 * (int64_t)MANY + 9, 10 * (int64_t)MANY + 9, 2 * (uint64_t)MANY);
    free(parts);
    end_session(s);
}

// Each part without a key lies around all later ones; they all are none in the end.
static void
test_very_many_parts_in_each_other(void **state)
{
    (void)state;
    session *s = begin_session();
    compact_request_part *parts = calloc(MANY, sizeof(*parts));
    assert_non_null(parts);
    for (size_t i = 0; i < MANY; i++) {
        parts[i] = part(1, (int64_t)i, 1000000 - (int64_t)i, i % 2 == 0 ? 0 : i);
    }
    const compact_requests_input input = {.hi = 2000000, .parts = parts, .part_count = MANY};
    assert_int_equal(run_window(s, input), LP_OK);
    assert_int_equal(s->out.items.count, 1);
    free(parts);
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
        cmocka_unit_test(test_a_request_goes_through_windows_and_counts_once),
        cmocka_unit_test(test_what_the_caller_has_filled_in_is_carried),
        cmocka_unit_test(test_a_key_means_the_request_that_its_thread_worked_for_last),
        cmocka_unit_test(test_a_further_key_leads_to_the_request),
        cmocka_unit_test(test_a_further_key_makes_no_two_requests_with_roots_one),
        cmocka_unit_test(test_a_further_key_stays_one_in_the_next_window),
        cmocka_unit_test(test_joined_keys_are_carried_with_their_request),
        cmocka_unit_test(test_an_open_request_may_be_joined_in_a_later_window),
        cmocka_unit_test(test_a_session_that_goes_on_counts_no_request_twice),
        cmocka_unit_test(test_a_root_is_missing_once),
        cmocka_unit_test(test_a_request_that_is_joined_counts_no_second_time),
        cmocka_unit_test(test_a_part_without_a_key_is_no_request_from_then_on),
        cmocka_unit_test(test_an_event_that_is_known_late_counts_from_its_begin),
        cmocka_unit_test(test_an_event_that_is_known_early_is_one_request),
        cmocka_unit_test(test_what_is_known_behind_the_window_says_what_goes_on),
        cmocka_unit_test(test_requests_over_the_limit_are_ended),
        cmocka_unit_test(test_a_root_over_the_limit_is_missing_once),
        cmocka_unit_test(test_parts_over_the_limit_belong_to_the_threads_request),
        cmocka_unit_test(test_times_that_go_back_are_harmless),
        cmocka_unit_test(test_any_numbers_are_harmless),
        cmocka_unit_test(test_very_many_at_one_tick),
        cmocka_unit_test(test_very_many_keys_in_a_chain),
        cmocka_unit_test(test_very_many_parts_in_each_other),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
