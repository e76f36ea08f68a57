// SPDX-License-Identifier: Apache-2.0

#include "collector/server/server.h"

#include "collector/base/metrics.h"
#include "collector/server/agent_protocol.h"
#include "collector/server/agent_socket.h"
#include "collector/server/chunk_queue.h"
#include "collector/server/day_quotas.h"
#include "collector/server/disk_reserve.h"
#include "collector/server/left_sessions.h"
#include "collector/server/log_place.h"
#include "collector/server/log_route.h"
#include "collector/server/lost_chunks.h"
#include "collector/server/node.h"
#include "collector/server/pack_sweep.h"
#include "collector/server/packs.h"
#include "collector/server/readiness.h"
#include "collector/server/recovery.h"
#include "collector/server/retention.h"
#include "collector/server/server_store.h"
#include "collector/server/session_lack.h"
#include "collector/server/sessions.h"
#include "collector/server/snapshots.h"
#include "collector/store/catalog_waits.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

_Static_assert((int)LOG_URL_TITLE_BYTES <= (int)CATALOG_NODE_LOG_BYTES_MAX, "the catalog has it");

struct server {
    const char *agents_url; // to listen on; until server_start returns
    bool is_local;          // see agent_listener.h
    uint64_t idle_ms_max;
    uint64_t killed_ms_max;
    uint64_t linger_ms_max;
    uint64_t lack_ms_max;
    readiness *readiness;
    server_store store;
    catalog_counts catalog_counts; // as the metrics have them
    catalog_waits catalog_waits;   // the same
    const char *node_name;         // see server_config
    node *node;                    // NULL: nobody shares the catalog, or it has not joined yet
    // When sessions of others that are left are looked for next: not before this one has been in
    // charge for as long as they have to be left. 0: it has not looked who is.
    uint64_t left_ms;
    char *journals_path;
    char *damaged_path;
    sync_rounds *rounds;
    sessions *sessions;
    tls_files *tls; // NULL: none
    policy_dir *policies;
    size_t policies_unread; // as the metric has it
    agent_protocol protocol;
    const log_url *log_url; // until server_start returns; NULL: there is none
    char log_title[LOG_URL_TITLE_BYTES];
    log_route log; // closed: the same, or it was not started
    uint64_t sessions_peer_max;
    size_t incoming_bytes_max; // of messages of agents
    size_t tls_connections_max;
    memory_room memory; // of the jobs of these two
    char *data_path;
    disk_reserve reserve;
    day_quotas *quotas;
    retention *retention;
    packs *packs;      // NULL: each chunk is stored by itself
    pack_sweep *sweep; // NULL: no object has several chunks
    chunk_queue queue;
    snapshots snapshots;
    lost_chunks lost;

    bool is_marked; // run_mark_begin has written to the store's running_path

    uv_loop_t loop;
    uv_async_t wake;
    uv_timer_t tick;
    size_t tick_count;
    bool has_loop;
    bool has_thread;
    pthread_t thread;

    // Read by those who wake the loop, written by it to close wake: see side_work.c.
    pthread_rwlock_t closing;
    pthread_mutex_t mutex; // guards what follows
    snapshots_request *first_request;
    snapshots_request **last_request; // where the next one goes
    uint64_t last_ticket;
    bool is_stopping;
};

// --- The loop

static void
wake_loop(server *self)
{
    (void)uv_async_send(&self->wake); // fails only on a handle of another kind
}

// pass_on passes a request on to the loop, if it is not NULL, and wakes it. False: it is stopping.
static bool
pass_on(server *self, snapshots_request *request)
{
    (void)pthread_rwlock_rdlock(&self->closing);
    pthread_mutex_lock(&self->mutex);
    bool is_stopping = self->is_stopping;
    if (!is_stopping && request != NULL) {
        *self->last_request = request; // in order: who cancels has asked before
        self->last_request = &request->next;
    }
    pthread_mutex_unlock(&self->mutex);
    if (!is_stopping) { // else the handle may be closed
        wake_loop(self);
    }
    (void)pthread_rwlock_unlock(&self->closing);
    return !is_stopping;
}

// on_session is called when a session has got a batch, or its chunks were committed.
static void
on_session(void *arg, session *s)
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

static void
on_request(void *arg, agent_socket_request *request)
{
    server *self = arg;
    if (self->log.client != NULL) {
        log_front_handle(self->log.front, request, uv_now(&self->loop));
    } else {
        agent_protocol_handle(&self->protocol, request, uv_now(&self->loop));
    }
}

// close_loop starts the end: nothing comes in any more, and the loop runs until the last job is
// done.
static void
close_loop(server *self)
{
    if (self->protocol.socket != NULL) {
        agent_socket_stop(self->protocol.socket);
    }
    log_route_stop(&self->log);
    atomic_store_explicit(&self->queue.is_stopping, true, memory_order_relaxed);
    blobs_interrupt(self->store.blobs);
    if (self->sweep != NULL) {
        pack_sweep_stop(self->sweep);
    }
    if (self->packs != NULL) {
        packs_stop(self->packs);
    }
    if (self->store.ids.shared != NULL) {
        id_shared_interrupt(self->store.ids.shared);
    }
    snapshots_stop(&self->snapshots);
    sessions_save_part(self->sessions, 0, 1);
    day_quotas_save(self->quotas);
    uv_close((uv_handle_t *)&self->tick, NULL);
    (void)pthread_rwlock_wrlock(&self->closing);
    uv_close((uv_handle_t *)&self->wake, NULL);
    (void)pthread_rwlock_unlock(&self->closing);
}

static void
on_wake(uv_async_t *wake)
{
    server *self = wake->data;
    pthread_mutex_lock(&self->mutex);
    bool is_stopping = self->is_stopping;
    pthread_mutex_unlock(&self->mutex);

    serve_snapshots(self);
    lost_chunks_mark(&self->lost, self->sessions);
    if (is_stopping) {
        close_loop(self);
    }
}

// end_silently notes that a session, which has not said so, has ended, for all that is known.
static void
end_silently(server *self, session *s, catalog_ended how, const char *why, uint64_t ms)
{
    s->row.ended_how = how;
    s->is_unsaved = true;
    sessions_save(self->sessions, s);
    if (!s->is_lost) { // else another collector knows
        session_report_loss(s, CATALOG_LOSS_END_UNKNOWN, 1, "%s for %" PRIu64 " s", why, ms / 1000);
    }
}

// is_gone returns whether the session's agent had a connection, to this process or to the one
// before, and has none.
static bool
is_gone(const server *self, const session *s)
{
    bool is_left = s->is_left && self->log.client == NULL; // those of a log go with their partition
    return is_left || (s->connection != 0 && !s->is_connected);
}

// look_for_end finds out whether the session's JVM is still there.
static void
look_for_end(server *self, session *s)
{
    uint64_t now_ms = uv_now(&self->loop);
    uint64_t silent_ms = now_ms - s->heard_ms;
    if (s->is_connected && !agent_socket_is_connected(self->protocol.socket, s->connection)) {
        sessions_note_connected(self->sessions, s, false);
        s->gone_ms = now_ms;
    }
    if (s->has_ended) {
        return;
    }
    if (s->row.ended_how == CATALOG_ENDED_UNKNOWN) {
        if (is_gone(self, s) && now_ms - s->gone_ms > self->killed_ms_max) {
            end_silently(
                self, s, CATALOG_ENDED_KILLED, "its connection is gone", now_ms - s->gone_ms);
        } else if (silent_ms > self->idle_ms_max) {
            end_silently(self, s, CATALOG_ENDED_TIMED_OUT, "silent", silent_ms);
        }
    }
    if (s->row.ended_how != CATALOG_ENDED_UNKNOWN && s->row.term != 0 &&
        self->tick_count % SERVER_SILENT_TICKS == 0) {
        s->is_unsaved = true; // nothing else would say that it is another one's
    }
    if (s->row.ended_how != CATALOG_ENDED_UNKNOWN &&
        silent_ms > self->idle_ms_max + self->linger_ms_max) {
        s->has_ended = true;
    }
}

// look_at is the session's turn in a tick.
static void
look_at(void *arg, session *s)
{
    server *self = arg;
    uint64_t now_ms = uv_now(&self->loop);
    if (self->log.client != NULL && !log_worker_is_current(&self->log.worker, s)) {
        s->heard_ms = now_ms; // what it said since then waits in the log
    }
    look_for_end(self, s);
    uint64_t lack_ms = s->is_greeted ? self->lack_ms_max : self->idle_ms_max + self->linger_ms_max;
    if (s->lack.chunk != 0 && now_ms - s->heard_ms > lack_ms) {
        session_give_up_lack(s); // nobody is there to send it
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
count_waits(server *self)
{
    const catalog_waits now = catalog_waits_get();
    const catalog_waits *before = &self->catalog_waits;
    metrics_add(METRICS_catalog_round_trips, now.round_trips - before->round_trips);
    metrics_add(METRICS_catalog_wait_ms, now.waited_ns / 1000000 - before->waited_ns / 1000000);
    self->catalog_waits = now;
}

// look_at_catalog returns whether the catalog is there, and takes what is written.
static bool
look_at_catalog(server *self)
{
    const int error = sessions_get_fault(self->sessions);
    const bool is_away = catalog_probe(self->store.catalog) != LP_OK;
    const catalog_counts now = catalog_get_counts();
    metrics_add(METRICS_catalog_errors, now.errors - self->catalog_counts.errors);
    metrics_add(METRICS_catalog_reconnects, now.reconnects - self->catalog_counts.reconnects);
    self->catalog_counts = now;
    count_waits(self);
    if (!is_away && error == 0) {
        return true;
    }
    const char *failure = catalog_get_failure(self->store.catalog);
    char text[320];
    (void)snprintf(text, sizeof(text), "cannot %s the catalog: %s", is_away ? "reach" : "write",
        failure[0] == '\0' ? strerror(error) : failure);
    readiness_set_fault(self->readiness, text);
    return false;
}

// look_for_faults looks for what keeps batches from being accepted.
static void
look_for_faults(server *self)
{
    lp_problem problem;
    bool has_catalog = look_at_catalog(self);
    const char *away = self->log.client == NULL ? NULL : log_client_get_fault(self->log.client);
    if (away != NULL) {
        char text[320];
        (void)snprintf(text, sizeof(text), "the log takes nothing: %s", away);
        readiness_set_fault(self->readiness, text);
        return;
    }
    if (disk_reserve_explain(&self->reserve, &problem)) {
        readiness_set_fault(self->readiness, problem.text);
        return;
    }
    const struct {
        const char *what;
        int error;
    } faults[] = {
        {"the disk does not take the catalog's log", sync_rounds_get_problem(self->rounds)},
        {"the disk does not take journals", sync_rounds_get_failure(self->rounds)},
    };
    char text[160];
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (faults[i].error != 0) {
            (void)snprintf(text, sizeof(text), "%s: %s", faults[i].what, strerror(faults[i].error));
            readiness_set_fault(self->readiness, text);
            return;
        }
    }
    if (has_catalog) {
        readiness_set_fault(self->readiness, NULL);
    }
}

static void
look_at_nodes(server *self)
{
    uint64_t now_ms = uv_now(&self->loop);
    node_tick(self->node, now_ms);
    server_drain(self, node_is_draining(self->node));
    retention_set_in_charge(self->retention, node_is_in_charge(self->node));
    if (self->log.client != NULL) {
        return; // sessions go with their partitions
    }
    if (!node_is_in_charge(self->node) || self->left_ms == 0) {
        // Others may have been away for as long as this one.
        self->left_ms = now_ms + self->linger_ms_max;
    } else if (now_ms >= self->left_ms) {
        self->left_ms = now_ms + lp_time_scale_ms(SERVER_LEFT_MS);
        left_sessions_take(self->sessions, self->linger_ms_max, now_ms);
    }
}

// sum_up logs how many lines about sessions were too many to be logged at info.
static void
sum_up(server *self)
{
    char text[SESSION_LOG_TEXT_BYTES];
    if (session_log_sum(sessions_get_log(self->sessions), uv_now(&self->loop), text)) {
        lp_log(LP_LOG_INFO, "%s", text);
    }
}

static void
on_tick(uv_timer_t *tick)
{
    server *self = tick->data;
    if (self->policies != NULL) {
        look_at_policies(self);
    }
    if (self->protocol.access != NULL) {
        access_file_look(self->protocol.access);
    }
    if (self->tls != NULL) {
        tls_files_look(self->tls);
    }
    disk_reserve_look(&self->reserve);
    if (self->node != NULL) {
        look_at_nodes(self);
    }
    if (self->packs != NULL) {
        packs_tick(self->packs);
    }
    bool is_in_charge = self->node == NULL || node_is_in_charge(self->node);
    if (self->sweep != NULL && is_in_charge) {
        pack_sweep_tick(self->sweep);
    }
    sessions_each(self->sessions, look_at, self);
    if (self->log.client != NULL) {
        log_route_look(&self->log);
    }
    peers_forget(sessions_get_peers(self->sessions), uv_now(&self->loop));
    sessions_close_journals(self->sessions, uv_now(&self->loop));
    sessions_remove_journals(self->sessions); // those that somebody has read until now
    retention_tick(self->retention, lp_time_now());
    if (self->store.ids.shared != NULL) {
        id_shared_tick(
            self->store.ids.shared, self->store.catalog, lp_time_now(), uv_now(&self->loop));
    }
    day_quotas_tick(self->quotas, lp_time_now());
    look_for_faults(self);
    sum_up(self);
    // A part each time: what comes meanwhile waits for that.
    sessions_save_part(self->sessions, self->tick_count++ % SERVER_SAVE_TICKS, SERVER_SAVE_TICKS);
}

// end_run says that the run ends cleanly, when all is on the disk.
static void
end_run(server *self)
{
    if (!self->is_marked || !sync_rounds_is_synced(self->rounds)) {
        return;
    }
    if (run_mark_end(self->store.running_path) != LP_OK) {
        lp_log(LP_LOG_WARN, "cannot remove %s: %s", self->store.running_path, strerror(errno));
    }
    self->is_marked = false;
}

static void *
run_loop(void *arg)
{
    server *self = arg;
    (void)uv_run(&self->loop, UV_RUN_DEFAULT); // until close_loop, the last job, pack and answer
    if (self->packs != NULL) {
        packs_end(self->packs);
    }
    sync_rounds_stop(self->rounds);
    (void)uv_run(&self->loop, UV_RUN_DEFAULT); // until the last round, and what waited for it
    agent_socket_close(self->protocol.socket);
    (void)uv_run(&self->loop, UV_RUN_DEFAULT); // until its handles are closed
    end_run(self);
    return NULL;
}

static void
on_durable(void *arg, const char *session_id, uint64_t sequence)
{
    server *self = arg;
    session *s = sessions_find(self->sessions, session_id);
    bool is_here_alone = s != NULL && s->row.term == 0; // else session_note_stored notes it
    if (is_here_alone && s->durable_sequence < sequence) {
        s->durable_sequence = sequence;
    }
}

static void
on_damaged(void *arg, const char *session_id, const journal *file, uint64_t damaged_bytes)
{
    server *self = arg;
    session *s = sessions_find(self->sessions, session_id);
    if (s != NULL) { // else its compaction counts it
        session_note_damage(s, file, damaged_bytes);
        sessions_save(self->sessions, s);
    }
}

static void
on_round_end(void *arg, uint64_t round, bool is_catalog_durable)
{
    (void)round;
    server *self = arg;
    agent_protocol_release(&self->protocol);
    if (is_catalog_durable) {
        sessions_remove_journals(self->sessions);
        if (self->retention != NULL) {
            retention_remove_files(self->retention);
        }
    }
}

// --- Start

static lp_err
open_retention(server *self, const server_config *config, lp_problem *out_problem)
{
    const retention_config chosen = {
        .keep = config->keep,
        .policies = config->policies,
        .dir = self->store.dir,
        .catalog = self->store.catalog,
        .blobs = self->store.blobs,
        .sessions = self->sessions,
        .rounds = self->rounds,
        .ids = &self->store.ids,
    };
    lp_err err = retention_create(&chosen, &self->retention);
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: cannot find what there is: %s",
                              config->data_dir, lp_err_text(err));
}

static lp_err
open_quotas(server *self, const server_config *config, lp_problem *out_problem)
{
    lp_err err =
        day_quotas_create(self->store.catalog, config->policies, lp_time_now(), &self->quotas);
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(out_problem, err, "cannot read the catalog: %s", lp_err_text(err));
}

static lp_err
open_store(server *self, const server_config *config, lp_problem *out_problem)
{
    const server_store_config chosen = {
        .data_dir = config->data_dir,
        .catalog = config->catalog,
        .chunks = config->store,
        .is_shared = config->node != NULL,
    };
    lp_err err = server_store_open(&self->store, &chosen, out_problem);
    self->catalog_counts = catalog_get_counts();
    self->catalog_waits = catalog_waits_get();
    return err;
}

// open_sessions takes up those of the runs before.
static lp_err
open_sessions(server *self, const server_config *config, lp_problem *out_problem)
{
    const run_mark *before = &self->store.before;
    const recovery_config recovery = {
        .is_ending = config->is_ending,
        .arg = config->arg,
        .was_cut = before->was_cut,
        .has_tails = before->was_cut && !before->is_lossy,
    };
    self->sessions = sessions_create(self->store.dir, self->store.catalog);
    if (self->sessions == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    lp_err err = log_place_begin(self->store.dir, config->log, out_problem);
    if (err == LP_OK && config->log != NULL) { // sessions come with their partitions
        sessions_set_max(self->sessions, SESSIONS_LOG_MAX);
        return LP_OK;
    }
    if (err != LP_OK) {
        return err;
    }
    return recovery_run(self->sessions, &recovery, out_problem);
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
    (void)uv_timer_init(&self->loop, &self->tick); // cannot fail
    self->has_loop = true;
    return LP_OK;

fail:
    return lp_problem_set(out_problem, LP_EIO, "cannot make a loop: %s", uv_strerror(failure));
}

// on_lost is called on threads that read chunks.
static void
on_lost(void *arg, const char *session_id, uint32_t ordinal)
{
    server *self = arg;
    if (!lost_chunks_add(&self->lost, session_id, ordinal)) {
        return;
    }
    (void)pass_on(self, NULL); // if it is stopping, the next one who reads it says so again
}

// note_start begins the time of a session in this process, which does not know what of its journals
// is on the disk.
static void
note_start(void *arg, session *s)
{
    server *self = arg;
    s->heard_ms = s->gone_ms = uv_now(&self->loop);
    s->is_left = true;
    for (size_t i = 0; i < s->chunk_count && sync_rounds_admit(self->rounds) == LP_OK; i++) {
        sync_rounds_note(self->rounds, s->chunks[i].journal, s->row.id, s->row.next_sequence);
    }
}

static void
count_power_cut(void *arg, session *s)
{
    server *self = arg;
    if (!s->row.is_ended) {
        session_lose(s, CATALOG_LOSS_POWER_CUTS, 1,
            "the machine went down while the collector ran: what was not on its disk is missing");
        sessions_save(self->sessions, s);
    }
}

// begin_run counts the power cut that the run before ended with, and marks the directory.
static lp_err
begin_run(server *self, sync_mode mode, lp_problem *out_problem)
{
    const run_mark *before = &self->store.before;
    lp_err err = LP_OK;
    if (before->was_cut && before->is_lossy) {
        sessions_each(self->sessions, count_power_cut, self);
        err = catalog_sync(self->store.catalog);
    }
    if (err == LP_OK) { // what a killed process wrote may not be on the disk yet
        bool is_lossy = mode != SYNC_ALWAYS || (before->is_lossy && !before->was_cut);
        err = run_mark_begin(self->store.running_path, NULL, is_lossy);
    }
    if (err != LP_OK) {
        return lp_problem_set(
            out_problem, err, "cannot write %s: %s", self->store.running_path, lp_err_reason(err));
    }
    self->is_marked = true;
    return LP_OK;
}

static lp_err
open_rounds(server *self, sync_mode mode, lp_problem *out_problem)
{
    self->journals_path = data_dir_journals_path(self->store.dir);
    self->damaged_path = data_dir_damaged_dir(self->store.dir);
    if (self->journals_path == NULL || self->damaged_path == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    const sync_rounds_config config = {
        .loop = &self->loop,
        .mode = mode,
        .journals_path = self->journals_path,
        .damaged_path = self->damaged_path,
        .catalog = self->store.catalog,
        .blobs = self->store.blobs,
        .on_durable = on_durable,
        .on_damaged = on_damaged,
        .on_end = on_round_end,
        .arg = self,
    };
    lp_err err = sync_rounds_create(&config, &self->rounds, out_problem);
    if (err == LP_OK) {
        sessions_set_rounds(self->sessions, self->rounds);
        sessions_each(self->sessions, note_start, self);
    }
    return err;
}

static chunk_commit_to
commit_to(const server *self, const server_config *config)
{
    return (chunk_commit_to){.sessions = self->sessions,
        .ids = &self->store.ids,
        .retention = self->retention,
        .services = config->services};
}

static lp_err
open_packs(server *self, const server_config *config, lp_problem *out_problem)
{
    const packs_config chosen = {
        .loop = &self->loop,
        .blobs = self->store.blobs,
        .to = commit_to(self, config),
        .wait_ms = config->pack_ms,
        .on_session = on_session,
        .arg = self,
    };
    if (!blobs_has_objects(self->store.blobs)) {
        return LP_OK;
    }
    self->packs = config->pack_ms == 0 ? NULL : packs_create(&chosen);
    const pack_sweep_config looking = {
        .loop = &self->loop,
        .blobs = self->store.blobs,
        .catalog = self->store.catalog,
        .catalog_place = self->store.catalog_place,
        .packs = self->packs,
        .rounds = self->rounds,
    };
    self->sweep = pack_sweep_create(&looking);
    bool has_all = self->sweep != NULL && (self->packs != NULL || config->pack_ms == 0);
    return has_all ? LP_OK : lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
}

static lp_err
open_snapshots(server *self, lp_problem *out_problem)
{
    lp_err err = snapshots_open(&self->snapshots, &self->loop);
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(out_problem, err, "cannot start a thread: %s", lp_err_text(err));
}

static lp_err
open_readiness(server *self, lp_problem *out_problem)
{
    char *path = data_dir_tried_path(self->store.dir);
    self->readiness = path == NULL ? NULL : readiness_create(path);
    free(path);
    return self->readiness == NULL ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
                                   : LP_OK;
}

static void
set_options(server *self, const server_config *config)
{
    self->idle_ms_max = config->idle_ms_max;
    self->killed_ms_max = config->killed_ms_max;
    self->linger_ms_max = config->linger_ms_max;
    self->lack_ms_max = config->lack_ms_max;
    self->policies = config->policies;
    self->tls = config->tls;
    self->agents_url = config->agents_url;
    self->node_name = config->node;
    self->is_local = config->is_local;
    self->log_url = config->log;
    log_url_format(config->log, self->log_title);
    self->sessions_peer_max =
        config->sessions_peer_max > 0 ? config->sessions_peer_max : SESSIONS_PEER_MAX;
    self->incoming_bytes_max = (size_t)config->memory.received;
    self->tls_connections_max = (size_t)config->memory.tls_connections;
    self->memory = (memory_room){.bytes_max = config->memory.jobs};
}

// bind_parts tells the parts that are open of each other.
static void
bind_parts(server *self, const server_config *config)
{
    blobs_set_durable(self->store.blobs, config->sync != SYNC_NEVER);
    blobs_set_on_lost(self->store.blobs, on_lost, self);
    sessions_set_presence(self->sessions, config->presence);
    sessions_set_peer_max(self->sessions, self->sessions_peer_max);
    self->queue = (chunk_queue){
        .loop = &self->loop,
        .to = commit_to(self, config),
        .blobs = self->store.blobs,
        .packs = self->packs,
        .memory = &self->memory,
        .policy = policy_file_get_rules(config->policy),
        .context_hold_ns = config->context_hold_ns,
        .keeps_lost = config->log != NULL,
    };
    self->snapshots.sessions = self->sessions;
    self->snapshots.files = self->store.blobs;
    self->snapshots.memory = &self->memory;
    self->snapshots.room.bytes_max = config->memory.snapshots;
    self->snapshots.retention = self->retention;
    self->snapshots.policy = policy_file_get_rules(config->policy);
    self->snapshots.context_hold_ns = config->context_hold_ns;
    self->snapshots.kept_ms = config->snapshot_kept_ms;
    self->protocol = (agent_protocol){
        .sessions = self->sessions,
        .rounds = self->rounds,
        .reserve = &self->reserve,
        .quotas = self->quotas,
        .retention = self->retention,
        .policies = config->policies,
        .has_policy = config->policy != NULL,
        .access = config->access,
        .early_bytes_max = (size_t)config->memory.early,
        .on_batch = on_session,
        .arg = self,
    };
}

lp_err
server_create(const server_config *config, server **out_server, lp_problem *out_problem)
{
    server *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    pthread_rwlock_init(&self->closing, NULL);
    pthread_mutex_init(&self->mutex, NULL);
    lost_chunks_init(&self->lost);
    self->last_request = &self->first_request;
    set_options(self, config);
    self->data_path = strdup(config->data_dir);
    if (self->data_path == NULL) {
        server_destroy(self);
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    self->reserve = (disk_reserve){.path = self->data_path, .bytes = config->reserve_bytes};
    lp_err err;
    if ((err = open_store(self, config, out_problem)) != LP_OK ||
        (err = open_sessions(self, config, out_problem)) != LP_OK ||
        (err = open_quotas(self, config, out_problem)) != LP_OK ||
        (err = open_readiness(self, out_problem)) != LP_OK ||
        (err = open_loop(self, out_problem)) != LP_OK ||
        (err = open_snapshots(self, out_problem)) != LP_OK ||
        (err = open_rounds(self, config->sync, out_problem)) != LP_OK ||
        (err = begin_run(self, config->sync, out_problem)) != LP_OK ||
        (err = open_retention(self, config, out_problem)) != LP_OK ||
        (err = open_packs(self, config, out_problem)) != LP_OK) {
        if (self->has_loop) {
            server_stop(self);
        }
        server_destroy(self);
        return err;
    }
    bind_parts(self, config);
    *out_server = self;
    return LP_OK;
}

// --- Run

// open_log has batches go through the log, where there is one.
static lp_err
open_log(server *self, lp_problem *out_problem)
{
    if (self->log_url == NULL) {
        return LP_OK;
    }
    const log_route_config config = {
        .loop = &self->loop,
        .url = self->log_url,
        .journals = &self->protocol,
        .bytes_max = self->incoming_bytes_max,
        .peer_max = self->sessions_peer_max,
    };
    self->log_url = NULL;
    return log_route_open(&self->log, &config, out_problem);
}

lp_err
server_join(server *self, const char *http_url, lp_problem *out_problem)
{
    if (self->node_name == NULL) {
        return LP_OK;
    }
    self->snapshots.remote = remote_pending_create(self->store.blobs);
    return self->snapshots.remote == NULL
               ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
               : node_join(self->store.catalog, self->node_name, http_url, self->log_title,
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
    const agent_socket_config from = {
        .loop = &self->loop,
        .url = self->agents_url,
        .is_local = self->is_local,
        .tls = self->tls,
        .tls_connections_max = self->tls_connections_max,
        .bytes_max = self->incoming_bytes_max,
        .on_request = on_request,
        .arg = self,
    };
    lp_err err = agent_socket_start(&from, &self->protocol.socket, out_problem);
    err = err == LP_OK ? open_log(self, out_problem) : err;
    if (err != LP_OK) {
        return err;
    }
    catalog_hurry(self->store.catalog);
    // Not before: it needs all that server_create makes. It cannot fail on a timer with a callback.
    (void)uv_timer_start(&self->tick, on_tick, 0, lp_time_scale_ms(SERVER_TICK_MS));
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

const char *
server_get_catalog_place(const server *self)
{
    return self->store.catalog_place;
}

const data_dir *
server_get_dir(const server *self)
{
    return self->store.dir;
}

blobs *
server_get_blobs(const server *self)
{
    return self->store.blobs;
}

const id_store *
server_get_ids(const server *self)
{
    return &self->store.ids;
}

lp_err
server_check_ready(server *self, lp_problem *out_problem)
{
    return disk_reserve_explain(&self->reserve, out_problem)
               ? LP_EIO
               : readiness_check(self->readiness, out_problem);
}

// --- Snapshots

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

void
server_drain(server *self, bool is_drained)
{
    atomic_store_explicit(&self->protocol.is_drained, is_drained, memory_order_relaxed);
}

// --- Stop

void
server_stop(server *self)
{
    (void)pthread_rwlock_rdlock(&self->closing);
    pthread_mutex_lock(&self->mutex);
    self->is_stopping = true;
    pthread_mutex_unlock(&self->mutex);
    wake_loop(self);
    (void)pthread_rwlock_unlock(&self->closing);
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
    log_route_close(&self->log);
    agent_protocol_fini(&self->protocol);
    sync_rounds_destroy(self->rounds); // it has journals of the sessions
    packs_destroy(self->packs);        // so has this
    pack_sweep_destroy(self->sweep);
    sessions_destroy(self->sessions);
    free(self->journals_path);
    free(self->damaged_path);
    snapshots_close(&self->snapshots);
    readiness_destroy(self->readiness);
    agent_socket_destroy(self->protocol.socket);
    if (self->has_loop) {
        int failure = uv_loop_close(&self->loop);
        LP_ASSERT(failure == 0); // server_stop closed every handle
    }
    retention_destroy(self->retention);
    day_quotas_destroy(self->quotas);
    free(self->data_path);
    node_destroy(self->node);
    remote_pending_destroy(self->snapshots.remote);
    server_store_close(&self->store);
    pthread_mutex_destroy(&self->mutex);
    (void)pthread_rwlock_destroy(&self->closing);
    lost_chunks_fini(&self->lost);
    free(self);
}
