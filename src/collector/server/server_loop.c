// SPDX-License-Identifier: Apache-2.0
// server_loop: what the loop of a server does when it is woken, and how it ends.
//
// Tests: tests/unit/collector/server/test_server.c

#include "collector/server/server_parts.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <string.h>

void
server_check(const server *self)
{
    const server_store *store = &self->store;
    LP_ASSERT(store->dir != NULL && store->catalog != NULL && store->catalog_place != NULL);
    LP_ASSERT(store->blobs != NULL && store->ids != NULL);
    LP_ASSERT(self->sessions != NULL && self->rounds != NULL && self->retention != NULL);
    LP_ASSERT(self->quotas != NULL && self->readiness != NULL && self->has_loop);
    LP_ASSERT(self->recall != NULL);
}

void
server_loop_wake(server *self)
{
    LP_ASSERT(self->has_loop);
    (void)uv_async_send(&self->wake); // fails only on a handle of another kind
}

bool
server_loop_pass_on(server *self, snapshots_request *request)
{
    (void)pthread_rwlock_rdlock(&self->asked.closing);
    pthread_mutex_lock(&self->asked.mutex);
    bool is_stopping = self->asked.is_stopping;
    if (!is_stopping && request != NULL) {
        *self->asked.last = request; // in order, because a cancellation follows its request
        self->asked.last = &request->next;
    }
    pthread_mutex_unlock(&self->asked.mutex);
    if (!is_stopping) { // a stopping loop may have closed the handle
        server_loop_wake(self);
    }
    (void)pthread_rwlock_unlock(&self->asked.closing);
    return !is_stopping;
}

void
server_loop_on_session(void *arg, session *s)
{
    server *self = arg;
    server_check(self);
    chunk_queue_consider(&self->queue, s);
}

static void
serve_snapshots(server *self)
{
    pthread_mutex_lock(&self->asked.mutex);
    snapshots_request *request = self->asked.first;
    self->asked.first = NULL;
    self->asked.last = &self->asked.first;
    pthread_mutex_unlock(&self->asked.mutex);
    while (request != NULL) {
        snapshots_request *next = request->next;
        snapshots_serve(&self->snapshots, request);
        request = next;
    }
}

void
server_loop_on_request(void *arg, agent_socket_request *request)
{
    server *self = arg;
    server_check(self);
    agent_protocol_handle(&self->protocol, request, uv_now(&self->loop));
}

// close_loop closes all inputs. The loop runs on until the last job is done.
static void
close_loop(server *self)
{
    if (self->protocol.socket != NULL) {
        agent_socket_stop(self->protocol.socket);
    }
    log_route_stop(self->log);
    atomic_store_explicit(&self->queue.is_stopping, true, memory_order_relaxed);
    blobs_interrupt(self->store.blobs);
    if (self->sweep != NULL) {
        pack_sweep_stop(self->sweep);
    }
    recall_stop(self->recall);
    if (self->packs != NULL) {
        packs_stop(self->packs);
    }
    id_index_interrupt(self->store.ids);
    snapshots_stop(&self->snapshots);
    sessions_save_part(self->sessions, 0, 1);
    day_quotas_save(self->quotas);
    uv_close((uv_handle_t *)&self->tick, NULL);
    (void)pthread_rwlock_wrlock(&self->asked.closing);
    uv_close((uv_handle_t *)&self->wake, NULL);
    (void)pthread_rwlock_unlock(&self->asked.closing);
}

void
server_loop_on_wake(uv_async_t *wake)
{
    server *self = wake->data;
    LP_ASSERT(self->has_loop);
    pthread_mutex_lock(&self->asked.mutex);
    bool is_stopping = self->asked.is_stopping;
    pthread_mutex_unlock(&self->asked.mutex);

    serve_snapshots(self);
    lost_chunks_mark(&self->lost, self->sessions);
    if (is_stopping) {
        close_loop(self);
    }
}

// end_run marks the run as ended cleanly, if everything is on the disk.
static void
end_run(server *self)
{
    if (!self->is_marked || !sync_rounds_is_synced(self->rounds)) {
        return;
    }
    self->has_ended = run_mark_end(self->store.running_path.text) == LP_OK;
    if (!self->has_ended) {
        lp_log(LP_LOG_WARN, "cannot remove %s: %s", self->store.running_path.text, strerror(errno));
    }
    self->is_marked = false;
}

void *
server_loop_run(void *arg)
{
    server *self = arg;
    LP_ASSERT(self->has_loop);
    (void)uv_run(&self->loop, UV_RUN_DEFAULT); // until close_loop, and the last job, pack and
                                               // answer
    if (self->packs != NULL) {
        packs_end(self->packs);
    }
    sync_rounds_stop(self->rounds);
    (void)uv_run(&self->loop, UV_RUN_DEFAULT); // until the last round, and its callbacks
    agent_socket_close(self->protocol.socket);
    (void)uv_run(&self->loop, UV_RUN_DEFAULT); // until the socket's handles are closed
    end_run(self);
    return NULL;
}
