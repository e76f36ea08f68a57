// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_pending.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "query/chunk/chunk.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

// The worker waits here for its requests.
typedef struct wait {
    pthread_mutex_t mutex; // guards the answers
    pthread_cond_t has_more;
    size_t answered; // requests
} wait;

typedef struct request {
    wait *wait;
    ask_pending *item;
    uint64_t ticket;
    bool is_answered;
} request;

static void
wait_init(wait *w)
{
    pthread_condattr_t clock; // none of these can fail on Linux
    *w = (wait){0};
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&w->mutex, NULL);
    (void)pthread_cond_init(&w->has_more, &clock);
    (void)pthread_condattr_destroy(&clock);
}

static void
wait_fini(wait *w)
{
    (void)pthread_cond_destroy(&w->has_more);
    (void)pthread_mutex_destroy(&w->mutex);
}

static void
on_snapshot(void *arg, snapshot *made)
{
    request *r = arg;
    wait *w = r->wait;
    (void)pthread_mutex_lock(&w->mutex);
    LP_ASSERT(!r->is_answered);
    LP_ASSERT(w->answered < SIZE_MAX);
    r->item->snapshot = made;
    r->is_answered = true;
    w->answered++;
    (void)pthread_cond_signal(&w->has_more);
    (void)pthread_mutex_unlock(&w->mutex); // the worker may free w from here on
}

// wait_for_more waits until more requests are answered, or for ASK_PENDING_LOOK_MS, and returns the
// number of answered ones.
static size_t
wait_for_more(wait *w, size_t answered)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until); // cannot fail for this clock
    until.tv_nsec += ASK_PENDING_LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_mutex_lock(&w->mutex);
    LP_ASSERT(w->answered >= answered);
    if (w->answered == answered) {
        (void)pthread_cond_timedwait(&w->has_more, &w->mutex, &until);
    }
    answered = w->answered;
    (void)pthread_mutex_unlock(&w->mutex);
    return answered;
}

// cancel_requests cancels the requests that are not answered. They are answered soon after.
static void
cancel_requests(snapshot_source from, wait *w, request *requests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)pthread_mutex_lock(&w->mutex);
        bool is_answered = requests[i].is_answered;
        (void)pthread_mutex_unlock(&w->mutex);
        if (!is_answered) {
            from.cancel(from.arg, requests[i].item->session_id, requests[i].ticket);
        }
    }
}

// get_all requests the snapshots and waits until all are answered; if the question is cancelled,
// until all that were requested are. Returns whether it was cancelled.
static bool
get_all(snapshot_source from, request *requests, size_t count, ask_cancel *cancel)
{
    const snapshot_kind kind = count > ASK_PENDING_AT_ONCE ? SNAPSHOT_WIDE : SNAPSHOT_JFR;
    wait w;
    size_t asked = 0;
    size_t answered = 0;
    bool is_cancelled = false;
    wait_init(&w);
    while (answered < (is_cancelled ? asked : count)) {
        while (!is_cancelled && asked < count && asked - answered < ASK_PENDING_AT_ONCE) {
            request *r = &requests[asked++];
            r->wait = &w;
            r->ticket = from.request(from.arg, r->item->session_id, kind, on_snapshot, r);
        }
        answered = wait_for_more(&w, answered);
        if (!is_cancelled && answered < count && ask_cancel_look(cancel)) {
            is_cancelled = true;
            cancel_requests(from, &w, requests, asked);
        }
    }
    wait_fini(&w);
    return is_cancelled;
}

lp_err
ask_pending_get(snapshot_source from, ask_pending *items, size_t count, ask_cancel *cancel)
{
    LP_ASSERT(from.request != NULL && from.cancel != NULL);
    request *requests = calloc(count + 1, sizeof(*requests));
    LP_REQUIRE(requests != NULL, LP_ENOMEM);
    for (size_t i = 0; i < count; i++) {
        items[i] = (ask_pending){.session_id = items[i].session_id};
        requests[i].item = &items[i];
    }
    lp_err err = get_all(from, requests, count, cancel) ? LP_ECLOSED : LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err = items[i].snapshot == NULL ? LP_ENOMEM : LP_OK;
    }
    for (size_t i = 0; i < count && err != LP_OK; i++) {
        snapshot_unref(items[i].snapshot);
        items[i].snapshot = NULL;
    }
    free(requests);
    return err;
}

// --- Ids

static bool
has_id(query_chunk *chunk, const query_event *event, const char *id)
{
    query_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
    size_t count = query_chunk_attributes(chunk, event, attributes);
    bool has = false;
    for (size_t i = 0; i < count && !has; i++) {
        has = attributes[i].is_id && query_attribute_has_id(&attributes[i], id);
    }
    return has;
}

static bool
bytes_have(lp_slice bytes, const char *id)
{
    query_names names = {0};
    query_chunk chunk;
    bool has = true;
    if (query_chunk_open(&chunk, bytes, &names, NULL) == LP_OK) {
        has = false;
        query_chunk_find_ids(&chunk);
        jfr_cursor rest = query_chunk_events(&chunk);
        query_event event;
        while (!has && query_chunk_next(&chunk, &rest, &event)) {
            has = event.type->role == QUERY_ROLE_CONTEXT && has_id(&chunk, &event, id);
        }
        has = has || query_chunk_err(&chunk) != LP_OK;
        query_chunk_close(&chunk);
    }
    query_names_fini(&names);
    return has;
}

static bool
chunk_has(const snapshot *pending, size_t index, const char *id)
{
    lp_slice lent = snapshot_lend_chunk(pending, index);
    if (lent.ptr != NULL) {
        return bytes_have(lent, id);
    }
    lp_buf bytes = {0};
    lp_err err = snapshot_read_chunk(pending, index, &bytes);
    bool has = err != LP_OK || bytes_have(lp_buf_slice(&bytes), id);
    lp_buf_fini(&bytes);
    return has;
}

bool
ask_pending_has(const snapshot *pending, const char *id)
{
    bool has = false;
    for (size_t i = 0; i < pending->chunks.count && !has; i++) {
        has = chunk_has(pending, i, id);
    }
    return has;
}
