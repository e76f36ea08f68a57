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

// The values are in the order of their numbers.
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

// The values of a session's columns by their kind.

static catalog_db_value
text_of(const char *text)
{
    return catalog_db_text(text == NULL ? "" : text);
}

// secret_of returns no bytes if the session began without a secret.
static catalog_db_value
secret_of(const catalog_session *session)
{
    bool is_hashed = session->secret == CATALOG_SECRET_HASHED;
    return session->secret == CATALOG_SECRET_UNKNOWN
               ? catalog_db_null()
               : catalog_db_bytes((lp_slice){
                     session->secret_hash, is_hashed ? sizeof(session->secret_hash) : 0});
}

#define VALUE_text(field)     text_of(session->field)
#define VALUE_number(field)   catalog_db_uint((uint64_t)session->field)
#define VALUE_ended(field)    VALUE_number(field)
#define VALUE_kept(field)     VALUE_number(field)
#define VALUE_flag(field)     VALUE_number(field)
#define VALUE_identity(field) text_of(session->field)
#define VALUE_ranges(field)   catalog_db_bytes(lp_ranges_bytes(&session->field))
#define VALUE_secret(field)   secret_of(session)

// put_row writes a session's row. It changes nothing and sets *out_changed to 0 if the catalog's
// row is of a later chunk.
static lp_err
put_row(catalog *self, const catalog_session *session, uint64_t *out_changed)
{
    catalog_db_check_begun(self);
    LP_ASSERT(session->service != NULL && session->instance != NULL);
    LP_ASSERT(session->jvm_name != NULL && session->jvm_version != NULL);

#define VALUE(number, kind, name, field) , VALUE_##kind(field)
    const catalog_db_value values[] = {catalog_db_text(session->id) CATALOG_SESSION_COLUMNS(VALUE)};
#undef VALUE
    return catalog_db_run(
        self, CATALOG_DB_PUT_SESSION, values, sizeof(values) / sizeof(values[0]), out_changed);
}

// start_hold starts a call that locks the session's owner until the end of the transaction.
// end_hold ends it. Errors: LP_ECLOSED the session has another owner or term
static void
start_hold(catalog *self, const catalog_session *session, catalog_db_call *out_call)
{
    CATALOG_DB_START(self, HOLD_OWNER, out_call, session->id, self->node, session->term);
}

static lp_err
end_hold(catalog_db_call *call)
{
    lp_err err = catalog_db_finish_row(call, catalog_db_step(call));
    return err == LP_ENOENT ? LP_ECLOSED : err;
}

// hold_owners does that for up to HELD_AT_ONCE sessions of a shared catalog in one round trip.
static lp_err
hold_owners(catalog *self, const catalog_session *const *all, size_t count, bool *out_is_lost)
{
    catalog_db_check_begun(self);
    catalog_db_call calls[HELD_AT_ONCE];
    size_t started = 0;
    lp_err err = LP_OK;
    LP_ASSERT(count <= HELD_AT_ONCE);
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

static lp_err
hold_owner(catalog *self, const catalog_session *session)
{
    bool is_lost;
    lp_err err = hold_owners(self, &session, 1, &is_lost);
    return err == LP_OK && is_lost ? LP_ECLOSED : err;
}

static lp_err
put_held(catalog *self, const catalog_session *session)
{
    LP_TRY(put_row(self, session, NULL));
    return catalog_losses_put(self, session);
}

static const rollup *
rollup_of(const catalog_chunk *chunk)
{
    static const rollup none;
    return chunk->rollup == NULL ? &none : chunk->rollup;
}

#define OF_ROLLUP(chunk, value)                                                                    \
    ((chunk)->rollup == NULL ? catalog_db_null() : catalog_db_int(value))
#define LONGEST(chunk, value) ((chunk)->rollup == NULL ? INT64_MAX : (value))

static lp_err
put_chunk(catalog *self, const catalog_session *session, const catalog_chunk *chunk)
{
    catalog_db_check_begun(self);
    const rollup *of = rollup_of(chunk);
    bool has_row = !chunk->ids.is_left_out && chunk->ids.collector != NULL;
    return CATALOG_DB_RUN(self, PUT_CHUNK, session->id, chunk->ordinal, chunk->start_wall_ns,
        chunk->duration_ns, chunk->size_bytes, chunk->content_hash,
        OF_ROLLUP(chunk, of->begin_min_ns), OF_ROLLUP(chunk, of->commit_min_ns),
        OF_ROLLUP(chunk, of->commit_max_ns), OF_ROLLUP(chunk, of->has_period), chunk->stored_bytes,
        session->service, chunk->place.object, chunk->place.offset,
        has_row ? catalog_db_int(chunk->ids.hour) : catalog_db_null(),
        LONGEST(chunk, of->longest_ns[ROLLUP_CONTEXTS]),
        LONGEST(chunk, of->longest_ns[ROLLUP_REQUESTS]));
}

static lp_err
put_types(catalog *self, const char *id, const catalog_chunk *chunk)
{
    catalog_db_check_begun(self);
    LP_TRY(CATALOG_DB_RUN(self, DROP_TYPES, id, chunk->ordinal));
    LP_TRY(CATALOG_DB_RUN(self, PUT_TYPES, id, chunk->ordinal, chunk->types_json));
    LP_TRY(CATALOG_DB_RUN(self, DROP_DROPPED, id, chunk->ordinal));
    return CATALOG_DB_RUN(self, PUT_DROPPED, id, chunk->ordinal, chunk->types_json);
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
    LP_TRY(catalog_db_begin(self));
    lp_err err = LP_OK;
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

static lp_err
put_rest(catalog *self, const catalog_session *session, const catalog_chunk *chunk, lp_slice carry)
{
    catalog_db_check_begun(self);
    LP_ASSERT(chunk->types_json != NULL);

    LP_TRY(put_chunk(self, session, chunk));
    LP_TRY(put_types(self, session->id, chunk));
    LP_TRY(catalog_rollups_put(self, session, chunk));
    LP_TRY(catalog_ids_put(self, session->id, chunk));
    return self->driver->put_carry(self, session->id, carry);
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
add_live(catalog *self, const char *object, int64_t more)
{
    catalog_db_check_begun(self);
    return CATALOG_DB_RUN(self, ADD_LIVE, object, more);
}

// count_live moves a chunk's live bytes from its old object to the new one. A commit whose answer
// was lost is repeated, perhaps with another object.
static lp_err
count_live(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    LP_ASSERT(chunk->place.object[0] != '\0');
    blob_place before = {.object = ""};
    uint64_t before_bytes = 0;
    lp_err err = catalog_find_place(self, session_id, chunk->ordinal, &before, &before_bytes);
    LP_REQUIRE(err == LP_OK || err == LP_ENOENT, err);
    err = before.object[0] == '\0' ? LP_OK : add_live(self, before.object, -(int64_t)before_bytes);
    return err == LP_OK ? add_live(self, chunk->place.object, (int64_t)chunk->stored_bytes) : err;
}

static lp_err
commit_one(catalog *self, catalog_commit *commit)
{
    catalog_db_check_begun(self);
    LP_ASSERT(commit->session != NULL && commit->chunk != NULL);
    const catalog_session *session = commit->session;
    commit->is_refused = false;
    lp_err err = hold_owner(self, session);
    commit->is_lost = err == LP_ECLOSED;
    if (commit->is_lost) {
        return LP_OK;
    }
    uint64_t changed = 0;
    LP_THEN(err, put_row(self, session, &changed));
    commit->is_refused = err == LP_OK && changed == 0;
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
    catalog_db_check_begun(self);
    uint64_t moved = 0;
    lp_err err = CATALOG_DB_RUN_COUNTED(self, MOVE_CHUNK, &moved, move->session_id, move->ordinal,
        move->to.object, move->to.offset, move->from);
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
    LP_ASSERT((commit_count == 0 || commits != NULL) && (move_count == 0 || moves != NULL));
    LP_TRY(catalog_db_begin(self));
    lp_err err = CATALOG_DB_RUN(self, PUT_OBJECT, object->name, object->bytes, object->is_settled);
    for (size_t i = 0; i < commit_count && err == LP_OK; i++) {
        err = commit_one(self, &commits[i]);
    }
    for (size_t i = 0; i < move_count && err == LP_OK; i++) {
        err = move_one(self, &moves[i]);
    }
    return catalog_db_end(self, err);
}

lp_err
catalog_lose_chunk(
    catalog *self, const char *session_id, uint32_t ordinal, bool is_lost, bool *out_changed)
{
    uint64_t changed = 0;
    LP_TRY(catalog_db_begin(self));
    lp_err err = CATALOG_DB_RUN_COUNTED(self, LOSE_CHUNK, &changed, session_id, ordinal, is_lost);
    if (err == LP_OK && changed > 0) {
        err = CATALOG_DB_RUN(self, ADD_LOSS, session_id,
            catalog_loss_name(CATALOG_LOSS_CHUNKS_LOST), is_lost ? 1 : -1);
    }
    LP_TRY(catalog_db_end(self, err));
    *out_changed = changed > 0;
    return LP_OK;
}

// put_ids replaces the ids of a chunk that are not in a segment yet. Those in one stay.
static lp_err
put_ids(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    if (chunk->ids.collector == NULL) {
        return LP_OK;
    }
    LP_TRY(catalog_ids_put(self, session_id, chunk));
    return CATALOG_DB_RUN(self, COVER_CHUNK, session_id, chunk->ordinal,
        chunk->ids.is_left_out ? catalog_db_null() : catalog_db_int(chunk->ids.hour));
}

// put_place replaces the place and the columns of a chunk that is at before.
static lp_err
put_place(catalog *self, const char *session_id, const catalog_edition *edition,
    const blob_place *before, uint64_t *out_changed)
{
    const catalog_chunk *to = edition->to;
    const rollup *of = rollup_of(to);
    return CATALOG_DB_RUN_COUNTED(self, PUT_EDITION, out_changed, session_id, edition->ordinal,
        to->size_bytes, to->content_hash, to->stored_bytes, to->place.offset, edition->before_hash,
        OF_ROLLUP(to, of->begin_min_ns), OF_ROLLUP(to, of->commit_min_ns),
        OF_ROLLUP(to, of->commit_max_ns), LONGEST(to, of->longest_ns[ROLLUP_CONTEXTS]),
        LONGEST(to, of->longest_ns[ROLLUP_REQUESTS]), edition->before_edition, to->place.object,
        before->object, BLOB_EDITIONS);
}

// put_own_object adds the row of the object that has an edition alone, if it is in an object.
static lp_err
put_own_object(catalog *self, const catalog_chunk *chunk)
{
    const char *object = chunk->place.object;
    uint64_t bytes = chunk->place.offset + chunk->stored_bytes;
    return object[0] == '\0' ? LP_OK : CATALOG_DB_RUN(self, PUT_OBJECT, object, bytes, true);
}

// count_edition counts the live bytes of a chunk that is no longer at before, if it has an object
// of its own now. If it had one before (without a name), the next start removes that.
static lp_err
count_edition(catalog *self, const char *session_id, const blob_place *before,
    uint64_t before_bytes, const catalog_chunk *chunk)
{
    const char *object = chunk->place.object;
    LP_REQUIRE(object[0] != '\0', LP_OK);
    LP_TRY(before->object[0] == '\0' ? CATALOG_DB_RUN(self, PUT_REMOVAL, session_id, chunk->ordinal)
                                     : add_live(self, before->object, -(int64_t)before_bytes));
    return add_live(self, object, (int64_t)chunk->stored_bytes);
}

// replace replaces the edition of a chunk that is at before.
static lp_err
replace(catalog *self, const char *session_id, const catalog_edition *edition,
    const blob_place *before, uint64_t before_bytes, uint64_t *out_changed)
{
    catalog_chunk row = *edition->to;
    row.ordinal = edition->ordinal;
    LP_TRY(put_place(self, session_id, edition, before, out_changed));
    LP_REQUIRE(*out_changed > 0, LP_OK);
    LP_TRY(count_edition(self, session_id, before, before_bytes, &row));
    LP_TRY(put_types(self, session_id, &row));
    LP_TRY(put_ids(self, session_id, &row));
    return CATALOG_DB_RUN(
        self, ADD_KEPT, session_id, edition->events_out, edition->contexts_out, edition->bytes_out);
}

lp_err
catalog_put_edition(
    catalog *self, const char *session_id, const catalog_edition *edition, bool *out_changed)
{
    LP_ASSERT(edition->to != NULL && edition->to->types_json != NULL);
    blob_place before;
    uint64_t before_bytes;
    uint64_t changed = 0;
    LP_TRY(catalog_db_begin(self));
    lp_err err = put_own_object(self, edition->to); // without live bytes, if nothing changes
    for (int i = 0; i < 2 && err == LP_OK && changed == 0; i++) { // it may move in between
        err = catalog_find_place(self, session_id, edition->ordinal, &before, &before_bytes);
        LP_THEN(err, replace(self, session_id, edition, &before, before_bytes, &changed));
    }
    LP_TRY(catalog_db_end(self, err == LP_ENOENT ? LP_OK : err));
    *out_changed = changed > 0;
    return LP_OK;
}

lp_err
catalog_size_chunk(catalog *self, const char *session_id, uint32_t ordinal, uint64_t stored_bytes)
{
    return CATALOG_DB_WRITE(self, SIZE_CHUNK, session_id, ordinal, stored_bytes);
}
