// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_request.h"

#include "collector/base/metrics.h"
#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/routes/http_download.h"
#include "collector/http/routes/http_rewriter.h"
#include "collector/http/routes/http_upload.h"
#include "collector/http/wire/http_accept.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_query.h"
#include "collector/http/wire/http_reply.h"
#include "collector/http/wire/http_strict.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static enum MHD_Result (*const handlers[HTTP_ROUTE_COUNT])(http_call *call) = {
#define ROUTE(path, methods, right, need, params, handler) handler,
#include "collector/http/routes/http_routes.def"
#undef ROUTE
};

// Locks are taken in this order: http_waiting.mutex or the gate's, http_request.mutex,
// libmicrohttpd's own.
struct http_request {
    http_call call;
    http_waiting *waiting;
    http_line *line; // NULL: not told when the client leaves
    atomic_int owner_count;
    atomic_bool is_left;             // the client left during a wait; orders nothing
    LIST_ENTRY(http_request) listed; // in waiting, under its mutex
    bool is_listed;
    bool is_known;   // http_access_check allowed it; only for the connection's thread
    bool has_waited; // only for the connection's thread
    bool was_closed; // written before the connection is resumed, read after

    // Under mutex: the outcome, stored in call.came, and http_request_close_waiting race. The first
    // one resumes the connection.
    pthread_mutex_t mutex;
    bool is_suspended;
    uint64_t ticket; // of the requested snapshot
    bool has_ticket;
};

http_request *
http_request_create(const http_call *call, http_waiting *waiting, http_line *line)
{
    LP_ASSERT(call->caller.rules == NULL && call->service == NULL && call->upload == NULL);
    http_request *request = calloc(1, sizeof(*request));
    LP_REQUIRE(request != NULL, NULL);
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

static void
drop(http_came *came)
{
    snapshot_unref(came->snapshot);
    http_download_destroy(came->download);
    ask_answer_destroy(came->answer);
    *came = (http_came){0};
}

static void
unref(http_request *request)
{
    // Release and acquire: the owner that frees it sees all writes of the other.
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
    mcp_message_fini(&request->call.message);
    grafana_call_fini(&request->call.grafana);
    lp_buf_fini(&request->call.body);
    (void)pthread_mutex_destroy(&request->mutex);
    free(request);
}

static enum MHD_Result
reply_stopping(const http_call *call)
{
    return http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
        "the collector is stopping: try again later");
}

// suspend adds the request to the waiting ones, and a reference for the outcome. Start the work
// afterwards, as it may end at once. Sets *out_result to MHD_YES. Returns false with the answer
// after http_request_close_waiting.
static bool
suspend(http_request *request, enum MHD_Result *out_result)
{
    LP_ASSERT(!request->is_listed);
    http_waiting *waiting = request->waiting;
    LP_ASSERT(!request->is_suspended); // its thread runs
    (void)pthread_mutex_lock(&waiting->mutex);
    if (waiting->is_closed) {
        (void)pthread_mutex_unlock(&waiting->mutex);
        *out_result = reply_stopping(&request->call);
        return false;
    }
    LIST_INSERT_HEAD(&waiting->requests, request, listed);
    request->is_listed = true;
    request->has_waited = true;
    request->is_suspended = true;
    MHD_suspend_connection(request->call.connection);
    (void)pthread_mutex_unlock(&waiting->mutex);
    atomic_fetch_add_explicit(&request->owner_count, 1, memory_order_relaxed);
    *out_result = MHD_YES;
    return true;
}

// resume resumes the connection, under request->mutex.
static void
resume(http_request *request)
{
    LP_ASSERT(request->is_suspended);
    request->is_suspended = false;
    MHD_resume_connection(request->call.connection);
}

// pass delivers the outcome of a wait and drops its reference. If the request was resumed already,
// the outcome is dropped.
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
    unref(request);
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

// has_message returns whether the request has a message in its body, which asks several questions.
static bool
has_message(const http_request *request)
{
    http_need need = request->call.route.line->need;
    return need == HTTP_NEED_MESSAGE || need == HTTP_NEED_PROFILE;
}

// keeps_body returns whether the request's handler reads its body.
static bool
keeps_body(const http_request *request)
{
    return has_message(request) || request->call.route.line->need == HTTP_NEED_BODY;
}

// on_part reads the answer to a question of a message here, on the thread that answered: the
// connection's thread does not look at the message before it is resumed.
static void
on_part(void *arg, ask_answer *answer)
{
    http_request *request = arg;
    bool is_profile = request->call.route.line->need == HTTP_NEED_PROFILE;
    (is_profile ? http_grafana_add : http_mcp_add)(&request->call, answer);
    pass(request, (http_came){0});
}

static void
on_shown(void *arg)
{
    pass(arg, (http_came){0});
}

// is_gone returns whether the client closed its connection or the wait has ended. While a
// connection is suspended libmicrohttpd neither reads nor closes its socket.
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

static void
cancel_snapshot(http_request *request)
{
    const snapshot_source *from = &request->call.shared->config.snapshots;
    (void)pthread_mutex_lock(&request->mutex);
    bool has_ticket = request->has_ticket;
    (void)pthread_mutex_unlock(&request->mutex);
    if (has_ticket) { // cancel may deliver the outcome before it returns
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
    cancel_snapshot(request);
}

static enum MHD_Result
wait_for_snapshot(http_request *request, snapshot_kind kind)
{
    LP_ASSERT(request->call.route.session_id[0] != '\0' && request->call.came.snapshot == NULL);
    const snapshot_source *from = &request->call.shared->config.snapshots;
    const char *session_id = request->call.route.session_id;
    bool is_made = kind == SNAPSHOT_JFR || kind == SNAPSHOT_OWN || kind == SNAPSHOT_OWN_WIDE;
    enum MHD_Result result;
    LP_REQUIRE(suspend(request, &result), result);
    if (!is_made) {
        (void)from->request(from->arg, session_id, kind, on_snapshot, request);
        return MHD_YES;
    }
    // The client may leave before there is a ticket: then the snapshot is not requested, or
    // cancelled below.
    http_line_watch(request->line, on_gone, request);
    if (was_left(request)) {
        on_snapshot(request, NULL);
        return MHD_YES;
    }
    uint64_t ticket = from->request(from->arg, session_id, kind, on_snapshot, request);
    (void)pthread_mutex_lock(&request->mutex);
    request->ticket = ticket;
    request->has_ticket = true;
    (void)pthread_mutex_unlock(&request->mutex);
    if (was_left(request)) {
        cancel_snapshot(request);
    }
    return MHD_YES;
}

static enum MHD_Result
wait_for_upload(http_request *request)
{
    LP_ASSERT(request->call.upload != NULL);
    enum MHD_Result result;
    if (suspend(request, &result)) {
        http_upload_push(request->call.upload, on_shown, request);
    }
    return result;
}

// How a wait ended.
typedef enum wait_end {
    WAIT_CAME,   // call.came has the outcome; empty: memory ran out
    WAIT_LEFT,   // the client left: nobody reads an answer
    WAIT_CLOSED, // http_request_close_waiting
} wait_end;

// end_wait removes the request from the waiting ones, if it is one.
static wait_end
end_wait(http_request *request)
{
    LP_ASSERT(!request->is_suspended); // its thread runs
    http_waiting *waiting = request->waiting;
    http_line_unwatch(request->line);
    (void)pthread_mutex_lock(&waiting->mutex);
    if (request->is_listed) {
        LIST_REMOVE(request, listed);
        LP_ASSERT(LIST_FIRST(&waiting->requests) != request);
        request->is_listed = false;
    }
    (void)pthread_mutex_unlock(&waiting->mutex);
    return was_left(request) ? WAIT_LEFT : request->was_closed ? WAIT_CLOSED : WAIT_CAME;
}

// --- Before the waits.

static enum MHD_Result
reply_bad_id(const http_call *call)
{
    LP_ASSERT(call->route.has_id);
    bool is_of_node = call->route.line->right == HTTP_RIGHT_NODE;
    return http_reply_error(call->connection,
        is_of_node ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_NOT_FOUND,
        "a recording's id is %d characters of 0-9 and a-f: /api/v1/recordings lists the ids",
        CATALOG_ID_CHARS);
}

// is_good checks the request before its wait. Returns false with the answer if it is refused.
static bool
is_good(http_request *request, enum MHD_Result *out_result)
{
    http_call *call = &request->call;
    LP_ASSERT(call->came.snapshot == NULL && call->came.download == NULL);
    LP_REQUIRE(request->is_known || http_access_check(call, out_result), false);
    if (!call->route.has_method) {
        char methods[HTTP_ROUTE_METHODS_BYTES];
        http_route_list_methods(&call->route, methods);
        *out_result = http_reply_method(call->connection, call->method, methods);
        return false;
    }
    LP_REQUIRE(http_access_check_place(call, out_result), false);
    if (call->route.has_id && call->route.session_id[0] == '\0') {
        *out_result = reply_bad_id(call);
        return false;
    }
    lp_problem problem;
    if (call->route.line->params == HTTP_PARAMS_NONE &&
        http_query_read(&(http_query){.count = 0}, call->connection, &problem) != LP_OK) {
        *out_result = http_reply_error(call->connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text);
        return false;
    }
    return true;
}

bool
http_request_begin(http_request *request, enum MHD_Result *out_result)
{
    LP_ASSERT(!request->has_waited);
    http_call *call = &request->call;
    http_need need = call->route.line->need;
    bool takes_body = need == HTTP_NEED_FILE || keeps_body(request);
    if (!takes_body || !call->route.has_method) {
        return true;
    }
    request->is_known = http_access_check(call, out_result); // before there is a body to keep
    if (keeps_body(request)) {
        return request->is_known;
    }
    if (!request->is_known) {
        http_upload_refuse();
        return false;
    }
    *out_result = http_upload_begin(call, &call->upload);
    return call->upload != NULL;
}

// --- The audit.

static void
on_session(void *arg, const catalog_session *session)
{
    char **service = arg;
    *service = strdup(session->service); // NULL: unknown
}

// note_service looks up the service of the recording: after a removal the catalog has no row.
static void
note_service(http_call *call)
{
    LP_ASSERT(call->service == NULL);
    http_catalog *store = &call->shared->store;
    if (call->shared->audit.log != NULL) {
        (void)pthread_mutex_lock(&store->mutex);
        lp_err err =
            catalog_find(store->catalog, call->route.session_id, on_session, &call->service);
        (void)pthread_mutex_unlock(&store->mutex);
        if (err != LP_OK) {
            free(call->service);
            call->service = NULL;
        }
    }
}

static void
note_download(const http_call *call)
{
    LP_ASSERT(call->route.line->need == HTTP_NEED_CONTENT);
    if (strcmp(call->method, MHD_HTTP_METHOD_HEAD) != 0) {
        const http_audit_entry entry = {.event = "download",
            .identity = access_caller_get_name(&call->caller),
            .recording = call->route.session_id,
            .service = call->service,
            .is_once = true};
        http_audit_note(&call->shared->audit, call->connection, &entry);
    }
}

// note_removal audits a removal. why: why its outcome is unknown; NULL: it was removed.
static void
note_removal(const http_call *call, const char *why)
{
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_REMOVE);
    const http_audit_entry entry = {.event = "delete",
        .identity = access_caller_get_name(&call->caller),
        .recording = call->route.session_id,
        .service = call->service,
        .why = why};
    http_audit_note(&call->shared->audit, call->connection, &entry);
}

// note_question audits a question that reads recordings.
static void
note_question(const http_call *call, const ask_query *query)
{
    if (!query->route->is_of_catalog) {
        const query_selection *asked = &query->asked.selection;
        const http_audit_entry entry = {.event = "question",
            .identity = access_caller_get_name(&call->caller),
            .recording = asked->recording,
            .service = asked->service,
            .path = call->route.path,
            .is_once = true};
        http_audit_note(&call->shared->audit, call->connection, &entry);
    }
}

// --- The waits, and the answer.

// check_came asserts that the call has what its line in the table needs.
static void
check_came(const http_call *call)
{
    const http_came *came = &call->came;
    http_need need = call->route.line->need;
    LP_ASSERT(call->route.has_method);
    LP_ASSERT((need >= HTTP_NEED_TOTALS && need != HTTP_NEED_CONTENT) == (came->snapshot != NULL));
    LP_ASSERT((need == HTTP_NEED_CONTENT) == (came->download != NULL));
    LP_ASSERT((need == HTTP_NEED_ANSWER) == (came->answer != NULL));
    LP_ASSERT((need == HTTP_NEED_FILE) == (call->upload != NULL));
    LP_ASSERT(!call->route.has_id || call->route.session_id[0] != '\0');
}

static enum MHD_Result
answer(http_request *request)
{
    http_call *call = &request->call;
    check_came(call);
    enum MHD_Result result = handlers[call->route.line - http_route_lines](call);
    drop(&request->call.came); // not kept while the answer is sent
    return result;
}

// ask suspends the connection until a query is answered. Takes ownership of query.
static enum MHD_Result
ask(http_request *request, ask_query *query, ask_client client)
{
    enum MHD_Result result;
    note_question(&request->call, query);
    if (!suspend(request, &result)) {
        ask_query_destroy(query);
        return result;
    }
    ask_service_ask(request->call.shared->asks, query, client);
    return result;
}

static enum MHD_Result
wait_for_answer(http_request *request)
{
    const http_call *call = &request->call;
    ask_query *query = NULL;
    enum MHD_Result result = http_questions_read(call, &query);
    LP_REQUIRE(query != NULL, result);
    const char *accept =
        http_connection_get_header(call->connection, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    return ask(request, query,
        (ask_client){.is_gone = is_gone,
            .on_answer = on_answer,
            .arg = request,
            .reads_gzip = http_accept_prefers(accept, "gzip", "identity")});
}

// answer_message asks the next question of a message, or answers if it has no more.
static enum MHD_Result
answer_message(http_request *request)
{
    bool is_profile = request->call.route.line->need == HTTP_NEED_PROFILE;
    ask_query *query = (is_profile ? http_grafana_next : http_mcp_next)(&request->call);
    LP_REQUIRE(query != NULL, answer(request));
    return ask(
        request, query, (ask_client){.is_gone = is_gone, .on_answer = on_part, .arg = request});
}

// start begins the wait that the handler needs, or answers if it needs none.
static enum MHD_Result
start(http_request *request)
{
    static const snapshot_kind kinds[] = {
        [HTTP_NEED_TOTALS] = SNAPSHOT_TOTALS,
        [HTTP_NEED_CONTENT] = SNAPSHOT_JFR,
        [HTTP_NEED_REMOVAL] = SNAPSHOT_REMOVE,
        [HTTP_NEED_OWN] = SNAPSHOT_OWN,
        [HTTP_NEED_OWN_WIDE] = SNAPSHOT_OWN_WIDE,
    };
    http_call *call = &request->call;
    enum MHD_Result result;
    LP_REQUIRE(is_good(request, &result), result);
    http_need need = call->route.line->need;
    switch (need) {
    case HTTP_NEED_NOTHING:
    case HTTP_NEED_BODY:
        return answer(request);
    case HTTP_NEED_FILE:
        return wait_for_upload(request);
    case HTTP_NEED_ANSWER:
        return wait_for_answer(request);
    case HTTP_NEED_MESSAGE:
    case HTTP_NEED_PROFILE:
        return answer_message(request);
    case HTTP_NEED_CONTENT:
    case HTTP_NEED_REMOVAL:
        note_service(call);
        break;
    case HTTP_NEED_TOTALS:
    case HTTP_NEED_OWN:
    case HTTP_NEED_OWN_WIDE:
        break;
    }
    return wait_for_snapshot(request, kinds[need]);
}

// rewrite waits until download is rewritten. Takes ownership of download.
static enum MHD_Result
rewrite(http_request *request, http_download *download)
{
    LP_ASSERT(download != NULL);
    const http_call *call = &request->call;
    if (http_rewriter_reserve(call->shared->rewriter, download) != LP_OK) {
        http_download_destroy(download);
        return http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "the limit of %d downloads at once with context-style or sample-contexts=true, or from "
            "an object store, is reached: try again later",
            HTTP_REWRITTEN_MAX);
    }
    enum MHD_Result result;
    if (!suspend(request, &result)) {
        http_download_destroy(download);
        return result;
    }
    http_line_watch(request->line, on_gone, request);
    http_rewriter_push(call->shared->rewriter, download, &request->is_left, on_rewritten, request);
    return result;
}

// make_content opens the download, with the snapshot as its tail, and answers with it or has it
// rewritten first.
static enum MHD_Result
make_content(http_request *request)
{
    http_call *call = &request->call;
    LP_ASSERT(call->came.snapshot != NULL);
    http_download *download = NULL;
    enum MHD_Result result = http_download_open(call, &download);
    drop(&request->call.came);
    LP_REQUIRE(download != NULL, result);
    note_download(call);
    if (http_download_needs_rewriting(download, call)) {
        return rewrite(request, download);
    }
    call->came.download = download;
    return answer(request);
}

enum MHD_Result
http_request_go_on(http_request *request)
{
    if (!request->has_waited) {
        return start(request);
    }
    wait_end end = end_wait(request);
    const http_call *call = &request->call;
    LP_REQUIRE(end != WAIT_LEFT, MHD_NO);
    http_need need = call->route.line->need;
    LP_REQUIRE(end != WAIT_CLOSED, reply_stopping(call));
    LP_REQUIRE(!has_message(request), answer_message(request));
    const http_came *came = &call->came;
    LP_REQUIRE(need == HTTP_NEED_FILE || came->snapshot != NULL || came->download != NULL ||
                   came->answer != NULL,
        http_reply_out_of_memory(call->connection));
    if (need == HTTP_NEED_REMOVAL && came->snapshot != NULL && came->snapshot->err == LP_OK) {
        note_removal(call, NULL);
    }
    return need == HTTP_NEED_CONTENT && came->download == NULL ? make_content(request)
                                                               : answer(request);
}

void
http_request_add_body(http_request *request, const char *bytes, size_t count)
{
    http_upload *upload = request->call.upload;
    if (upload != NULL && http_upload_add(upload, bytes, count)) {
        http_line_enter(request->line, HTTP_GATE_AWAITS_BODY, lp_time_mono_ms());
    }
    if (keeps_body(request) && request->is_known) {
        LP_ASSERT(
            request->call.body.len + count <= HTTP_STRICT_BODY_BYTES_MAX); // http_strict_check
        lp_buf_append(&request->call.body, bytes, count);
    }
}

void
http_request_end(http_request *request)
{
    if (request != NULL) {
        (void)end_wait(request);
        unref(request);
    }
}

// note_stopped audits a removal that goes on while the collector stops.
static void
note_stopped(const http_call *call)
{
    if (call->route.line->need == HTTP_NEED_REMOVAL) {
        note_removal(call, "requested; the collector stopped before the outcome was known");
    }
}

void
http_request_close_waiting(http_waiting *waiting)
{
    LP_ASSERT(!waiting->is_closed);
    (void)pthread_mutex_lock(&waiting->mutex);
    waiting->is_closed = true;
    http_request *request = LIST_FIRST(&waiting->requests);
    for (; request != NULL; request = LIST_NEXT(request, listed)) {
        (void)pthread_mutex_lock(&request->mutex);
        if (request->is_suspended) {
            request->was_closed = true;
            note_stopped(&request->call); // before resume: then its connection may end
            resume(request);
        }
        (void)pthread_mutex_unlock(&request->mutex);
    }
    (void)pthread_mutex_unlock(&waiting->mutex);
}
