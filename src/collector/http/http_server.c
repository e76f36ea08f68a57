// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_server.h"

#include "collector/base/descriptor_plan.h"
#include "collector/base/metrics.h"
#include "collector/base/tcp_listen.h"
#include "collector/http/gate/http_listener.h"
#include "collector/http/http_request.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/routes/http_callers.h"
#include "collector/http/routes/http_rewriter.h"
#include "collector/http/routes/http_route.h"
#include "collector/http/routes/http_upload.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_mhd_error.h"
#include "collector/http/wire/http_reply.h"
#include "collector/http/wire/http_strict.h"
#include "collector/http/wire/http_tls.h"
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
    THREAD_COUNT = 4, // so that a slow disk under one answer does not delay the others
    // Above the gate's limits: a thread of libmicrohttpd 0.9.75 at its own limit stops for ever.
    CONNECTIONS_PER_THREAD = 4096,
    LIMIT_MS_MIN = 5000, // of a connection, when end-to-end tests scale its limits
    LOG_BYTES = 256,
};

struct http_server {
    http_shared shared;
    struct MHD_Daemon *daemon;
    http_listener *listener;
    http_connections connections;
    uint16_t port;
    http_base base;
    http_waiting waiting;
};

// --- libmicrohttpd's callbacks.

// on_target gets the raw target of a request. It returns the initial state of the request.
static void *
on_target(void *arg, const char *target, struct MHD_Connection *connection)
{
    (void)arg;
    const http_target found = http_target_find(target);
    http_connection_set_target(connection, &found);
    if (found.surplus != NULL) {
        // libmicrohttpd allocates a record for each parameter; 0.9 never answers if they do not
        // fit. So it sees only those below the limit. http_strict_check refuses the request.
        *(char *)(uintptr_t)found.surplus = '\0'; // libmicrohttpd writes there as well
    }
    return NULL;
}

// path_of returns the path of a request, without the base path, which is set already.
static const char *
path_of(struct MHD_Connection *connection, const char *target)
{
    return http_base_take(http_connection_get_base(connection),
        http_target_path(http_connection_get_target(connection), target));
}

// find_base sets the base path of a request. *out_problem has the fault of
// X-Forwarded-Prefix; no text: none.
static void
find_base(const http_server *self, struct MHD_Connection *connection, lp_problem *out_problem)
{
    const char *forwarded = self->shared.config.has_forwarded_prefix
                                ? http_connection_get_header(connection, "X-Forwarded-Prefix")
                                : NULL;
    http_base base = self->base;
    if (forwarded == NULL || http_route_read_base(forwarded, &base, out_problem) == LP_OK) {
        out_problem->text[0] = '\0';
    }
    http_connection_set_base(connection, &base);
}

// judge checks the head of a request. Returns false with the answer if it is refused.
static bool
judge(const http_call *call, const char *version, const lp_problem *of_base,
    enum MHD_Result *out_result)
{
    LP_ASSERT(call->route.line != NULL);
    struct MHD_Connection *connection = call->connection;
    const http_route_line *line = call->route.line;
    bool is_file =
        call->shared->uploads != NULL && line->need == HTTP_NEED_FILE && call->route.has_method;
    const http_strict_head head = {.method = call->method,
        .version = version,
        .target = http_connection_get_target(connection),
        .body_bytes_max = is_file ? HTTP_UPLOAD_BYTES_MAX : HTTP_STRICT_BODY_BYTES_MAX};
    if (!http_strict_check(connection, &head, out_result)) {
        if (is_file) {
            http_upload_refuse();
        }
        return false;
    }
    if (of_base->text[0] != '\0') {
        char text[sizeof("X-Forwarded-Prefix: ") + sizeof(of_base->text)];
        (void)snprintf(text, sizeof(text), "X-Forwarded-Prefix: %s", of_base->text);
        *out_result = http_reply_last(connection, MHD_HTTP_BAD_REQUEST, text);
        return false;
    }
    if (http_line_is_reserved(http_connection_get_line(connection)) &&
        line->right != HTTP_RIGHT_PROBE) {
        metrics_add(METRICS_http_busy, 1);
        *out_result = http_reply_last(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "all connections are in use: try again later");
        return false;
    }
    return true;
}

// begin checks a request when its headers are complete.
static enum MHD_Result
begin(http_server *self, struct MHD_Connection *connection, const char *target, const char *method,
    const char *version, void **state)
{
    LP_ASSERT(*state == NULL);
    http_line *line = http_connection_get_line(connection);
    http_connection_end_head(connection);
    lp_problem of_base;
    find_base(self, connection, &of_base);
    const http_call call = {.shared = &self->shared,
        .connection = connection,
        .method = method,
        .route = http_route_find(path_of(connection, target), method)};
    enum MHD_Result result;
    LP_REQUIRE(judge(&call, version, &of_base, &result), result);
    http_request *request = http_request_create(&call, &self->waiting, line);
    *state = request;
    http_line_enter(line, HTTP_GATE_AWAITS_BODY, lp_time_mono_ms());
    LP_REQUIRE(request != NULL, MHD_NO);
    return http_request_begin(request, &result) ? MHD_YES : result;
}

// on_request is called when the headers are complete, for each piece of the body, when the request
// is complete, and after each wait.
static enum MHD_Result
on_request(void *arg, struct MHD_Connection *connection, const char *target, const char *method,
    const char *version, const char *body, size_t *body_size, void **state)
{
    if (*state == NULL) {
        return begin(arg, connection, target, method, version, state);
    }
    if (*body_size > 0) {
        http_request_add_body(*state, body, *body_size);
        *body_size = 0;
        return MHD_YES;
    }
    http_line_enter(http_connection_get_line(connection), HTTP_GATE_WORKS, lp_time_mono_ms());
    return http_request_go_on(*state);
}

static void
on_completed(void *arg, struct MHD_Connection *connection, void **state,
    enum MHD_RequestTerminationCode code)
{
    (void)code;
    (void)arg;
    http_request_end(*state);
    *state = NULL;
    http_line_enter(http_connection_get_line(connection), HTTP_GATE_RESTS, lp_time_mono_ms());
}

static void on_log(void *arg, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

// is_refusal returns whether a log line of libmicrohttpd is about a request that it refuses itself:
// it answers, or (1.0) closes the connection for a bad request line.
static bool
is_refusal(const char *line)
{
    static const char answered[] = "Error processing request";
    return strncmp(line, answered, sizeof(answered) - 1) == 0 ||
           strstr(line, "request line.") != NULL;
}

// on_log is mostly called for faults of clients, including broken connections.
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
    LP_ASSERT(self->daemon == NULL && self->connections.gate != NULL);
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
    LP_ASSERT(self->daemon != NULL);
    return MHD_add_connection(self->daemon, fd, address, size) == MHD_YES;
}

// init_callers prepares tokens and sessions. The name of the cookie needs the port.
static lp_err
init_callers(http_server *self)
{
    LP_ASSERT(self->port != 0 && self->shared.callers.logins == NULL);
    const http_config *config = &self->shared.config;
    http_callers *callers = &self->shared.callers;
    if (config->access == NULL) {
        return LP_OK;
    }
    callers->access = config->access;
    callers->logins = access_logins_create();
    bool has_base = self->base.path[0] != '\0' || config->has_forwarded_prefix;
    callers->cookie = http_cookie_make(self->port, config->tls != NULL, has_base);
    return callers->logins == NULL ? LP_ENOMEM : LP_OK;
}

// divide shortens a limit in end-to-end tests. Clients of a fully loaded machine need as long as
// the minimum.
static void
divide(int64_t *ms)
{
    LP_ASSERT(*ms >= LIMIT_MS_MIN);
    const int64_t divided = (int64_t)lp_time_scale_ms((uint64_t)*ms);
    *ms = divided < LIMIT_MS_MIN ? LIMIT_MS_MIN : divided;
}

// limits_of_process returns the connection limits for this process's descriptors.
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

// serve listens on the address and starts to answer.
static lp_err
serve(http_server *self, lp_problem *out_problem)
{
    LP_ASSERT(self->listener == NULL && self->daemon == NULL);
    int fd = -1;
    const http_config *config = &self->shared.config;
    const http_gate_limits limits = config->limits == NULL ? limits_of_process() : *config->limits;
    const tcp_listen_config at = {
        .address = config->address, .name = config->address, .is_local = config->is_local};
    LP_TRY(tcp_listen_open(&at, &fd, &self->port, out_problem));
    lp_err err = init_callers(self);
    if (err != LP_OK) {
        (void)close(fd);
        return lp_problem_set(out_problem, err, "out of memory");
    }
    err = http_listener_create(fd, &limits, &self->listener);
    if (err == LP_OK) {
        self->connections =
            (http_connections){.gate = http_listener_get_gate(self->listener), .tls = config->tls};
        self->daemon = start_daemon(self);
        err = self->daemon == NULL ? LP_EIO
                                   : http_listener_start(self->listener, take_connection, self);
    }
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "cannot start the HTTP server on '%s'",
                              config->address);
}

// start_threads starts the threads that prepare answers.
static lp_err
start_threads(http_shared *shared, lp_problem *out_problem)
{
    LP_ASSERT(shared->rewriter == NULL && shared->uploads == NULL && shared->asks == NULL);
    const http_config *config = &shared->config;
    lp_err err = http_rewriter_start(config->blobs, config->large_bytes, &shared->rewriter);
    LP_REQUIRE(err == LP_OK,
        lp_problem_set(out_problem, err, "cannot start the threads that rewrite downloads"));
    err = config->uploads == NULL ? LP_OK : http_uploads_start(config->uploads, &shared->uploads);
    LP_REQUIRE(err == LP_OK,
        lp_problem_set(out_problem, err, "cannot start the thread that reads uploads"));
    const ask_store asked = {.answer_ns_max = ASK_ANSWER_S_MAX * (int64_t)1000000000,
        .frame_steps_max = ASK_FRAME_STEPS_MAX,
        .catalog_path = config->catalog_path,
        .blobs = config->blobs,
        .snapshots = config->snapshots,
        .ids = config->ids,
        .large_bytes = config->large_bytes};
    err = ask_service_start(&asked, &shared->asks);
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(out_problem, err, "cannot start the threads that answer questions");
}

static lp_err
open_catalog(http_shared *shared, lp_problem *out_problem)
{
    LP_ASSERT(shared->store.catalog == NULL);
    const http_config *config = &shared->config;
    lp_err err = catalog_open_reader(config->catalog_path, &shared->store.catalog, out_problem);
    if (err == LP_OK) {
        catalog_hurry(shared->store.catalog);
    }
    return err;
}

lp_err
http_server_start(const http_config *config, http_server **out_server, lp_problem *out_problem)
{
    LP_ASSERT(config->blobs != NULL && config->snapshots.request != NULL);
    http_server *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    http_shared *shared = &self->shared;
    shared->config = *config;
    shared->start_wall_ns = lp_time_now();
    shared->store.presence = config->presence;
    shared->store.is_shared = config->is_shared;
    shared->audit.log = config->audit;
    (void)pthread_mutex_init(&shared->audit.mutex, NULL); // Linux's cannot fail
    (void)pthread_mutex_init(&shared->attempts.mutex, NULL);
    (void)pthread_mutex_init(&shared->store.mutex, NULL);
    (void)pthread_mutex_init(&self->waiting.mutex, NULL);
    lp_err err = http_route_read_base(config->base_path, &self->base, out_problem);
    LP_THEN(err, http_links_check(&config->links, out_problem));
    LP_THEN(err, open_catalog(shared, out_problem));
    LP_THEN(err, start_threads(shared, out_problem));
    LP_THEN(err, serve(self, out_problem));
    if (err != LP_OK) {
        http_server_stop(self);
        return err;
    }
    *out_server = self;
    return LP_OK;
}

uint16_t
http_server_get_port(const http_server *self)
{
    LP_ASSERT(self->port != 0);
    return self->port;
}

void
http_server_set_ready(http_server *self, bool is_ready)
{
    atomic_store_explicit(&self->shared.is_ready, is_ready, memory_order_relaxed);
}

lp_err
http_server_set_agents(http_server *self, const char *url)
{
    char *copy = strdup(url);
    LP_REQUIRE(copy != NULL, LP_ENOMEM);
    char *earlier = atomic_exchange_explicit(&self->shared.agents_url, copy, memory_order_release);
    LP_ASSERT(earlier == NULL); // answers may be using it
    return LP_OK;
}

void
http_server_set_node_key(http_server *self, const char *key)
{
    atomic_store_explicit(&self->shared.node_key, key, memory_order_release);
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
    ask_service_stop(self->shared.asks);
    http_rewriter_stop(self->shared.rewriter); // after the last download is sent
    http_uploads_stop(self->shared.uploads);
    catalog_close(self->shared.store.catalog);
    access_logins_destroy(self->shared.callers.logins);
    (void)pthread_mutex_destroy(&self->shared.audit.mutex);
    (void)pthread_mutex_destroy(&self->shared.attempts.mutex);
    (void)pthread_mutex_destroy(&self->shared.store.mutex);
    (void)pthread_mutex_destroy(&self->waiting.mutex);
    free(atomic_load_explicit(&self->shared.agents_url, memory_order_relaxed));
    free(self);
}
