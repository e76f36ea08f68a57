// SPDX-License-Identifier: Apache-2.0
// Promised: jobs get room in the order in which they ask, never more than there is but for one that
// is alone, and each gets its room in the end, and more where it has grown and there is some. Each
// rank has an order of its own. Wide jobs never have more than half, with compactions no more than
// three quarters, and nobody waits for those that come after him. And the parts of a plan are no
// more than all.

#include "support/chance.h"

#include "collector/base/memory_plan.h"
#include "collector/base/memory_room.h"
#include "collector/base/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { JOBS = 500, ROOM = 100 };

typedef struct job {
    memory_room_user user;
    memory_room *room;
    size_t *admitted; // how many have been before
    size_t rank;      // among those that were admitted, from 1; 0: not yet
    bool leaves;      // at once
    bool has_left;
} job;

static void
on_room(void *arg)
{
    job *j = arg;
    assert_int_equal(j->rank, 0);
    j->rank = ++*j->admitted;
    if (j->leaves) {
        j->has_left = true;
        memory_room_leave(j->room, &j->user);
    }
}

static void
ask(job *j, memory_room *room, size_t *admitted, uint64_t bytes)
{
    *j = (job){
        .user = {.bytes = bytes, .on_room = on_room, .arg = j}, .room = room, .admitted = admitted};
}

static void
test_a_large_job_waits_until_it_is_alone(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job jobs[4];
    uint64_t over = metrics_get(METRICS_jobs_in_files);
    const uint64_t bytes[] = {60, ROOM + 1, 10, 40};
    for (size_t i = 0; i < 4; i++) {
        ask(&jobs[i], &room, &admitted, bytes[i]);
        memory_room_ask(&room, &jobs[i].user);
    }
    assert_int_equal(admitted, 1); // the third would fit, but it came after the second
    assert_true(memory_room_suffices(&room, &jobs[0].user, 60));
    memory_room_leave(&room, &jobs[0].user);
    assert_int_equal(admitted, 2);
    assert_false(memory_room_suffices(&room, &jobs[1].user, ROOM + 1)); // it is too large
    assert_int_equal(metrics_get(METRICS_jobs_in_files), over + 1);
    assert_int_equal(metrics_get(METRICS_jobs_waiting_for_memory), 2);
    memory_room_leave(&room, &jobs[1].user);
    assert_int_equal(admitted, 4);
    memory_room_leave(&room, &jobs[3].user);
    memory_room_leave(&room, &jobs[2].user);
    assert_int_equal(room.bytes, 0);
    assert_int_equal(metrics_get(METRICS_jobs_waiting_for_memory), 0);
}

static void
test_a_job_that_has_grown_gets_what_there_is(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job jobs[2];
    uint64_t over = metrics_get(METRICS_jobs_in_files);
    for (size_t i = 0; i < 2; i++) {
        ask(&jobs[i], &room, &admitted, 40);
        memory_room_ask(&room, &jobs[i].user);
    }
    assert_true(memory_room_suffices(&room, &jobs[0].user, 30)); // it keeps what it has
    assert_int_equal(room.bytes, 80);
    assert_true(memory_room_suffices(&room, &jobs[0].user, 55));
    assert_int_equal(room.bytes, 95);
    assert_false(memory_room_suffices(&room, &jobs[1].user, 46));
    assert_int_equal(room.bytes, 95);
    assert_int_equal(metrics_get(METRICS_jobs_in_files), over + 1);
    assert_true(memory_room_suffices(&room, &jobs[1].user, 45));
    assert_int_equal(room.bytes, ROOM);
    memory_room_leave(&room, &jobs[0].user);
    assert_int_equal(room.bytes, 45);
    memory_room_leave(&room, &jobs[1].user);
    assert_int_equal(room.bytes, 0);
}

static void
ask_as(job *j, memory_room *room, size_t *admitted, memory_room_rank rank, uint64_t bytes)
{
    ask(j, room, admitted, bytes);
    j->user.rank = rank;
    memory_room_ask(room, &j->user);
}

static void
test_nobody_waits_for_wide_ones(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job wide[3];
    job others[3];
    for (size_t i = 0; i < 3; i++) {
        ask_as(&wide[i], &room, &admitted, MEMORY_ROOM_WIDE, 20);
    }
    assert_int_equal(admitted, 2); // the third would be over the half
    assert_int_equal(metrics_get(METRICS_jobs_waiting_for_memory), 1);
    ask_as(&others[0], &room, &admitted, MEMORY_ROOM_COMPACTION, 35);
    ask_as(&others[1], &room, &admitted, MEMORY_ROOM_NARROW, 25);
    ask_as(&others[2], &room, &admitted, MEMORY_ROOM_COMPACTION, 1);
    assert_int_equal(admitted, 4);
    assert_int_equal(others[1].rank, 4);
    memory_room_leave(&room, &wide[0].user);
    assert_int_equal(others[2].rank, 5); // it goes before the wide one, which asked before it
    assert_int_equal(wide[2].rank, 0);
    memory_room_leave(&room, &others[1].user);
    assert_int_equal(wide[2].rank, 0); // three quarters would be less than it and compactions have
    memory_room_leave(&room, &others[0].user);
    assert_int_equal(wide[2].rank, 6);
    memory_room_leave(&room, &wide[1].user);
    memory_room_leave(&room, &wide[2].user);
    memory_room_leave(&room, &others[2].user);
    assert_int_equal(room.bytes, 0);
    assert_int_equal(metrics_get(METRICS_jobs_waiting_for_memory), 0);
}

static void
test_narrow_ones_do_not_wait_for_compactions(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job compactions[3];
    job narrow[3];
    for (size_t i = 0; i < 3; i++) {
        ask_as(&compactions[i], &room, &admitted, MEMORY_ROOM_COMPACTION, 30);
    }
    assert_int_equal(admitted, 2); // a quarter is left
    ask_as(&narrow[0], &room, &admitted, MEMORY_ROOM_NARROW, 20);
    ask_as(&narrow[1], &room, &admitted, MEMORY_ROOM_NARROW, 20);
    ask_as(&narrow[2], &room, &admitted, MEMORY_ROOM_NARROW, 30);
    assert_int_equal(narrow[1].rank, 4);
    assert_int_equal(admitted, 4);
    memory_room_leave(&room, &compactions[0].user);
    assert_int_equal(narrow[2].rank, 5); // it goes before the compaction, which asked before it
    assert_int_equal(compactions[2].rank, 0);
    memory_room_leave(&room, &narrow[0].user);
    assert_int_equal(compactions[2].rank, 0);
    memory_room_leave(&room, &narrow[1].user);
    assert_int_equal(compactions[2].rank, 6);
    memory_room_leave(&room, &narrow[2].user);
    memory_room_leave(&room, &compactions[1].user);
    memory_room_leave(&room, &compactions[2].user);
    assert_int_equal(room.bytes, 0);
}

// One compaction may have all of the room, where there is any.
static void
test_a_compaction_alone_has_what_is_left(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job large;
    job narrow;
    ask_as(&large, &room, &admitted, MEMORY_ROOM_COMPACTION, ROOM);
    assert_true(memory_room_suffices(&room, &large.user, ROOM));
    assert_int_equal(room.bytes, ROOM);
    ask_as(&narrow, &room, &admitted, MEMORY_ROOM_NARROW, 10);
    assert_int_equal(admitted, 2); // it does not wait
    assert_false(memory_room_suffices(&room, &narrow.user, 10));
    memory_room_leave(&room, &large.user);

    ask_as(&large, &room, &admitted, MEMORY_ROOM_COMPACTION, ROOM);
    assert_false(memory_room_suffices(&room, &large.user, ROOM)); // the narrow one is there
    assert_true(room.bytes <= ROOM);
    memory_room_leave(&room, &large.user);
    memory_room_leave(&room, &narrow.user);
    assert_int_equal(room.bytes, 0);
}

static void
test_a_large_job_does_not_wait_for_wide_ones(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job wide[2];
    job large;
    uint64_t over = metrics_get(METRICS_jobs_in_files);
    for (size_t i = 0; i < 2; i++) {
        ask_as(&wide[i], &room, &admitted, MEMORY_ROOM_WIDE, 20);
    }
    ask_as(&large, &room, &admitted, MEMORY_ROOM_COMPACTION, 70);
    assert_int_equal(admitted, 3);
    assert_false(memory_room_suffices(&room, &large.user, 70)); // not beside the wide ones
    assert_int_equal(metrics_get(METRICS_jobs_in_files), over + 1);
    memory_room_leave(&room, &wide[0].user);
    memory_room_leave(&room, &wide[1].user);
    memory_room_leave(&room, &large.user);
    assert_int_equal(room.bytes, 0);
}

static void
test_a_wide_job_has_no_more_than_half(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job wide;
    job other;
    ask_as(&wide, &room, &admitted, MEMORY_ROOM_WIDE, 40);
    assert_false(memory_room_suffices(&room, &wide.user, ROOM / 2 + 1));
    assert_true(memory_room_suffices(&room, &wide.user, ROOM / 2));
    assert_int_equal(room.bytes, ROOM / 2);
    memory_room_leave(&room, &wide.user);

    ask_as(&wide, &room, &admitted, MEMORY_ROOM_WIDE, ROOM);
    assert_int_equal(admitted, 2);
    assert_false(memory_room_suffices(&room, &wide.user, ROOM));
    ask_as(&other, &room, &admitted, MEMORY_ROOM_NARROW, ROOM / 2);
    assert_int_equal(admitted, 3);
    assert_true(memory_room_suffices(&room, &other.user, ROOM / 2));
    memory_room_leave(&room, &wide.user);
    memory_room_leave(&room, &other.user);
    assert_int_equal(room.bytes, 0);
}

// expect_within adds up who is in, and compares that with the room. A narrow job and a compaction
// that are alone of their rank may be over its limit.
static void
expect_within(const memory_room *room, const job *jobs, size_t count)
{
    uint64_t bytes[MEMORY_ROOM_RANK_COUNT] = {0};
    size_t inside[MEMORY_ROOM_RANK_COUNT] = {0};
    const job *first[MEMORY_ROOM_RANK_COUNT] = {0}; // that waits
    for (size_t i = 0; i < count; i++) {
        const job *j = &jobs[i];
        memory_room_rank rank = j->user.rank;
        bool is_inside = j->rank > 0 && !j->has_left;
        bytes[rank] += is_inside ? j->user.bytes : 0;
        inside[rank] += is_inside ? 1 : 0;
        first[rank] = first[rank] == NULL && j->rank == 0 ? j : first[rank];
    }
    uint64_t of_wide = bytes[MEMORY_ROOM_WIDE];
    uint64_t behind = bytes[MEMORY_ROOM_COMPACTION] + of_wide; // narrow ones
    uint64_t all = bytes[MEMORY_ROOM_NARROW] + behind;
    const job *narrow = first[MEMORY_ROOM_NARROW];
    const job *compaction = first[MEMORY_ROOM_COMPACTION];
    bool is_alone = inside[MEMORY_ROOM_COMPACTION] == 1;
    assert_int_equal(all, room->bytes);
    assert_true(of_wide <= ROOM / 2);
    assert_true(behind <= ROOM / 4 * 3 || is_alone);
    assert_true(all <= ROOM || is_alone || inside[MEMORY_ROOM_NARROW] == 1);
    assert_true(narrow == NULL || inside[MEMORY_ROOM_NARROW] > 0);
    assert_true(narrow == NULL || all + narrow->user.bytes > ROOM);
    assert_true(compaction == NULL || inside[MEMORY_ROOM_COMPACTION] > 0);
    assert_true(compaction == NULL || narrow != NULL || all + compaction->user.bytes > ROOM ||
                behind + compaction->user.bytes > ROOM / 4 * 3);
}

static void
test_all_get_room_in_their_order(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted[MEMORY_ROOM_RANK_COUNT] = {0};
    size_t asked_of[MEMORY_ROOM_RANK_COUNT] = {0};
    size_t places[JOBS]; // among those of its rank, from 1
    job *jobs = calloc(JOBS, sizeof(*jobs));
    assert_non_null(jobs);
    uint64_t seed = 1;
    size_t asked = 0;
    size_t left = 0;
    while (left < JOBS) {
        if (asked < JOBS && chance_below(&seed, 2) == 0) {
            memory_room_rank rank = (memory_room_rank)chance_below(&seed, MEMORY_ROOM_RANK_COUNT);
            job *j = &jobs[asked];
            ask(j, &room, &admitted[rank], 1 + chance_below(&seed, ROOM + 20));
            j->user.rank = rank;
            j->leaves = chance_below(&seed, 4) == 0;
            places[asked++] = ++asked_of[rank];
            memory_room_ask(&room, &j->user);
        } else {
            for (size_t i = 0; i < asked; i++) { // one of those inside, if there is one
                job *j = &jobs[(i + chance_below(&seed, 7)) % asked];
                if (j->rank > 0 && !j->has_left) {
                    j->has_left = true;
                    memory_room_leave(&room, &j->user);
                    break;
                }
            }
        }
        left = 0;
        for (size_t i = 0; i < asked; i++) {
            left += jobs[i].has_left ? 1 : 0;
            assert_true(jobs[i].rank == 0 || jobs[i].rank == places[i]);
        }
        expect_within(&room, jobs, asked);
    }
    for (size_t i = 0; i < MEMORY_ROOM_RANK_COUNT; i++) {
        assert_int_equal(admitted[i], asked_of[i]);
    }
    free(jobs);
}

static void
test_the_parts_of_a_plan_leave_something(void **state)
{
    (void)state;
    memory_plan plan = memory_plan_make(MEMORY_PLAN_BYTES_LEAST);
    uint64_t sum = plan.jobs + plan.snapshots + plan.received + plan.early;
    assert_true(sum <= MEMORY_PLAN_BYTES_LEAST / 4 * 3);
    uint64_t tls = plan.tls_connections * (28 << 10); // each with a record that has come in part
    assert_true(plan.tls_connections > 0 && tls < MEMORY_PLAN_BYTES_LEAST / 4);
    assert_true(plan.jobs > 0 && plan.snapshots > 0 && plan.question_block > 0 &&
                plan.received > 0 && plan.early > 0);
    // Of each thread that compacts or answers, of which there are some twenty.
    assert_true(
        plan.malloc_kept > 0 && 24 * (uint64_t)plan.malloc_kept < MEMORY_PLAN_BYTES_LEAST / 4);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_large_job_waits_until_it_is_alone),
        cmocka_unit_test(test_a_job_that_has_grown_gets_what_there_is),
        cmocka_unit_test(test_nobody_waits_for_wide_ones),
        cmocka_unit_test(test_narrow_ones_do_not_wait_for_compactions),
        cmocka_unit_test(test_a_compaction_alone_has_what_is_left),
        cmocka_unit_test(test_a_large_job_does_not_wait_for_wide_ones),
        cmocka_unit_test(test_a_wide_job_has_no_more_than_half),
        cmocka_unit_test(test_all_get_room_in_their_order),
        cmocka_unit_test(test_the_parts_of_a_plan_leave_something),
    };
    return cmocka_run_group_tests_name("memory_room", tests, NULL, NULL);
}
