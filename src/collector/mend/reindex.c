// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/reindex.h"

#include "collector/chunks/chunk_place.h"
#include "collector/cluster/data_place.h"
#include "collector/index/id_gather.h"
#include "collector/journal/data_dir.h"
#include "collector/mend/chunk_facts.h"
#include "collector/store/catalog/catalog_ids.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_order.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct open_chunk {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
} open_chunk;

typedef struct reindexer {
    const reindex_config *config;
    reindex_counts *counts;
    catalog *catalog;
    blobs *blobs;
    id_segments index;
    id_rows rows; // that are made
    LP_VEC(catalog_segment) segments;
    LP_VEC(open_chunk) chunks; // uncovered
    // Of the present session.
    size_t at;  // index in chunks of the next one to find
    size_t end; // behind its last one
    LP_VEC(catalog_chunk) wanted;
    lp_err err; // of a callback
} reindexer;

static void
reindexer_check(const reindexer *m)
{
    LP_ASSERT(m->config != NULL && m->counts != NULL);
    LP_ASSERT(m->catalog != NULL && m->blobs != NULL);
    LP_ASSERT(m->at <= m->chunks.count && m->end <= m->chunks.count);
}

// --- Segments

static void
note_segment(void *arg, const catalog_segment *segment)
{
    reindexer *m = arg;
    LP_THEN(m->err, LP_VEC_ADD(&m->segments, *segment));
}

static bool
is_bad(lp_err err)
{
    return err == LP_ENOENT || err == LP_ECORRUPT || err == LP_EVERSION;
}

// check_segments reads all segments, and uncovers the chunks of the unreadable ones.
static lp_err
check_segments(reindexer *m)
{
    reindexer_check(m);
    catalog *of = m->catalog;
    lp_err err = catalog_segments_list(of, INT64_MIN, INT64_MAX, note_segment, m);
    LP_THEN(err, m->err);
    for (size_t i = 0; i < m->segments.count && err == LP_OK; i++) {
        err = id_segments_check(&m->index, &m->segments.items[i]);
        if (is_bad(err)) {
            err = catalog_ids_uncover(of, &m->segments.items[i]);
        }
    }
    return err;
}

// --- Chunks

static lp_err
add_ids(reindexer *m, const char *session_id, const catalog_chunk *chunk, const rollup_ids *ids)
{
    reindexer_check(m);
    catalog_chunk found = *chunk;
    found.ids = id_rows_make(&m->rows, ids->kept.items, ids->kept.count);
    found.ids.is_left_out = false; // without a limit on their number
    m->counts->ids += ids->kept.count;
    m->counts->chunks++;
    return catalog_ids_add(m->catalog, session_id, &found);
}

static lp_err
read_chunk(reindexer *m, const char *session_id, const catalog_chunk *chunk)
{
    reindexer_check(m);
    lp_buf bytes = {0};
    rollup_ids ids = {0};
    const blob_name name = {.session_id = session_id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash,
        .stored_bytes = chunk->stored_bytes,
        .place = chunk->place};
    lp_err err = blobs_read_chunk(m->blobs, &name, &bytes);
    LP_THEN(err, chunk_facts_find_ids(lp_buf_slice(&bytes), &ids));
    if (err == LP_OK) {
        rollup_ids_tidy(&ids);
        err = add_ids(m, session_id, chunk, &ids);
    } else if (err != LP_ENOMEM) {
        m->counts->unreadable++;
        if (m->config->on_unreadable != NULL) {
            m->config->on_unreadable(
                m->config->arg, session_id, chunk->ordinal, lp_err_reason(err));
        }
        err = LP_OK;
    }
    rollup_ids_fini(&ids);
    lp_buf_fini(&bytes);
    return err;
}

static void
note_open(void *arg, const char *session_id, uint32_t ordinal)
{
    reindexer *m = arg;
    open_chunk chunk = {.ordinal = ordinal};
    memcpy(chunk.session_id, session_id, sizeof(chunk.session_id));
    LP_THEN(m->err, LP_VEC_ADD(&m->chunks, chunk));
}

LP_COMPARE(compare_open, open_chunk,
    strcmp(one->session_id, other->session_id) ?: LP_ORDER(one->ordinal, other->ordinal))

// note_wanted collects a chunk of the present session if it is uncovered. Both lists are in order;
// chunks that were deleted meanwhile are skipped.
static void
note_wanted(void *arg, const catalog_chunk *chunk)
{
    reindexer *m = arg;
    while (m->at < m->end && m->chunks.items[m->at].ordinal < chunk->ordinal) {
        m->at++;
    }
    if (m->at < m->end && m->chunks.items[m->at].ordinal == chunk->ordinal) {
        LP_THEN(m->err, LP_VEC_ADD(&m->wanted, *chunk)); // its pointers are not used
        m->at++;
    }
}

static lp_err
read_session(reindexer *m)
{
    reindexer_check(m);
    LP_ASSERT(m->at < m->end && m->end <= m->chunks.count);
    const char *id = m->chunks.items[m->at].session_id;
    m->wanted.count = 0;
    lp_err err = catalog_list_chunks(m->catalog, id, note_wanted, m);
    LP_THEN(err, m->err);
    for (size_t i = 0; i < m->wanted.count && err == LP_OK; i++) {
        err = read_chunk(m, id, &m->wanted.items[i]);
    }
    m->at = m->end;
    return err;
}

static lp_err
read_chunks(reindexer *m)
{
    reindexer_check(m);
    const catalog_ids_range all = {INT64_MIN, INT64_MAX, INT64_MAX};
    lp_err err = catalog_ids_list_uncovered(m->catalog, &all, note_open, m);
    LP_THEN(err, m->err);
    size_t count = m->chunks.count;
    LP_QSORT(m->chunks.items, count, compare_open);
    while (err == LP_OK && m->at < count) {
        m->end = m->at;
        while (m->end < count &&
               strcmp(m->chunks.items[m->end].session_id, m->chunks.items[m->at].session_id) == 0) {
            m->end++;
        }
        err = read_session(m);
        if (m->config->on_progress != NULL) {
            m->config->on_progress(m->config->arg, m->end, count);
        }
    }
    return err;
}

// --- Looking

static void
note_bad(void *arg, const char *session_id, uint32_t ordinal)
{
    (void)session_id;
    (void)ordinal;
    *(bool *)arg = true;
}

static lp_err
check_files(reindexer *m, const char *ids_path, bool *out_is_bad, lp_problem *out_problem)
{
    if (m->segments.count == 0 || access(ids_path, F_OK) != 0) { // opening would create it
        *out_is_bad |= m->segments.count > 0;
        return LP_OK;
    }
    lp_err err = id_segments_open(&m->index, ids_path, NULL, out_problem);
    for (size_t i = 0; i < m->segments.count && err == LP_OK; i++) {
        err = id_segments_check(&m->index, &m->segments.items[i]);
        *out_is_bad |= is_bad(err);
        err = is_bad(err) ? LP_OK : err;
    }
    id_segments_close(&m->index);
    return err;
}

lp_err
reindex_check(catalog *from, const char *ids_path, bool *out_is_bad, lp_problem *out_problem)
{
    reindexer m = {.catalog = from};
    const catalog_ids_range one = {INT64_MIN, INT64_MAX, 1};
    *out_is_bad = false;
    lp_err err = catalog_ids_list_uncovered(from, &one, note_bad, out_is_bad);
    LP_THEN(err, catalog_segments_list(from, INT64_MIN, INT64_MAX, note_segment, &m));
    LP_THEN(err, m.err);
    LP_THEN(err, check_files(&m, ids_path, out_is_bad, out_problem));
    LP_VEC_FINI(&m.segments);
    return err;
}

// --- The directory

static lp_err
open_all(reindexer *m, const data_dir *dir, lp_problem *out_problem)
{
    LP_ASSERT(m->catalog == NULL && m->blobs == NULL);
    const s3_url *url = m->config->store;
    const data_path file = data_dir_at(dir, DATA_DIR_CATALOG);
    const char *place = m->config->catalog == NULL ? file.text : m->config->catalog;
    s3_client_config store;
    lp_err err = catalog_open(place, &m->catalog, out_problem);
    LP_THEN(err, blobs_open(data_dir_at(dir, DATA_DIR_CHUNKS).text, &m->blobs, out_problem));
    if (err == LP_OK && url != NULL) {
        store = chunk_place_get_config(url);
        err = chunk_place_use(m->blobs, url, out_problem);
    }
    LP_THEN(err, id_segments_open(&m->index, data_dir_at(dir, DATA_DIR_IDS).text,
                     url == NULL ? NULL : &store, out_problem));
    return err;
}

// mend opens the stores of a directory, and adds the missing ids.
static lp_err
mend(reindexer *m, const data_dir *dir, lp_problem *out_problem)
{
    lp_err err = open_all(m, dir, out_problem);
    if (err == LP_OK) {
        err = check_segments(m);
        LP_THEN(err, read_chunks(m));
        if (err != LP_OK) {
            (void)lp_problem_set(
                out_problem, err, "%s: %s", m->config->data_dir, lp_err_reason(err));
        }
    }
    LP_VEC_FINI(&m->segments);
    LP_VEC_FINI(&m->chunks);
    LP_VEC_FINI(&m->wanted);
    id_segments_close(&m->index);
    blobs_close(m->blobs);
    catalog_close(m->catalog);
    return err;
}

lp_err
reindex_run(const reindex_config *config, reindex_counts *out_counts, lp_problem *out_problem)
{
    data_dir *dir;
    *out_counts = (reindex_counts){0};
    if (access(config->data_dir, F_OK) != 0) { // opening would create it
        return lp_problem_set(out_problem, LP_ENOENT, "%s: %s", config->data_dir, strerror(errno));
    }
    LP_TRY(data_dir_open(config->data_dir, &dir, out_problem));
    lp_err err = chunk_place_check(dir, config->store, out_problem);
    LP_THEN(err, data_place_check_catalog(dir, config->catalog, out_problem));
    if (err == LP_OK) {
        reindexer m = {.config = config, .counts = out_counts, .rows = id_rows_make_nobody()};
        err = mend(&m, dir, out_problem);
    }
    data_dir_close(dir);
    return err;
}
