// SPDX-License-Identifier: Apache-2.0
// Promised: jobs get room in the order in which they ask, never more than there is but for one that
// is alone, and each gets its room in the end, and more where it has grown and there is some. Wide
// ones have an order of their own and never more than half, and no other job waits for one of them.
// And the parts of a plan are no more than all.

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
ask_wide(job *j, memory_room *room, size_t *admitted, uint64_t bytes)
{
    ask(j, room, admitted, bytes);
    j->user.is_wide = true;
}

static void
test_no_other_job_waits_for_wide_ones(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job wide[3];
    job others[3];
    for (size_t i = 0; i < 3; i++) {
        ask_wide(&wide[i], &room, &admitted, 20);
        memory_room_ask(&room, &wide[i].user);
    }
    assert_int_equal(admitted, 2); // the third would be over the half
    assert_int_equal(metrics_get(METRICS_jobs_waiting_for_memory), 1);
    const uint64_t bytes[] = {50, 10, 1};
    for (size_t i = 0; i < 3; i++) {
        ask(&others[i], &room, &admitted, bytes[i]);
        memory_room_ask(&room, &others[i].user);
    }
    assert_int_equal(admitted, 4);
    assert_int_equal(others[1].rank, 4);
    memory_room_leave(&room, &wide[0].user);
    assert_int_equal(others[2].rank, 5); // it goes before the wide one, which asked before it
    assert_int_equal(wide[2].rank, 0);
    memory_room_leave(&room, &others[1].user);
    assert_int_equal(wide[2].rank, 6);
    memory_room_leave(&room, &wide[1].user);
    memory_room_leave(&room, &wide[2].user);
    memory_room_leave(&room, &others[0].user);
    memory_room_leave(&room, &others[2].user);
    assert_int_equal(room.bytes, 0);
    assert_int_equal(metrics_get(METRICS_jobs_waiting_for_memory), 0);
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
        ask_wide(&wide[i], &room, &admitted, 20);
        memory_room_ask(&room, &wide[i].user);
    }
    ask(&large, &room, &admitted, 70);
    memory_room_ask(&room, &large.user);
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
    ask_wide(&wide, &room, &admitted, 40);
    memory_room_ask(&room, &wide.user);
    assert_false(memory_room_suffices(&room, &wide.user, ROOM / 2 + 1));
    assert_true(memory_room_suffices(&room, &wide.user, ROOM / 2));
    assert_int_equal(room.bytes, ROOM / 2);
    memory_room_leave(&room, &wide.user);

    ask_wide(&wide, &room, &admitted, ROOM);
    memory_room_ask(&room, &wide.user);
    assert_int_equal(admitted, 2);
    assert_false(memory_room_suffices(&room, &wide.user, ROOM));
    ask(&other, &room, &admitted, ROOM / 2);
    memory_room_ask(&room, &other.user);
    assert_int_equal(admitted, 3);
    assert_true(memory_room_suffices(&room, &other.user, ROOM / 2));
    memory_room_leave(&room, &wide.user);
    memory_room_leave(&room, &other.user);
    assert_int_equal(room.bytes, 0);
}

// expect_within adds up who is in, and compares that with the room. Those that are not wide have it
// as if the wide ones had half of it, and no more.
static void
expect_within(const memory_room *room, const job *jobs, size_t count)
{
    uint64_t wide_bytes = 0;
    uint64_t bytes = 0; // of the others
    size_t inside = 0;  // of the others
    const job *first = NULL;
    for (size_t i = 0; i < count; i++) {
        const job *j = &jobs[i];
        bool is_inside = j->rank > 0 && !j->has_left;
        wide_bytes += is_inside && j->user.is_wide ? j->user.bytes : 0;
        bytes += is_inside && !j->user.is_wide ? j->user.bytes : 0;
        inside += is_inside && !j->user.is_wide ? 1 : 0;
        first = first == NULL && !j->user.is_wide && j->rank == 0 ? j : first;
    }
    assert_int_equal(wide_bytes + bytes, room->bytes);
    assert_true(wide_bytes <= ROOM / 2);
    assert_true(wide_bytes + bytes <= ROOM || inside == 1);
    assert_true(first == NULL || (inside > 0 && bytes + first->user.bytes > ROOM / 2));
}

static void
test_all_get_room_in_their_order(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted[2] = {0}; // wide ones are the second
    size_t asked_of_kind[2] = {0};
    size_t places[JOBS]; // among those of its kind, from 1
    job *jobs = calloc(JOBS, sizeof(*jobs));
    assert_non_null(jobs);
    uint64_t seed = 1;
    size_t asked = 0;
    size_t left = 0;
    while (left < JOBS) {
        if (asked < JOBS && chance_below(&seed, 2) == 0) {
            size_t kind = chance_below(&seed, 2);
            ask(&jobs[asked], &room, &admitted[kind], 1 + chance_below(&seed, ROOM + 20));
            jobs[asked].user.is_wide = kind == 1;
            jobs[asked].leaves = chance_below(&seed, 4) == 0;
            places[asked] = ++asked_of_kind[kind];
            memory_room_ask(&room, &jobs[asked++].user);
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
    assert_int_equal(admitted[0] + admitted[1], JOBS);
    free(jobs);
}

static void
test_the_parts_of_a_plan_leave_something(void **state)
{
    (void)state;
    memory_plan plan = memory_plan_make(MEMORY_PLAN_BYTES_LEAST);
    uint64_t sum = plan.jobs + plan.received + plan.early;
    assert_true(sum <= MEMORY_PLAN_BYTES_LEAST / 4 * 3);
    assert_true(plan.jobs > 0 && plan.question_block > 0 && plan.received > 0 && plan.early > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_large_job_waits_until_it_is_alone),
        cmocka_unit_test(test_a_job_that_has_grown_gets_what_there_is),
        cmocka_unit_test(test_no_other_job_waits_for_wide_ones),
        cmocka_unit_test(test_a_large_job_does_not_wait_for_wide_ones),
        cmocka_unit_test(test_a_wide_job_has_no_more_than_half),
        cmocka_unit_test(test_all_get_room_in_their_order),
        cmocka_unit_test(test_the_parts_of_a_plan_leave_something),
    };
    return cmocka_run_group_tests_name("memory_room", tests, NULL, NULL);
}
