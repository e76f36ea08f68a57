// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_request.h"

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
    // Release and acquire: whoever frees sees what the other owner wrote.
    if (request == NULL ||
        atomic_fetch_sub_explicit(&request->owner_count, 1, memory_order_acq_rel) > 1) {
        return;
    }
    snapshot_destroy(request->snapshot);
    (void)pthread_mutex_destroy(&request->mutex);
    free(request);
}

// on_snapshot takes the answer. The request may have been resumed without it by then.
static void
on_snapshot(void *arg, snapshot *answer)
{
    http_request *request = arg;
    (void)pthread_mutex_lock(&request->mutex);
    if (request->is_suspended) {
        request->is_suspended = false;
        request->snapshot = answer;
        answer = NULL;
        MHD_resume_connection(request->connection);
    }
    (void)pthread_mutex_unlock(&request->mutex);
    snapshot_destroy(answer);
    http_request_unref(request);
}

lp_err
http_request_wait(
    http_request *request, http_waiting *waiting, server *asked, const char *session_id)
{
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
    // Suspended before it can be resumed: the server may answer while it is asked.
    MHD_suspend_connection(request->connection);
    (void)pthread_mutex_unlock(&waiting->mutex);
    atomic_fetch_add_explicit(&request->owner_count, 1, memory_order_relaxed);
    server_request_snapshot(asked, session_id, on_snapshot, request);
    return LP_OK;
}

bool
http_request_is_answered(const http_request *request)
{
    return request->has_waited;
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
            request->is_suspended = false;
            MHD_resume_connection(request->connection);
        }
        (void)pthread_mutex_unlock(&request->mutex);
    }
    (void)pthread_mutex_unlock(&waiting->mutex);
}
