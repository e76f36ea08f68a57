// SPDX-License-Identifier: Apache-2.0
// The reading half of catalog.h.
//
// Tests: tests/unit/collector/store/catalog/test_catalog.c

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_losses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lp_err
append(lp_slice piece, uint8_t **carry, size_t *size)
{
    if (piece.len == 0) {
        return LP_OK;
    }
    uint8_t *grown = piece.ptr == NULL ? NULL : realloc(*carry, *size + piece.len);
    if (grown == NULL) {
        return LP_ENOMEM;
    }
    memcpy(grown + *size, piece.ptr, piece.len);
    *carry = grown;
    *size += piece.len;
    return LP_OK;
}

lp_err
catalog_get_carry(catalog *self, const char *session_id, uint8_t **out_carry, size_t *out_size)
{
    catalog_db_call call;
    CATALOG_DB_START(self, GET_CARRY, &call, catalog_db_text(session_id));
    lp_err err = LP_OK;
    uint8_t *carry = NULL;
    size_t size = 0;
    while (err == LP_OK && catalog_db_step(&call)) {
        err = append(catalog_db_get_bytes(&call, 0), &carry, &size);
    }
    lp_err failure = catalog_db_finish(&call);
    LP_THEN(err, failure);
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

static uint64_t
read_uint(reader *row)
{
    return (uint64_t)read_int(row);
}

static void
read_place(reader *row, blob_place *out_place)
{
    const char *object = read_text(row);
    if (object != NULL) { // a longer name is not ours: no object has the cut one
        (void)snprintf(out_place->object, sizeof(out_place->object), "%s", object);
    }
    out_place->offset = read_uint(row);
}

// read_secret reads the hash of the session's secret. A damaged hash leaves it unknown.
static void
read_secret(reader *row, catalog_session *session)
{
    bool is_known = catalog_db_has_bytes(row->call, row->index);
    lp_slice hash = catalog_db_get_bytes(row->call, row->index++);
    if (is_known && hash.len == 0) {
        session->secret = CATALOG_SECRET_NONE;
    } else if (is_known && hash.len == sizeof(session->secret_hash) && hash.ptr != NULL) {
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
    lp_slice bytes = catalog_db_get_bytes(row->call, row->index++);
    lp_err err = lp_ranges_read(bytes, out_set);
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
    lp_err err = LP_OK;
    size_t count = 0;
    while (err == LP_OK && catalog_db_step(call)) {
        reader row = {.call = call};
        catalog_session session = read_session(&row);
        bool has_losses = read_int(&row) != 0;
        err = call->err;
        if (err == LP_OK && has_losses) {
            err = catalog_losses_read(self, &session);
        }
        session.losses[CATALOG_LOSS_END_UNKNOWN] = catalog_is_end_unknown(session.ended_how);
        if (err == LP_OK) {
            on_session(arg, &session);
            count++;
        }
        catalog_session_fini(&session);
    }
    lp_err failure = catalog_db_finish(call);
    *out_count = count;
    return err == LP_OK ? failure : err;
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
    catalog_db_call call;
    catalog_db_start_values(self,
        query->instance == NULL ? CATALOG_DB_LIST : CATALOG_DB_LIST_INSTANCE,
        CATALOG_DB_VALUES(catalog_db_text(query->service), catalog_db_text(query->instance),
            catalog_db_int(query->from_wall_ns), catalog_db_int(query->to_wall_ns),
            catalog_db_int(count_max(query)), catalog_db_int(query->now_wall_ns),
            catalog_db_text(query->version)),
        &call);
    size_t count;
    return each_session(self, &call, on_session, arg, &count);
}

#define TIMES_OF(query)                                                                            \
    catalog_db_int((query)->from_wall_ns), catalog_db_int((query)->to_wall_ns),                    \
        catalog_db_int(count_max(query)), catalog_db_int((query)->now_wall_ns)

lp_err
catalog_list_services(catalog *self, const catalog_query *query,
    void (*on_service)(void *arg, const char *service, uint64_t count), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_SERVICES, &call, TIMES_OF(query));
    while (catalog_db_step(&call)) {
        const char *service = catalog_db_get_text(&call, 0);
        if (service != NULL) {
            on_service(arg, service, catalog_db_get_uint(&call, 1));
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_versions(catalog *self, const catalog_query *query,
    void (*on_version)(void *arg, const catalog_version *version), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_VERSIONS, &call, TIMES_OF(query), catalog_db_text(query->service));
    while (catalog_db_step(&call)) {
        const catalog_version found = {
            .service = catalog_db_get_text(&call, 0),
            .version = catalog_db_get_text(&call, 1),
            .sessions = catalog_db_get_uint(&call, 2),
            .end_wall_ns = catalog_db_get_int(&call, 3),
        };
        if (found.service != NULL && found.version != NULL) {
            on_version(arg, &found);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_empty(
    catalog *self, void (*on_session)(void *arg, const catalog_session *session), void *arg)
{
    catalog_db_call call;
    size_t count;
    catalog_db_start(self, CATALOG_DB_LIST_EMPTY, &call);
    return each_session(self, &call, on_session, arg, &count);
}

lp_err
catalog_find(catalog *self, const char *session_id,
    void (*on_session)(void *arg, const catalog_session *session), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, FIND, &call, catalog_db_text(session_id));
    size_t count;
    lp_err err = each_session(self, &call, on_session, arg, &count);
    return err == LP_OK && count == 0 ? LP_ENOENT : err;
}

lp_err
catalog_first_start(catalog *self, int64_t *out_wall_ns)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_FIRST_START, &call);
    bool has_row = catalog_db_step(&call);
    int64_t wall_ns = has_row ? catalog_db_get_int(&call, 0) : 0;
    LP_TRY(catalog_db_finish_row(&call, has_row));
    *out_wall_ns = wall_ns;
    return LP_OK;
}

lp_err
catalog_list_chunks(catalog *self, const char *session_id,
    void (*on_chunk)(void *arg, const catalog_chunk *chunk), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_CHUNKS, &call, catalog_db_text(session_id));
    while (catalog_db_step(&call)) {
        reader row = {.call = &call};
        catalog_chunk chunk = {0};
        chunk.ordinal = (uint32_t)read_uint(&row);
        chunk.start_wall_ns = read_int(&row);
        chunk.duration_ns = read_int(&row);
        chunk.size_bytes = read_uint(&row);
        chunk.content_hash = read_uint(&row);
        chunk.has_bounds = read_int(&row) != 0;
        chunk.bounds.context_begin_min_ns = read_int(&row); // 0 of NULL
        chunk.bounds.commit_min_ns = read_int(&row);
        chunk.bounds.commit_max_ns = read_int(&row);
        chunk.knows_period = read_int(&row) != 0;
        chunk.has_period = read_int(&row) != 0;
        chunk.stored_bytes = read_uint(&row);
        chunk.is_lost = read_int(&row) != 0;
        read_place(&row, &chunk.place);
        on_chunk(arg, &chunk);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_find_end(catalog *self, const char *session_id, int64_t *out_wall_ns)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LAST_CHUNK, &call, catalog_db_text(session_id));
    int64_t end_wall_ns = 0;
    bool has_row = catalog_db_step(&call);
    if (has_row && __builtin_add_overflow(
                       catalog_db_get_int(&call, 0), catalog_db_get_int(&call, 1), &end_wall_ns)) {
        end_wall_ns = INT64_MAX;
    }
    LP_TRY(catalog_db_finish_row(&call, has_row));
    *out_wall_ns = end_wall_ns;
    return LP_OK;
}

#define RANGE_OF(chunks)                                                                           \
    catalog_db_text((chunks)->session_id), catalog_db_uint((chunks)->chunk_end),                   \
        catalog_db_int((chunks)->from_wall_ns), catalog_db_int((chunks)->to_wall_ns)

lp_err
catalog_list_types(catalog *self, const catalog_chunk_range *chunks,
    void (*on_type)(void *arg, const catalog_type *type), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_TYPES, &call, RANGE_OF(chunks));
    while (catalog_db_step(&call)) {
        reader row = {.call = &call};
        catalog_type type;
        type.name = read_text(&row);
        type.events_in = read_uint(&row);
        type.events_out = read_uint(&row);
        type.bytes_in = read_uint(&row);
        type.bytes_out = read_uint(&row);
        if (call.err == LP_OK) {
            on_type(arg, &type);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_list_dropped(catalog *self, const catalog_chunk_range *chunks,
    void (*on_dropped)(void *arg, const catalog_dropped *dropped), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_DROPPED, &call, RANGE_OF(chunks));
    while (catalog_db_step(&call)) {
        reader row = {.call = &call};
        catalog_dropped dropped;
        dropped.type_name = read_text(&row);
        dropped.reason = read_text(&row);
        dropped.events = read_uint(&row);
        if (call.err == LP_OK) {
            on_dropped(arg, &dropped);
        }
    }
    return catalog_db_finish(&call);
}
