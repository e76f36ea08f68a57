// SPDX-License-Identifier: Apache-2.0
// The reading half of catalog.h.
//
// Tests: tests/unit/collector/store/catalog/test_catalog.c

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_losses.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

static lp_err
append(lp_slice piece, uint8_t **carry, size_t *size)
{
    if (piece.len == 0) {
        return LP_OK;
    }
    uint8_t *grown = piece.ptr == NULL ? NULL : realloc(*carry, *size + piece.len);
    LP_REQUIRE(grown != NULL, LP_ENOMEM);
    memcpy(grown + *size, piece.ptr, piece.len);
    *carry = grown;
    *size += piece.len;
    return LP_OK;
}

lp_err
catalog_get_carry(catalog *self, const char *session_id, uint8_t **out_carry, size_t *out_size)
{
    catalog_db_call call;
    lp_slice piece;
    lp_err err = LP_OK;
    uint8_t *carry = NULL;
    size_t size = 0;
    CATALOG_DB_START(self, GET_CARRY, &call, session_id);
    while (err == LP_OK && CATALOG_DB_NEXT(&call, &piece)) {
        err = append(piece, &carry, &size);
    }
    err = catalog_db_finish_with(&call, err);
    if (err != LP_OK) {
        free(carry);
        return err;
    }
    *out_carry = carry;
    *out_size = size;
    return LP_OK;
}

typedef struct reader {
    catalog_db_call *call;
    int index;
} reader;

// read_text returns a column's text, borrowed until the next step. It is not const, as the fields
// that take it are not.
static char *
read_text(reader *row)
{
    return (char *)(uintptr_t)catalog_db_get_text(row->call, row->index++);
}

static int64_t
read_int(reader *row)
{
    return catalog_db_get_int(row->call, row->index++);
}

// read_secret reads the hash of the session's secret. A damaged hash leaves it unknown.
static void
read_secret(reader *row, catalog_session *session)
{
    const catalog_db_value value = catalog_db_get_bytes(row->call, row->index++);
    const lp_slice hash = value.bytes;
    if (value.kind != CATALOG_DB_BYTES) {
        return;
    }
    if (hash.len == 0) {
        session->secret = CATALOG_SECRET_NONE;
    } else if (hash.len == sizeof(session->secret_hash) && hash.ptr != NULL) {
        session->secret = CATALOG_SECRET_HASHED;
        memcpy(session->secret_hash, hash.ptr, hash.len);
    }
}

static void
read_identity(reader *row, catalog_session *session)
{
    const char *identity = read_text(row);
    if (identity != NULL) {
        memcpy(session->identity, identity, strnlen(identity, CATALOG_IDENTITY_BYTES_MAX));
    }
}

// read_ended reads how a session ended. An unknown number reads as CATALOG_ENDED_UNKNOWN.
static catalog_ended
read_ended(reader *row)
{
    int64_t how = read_int(row);
    bool is_one = how >= CATALOG_ENDED_UNKNOWN && how <= CATALOG_ENDED_TIMED_OUT;
    return is_one ? (catalog_ended)how : CATALOG_ENDED_UNKNOWN;
}

// read_ranges reads a set. A damaged set makes the row a remade one; without memory the call fails.
static void
read_ranges(reader *row, lp_ranges *out_set, catalog_session *session)
{
    lp_err err = lp_ranges_read(catalog_db_get_bytes(row->call, row->index++).bytes, out_set);
    session->is_remade |= err == LP_ECORRUPT;
    if (err == LP_ENOMEM && row->call->err == LP_OK) {
        row->call->err = err;
    }
}

#define READ_text(field)     session.field = read_text(row)
#define READ_number(field)   session.field = (typeof(session.field))read_int(row)
#define READ_ended(field)    session.field = read_ended(row)
#define READ_kept(field)     READ_number(field)
#define READ_identity(field) read_identity(row, &session)
#define READ_ranges(field)   read_ranges(row, &session.field, &session)
#define READ_flag(field)     session.field |= read_int(row) != 0
#define READ_secret(field)   read_secret(row, &session)

static catalog_session
read_session(reader *row)
{
    catalog_session session = {0};
    const char *id = read_text(row);
    if (id != NULL && strlen(id) <= CATALOG_ID_CHARS) { // a longer id is not ours
        memcpy(session.id, id, strlen(id));
    }
#define READ(number, kind, name, field) READ_##kind(field);
    CATALOG_SESSION_COLUMNS(READ)
#undef READ
    return session;
}

void
catalog_session_fini(catalog_session *self)
{
    lp_ranges_fini(&self->settled);
    lp_ranges_fini(&self->lost);
    lp_ranges_fini(&self->late);
}

// each_session calls on_session for every row of a call, and ends it.
static lp_err
each_session(catalog *self, catalog_db_call *call,
    void (*on_session)(void *arg, const catalog_session *session), void *arg, size_t *out_count)
{
    LP_ASSERT(on_session != NULL);
    lp_err err = LP_OK;
    size_t count = 0;
    while (err == LP_OK && catalog_db_step(call)) {
        reader row = {.call = call};
        catalog_session session = read_session(&row);
        bool has_losses = read_int(&row) != 0;
        err = call->err;
        LP_THEN(err, has_losses ? catalog_losses_read(self, &session) : LP_OK);
        session.losses[CATALOG_LOSS_END_UNKNOWN] = catalog_is_end_unknown(session.ended_how);
        if (err == LP_OK) {
            on_session(arg, &session);
            count++;
        }
        catalog_session_fini(&session);
    }
    *out_count = count;
    return catalog_db_finish_with(call, err);
}

static int64_t
count_max(const catalog_query *query)
{
    return query->count_max == 0 ? INT64_MAX : (int64_t)query->count_max;
}

lp_err
catalog_list(catalog *self, const catalog_query *query,
    void (*on_session)(void *arg, const catalog_session *session), void *arg)
{
    LP_ASSERT(on_session != NULL);
    catalog_db_call call;
    catalog_db_statement by = query->instance != NULL  ? CATALOG_DB_LIST_INSTANCE
                              : query->service != NULL ? CATALOG_DB_LIST_OF_SERVICE
                                                       : CATALOG_DB_LIST;
    catalog_db_start(self, by,
        CATALOG_DB_VALUES(query->service, query->instance, query->from_wall_ns, query->to_wall_ns,
            count_max(query), query->now_wall_ns, query->version),
        &call);
    size_t count;
    return each_session(self, &call, on_session, arg, &count);
}

#define TIMES_OF(query)                                                                            \
    (query)->from_wall_ns, (query)->to_wall_ns, count_max(query), (query)->now_wall_ns

lp_err
catalog_list_services(catalog *self, const catalog_query *query,
    void (*on_service)(void *arg, const char *service, uint64_t count), void *arg)
{
    LP_ASSERT(on_service != NULL);
    catalog_db_call call;
    const char *service;
    uint64_t count;
    CATALOG_DB_START(self, LIST_SERVICES, &call, TIMES_OF(query));
    while (CATALOG_DB_NEXT(&call, &service, &count)) {
        on_service(arg, service, count);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_versions(catalog *self, const catalog_query *query,
    void (*on_version)(void *arg, const catalog_version *version), void *arg)
{
    LP_ASSERT(on_version != NULL);
    catalog_db_call call;
    catalog_version found;
    CATALOG_DB_START(self, LIST_VERSIONS, &call, TIMES_OF(query), query->service);
    while (CATALOG_DB_NEXT(
        &call, &found.service, &found.version, &found.sessions, &found.end_wall_ns)) {
        on_version(arg, &found);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_ids(
    catalog *self, void (*on_id)(void *arg, const char *session_id, bool has_lost), void *arg)
{
    LP_ASSERT(on_id != NULL);
    catalog_db_call call;
    const char *id;
    bool has_lost;
    CATALOG_DB_START(self, LIST_SESSION_IDS, &call, catalog_loss_name(CATALOG_LOSS_CHUNKS_LOST));
    while (CATALOG_DB_NEXT(&call, &id, &has_lost)) {
        on_id(arg, id, has_lost);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_running(catalog *self, const char *service,
    void (*on_session)(void *arg, const catalog_session *session), void *arg)
{
    LP_ASSERT(on_session != NULL);
    catalog_db_call call;
    size_t count;
    CATALOG_DB_START(self, LIST_NOT_ENDED, &call, service);
    return each_session(self, &call, on_session, arg, &count);
}

lp_err
catalog_list_empty(
    catalog *self, void (*on_session)(void *arg, const catalog_session *session), void *arg)
{
    LP_ASSERT(on_session != NULL);
    catalog_db_call call;
    size_t count;
    CATALOG_DB_START_PLAIN(self, LIST_EMPTY, &call);
    return each_session(self, &call, on_session, arg, &count);
}

lp_err
catalog_find(catalog *self, const char *session_id,
    void (*on_session)(void *arg, const catalog_session *session), void *arg)
{
    LP_ASSERT(on_session != NULL);
    catalog_db_call call;
    CATALOG_DB_START(self, FIND, &call, session_id);
    size_t count;
    lp_err err = each_session(self, &call, on_session, arg, &count);
    return err == LP_OK && count == 0 ? LP_ENOENT : err;
}

lp_err
catalog_first_start(catalog *self, int64_t *out_wall_ns)
{
    catalog_db_call call;
    int64_t wall_ns;
    CATALOG_DB_START_PLAIN(self, FIRST_START, &call);
    LP_TRY(catalog_db_finish_row(&call, CATALOG_DB_NEXT(&call, &wall_ns)));
    *out_wall_ns = wall_ns;
    return LP_OK;
}

static bool
next_chunk(catalog_db_call *call, catalog_chunk *chunk)
{
    return CATALOG_DB_NEXT(call, &chunk->ordinal, &chunk->start_wall_ns, &chunk->duration_ns,
        &chunk->size_bytes, &chunk->content_hash, &chunk->has_bounds,
        &chunk->bounds.context_begin_min_ns, &chunk->bounds.commit_min_ns,
        &chunk->bounds.commit_max_ns, &chunk->knows_period, &chunk->has_period,
        &chunk->stored_bytes, &chunk->is_lost, CATALOG_DB_CHARS(chunk->place.object),
        &chunk->place.offset);
}

lp_err
catalog_list_chunks(catalog *self, const char *session_id,
    void (*on_chunk)(void *arg, const catalog_chunk *chunk), void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    catalog_db_call call;
    catalog_chunk chunk = {0}; // bounds are 0 of NULL
    CATALOG_DB_START(self, LIST_CHUNKS, &call, session_id);
    while (next_chunk(&call, &chunk)) {
        on_chunk(arg, &chunk);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_chunks_back(catalog *self, const char *session_id, uint32_t chunk_end,
    uint32_t count_max, bool (*on_chunk)(void *arg, const catalog_chunk *chunk), void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    catalog_db_call call;
    catalog_chunk chunk = {0};
    CATALOG_DB_START(self, LIST_CHUNKS_BACK, &call, session_id, chunk_end, count_max);
    while (next_chunk(&call, &chunk) && on_chunk(arg, &chunk)) {
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_find_end(catalog *self, const char *session_id, int64_t *out_wall_ns)
{
    catalog_db_call call;
    int64_t start_wall_ns;
    int64_t duration_ns;
    CATALOG_DB_START(self, LAST_CHUNK, &call, session_id);
    LP_TRY(catalog_db_finish_row(&call, CATALOG_DB_NEXT(&call, &start_wall_ns, &duration_ns)));
    if (__builtin_add_overflow(start_wall_ns, duration_ns, out_wall_ns)) {
        *out_wall_ns = INT64_MAX;
    }
    return LP_OK;
}

#define RANGE_OF(chunks)                                                                           \
    (chunks)->session_id, (chunks)->chunk_end, (chunks)->from_wall_ns, (chunks)->to_wall_ns

lp_err
catalog_list_types(catalog *self, const catalog_chunk_range *chunks,
    void (*on_type)(void *arg, const catalog_type *type), void *arg)
{
    LP_ASSERT(on_type != NULL);
    catalog_db_call call;
    catalog_type type;
    CATALOG_DB_START(self, LIST_TYPES, &call, RANGE_OF(chunks));
    while (CATALOG_DB_NEXT(
        &call, &type.name, &type.events_in, &type.events_out, &type.bytes_in, &type.bytes_out)) {
        on_type(arg, &type);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_dropped(catalog *self, const catalog_chunk_range *chunks,
    void (*on_dropped)(void *arg, const catalog_dropped *dropped), void *arg)
{
    LP_ASSERT(on_dropped != NULL);
    catalog_db_call call;
    catalog_dropped dropped;
    CATALOG_DB_START(self, LIST_DROPPED, &call, RANGE_OF(chunks));
    while (CATALOG_DB_NEXT(&call, &dropped.type_name, &dropped.reason, &dropped.events)) {
        on_dropped(arg, &dropped);
    }
    return catalog_db_finish(&call);
}
