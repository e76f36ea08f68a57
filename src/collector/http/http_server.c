// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_server.h"

#include "collector/base/descriptor_plan.h"
#include "collector/base/metrics.h"
#include "collector/base/tcp_listen.h"
#include "collector/http/http_request.h"
#include "collector/http/routes/http_about.h"
#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/routes/http_catalog.h"
#include "collector/http/routes/http_download_open.h"
#include "collector/http/routes/http_login.h"
#include "collector/http/routes/http_metrics.h"
#include "collector/http/routes/http_page.h"
#include "collector/http/routes/http_pending.h"
#include "collector/http/routes/http_questions.h"
#include "collector/http/routes/http_recordings.h"
#include "collector/http/routes/http_removal.h"
#include "collector/http/routes/http_rewriter.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_listener.h"
#include "collector/http/wire/http_mhd_error.h"
#include "collector/http/wire/http_reply.h"
#include "collector/http/wire/http_route.h"
#include "collector/http/wire/http_strict.h"
#include "collector/http/wire/http_tls.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    THREAD_COUNT = 4, // so that a slow disk under one answer does not hold up the others
    // The gate's limits are the ones that hold. One of libmicrohttpd's threads that is at its own
    // would stop for ever (0.9.75).
    CONNECTIONS_PER_THREAD = 4096,
    LOG_BYTES = 256,
};

struct http_server {
    struct MHD_Daemon *daemon;
    http_listener *listener;
    http_connections connections;
    uint16_t port;
    blobs *blobs;
    snapshot_source snapshots;
    http_policies policies;
    service_metrics *services;
    http_uploads *uploads; // NULL: no files are taken
    int64_t start_wall_ns;
    _Atomic(char *) agents_url; // NULL: not yet
    http_links links;
    _Atomic(const char *) node_key; // NULL: not yet, or nobody shares the catalog
    atomic_bool is_ready;           // orders nothing
    http_waiting waiting;
    http_rewriter *rewriter;
    ask_service *asks;
    http_catalog store;
    http_readiness readiness;
    http_access access;
    http_audit audit;
    http_login login;
    char *address; // that is listened on, as it was given
    http_base base;
    bool has_forwarded_prefix;
};

// --- Answering.

static enum MHD_Result
reply_ready(http_server *self, struct MHD_Connection *connection)
{
    lp_problem problem;
    if (!atomic_load_explicit(&self->is_ready, memory_order_relaxed)) {
        return http_reply_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "the collector is starting or stopping: try again later");
    }
    if (self->readiness.check != NULL &&
        self->readiness.check(self->readiness.arg, &problem) != LP_OK) {
        return http_reply_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "batches are refused, or accepted late: %s", problem.text);
    }
    return http_reply_json(connection, MHD_HTTP_OK, json_pack("{s:s}", "status", "ready"));
}

static enum MHD_Result
reply_stopping(struct MHD_Connection *connection)
{
    return http_reply_error(
        connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the collector is stopping: try again later");
}

// reply_nothing answers a request that has waited, for nothing.
static enum MHD_Result
reply_nothing(struct MHD_Connection *connection, const http_request *request)
{
    return http_request_was_closed(request) ? reply_stopping(connection)
                                            : http_reply_out_of_memory(connection);
}

// rewrite makes the request wait until download, which it takes, is rewritten.
static enum MHD_Result
rewrite(http_server *self, struct MHD_Connection *connection, http_request *request,
    http_download *download)
{
    if (http_rewriter_reserve(self->rewriter, download) != LP_OK) {
        http_download_destroy(download);
        return http_reply_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "%d downloads with context-style or sample-contexts=true, or from an object store, are "
            "being made or "
            "sent, which is as many as may be at once: try again later",
            HTTP_REWRITTEN_MAX);
    }
    return http_request_wait_for_rewriting(request, &self->waiting, self->rewriter, download) ==
                   LP_OK
               ? MHD_YES
               : reply_stopping(connection);
}

static enum MHD_Result
reply_download(http_server *self, struct MHD_Connection *connection, const char *method,
    const http_route *route, http_request *request, snapshot *pending)
{
    http_download *download = NULL;
    enum MHD_Result result = http_download_open(
        connection, &self->store, self->blobs, route->session_id, pending, &download);
    if (download == NULL) {
        return result;
    }
    if (strcmp(method, MHD_HTTP_METHOD_HEAD) != 0) {
        const http_audit_entry entry = {.event = "download",
            .identity = access_caller_get_name(http_request_get_caller(request)),
            .recording = route->session_id,
            .service = http_request_get_service(request)};
        http_audit_note_once(&self->audit, connection, &entry);
    }
    return http_download_needs_rewriting(download, connection, method)
               ? rewrite(self, connection, request, download)
               : http_download_reply(connection, method, download);
}

static void
on_session(void *arg, const catalog_session *session)
{
    char **service = arg;
    *service = strdup(session->service); // NULL: nobody knows
}

// note_service notes of which service the recording is, which the catalog may not know any more
// once it is removed.
static void
note_service(http_server *self, const http_route *route, http_request *request)
{
    char *service = NULL;
    if (self->audit.log == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&self->store.mutex);
    lp_err err = catalog_find(self->store.catalog, route->session_id, on_session, &service);
    (void)pthread_mutex_unlock(&self->store.mutex);
    if (err == LP_OK) { // else there is nothing to be audited
        http_request_set_service(request, service);
    }
}

// reply_recording answers requests that need a snapshot, at its second call for each; a download
// that needs rewriting as well, at its third.
static enum MHD_Result
reply_recording(http_server *self, struct MHD_Connection *connection, const char *method,
    const http_route *route, http_request *request)
{
    if (route->session_id[0] == '\0') {
        return http_reply_error(connection, MHD_HTTP_NOT_FOUND,
            "a recording's id is %d characters of 0-9 and a-f: /api/v1/recordings lists them",
            CATALOG_ID_CHARS);
    }
    snapshot_kind kind = route->kind == HTTP_ROUTE_SHOW ? SNAPSHOT_TOTALS : SNAPSHOT_JFR;
    if (!http_request_has_waited(request) && kind == SNAPSHOT_JFR) {
        note_service(self, route, request);
    }
    if (!http_request_has_waited(request) &&
        http_request_wait_for_snapshot(
            request, &self->waiting, self->snapshots, route->session_id, kind) == LP_OK) {
        return MHD_YES;
    }
    http_request_end_wait(request, &self->waiting);
    if (http_request_was_left(request)) {
        return MHD_NO;
    }
    http_download *rewritten = http_request_take_download(request);
    if (rewritten != NULL) {
        return http_download_reply(connection, method, rewritten);
    }
    snapshot *pending = http_request_take_snapshot(request);
    if (pending == NULL) {
        return reply_nothing(connection, request);
    }
    enum MHD_Result result =
        route->kind == HTTP_ROUTE_SHOW
            ? http_recordings_show(connection, &self->store, route->session_id, pending)
            : reply_download(self, connection, method, route, request, pending);
    snapshot_unref(pending);
    return result;
}

// reply_pending answers another collector, at its second call.
static enum MHD_Result
reply_pending(http_server *self, struct MHD_Connection *connection, const http_route *route,
    http_request *request)
{
    const char *key = atomic_load_explicit(&self->node_key, memory_order_acquire);
    if (!http_pending_knows(connection, key)) {
        metrics_add(METRICS_logins_failed_nodes, 1);
        return http_reply_error(
            connection, MHD_HTTP_FORBIDDEN, "this is for collectors that share a catalog alone");
    }
    if (route->session_id[0] == '\0') {
        return http_reply_error(
            connection, MHD_HTTP_BAD_REQUEST, "an id is %d hexadecimal digits", CATALOG_ID_CHARS);
    }
    snapshot_kind kind = route->is_wide ? SNAPSHOT_OWN_WIDE : SNAPSHOT_OWN;
    if (!http_request_has_waited(request) &&
        http_request_wait_for_snapshot(
            request, &self->waiting, self->snapshots, route->session_id, kind) == LP_OK) {
        return MHD_YES;
    }
    http_request_end_wait(request, &self->waiting);
    snapshot *pending = http_request_take_snapshot(request);
    if (pending == NULL) {
        return reply_nothing(connection, request);
    }
    enum MHD_Result result = http_pending_reply(connection, pending);
    snapshot_unref(pending);
    return result;
}

// remove_recording removes a recording, where nobody has a token for a client on this machine; it
// is answered at its second call.
static enum MHD_Result
remove_recording(http_server *self, struct MHD_Connection *connection, const http_route *route,
    http_request *request)
{
    if (self->access.callers.access == NULL && !http_removal_is_local(connection)) {
        return http_reply_error(connection, MHD_HTTP_FORBIDDEN,
            "recordings are removed from the collector's own machine alone");
    }
    if (route->session_id[0] == '\0') {
        return http_reply_error(connection, MHD_HTTP_NOT_FOUND, "there is no such recording");
    }
    if (!http_request_has_waited(request)) {
        note_service(self, route, request);
        if (http_request_wait_for_snapshot(request, &self->waiting, self->snapshots,
                route->session_id, SNAPSHOT_REMOVE) == LP_OK) {
            return MHD_YES;
        }
    }
    http_request_end_wait(request, &self->waiting);
    snapshot *done = http_request_take_snapshot(request);
    if (done == NULL) {
        return reply_nothing(connection, request);
    }
    if (done->err == LP_OK) {
        const http_audit_entry entry = {.event = "delete",
            .identity = access_caller_get_name(http_request_get_caller(request)),
            .recording = route->session_id,
            .service = http_request_get_service(request)};
        http_audit_note(&self->audit, connection, &entry);
    }
    enum MHD_Result result = http_removal_reply(connection, done);
    snapshot_unref(done);
    return result;
}

// note_question audits a question whose answer is made of what is in recordings.
static void
note_question(http_server *self, struct MHD_Connection *connection, const http_route *route,
    const http_request *request, const ask_query *query)
{
    if (!query->route->is_of_catalog) {
        const query_selection *asked = &query->asked.selection;
        const http_audit_entry entry = {.event = "question",
            .identity = access_caller_get_name(http_request_get_caller(request)),
            .recording = asked->recording,
            .service = asked->service,
            .path = route->path};
        http_audit_note_once(&self->audit, connection, &entry);
    }
}

// reply_question answers questions, at its second call for each.
static enum MHD_Result
reply_question(http_server *self, struct MHD_Connection *connection, const http_route *route,
    http_request *request)
{
    if (!http_request_has_waited(request)) {
        ask_query *query = NULL;
        enum MHD_Result result = http_questions_read(
            connection, route->ask, route->rest, http_request_get_caller(request), &query);
        if (query == NULL) {
            return result;
        }
        note_question(self, connection, route, request, query);
        return http_request_wait_for_answer(request, &self->waiting, self->asks, query) == LP_OK
                   ? MHD_YES
                   : reply_stopping(connection);
    }
    http_request_end_wait(request, &self->waiting);
    ask_answer *answer = http_request_take_answer(request);
    return answer == NULL ? reply_nothing(connection, request)
                          : http_questions_reply(connection, answer);
}

static enum MHD_Result
reply_about(http_server *self, struct MHD_Connection *connection, const http_request *request)
{
    const http_about about = {
        .agents_url = atomic_load_explicit(&self->agents_url, memory_order_acquire),
        .start_wall_ns = self->start_wall_ns,
        .takes_files = self->uploads != NULL,
        .links = &self->links,
    };
    return http_about_reply(connection, &self->store, http_request_get_caller(request), &about);
}

// reply_upload answers when all of a file has come, at its second call.
static enum MHD_Result
reply_upload(
    http_server *self, struct MHD_Connection *connection, const char *method, http_request *request)
{
    http_upload *upload = http_request_get_upload(request);
    if (upload == NULL) {
        return http_reply_method(connection, method, "POST");
    }
    if (!http_request_has_waited(request)) {
        return http_request_wait_for_upload(request, &self->waiting) == LP_OK
                   ? MHD_YES
                   : reply_stopping(connection);
    }
    http_request_end_wait(request, &self->waiting);
    return http_request_was_closed(request) ? reply_stopping(connection)
                                            : http_upload_reply(upload, connection);
}

static enum MHD_Result
reply(http_server *self, struct MHD_Connection *connection, const char *path, const char *method,
    http_request *request)
{
    http_route route = http_route_of(path);
    if (!http_request_has_waited(request)) {
        access_caller caller;
        enum MHD_Result refusal;
        if (!http_access_check(
                &self->access, connection, &self->store, &route, method, &caller, &refusal)) {
            return refusal;
        }
        http_request_set_caller(request, &caller);
    }
    if (http_route_is_removal(&route, method)) {
        return remove_recording(self, connection, &route, request);
    }
    if (route.kind == HTTP_ROUTE_LOGIN) {
        return http_login_reply(&self->login, connection, &route, method);
    }
    if (route.kind == HTTP_ROUTE_UPLOAD) {
        return reply_upload(self, connection, method, request);
    }
    if (route.kind != HTTP_ROUTE_NONE && strcmp(method, MHD_HTTP_METHOD_GET) != 0 &&
        strcmp(method, MHD_HTTP_METHOD_HEAD) != 0) {
        return http_reply_method(
            connection, method, route.kind == HTTP_ROUTE_SHOW ? "GET, HEAD, DELETE" : "GET, HEAD");
    }
    switch (route.kind) {
    case HTTP_ROUTE_LIST:
        return http_recordings_list(connection, &self->store, http_request_get_caller(request));
    case HTTP_ROUTE_SHOW:
    case HTTP_ROUTE_DOWNLOAD:
        return reply_recording(self, connection, method, &route, request);
    case HTTP_ROUTE_POLICIES:
        return http_policies_list(connection, &self->policies, http_request_get_caller(request));
    case HTTP_ROUTE_POLICY:
        return http_policies_show(connection, &self->policies, route.service);
    case HTTP_ROUTE_ABOUT:
        return reply_about(self, connection, request);
    case HTTP_ROUTE_METRICS:
        return http_metrics_reply(connection, self->services);
    case HTTP_ROUTE_HEALTH:
        return http_reply_json(connection, MHD_HTTP_OK, json_pack("{s:s}", "status", "alive"));
    case HTTP_ROUTE_READY:
        return reply_ready(self, connection);
    case HTTP_ROUTE_ASK:
        return reply_question(self, connection, &route, request);
    case HTTP_ROUTE_PENDING:
        return reply_pending(self, connection, &route, request);
    case HTTP_ROUTE_PAGE:
        return http_page_reply(connection, route.file);
    case HTTP_ROUTE_LOGIN: // these are answered
    case HTTP_ROUTE_UPLOAD:
    case HTTP_ROUTE_NONE:
        break;
    }
    if (http_page_is_wanted(connection, path, method)) {
        return http_page_reply_nowhere(connection);
    }
    return http_reply_error(connection, MHD_HTTP_NOT_FOUND,
        "there is nothing at this path: the page is at /, the API at /api/v1/recordings, "
        "/api/v1/contexts, /api/v1/requests, "
        "/api/v1/why, /api/v1/policies, /metrics, /healthz and /readyz");
}

// --- libmicrohttpd's callbacks.

// on_target is called with what is asked for as it came; what it returns is the request's state.
static void *
on_target(void *arg, const char *target, struct MHD_Connection *connection)
{
    (void)arg;
    const http_target found = http_target_find(target);
    http_connection_set_target(connection, &found);
    if (found.surplus != NULL) {
        // libmicrohttpd allocates a record for each parameter, and 0.9 never answers if they do not
        // fit. So it sees only those before the limit; http_strict_check refuses the request.
        *(char *)(uintptr_t)found.surplus = '\0'; // it is about to write there, too
    }
    return NULL;
}

// path_of returns what a request asks for of this server. It is known under which path a proxy
// shows that.
static const char *
path_of(struct MHD_Connection *connection, const char *target)
{
    return http_base_take(http_connection_get_base(connection),
        http_target_path(http_connection_get_target(connection), target));
}

// find_base notes under which path a proxy shows this server, or else returns what is wrong.
static lp_err
find_base(const http_server *self, struct MHD_Connection *connection, lp_problem *out_problem)
{
    const char *forwarded = self->has_forwarded_prefix ? MHD_lookup_connection_value(connection,
                                                             MHD_HEADER_KIND, "X-Forwarded-Prefix")
                                                       : NULL;
    http_base base = self->base;
    lp_err err = forwarded == NULL ? LP_OK : http_base_read(forwarded, &base, out_problem);
    http_connection_set_base(connection, &base);
    return err;
}

// begin_upload begins to take a file, if that is what the request brings. Returns false with the
// answer where it may not.
static bool
begin_upload(http_server *self, struct MHD_Connection *connection, const http_route *route,
    const char *method, http_request *request, enum MHD_Result *out_result)
{
    if (route->kind != HTTP_ROUTE_UPLOAD || strcmp(method, MHD_HTTP_METHOD_POST) != 0) {
        return true;
    }
    access_caller caller; // a collector that takes files asks nobody who it is
    if (!http_access_check(
            &self->access, connection, &self->store, route, method, &caller, out_result)) {
        http_upload_refuse();
        return false;
    }
    access_caller_fini(&caller);
    http_upload *upload = http_upload_begin(self->uploads, connection, out_result);
    http_request_set_upload(request, upload);
    return upload != NULL;
}

// begin looks at a request whose headers are there.
static enum MHD_Result
begin(http_server *self, struct MHD_Connection *connection, const char *target, const char *method,
    const char *version, void **state)
{
    http_line *line = http_connection_get_line(connection);
    http_connection_end_head(connection);
    lp_problem problem;
    lp_err base_err = find_base(self, connection, &problem);
    http_route route = http_route_of(path_of(connection, target));
    bool is_file = self->uploads != NULL && route.kind == HTTP_ROUTE_UPLOAD &&
                   strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    const http_strict_head head = {.method = method,
        .version = version,
        .target = http_connection_get_target(connection),
        .body_bytes_max = is_file ? HTTP_UPLOAD_BYTES_MAX : HTTP_STRICT_BODY_BYTES_MAX};
    enum MHD_Result result;
    if (!http_strict_check(connection, &head, &result)) {
        if (is_file) {
            http_upload_refuse();
        }
        return result;
    }
    if (base_err != LP_OK) {
        char text[sizeof("X-Forwarded-Prefix: ") + sizeof(problem.text)];
        (void)snprintf(text, sizeof(text), "X-Forwarded-Prefix: %s", problem.text);
        return http_reply_last(connection, MHD_HTTP_BAD_REQUEST, text);
    }
    if (http_line_is_reserved(line) && route.kind != HTTP_ROUTE_HEALTH &&
        route.kind != HTTP_ROUTE_READY) {
        metrics_add(METRICS_http_busy, 1);
        return http_reply_last(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "as many connections as may be are open: try again later");
    }
    http_request *request = http_request_create(connection, line);
    *state = request;
    http_line_enter(line, HTTP_GATE_AWAITS_BODY, http_gate_now());
    if (request == NULL) {
        return MHD_NO;
    }
    return begin_upload(self, connection, &route, method, request, &result) ? MHD_YES : result;
}

// on_request is called when the headers are there, for each piece of a body, when all of it is
// there and after each wait.
static enum MHD_Result
on_request(void *arg, struct MHD_Connection *connection, const char *target, const char *method,
    const char *version, const char *body, size_t *body_size, void **state)
{
    if (*state == NULL) {
        return begin(arg, connection, target, method, version, state);
    }
    if (*body_size > 0) { // only files are taken
        http_upload *upload = http_request_get_upload(*state);
        if (upload != NULL && http_upload_add(upload, body, *body_size)) {
            http_line_enter(
                http_connection_get_line(connection), HTTP_GATE_AWAITS_BODY, http_gate_now());
        }
        *body_size = 0;
        return MHD_YES;
    }
    http_line_enter(http_connection_get_line(connection), HTTP_GATE_WORKS, http_gate_now());
    return reply(arg, connection, path_of(connection, target), method, *state);
}

static void
on_completed(void *arg, struct MHD_Connection *connection, void **state,
    enum MHD_RequestTerminationCode code)
{
    (void)code;
    http_server *self = arg;
    http_request *request = *state;
    *state = NULL;
    if (request != NULL) {
        http_request_end_wait(request, &self->waiting);
        http_request_unref(request);
    }
    http_line_enter(http_connection_get_line(connection), HTTP_GATE_RESTS, http_gate_now());
}

static void on_log(void *arg, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

// is_refusal returns whether a line is libmicrohttpd's about a request that it refuses itself: it
// answers, or (1.0) ends the connection for what is in a request line.
static bool
is_refusal(const char *line)
{
    static const char answered[] = "Error processing request";
    return strncmp(line, answered, sizeof(answered) - 1) == 0 ||
           strstr(line, "request line.") != NULL;
}

// on_log is called mostly for faults of clients, connections that break included.
static void
on_log(void *arg, const char *format, va_list args)
{
    (void)arg;
    char text[LOG_BYTES];
    (void)vsnprintf(text, sizeof(text), format, args);
    if (is_refusal(text)) {
        metrics_add(METRICS_http_malformed, 1);
        if (http_strict_get_level() == 0) { // 1.0 answers once
            http_mhd_error_answer(text);
        }
    }
    text[strcspn(text, "\r\n")] = '\0';
    lp_log(LP_LOG_DEBUG, "http: %s", text);
}

// --- Life.

static struct MHD_Daemon *
start_daemon(http_server *self)
{
    struct MHD_OptionItem tls_options[HTTP_TLS_OPTIONS] = {{.option = MHD_OPTION_END}};
    bool has_tls = self->connections.tls != NULL;
    if (has_tls) {
        http_tls_get_options(tls_options);
    }
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                                MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG |
                                (has_tls ? MHD_USE_TLS : 0),
        0, NULL, NULL, on_request, self, MHD_OPTION_EXTERNAL_LOGGER, on_log, NULL,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREAD_COUNT, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(THREAD_COUNT * CONNECTIONS_PER_THREAD), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HTTP_STRICT_POOL_BYTES, MHD_OPTION_URI_LOG_CALLBACK, on_target, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, http_connection_notify, &self->connections,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, self, MHD_OPTION_STRICT_FOR_CLIENT,
        http_strict_get_level(), MHD_OPTION_ARRAY, tls_options, MHD_OPTION_END);
}

static bool
take_connection(void *arg, int fd, const struct sockaddr *address, socklen_t size)
{
    http_server *self = arg;
    return MHD_add_connection(self->daemon, fd, address, size) == MHD_YES;
}

// init_callers has those asked who they are that config says, once the port is known.
static lp_err
init_callers(http_server *self, const http_config *config, lp_problem *out_problem)
{
    http_callers *callers = &self->access.callers;
    if (config->access == NULL) {
        return LP_OK;
    }
    callers->access = config->access;
    callers->logins = access_logins_create();
    bool has_base = self->base.path[0] != '\0' || self->has_forwarded_prefix;
    callers->cookie = http_cookie_make(self->port, config->tls != NULL, has_base);
    return callers->logins == NULL ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
                                   : LP_OK;
}

static void
divide(int64_t *ms)
{
    *ms = (int64_t)lp_time_scale_ms((uint64_t)*ms);
}

// limits_of_process returns the limits of connections for the descriptors that there are.
static http_gate_limits
limits_of_process(void)
{
    struct rlimit all;
    http_gate_limits limits = getrlimit(RLIMIT_NOFILE, &all) == 0
                                  ? http_gate_limits_within(descriptor_plan_make(all.rlim_cur).http)
                                  : http_gate_limits_usual;
    divide(&limits.head_ms);
    divide(&limits.body_ms);
    divide(&limits.idle_ms);
    divide(&limits.answer_ms);
    return limits;
}

// serve listens at the address and answers who connects.
static lp_err
serve(http_server *self, const http_config *config, lp_problem *out_problem)
{
    int fd = -1;
    const http_gate_limits limits = config->limits == NULL ? limits_of_process() : *config->limits;
    const tcp_listen_config at = {
        .address = config->address, .name = config->address, .is_local = config->is_local};
    lp_err err = tcp_listen_open(&at, &fd, &self->port, out_problem);
    if (err != LP_OK) {
        return err;
    }
    err = init_callers(self, config, out_problem);
    if (err != LP_OK) {
        (void)close(fd);
        return err;
    }
    err = http_listener_create(fd, &limits, &self->listener);
    if (err == LP_OK) {
        self->connections =
            (http_connections){.gate = http_listener_get_gate(self->listener), .tls = config->tls};
        self->daemon = start_daemon(self);
        err = self->daemon == NULL ? LP_EIO
                                   : http_listener_start(self->listener, take_connection, self);
    }
    if (err != LP_OK) {
        (void)lp_problem_set(
            out_problem, err, "the HTTP server on '%s' cannot be started", config->address);
    }
    return err;
}

// open_catalog opens the catalog for the threads that serve connections.
static lp_err
open_catalog(http_server *self, const http_config *config, lp_problem *out_problem)
{
    lp_err err = catalog_open_reader(config->catalog_path, &self->store.catalog, out_problem);
    if (err == LP_OK) {
        catalog_hurry(self->store.catalog);
    }
    return err;
}

lp_err
http_server_start(const http_config *config, http_server **out_server, lp_problem *out_problem)
{
    LP_ASSERT(config->blobs != NULL && config->snapshots.request != NULL);

    http_server *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    self->start_wall_ns = lp_time_now();
    self->blobs = config->blobs;
    self->snapshots = config->snapshots;
    self->policies = config->policies;
    self->services = config->services;
    self->store.presence = config->presence;
    self->store.is_shared = config->is_shared;
    self->readiness = config->readiness;
    self->address = strdup(config->address);
    self->access = (http_access){
        .audit = &self->audit, .address = self->address, .checks_host = config->is_local};
    self->audit.log = config->audit;
    self->login.access = &self->access;
    self->login.audit = &self->audit;
    (void)pthread_mutex_init(&self->audit.mutex, NULL); // Linux's cannot fail
    (void)pthread_mutex_init(&self->login.attempts.mutex, NULL);
    (void)pthread_mutex_init(&self->store.mutex, NULL);
    (void)pthread_mutex_init(&self->waiting.mutex, NULL);
    self->has_forwarded_prefix = config->has_forwarded_prefix;
    self->links = config->links;
    lp_err err = self->address == NULL
                     ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
                     : http_base_read(config->base_path, &self->base, out_problem);
    err = err == LP_OK ? http_links_check(&config->links, out_problem) : err;
    err = err == LP_OK ? open_catalog(self, config, out_problem) : err;
    if (err != LP_OK) {
        goto fail;
    }
    err = http_rewriter_start(self->blobs, config->large_bytes, &self->rewriter);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "the HTTP server's threads cannot be started");
        goto fail;
    }
    err = config->uploads == NULL ? LP_OK : http_uploads_start(config->uploads, &self->uploads);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "the thread that reads files cannot be started");
        goto fail;
    }
    const ask_store asked = {.answer_ns_max = ASK_ANSWER_S_MAX * (int64_t)1000000000,
        .frame_steps_max = ASK_FRAME_STEPS_MAX,
        .catalog_path = config->catalog_path,
        .blobs = self->blobs,
        .snapshots = self->snapshots,
        .ids = config->ids,
        .large_bytes = config->large_bytes};
    err = ask_service_start(&asked, &self->asks);
    if (err != LP_OK) {
        (void)lp_problem_set(
            out_problem, err, "the threads that answer questions cannot be started");
        goto fail;
    }
    err = serve(self, config, out_problem);
    if (err != LP_OK) {
        goto fail;
    }
    *out_server = self;
    return LP_OK;

fail:
    http_server_stop(self);
    return err;
}

uint16_t
http_server_get_port(const http_server *self)
{
    return self->port;
}

void
http_server_set_ready(http_server *self, bool is_ready)
{
    atomic_store_explicit(&self->is_ready, is_ready, memory_order_relaxed);
}

lp_err
http_server_set_agents(http_server *self, const char *url)
{
    char *copy = strdup(url);
    if (copy == NULL) {
        return LP_ENOMEM;
    }
    char *earlier = atomic_exchange_explicit(&self->agents_url, copy, memory_order_release);
    LP_ASSERT(earlier == NULL); // answers have it
    return LP_OK;
}

void
http_server_set_node_key(http_server *self, const char *key)
{
    atomic_store_explicit(&self->node_key, key, memory_order_release);
}

void
http_server_stop(http_server *self)
{
    if (self == NULL) {
        return;
    }
    http_listener_stop(self->listener);
    // libmicrohttpd must not be stopped while a connection is suspended.
    http_request_close_waiting(&self->waiting);
    if (self->daemon != NULL) {
        MHD_stop_daemon(self->daemon);
    }
    http_listener_destroy(self->listener);
    ask_service_stop(self->asks);
    http_rewriter_stop(self->rewriter); // nobody pushes, and no download is sent any more
    http_uploads_stop(self->uploads);
    catalog_close(self->store.catalog);
    access_logins_destroy(self->access.callers.logins);
    (void)pthread_mutex_destroy(&self->audit.mutex);
    (void)pthread_mutex_destroy(&self->login.attempts.mutex);
    (void)pthread_mutex_destroy(&self->store.mutex);
    (void)pthread_mutex_destroy(&self->waiting.mutex);
    free(atomic_load_explicit(&self->agents_url, memory_order_relaxed));
    free(self->address);
    free(self);
}
