// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_expiry.h"

#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "common/base/lp_assert.h"

#include <stdio.h>
#include <string.h>

// --- Reading

lp_err
catalog_list_kept(catalog *self, void (*on_service)(void *arg, const catalog_kept *kept), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_KEPT, &call);
    while (catalog_db_step(&call)) {
        const catalog_kept kept = {
            .service = catalog_db_get_text(&call, 0),
            .chunks = catalog_db_get_uint(&call, 1),
            .stored_bytes = catalog_db_get_uint(&call, 2),
        };
        if (kept.service != NULL) {
            on_service(arg, &kept);
        }
    }
    return catalog_db_finish(&call);
}

// A callback for chunks, with or without their service.
typedef struct chunk_callback {
    void (*on_chunk)(void *arg, const catalog_old_chunk *chunk);
    void (*on_removed)(void *arg, const char *service, const catalog_old_chunk *chunk);
    void *arg;
} chunk_callback;

// list_chunks lists the chunks of a service, or of a session, and calls the callback that is there.
static lp_err
list_chunks(catalog *self, catalog_db_statement which, const char *of, size_t count_max,
    const chunk_callback *callback)
{
    catalog_db_call call;
    catalog_db_start(self, which, &call);
    catalog_db_bind_text(&call, of);
    catalog_db_bind_uint(&call, count_max);
    while (catalog_db_step(&call)) {
        const char *service = catalog_db_get_text(&call, 0);
        const char *id = catalog_db_get_text(&call, 1);
        const char *object = catalog_db_get_text(&call, 6);
        if (service == NULL || id == NULL || object == NULL) {
            break;
        }
        catalog_old_chunk chunk = {
            .is_in_object = object[0] != '\0',
            .ordinal = (uint32_t)catalog_db_get_uint(&call, 2),
            .start_wall_ns = catalog_db_get_int(&call, 3),
            .stored_bytes = catalog_db_get_uint(&call, 5),
        };
        if (__builtin_add_overflow(
                chunk.start_wall_ns, catalog_db_get_int(&call, 4), &chunk.end_wall_ns)) {
            chunk.end_wall_ns = INT64_MAX;
        }
        (void)snprintf(chunk.session_id, sizeof(chunk.session_id), "%s", id);
        if (callback->on_chunk != NULL) {
            callback->on_chunk(callback->arg, &chunk);
        } else {
            callback->on_removed(callback->arg, service, &chunk);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_oldest(catalog *self, const char *service, size_t count_max,
    void (*on_chunk)(void *arg, const catalog_old_chunk *chunk), void *arg)
{
    const chunk_callback callback = {.on_chunk = on_chunk, .arg = arg};
    return list_chunks(self, CATALOG_DB_LIST_OLDEST, service, count_max, &callback);
}

lp_err
catalog_list_removed(catalog *self, const char *session_id, size_t count_max,
    void (*on_chunk)(void *arg, const char *service, const catalog_old_chunk *chunk), void *arg)
{
    const chunk_callback callback = {.on_removed = on_chunk, .arg = arg};
    return list_chunks(self, CATALOG_DB_LIST_REMOVED, session_id, count_max, &callback);
}

lp_err
catalog_list_removals(catalog *self,
    void (*on_removal)(void *arg, const char *session_id, int64_t ordinal), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_REMOVALS, &call);
    while (catalog_db_step(&call)) {
        const char *id = catalog_db_get_text(&call, 0);
        if (id != NULL) {
            on_removal(arg, id, catalog_db_get_int(&call, 1));
        }
    }
    return catalog_db_finish(&call);
}

// --- Writing

// run_for runs a statement whose values are a session and, where it has one, an ordinal.
static lp_err
run_for(catalog *self, catalog_db_statement which, const char *session_id, const int64_t *ordinal)
{
    catalog_db_call call;
    catalog_db_start(self, which, &call);
    catalog_db_bind_text(&call, session_id);
    if (ordinal != NULL) {
        catalog_db_bind_int(&call, *ordinal);
    }
    return catalog_db_run(&call);
}

static lp_err
count_expired(catalog *self, const catalog_old_chunk *chunk)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_COUNT_EXPIRED, &call);
    catalog_db_bind_text(&call, chunk->session_id);
    catalog_db_bind_int(&call, chunk->end_wall_ns);
    return catalog_db_run(&call);
}

// A chunk that was dropped.
typedef struct dropped_chunk {
    bool was_there;
    char object[BLOB_OBJECT_CHARS + 1]; // "": it had a file of its own
    uint64_t stored_bytes;
} dropped_chunk;

static lp_err
drop_chunk(catalog *self, const catalog_old_chunk *chunk, dropped_chunk *out_dropped)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_DROP_CHUNK, &call);
    *out_dropped = (dropped_chunk){.was_there = false};
    catalog_db_bind_text(&call, chunk->session_id);
    catalog_db_bind_uint(&call, chunk->ordinal);
    if (catalog_db_step(&call)) {
        const char *object = catalog_db_get_text(&call, 0);
        out_dropped->was_there = true;
        out_dropped->stored_bytes = catalog_db_get_uint(&call, 1);
        if (object != NULL) {
            (void)snprintf(out_dropped->object, sizeof(out_dropped->object), "%s", object);
        }
        bool has_more = catalog_db_step(&call);
        LP_ASSERT(!has_more || call.err != LP_OK); // the key is unique
    }
    return catalog_db_finish(&call);
}

// let_go notes that the file of a chunk has to go, or that its bytes in an object are dead.
static lp_err
let_go(catalog *self, const catalog_old_chunk *chunk, const dropped_chunk *dropped)
{
    const int64_t ordinal = chunk->ordinal;
    if (dropped->object[0] == '\0') {
        return run_for(self, CATALOG_DB_PUT_REMOVAL, chunk->session_id, &ordinal);
    }
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_ADD_LIVE, &call);
    catalog_db_bind_text(&call, dropped->object);
    catalog_db_bind_int(&call, -(int64_t)dropped->stored_bytes);
    return catalog_db_run(&call);
}

// expire_chunk counts a chunk once, however often it is called for it.
static lp_err
expire_chunk(catalog *self, const catalog_old_chunk *chunk)
{
    static const catalog_db_statement steps[] = {
        CATALOG_DB_DROP_TYPES, CATALOG_DB_DROP_DROPPED, CATALOG_DB_DROP_IDS};
    const int64_t ordinal = chunk->ordinal;
    dropped_chunk dropped;
    lp_err err = drop_chunk(self, chunk, &dropped);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && err == LP_OK; i++) {
        err = run_for(self, steps[i], chunk->session_id, &ordinal);
    }
    if (err == LP_OK && (dropped.was_there || !chunk->is_in_object)) {
        err = let_go(self, chunk, &dropped);
    }
    LP_THEN(err, catalog_rollups_drop(self, chunk->session_id, chunk->ordinal));
    return err == LP_OK && dropped.was_there ? count_expired(self, chunk) : err;
}

lp_err
catalog_expire(catalog *self, const catalog_old_chunk *chunks, size_t count)
{
    lp_err err = catalog_db_begin(self);
    if (err != LP_OK) {
        return err;
    }
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err = expire_chunk(self, &chunks[i]);
    }
    return catalog_db_end(self, err);
}

// drop_row removes the row of a session, of a catalog that is shared only if that has ended.
// Errors: LP_EAGAIN it goes on, at another collector
static lp_err
drop_row(catalog *self, const char *session_id)
{
    catalog_db_call call;
    uint64_t changed;
    bool is_shared = catalog_is_shared(self);
    catalog_db_start(self, is_shared ? CATALOG_DB_DROP_ENDED : CATALOG_DB_DROP_SESSION, &call);
    catalog_db_bind_text(&call, session_id);
    lp_err err = catalog_db_run_counted(&call, &changed);
    return err == LP_OK && changed == 0 && is_shared ? LP_EAGAIN : err;
}

lp_err
catalog_remove_session(catalog *self, const char *session_id)
{
    // From the first on nobody takes the session until the transaction ends, and whoever has it
    // cannot write it afterwards.
    static const catalog_db_statement steps[] = {
        CATALOG_DB_RELEASE_OWNER, CATALOG_DB_DROP_LOSSES, CATALOG_DB_DROP_CARRY};
    lp_err err = catalog_db_begin(self);
    if (err != LP_OK) {
        return err;
    }
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && err == LP_OK; i++) {
        err = run_for(self, steps[i], session_id, NULL);
    }
    LP_THEN(err, drop_row(self, session_id));
    LP_THEN(err, run_for(self, CATALOG_DB_PUT_REMOVAL, session_id, &CATALOG_REMOVAL_ALL));
    return catalog_db_end(self, err);
}

lp_err
catalog_end_removal(catalog *self, const char *session_id, int64_t ordinal)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = run_for(self, CATALOG_DB_DROP_REMOVAL, session_id, &ordinal);
    if (err == LP_OK && ordinal == CATALOG_REMOVAL_ALL) {
        err = run_for(self, CATALOG_DB_DROP_OWNER, session_id, NULL);
    }
    return catalog_db_end(self, err);
}
