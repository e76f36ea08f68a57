// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/ask_pending.h"

#include <pthread.h>
#include <time.h>

// The worker's wait.
typedef struct wait {
    pthread_mutex_t mutex;
    pthread_cond_t is_due;
    bool is_there; // the snapshot, which is NULL where memory ran out
    snapshot *snapshot;
} wait;

static void
wait_init(wait *w)
{
    pthread_condattr_t clock; // none of these can fail on Linux
    *w = (wait){.is_there = false};
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&w->mutex, NULL);
    (void)pthread_cond_init(&w->is_due, &clock);
    (void)pthread_condattr_destroy(&clock);
}

static void
wait_fini(wait *w)
{
    (void)pthread_cond_destroy(&w->is_due);
    (void)pthread_mutex_destroy(&w->mutex);
}

static void
on_snapshot(void *arg, snapshot *made)
{
    wait *w = arg;
    (void)pthread_mutex_lock(&w->mutex);
    w->snapshot = made;
    w->is_there = true;
    (void)pthread_cond_signal(&w->is_due);
    (void)pthread_mutex_unlock(&w->mutex);
}

// look_after waits for ASK_PENDING_LOOK_MS, or until the snapshot is there, and returns whether it
// is.
static bool
look_after(wait *w)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until); // cannot fail for this clock
    until.tv_nsec += ASK_PENDING_LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_mutex_lock(&w->mutex);
    if (!w->is_there) {
        (void)pthread_cond_timedwait(&w->is_due, &w->mutex, &until);
    }
    bool is_there = w->is_there;
    (void)pthread_mutex_unlock(&w->mutex);
    return is_there;
}

lp_err
ask_pending_get(
    snapshot_source from, const char *session_id, ask_cancel *cancel, snapshot **out_snapshot)
{
    wait w;
    wait_init(&w);
    bool is_cancelled = false;
    uint64_t ticket = from.request(from.arg, session_id, SNAPSHOT_JFR, on_snapshot, &w);
    while (!look_after(&w)) {
        if (!is_cancelled && ask_cancel_look(cancel)) {
            is_cancelled = true;
            from.cancel(from.arg, session_id, ticket); // and is answered soon
        }
    }
    wait_fini(&w);
    if (w.snapshot == NULL || is_cancelled) {
        snapshot_unref(w.snapshot);
        return is_cancelled ? LP_ECLOSED : LP_ENOMEM;
    }
    *out_snapshot = w.snapshot;
    return LP_OK;
}
