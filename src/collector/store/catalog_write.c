// SPDX-License-Identifier: Apache-2.0
// The writing half of catalog.h.
//
// Tests: tests/unit/collector/store/test_catalog.c

#include "collector/store/catalog.h"
#include "collector/store/catalog_db.h"
#include "collector/store/catalog_ids.h"
#include "collector/store/catalog_losses.h"
#include "collector/store/catalog_rollups.h"
#include "common/base/lp_assert.h"

// bind_secret binds the hash of the session's secret, no bytes where it began without one.
static void
bind_secret(catalog_db_call *call, const catalog_session *session)
{
    if (session->secret == CATALOG_SECRET_UNKNOWN) {
        catalog_db_bind_null(call);
        return;
    }
    bool is_hashed = session->secret == CATALOG_SECRET_HASHED;
    catalog_db_bind_bytes(
        call, (lp_slice){session->secret_hash, is_hashed ? sizeof(session->secret_hash) : 0});
}

// put_row writes a session's row. *out_is_behind: the catalog's is of a later chunk, and stays.
static lp_err
put_row(catalog *self, const catalog_session *session, bool *out_is_behind)
{
    LP_ASSERT(session->service != NULL && session->instance != NULL);
    LP_ASSERT(session->jvm_name != NULL && session->jvm_version != NULL);

    catalog_db_call call;
    lp_err err = catalog_db_start(self, CATALOG_DB_PUT_SESSION, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, session->id);
    catalog_db_bind_text(&call, session->service);
    catalog_db_bind_text(&call, session->instance);
    catalog_db_bind_text(&call, session->jvm_name);
    catalog_db_bind_text(&call, session->jvm_version);
    catalog_db_bind_uint(&call, session->pid);
    catalog_db_bind_int(&call, session->start_wall_ns);
    catalog_db_bind_int(&call, session->end_wall_ns);
    catalog_db_bind_int(&call, session->is_ended ? 1 : 0);
    catalog_db_bind_uint(&call, session->next_chunk);
    catalog_db_bind_uint(&call, session->next_sequence);
    catalog_db_bind_uint(&call, session->totals.events_in);
    catalog_db_bind_uint(&call, session->totals.events_out);
    catalog_db_bind_uint(&call, session->totals.contexts_in);
    catalog_db_bind_uint(&call, session->totals.contexts_out);
    catalog_db_bind_uint(&call, session->totals.bytes_in);
    catalog_db_bind_uint(&call, session->totals.bytes_out);
    catalog_db_bind_uint(&call, session->totals.late_events);
    catalog_db_bind_uint(&call, session->contexts_dropped);
    catalog_db_bind_uint(&call, session->context_values_cut);
    catalog_db_bind_uint(&call, session->context_bytes_dropped);
    catalog_db_bind_uint(&call, session->chunk_bytes_dropped);
    catalog_db_bind_uint(&call, session->jfr_restarts);
    catalog_db_bind_uint(&call, session->totals.late_contexts);
    catalog_db_bind_int(&call, session->heard_wall_ns);
    catalog_db_bind_uint(&call, session->ended_how);
    catalog_db_bind_uint(&call, session->compacted_sequence);
    catalog_db_bind_uint(&call, session->batches_missing);
    catalog_db_bind_uint(&call, session->journal_bytes_missing);
    catalog_db_bind_uint(&call, session->expired_chunks);
    catalog_db_bind_int(&call, session->kept_wall_ns);
    bind_secret(&call, session);
    catalog_db_bind_text(&call, session->identity);
    catalog_db_bind_uint(&call, session->late_missing);
    uint64_t changed = 0;
    err = catalog_db_run_counted(&call, &changed);
    *out_is_behind = changed == 0;
    return err;
}

// put_session writes the session's row and losses, within a transaction.
static lp_err
put_session(catalog *self, const catalog_session *session)
{
    bool is_behind = false;
    lp_err err = put_row(self, session, &is_behind);
    return err == LP_OK && !is_behind ? catalog_losses_put(self, session) : err;
}

static void
bind_bounds(catalog_db_call *call, const rollup *of)
{
    if (of == NULL) {
        catalog_db_bind_null(call);
        catalog_db_bind_null(call);
        catalog_db_bind_null(call);
        catalog_db_bind_null(call);
        return;
    }
    catalog_db_bind_int(call, of->begin_min_ns);
    catalog_db_bind_int(call, of->commit_min_ns);
    catalog_db_bind_int(call, of->commit_max_ns);
    catalog_db_bind_int(call, of->has_period ? 1 : 0);
}

static lp_err
put_chunk(catalog *self, const catalog_session *session, const catalog_chunk *chunk)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(self, CATALOG_DB_PUT_CHUNK, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, session->id);
    catalog_db_bind_uint(&call, chunk->ordinal);
    catalog_db_bind_int(&call, chunk->start_wall_ns);
    catalog_db_bind_int(&call, chunk->duration_ns);
    catalog_db_bind_uint(&call, chunk->size_bytes);
    catalog_db_bind_uint(&call, chunk->content_hash);
    bind_bounds(&call, chunk->rollup);
    catalog_db_bind_uint(&call, chunk->stored_bytes);
    catalog_db_bind_text(&call, session->service);
    if (chunk->ids.is_left_out) {
        catalog_db_bind_null(&call);
    } else {
        catalog_db_bind_int(&call, chunk->ids.hour);
    }
    return catalog_db_run(&call);
}

// run_for_chunk runs a statement whose values are the session, the ordinal and, where it is not
// NULL, text.
static lp_err
run_for_chunk(catalog *self, catalog_db_statement which, const char *session_id, uint32_t ordinal,
    const char *text)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(self, which, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, ordinal);
    if (text != NULL) {
        catalog_db_bind_text(&call, text);
    }
    return catalog_db_run(&call);
}

static lp_err
put_types(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    static const struct {
        catalog_db_statement statement;
        bool has_types;
    } steps[] = {{CATALOG_DB_DROP_TYPES, false}, {CATALOG_DB_PUT_TYPES, true},
        {CATALOG_DB_DROP_DROPPED, false}, {CATALOG_DB_PUT_DROPPED, true}};
    lp_err err = LP_OK;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && err == LP_OK; i++) {
        err = run_for_chunk(self, steps[i].statement, session_id, chunk->ordinal,
            steps[i].has_types ? chunk->types_json : NULL);
    }
    return err;
}

lp_err
catalog_put_session(catalog *self, const catalog_session *session)
{
    return catalog_put_sessions(self, &session, 1);
}

lp_err
catalog_put_sessions(catalog *self, const catalog_session *const *all, size_t count)
{
    lp_err err = catalog_db_begin(self);
    if (err != LP_OK) {
        return err;
    }
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err = put_session(self, all[i]);
    }
    return catalog_db_end(self, err);
}

lp_err
catalog_add_chunk(
    catalog *self, const catalog_session *session, const catalog_chunk *chunk, lp_slice carry)
{
    LP_ASSERT(chunk->types_json != NULL);

    lp_err err = catalog_db_begin(self);
    if (err != LP_OK) {
        return err;
    }
    err = put_session(self, session);
    if (err == LP_OK) {
        err = put_chunk(self, session, chunk);
    }
    if (err == LP_OK) {
        err = put_types(self, session->id, chunk);
    }
    if (err == LP_OK) {
        err = catalog_rollups_put(self, session, chunk);
    }
    if (err == LP_OK) {
        err = catalog_ids_put(self, session->id, chunk);
    }
    if (err == LP_OK) {
        err = self->driver->put_carry(self, session->id, carry);
    }
    return catalog_db_end(self, err);
}

static lp_err
mark_chunk(catalog *self, const char *session_id, uint32_t ordinal, bool is_lost, bool *out_changed)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(self, CATALOG_DB_LOSE_CHUNK, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, ordinal);
    catalog_db_bind_int(&call, is_lost ? 1 : 0);
    uint64_t changed = 0;
    err = catalog_db_run_counted(&call, &changed);
    *out_changed = changed > 0;
    return err;
}

static lp_err
count_lost(catalog *self, const char *session_id, int64_t more)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(self, CATALOG_DB_ADD_LOSS, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_text(&call, catalog_loss_name(CATALOG_LOSS_CHUNKS_LOST));
    catalog_db_bind_int(&call, more);
    return catalog_db_run(&call);
}

lp_err
catalog_lose_chunk(
    catalog *self, const char *session_id, uint32_t ordinal, bool is_lost, bool *out_changed)
{
    bool is_changed = false;
    lp_err err = catalog_db_begin(self);
    if (err != LP_OK) {
        return err;
    }
    err = mark_chunk(self, session_id, ordinal, is_lost, &is_changed);
    if (err == LP_OK && is_changed) {
        err = count_lost(self, session_id, is_lost ? 1 : -1);
    }
    err = catalog_db_end(self, err);
    if (err == LP_OK) {
        *out_changed = is_changed;
    }
    return err;
}

static lp_err
size_chunk(catalog *self, const char *session_id, uint32_t ordinal, uint64_t stored_bytes)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(self, CATALOG_DB_SIZE_CHUNK, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, ordinal);
    catalog_db_bind_uint(&call, stored_bytes);
    return catalog_db_run(&call);
}

lp_err
catalog_size_chunk(catalog *self, const char *session_id, uint32_t ordinal, uint64_t stored_bytes)
{
    lp_err err = catalog_db_begin(self);
    if (err != LP_OK) {
        return err;
    }
    return catalog_db_end(self, size_chunk(self, session_id, ordinal, stored_bytes));
}
