// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_request.h"

#include "collector/base/metrics.h"
#include "collector/http/wire/http_accept.h"
#include "common/base/lp_assert.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

// Locks are taken in this order: http_waiting.mutex or the gate's, http_request.mutex,
// libmicrohttpd's own.
struct http_request {
    access_caller caller;
    char *service;
    http_upload *upload;
    struct MHD_Connection *connection;
    http_line *line; // NULL: nobody says when the client leaves
    atomic_int owner_count;
    atomic_bool is_left;    // by its client, while it waited; orders nothing
    http_request *previous; // in http_waiting, under its mutex
    http_request *next;
    bool is_listed;
    bool has_waited; // only the connection's thread looks
    bool was_closed; // written before the connection is resumed, whose thread looks then

    // Under mutex: the answer and http_request_close_waiting race for the connection. Whichever
    // comes first resumes it.
    pthread_mutex_t mutex;
    bool is_suspended;
    snapshot *snapshot;
    http_download *download;
    ask_answer *answer;
    snapshot_source from; // what was asked, for its ticket
    char session_id[CATALOG_ID_CHARS + 1];
    uint64_t ticket;
    bool has_ticket;
};

http_request *
http_request_create(struct MHD_Connection *connection, http_line *line)
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
    request->line = line;
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
    snapshot_unref(request->snapshot);
    http_download_destroy(request->download);
    ask_answer_destroy(request->answer);
    access_caller_fini(&request->caller);
    free(request->service);
    http_upload_end(request->upload);
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

// start_passing returns whether the request waits for what has come, in whose place it is put then,
// and end_passing resumes it. A request that was resumed without it waits no more.
static bool
start_passing(http_request *request)
{
    (void)pthread_mutex_lock(&request->mutex);
    return request->is_suspended;
}

static void
end_passing(http_request *request, bool is_waiting)
{
    if (is_waiting) {
        resume(request);
    }
    (void)pthread_mutex_unlock(&request->mutex);
    http_request_unref(request);
}

static void
on_snapshot(void *arg, snapshot *made)
{
    http_request *request = arg;
    bool is_waiting = start_passing(request);
    if (is_waiting) {
        request->snapshot = made;
    }
    end_passing(request, is_waiting);
    if (!is_waiting) {
        snapshot_unref(made);
    }
}

static void
on_rewritten(void *arg, http_download *download)
{
    http_request *request = arg;
    bool is_waiting = start_passing(request);
    if (is_waiting) {
        request->download = download;
    }
    end_passing(request, is_waiting);
    if (!is_waiting) {
        http_download_destroy(download);
    }
}

static void
on_answer(void *arg, ask_answer *answer)
{
    http_request *request = arg;
    bool is_waiting = start_passing(request);
    if (is_waiting) {
        request->answer = answer;
    }
    end_passing(request, is_waiting);
    if (!is_waiting) {
        ask_answer_destroy(answer);
    }
}

static void
on_shown(void *arg)
{
    http_request *request = arg;
    end_passing(request, start_passing(request));
}

// is_gone returns whether the client has closed its connection, or nobody waits any more. While the
// connection is suspended libmicrohttpd neither looks at its socket nor closes it.
static bool
is_gone(void *arg)
{
    http_request *request = arg;
    (void)pthread_mutex_lock(&request->mutex);
    bool is_gone = !request->is_suspended;
    if (!is_gone) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        struct pollfd look = {.fd = info == NULL ? -1 : info->connect_fd, .events = POLLRDHUP};
        is_gone = poll(&look, 1, 0) == 1;
    }
    (void)pthread_mutex_unlock(&request->mutex);
    return is_gone;
}

// take_back tells the source of the snapshot that nobody waits for it any more.
static void
take_back(http_request *request)
{
    (void)pthread_mutex_lock(&request->mutex);
    bool has_ticket = request->has_ticket;
    (void)pthread_mutex_unlock(&request->mutex);
    if (has_ticket) { // may have the answer come before it returns
        request->from.cancel(request->from.arg, request->session_id, request->ticket);
    }
}

static void
on_gone(void *arg)
{
    http_request *request = arg;
    atomic_store_explicit(&request->is_left, true, memory_order_relaxed);
    metrics_add(METRICS_http_clients_left, 1);
    take_back(request);
}

// ask_for_snapshot asks for one that is taken back when the client leaves, which may be before
// there is a ticket. What is not asked, as it has left, is answered with nothing.
static void
ask_for_snapshot(
    http_request *request, snapshot_source from, const char *session_id, snapshot_kind kind)
{
    request->from = from;
    (void)snprintf(request->session_id, sizeof(request->session_id), "%s", session_id);
    http_line_watch(request->line, on_gone, request);
    if (http_request_was_left(request)) {
        on_snapshot(request, NULL);
        return;
    }
    uint64_t ticket = from.request(from.arg, session_id, kind, on_snapshot, request);
    (void)pthread_mutex_lock(&request->mutex);
    request->ticket = ticket;
    request->has_ticket = true;
    (void)pthread_mutex_unlock(&request->mutex);
    if (http_request_was_left(request)) {
        take_back(request);
    }
}

lp_err
http_request_wait_for_snapshot(http_request *request, http_waiting *waiting, snapshot_source from,
    const char *session_id, snapshot_kind kind)
{
    lp_err err = suspend(request, waiting);
    bool is_made = kind == SNAPSHOT_JFR || kind == SNAPSHOT_OWN || kind == SNAPSHOT_OWN_WIDE;
    if (err == LP_OK && is_made) {
        ask_for_snapshot(request, from, session_id, kind);
    } else if (err == LP_OK) {
        (void)from.request(from.arg, session_id, kind, on_snapshot, request);
    }
    return err;
}

lp_err
http_request_wait_for_rewriting(
    http_request *request, http_waiting *waiting, http_rewriter *rewriter, http_download *download)
{
    lp_err err = suspend(request, waiting);
    if (err == LP_OK) {
        http_line_watch(request->line, on_gone, request);
        http_rewriter_push(rewriter, download, &request->is_left, on_rewritten, request);
    } else {
        http_download_destroy(download);
    }
    return err;
}

lp_err
http_request_wait_for_answer(
    http_request *request, http_waiting *waiting, ask_service *service, ask_query *query)
{
    const char *accept = MHD_lookup_connection_value(
        request->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    bool reads_gzip = http_accept_prefers(accept, "gzip", "identity");
    lp_err err = suspend(request, waiting);
    if (err == LP_OK) {
        ask_service_ask(service, query,
            (ask_client){.is_gone = is_gone,
                .on_answer = on_answer,
                .arg = request,
                .reads_gzip = reads_gzip});
    } else {
        ask_query_destroy(query);
    }
    return err;
}

lp_err
http_request_wait_for_upload(http_request *request, http_waiting *waiting)
{
    lp_err err = suspend(request, waiting);
    if (err == LP_OK) {
        http_upload_push(request->upload, on_shown, request);
    }
    return err;
}

void
http_request_set_caller(http_request *request, access_caller *caller)
{
    access_caller_fini(&request->caller);
    request->caller = *caller; // moves
    *caller = (access_caller){0};
}

const access_caller *
http_request_get_caller(const http_request *request)
{
    return &request->caller;
}

void
http_request_set_service(http_request *request, char *service)
{
    free(request->service);
    request->service = service;
}

const char *
http_request_get_service(const http_request *request)
{
    return request->service;
}

void
http_request_set_upload(http_request *request, http_upload *upload)
{
    request->upload = upload;
}

http_upload *
http_request_get_upload(const http_request *request)
{
    return request->upload;
}

bool
http_request_has_waited(const http_request *request)
{
    return request->has_waited;
}

bool
http_request_was_left(const http_request *request)
{
    return atomic_load_explicit(&request->is_left, memory_order_relaxed);
}

bool
http_request_was_closed(const http_request *request)
{
    return request->was_closed;
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

ask_answer *
http_request_take_answer(http_request *request)
{
    ask_answer *taken = request->answer;
    request->answer = NULL;
    return taken;
}

void
http_request_end_wait(http_request *request, http_waiting *waiting)
{
    http_line_unwatch(request->line);
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
            request->was_closed = true;
            resume(request);
        }
        (void)pthread_mutex_unlock(&request->mutex);
    }
    (void)pthread_mutex_unlock(&waiting->mutex);
}
