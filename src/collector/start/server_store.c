// SPDX-License-Identifier: Apache-2.0

#include "collector/start/server_store.h"

#include "collector/chunks/chunk_place.h"
#include "collector/cluster/catalog_place.h"
#include "collector/cluster/node.h"
#include "collector/store/catalog/catalog_ids.h"
#include "common/base/lp_log.h"

#include <stdlib.h>
#include <string.h>

static lp_err
fail_memory(lp_problem *out_problem)
{
    return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
}

static void
note_session(void *arg, const catalog_session *row)
{
    (void)row;
    *(bool *)arg = true;
}

// open_catalog opens the catalog, and finds out whether it has recordings. One in PostgreSQL may be
// that of another directory, too.
static lp_err
open_catalog(server_store *self, const server_store_config *config, bool *out_has_sessions,
    lp_problem *out_problem)
{
    bool is_file = config->catalog == NULL;
    *out_has_sessions = false;
    lp_err err = catalog_place_check(self->dir, config->catalog, out_problem);
    if (err != LP_OK) {
        return err;
    }
    self->catalog_place =
        is_file ? data_dir_path(self->dir, DATA_DIR_CATALOG) : strdup(config->catalog);
    if (self->catalog_place == NULL) {
        return fail_memory(out_problem);
    }
    char id[CATALOG_NODE_ID_CHARS + 1];
    if (!config->is_shared) {
        err = catalog_open(self->catalog_place, &self->catalog, out_problem);
    } else if ((err = node_read_id(self->dir, id, out_problem)) == LP_OK) {
        err = catalog_open_shared(self->catalog_place, id, &self->catalog, out_problem);
    }
    if (err != LP_OK) {
        return err;
    }
    err = catalog_list(
        self->catalog, &(catalog_query){.count_max = 1}, note_session, out_has_sessions);
    if (err != LP_OK) {
        return lp_problem_set(out_problem, err, "cannot read the catalog: %s", lp_err_text(err));
    }
    return is_file ? LP_OK
                   : catalog_place_begin(self->dir, config->catalog,
                         *out_has_sessions && config->chunks == NULL, out_problem);
}

static lp_err
open_chunks(server_store *self, const server_store_config *config, lp_problem *out_problem)
{
    LP_TRY(chunk_place_check(self->dir, config->chunks, out_problem));
    char *path = data_dir_path(self->dir, DATA_DIR_CHUNKS);
    lp_err err =
        path == NULL ? fail_memory(out_problem) : blobs_open(path, &self->blobs, out_problem);
    free(path);
    if (err != LP_OK || config->chunks == NULL) {
        return err;
    }
    return chunk_place_use(self->blobs, config->chunks, out_problem);
}

// open_index opens the index of ids. Where it begins and the catalog has recordings, nothing of it
// has their ids.
static lp_err
open_index(server_store *self, const s3_url *chunks, bool has_sessions, lp_problem *out_problem)
{
    bool is_new = false;
    char *path = data_dir_path(self->dir, DATA_DIR_IDS);
    if (path == NULL) {
        return fail_memory(out_problem);
    }
    s3_client_config store;
    id_index_config config = {.dir = path, .catalog_place = self->catalog_place};
    if (chunks != NULL) {
        store = chunk_place_get_config(chunks);
        config.store = &store;
    }
    lp_err err = id_index_open(&config, &self->ids, &is_new, out_problem);
    if (err == LP_OK && chunks == NULL && is_new && has_sessions) {
        err = catalog_ids_uncover_hour(self->catalog, 0);
        lp_log(LP_LOG_INFO,
            "%s: the index of ids begins; searches read chunks that are there already until `loupe "
            "index --rebuild` has added them",
            path);
    }
    free(path);
    return err;
}

lp_err
server_store_open(server_store *self, const server_store_config *config, lp_problem *out_problem)
{
    lp_err err = data_dir_open(config->data_dir, &self->dir, out_problem);
    if (err != LP_OK) {
        return err;
    }
    self->running_path = data_dir_path(self->dir, DATA_DIR_RUNNING);
    if (self->running_path == NULL) {
        return fail_memory(out_problem);
    }
    self->before = run_mark_look(self->running_path, NULL);
    bool has_sessions;
    if ((err = open_catalog(self, config, &has_sessions, out_problem)) != LP_OK ||
        (err = open_chunks(self, config, out_problem)) != LP_OK) {
        return err;
    }
    return open_index(self, config->chunks, has_sessions, out_problem);
}

void
server_store_close(server_store *self)
{
    id_index_close(self->ids);
    blobs_close(self->blobs);
    catalog_close(self->catalog);
    free(self->catalog_place);
    free(self->running_path);
    data_dir_close(self->dir);
}
