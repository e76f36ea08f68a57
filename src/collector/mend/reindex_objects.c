// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/reindex_objects.h"

#include "collector/mend/chunk_facts.h"
#include "collector/store/catalog/catalog_ids.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Whose ids they are: of nobody who gathers them before others do.
static const char nobody[] = "0000000000000000";

typedef struct open_chunk {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
} open_chunk;

typedef struct making {
    reindex_objects *with;
    LP_VEC(catalog_segment) segments;
    LP_VEC(open_chunk) chunks; // without a segment
    uint64_t last_number;
    // Of the session at hand
    size_t at;  // its first chunk among those that was not come to yet
    size_t end; // behind its last one
    LP_VEC(catalog_chunk) wanted;
    lp_err err; // of a callback
} making;

// --- Segments

static void
note_segment(void *arg, const catalog_segment *segment)
{
    making *m = arg;
    catalog_segment *item = LP_VEC_PUSH(&m->segments);
    if (item == NULL) {
        m->err = LP_ENOMEM;
        return;
    }
    *item = *segment;
}

static lp_err
check_segments(making *m)
{
    catalog *of = m->with->catalog;
    lp_err err = catalog_segments_list(of, INT64_MIN, INT64_MAX, note_segment, m);
    err = err == LP_OK ? m->err : err;
    for (size_t i = 0; i < m->segments.count && err == LP_OK; i++) {
        err = id_objects_check(m->with->objects, &m->segments.items[i]);
        if (err == LP_ENOENT || err == LP_ECORRUPT || err == LP_EVERSION) {
            err = catalog_ids_uncover(of, &m->segments.items[i]);
        }
    }
    return err;
}

// --- Chunks

static lp_err
add_ids(making *m, const char *session_id, const catalog_chunk *chunk, const rollup_ids *ids)
{
    uint64_t now = (uint64_t)lp_time_now();
    m->last_number = now > m->last_number ? now : m->last_number + 1;
    catalog_chunk found = *chunk;
    found.ids = (catalog_chunk_ids){
        .collector = nobody,
        .number = m->last_number,
        .hashes = ids->kept.items,
        .count = ids->kept.count,
    };
    m->with->ids += ids->kept.count;
    m->with->chunks++;
    return catalog_ids_add(m->with->catalog, session_id, &found);
}

static lp_err
read_chunk(making *m, const char *session_id, const catalog_chunk *chunk)
{
    lp_buf bytes = {0};
    rollup_ids ids = {0};
    const blob_name name = {.session_id = session_id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash,
        .stored_bytes = chunk->stored_bytes,
        .place = chunk->place};
    lp_err err = blobs_read_chunk(m->with->blobs, &name, &bytes);
    if (err == LP_OK) {
        err = chunk_facts_find_ids(lp_buf_slice(&bytes), &ids);
    }
    if (err == LP_OK) {
        rollup_ids_tidy(&ids);
        err = add_ids(m, session_id, chunk, &ids);
    } else if (err != LP_ENOMEM) {
        m->with->unreadable++;
        if (m->with->on_unreadable != NULL) {
            m->with->on_unreadable(m->with->arg, session_id, chunk->ordinal, lp_err_reason(err));
        }
        err = LP_OK;
    }
    int error = errno;
    rollup_ids_fini(&ids);
    lp_buf_fini(&bytes);
    errno = error;
    return err;
}

static void
note_open(void *arg, const char *session_id, uint32_t ordinal)
{
    making *m = arg;
    open_chunk *item = LP_VEC_PUSH(&m->chunks);
    if (item == NULL) {
        m->err = LP_ENOMEM;
        return;
    }
    item->ordinal = ordinal;
    memcpy(item->session_id, session_id, sizeof(item->session_id));
}

static int
compare_open(const void *a, const void *b)
{
    const open_chunk *one = a;
    const open_chunk *other = b;
    int order = strcmp(one->session_id, other->session_id);
    if (order != 0) {
        return order;
    }
    return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

// note_wanted notes a chunk of the session at hand if it is among those without a segment. Both are
// in order; what has gone since they were listed is passed over.
static void
note_wanted(void *arg, const catalog_chunk *chunk)
{
    making *m = arg;
    while (m->at < m->end && m->chunks.items[m->at].ordinal < chunk->ordinal) {
        m->at++;
    }
    bool is_wanted = m->at < m->end && m->chunks.items[m->at].ordinal == chunk->ordinal;
    if (!is_wanted) {
        return;
    }
    catalog_chunk *item = LP_VEC_PUSH(&m->wanted);
    if (item == NULL) {
        m->err = LP_ENOMEM;
        return;
    }
    *item = *chunk; // what it points to is not used
    m->at++;
}

static lp_err
read_session(making *m)
{
    const char *id = m->chunks.items[m->at].session_id;
    m->wanted.count = 0;
    lp_err err = catalog_list_chunks(m->with->catalog, id, note_wanted, m);
    err = err == LP_OK ? m->err : err;
    for (size_t i = 0; i < m->wanted.count && err == LP_OK; i++) {
        err = read_chunk(m, id, &m->wanted.items[i]);
    }
    m->at = m->end;
    return err;
}

static lp_err
read_chunks(making *m)
{
    const catalog_ids_range all = {INT64_MIN, INT64_MAX, INT64_MAX};
    lp_err err = catalog_ids_list_uncovered(m->with->catalog, &all, note_open, m);
    err = err == LP_OK ? m->err : err;
    size_t count = m->chunks.count;
    if (count > 0) {
        qsort(m->chunks.items, count, sizeof(open_chunk), compare_open);
    }
    while (err == LP_OK && m->at < count) {
        m->end = m->at;
        while (m->end < count &&
               strcmp(m->chunks.items[m->end].session_id, m->chunks.items[m->at].session_id) == 0) {
            m->end++;
        }
        err = read_session(m);
        if (m->with->on_progress != NULL) {
            m->with->on_progress(m->with->arg, m->end, count);
        }
    }
    return err;
}

lp_err
reindex_objects_run(reindex_objects *work)
{
    making m = {.with = work};
    lp_err err = check_segments(&m);
    err = err == LP_OK ? read_chunks(&m) : err;
    int error = errno;
    LP_VEC_FINI(&m.segments);
    LP_VEC_FINI(&m.chunks);
    LP_VEC_FINI(&m.wanted);
    errno = error;
    return err;
}
