// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_ids.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// --- Marks: a Bloom filter of a row's ids

enum {
    MARKS = 3,           // of an id
    MARK_BITS_OF_ID = 8, // 1 of 30 rows without an id are looked through for it
};

// get_mark returns one of the numbers of an id, 0 or more, whose rest by the number of bits is the
// bit.
static int64_t
get_mark(uint64_t hash, unsigned which)
{
    uint64_t turned = which == 0 ? hash : hash >> 21 * which | hash << (64 - 21 * which);
    return (int64_t)(turned >> 1);
}

// make_marks appends the marks of ids to an empty buffer. As PostgreSQL counts them, bits are in
// order from the lowest of the first byte on.
static void
make_marks(const catalog_chunk_ids *ids, lp_buf *to)
{
    size_t bytes = (ids->count * MARK_BITS_OF_ID + 7) / 8;
    uint8_t *marks = lp_buf_extend(to, bytes);
    if (marks == NULL) {
        return;
    }
    memset(marks, 0, bytes);
    for (size_t i = 0; i < ids->count; i++) {
        for (unsigned k = 0; k < MARKS; k++) {
            size_t bit = (size_t)get_mark(ids->hashes[i], k) % (8 * bytes);
            marks[bit / 8] |= (uint8_t)(1 << bit % 8);
        }
    }
}

// --- Writing

static lp_err
drop_row(catalog *self, const char *session_id, uint32_t ordinal)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_DROP_IDS, &call);
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, ordinal);
    return catalog_db_run(&call);
}

static lp_err
put_row(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    const catalog_chunk_ids *ids = &chunk->ids;
    LP_ASSERT(ids->count > 0 && ids->collector != NULL);
    catalog_db_call call;
    lp_buf marks = {0};
    make_marks(ids, &marks);
    lp_err err = lp_buf_check(&marks);
    if (err != LP_OK) {
        lp_buf_fini(&marks);
        return err;
    }
    catalog_db_start(self, CATALOG_DB_PUT_IDS, &call);
    catalog_db_bind_text(&call, ids->collector);
    catalog_db_bind_uint(&call, ids->number);
    catalog_db_bind_int(&call, ids->hour);
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, chunk->ordinal);
    catalog_db_bind_int(&call, chunk->start_wall_ns);
    catalog_db_bind_uint(&call, ids->count);
    catalog_db_bind_bytes(&call, lp_buf_slice(&marks));
    catalog_db_bind_bytes(
        &call, (lp_slice){(const uint8_t *)ids->hashes, ids->count * sizeof(*ids->hashes)});
    err = catalog_db_run(&call);
    lp_buf_fini(&marks);
    return err;
}

lp_err
catalog_ids_put(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    if (chunk->ids.collector == NULL) {
        return LP_OK;
    }
    lp_err err = drop_row(self, session_id, chunk->ordinal);
    bool has_row = chunk->ids.count > 0 && !chunk->ids.is_left_out;
    return err == LP_OK && has_row ? put_row(self, session_id, chunk) : err;
}

static lp_err
cover(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_COVER_CHUNK, &call);
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, chunk->ordinal);
    catalog_db_bind_int(&call, chunk->ids.hour);
    return catalog_db_run(&call);
}

lp_err
catalog_ids_add(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = catalog_ids_put(self, session_id, chunk);
    LP_THEN(err, cover(self, session_id, chunk));
    return catalog_db_end(self, err);
}

static lp_err
put_segment(catalog *self, const catalog_segment *segment)
{
    catalog_db_call call;
    uint64_t put = 0;
    catalog_db_start(self, CATALOG_DB_PUT_SEGMENT, &call);
    catalog_db_bind_text(&call, segment->name);
    catalog_db_bind_int(&call, segment->hour);
    catalog_db_bind_int(&call, segment->from_wall_ns);
    catalog_db_bind_int(&call, segment->to_wall_ns);
    catalog_db_bind_uint(&call, segment->head_bytes);
    catalog_db_bind_uint(&call, segment->size_bytes);
    catalog_db_bind_uint(&call, segment->entry_count);
    lp_err err = catalog_db_run_counted(&call, &put);
    if (err == LP_OK && put == 0) { // one that leaves has the name, and its object is deleted
        errno = EAGAIN;
        return LP_EAGAIN;
    }
    return err;
}

static lp_err
drop_sealed(catalog *self, const catalog_sealed *rows)
{
    catalog_db_call call;
    uint64_t dropped = 0;
    catalog_db_start(self, CATALOG_DB_DROP_SEALED, &call);
    catalog_db_bind_text(&call, rows->group.collector);
    catalog_db_bind_int(&call, rows->group.hour);
    catalog_db_bind_uint(&call, rows->last_number);
    lp_err err = catalog_db_run_counted(&call, &dropped);
    if (err == LP_OK && dropped > rows->row_count) {
        errno = EAGAIN;
        return LP_EAGAIN;
    }
    return err;
}

lp_err
catalog_ids_seal(catalog *self, const catalog_segment *segment, const catalog_sealed *rows)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = put_segment(self, segment);
    LP_THEN(err, drop_sealed(self, rows));
    return catalog_db_end(self, err);
}

// run_for_name runs a statement whose value is the name of a segment.
static lp_err
run_for_name(catalog *self, catalog_db_statement which, const char *name)
{
    catalog_db_call call;
    catalog_db_start(self, which, &call);
    catalog_db_bind_text(&call, name);
    return catalog_db_run(&call);
}

static lp_err
uncover_hour(catalog *self, int64_t hour)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_UNCOVER_HOUR, &call);
    catalog_db_bind_int(&call, hour);
    return catalog_db_run(&call);
}

lp_err
catalog_ids_uncover(catalog *self, const catalog_segment *segment)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = uncover_hour(self, segment->hour);
    LP_THEN(err, run_for_name(self, CATALOG_DB_LEAVE_SEGMENT, segment->name));
    return catalog_db_end(self, err);
}

lp_err
catalog_ids_uncover_hour(catalog *self, int64_t hour)
{
    lp_err err = catalog_db_begin(self);
    return err == LP_OK ? catalog_db_end(self, uncover_hour(self, hour)) : err;
}

lp_err
catalog_segments_leave(catalog *self, const char *name)
{
    lp_err err = catalog_db_begin(self);
    return err == LP_OK ? catalog_db_end(self, run_for_name(self, CATALOG_DB_LEAVE_SEGMENT, name))
                        : err;
}

lp_err
catalog_segments_drop(catalog *self, const char *name)
{
    lp_err err = catalog_db_begin(self);
    return err == LP_OK ? catalog_db_end(self, run_for_name(self, CATALOG_DB_DROP_SEGMENT, name))
                        : err;
}

// --- Reading

// list_chunks calls on_chunk for the rows of a call, whose columns are a session and an ordinal.
static lp_err
list_chunks(catalog_db_call *call, catalog_ids_on_chunk *on_chunk, void *arg)
{
    while (catalog_db_step(call)) {
        const char *id = catalog_db_get_text(call, 0);
        if (id != NULL && catalog_id_is_valid(id)) {
            on_chunk(arg, id, (uint32_t)catalog_db_get_uint(call, 1));
        }
    }
    return catalog_db_finish(call);
}

lp_err
catalog_ids_find(catalog *self, uint64_t hash, const catalog_ids_range *range,
    catalog_ids_on_chunk *on_chunk, void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_FIND_IDS, &call);
    catalog_db_bind_bytes(&call, (lp_slice){(const uint8_t *)&hash, sizeof(hash)});
    catalog_db_bind_int(&call, range->from_wall_ns);
    catalog_db_bind_int(&call, range->to_wall_ns);
    for (unsigned i = 0; i < MARKS; i++) {
        catalog_db_bind_int(&call, get_mark(hash, i));
    }
    return list_chunks(&call, on_chunk, arg);
}

lp_err
catalog_ids_list_uncovered(
    catalog *self, const catalog_ids_range *range, catalog_ids_on_chunk *on_chunk, void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_UNCOVERED, &call);
    catalog_db_bind_int(&call, range->from_wall_ns);
    catalog_db_bind_int(&call, range->to_wall_ns);
    catalog_db_bind_uint(&call, range->count_max);
    catalog_db_bind_int(&call, range->has_lost);
    return list_chunks(&call, on_chunk, arg);
}

lp_err
catalog_ids_list_hour(catalog *self, int64_t hour, const catalog_ids_range *range,
    catalog_ids_on_chunk *on_chunk, void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_HOUR, &call);
    catalog_db_bind_int(&call, range->from_wall_ns);
    catalog_db_bind_int(&call, range->to_wall_ns);
    catalog_db_bind_uint(&call, range->count_max);
    catalog_db_bind_int(&call, hour);
    return list_chunks(&call, on_chunk, arg);
}

lp_err
catalog_ids_list_groups(
    catalog *self, void (*on_group)(void *arg, const catalog_ids_group *group), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_IDS, &call);
    while (catalog_db_step(&call)) {
        const catalog_ids_group group = {
            .collector = catalog_db_get_text(&call, 0),
            .hour = catalog_db_get_int(&call, 1),
            .id_count = catalog_db_get_uint(&call, 2),
        };
        if (group.collector != NULL) {
            on_group(arg, &group);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_ids_read(catalog *self, const catalog_ids_group *group,
    lp_err (*on_row)(void *arg, const catalog_ids_row *row), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_READ_IDS, &call);
    lp_err err = LP_OK;
    catalog_db_bind_text(&call, group->collector);
    catalog_db_bind_int(&call, group->hour);
    while (err == LP_OK && catalog_db_step(&call)) {
        const catalog_ids_row row = {
            .number = catalog_db_get_uint(&call, 0),
            .session_id = catalog_db_get_text(&call, 1),
            .ordinal = (uint32_t)catalog_db_get_uint(&call, 2),
            .start_wall_ns = catalog_db_get_int(&call, 3),
            .hashes = catalog_db_get_bytes(&call, 4),
        };
        if (row.session_id != NULL) {
            err = on_row(arg, &row);
        }
    }
    lp_err failure = catalog_db_finish(&call);
    return err == LP_OK ? failure : err;
}

lp_err
catalog_ids_first_start(catalog *self, int64_t *out_wall_ns)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_FIRST_CHUNK, &call);
    bool has_first = catalog_db_step(&call) && catalog_db_get_int(&call, 0) > 0;
    int64_t wall_ns = has_first ? catalog_db_get_int(&call, 1) : 0;
    lp_err err = catalog_db_finish(&call);
    if (err == LP_OK && has_first) {
        *out_wall_ns = wall_ns;
    }
    return err == LP_OK && !has_first ? LP_ENOENT : err;
}

lp_err
catalog_segments_list(catalog *self, int64_t from_wall_ns, int64_t to_wall_ns,
    void (*on_segment)(void *arg, const catalog_segment *segment), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_SEGMENTS, &call);
    catalog_db_bind_int(&call, from_wall_ns);
    catalog_db_bind_int(&call, to_wall_ns);
    while (catalog_db_step(&call)) {
        const char *name = catalog_db_get_text(&call, 0);
        catalog_segment segment = {
            .hour = catalog_db_get_int(&call, 1),
            .from_wall_ns = catalog_db_get_int(&call, 2),
            .to_wall_ns = catalog_db_get_int(&call, 3),
            .head_bytes = catalog_db_get_uint(&call, 4),
            .size_bytes = catalog_db_get_uint(&call, 5),
            .entry_count = catalog_db_get_uint(&call, 6),
        };
        if (name != NULL) {
            (void)snprintf(segment.name, sizeof(segment.name), "%s", name);
            on_segment(arg, &segment);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_segments_list_leaving(
    catalog *self, void (*on_name)(void *arg, const char *name), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_LEAVING, &call);
    while (catalog_db_step(&call)) {
        const char *name = catalog_db_get_text(&call, 0);
        if (name != NULL) {
            on_name(arg, name);
        }
    }
    return catalog_db_finish(&call);
}
