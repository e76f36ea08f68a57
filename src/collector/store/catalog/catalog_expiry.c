// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_expiry.h"

#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "common/base/lp_assert.h"

// --- Reading

lp_err
catalog_list_kept(catalog *self, void (*on_service)(void *arg, const catalog_kept *kept), void *arg)
{
    LP_ASSERT(on_service != NULL);
    catalog_db_call call;
    catalog_kept kept;
    CATALOG_DB_START_PLAIN(self, LIST_KEPT, &call);
    while (CATALOG_DB_NEXT(&call, &kept.service, &kept.chunks, &kept.stored_bytes)) {
        on_service(arg, &kept);
    }
    return catalog_db_finish(&call);
}

// list_chunks lists the chunks of a service (LIST_OLDEST) or of a session (LIST_REMOVED).
static lp_err
list_chunks(catalog *self, catalog_db_statement which, const char *of, size_t count_max,
    catalog_on_old_chunk *on_chunk, void *arg)
{
    catalog_db_call call;
    catalog_old_chunk chunk;
    const char *service;
    const char *object;
    int64_t duration_ns;
    catalog_db_start(self, which, CATALOG_DB_VALUES(of, count_max), &call);
    while (CATALOG_DB_NEXT(&call, &service, CATALOG_DB_CHARS(chunk.session_id), &chunk.ordinal,
        &chunk.start_wall_ns, &duration_ns, &chunk.stored_bytes, &object)) {
        chunk.is_in_object = object[0] != '\0';
        if (__builtin_add_overflow(chunk.start_wall_ns, duration_ns, &chunk.end_wall_ns)) {
            chunk.end_wall_ns = INT64_MAX;
        }
        on_chunk(arg, service, &chunk);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_oldest(
    catalog *self, const char *service, size_t count_max, catalog_on_old_chunk *on_chunk, void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    return list_chunks(self, CATALOG_DB_LIST_OLDEST, service, count_max, on_chunk, arg);
}

lp_err
catalog_list_removed(catalog *self, const char *session_id, size_t count_max,
    catalog_on_old_chunk *on_chunk, void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    return list_chunks(self, CATALOG_DB_LIST_REMOVED, session_id, count_max, on_chunk, arg);
}

lp_err
catalog_list_removals(catalog *self,
    void (*on_removal)(void *arg, const char *session_id, int64_t ordinal), void *arg)
{
    LP_ASSERT(on_removal != NULL);
    catalog_db_call call;
    const char *id;
    int64_t ordinal;
    CATALOG_DB_START_PLAIN(self, LIST_REMOVALS, &call);
    while (CATALOG_DB_NEXT(&call, &id, &ordinal)) {
        on_removal(arg, id, ordinal);
    }
    return catalog_db_finish(&call);
}

// --- Writing

static lp_err
put_removal(catalog *self, const char *session_id, int64_t ordinal)
{
    catalog_db_check_begun(self);
    return CATALOG_DB_RUN(self, PUT_REMOVAL, session_id, ordinal);
}

typedef struct dropped_chunk {
    bool was_there;
    char object[BLOB_OBJECT_CHARS + 1]; // "": the chunk had its own file
    uint64_t stored_bytes;
} dropped_chunk;

static lp_err
drop_chunk(catalog *self, const catalog_old_chunk *chunk, dropped_chunk *out_dropped)
{
    catalog_db_check_begun(self);
    catalog_db_call call;
    CATALOG_DB_START(self, DROP_CHUNK, &call, chunk->session_id, chunk->ordinal);
    *out_dropped = (dropped_chunk){.stored_bytes = 0};
    out_dropped->was_there =
        CATALOG_DB_NEXT(&call, CATALOG_DB_CHARS(out_dropped->object), &out_dropped->stored_bytes);
    bool has_more = out_dropped->was_there && catalog_db_step(&call);
    lp_err err = catalog_db_finish(&call);
    return err == LP_OK && has_more ? LP_ECORRUPT : err; // the key is not unique
}

// release_bytes notes the removal of a chunk's file, or counts its bytes in an object as dead.
static lp_err
release_bytes(catalog *self, const catalog_old_chunk *chunk, const dropped_chunk *dropped)
{
    LP_ASSERT(dropped->was_there || dropped->object[0] == '\0');
    return dropped->object[0] == '\0'
               ? put_removal(self, chunk->session_id, chunk->ordinal)
               : CATALOG_DB_RUN(self, ADD_LIVE, dropped->object, -(int64_t)dropped->stored_bytes);
}

// expire_chunk counts a chunk once, also if it is repeated for the same chunk.
static lp_err
expire_chunk(catalog *self, const catalog_old_chunk *chunk)
{
    static const catalog_db_statement steps[] = {
        CATALOG_DB_DROP_TYPES, CATALOG_DB_DROP_DROPPED, CATALOG_DB_DROP_IDS};
    dropped_chunk dropped;
    lp_err err = drop_chunk(self, chunk, &dropped);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && err == LP_OK; i++) {
        err = catalog_db_run(
            self, steps[i], CATALOG_DB_VALUES(chunk->session_id, chunk->ordinal), NULL);
    }
    if (err == LP_OK && (dropped.was_there || !chunk->is_in_object)) {
        err = release_bytes(self, chunk, &dropped);
    }
    LP_THEN(err, catalog_rollups_drop(self, chunk->session_id, chunk->ordinal));
    return err == LP_OK && dropped.was_there
               ? CATALOG_DB_RUN(self, COUNT_EXPIRED, chunk->session_id, chunk->end_wall_ns)
               : err;
}

lp_err
catalog_expire(catalog *self, const catalog_old_chunk *chunks, size_t count)
{
    LP_ASSERT(count == 0 || chunks != NULL);
    LP_TRY(catalog_db_begin(self));
    lp_err err = LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err = expire_chunk(self, &chunks[i]);
    }
    return catalog_db_end(self, err);
}

// drop_row deletes the row of a session; in a shared catalog only if the session has ended.
// Errors: LP_EAGAIN it runs at another collector
static lp_err
drop_row(catalog *self, const char *session_id)
{
    catalog_db_check_begun(self);
    uint64_t changed = 0;
    bool is_shared = catalog_is_shared(self);
    lp_err err = catalog_db_run(self, is_shared ? CATALOG_DB_DROP_ENDED : CATALOG_DB_DROP_SESSION,
        CATALOG_DB_VALUES(session_id), &changed);
    return err == LP_OK && changed == 0 && is_shared ? LP_EAGAIN : err;
}

lp_err
catalog_remove_session(catalog *self, const char *session_id)
{
    // The first locks the session's owner until the transaction ends, and ends the owner's term: it
    // cannot write the session afterwards.
    static const catalog_db_statement steps[] = {
        CATALOG_DB_RELEASE_OWNER, CATALOG_DB_DROP_LOSSES, CATALOG_DB_DROP_CARRY};
    LP_TRY(catalog_db_begin(self));
    lp_err err = LP_OK;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && err == LP_OK; i++) {
        err = catalog_db_run(self, steps[i], CATALOG_DB_VALUES(session_id), NULL);
    }
    LP_THEN(err, drop_row(self, session_id));
    LP_THEN(err, put_removal(self, session_id, CATALOG_REMOVAL_ALL));
    return catalog_db_end(self, err);
}

lp_err
catalog_end_removal(catalog *self, const char *session_id, int64_t ordinal)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = CATALOG_DB_RUN(self, DROP_REMOVAL, session_id, ordinal);
    if (err == LP_OK && ordinal == CATALOG_REMOVAL_ALL) {
        err = CATALOG_DB_RUN(self, DROP_OWNER, session_id);
    }
    return catalog_db_end(self, err);
}
