// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_request.h"

#include "common/base/lp_assert.h"

#include <stdatomic.h>
#include <stdlib.h>

// Locks are taken in this order: http_waiting.mutex, http_request.mutex, libmicrohttpd's own.
struct http_request {
    struct MHD_Connection *connection;
    atomic_int owner_count;
    http_request *previous; // in http_waiting, under its mutex
    http_request *next;
    bool is_listed;
    bool has_waited; // only the connection's thread looks

    // Under mutex: the answer and http_request_close_waiting race for the connection. Whichever
    // comes first resumes it.
    pthread_mutex_t mutex;
    bool is_suspended;
    snapshot *snapshot;
    http_download *download;
};

http_request *
http_request_create(struct MHD_Connection *connection)
{
    http_request *request = calloc(1, sizeof(*request));
    if (request == NULL) {
        return NULL;
    }
    if (pthread_mutex_init(&request->mutex, NULL) != 0) {
        free(request);
        return NULL;
    }
    request->connection = connection;
    atomic_init(&request->owner_count, 1);
    return request;
}

void
http_request_unref(http_request *request)
{
    // Release and acquire: the owner that frees it sees all writes of the other.
    if (request == NULL) {
        return;
    }
    int owner_count = atomic_fetch_sub_explicit(&request->owner_count, 1, memory_order_acq_rel);
    LP_ASSERT(owner_count > 0);
    if (owner_count > 1) {
        return;
    }
    LP_ASSERT(!request->is_listed && !request->is_suspended);
    snapshot_destroy(request->snapshot);
    http_download_destroy(request->download);
    (void)pthread_mutex_destroy(&request->mutex);
    free(request);
}

// suspend makes the request one of those that wait, with one owner more: the answer. It must be
// asked for afterwards, as it may come at once. Errors: LP_ECLOSED
static lp_err
suspend(http_request *request, http_waiting *waiting)
{
    LP_ASSERT(!request->is_suspended); // its thread runs, so it is not
    (void)pthread_mutex_lock(&waiting->mutex);
    if (waiting->is_closed) {
        (void)pthread_mutex_unlock(&waiting->mutex);
        return LP_ECLOSED;
    }
    request->next = waiting->first;
    if (waiting->first != NULL) {
        waiting->first->previous = request;
    }
    waiting->first = request;
    request->is_listed = true;
    request->has_waited = true;
    request->is_suspended = true;
    MHD_suspend_connection(request->connection);
    (void)pthread_mutex_unlock(&waiting->mutex);
    atomic_fetch_add_explicit(&request->owner_count, 1, memory_order_relaxed);
    return LP_OK;
}

// resume lets the connection go on, under request->mutex.
static void
resume(http_request *request)
{
    LP_ASSERT(request->is_suspended);
    request->is_suspended = false;
    MHD_resume_connection(request->connection);
}

// on_snapshot passes the answer to the request, which may have been resumed without it by then.
static void
on_snapshot(void *arg, snapshot *answer)
{
    http_request *request = arg;
    (void)pthread_mutex_lock(&request->mutex);
    if (request->is_suspended) {
        request->snapshot = answer;
        answer = NULL;
        resume(request);
    }
    (void)pthread_mutex_unlock(&request->mutex);
    snapshot_destroy(answer);
    http_request_unref(request);
}

// on_rewritten passes the download to the request, as on_snapshot does the snapshot.
static void
on_rewritten(void *arg, http_download *download)
{
    http_request *request = arg;
    (void)pthread_mutex_lock(&request->mutex);
    if (request->is_suspended) {
        request->download = download;
        download = NULL;
        resume(request);
    }
    (void)pthread_mutex_unlock(&request->mutex);
    http_download_destroy(download);
    http_request_unref(request);
}

lp_err
http_request_wait_for_snapshot(http_request *request, http_waiting *waiting, snapshot_source from,
    const char *session_id, snapshot_kind kind)
{
    lp_err err = suspend(request, waiting);
    if (err == LP_OK) {
        from.request(from.arg, session_id, kind, on_snapshot, request);
    }
    return err;
}

lp_err
http_request_wait_for_rewriting(
    http_request *request, http_waiting *waiting, http_rewriter *rewriter, http_download *download)
{
    lp_err err = suspend(request, waiting);
    if (err == LP_OK) {
        http_rewriter_push(rewriter, download, on_rewritten, request);
    } else {
        http_download_destroy(download);
    }
    return err;
}

bool
http_request_has_waited(const http_request *request)
{
    return request->has_waited;
}

http_download *
http_request_take_download(http_request *request)
{
    http_download *taken = request->download;
    request->download = NULL;
    return taken;
}

snapshot *
http_request_take_snapshot(http_request *request)
{
    snapshot *taken = request->snapshot;
    request->snapshot = NULL;
    return taken;
}

void
http_request_end_wait(http_request *request, http_waiting *waiting)
{
    (void)pthread_mutex_lock(&waiting->mutex);
    if (request->is_listed) {
        if (request->previous != NULL) {
            request->previous->next = request->next;
        } else {
            waiting->first = request->next;
        }
        if (request->next != NULL) {
            request->next->previous = request->previous;
        }
        request->is_listed = false;
        request->previous = NULL;
        request->next = NULL;
    }
    (void)pthread_mutex_unlock(&waiting->mutex);
}

void
http_request_close_waiting(http_waiting *waiting)
{
    (void)pthread_mutex_lock(&waiting->mutex);
    waiting->is_closed = true;
    for (http_request *request = waiting->first; request != NULL; request = request->next) {
        (void)pthread_mutex_lock(&request->mutex);
        if (request->is_suspended) {
            resume(request);
        }
        (void)pthread_mutex_unlock(&request->mutex);
    }
    (void)pthread_mutex_unlock(&waiting->mutex);
}
