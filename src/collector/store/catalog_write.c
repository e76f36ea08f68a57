// SPDX-License-Identifier: Apache-2.0
// The writing half of catalog.h.
//
// Tests: tests/unit/collector/store/test_catalog.c

#include "collector/store/catalog.h"
#include "collector/store/catalog_db.h"
#include "collector/store/catalog_rollups.h"
#include "common/base/lp_assert.h"

lp_err
catalog_put_session(catalog *self, const catalog_session *session)
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
    return catalog_db_run(&call);
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
put_chunk(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(self, CATALOG_DB_PUT_CHUNK, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, chunk->ordinal);
    catalog_db_bind_int(&call, chunk->start_wall_ns);
    catalog_db_bind_int(&call, chunk->duration_ns);
    catalog_db_bind_uint(&call, chunk->size_bytes);
    catalog_db_bind_uint(&call, chunk->content_hash);
    bind_bounds(&call, chunk->rollup);
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

static lp_err
put_carry(catalog *self, const char *session_id, lp_slice carry)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(self, CATALOG_DB_PUT_CARRY, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_bytes(&call, carry);
    return catalog_db_run(&call);
}

static lp_err
run_plain(catalog *self, catalog_db_statement which)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(self, which, &call);
    return err == LP_OK ? catalog_db_run(&call) : err;
}

lp_err
catalog_add_chunk(
    catalog *self, const catalog_session *session, const catalog_chunk *chunk, lp_slice carry)
{
    LP_ASSERT(chunk->types_json != NULL);

    lp_err err = run_plain(self, CATALOG_DB_BEGIN);
    if (err != LP_OK) {
        return err;
    }
    err = catalog_put_session(self, session);
    if (err == LP_OK) {
        err = put_chunk(self, session->id, chunk);
    }
    if (err == LP_OK) {
        err = put_types(self, session->id, chunk);
    }
    if (err == LP_OK) {
        err = catalog_rollups_put(self, session, chunk);
    }
    if (err == LP_OK) {
        err = put_carry(self, session->id, carry);
    }
    if (err == LP_OK) {
        err = run_plain(self, CATALOG_DB_COMMIT);
    }
    if (err != LP_OK) {
        // SQLite may have rolled back by itself, then this one fails and that is fine.
        lp_err ignored = run_plain(self, CATALOG_DB_ROLLBACK);
        (void)ignored;
    }
    return err;
}
