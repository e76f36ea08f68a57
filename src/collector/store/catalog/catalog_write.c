// SPDX-License-Identifier: Apache-2.0
// The writing half of catalog.h.
//
// Tests: tests/unit/collector/store/catalog/test_catalog.c, test_catalog_objects.c

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_ids.h"
#include "collector/store/catalog/catalog_losses.h"
#include "collector/store/catalog/catalog_objects.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "common/base/lp_assert.h"

#include <string.h>

enum { HELD_AT_ONCE = 16 }; // sessions

// Values are bound one after the other.
enum {
    ID_NUMBER = 1,
#define COLUMN(number, kind, name, field) NUMBER_##name,
    CATALOG_SESSION_COLUMNS(COLUMN)
#undef COLUMN
};
#define COLUMN(number, kind, name, field)                                                          \
    _Static_assert(NUMBER_##name == (number), "one more than the one above it");
CATALOG_SESSION_COLUMNS(COLUMN)
#undef COLUMN

// These bind a column of a session's row by its kind.

static void
bind_text(catalog_db_call *call, const char *text)
{
    catalog_db_bind_text(call, text == NULL ? "" : text);
}

#define BIND_text(session, field)     bind_text(call, (session)->field)
#define BIND_number(session, field)   catalog_db_bind_uint(call, (uint64_t)(session)->field)
#define BIND_ended(session, field)    BIND_number(session, field)
#define BIND_kept(session, field)     BIND_number(session, field)
#define BIND_identity(session, field) bind_text(call, (session)->field)
#define BIND_flag(session, field)     BIND_number(session, field)
#define BIND_ranges(session, field)   catalog_db_bind_bytes(call, lp_ranges_bytes(&(session)->field))
#define BIND_secret(session, field)   bind_secret(call, session)

// bind_secret binds no bytes where the session began without one.
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

// start_row starts a call that writes a session's row, and changes none where the catalog's is of a
// later chunk.
static void
start_row(catalog *self, const catalog_session *session, catalog_db_call *call)
{
    LP_ASSERT(session->service != NULL && session->instance != NULL);
    LP_ASSERT(session->jvm_name != NULL && session->jvm_version != NULL);

    catalog_db_start(self, CATALOG_DB_PUT_SESSION, call);
    catalog_db_bind_text(call, session->id);
#define BIND(number, kind, name, field) BIND_##kind(session, field);
    CATALOG_SESSION_COLUMNS(BIND)
#undef BIND
}

// start_hold starts a call that has the session stay that of its owner to the end of the
// transaction. end_hold ends it. Errors: LP_ECLOSED it is of another one
static void
start_hold(catalog *self, const catalog_session *session, catalog_db_call *out_call)
{
    catalog_db_start(self, CATALOG_DB_HOLD_OWNER, out_call);
    catalog_db_bind_text(out_call, session->id);
    catalog_db_bind_text(out_call, self->node);
    catalog_db_bind_uint(out_call, session->term);
}

static lp_err
end_hold(catalog_db_call *call)
{
    bool is_own = catalog_db_step(call);
    lp_err err = catalog_db_finish(call);
    return err == LP_OK && !is_own ? LP_ECLOSED : err;
}

// hold_owner does both, where collectors share the catalog.
static lp_err
hold_owner(catalog *self, const catalog_session *session)
{
    catalog_db_call call;
    if (!catalog_is_shared(self)) {
        return LP_OK;
    }
    start_hold(self, session, &call);
    return end_hold(&call);
}

// hold_owners does so with several sessions, HELD_AT_ONCE at most, in one round trip.
static lp_err
hold_owners(catalog *self, const catalog_session *const *all, size_t count, bool *out_is_lost)
{
    catalog_db_call calls[HELD_AT_ONCE];
    size_t started = 0;
    lp_err err = LP_OK;
    memset(out_is_lost, 0, count * sizeof(*out_is_lost));
    for (; catalog_is_shared(self) && started < count; started++) {
        start_hold(self, all[started], &calls[started]);
        catalog_db_ask(&calls[started]);
    }
    for (size_t i = 0; i < started; i++) {
        lp_err held = end_hold(&calls[i]);
        out_is_lost[i] = held == LP_ECLOSED;
        err = err == LP_OK && !out_is_lost[i] ? held : err;
    }
    return err;
}

// put_held writes the row and losses of a session that is held, within a transaction.
static lp_err
put_held(catalog *self, const catalog_session *session)
{
    catalog_db_call call;
    start_row(self, session, &call);
    lp_err err = catalog_db_run(&call);
    return err == LP_OK ? catalog_losses_put(self, session) : err;
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
    catalog_db_start(self, CATALOG_DB_PUT_CHUNK, &call);
    catalog_db_bind_text(&call, session->id);
    catalog_db_bind_uint(&call, chunk->ordinal);
    catalog_db_bind_int(&call, chunk->start_wall_ns);
    catalog_db_bind_int(&call, chunk->duration_ns);
    catalog_db_bind_uint(&call, chunk->size_bytes);
    catalog_db_bind_uint(&call, chunk->content_hash);
    bind_bounds(&call, chunk->rollup);
    catalog_db_bind_uint(&call, chunk->stored_bytes);
    catalog_db_bind_text(&call, session->service);
    catalog_db_bind_text(&call, chunk->place.object);
    catalog_db_bind_uint(&call, chunk->place.offset);
    if (chunk->ids.is_left_out || chunk->ids.collector == NULL) {
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
    catalog_db_start(self, which, &call);
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
    bool is_lost;
    lp_err err = catalog_put_sessions(self, &session, 1, &is_lost);
    return err == LP_OK && is_lost ? LP_ECLOSED : err;
}

lp_err
catalog_put_sessions(
    catalog *self, const catalog_session *const *all, size_t count, bool *out_is_lost)
{
    lp_err err = catalog_db_begin(self);
    if (err != LP_OK) {
        return err;
    }
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        if (i % HELD_AT_ONCE == 0) {
            size_t left = count - i;
            err = hold_owners(
                self, &all[i], left < HELD_AT_ONCE ? left : HELD_AT_ONCE, &out_is_lost[i]);
        }
        err = err == LP_OK && !out_is_lost[i] ? put_held(self, all[i]) : err;
    }
    return catalog_db_end(self, err);
}

// put_rest writes what a chunk has beside its session's row, within a transaction.
static lp_err
put_rest(catalog *self, const catalog_session *session, const catalog_chunk *chunk, lp_slice carry)
{
    LP_ASSERT(chunk->types_json != NULL);

    lp_err err = put_chunk(self, session, chunk);
    LP_THEN(err, put_types(self, session->id, chunk));
    LP_THEN(err, catalog_rollups_put(self, session, chunk));
    LP_THEN(err, catalog_ids_put(self, session->id, chunk));
    return err == LP_OK ? self->driver->put_carry(self, session->id, carry) : err;
}

lp_err
catalog_add_chunk(
    catalog *self, const catalog_session *session, const catalog_chunk *chunk, lp_slice carry)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = hold_owner(self, session);
    LP_THEN(err, put_held(self, session));
    LP_THEN(err, put_rest(self, session, chunk, carry));
    return catalog_db_end(self, err);
}

// --- Objects with several chunks

static lp_err
put_object(catalog *self, const catalog_object *object)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_PUT_OBJECT, &call);
    catalog_db_bind_text(&call, object->name);
    catalog_db_bind_uint(&call, object->bytes);
    catalog_db_bind_int(&call, object->is_settled ? 1 : 0);
    return catalog_db_run(&call);
}

static lp_err
add_live(catalog *self, const char *object, int64_t more)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_ADD_LIVE, &call);
    catalog_db_bind_text(&call, object);
    catalog_db_bind_int(&call, more);
    return catalog_db_run(&call);
}

// count_live counts the bytes of a chunk that is to be put into an object, in place of those that
// it has now: the same commit may come twice, or be done again with another object where nobody
// knew that it was done.
static lp_err
count_live(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    blob_place before = {.object = ""};
    uint64_t before_bytes = 0;
    lp_err err = catalog_find_place(self, session_id, chunk->ordinal, &before, &before_bytes);
    if (err != LP_OK && err != LP_ENOENT) {
        return err;
    }
    err = before.object[0] == '\0' ? LP_OK : add_live(self, before.object, -(int64_t)before_bytes);
    return err == LP_OK ? add_live(self, chunk->place.object, (int64_t)chunk->stored_bytes) : err;
}

// put_row writes a session's row. *out_is_behind: the catalog's is of a later chunk, and stays.
static lp_err
put_row(catalog *self, const catalog_session *session, bool *out_is_behind)
{
    catalog_db_call call;
    uint64_t changed = 0;
    start_row(self, session, &call);
    lp_err err = catalog_db_run_counted(&call, &changed);
    *out_is_behind = changed == 0;
    return err;
}

// commit_one commits a chunk of an object, or refuses it.
static lp_err
commit_one(catalog *self, catalog_commit *commit)
{
    const catalog_session *session = commit->session;
    commit->is_refused = false;
    lp_err err = hold_owner(self, session);
    commit->is_lost = err == LP_ECLOSED;
    if (commit->is_lost) {
        return LP_OK;
    }
    LP_THEN(err, put_row(self, session, &commit->is_refused));
    if (err != LP_OK || commit->is_refused) {
        return err;
    }
    err = catalog_losses_put(self, session);
    LP_THEN(err, count_live(self, session->id, commit->chunk));
    return err == LP_OK ? put_rest(self, session, commit->chunk, commit->carry) : err;
}

static lp_err
move_one(catalog *self, const catalog_move *move)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_MOVE_CHUNK, &call);
    catalog_db_bind_text(&call, move->session_id);
    catalog_db_bind_uint(&call, move->ordinal);
    catalog_db_bind_text(&call, move->to.object);
    catalog_db_bind_uint(&call, move->to.offset);
    catalog_db_bind_text(&call, move->from);
    uint64_t moved = 0;
    lp_err err = catalog_db_run_counted(&call, &moved);
    if (err == LP_OK && moved > 0) {
        err = add_live(self, move->from, -(int64_t)move->stored_bytes);
        LP_THEN(err, add_live(self, move->to.object, (int64_t)move->stored_bytes));
    }
    return err;
}

lp_err
catalog_commit_object(catalog *self, const catalog_object *object, catalog_commit *commits,
    size_t commit_count, const catalog_move *moves, size_t move_count)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = put_object(self, object);
    for (size_t i = 0; i < commit_count && err == LP_OK; i++) {
        err = commit_one(self, &commits[i]);
    }
    for (size_t i = 0; i < move_count && err == LP_OK; i++) {
        err = move_one(self, &moves[i]);
    }
    return catalog_db_end(self, err);
}

static lp_err
mark_chunk(catalog *self, const char *session_id, uint32_t ordinal, bool is_lost, bool *out_changed)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LOSE_CHUNK, &call);
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, ordinal);
    catalog_db_bind_int(&call, is_lost ? 1 : 0);
    uint64_t changed = 0;
    lp_err err = catalog_db_run_counted(&call, &changed);
    *out_changed = changed > 0;
    return err;
}

static lp_err
count_lost(catalog *self, const char *session_id, int64_t more)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_ADD_LOSS, &call);
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
    LP_TRY(catalog_db_begin(self));
    lp_err err = mark_chunk(self, session_id, ordinal, is_lost, &is_changed);
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
    catalog_db_start(self, CATALOG_DB_SIZE_CHUNK, &call);
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, ordinal);
    catalog_db_bind_uint(&call, stored_bytes);
    return catalog_db_run(&call);
}

lp_err
catalog_size_chunk(catalog *self, const char *session_id, uint32_t ordinal, uint64_t stored_bytes)
{
    LP_TRY(catalog_db_begin(self));
    return catalog_db_end(self, size_chunk(self, session_id, ordinal, stored_bytes));
}
