// SPDX-License-Identifier: Apache-2.0
// What windows leave for the next one by the rules of requests.h; limits; and times that make no
// sense. What a machine may send is as large as here without taking more than a second.

#include "unit/engine/requests/requests_rig.h"

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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_request_goes_through_windows_and_counts_once),
        cmocka_unit_test(test_what_the_caller_has_filled_in_is_carried),
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
    };
    return cmocka_run_group_tests_name("requests_windows", tests, NULL, NULL);
}
