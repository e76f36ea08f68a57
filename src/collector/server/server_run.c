// SPDX-License-Identifier: Apache-2.0
// server_run: creates, starts and stops a server, and passes requests of other threads to its loop.
//
// Tests: tests/unit/collector/server/test_server.c

#include "collector/chunks/remote_pending.h"
#include "collector/server/server.h"
#include "collector/server/server_parts.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time_scale.h"

#include <stdio.h>
#include <stdlib.h>

lp_err
server_create(const server_config *config, server **out_server, lp_problem *out_problem)
{
    server *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    pthread_rwlock_init(&self->asked.closing, NULL);
    pthread_mutex_init(&self->asked.mutex, NULL);
    lost_chunks_init(&self->lost);
    self->asked.last = &self->asked.first;
    lp_err err = server_open(self, config, out_problem);
    if (err != LP_OK) {
        if (self->has_loop) {
            server_stop(self);
        }
        server_destroy(self);
        return err;
    }
    *out_server = self;
    return LP_OK;
}

// --- Run

static lp_err
open_log(server *self, lp_problem *out_problem)
{
    LP_ASSERT(self->log == NULL);
    if (self->config.log == NULL) {
        return LP_OK;
    }
    const log_route_config config = {
        .loop = &self->loop,
        .url = self->config.log,
        .door = &self->protocol,
        .journals = &self->journals,
        .bytes_max = (size_t)self->config.memory.received,
        .peer_max = self->config.sessions_peer_max,
    };
    self->config.log = NULL;
    return log_route_open(&config, &self->log, out_problem);
}

lp_err
server_join(server *self, const char *http_url, lp_problem *out_problem)
{
    server_check(self);
    if (self->config.node == NULL) {
        return LP_OK;
    }
    self->snapshots.remote = remote_pending_create(self->store.blobs);
    return self->snapshots.remote == NULL
               ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
               : node_join(self->store.catalog, self->config.node, http_url, self->log_title,
                     &self->node, out_problem);
}

const char *
server_get_node_key(const server *self)
{
    return self->node == NULL ? NULL : node_get_key(self->node);
}

lp_err
server_start(server *self, lp_problem *out_problem)
{
    server_check(self);
    LP_ASSERT(!self->has_thread);
    const agent_socket_config from = {
        .loop = &self->loop,
        .url = self->config.agents_url,
        .is_local = self->config.is_local,
        .tls = self->config.tls,
        .tls_connections_max = (size_t)self->config.memory.tls_connections,
        .bytes_max = (size_t)self->config.memory.received,
        .on_request = server_loop_on_request,
        .arg = self,
    };
    LP_TRY(agent_socket_start(&from, &self->protocol.socket, out_problem));
    LP_TRY(open_log(self, out_problem));
    catalog_hurry(self->store.catalog);
    // The timer needs all parts of server_create. Starting one with a callback cannot fail.
    (void)uv_timer_start(&self->tick, server_tick, 0, lp_time_scale_ms(SERVER_TICK_MS));
    LP_TRY(recall_start(self->recall, out_problem));
    LP_REQUIRE(pthread_create(&self->thread, NULL, server_loop_run, self) == 0,
        lp_problem_set(out_problem, LP_ENOMEM, "cannot start a thread"));
    self->has_thread = true;
    return LP_OK;
}

const char *
server_get_agents_url(const server *self)
{
    return agent_socket_get_url(self->protocol.socket);
}

const char *
server_get_catalog_place(const server *self)
{
    return self->store.catalog_place;
}

blobs *
server_get_blobs(const server *self)
{
    return self->store.blobs;
}

id_index *
server_get_ids(const server *self)
{
    return self->store.ids;
}

const recall *
server_get_recall(const server *self)
{
    server_check(self);
    return self->recall;
}

lp_err
server_check_ready(void *arg, lp_problem *out_problem)
{
    server *self = arg;
    server_check(self);
    return disk_reserve_explain(&self->reserve, out_problem)
               ? LP_EIO
               : readiness_check(self->readiness, out_problem);
}

// --- Snapshots

// pass_on passes a copy of a request for a session to the loop. Errors: LP_ENOMEM; LP_ECLOSED the
// server is stopping
static lp_err
pass_on(server *self, const char *session_id, const snapshots_request *from)
{
    server_check(self);
    snapshots_request *request = malloc(sizeof(*request));
    LP_REQUIRE(request != NULL, LP_ENOMEM);
    *request = *from;
    (void)snprintf(request->session_id, sizeof(request->session_id), "%s", session_id);
    if (!server_loop_pass_on(self, request)) {
        free(request);
        return LP_ECLOSED;
    }
    return LP_OK;
}

uint64_t
server_request_snapshot(
    void *of, const char *session_id, snapshot_kind kind, snapshot_receiver *on_snapshot, void *arg)
{
    server *self = of;
    pthread_mutex_lock(&self->asked.mutex);
    uint64_t ticket = ++self->asked.last_ticket;
    pthread_mutex_unlock(&self->asked.mutex);
    lp_err err = pass_on(self, session_id,
        &(snapshots_request){
            .ticket = ticket, .kind = kind, .on_snapshot = on_snapshot, .arg = arg});
    if (err != LP_OK) {
        on_snapshot(arg, err == LP_ENOMEM ? NULL : snapshot_create(err));
    }
    return ticket;
}

void
server_cancel_snapshot(void *of, const char *session_id, uint64_t ticket)
{
    // Without memory the snapshot is made in vain; a stopping server answers all requests.
    lp_err ignored = pass_on(of, session_id, &(snapshots_request){.ticket = ticket});
    (void)ignored;
}

void
server_drain(server *self, bool is_drained)
{
    agent_protocol_drain(&self->protocol, is_drained);
}

// --- Stop

void
server_stop(server *self)
{
    LP_ASSERT(self->has_loop);
    recall_stop_peers(self->recall);
    (void)pthread_rwlock_rdlock(&self->asked.closing);
    pthread_mutex_lock(&self->asked.mutex);
    self->asked.is_stopping = true;
    pthread_mutex_unlock(&self->asked.mutex);
    server_loop_wake(self);
    (void)pthread_rwlock_unlock(&self->asked.closing);
    if (self->has_thread) {
        (void)pthread_join(self->thread, NULL);
    } else { // server_start was not called, or failed
        (void)server_loop_run(self);
    }
}

static void
close_store(server_store *self, bool is_agreed)
{
    id_index_close(self->ids);
    blobs_close(self->blobs);
    catalog_close(self->catalog);
    free(self->catalog_place);
    if (is_agreed) {
        run_mark_note_end(
            self->running_path.text, data_dir_at(self->dir, DATA_DIR_CHUNKS_ENDED).text);
    }
    data_dir_close(self->dir);
}

void
server_destroy(server *self)
{
    if (self == NULL) {
        return;
    }
    log_route_close(self->log);
    agent_protocol_fini(&self->protocol);
    sync_rounds_destroy(self->rounds); // before the sessions: it has their journals
    packs_destroy(self->packs);        // it has journals as well
    pack_sweep_destroy(self->sweep);
    sessions_destroy(self->sessions);
    policy_cache_destroy(self->cache);
    snapshots_close(&self->snapshots);
    readiness_destroy(self->readiness);
    agent_socket_destroy(self->protocol.socket);
    if (self->has_loop) {
        int failure = uv_loop_close(&self->loop);
        LP_ASSERT(failure == 0); // server_stop closed every handle
    }
    retention_destroy(self->retention);
    recall_destroy(self->recall);
    day_quotas_destroy(self->quotas);
    free(self->data_path);
    node_destroy(self->node);
    remote_pending_destroy(self->snapshots.remote);
    close_store(&self->store, self->has_ended && self->config.is_compared);
    pthread_mutex_destroy(&self->asked.mutex);
    (void)pthread_rwlock_destroy(&self->asked.closing);
    lost_chunks_fini(&self->lost);
    free(self);
}
