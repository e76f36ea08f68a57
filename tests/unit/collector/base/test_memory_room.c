// SPDX-License-Identifier: Apache-2.0
// Promised: jobs get room in the order in which they ask, never more than there is but for one that
// is alone, and each gets its room in the end, and more where it has grown and there is some; and
// the parts of a plan are no more than all.

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
    memory_room_leave(&room, &jobs[0].user);
    assert_int_equal(admitted, 2);
    assert_true(memory_room_suffices(&room, &jobs[0].user, 60));
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

// expect_within adds up who is in, and compares that with the room.
static void
expect_within(const memory_room *room, const job *jobs, size_t count)
{
    uint64_t bytes = 0;
    size_t inside = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_inside = jobs[i].rank > 0 && !jobs[i].has_left;
        bytes += is_inside ? jobs[i].user.bytes : 0;
        inside += is_inside ? 1 : 0;
    }
    assert_int_equal(bytes, room->bytes);
    assert_true(bytes <= ROOM || inside == 1);
}

static void
test_all_get_room_in_their_order(void **state)
{
    (void)state;
    memory_room room = {.bytes_max = ROOM};
    size_t admitted = 0;
    job *jobs = calloc(JOBS, sizeof(*jobs));
    assert_non_null(jobs);
    uint64_t seed = 1;
    size_t asked = 0;
    size_t left = 0;
    while (left < JOBS) {
        if (asked < JOBS && chance_below(&seed, 2) == 0) {
            ask(&jobs[asked], &room, &admitted, 1 + chance_below(&seed, ROOM + 20));
            jobs[asked].leaves = chance_below(&seed, 4) == 0;
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
            assert_true(jobs[i].rank == 0 || jobs[i].rank == i + 1);
        }
        expect_within(&room, jobs, asked);
    }
    assert_int_equal(admitted, JOBS);
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
        cmocka_unit_test(test_all_get_room_in_their_order),
        cmocka_unit_test(test_the_parts_of_a_plan_leave_something),
    };
    return cmocka_run_group_tests_name("memory_room", tests, NULL, NULL);
}
