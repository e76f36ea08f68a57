// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_loop.h"

#include "sim/sim_world.h"

#include "collector/base/workers.h"

#include <pthread.h>
#include <string.h>
#include <uv.h>

enum { HANDLES_MAX = 24, JOBS_MAX = 64 };

typedef enum handle_kind { ASYNC, PREPARE, TIMER } handle_kind;

typedef struct handle {
    void *uv; // the uv_async_t, ...; NULL: free
    handle_kind kind;
    uv_async_cb on_async;
    uv_prepare_cb on_prepare;
    uv_timer_cb on_timer;
    bool is_due; // of ASYNC
    int64_t due_ms;
    int64_t repeat_ms;
} handle;

// What runs on another thread: a job of workers, or of uv_queue_work.
typedef struct job {
    int64_t due_ms;
    workers_job *on_thread;
    void *arg;
    uv_work_t *work;
    uv_work_cb on_work;
    uv_after_work_cb on_done;
} job;

// What a collector has of it.
typedef struct side {
    handle handles[HANDLES_MAX];
    job jobs[JOBS_MAX];
    size_t job_count;
    // The collector's thread begins to run when it is joined, at its end.
    void *(*thread_run)(void *arg);
    void *thread_arg;
} side;

static side sides[SIM_COLLECTORS_MAX];

static side *
here(void)
{
    return &sides[sim.side];
}

static int64_t
clock_ms(void)
{
    return sim.now_ms + sim.collector_ahead_ms[sim.side];
}

static handle *
find(const void *uv)
{
    for (size_t i = 0; i < HANDLES_MAX; i++) {
        if (here()->handles[i].uv == uv) {
            return &here()->handles[i];
        }
    }
    return NULL;
}

static handle *
add(void *uv, handle_kind kind)
{
    handle *h = find(NULL);
    LP_ASSERT(h != NULL);
    *h = (handle){.uv = uv, .kind = kind};
    return h;
}

// --- What libuv has

int
uv_loop_init(uv_loop_t *loop)
{
    (void)loop;
    memset(here()->handles, 0, sizeof(here()->handles));
    here()->job_count = 0;
    return 0;
}

int
uv_loop_close(uv_loop_t *loop)
{
    (void)loop;
    LP_ASSERT(here()->job_count == 0);
    for (size_t i = 0; i < HANDLES_MAX; i++) {
        LP_ASSERT(here()->handles[i].uv == NULL);
    }
    return 0;
}

uint64_t
uv_now(const uv_loop_t *loop)
{
    (void)loop;
    return (uint64_t)clock_ms();
}

int
uv_async_init(uv_loop_t *loop, uv_async_t *async, uv_async_cb on_async)
{
    (void)loop;
    add(async, ASYNC)->on_async = on_async;
    return 0;
}

int
uv_async_send(uv_async_t *async)
{
    handle *h = find(async);
    if (h != NULL) {
        h->is_due = true;
    }
    return 0;
}

int
uv_prepare_init(uv_loop_t *loop, uv_prepare_t *prepare)
{
    (void)loop;
    (void)prepare;
    return 0;
}

int
uv_prepare_start(uv_prepare_t *prepare, uv_prepare_cb on_prepare)
{
    add(prepare, PREPARE)->on_prepare = on_prepare;
    return 0;
}

int
uv_timer_init(uv_loop_t *loop, uv_timer_t *timer)
{
    (void)loop;
    (void)timer;
    return 0;
}

int
uv_timer_start(uv_timer_t *timer, uv_timer_cb on_timer, uint64_t timeout, uint64_t repeat)
{
    handle *h = find(timer);
    h = h == NULL ? add(timer, TIMER) : h; // else it is started again
    h->on_timer = on_timer;
    h->due_ms = clock_ms() + (int64_t)timeout;
    h->repeat_ms = (int64_t)repeat;
    return 0;
}

void
uv_close(uv_handle_t *closed, uv_close_cb on_close)
{
    LP_ASSERT(on_close == NULL);
    handle *h = find(closed);
    if (h != NULL) { // else it is a timer that was not started
        *h = (handle){0};
    }
}

void
uv_ref(uv_handle_t *referenced)
{
    (void)referenced;
}

void
uv_unref(uv_handle_t *unreferenced)
{
    (void)unreferenced;
}

static void
add_job(job added)
{
    LP_ASSERT(here()->job_count < JOBS_MAX);
    added.due_ms = clock_ms() + sim_below(sim.disk_ms_max + 1);
    here()->jobs[here()->job_count++] = added;
}

int
uv_queue_work(uv_loop_t *loop, uv_work_t *work, uv_work_cb on_work, uv_after_work_cb on_done)
{
    (void)loop;
    add_job((job){.work = work, .on_work = on_work, .on_done = on_done});
    return 0;
}

// --- What base/workers has

lp_err
workers_start(const char *name, workers_priority priority, size_t thread_count, size_t waiting_max,
    workers **out_workers)
{
    (void)name;
    (void)priority;
    (void)thread_count;
    (void)waiting_max;
    *out_workers = NULL;
    return LP_OK;
}

lp_err
workers_push(workers *to, workers_job *on_thread, void *arg)
{
    (void)to;
    add_job((job){.on_thread = on_thread, .arg = arg});
    return LP_OK;
}

void
workers_stop(workers *stopped)
{
    (void)stopped;
}

void
workers_lower(workers_priority priority)
{
    (void)priority; // there is one thread
}

// --- Running

// run_jobs runs jobs whose time has come; all of them if the clock does not count.
static bool
run_jobs(bool is_ending)
{
    for (size_t i = 0; i < here()->job_count; i++) {
        job due = here()->jobs[i];
        if (!is_ending && due.due_ms > clock_ms()) {
            continue;
        }
        here()->jobs[i] = here()->jobs[--here()->job_count];
        if (due.work == NULL) {
            const atomic_bool is_stopping = false;
            due.on_thread(due.arg, &is_stopping);
        } else {
            due.on_work(due.work);
            due.on_done(due.work, 0);
        }
        return true;
    }
    return false;
}

static bool
run_asyncs(void)
{
    for (size_t i = 0; i < HANDLES_MAX; i++) {
        if (here()->handles[i].uv != NULL && here()->handles[i].is_due) {
            here()->handles[i].is_due = false;
            here()->handles[i].on_async(here()->handles[i].uv);
            return true;
        }
    }
    return false;
}

static bool
run_timers(void)
{
    for (size_t i = 0; i < HANDLES_MAX; i++) {
        handle *h = &here()->handles[i];
        if (h->uv != NULL && h->kind == TIMER && h->due_ms <= clock_ms()) {
            h->due_ms = clock_ms() + h->repeat_ms;
            h->on_timer(h->uv);
            return true;
        }
    }
    return false;
}

static void
run_prepares(void)
{
    for (size_t i = 0; i < HANDLES_MAX; i++) {
        if (here()->handles[i].uv != NULL && here()->handles[i].kind == PREPARE) {
            here()->handles[i].on_prepare(here()->handles[i].uv);
        }
    }
}

void
sim_loop_step(void)
{
    do {
        while (run_asyncs() || run_jobs(false) || run_timers()) {
        }
        run_prepares();
    } while (run_asyncs());
}

// uv_run is the end of a collector: it runs until nothing is under way.
int
uv_run(uv_loop_t *loop, uv_run_mode mode)
{
    (void)loop;
    (void)mode;
    while (run_asyncs() || run_jobs(true)) {
    }
    return 0;
}

// --- The collector's thread

int __wrap_pthread_create(
    pthread_t *out_thread, const pthread_attr_t *attributes, void *(*run)(void *), void *arg);
int __wrap_pthread_join(pthread_t thread, void **out_result);

int
__wrap_pthread_create(
    pthread_t *out_thread, const pthread_attr_t *attributes, void *(*run)(void *), void *arg)
{
    (void)attributes;
    *out_thread = pthread_self();
    here()->thread_run = run;
    here()->thread_arg = arg;
    return 0;
}

int
__wrap_pthread_join(pthread_t thread, void **out_result)
{
    (void)thread;
    (void)out_result;
    (void)here()->thread_run(here()->thread_arg);
    return 0;
}
