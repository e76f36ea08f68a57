// SPDX-License-Identifier: Apache-2.0

#include "collector/server/server.h"

#include "collector/base/metrics.h"
#include "collector/server/agent_protocol.h"
#include "collector/server/agent_socket.h"
#include "collector/server/chunk_queue.h"
#include "collector/server/data_dir.h"
#include "collector/server/recovery.h"
#include "collector/server/sessions.h"
#include "collector/server/snapshots.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

// Requests that are handled before timers and finished jobs get their turn.
enum { REQUESTS_PER_WAKE_MAX = 64 };

struct server {
    const char *agents_url; // to listen on; until server_start returns
    uint64_t idle_ms_max;
    data_dir *dir;
    catalog *catalog; // of the loop
    blobs *blobs;
    id_store ids;
    sessions *sessions;
    policy_dir *policies;
    size_t policies_unread; // as the metric has it
    agent_protocol protocol;
    chunk_queue queue;
    snapshots snapshots;

    uv_loop_t loop;
    uv_async_t wake;
    uv_timer_t tick;
    uint64_t saved_ms;
    bool has_loop;
    bool has_thread;
    pthread_t thread;

    pthread_mutex_t mutex; // guards what follows
    snapshots_request *first_request;
    snapshots_request **last_request; // where the next one goes
    uint64_t last_ticket;
    bool is_stopping;
};

// --- The loop

static void
wake_loop(void *arg)
{
    server *self = arg;
    (void)uv_async_send(&self->wake); // fails only on a handle of another kind
}

static void
on_batch(void *arg, session *s)
{
    server *self = arg;
    chunk_queue_consider(&self->queue, s);
}

static void
serve_snapshots(server *self)
{
    pthread_mutex_lock(&self->mutex);
    snapshots_request *request = self->first_request;
    self->first_request = NULL;
    self->last_request = &self->first_request;
    pthread_mutex_unlock(&self->mutex);
    while (request != NULL) {
        snapshots_request *next = request->next;
        snapshots_serve(&self->snapshots, request);
        request = next;
    }
}

// serve_agents handles up to count_max requests, and returns whether there may be more.
static bool
serve_agents(server *self, size_t count_max)
{
    for (size_t i = 0; i < count_max; i++) {
        agent_socket_request *request = agent_socket_take(self->protocol.socket);
        if (request == NULL) {
            return false;
        }
        agent_protocol_handle(&self->protocol, request, uv_now(&self->loop));
    }
    return true;
}

static void
save_one(void *arg, session *s)
{
    sessions_save(arg, s);
}

// close_loop starts the end: nothing comes in any more, and the loop runs until the last job is
// done.
static void
close_loop(server *self)
{
    if (self->protocol.socket != NULL) {
        agent_socket_stop(self->protocol.socket);
        (void)serve_agents(self, SIZE_MAX);
    }
    atomic_store_explicit(&self->queue.is_stopping, true, memory_order_relaxed);
    atomic_store_explicit(&self->snapshots.is_stopping, true, memory_order_relaxed);
    sessions_each(self->sessions, save_one, self->sessions);
    uv_close((uv_handle_t *)&self->tick, NULL);
    uv_close((uv_handle_t *)&self->wake, NULL);
}

static void
on_wake(uv_async_t *wake)
{
    server *self = wake->data;
    pthread_mutex_lock(&self->mutex);
    bool is_stopping = self->is_stopping;
    pthread_mutex_unlock(&self->mutex);

    serve_snapshots(self);
    if (is_stopping) {
        close_loop(self);
    } else if (serve_agents(self, REQUESTS_PER_WAKE_MAX)) {
        wake_loop(self);
    }
}

// look_at is the session's turn in a tick.
static void
look_at(void *arg, session *s)
{
    server *self = arg;
    uint64_t now_ms = uv_now(&self->loop);
    if (!s->has_ended && now_ms - s->heard_ms > self->idle_ms_max) {
        lp_log(LP_LOG_WARN, "session %s: silent for %llu s, it counts as ended", s->row.id,
            (unsigned long long)(self->idle_ms_max / 1000));
        s->has_ended = true;
    }
    if (now_ms - self->saved_ms >= SERVER_SAVE_MS) {
        sessions_save(self->sessions, s);
    }
    snapshots_forget(&self->snapshots, s);
    chunk_queue_consider(&self->queue, s); // may drop it
}

static void
look_at_policies(server *self)
{
    size_t unread = policy_dir_look(self->policies);
    metrics_add(METRICS_policies_unread, unread);
    metrics_sub(METRICS_policies_unread, self->policies_unread);
    self->policies_unread = unread;
}

static void
on_tick(uv_timer_t *tick)
{
    server *self = tick->data;
    if (self->policies != NULL) {
        look_at_policies(self);
    }
    sessions_each(self->sessions, look_at, self);
    if (uv_now(&self->loop) - self->saved_ms >= SERVER_SAVE_MS) {
        self->saved_ms = uv_now(&self->loop);
    }
}

static void *
run_loop(void *arg)
{
    server *self = arg;
    (void)uv_run(&self->loop, UV_RUN_DEFAULT); // until close_loop, and the last job
    return NULL;
}

// --- Start

static void
note_session(void *arg, const catalog_session *row)
{
    (void)row;
    *(bool *)arg = true;
}

static lp_err
open_ids(server *self, lp_problem *out_problem)
{
    bool has_sessions = false;
    char *path = data_dir_ids_path(self->dir);
    if (path == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    lp_err err = id_store_open(&self->ids, path, out_problem);
    free(path);
    if (err == LP_OK) {
        err = catalog_list(
            self->catalog, &(catalog_query){.count_max = 1}, note_session, &has_sessions);
    }
    if (err == LP_OK && !has_sessions) {
        id_index_set_whole(self->ids.index); // it will get all chunks that there will be
    }
    return err;
}

static lp_err
open_store(server *self, const char *path, lp_problem *out_problem)
{
    lp_err err = data_dir_open(path, &self->dir, out_problem);
    if (err != LP_OK) {
        return err;
    }
    char *catalog_path = data_dir_catalog_path(self->dir);
    char *blobs_path = data_dir_blobs_path(self->dir);
    if (catalog_path == NULL || blobs_path == NULL) {
        err = lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    } else if ((err = catalog_open(catalog_path, &self->catalog, out_problem)) == LP_OK &&
               (err = blobs_open(blobs_path, &self->blobs, out_problem)) == LP_OK &&
               (err = open_ids(self, out_problem)) == LP_OK) {
        self->sessions = sessions_create(self->dir, self->catalog);
        err = self->sessions == NULL ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
                                     : recovery_run(self->sessions, out_problem);
    }
    free(catalog_path);
    free(blobs_path);
    return err;
}

static lp_err
open_loop(server *self, lp_problem *out_problem)
{
    int failure = uv_loop_init(&self->loop);
    if (failure != 0) {
        goto fail;
    }
    self->wake.data = self;
    self->tick.data = self;
    if ((failure = uv_async_init(&self->loop, &self->wake, on_wake)) != 0) {
        (void)uv_loop_close(&self->loop);
        goto fail;
    }
    // These cannot fail on a new timer with a callback.
    (void)uv_timer_init(&self->loop, &self->tick);
    (void)uv_timer_start(&self->tick, on_tick, 0, SERVER_TICK_MS);
    self->saved_ms = uv_now(&self->loop);
    self->has_loop = true;
    return LP_OK;

fail:
    return lp_problem_set(out_problem, LP_EIO, "cannot make a loop: %s", uv_strerror(failure));
}

static void
note_start(void *arg, session *s)
{
    const server *self = arg;
    s->heard_ms = uv_now(&self->loop);
}

lp_err
server_create(const server_config *config, server **out_server, lp_problem *out_problem)
{
    server *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    pthread_mutex_init(&self->mutex, NULL);
    self->last_request = &self->first_request;
    self->idle_ms_max = config->idle_ms_max;
    self->policies = config->policies;
    self->agents_url = config->agents_url;
    lp_err err;
    if ((err = open_store(self, config->data_dir, out_problem)) != LP_OK ||
        (err = open_loop(self, out_problem)) != LP_OK) {
        server_destroy(self);
        return err;
    }
    sessions_each(self->sessions, note_start, self);
    self->queue = (chunk_queue){
        .loop = &self->loop,
        .sessions = self->sessions,
        .blobs = self->blobs,
        .policy = policy_file_get_rules(config->policy),
        .context_hold_ns = config->context_hold_ns,
        .services = config->services,
        .ids = &self->ids,
    };
    self->snapshots = (snapshots){
        .loop = &self->loop,
        .sessions = self->sessions,
        .policy = policy_file_get_rules(config->policy),
        .context_hold_ns = config->context_hold_ns,
        .kept_ms = config->snapshot_kept_ms,
    };
    self->protocol = (agent_protocol){
        .sessions = self->sessions,
        .policies = config->policies,
        .on_batch = on_batch,
        .arg = self,
    };
    *out_server = self;
    return LP_OK;
}

lp_err
server_start(server *self, lp_problem *out_problem)
{
    const agent_socket_config from = {
        .url = self->agents_url, .on_waiting = wake_loop, .arg = self};
    lp_err err = agent_socket_start(&from, &self->protocol.socket, out_problem);
    if (err != LP_OK) {
        return err;
    }
    if (pthread_create(&self->thread, NULL, run_loop, self) != 0) {
        return lp_problem_set(out_problem, LP_ENOMEM, "cannot start a thread");
    }
    self->has_thread = true;
    return LP_OK;
}

const char *
server_get_agents_url(const server *self)
{
    return agent_socket_get_url(self->protocol.socket);
}

const data_dir *
server_get_dir(const server *self)
{
    return self->dir;
}

blobs *
server_get_blobs(const server *self)
{
    return self->blobs;
}

const id_store *
server_get_ids(const server *self)
{
    return &self->ids;
}

// --- Snapshots

// pass_on passes a request to the loop, which takes it; false once the server is stopping.
static bool
pass_on(server *self, snapshots_request *request)
{
    pthread_mutex_lock(&self->mutex);
    bool is_stopping = self->is_stopping;
    if (!is_stopping) {
        *self->last_request = request; // in order: who cancels has asked before
        self->last_request = &request->next;
        wake_loop(self); // under the lock: once is_stopping is set the handle may be closed
    }
    pthread_mutex_unlock(&self->mutex);
    return !is_stopping;
}

static uint64_t
next_ticket(server *self)
{
    pthread_mutex_lock(&self->mutex);
    uint64_t ticket = ++self->last_ticket;
    pthread_mutex_unlock(&self->mutex);
    return ticket;
}

uint64_t
server_request_snapshot(server *self, const char *session_id, snapshot_kind kind,
    snapshot_receiver *on_snapshot, void *arg)
{
    uint64_t ticket = next_ticket(self);
    snapshots_request *request = calloc(1, sizeof(*request));
    if (request == NULL) {
        on_snapshot(arg, NULL);
        return ticket;
    }
    request->ticket = ticket;
    request->kind = kind;
    request->on_snapshot = on_snapshot;
    request->arg = arg;
    (void)snprintf(request->session_id, sizeof(request->session_id), "%s", session_id);
    if (!pass_on(self, request)) {
        free(request);
        on_snapshot(arg, snapshot_create(LP_ECLOSED));
    }
    return ticket;
}

void
server_cancel_snapshot(server *self, const char *session_id, uint64_t ticket)
{
    snapshots_request *request = calloc(1, sizeof(*request));
    if (request == NULL) {
        return; // then it is made for nobody
    }
    request->ticket = ticket;
    (void)snprintf(request->session_id, sizeof(request->session_id), "%s", session_id);
    if (!pass_on(self, request)) {
        free(request); // all that were asked for have been answered, or are while it stops
    }
}

// --- Stop

void
server_stop(server *self)
{
    pthread_mutex_lock(&self->mutex);
    self->is_stopping = true;
    wake_loop(self);
    pthread_mutex_unlock(&self->mutex);
    if (self->has_thread) {
        (void)pthread_join(self->thread, NULL);
    } else { // it was never started, or that failed
        (void)run_loop(self);
    }
}

void
server_destroy(server *self)
{
    if (self == NULL) {
        return;
    }
    sessions_destroy(self->sessions);
    agent_socket_destroy(self->protocol.socket);
    if (self->has_loop) {
        int failure = uv_loop_close(&self->loop);
        LP_ASSERT(failure == 0); // server_stop closed every handle
    }
    id_store_close(&self->ids);
    blobs_close(self->blobs);
    catalog_close(self->catalog);
    data_dir_close(self->dir);
    pthread_mutex_destroy(&self->mutex);
    free(self);
}
