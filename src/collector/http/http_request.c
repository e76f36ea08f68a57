// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_request.h"

#include "collector/base/metrics.h"
#include "collector/http/routes/http_download.h"
#include "collector/http/routes/http_rewriter.h"
#include "collector/http/routes/http_upload.h"
#include "collector/http/wire/http_accept.h"
#include "common/base/lp_assert.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>

// Locks are taken in this order: http_waiting.mutex or the gate's, http_request.mutex,
// libmicrohttpd's own.
struct http_request {
    http_call call;
    http_waiting *waiting;
    http_line *line; // NULL: nobody says when the client leaves
    atomic_int owner_count;
    atomic_bool is_left;    // by its client, while it waited; orders nothing
    http_request *previous; // in waiting, under its mutex
    http_request *next;
    bool is_listed;
    bool has_waited; // only the connection's thread looks
    bool was_closed; // written before the connection is resumed, whose thread looks then

    // Under mutex: what is waited for, which comes into call.came, and http_request_close_waiting
    // race for the connection. Whichever comes first resumes it.
    pthread_mutex_t mutex;
    bool is_suspended;
    uint64_t ticket; // of the snapshot that was asked for
    bool has_ticket;
};

http_request *
http_request_create(const http_call *call, http_waiting *waiting, http_line *line)
{
    LP_ASSERT(call->caller.rules == NULL && call->service == NULL && call->upload == NULL);
    http_request *request = calloc(1, sizeof(*request));
    if (request == NULL) {
        return NULL;
    }
    if (pthread_mutex_init(&request->mutex, NULL) != 0) {
        free(request);
        return NULL;
    }
    request->call = *call;
    request->waiting = waiting;
    request->line = line;
    atomic_init(&request->owner_count, 1);
    return request;
}

// drop ends what came.
static void
drop(http_came *came)
{
    snapshot_unref(came->snapshot);
    http_download_destroy(came->download);
    ask_answer_destroy(came->answer);
    *came = (http_came){0};
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
    drop(&request->call.came);
    access_caller_fini(&request->call.caller);
    free(request->call.service);
    http_upload_end(request->call.upload);
    (void)pthread_mutex_destroy(&request->mutex);
    free(request);
}

http_call *
http_request_get_call(http_request *request)
{
    LP_DEBUG_ASSERT(!request->is_suspended); // its thread runs, so it is not
    return &request->call;
}

// suspend makes the request one of those that wait, with one owner more: the answer. It must be
// asked for afterwards, as it may come at once. Errors: LP_ECLOSED
static lp_err
suspend(http_request *request)
{
    LP_ASSERT(!request->is_listed);
    http_waiting *waiting = request->waiting;
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
    MHD_suspend_connection(request->call.connection);
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
    MHD_resume_connection(request->call.connection);
}

// pass gives a request what it waited for, and ends the wait. A request that was resumed without it
// waits no more.
static void
pass(http_request *request, http_came came)
{
    LP_ASSERT((came.snapshot != NULL) + (came.download != NULL) + (came.answer != NULL) <= 1);
    (void)pthread_mutex_lock(&request->mutex);
    bool is_waiting = request->is_suspended;
    if (is_waiting) {
        request->call.came = came;
        resume(request);
    }
    (void)pthread_mutex_unlock(&request->mutex);
    if (!is_waiting) {
        drop(&came);
    }
    http_request_unref(request);
}

static void
on_snapshot(void *arg, snapshot *made)
{
    pass(arg, (http_came){.snapshot = made});
}

static void
on_rewritten(void *arg, http_download *download)
{
    pass(arg, (http_came){.download = download});
}

static void
on_answer(void *arg, ask_answer *answer)
{
    pass(arg, (http_came){.answer = answer});
}

static void
on_shown(void *arg)
{
    pass(arg, (http_came){0});
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
            MHD_get_connection_info(request->call.connection, MHD_CONNECTION_INFO_CONNECTION_FD);
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
    const snapshot_source *from = &request->call.shared->config.snapshots;
    (void)pthread_mutex_lock(&request->mutex);
    bool has_ticket = request->has_ticket;
    (void)pthread_mutex_unlock(&request->mutex);
    if (has_ticket) { // may have the answer come before it returns
        from->cancel(from->arg, request->call.route.session_id, request->ticket);
    }
}

static bool
was_left(const http_request *request)
{
    return atomic_load_explicit(&request->is_left, memory_order_relaxed);
}

static void
on_gone(void *arg)
{
    http_request *request = arg;
    atomic_store_explicit(&request->is_left, true, memory_order_relaxed);
    metrics_add(METRICS_http_clients_left, 1);
    take_back(request);
}

lp_err
http_request_wait_for_snapshot(http_request *request, snapshot_kind kind)
{
    LP_ASSERT(request->call.route.session_id[0] != '\0' && request->call.came.snapshot == NULL);
    const snapshot_source *from = &request->call.shared->config.snapshots;
    const char *session_id = request->call.route.session_id;
    bool is_made = kind == SNAPSHOT_JFR || kind == SNAPSHOT_OWN || kind == SNAPSHOT_OWN_WIDE;
    LP_TRY(suspend(request));
    if (!is_made) {
        (void)from->request(from->arg, session_id, kind, on_snapshot, request);
        return LP_OK;
    }
    // It is taken back when the client leaves, which may be before there is a ticket. What is not
    // asked, as it has left, is answered with nothing.
    http_line_watch(request->line, on_gone, request);
    if (was_left(request)) {
        on_snapshot(request, NULL);
        return LP_OK;
    }
    uint64_t ticket = from->request(from->arg, session_id, kind, on_snapshot, request);
    (void)pthread_mutex_lock(&request->mutex);
    request->ticket = ticket;
    request->has_ticket = true;
    (void)pthread_mutex_unlock(&request->mutex);
    if (was_left(request)) {
        take_back(request);
    }
    return LP_OK;
}

lp_err
http_request_wait_for_rewriting(http_request *request, http_download *download)
{
    LP_ASSERT(download != NULL && request->call.came.snapshot == NULL);
    lp_err err = suspend(request);
    if (err == LP_OK) {
        http_line_watch(request->line, on_gone, request);
        http_rewriter_push(
            request->call.shared->rewriter, download, &request->is_left, on_rewritten, request);
    } else {
        http_download_destroy(download);
    }
    return err;
}

lp_err
http_request_wait_for_answer(http_request *request, ask_query *query)
{
    LP_ASSERT(query != NULL);
    const char *accept = MHD_lookup_connection_value(
        request->call.connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    bool reads_gzip = http_accept_prefers(accept, "gzip", "identity");
    lp_err err = suspend(request);
    if (err == LP_OK) {
        ask_service_ask(request->call.shared->asks, query,
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
http_request_wait_for_upload(http_request *request)
{
    LP_ASSERT(request->call.upload != NULL);
    lp_err err = suspend(request);
    if (err == LP_OK) {
        http_upload_push(request->call.upload, on_shown, request);
    }
    return err;
}

bool
http_request_has_waited(const http_request *request)
{
    return request->has_waited;
}

void
http_request_drop(http_request *request)
{
    drop(&request->call.came);
}

http_wait_end
http_request_end_wait(http_request *request)
{
    LP_ASSERT(!request->is_suspended); // its thread runs
    http_waiting *waiting = request->waiting;
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
        LP_ASSERT(waiting->first != request);
        request->is_listed = false;
        request->previous = NULL;
        request->next = NULL;
    }
    (void)pthread_mutex_unlock(&waiting->mutex);
    return was_left(request)     ? HTTP_WAIT_LEFT
           : request->was_closed ? HTTP_WAIT_CLOSED
                                 : HTTP_WAIT_CAME;
}

void
http_request_close_waiting(http_waiting *waiting, void (*on_closed)(const http_call *call))
{
    LP_ASSERT(!waiting->is_closed);
    (void)pthread_mutex_lock(&waiting->mutex);
    waiting->is_closed = true;
    for (http_request *request = waiting->first; request != NULL; request = request->next) {
        (void)pthread_mutex_lock(&request->mutex);
        if (request->is_suspended) {
            request->was_closed = true;
            on_closed(&request->call); // later, its connection may be gone
            resume(request);
        }
        (void)pthread_mutex_unlock(&request->mutex);
    }
    (void)pthread_mutex_unlock(&waiting->mutex);
}
