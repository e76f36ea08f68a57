// SPDX-License-Identifier: Apache-2.0
// server_open: opens the parts of a server, in their order, and connects them.
//
// Tests: tests/unit/collector/server/test_server_restart.c

#include "collector/chunks/chunk_place.h"
#include "collector/cluster/data_place.h"
#include "collector/server/server_parts.h"
#include "collector/session/session_settle.h"
#include "collector/start/recovery.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <string.h>

// --- Store

static lp_err
fail_memory(lp_problem *out_problem)
{
    return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
}

static lp_err
explain(lp_err err, const char *what, lp_problem *out_problem)
{
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: %s", what, lp_err_text(err));
}

static void
note_session(void *arg, const catalog_session *row)
{
    (void)row;
    *(bool *)arg = true;
}

// open_catalog opens the catalog, and finds out whether it has recordings. A catalog in PostgreSQL
// may have recordings of another directory as well.
static lp_err
open_catalog(server_store *self, const server_config *config, bool *out_has_sessions,
    lp_problem *out_problem)
{
    LP_ASSERT(self->dir != NULL && self->catalog == NULL);
    bool is_file = config->catalog == NULL;
    *out_has_sessions = false;
    LP_TRY(data_place_check_catalog(self->dir, config->catalog, out_problem));
    self->catalog_place =
        strdup(is_file ? data_dir_at(self->dir, DATA_DIR_CATALOG).text : config->catalog);
    LP_REQUIRE(self->catalog_place != NULL, fail_memory(out_problem));
    if (config->node == NULL) {
        LP_TRY(catalog_open(self->catalog_place, &self->catalog, out_problem));
    } else {
        char id[CATALOG_NODE_ID_CHARS + 1];
        LP_TRY(node_read_id(self->dir, id, out_problem));
        LP_TRY(catalog_open_shared(self->catalog_place, id, &self->catalog, out_problem));
    }
    lp_err err = catalog_list(
        self->catalog, &(catalog_query){.count_max = 1}, note_session, out_has_sessions);
    LP_TRY(explain(err, "cannot read the catalog", out_problem));
    return is_file ? LP_OK
                   : data_place_begin_catalog(self->dir, config->catalog,
                         *out_has_sessions && config->store == NULL, out_problem);
}

static lp_err
open_chunks(server_store *self, const server_config *config, lp_problem *out_problem)
{
    LP_TRY(chunk_place_check(self->dir, config->store, out_problem));
    LP_TRY(blobs_open(data_dir_at(self->dir, DATA_DIR_CHUNKS).text, &self->blobs, out_problem));
    return config->store == NULL ? LP_OK : chunk_place_use(self->blobs, config->store, out_problem);
}

// open_index opens the index of ids. If the index is new and the catalog has recordings, the index
// lacks their ids.
static lp_err
open_index(server_store *self, const s3_url *chunks, bool has_sessions, lp_problem *out_problem)
{
    LP_ASSERT(self->catalog_place != NULL && self->ids == NULL);
    bool is_new = false;
    const data_path path = data_dir_at(self->dir, DATA_DIR_IDS);
    s3_client_config store;
    id_index_config config = {.dir = path.text, .catalog_place = self->catalog_place};
    if (chunks != NULL) {
        store = chunk_place_get_config(chunks);
        config.store = &store;
    }
    lp_err err = id_index_open(&config, &self->ids, &is_new, out_problem);
    if (err == LP_OK && chunks == NULL && is_new && has_sessions) {
        lp_log(LP_LOG_INFO,
            "%s: new index of ids; searches read the existing chunks until `loupe index --rebuild` "
            "has added them",
            path.text);
    }
    return err;
}

static lp_err
open_store(server *self, lp_problem *out_problem)
{
    LP_ASSERT(self->store.dir == NULL && self->store.catalog == NULL);
    const server_config *config = &self->config;
    server_store *store = &self->store;
    bool has_sessions;
    LP_TRY(data_dir_open(config->data_dir, &store->dir, out_problem));
    store->running_path = data_dir_at(store->dir, DATA_DIR_RUNNING);
    store->before = run_mark_look(store->running_path.text, NULL);
    LP_TRY(open_catalog(store, config, &has_sessions, out_problem));
    LP_TRY(open_chunks(store, config, out_problem));
    LP_TRY(open_index(store, config->store, has_sessions, out_problem));
    self->counted.catalog = catalog_get_counts();
    self->counted.waits = catalog_waits_get();
    return LP_OK;
}

// --- Sessions

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
    LP_ASSERT(self->sessions != NULL);
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

static lp_err
open_retention(server *self, lp_problem *out_problem)
{
    LP_ASSERT(self->store.catalog != NULL && self->retention == NULL);
    const retention_config chosen = {
        .keep = self->config.keep,
        .policies = self->config.policies,
        .dir = self->store.dir,
        .catalog = self->store.catalog,
        .blobs = self->store.blobs,
        .sessions = self->sessions,
        .rounds = self->rounds,
    };
    return explain(retention_create(&chosen, &self->retention), "cannot list the stored recordings",
        out_problem);
}

// create_recall lists the raw data, as sessions need it.
static lp_err
create_recall(server *self, lp_problem *out_problem)
{
    LP_ASSERT(self->store.catalog != NULL && self->recall == NULL);
    const recall_config chosen = {
        .keep_ns = self->config.recall_ns,
        .age_ns = self->config.keep.age_ns,
        .bytes_max = self->config.recall_bytes_max,
        .trace_wait_ns = (int64_t)self->config.trace_wait_ms * 1000000,
        .policies = self->config.policies,
        .dir = self->store.dir,
        .catalog = self->store.catalog,
        .catalog_place = self->store.catalog_place,
    };
    return recall_create(&chosen, &self->recall, out_problem);
}

static lp_err
open_recall(server *self, lp_problem *out_problem)
{
    LP_ASSERT(self->has_loop && self->retention != NULL);
    const recall_host host = {
        .loop = &self->loop,
        .sessions = self->sessions,
        .blobs = self->store.blobs,
        .retention = self->retention,
        .memory = &self->memory,
        .ids = self->store.ids,
        .policy = policy_file_get_rules(self->config.policy),
    };
    return recall_open(self->recall, &host, out_problem);
}

static lp_err
open_sessions(server *self, lp_problem *out_problem)
{
    LP_ASSERT(self->store.catalog != NULL && self->sessions == NULL);
    const run_mark *before = &self->store.before;
    const recovery_config recovery = {
        .is_ending = self->config.is_ending,
        .arg = self->config.arg,
        .was_cut = before->was_cut,
        .has_tails = before->was_cut && !before->is_lossy,
        .cache = self->cache,
    };
    self->sessions = sessions_create(self->store.dir, self->store.catalog);
    LP_REQUIRE(self->sessions != NULL, fail_memory(out_problem));
    self->sessions->raw = (sessions_raw){.take = recall_take, .arg = self->recall};
    LP_TRY(data_place_begin_log(self->store.dir, self->config.log, out_problem));
    if (self->config.log != NULL) { // the partitions bring their sessions
        self->sessions->max = SESSIONS_LOG_MAX;
        return LP_OK;
    }
    return recovery_run(self->sessions, &recovery, out_problem);
}

static lp_err
open_loop(server *self, lp_problem *out_problem)
{
    LP_ASSERT(!self->has_loop);
    int failure = uv_loop_init(&self->loop);
    if (failure != 0) {
        goto fail;
    }
    self->wake.data = self;
    self->tick.data = self;
    if ((failure = uv_async_init(&self->loop, &self->wake, server_loop_on_wake)) != 0) {
        (void)uv_loop_close(&self->loop);
        goto fail;
    }
    (void)uv_timer_init(&self->loop, &self->tick); // cannot fail
    self->has_loop = true;
    return LP_OK;

fail:
    return lp_problem_set(
        out_problem, LP_EIO, "cannot create the event loop: %s", uv_strerror(failure));
}

// on_lost is called on threads that read chunks.
static void
on_lost(void *arg, const char *session_id, uint32_t ordinal)
{
    server *self = arg;
    server_check(self);
    if (!lost_chunks_add(&self->lost, session_id, ordinal)) {
        return;
    }
    (void)server_loop_pass_on(
        self, NULL); // if the server is stopping, the next reader reports the chunk again
}

// note_start begins the times of a recovered session. Its journals may not be on the disk yet.
static void
note_start(void *arg, session *s)
{
    server *self = arg;
    LP_ASSERT(self->rounds != NULL);
    s->heard_ms = s->gone_ms = uv_now(&self->loop);
    if (!session_has_ended(s)) {
        session_enter(s, SESSION_LEFT);
    }
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
            "the machine went down while the collector ran: data not yet on its disk is missing");
        sessions_save(self->sessions, s);
    }
}

// begin_run counts the power cut that ended the last run, if one did, and marks the directory.
static lp_err
begin_run(server *self, lp_problem *out_problem)
{
    LP_ASSERT(!self->is_marked);
    const run_mark *before = &self->store.before;
    lp_err err = LP_OK;
    if (before->was_cut && before->is_lossy) {
        sessions_each(self->sessions, count_power_cut, self);
        err = catalog_sync(self->store.catalog);
    }
    if (err == LP_OK) { // the writes of a killed process may not be on the disk yet
        bool is_lossy = self->config.sync != SYNC_ALWAYS || (before->is_lossy && !before->was_cut);
        err = run_mark_begin(self->store.running_path.text, NULL, is_lossy);
    }
    LP_REQUIRE(err == LP_OK, lp_problem_set(out_problem, err, "cannot write %s: %s",
                                 self->store.running_path.text, lp_err_reason(err)));
    self->is_marked = true;
    return LP_OK;
}

static lp_err
open_rounds(server *self, lp_problem *out_problem)
{
    LP_ASSERT(self->has_loop && self->sessions != NULL);
    self->journals_path = data_dir_at(self->store.dir, DATA_DIR_JOURNALS);
    self->damaged_path = data_dir_at(self->store.dir, DATA_DIR_DAMAGED);
    const sync_rounds_config chosen = {
        .loop = &self->loop,
        .mode = self->config.sync,
        .journals_path = self->journals_path.text,
        .damaged_path = self->damaged_path.text,
        .catalog = self->store.catalog,
        .blobs = self->store.blobs,
        .on_durable = on_durable,
        .on_damaged = on_damaged,
        .on_end = on_round_end,
        .arg = self,
    };
    lp_err err = sync_rounds_create(&chosen, &self->rounds, out_problem);
    if (err == LP_OK) {
        self->sessions->rounds = self->rounds;
        sessions_each(self->sessions, note_start, self);
    }
    return err;
}

static chunk_commit_to
commit_to(server *self)
{
    return (chunk_commit_to){.sessions = self->sessions,
        .ids = self->store.ids,
        .retention = self->retention,
        .services = self->config.services,
        .feed = self->config.feed,
        .unmet = &self->unmet,
        .seal = recall_get_seal(self->recall)};
}

static lp_err
open_packs(server *self, lp_problem *out_problem)
{
    const packs_config chosen = {
        .loop = &self->loop,
        .blobs = self->store.blobs,
        .to = commit_to(self),
        .wait_ms = self->config.pack_ms,
        .on_session = server_loop_on_session,
        .arg = self,
    };
    if (!blobs_has_objects(self->store.blobs)) {
        return LP_OK;
    }
    self->packs = self->config.pack_ms == 0 ? NULL : packs_create(&chosen);
    const pack_sweep_config looking = {
        .loop = &self->loop,
        .blobs = self->store.blobs,
        .catalog = self->store.catalog,
        .catalog_place = self->store.catalog_place,
        .packs = self->packs,
        .rounds = self->rounds,
    };
    self->sweep = pack_sweep_create(&looking);
    bool has_all = self->sweep != NULL && (self->packs != NULL || self->config.pack_ms == 0);
    return has_all ? LP_OK : fail_memory(out_problem);
}

static void
bind_parts(server *self)
{
    const server_config *config = &self->config;
    blobs_set_durable(self->store.blobs, config->sync != SYNC_NEVER);
    blobs_set_on_lost(self->store.blobs, on_lost, self);
    self->sessions->presence = config->presence;
    self->sessions->peers.held_max = self->config.sessions_peer_max;
    self->queue = (chunk_queue){
        .loop = &self->loop,
        .to = commit_to(self),
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
        .rounds = self->rounds,
        .quotas = self->quotas,
        .retention = self->retention,
        .policies = config->policies,
        .access = config->access,
        .early_bytes_max = (size_t)config->memory.early,
    };
    self->journals = (journal_sink){
        .sessions = self->sessions,
        .rounds = self->rounds,
        .reserve = &self->reserve,
        .policies = config->policies,
        .has_policy = config->policy != NULL,
        .cache = self->cache,
        .on_batch = server_loop_on_session,
        .arg = self,
    };
    journal_sink_bind(&self->journals, &self->protocol);
}

lp_err
server_open(server *self, const server_config *config, lp_problem *out_problem)
{
    self->config = *config;
    if (self->config.sessions_peer_max == 0) {
        self->config.sessions_peer_max = SESSIONS_PEER_MAX;
    }
    log_url_format(config->log, self->log_title);
    self->memory = (memory_room){.bytes_max = config->memory.jobs};
    self->data_path = strdup(config->data_dir);
    self->cache = policy_cache_create(config->memory.policies);
    LP_REQUIRE(self->data_path != NULL && self->cache != NULL, fail_memory(out_problem));
    LP_TRY(open_store(self, out_problem));
    LP_TRY(create_recall(self, out_problem));
    self->reserve = (disk_reserve){.path = self->data_path,
        .bytes = config->reserve_bytes,
        .relieve = recall_relieve,
        .arg = self->recall};
    LP_TRY(open_sessions(self, out_problem));
    LP_TRY(explain(
        day_quotas_create(self->store.catalog, config->policies, lp_time_now(), &self->quotas),
        "cannot read the catalog", out_problem));
    self->readiness = readiness_create(data_dir_at(self->store.dir, DATA_DIR_JOURNAL_TRIED).text);
    LP_REQUIRE(self->readiness != NULL, fail_memory(out_problem));
    LP_TRY(open_loop(self, out_problem));
    LP_TRY(explain(
        snapshots_open(&self->snapshots, &self->loop), "cannot start a thread", out_problem));
    LP_TRY(open_rounds(self, out_problem));
    LP_TRY(begin_run(self, out_problem));
    LP_TRY(open_retention(self, out_problem));
    LP_TRY(open_packs(self, out_problem));
    LP_TRY(open_recall(self, out_problem));
    bind_parts(self);
    self->config.data_dir = NULL; // borrowed until now
    self->config.store = NULL;
    self->config.catalog = NULL;
    server_check(self);
    return LP_OK;
}
