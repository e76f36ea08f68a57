// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_rollups.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"
#include "common/rollup/rollup_bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// --- Parts

// {0} is empty.
typedef struct rollup_parts {
    lp_buf of[ROLLUP_PARTS];
} rollup_parts;

static void
parts_fini(rollup_parts *parts)
{
    for (rollup_part i = 0; i < ROLLUP_PARTS; i++) {
        lp_buf_fini(&parts->of[i]);
    }
}

// type_part returns the fields of a type that a part holds, borrowed.
static rollup_type
type_part(const rollup_type *type, rollup_part part)
{
    rollup_type made = {.name = type->name};
    switch (part) {
    case ROLLUP_PART_TYPES:
        made.numbers = type->numbers;
        made.has_more_attributes = type->has_more_attributes;
        break;
    case ROLLUP_PART_EXEMPLARS:
        made.exemplars.items = type->exemplars.items;
        made.exemplars.count = type->exemplars.count;
        made.slices.items = type->slices.items;
        made.slices.count = type->slices.count;
        break;
    case ROLLUP_PART_ATTRIBUTES:
        made.attributes.items = type->attributes.items;
        made.attributes.count = type->attributes.count;
        break;
    case ROLLUP_PARTS:
        break;
    }
    return made;
}

// types_part returns types with the fields that a part holds, borrowed; the array is in arena.
static rollup_types
types_part(lp_arena *arena, const rollup_types *types, rollup_part part)
{
    rollup_types made = {.items = LP_ARENA_ARRAY(arena, rollup_type, types->count)};
    for (size_t i = 0; i < types->count && made.items != NULL; i++) {
        made.items[i] = type_part(&types->items[i], part);
    }
    made.count = made.items == NULL ? 0 : types->count;
    return made;
}

static lp_err
parts_encode(rollup_parts *parts, const rollup *whole)
{
    lp_arena arena = {0};
    lp_err err = LP_OK;
    for (rollup_part part = 0; part < ROLLUP_PARTS && err == LP_OK; part++) {
        rollup made;
        rollup_init(&made);
        if (part == ROLLUP_PART_TYPES) {
            made = *whole;
        }
        made.slice_ns = part == ROLLUP_PART_EXEMPLARS ? whole->slice_ns : 0;
        made.types = types_part(&arena, &whole->types, part);
        made.requests = types_part(&arena, &whole->requests, part);
        err = lp_arena_err(&arena);
        lp_buf_clear(&parts->of[part]);
        LP_THEN(err, rollup_bytes_encode(&made, &parts->of[part]));
    }
    lp_arena_fini(&arena);
    return err;
}

lp_err
rollup_parts_read(rollup *chunk, const lp_slice parts[ROLLUP_PARTS], const char *recording)
{
    lp_err err = LP_OK;
    for (rollup_part i = 0; i < ROLLUP_PARTS && err == LP_OK; i++) {
        err = parts[i].len == 0 ? LP_OK : rollup_bytes_read(chunk, parts[i], recording);
    }
    return err;
}

lp_err
rollup_parts_add(rollup *total, const lp_slice parts[ROLLUP_PARTS], const char *recording)
{
    lp_err err = LP_OK;
    for (rollup_part i = 0; i < ROLLUP_PARTS && err == LP_OK; i++) {
        err = parts[i].len == 0 ? LP_OK : rollup_bytes_add(total, parts[i], recording);
    }
    return err;
}

// --- Sums

enum { SUM_STEPS = 2 };

static int64_t
step_of(size_t level)
{
    return level == 0 ? CATALOG_LONG_SUM_NS : CATALOG_SUM_NS;
}

static int64_t
to_int64(__int128 ns)
{
    return ns < INT64_MIN ? INT64_MIN : ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

// floor_to and ceil_to return the next multiple of a step, clamped to int64_t.
static int64_t
floor_to(int64_t ns, int64_t step_ns)
{
    int64_t rest = ns % step_ns;
    return to_int64((__int128)ns - (rest < 0 ? rest + step_ns : rest));
}

static int64_t
ceil_to(int64_t ns, int64_t step_ns)
{
    int64_t floor_ns = floor_to(ns, step_ns);
    return floor_ns == ns ? ns : to_int64((__int128)floor_ns + step_ns);
}

// --- Reading

typedef struct list {
    catalog *catalog;
    const catalog_rollup_query *query;
    lp_err (*on_rollup)(void *arg, const catalog_rollup *rollup);
    void *arg;
} list;

#define PARTS_TO(parts)                                                                            \
    &(parts)[ROLLUP_PART_TYPES], &(parts)[ROLLUP_PART_EXEMPLARS], &(parts)[ROLLUP_PART_ATTRIBUTES]
_Static_assert(ROLLUP_PARTS == 3, "the parts above, and below");

static bool
is_of_sessions(const catalog_rollup_query *query)
{
    return query->instance != NULL || query->version != NULL || query->session_id != NULL;
}

// each calls on_rollup for every row of a call, and ends it. The columns are service, session,
// start, parts and length.
static lp_err
each(const list *l, catalog_db_call *call)
{
    lp_err err = LP_OK;
    uint64_t left = is_of_sessions(l->query) ? l->query->chunks_max : 0;
    bool has_limit = left > 0;
    catalog_rollup found;
    while (err == LP_OK && CATALOG_DB_NEXT(call, &found.service, &found.session_id, &found.wall_ns,
                               PARTS_TO(found.parts), &found.length_ns)) {
        err = has_limit && left-- == 0 ? LP_ELIMIT : l->on_rollup(l->arg, &found);
    }
    return catalog_db_finish_with(call, err);
}

static lp_err
list_chunks(const list *l, int64_t from_ns, int64_t to_ns)
{
    LP_ASSERT(from_ns < to_ns);
    const catalog_rollup_query *query = l->query;
    catalog_db_call call;
    if (is_of_sessions(query)) {
        CATALOG_DB_START(l->catalog, LIST_SESSION_ROLLUPS, &call, from_ns, to_ns, query->service,
            query->has_exemplars, query->has_attributes, query->session_id, query->instance,
            query->version, query->has_lengths);
    } else {
        CATALOG_DB_START(l->catalog, LIST_ROLLUPS, &call, from_ns, to_ns, query->service,
            query->has_exemplars, query->has_attributes, query->node, query->has_lengths);
    }
    return each(l, &call);
}

static lp_err
list_sums(const list *l, int64_t step_ns, int64_t from_ns, int64_t to_ns)
{
    LP_ASSERT(from_ns < to_ns && step_ns > 0);
    catalog_db_call call;
    CATALOG_DB_START(l->catalog, LIST_SUMS, &call, from_ns, to_ns, l->query->service,
        l->query->has_exemplars, l->query->has_attributes, step_ns);
    return each(l, &call);
}

static bool
may_come_as_sum(const catalog_rollup_query *query, int64_t step_ns)
{
    return !is_of_sessions(query) && query->step_ns > 0 && query->step_ns % step_ns == 0;
}

// list_between lists [from, to): whole steps of a level as sums, the rest at the next level.
static lp_err
list_between(const list *l, size_t level, int64_t from_ns, int64_t to_ns)
{
    while (level < SUM_STEPS && !may_come_as_sum(l->query, step_of(level))) {
        level++;
    }
    if (from_ns >= to_ns) {
        return LP_OK;
    }
    if (level == SUM_STEPS) {
        return list_chunks(l, from_ns, to_ns);
    }
    int64_t first_ns = ceil_to(from_ns, step_of(level));
    int64_t last_ns = floor_to(to_ns, step_of(level));
    if (first_ns >= last_ns) {
        return list_between(l, level + 1, from_ns, to_ns);
    }
    LP_TRY(list_between(l, level + 1, from_ns, first_ns));
    LP_TRY(list_sums(l, step_of(level), first_ns, last_ns));
    return list_between(l, level + 1, last_ns, to_ns);
}

lp_err
catalog_rollups_list(catalog *self, const catalog_rollup_query *query,
    lp_err (*on_rollup)(void *arg, const catalog_rollup *rollup), void *arg)
{
    LP_ASSERT(on_rollup != NULL);
    const list l = {.catalog = self, .query = query, .on_rollup = on_rollup, .arg = arg};
    return list_between(&l, 0, query->from_wall_ns, query->to_wall_ns);
}

lp_err
catalog_rollups_longest(catalog *self, const catalog_rollup_query *query, int64_t *out_ns)
{
    *out_ns = 0;
    catalog_db_call call;
    CATALOG_DB_START(
        self, LONGEST_CHUNK, &call, query->from_wall_ns, query->to_wall_ns, query->service);
    (void)CATALOG_DB_NEXT(&call, out_ns);
    return catalog_db_finish(&call);
}

// --- Writing

static int64_t
middle_of(const catalog_chunk *chunk)
{
    return to_int64((__int128)chunk->start_wall_ns + chunk->duration_ns / 2);
}

// The sum of the chunks of a service whose middles lie in [start, start + step).
typedef struct sum {
    const char *service;
    int64_t step_ns;
    int64_t start_wall_ns;
    rollup total;
} sum;

static sum
sum_begin(const char *service, int64_t step_ns, int64_t middle_ns)
{
    LP_ASSERT(step_ns > 0);
    sum made = {
        .service = service, .step_ns = step_ns, .start_wall_ns = floor_to(middle_ns, step_ns)};
    rollup_init(&made.total);
    return made;
}

#define SUM_KEY(s) (s)->step_ns, (s)->start_wall_ns, (s)->service

#define PART_VALUE(parts, part) lp_buf_slice(&(parts)->of[part])
#define PART_VALUES(parts)                                                                         \
    PART_VALUE(parts, ROLLUP_PART_TYPES), PART_VALUE(parts, ROLLUP_PART_EXEMPLARS),                \
        PART_VALUE(parts, ROLLUP_PART_ATTRIBUTES)

// read_sum adds the stored sum to s, and ends the call (GET_SUM). Errors: LP_ECORRUPT, LP_EVERSION
// the stored sum cannot be read
static lp_err
read_sum(catalog_db_call *call, sum *s)
{
    lp_slice parts[ROLLUP_PARTS];
    lp_err err =
        CATALOG_DB_NEXT(call, PARTS_TO(parts)) ? rollup_parts_add(&s->total, parts, "") : LP_OK;
    return catalog_db_finish_with(call, err);
}

static lp_err
write_sum(catalog *self, const sum *s)
{
    catalog_db_check_begun(self);
    rollup_parts parts = {0};
    lp_err err = parts_encode(&parts, &s->total);
    LP_THEN(err, CATALOG_DB_RUN(self, PUT_SUM, SUM_KEY(s), self->node, PART_VALUES(&parts)));
    parts_fini(&parts);
    return err;
}

// on_part adds the rollup of a chunk. It leaves out a rollup that cannot be read, which would
// otherwise keep new chunks from being added.
static lp_err
on_part(void *arg, const catalog_rollup *part)
{
    sum *s = arg;
    lp_err err = rollup_parts_add(&s->total, part->parts, part->session_id);
    if (err != LP_ECORRUPT && err != LP_EVERSION) {
        return err;
    }
    char start[LP_TIME_BYTES];
    lp_time_format(part->wall_ns, start);
    lp_log(LP_LOG_ERROR,
        "recording %s: the statistics of the chunk of %s are left out of the sums of %s: %s",
        part->session_id, start, s->service, lp_err_text(err));
    s->total.chunks_left_out++;
    return LP_OK;
}

uint64_t
catalog_rollups_left_out(const catalog *self)
{
    return self->rollups_left_out;
}

// make_sum makes a sum again from the chunks that this collector stored.
static lp_err
make_sum(catalog *self, const char *service, int64_t step_ns, int64_t middle_ns)
{
    sum s = sum_begin(service, step_ns, middle_ns);
    const catalog_rollup_query of_step = {
        .service = service,
        .from_wall_ns = s.start_wall_ns,
        .to_wall_ns = to_int64((__int128)s.start_wall_ns + step_ns),
        .has_exemplars = true,
        .has_attributes = true,
        .node = self->node,
    };
    lp_err err = catalog_rollups_list(self, &of_step, on_part, &s);
    self->rollups_left_out += s.total.chunks_left_out;
    LP_THEN(err, write_sum(self, &s));
    rollup_fini(&s.total);
    return err;
}

// The calls about a stored chunk, in one round trip.
typedef struct asked {
    catalog_db_call earlier; // FIND_ROLLUP
    sum sums[SUM_STEPS];
    catalog_db_call stored[SUM_STEPS]; // GET_SUM
    size_t sum_count;                  // of both
} asked;

static void
asked_fini(asked *a)
{
    int error = errno;
    for (size_t i = 0; i < a->sum_count; i++) {
        (void)!(a->stored[i].of == NULL ? LP_OK : catalog_db_finish(&a->stored[i]));
        rollup_fini(&a->sums[i].total);
    }
    errno = error;
}

static void
ask_sum(catalog *self, size_t level, const catalog_session *session, const catalog_chunk *chunk,
    asked *a)
{
    LP_ASSERT(level < SUM_STEPS && a->sum_count <= level);
    sum *s = &a->sums[level];
    *s = sum_begin(session->service, step_of(level), middle_of(chunk));
    CATALOG_DB_START(self, GET_SUM, &a->stored[level], SUM_KEY(s), self->node);
    a->sum_count++;
    catalog_db_ask(&a->stored[level]);
}

// add_to_sum adds a new chunk. It makes a sum that cannot be read again.
static lp_err
add_to_sum(catalog *self, size_t level, const catalog_session *session, const catalog_chunk *chunk,
    asked *a)
{
    sum *s = &a->sums[level];
    lp_err err = read_sum(&a->stored[level], s);
    a->stored[level].of = NULL;
    bool is_lost = err == LP_ECORRUPT || err == LP_EVERSION;
    if (err == LP_OK) {
        rollup_add(&s->total, chunk->rollup, session->id);
        err = rollup_err(&s->total);
    }
    LP_THEN(err, write_sum(self, s));
    return is_lost ? make_sum(self, session->service, s->step_ns, middle_of(chunk)) : err;
}

typedef struct earlier {
    char *service; // NULL: there was none
    int64_t middle_ns;
} earlier;

// take_earlier deletes the stored rollup of a chunk, if FIND_ROLLUP finds one, and ends that call.
// The caller frees out_earlier->service.
static lp_err
take_earlier(catalog *self, const char *session_id, uint32_t ordinal, catalog_db_call *found,
    earlier *out_earlier)
{
    lp_err err = LP_OK;
    const char *service;
    if (CATALOG_DB_NEXT(found, &service, &out_earlier->middle_ns)) {
        out_earlier->service = strdup(service);
        err = out_earlier->service == NULL ? LP_ENOMEM : LP_OK;
    }
    err = catalog_db_finish_with(found, err);
    return err == LP_OK && out_earlier->service != NULL
               ? CATALOG_DB_RUN(self, DROP_ROLLUP, session_id, ordinal)
               : err;
}

static lp_err
put_rollup(catalog *self, const catalog_session *session, const catalog_chunk *chunk)
{
    catalog_db_check_begun(self);
    rollup_parts parts = {0};
    lp_err err = parts_encode(&parts, chunk->rollup);
    LP_THEN(err, CATALOG_DB_RUN(self, PUT_ROLLUP, session->id, chunk->ordinal, session->service,
                     middle_of(chunk), PART_VALUES(&parts), self->node));
    parts_fini(&parts);
    return err;
}

// put_sums writes the sums that the chunk belongs to, and those that its earlier rollup belonged
// to.
static lp_err
put_sums(catalog *self, const catalog_session *session, const catalog_chunk *chunk,
    const earlier *before, asked *a)
{
    catalog_db_check_begun(self);
    lp_err err = LP_OK;
    for (size_t level = 0; level < SUM_STEPS && err == LP_OK; level++) {
        int64_t step_ns = step_of(level);
        if (before->service != NULL) { // a sum cannot be subtracted from
            err = make_sum(self, before->service, step_ns, before->middle_ns);
        }
        if (err == LP_OK && chunk->rollup != NULL) {
            err = before->service == NULL
                      ? add_to_sum(self, level, session, chunk, a)
                      : make_sum(self, session->service, step_ns, middle_of(chunk));
        }
    }
    return err;
}

lp_err
catalog_rollups_put(catalog *self, const catalog_session *session, const catalog_chunk *chunk)
{
    catalog_db_check_begun(self);
    earlier before = {0};
    asked a = {.sum_count = 0};
    CATALOG_DB_START(self, FIND_ROLLUP, &a.earlier, session->id, chunk->ordinal);
    catalog_db_ask(&a.earlier);
    for (size_t level = 0; level < SUM_STEPS && chunk->rollup != NULL; level++) {
        ask_sum(self, level, session, chunk, &a);
    }
    lp_err err = take_earlier(self, session->id, chunk->ordinal, &a.earlier, &before);
    LP_THEN(err, chunk->rollup != NULL ? put_rollup(self, session, chunk) : LP_OK);
    LP_THEN(err, put_sums(self, session, chunk, &before, &a));
    free(before.service);
    asked_fini(&a);
    return err;
}

typedef struct wanted_sum {
    char *service;
    int64_t middle_ns; // of a chunk in it
} wanted_sum;

typedef LP_VEC(wanted_sum) wanted_sums;

static lp_err
list_wanted(catalog *self, int64_t step_ns, wanted_sums *out_sums)
{
    catalog_db_call call;
    wanted_sum wanted;
    const char *service;
    lp_err err = LP_OK;
    CATALOG_DB_START(self, LIST_SUMMED, &call, step_ns);
    while (err == LP_OK && CATALOG_DB_NEXT(&call, &service, &wanted.middle_ns)) {
        wanted.service = strdup(service);
        err = wanted.service == NULL ? LP_ENOMEM : LP_VEC_ADD(out_sums, wanted);
        if (err != LP_OK) {
            free(wanted.service);
        }
    }
    return catalog_db_finish_with(&call, err);
}

static lp_err
remake_sum(catalog *self, int64_t step_ns, const wanted_sum *wanted)
{
    LP_TRY(catalog_db_begin(self));
    return catalog_db_end(self, make_sum(self, wanted->service, step_ns, wanted->middle_ns));
}

lp_err
catalog_rollups_remake(catalog *self, bool (*is_ending)(void *arg), void *arg)
{
    lp_err err = LP_OK;
    for (size_t level = 0; level < SUM_STEPS && err == LP_OK; level++) {
        wanted_sums sums = {0};
        err = list_wanted(self, step_of(level), &sums);
        for (size_t i = 0; i < sums.count; i++) {
            LP_THEN(err, is_ending != NULL && is_ending(arg) ? LP_ECLOSED : LP_OK);
            LP_THEN(err, remake_sum(self, step_of(level), &sums.items[i]));
            free(sums.items[i].service);
        }
        LP_VEC_FINI(&sums);
    }
    return err;
}

lp_err
catalog_rollups_drop(catalog *self, const char *session_id, uint32_t ordinal)
{
    catalog_db_check_begun(self);
    earlier before = {0};
    catalog_db_call found;
    CATALOG_DB_START(self, FIND_ROLLUP, &found, session_id, ordinal);
    lp_err err = take_earlier(self, session_id, ordinal, &found, &before);
    for (size_t level = 0; level < SUM_STEPS && err == LP_OK && before.service != NULL; level++) {
        const sum s = sum_begin(before.service, step_of(level), before.middle_ns);
        err = CATALOG_DB_RUN(self, DROP_SUM, SUM_KEY(&s));
    }
    free(before.service);
    return err;
}
