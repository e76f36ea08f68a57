// SPDX-License-Identifier: Apache-2.0

// Workers: each job that is pushed is done once, as many as said wait and no more, and stopping
// tells those that run and returns when all are done. Those of low priority leave that of all
// others as it is.

#include "collector/base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

enum { THREADS = 3, WAITING = 5, JOBS = 1000 };

// Jobs that wait until the gate is open.
typedef struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_open;
    unsigned begun;
    unsigned done;
    unsigned stopped; // of done: that saw the end
} gate;

static void
gate_init(gate *g)
{
    *g = (gate){.is_open = false};
    assert_int_equal(pthread_mutex_init(&g->mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&g->changed, NULL), 0);
}

static void
gate_fini(gate *g)
{
    (void)pthread_cond_destroy(&g->changed);
    (void)pthread_mutex_destroy(&g->mutex);
}

static void
gate_open(gate *g)
{
    (void)pthread_mutex_lock(&g->mutex);
    g->is_open = true;
    (void)pthread_cond_broadcast(&g->changed);
    (void)pthread_mutex_unlock(&g->mutex);
}

static void
pass_gate(void *arg, const atomic_bool *is_stopping)
{
    gate *g = arg;
    (void)pthread_mutex_lock(&g->mutex);
    g->begun++;
    (void)pthread_cond_broadcast(&g->changed);
    while (!g->is_open) {
        (void)pthread_cond_wait(&g->changed, &g->mutex);
    }
    g->done++;
    g->stopped += atomic_load_explicit(is_stopping, memory_order_relaxed) ? 1 : 0;
    (void)pthread_mutex_unlock(&g->mutex);
}

static void
await_begun(gate *g, unsigned count)
{
    (void)pthread_mutex_lock(&g->mutex);
    while (g->begun < count) {
        (void)pthread_cond_wait(&g->changed, &g->mutex);
    }
    (void)pthread_mutex_unlock(&g->mutex);
}

static void
test_every_job_is_done_once(void **state)
{
    (void)state;
    gate g;
    workers *some;
    gate_init(&g);
    gate_open(&g);
    assert_int_equal(workers_start("test", WORKERS_NORMAL, THREADS, JOBS, &some), LP_OK);
    for (unsigned i = 0; i < JOBS; i++) {
        assert_int_equal(workers_push(some, pass_gate, &g), LP_OK);
    }
    workers_stop(some);
    assert_int_equal(g.done, JOBS);
    gate_fini(&g);
}

static void
test_no_more_wait_than_may(void **state)
{
    (void)state;
    gate g;
    workers *some;
    gate_init(&g);
    assert_int_equal(workers_start("test", WORKERS_NORMAL, THREADS, WAITING, &some), LP_OK);
    for (unsigned i = 0; i < THREADS + WAITING; i++) {
        assert_int_equal(workers_push(some, pass_gate, &g), LP_OK);
    }
    assert_int_equal(workers_push(some, pass_gate, &g), LP_ELIMIT);
    await_begun(&g, THREADS);
    assert_int_equal(workers_push(some, pass_gate, &g), LP_ELIMIT);
    gate_open(&g);
    await_begun(&g, THREADS + WAITING);
    workers_stop(some);
    assert_int_equal(g.done, THREADS + WAITING);
    gate_fini(&g);
}

// wait_for_end is a job that runs until it is told to end.
static void
wait_for_end(void *arg, const atomic_bool *is_stopping)
{
    gate *g = arg;
    (void)pthread_mutex_lock(&g->mutex);
    g->begun++;
    (void)pthread_cond_broadcast(&g->changed);
    (void)pthread_mutex_unlock(&g->mutex);
    while (!atomic_load_explicit(is_stopping, memory_order_relaxed)) {
        (void)sched_yield();
    }
}

static void
test_stopping_tells_those_that_run_and_does_the_rest(void **state)
{
    (void)state;
    gate g;
    workers *some;
    gate_init(&g);
    gate_open(&g);
    assert_int_equal(workers_start("test", WORKERS_NORMAL, 1, WAITING, &some), LP_OK);
    assert_int_equal(workers_push(some, wait_for_end, &g), LP_OK);
    for (unsigned i = 0; i < WAITING; i++) {
        assert_int_equal(workers_push(some, pass_gate, &g), LP_OK);
    }
    await_begun(&g, 1);
    workers_stop(some);
    assert_int_equal(g.done, WAITING);
    assert_int_equal(g.stopped, WAITING);
    gate_fini(&g);
}

// note_nice is a job that notes the priority of its thread.
static void
note_nice(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping;
    *(int *)arg = getpriority(PRIO_PROCESS, 0);
}

static void
test_those_of_low_priority_come_after_all_others(void **state)
{
    (void)state;
    const int before = getpriority(PRIO_PROCESS, 0);
    const int lowest = 19;
    const workers_priority priorities[] = {WORKERS_LOW, WORKERS_BEHIND, WORKERS_NORMAL};
    const int more[] = {WORKERS_LOW_NICE, WORKERS_BEHIND_NICE, 0};
    for (size_t i = 0; i < 3; i++) {
        workers *some;
        int found = -1;
        assert_int_equal(workers_start("test", priorities[i], 1, 1, &some), LP_OK);
        assert_int_equal(workers_push(some, note_nice, &found), LP_OK);
        workers_stop(some);
        assert_int_equal(found, before + more[i] < lowest ? before + more[i] : lowest);
    }
    assert_int_equal(getpriority(PRIO_PROCESS, 0), before);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_job_is_done_once),
        cmocka_unit_test(test_no_more_wait_than_may),
        cmocka_unit_test(test_stopping_tells_those_that_run_and_does_the_rest),
        cmocka_unit_test(test_those_of_low_priority_come_after_all_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
