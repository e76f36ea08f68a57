// SPDX-License-Identifier: Apache-2.0
// server_tick: the regular checks of a server.
//
// Tests: tests/unit/collector/server/test_server_silence.c

#include "collector/base/metrics.h"
#include "collector/server/server.h"
#include "collector/server/server_parts.h"
#include "collector/session/session_log.h"
#include "collector/session/session_settle.h"
#include "collector/session/session_take.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
end_silently(server *self, session *s, catalog_ended how, const session_silence *silence)
{
    bool is_killed = how == CATALOG_ENDED_KILLED;
    LP_ASSERT(s->row.ended_how == CATALOG_ENDED_UNKNOWN && !session_has_ended(s));
    s->row.ended_how = how;
    s->is_unsaved = true;
    sessions_save(self->sessions, s);
    if (s->standing != SESSION_LOST) { // else its new owner reports it
        session_report_loss(s, CATALOG_LOSS_END_UNKNOWN, 1, "%s for %" PRIu64 " s",
            is_killed ? "its connection is gone" : "silent",
            (is_killed ? silence->gone_ms : silence->silent_ms) / 1000);
    }
}

// is_gone returns whether the session's agent had a connection, to this process or the one before
// it, and has none now.
static bool
is_gone(const server *self, const session *s)
{
    // With a log, sessions leave with their partitions.
    bool is_left = s->phase == SESSION_LEFT && self->log == NULL;
    return is_left || (s->connection != 0 && !s->is_connected);
}

static void
note_connection(server *self, session *s, uint64_t now_ms)
{
    if (s->is_connected && !agent_socket_is_connected(self->protocol.socket, s->connection)) {
        sessions_note_connected(self->sessions, s, false);
        s->gone_ms = now_ms;
    }
}

static void
look_for_end(server *self, session *s, uint64_t now_ms)
{
    session_check(s);
    const server_config *config = &self->config;
    const session_patience patience = {.gone_ms = config->killed_ms_max,
        .silent_ms = config->idle_ms_max,
        .linger_ms = config->linger_ms_max};
    const session_silence silence = {.ended_how = s->row.ended_how,
        .is_gone = is_gone(self, s),
        .gone_ms = now_ms - s->gone_ms,
        .silent_ms = now_ms - s->heard_ms};
    const session_verdict found = session_judge(&silence, &patience);
    if (found.ended_how != s->row.ended_how) {
        end_silently(self, s, found.ended_how, &silence);
        if (found.ended_how == CATALOG_ENDED_KILLED && s->standing == SESSION_OURS) {
            recall_note_killed(self->recall, &s->row);
        }
    }
    if (found.ended_how != CATALOG_ENDED_UNKNOWN && s->row.term != 0 &&
        self->tick_count % SERVER_SILENT_TICKS == 0) {
        s->is_unsaved = true; // only a write shows that another node took it
    }
    if (found.is_over) {
        session_enter(s, SESSION_ENDED);
    }
}

static void
look_at(void *arg, session *s)
{
    server *self = arg;
    uint64_t now_ms = uv_now(&self->loop);
    if (self->log != NULL && !log_route_is_current(self->log, s)) {
        s->heard_ms = now_ms; // its later batches wait in the log
    }
    note_connection(self, s, now_ms);
    if (!session_has_ended(s)) {
        look_for_end(self, s, now_ms);
    }
    uint64_t lack_ms = s->is_greeted ? self->config.lack_ms_max
                                     : self->config.idle_ms_max + self->config.linger_ms_max;
    if (session_get_lacking(s) != 0 && now_ms - s->heard_ms > lack_ms) {
        session_give_up_lack(s); // its agent does not resend
    }
    snapshots_forget(&self->snapshots, s);
    chunk_queue_consider(&self->queue, s); // may drop it
}

static void
look_at_policies(server *self)
{
    LP_ASSERT(self->config.policies != NULL);
    size_t unread = policy_dir_look(self->config.policies);
    metrics_add(METRICS_policies_unread, unread);
    metrics_sub(METRICS_policies_unread, self->counted.policies_unread);
    self->counted.policies_unread = unread;
}

// count adds the counts of other modules to the metrics.
static void
count(server *self)
{
    server_counted *before = &self->counted;
    const catalog_counts now = catalog_get_counts();
    const catalog_waits waits = catalog_waits_get();
    const uint64_t left_out = lp_ranges_count_left_out();
    metrics_add(METRICS_catalog_errors, now.errors - before->catalog.errors);
    metrics_add(METRICS_catalog_reconnects, now.reconnects - before->catalog.reconnects);
    metrics_add(METRICS_catalog_round_trips, waits.round_trips - before->waits.round_trips);
    metrics_add(
        METRICS_catalog_wait_ms, waits.waited_ns / 1000000 - before->waits.waited_ns / 1000000);
    metrics_add(METRICS_batch_ranges_left_out, left_out - before->ranges_left_out);
    before->catalog = now;
    before->waits = waits;
    before->ranges_left_out = left_out;
}

// look_for_faults tells readiness what keeps the server from accepting batches.
static void
look_for_faults(server *self)
{
    char text[320] = "";
    lp_problem problem;
    const bool is_away = catalog_probe(self->store.catalog) != LP_OK;
    const char *failure = catalog_get_failure(self->store.catalog);
    const char *log_fault = self->log == NULL ? NULL : log_route_get_fault(self->log);
    const int error = self->sessions->fault;
    const int log_error = sync_rounds_get_problem(self->rounds);
    const int journal_error = sync_rounds_get_failure(self->rounds);
    count(self);
    if (log_fault != NULL) {
        (void)snprintf(text, sizeof(text), "the log takes nothing: %s", log_fault);
    } else if (disk_reserve_explain(&self->reserve, &problem)) {
        (void)snprintf(text, sizeof(text), "%s", problem.text);
    } else if (log_error != 0) {
        (void)snprintf(text, sizeof(text), "cannot sync the catalog's log to the disk: %s",
            strerror(log_error));
    } else if (journal_error != 0) {
        (void)snprintf(
            text, sizeof(text), "cannot sync journals to the disk: %s", strerror(journal_error));
    } else if (is_away || error != 0) {
        (void)snprintf(text, sizeof(text), "cannot %s the catalog: %s", is_away ? "reach" : "write",
            failure[0] == '\0' ? strerror(error) : failure);
    }
    readiness_set_fault(self->readiness, text);
}

// look_for_left takes sessions of nodes that have stopped, if this node is in charge.
static void
look_for_left(server *self, bool is_in_charge)
{
    uint64_t now_ms = uv_now(&self->loop);
    LP_ASSERT(self->log == NULL); // else sessions leave with their partitions
    if (!is_in_charge || self->left_ms == 0) {
        // Other nodes may have been unreachable for as long as this one.
        self->left_ms = now_ms + self->config.linger_ms_max;
    } else if (now_ms >= self->left_ms) {
        self->left_ms = now_ms + lp_time_scale_ms(SERVER_LEFT_MS);
        session_take_left(self->sessions, self->config.linger_ms_max, now_ms);
    }
}

// look_at_nodes returns whether this node is in charge: so it is if it is the only one.
static bool
look_at_nodes(server *self)
{
    if (self->node == NULL) {
        return true;
    }
    node_tick(self->node, uv_now(&self->loop));
    bool is_in_charge = node_is_in_charge(self->node);
    agent_protocol_drain(&self->protocol, node_is_draining(self->node));
    retention_set_in_charge(self->retention, is_in_charge);
    if (self->log == NULL) {
        look_for_left(self, is_in_charge);
    }
    return is_in_charge;
}

static void
sum_up(server *self)
{
    char text[SESSION_LOG_TEXT_BYTES];
    if (session_log_sum(&self->sessions->log, uv_now(&self->loop), text)) {
        lp_log(LP_LOG_INFO, "%s", text);
    }
}

// look_at_files reads changed files, before they decide anything.
static void
look_at_files(server *self)
{
    LP_ASSERT(self->has_loop && self->store.blobs != NULL);
    if (self->config.policies != NULL) {
        look_at_policies(self);
    }
    if (self->protocol.access != NULL) {
        access_file_look(self->protocol.access);
    }
    if (self->config.tls != NULL) {
        tls_files_look(self->config.tls);
    }
    disk_reserve_look(&self->reserve);
}

static void
look_at_packs(server *self, bool is_in_charge)
{
    LP_ASSERT(self->has_loop && self->store.blobs != NULL);
    if (self->packs != NULL) {
        packs_tick(self->packs);
    }
    if (self->sweep != NULL && is_in_charge) {
        pack_sweep_tick(self->sweep);
    }
}

// look_at_sessions checks every session, and then lets the log's offsets follow.
static void
look_at_sessions(server *self)
{
    sessions_each(self->sessions, look_at, self);
    agent_protocol_look(&self->protocol, uv_now(&self->loop));
    if (self->log != NULL) {
        log_route_look(self->log);
    }
}

static void
tidy(server *self)
{
    sessions_tidy(self->sessions, uv_now(&self->loop));
    retention_tick(self->retention, lp_time_now());
    id_index_tick(self->store.ids, self->store.catalog, lp_time_now(), uv_now(&self->loop));
    day_quotas_tick(self->quotas, lp_time_now());
}

void
server_tick(uv_timer_t *tick)
{
    server *self = tick->data;
    server_check(self);
    look_at_files(self);
    bool is_in_charge = look_at_nodes(self);
    look_at_packs(self, is_in_charge);
    look_at_sessions(self);
    tidy(self);
    look_for_faults(self); // after all that may have failed
    sum_up(self);
    // One part per tick, because agents wait meanwhile.
    sessions_save_part(self->sessions, self->tick_count++ % SERVER_SAVE_TICKS, SERVER_SAVE_TICKS);
}
