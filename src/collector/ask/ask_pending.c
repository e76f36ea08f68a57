// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/ask_pending.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

// What the worker and the maker of the snapshot have in common. Whoever is done with it last frees
// it: a worker that gives up leaves it to the maker.
typedef struct wait {
    pthread_mutex_t mutex;
    pthread_cond_t is_due;
    bool is_left;  // by the worker
    bool is_there; // the snapshot, which is NULL where memory ran out
    snapshot *snapshot;
} wait;

static wait *
wait_create(void)
{
    wait *w = calloc(1, sizeof(*w));
    if (w == NULL) {
        return NULL;
    }
    pthread_condattr_t clock; // none of these can fail on Linux
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&w->mutex, NULL);
    (void)pthread_cond_init(&w->is_due, &clock);
    (void)pthread_condattr_destroy(&clock);
    return w;
}

static void
wait_destroy(wait *w)
{
    snapshot_destroy(w->snapshot);
    (void)pthread_cond_destroy(&w->is_due);
    (void)pthread_mutex_destroy(&w->mutex);
    free(w);
}

static void
on_snapshot(void *arg, snapshot *made)
{
    wait *w = arg;
    (void)pthread_mutex_lock(&w->mutex);
    w->snapshot = made;
    w->is_there = true;
    bool is_left = w->is_left;
    (void)pthread_cond_signal(&w->is_due);
    (void)pthread_mutex_unlock(&w->mutex);
    if (is_left) {
        wait_destroy(w);
    }
}

// wait_until_looked returns after ASK_PENDING_LOOK_MS, or when the snapshot is there. Under mutex.
static void
wait_until_looked(wait *w)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until); // cannot fail for this clock
    until.tv_nsec += ASK_PENDING_LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&w->is_due, &w->mutex, &until);
}

lp_err
ask_pending_get(
    snapshot_source from, const char *session_id, ask_cancel *cancel, snapshot **out_snapshot)
{
    wait *w = wait_create();
    if (w == NULL) {
        return LP_ENOMEM;
    }
    from.request(from.arg, session_id, SNAPSHOT_JFR, on_snapshot, w);
    (void)pthread_mutex_lock(&w->mutex);
    bool is_cancelled = false;
    while (!w->is_there && !is_cancelled) {
        wait_until_looked(w);
        if (!w->is_there) {
            (void)pthread_mutex_unlock(&w->mutex); // not while somebody else is called
            is_cancelled = ask_cancel_look(cancel);
            (void)pthread_mutex_lock(&w->mutex);
        }
    }
    bool is_there = w->is_there;
    snapshot *made = w->snapshot;
    w->snapshot = is_there ? NULL : w->snapshot;
    w->is_left = !is_there;
    (void)pthread_mutex_unlock(&w->mutex);
    if (!is_there) {
        return LP_ECLOSED; // and the maker's, which destroys it
    }
    wait_destroy(w);
    *out_snapshot = made;
    return made == NULL ? LP_ENOMEM : LP_OK;
}
