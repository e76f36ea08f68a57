// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/reindex.h"

#include "collector/chunks/chunk_place.h"
#include "collector/cluster/catalog_place.h"
#include "collector/index/id_store.h"
#include "collector/journal/data_dir.h"
#include "collector/mend/chunk_facts.h"
#include "collector/mend/reindex_objects.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct indexed_chunk {
    uint32_t ordinal;
    int64_t start_wall_ns;
    uint64_t size_bytes;
    uint64_t content_hash;
} indexed_chunk;

typedef struct indexed_session {
    char id[CATALOG_ID_CHARS + 1];
} indexed_session;

typedef struct reindexer {
    const reindex_config *config;
    reindex_counts *counts;
    data_dir *dir;
    catalog *from;
    blobs *blobs;
    id_store store;
    id_objects objects; // in its place, where the index is in an object store
    LP_VEC(indexed_session) sessions;
    LP_VEC(indexed_chunk) chunks; // of the session at hand
    lp_err err;                   // of a callback
} reindexer;

// --- Chunks

static lp_err
add_chunk(reindexer *r, const char *session_id, const indexed_chunk *chunk)
{
    lp_buf bytes = {0};
    rollup_ids ids = {0};
    const blob_name name = {.session_id = session_id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash};
    lp_err err = blobs_read_chunk(r->blobs, &name, &bytes);
    if (err == LP_OK) {
        err = chunk_facts_find_ids(lp_buf_slice(&bytes), &ids);
    }
    if (err == LP_OK) {
        rollup_ids_tidy(&ids);
        id_store_add(&r->store, session_id, chunk->ordinal, chunk->start_wall_ns, &ids);
        id_index_wait(r->store.index);
        r->counts->ids += ids.kept.count;
        r->counts->chunks++;
    } else if (err != LP_ENOMEM) {
        r->counts->unreadable++;
        if (r->config->on_unreadable != NULL) {
            r->config->on_unreadable(r->config->arg, session_id, chunk->ordinal, lp_err_text(err));
        }
        err = LP_OK;
    }
    rollup_ids_fini(&ids);
    lp_buf_fini(&bytes);
    return err;
}

// --- Sessions

static void
note_session(void *arg, const catalog_session *row)
{
    reindexer *r = arg;
    indexed_session *item = LP_VEC_PUSH(&r->sessions);
    if (item == NULL) {
        r->err = LP_ENOMEM;
        return;
    }
    memcpy(item->id, row->id, sizeof(item->id));
}

static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    reindexer *r = arg;
    indexed_chunk *item = LP_VEC_PUSH(&r->chunks);
    if (item == NULL) {
        r->err = LP_ENOMEM;
        return;
    }
    *item = (indexed_chunk){
        chunk->ordinal, chunk->start_wall_ns, chunk->size_bytes, chunk->content_hash};
}

static lp_err
add_session(reindexer *r, const char *id)
{
    r->chunks.count = 0;
    lp_err err = catalog_list_chunks(r->from, id, note_chunk, r);
    err = err == LP_OK ? r->err : err;
    for (size_t i = 0; i < r->chunks.count && err == LP_OK; i++) {
        err = add_chunk(r, id, &r->chunks.items[i]);
    }
    return err;
}

static lp_err
add_all(reindexer *r)
{
    lp_err err = catalog_list(r->from, &(catalog_query){0}, note_session, r);
    err = err == LP_OK ? r->err : err;
    size_t count = r->sessions.count;
    for (size_t i = 0; i < count && err == LP_OK; i++) { // the oldest first, as they came
        err = add_session(r, r->sessions.items[count - 1 - i].id);
        if (r->config->on_progress != NULL) {
            r->config->on_progress(r->config->arg, i + 1, count);
        }
    }
    r->counts->left_out = id_index_count(r->store.index).left_out;
    if (err == LP_OK && r->counts->unreadable == 0 && r->counts->left_out == 0) {
        id_index_set_whole(r->store.index);
    }
    return err;
}

// add_missing does so with an index in an object store.
static lp_err
add_missing(reindexer *r)
{
    reindex_objects work = {.catalog = r->from,
        .blobs = r->blobs,
        .objects = &r->objects,
        .on_unreadable = r->config->on_unreadable,
        .on_progress = r->config->on_progress,
        .arg = r->config->arg};
    lp_err err = reindex_objects_run(&work);
    *r->counts =
        (reindex_counts){.chunks = work.chunks, .unreadable = work.unreadable, .ids = work.ids};
    return err;
}

// --- The directory

static lp_err
open_all(reindexer *r, const char *catalog_path, const char *blobs_path, const char *ids_path,
    lp_problem *out_problem)
{
    if (catalog_path == NULL || blobs_path == NULL || ids_path == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    const s3_url *store = r->config->store;
    lp_err err = store == NULL ? catalog_open_reader(catalog_path, &r->from, out_problem)
                               : catalog_open(catalog_path, &r->from, out_problem);
    if (err == LP_OK) {
        err = blobs_open(blobs_path, &r->blobs, out_problem);
    }
    if (err == LP_OK && store != NULL) {
        const s3_client_config config = chunk_place_get_config(store);
        err = chunk_place_use(r->blobs, store, out_problem);
        return err == LP_OK ? id_objects_open(&r->objects, ids_path, &config, out_problem) : err;
    }
    if (err == LP_OK) {
        err = id_index_clear(ids_path, out_problem);
    }
    return err == LP_OK ? id_store_open(&r->store, ids_path, out_problem) : err;
}

lp_err
reindex_run(const reindex_config *config, reindex_counts *out_counts, lp_problem *out_problem)
{
    *out_counts = (reindex_counts){0};
    if (access(config->data_dir, F_OK) != 0) { // else it would be made
        return lp_problem_set(out_problem, LP_ENOENT, "%s: %s", config->data_dir, strerror(errno));
    }
    reindexer r = {.config = config, .counts = out_counts};
    lp_err err = data_dir_open(config->data_dir, &r.dir, out_problem);
    if (err != LP_OK) {
        return err;
    }
    err = chunk_place_check(r.dir, config->store, out_problem);
    err = err == LP_OK ? catalog_place_check(r.dir, config->catalog, out_problem) : err;
    if (err != LP_OK) {
        data_dir_close(r.dir);
        return err;
    }
    char *catalog_path =
        config->catalog == NULL ? data_dir_catalog_path(r.dir) : strdup(config->catalog);
    char *blobs_path = data_dir_blobs_path(r.dir);
    char *ids_path = data_dir_ids_path(r.dir);
    err = open_all(&r, catalog_path, blobs_path, ids_path, out_problem);
    if (err == LP_OK) {
        err = config->store == NULL ? add_all(&r) : add_missing(&r);
        if (err != LP_OK) {
            (void)lp_problem_set(out_problem, err, "%s: %s", config->data_dir, lp_err_reason(err));
        }
    }
    free(catalog_path);
    free(blobs_path);
    free(ids_path);
    LP_VEC_FINI(&r.sessions);
    LP_VEC_FINI(&r.chunks);
    id_store_close(&r.store);
    id_objects_close(&r.objects);
    blobs_close(r.blobs);
    catalog_close(r.from);
    data_dir_close(r.dir);
    return err;
}
