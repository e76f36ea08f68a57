// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_ids.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"

#include <errno.h>
#include <string.h>

// --- Marks: a Bloom filter of a row's ids

enum {
    MARKS = 3,           // of an id
    MARK_BITS_OF_ID = 8, // 1 in 30 rows without an id is searched in vain
};

// get_mark returns one of an id's numbers. The number modulo the count of bits is the bit's place.
static int64_t
get_mark(uint64_t hash, unsigned which)
{
    uint64_t turned = which == 0 ? hash : hash >> 21 * which | hash << (64 - 21 * which);
    return (int64_t)(turned >> 1);
}

// make_marks appends the marks of ids to an empty buffer, the lowest bit of the first byte first,
// as PostgreSQL counts bits.
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
put_row(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    const catalog_chunk_ids *ids = &chunk->ids;
    LP_ASSERT(ids->count > 0 && ids->hashes != NULL && ids->collector != NULL);
    lp_buf marks = {0};
    make_marks(ids, &marks);
    lp_err err = lp_buf_check(&marks);
    if (err == LP_OK) {
        const lp_slice hashes = {(const uint8_t *)ids->hashes, ids->count * sizeof(*ids->hashes)};
        err = CATALOG_DB_RUN(self, PUT_IDS, ids->collector, ids->number, ids->hour, session_id,
            chunk->ordinal, chunk->start_wall_ns, ids->count, lp_buf_slice(&marks), hashes);
    }
    lp_buf_fini(&marks);
    return err;
}

lp_err
catalog_ids_put(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    catalog_db_check_begun(self);
    if (chunk->ids.collector == NULL) {
        return LP_OK;
    }
    lp_err err = CATALOG_DB_RUN(self, DROP_IDS, session_id, chunk->ordinal);
    bool has_row = chunk->ids.count > 0 && !chunk->ids.is_left_out;
    return err == LP_OK && has_row ? put_row(self, session_id, chunk) : err;
}

lp_err
catalog_ids_add(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = catalog_ids_put(self, session_id, chunk);
    LP_THEN(err, CATALOG_DB_RUN(self, COVER_CHUNK, session_id, chunk->ordinal, chunk->ids.hour));
    return catalog_db_end(self, err);
}

static lp_err
seal_again(void)
{
    errno = EAGAIN;
    return LP_EAGAIN;
}

static lp_err
put_segment(catalog *self, const catalog_segment *segment)
{
    catalog_db_check_begun(self);
    uint64_t put = 0;
    LP_TRY(CATALOG_DB_RUN_COUNTED(self, PUT_SEGMENT, &put, segment->name, segment->hour,
        segment->from_wall_ns, segment->to_wall_ns, segment->head_bytes, segment->size_bytes,
        segment->entry_count));
    return put == 0 ? seal_again() : LP_OK; // a leaving segment has the name
}

static lp_err
drop_sealed(catalog *self, const catalog_sealed *rows)
{
    catalog_db_check_begun(self);
    uint64_t dropped = 0;
    LP_TRY(CATALOG_DB_RUN_COUNTED(
        self, DROP_SEALED, &dropped, rows->group.collector, rows->group.hour, rows->last_number));
    return dropped > rows->row_count ? seal_again() : LP_OK;
}

lp_err
catalog_ids_seal(catalog *self, const catalog_segment *segment, const catalog_sealed *rows)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = put_segment(self, segment);
    LP_THEN(err, drop_sealed(self, rows));
    return catalog_db_end(self, err);
}

lp_err
catalog_ids_uncover(catalog *self, const catalog_segment *segment)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = CATALOG_DB_RUN(self, UNCOVER_HOUR, segment->hour);
    LP_THEN(err, CATALOG_DB_RUN(self, LEAVE_SEGMENT, segment->name));
    return catalog_db_end(self, err);
}

lp_err
catalog_segments_leave(catalog *self, const char *name)
{
    return CATALOG_DB_WRITE(self, LEAVE_SEGMENT, name);
}

lp_err
catalog_segments_drop(catalog *self, const char *name)
{
    return CATALOG_DB_WRITE(self, DROP_SEGMENT, name);
}

// --- Reading

// list_chunks calls on_chunk for the rows of a call, whose columns are a session and an ordinal.
static lp_err
list_chunks(catalog_db_call *call, catalog_ids_on_chunk *on_chunk, void *arg)
{
    const char *id;
    uint32_t ordinal;
    while (CATALOG_DB_NEXT(call, &id, &ordinal)) {
        if (catalog_id_is_valid(id)) {
            on_chunk(arg, id, ordinal);
        }
    }
    return catalog_db_finish(call);
}

lp_err
catalog_ids_find(catalog *self, uint64_t hash, const catalog_ids_range *range,
    catalog_ids_on_chunk *on_chunk, void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    catalog_db_call call;
    _Static_assert(MARKS == 3, "the values below");
    CATALOG_DB_START(self, FIND_IDS, &call, ((lp_slice){(const uint8_t *)&hash, sizeof(hash)}),
        range->from_wall_ns, range->to_wall_ns, get_mark(hash, 0), get_mark(hash, 1),
        get_mark(hash, 2));
    return list_chunks(&call, on_chunk, arg);
}

lp_err
catalog_ids_list_uncovered(
    catalog *self, const catalog_ids_range *range, catalog_ids_on_chunk *on_chunk, void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_UNCOVERED, &call, range->from_wall_ns, range->to_wall_ns,
        range->count_max, range->has_lost);
    return list_chunks(&call, on_chunk, arg);
}

lp_err
catalog_ids_list_hour(catalog *self, int64_t hour, const catalog_ids_range *range,
    catalog_ids_on_chunk *on_chunk, void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    catalog_db_call call;
    CATALOG_DB_START(
        self, LIST_HOUR, &call, range->from_wall_ns, range->to_wall_ns, range->count_max, hour);
    return list_chunks(&call, on_chunk, arg);
}

lp_err
catalog_ids_list_groups(
    catalog *self, void (*on_group)(void *arg, const catalog_ids_group *group), void *arg)
{
    LP_ASSERT(on_group != NULL);
    catalog_db_call call;
    catalog_ids_group group;
    CATALOG_DB_START_PLAIN(self, LIST_IDS, &call);
    while (CATALOG_DB_NEXT(&call, &group.collector, &group.hour, &group.id_count)) {
        on_group(arg, &group);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_ids_read(catalog *self, const catalog_ids_group *group,
    lp_err (*on_row)(void *arg, const catalog_ids_row *row), void *arg)
{
    LP_ASSERT(on_row != NULL);
    catalog_db_call call;
    catalog_ids_row row;
    CATALOG_DB_START(self, READ_IDS, &call, group->collector, group->hour);
    lp_err err = LP_OK;
    while (err == LP_OK && CATALOG_DB_NEXT(&call, &row.number, &row.session_id, &row.ordinal,
                               &row.start_wall_ns, &row.hashes)) {
        err = on_row(arg, &row);
    }
    return catalog_db_finish_with(&call, err);
}

lp_err
catalog_ids_first_start(catalog *self, int64_t *out_wall_ns)
{
    catalog_db_call call;
    int64_t count;
    int64_t wall_ns;
    CATALOG_DB_START_PLAIN(self, FIRST_CHUNK, &call);
    bool has_first = CATALOG_DB_NEXT(&call, &count, &wall_ns) && count > 0;
    LP_TRY(catalog_db_finish_row(&call, has_first));
    *out_wall_ns = wall_ns;
    return LP_OK;
}

lp_err
catalog_segments_list(catalog *self, int64_t from_wall_ns, int64_t to_wall_ns,
    void (*on_segment)(void *arg, const catalog_segment *segment), void *arg)
{
    LP_ASSERT(on_segment != NULL);
    catalog_db_call call;
    catalog_segment segment;
    CATALOG_DB_START(self, LIST_SEGMENTS, &call, from_wall_ns, to_wall_ns);
    while (
        CATALOG_DB_NEXT(&call, CATALOG_DB_CHARS(segment.name), &segment.hour, &segment.from_wall_ns,
            &segment.to_wall_ns, &segment.head_bytes, &segment.size_bytes, &segment.entry_count)) {
        on_segment(arg, &segment);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_segments_list_leaving(
    catalog *self, void (*on_name)(void *arg, const char *name), void *arg)
{
    LP_ASSERT(on_name != NULL);
    catalog_db_call call;
    const char *name;
    CATALOG_DB_START_PLAIN(self, LIST_LEAVING, &call);
    while (CATALOG_DB_NEXT(&call, &name)) {
        on_name(arg, name);
    }
    return catalog_db_finish(&call);
}
