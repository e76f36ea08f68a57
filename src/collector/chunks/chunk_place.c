// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/chunk_place.h"

#include "collector/base/metrics.h"
#include "collector/journal/place_mark.h"
#include "collector/store/catalog/blob_list.h"
#include "collector/store/chunks/chunk_objects.h"
#include "common/base/lp_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// find_file sets *out_has_file if a session has a chunk in a file.
static lp_err
find_file(const char *blobs_path, const char *session_id, bool *out_has_file)
{
    blob_list_files files;
    lp_err err = blob_list_read_files(blobs_path, session_id, false, &files);
    if (err == LP_OK) {
        *out_has_file = LP_ANY(files.items, files.count, at->kind == BLOB_LIST_CHUNK);
        free(files.items);
    }
    return err;
}

static lp_err
find_files(const data_dir *dir, bool *out_has_files)
{
    blob_list_sessions sessions;
    const data_path path = data_dir_at(dir, DATA_DIR_CHUNKS);
    *out_has_files = false;
    lp_err err = blob_list_read_sessions(path.text, &sessions);
    for (size_t i = 0; i < sessions.count && err == LP_OK && !*out_has_files; i++) {
        err = find_file(path.text, sessions.items[i].id, out_has_files);
    }
    LP_VEC_FINI(&sessions);
    return err;
}

// begin_store names the object store in a directory without the file `store`.
static lp_err
begin_store(const data_dir *dir, const char *path, const char *name, lp_problem *out_problem)
{
    bool has_files;
    lp_err err = find_files(dir, &has_files);
    LP_REQUIRE(err != LP_OK || !has_files,
        lp_problem_set(out_problem, LP_ELIMIT,
            "%s: it has chunks in files, which cannot go on in %s: take another --data for that",
            data_dir_get_path(dir), name));
    LP_THEN(err, place_mark_write(path, name));
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: %s", path, lp_err_reason(err));
}

// name_place writes a unique name of a store: bucket names are unique in AWS; other endpoints have
// their own.
static void
name_place(const s3_url *url, char out_name[PLACE_MARK_BYTES])
{
    bool is_aws = url == NULL || url->path[0] == '\0';
    (void)snprintf(out_name, PLACE_MARK_BYTES, "%s%s%s", url == NULL ? "" : url->name,
        is_aws ? "" : "?endpoint=", is_aws ? "" : url->origin);
}

lp_err
chunk_place_check(const data_dir *dir, const s3_url *url, lp_problem *out_problem)
{
    char mark[PLACE_MARK_BYTES];
    char name[PLACE_MARK_BYTES];
    name_place(url, name);
    const data_path path = data_dir_at(dir, DATA_DIR_CHUNK_PLACE);
    lp_err err = place_mark_read(path.text, mark);
    if (err != LP_OK) {
        (void)lp_problem_set(
            out_problem, err, "%s/store: %s", data_dir_get_path(dir), lp_err_reason(err));
    } else if (mark[0] == '\0' && url != NULL) {
        err = begin_store(dir, path.text, name, out_problem);
    } else if (strcmp(mark, name) != 0) {
        err = url == NULL
                  ? lp_problem_set(out_problem, LP_ELIMIT,
                        "%s: its chunks are in %s: collect and index need it as --store, "
                        "and fsck does not read them there",
                        data_dir_get_path(dir), mark)
                  : lp_problem_set(out_problem, LP_ELIMIT, "%s: its chunks are in %s, not in %s",
                        data_dir_get_path(dir), mark, name);
    }
    return err;
}

static void
on_count(s3_count what, uint64_t amount)
{
    static const metrics_id ids[] = {
        [S3_COUNT_PUT] = METRICS_object_requests_PUT,
        [S3_COUNT_GET] = METRICS_object_requests_GET,
        [S3_COUNT_DELETE] = METRICS_object_requests_DELETE,
        [S3_COUNT_LIST] = METRICS_object_requests_LIST,
        [S3_COUNT_FAILED] = METRICS_object_requests_failed,
        [S3_COUNT_SENT_BYTES] = METRICS_object_sent_bytes,
        [S3_COUNT_RECEIVED_BYTES] = METRICS_object_received_bytes,
    };
    metrics_add(ids[what], amount);
}

s3_client_config
chunk_place_get_config(const s3_url *url)
{
    return (s3_client_config){.url = *url, .on_count = on_count};
}

lp_err
chunk_place_use(blobs *of, const s3_url *url, lp_problem *out_problem)
{
    chunk_store *store;
    const s3_client_config config = chunk_place_get_config(url);
    lp_err err = chunk_objects_open(&config, blobs_get_directory(of), &store, out_problem);
    if (err == LP_OK) {
        blobs_take_chunk_store(of, store);
    }
    return err;
}
