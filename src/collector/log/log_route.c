// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_route.h"

static void
on_delivered(void *arg, void *tag, const char *failure)
{
    log_route *self = arg;
    log_front_end(self->front, tag, failure);
}

static bool
on_record(void *arg, const log_client_record *record)
{
    log_route *self = arg;
    return log_worker_take(&self->worker, record, uv_now(self->loop));
}

static void
on_assigned(void *arg, int32_t partition)
{
    log_route *self = arg;
    log_worker_begin(&self->worker, partition);
}

static void
on_revoked(void *arg, int32_t partition)
{
    log_route *self = arg;
    log_worker_end(&self->worker, partition);
}

static uint64_t
find_connection(void *arg, const char *session_id)
{
    log_route *self = arg;
    return log_front_find_connection(self->front, session_id);
}

static void
on_unknown(void *arg, const char *session_id)
{
    log_route *self = arg;
    log_front_forget(self->front, session_id);
}

lp_err
log_route_open(log_route *self, const log_route_config *config, lp_problem *out_problem)
{
    const log_client_config client = {
        .loop = config->loop,
        .url = config->url,
        .bytes_max = config->bytes_max,
        .on_delivered = on_delivered,
        .on_record = on_record,
        .on_assigned = on_assigned,
        .on_revoked = on_revoked,
        .arg = self,
    };
    self->loop = config->loop;
    lp_err err = log_client_open(&client, &self->client, out_problem);
    if (err != LP_OK) {
        return err;
    }
    agent_protocol *journals = config->journals;
    const log_front_config front = {
        .socket = journals->socket,
        .log = self->client,
        .sessions = journals->sessions,
        .retention = journals->retention,
        .access = journals->access,
        .policies = journals->policies,
        .quotas = journals->quotas,
        .early_bytes_max = journals->early_bytes_max,
        .peer_max = config->peer_max,
        .is_drained = &journals->is_drained,
    };
    self->front = log_front_create(&front);
    if (self->front == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    log_worker_init(&self->worker, journals, self->client);
    self->worker.find_connection = find_connection;
    self->worker.on_unknown = on_unknown;
    self->worker.arg = self;
    return log_client_start(self->client, out_problem);
}

void
log_route_look(log_route *self)
{
    uint64_t now_ms = uv_now(self->loop);
    const atomic_bool *is_drained = &self->worker.journals->is_drained;
    log_client_set_member(self->client, !atomic_load_explicit(is_drained, memory_order_relaxed));
    log_front_look(self->front, now_ms);
    log_worker_tick(&self->worker, now_ms);
    log_client_look(self->client);
}

void
log_route_stop(log_route *self)
{
    log_client_stop(self->client);
}

void
log_route_close(log_route *self)
{
    log_front_destroy(self->front);
    log_client_destroy(self->client);
    log_worker_fini(&self->worker);
}
