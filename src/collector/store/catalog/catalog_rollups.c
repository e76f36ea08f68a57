// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_rollups.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

// floor_to and ceil_to return the next multiple of a step, or the end of the numbers.
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

static void
get_parts(catalog_db_call *call, int first, lp_slice out_parts[ROLLUP_PARTS])
{
    for (rollup_part i = 0; i < ROLLUP_PARTS; i++) {
        out_parts[i] = catalog_db_get_bytes(call, first + (int)i);
    }
}

static bool
is_of_sessions(const catalog_rollup_query *query)
{
    return query->instance != NULL || query->version != NULL || query->session_id != NULL;
}

// each calls on_rollup for every row of a call (service, session, start, the parts and the length),
// and ends it.
static lp_err
each(const list *l, catalog_db_call *call)
{
    lp_err err = LP_OK;
    uint64_t left = is_of_sessions(l->query) ? l->query->chunks_max : 0;
    bool has_limit = left > 0;
    while (err == LP_OK && catalog_db_step(call)) {
        catalog_rollup found = {
            .service = catalog_db_get_text(call, 0),
            .session_id = catalog_db_get_text(call, 1),
            .wall_ns = catalog_db_get_int(call, 2),
        };
        get_parts(call, 3, found.parts);
        found.length_ns = catalog_db_get_int(call, 3 + ROLLUP_PARTS);
        if (has_limit && left-- == 0) {
            err = LP_ELIMIT;
        } else if (found.service != NULL && found.session_id != NULL) {
            err = l->on_rollup(l->arg, &found);
        }
    }
    lp_err failure = catalog_db_finish(call);
    return err == LP_OK ? failure : err;
}

static lp_err
list_chunks(const list *l, int64_t from_ns, int64_t to_ns)
{
    bool is_of_some = is_of_sessions(l->query);
    catalog_db_call call;
    catalog_db_start(
        l->catalog, is_of_some ? CATALOG_DB_LIST_SESSION_ROLLUPS : CATALOG_DB_LIST_ROLLUPS, &call);
    catalog_db_bind_int(&call, from_ns);
    catalog_db_bind_int(&call, to_ns);
    catalog_db_bind_text(&call, l->query->service);
    catalog_db_bind_int(&call, l->query->has_exemplars ? 1 : 0);
    catalog_db_bind_int(&call, l->query->has_attributes ? 1 : 0);
    if (is_of_some) {
        catalog_db_bind_text(&call, l->query->session_id);
        catalog_db_bind_text(&call, l->query->instance);
        catalog_db_bind_text(&call, l->query->version);
    } else {
        catalog_db_bind_text(&call, l->query->node);
    }
    catalog_db_bind_int(&call, l->query->has_lengths ? 1 : 0);
    return each(l, &call);
}

static lp_err
list_sums(const list *l, int64_t step_ns, int64_t from_ns, int64_t to_ns)
{
    catalog_db_call call;
    catalog_db_start(l->catalog, CATALOG_DB_LIST_SUMS, &call);
    catalog_db_bind_int(&call, from_ns);
    catalog_db_bind_int(&call, to_ns);
    catalog_db_bind_text(&call, l->query->service);
    catalog_db_bind_int(&call, l->query->has_exemplars ? 1 : 0);
    catalog_db_bind_int(&call, l->query->has_attributes ? 1 : 0);
    catalog_db_bind_int(&call, step_ns);
    return each(l, &call);
}

static bool
may_come_as_sum(const catalog_rollup_query *query, int64_t step_ns)
{
    return !is_of_sessions(query) && query->step_ns > 0 && query->step_ns % step_ns == 0;
}

// list_between lists [from, to): whole steps of a level as sums, the rest at the next one.
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
    lp_err err = list_between(l, level + 1, from_ns, first_ns);
    LP_THEN(err, list_sums(l, step_of(level), first_ns, last_ns));
    return err == LP_OK ? list_between(l, level + 1, last_ns, to_ns) : err;
}

lp_err
catalog_rollups_list(catalog *self, const catalog_rollup_query *query,
    lp_err (*on_rollup)(void *arg, const catalog_rollup *rollup), void *arg)
{
    const list l = {.catalog = self, .query = query, .on_rollup = on_rollup, .arg = arg};
    return list_between(&l, 0, query->from_wall_ns, query->to_wall_ns);
}

lp_err
catalog_rollups_longest(catalog *self, const catalog_rollup_query *query, int64_t *out_ns)
{
    *out_ns = 0;
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LONGEST_CHUNK, &call);
    catalog_db_bind_int(&call, query->from_wall_ns);
    catalog_db_bind_int(&call, query->to_wall_ns);
    catalog_db_bind_text(&call, query->service);
    if (catalog_db_step(&call)) {
        *out_ns = catalog_db_get_int(&call, 0);
    }
    return catalog_db_finish(&call);
}

// --- Writing

// middle_of returns the point in time by which a chunk is found.
static int64_t
middle_of(const catalog_chunk *chunk)
{
    return to_int64((__int128)chunk->start_wall_ns + chunk->duration_ns / 2);
}

// A sum that is made: of the chunks of a service whose middles lie in [start, start + step).
typedef struct sum {
    const char *service;
    int64_t step_ns;
    int64_t start_wall_ns;
    rollup total;
} sum;

static sum
sum_begin(const char *service, int64_t step_ns, int64_t middle_ns)
{
    sum made = {
        .service = service, .step_ns = step_ns, .start_wall_ns = floor_to(middle_ns, step_ns)};
    rollup_init(&made.total);
    return made;
}

static void
start_sum(catalog *self, catalog_db_statement which, const sum *s, catalog_db_call *out_call)
{
    catalog_db_start(self, which, out_call);
    catalog_db_bind_int(out_call, s->step_ns);
    catalog_db_bind_int(out_call, s->start_wall_ns);
    catalog_db_bind_text(out_call, s->service);
}

// read_sum adds what is stored of a sum (GET_SUM), and ends the call. Errors: LP_ECORRUPT,
// LP_EVERSION it cannot be read
static lp_err
read_sum(catalog_db_call *call, sum *s)
{
    lp_err err = LP_OK;
    if (catalog_db_step(call)) {
        lp_slice parts[ROLLUP_PARTS];
        get_parts(call, 0, parts);
        err = rollup_parts_add(&s->total, parts, "");
    }
    lp_err failure = catalog_db_finish(call);
    return err == LP_OK ? failure : err;
}

static void
bind_parts(catalog_db_call *call, const rollup_parts *parts)
{
    for (rollup_part i = 0; i < ROLLUP_PARTS; i++) {
        catalog_db_bind_bytes(call, lp_buf_slice(&parts->of[i]));
    }
}

static lp_err
write_sum(catalog *self, const sum *s)
{
    rollup_parts parts = {0};
    catalog_db_call call;
    lp_err err = rollup_parts_encode(&parts, &s->total);
    if (err == LP_OK) {
        start_sum(self, CATALOG_DB_PUT_SUM, s, &call);
        catalog_db_bind_text(&call, self->node);
        bind_parts(&call, &parts);
        err = catalog_db_run(&call);
    }
    rollup_parts_fini(&parts);
    return err;
}

// on_part adds the rollup of a chunk. One that cannot be read is left out: it would keep chunks
// from being added.
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

// make_sum makes a sum anew, from the chunks that this collector has stored.
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

// What is asked about a chunk that is put, in one round trip.
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
        lp_err ignored = a->stored[i].of == NULL ? LP_OK : catalog_db_finish(&a->stored[i]);
        (void)ignored;
        rollup_fini(&a->sums[i].total);
    }
    errno = error;
}

static void
ask_sum(catalog *self, size_t level, const catalog_session *session, const catalog_chunk *chunk,
    asked *a)
{
    sum *s = &a->sums[level];
    *s = sum_begin(session->service, step_of(level), middle_of(chunk));
    start_sum(self, CATALOG_DB_GET_SUM, s, &a->stored[level]);
    a->sum_count++;
    catalog_db_bind_text(&a->stored[level], self->node);
    catalog_db_ask(&a->stored[level]);
}

// add_to_sum adds a chunk that is new. A sum that cannot be read is made anew.
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

// A chunk's rollup as it was stored before.
typedef struct earlier {
    char *service; // NULL: there was none
    int64_t middle_ns;
} earlier;

static void
start_chunk(catalog *self, catalog_db_statement which, const char *session_id, uint32_t ordinal,
    catalog_db_call *out_call)
{
    catalog_db_start(self, which, out_call);
    catalog_db_bind_text(out_call, session_id);
    catalog_db_bind_uint(out_call, ordinal);
}

// take_earlier removes what was stored of a chunk, which FIND_ROLLUP finds, and ends that call. The
// caller frees out_earlier->service.
static lp_err
take_earlier(catalog *self, const char *session_id, uint32_t ordinal, catalog_db_call *found,
    earlier *out_earlier)
{
    catalog_db_call call;
    lp_err err = LP_OK;
    if (catalog_db_step(found)) {
        const char *service = catalog_db_get_text(found, 0);
        out_earlier->service = service == NULL ? NULL : strdup(service);
        out_earlier->middle_ns = catalog_db_get_int(found, 1);
        err = out_earlier->service == NULL ? LP_ENOMEM : LP_OK;
    }
    lp_err failure = catalog_db_finish(found);
    LP_THEN(err, failure);
    if (err == LP_OK && out_earlier->service != NULL) {
        start_chunk(self, CATALOG_DB_DROP_ROLLUP, session_id, ordinal, &call);
        err = catalog_db_run(&call);
    }
    return err;
}

static lp_err
put_rollup(catalog *self, const catalog_session *session, const catalog_chunk *chunk)
{
    rollup_parts parts = {0};
    catalog_db_call call;
    lp_err err = rollup_parts_encode(&parts, chunk->rollup);
    if (err == LP_OK) {
        start_chunk(self, CATALOG_DB_PUT_ROLLUP, session->id, chunk->ordinal, &call);
        catalog_db_bind_text(&call, session->service);
        catalog_db_bind_int(&call, middle_of(chunk));
        bind_parts(&call, &parts);
        catalog_db_bind_text(&call, self->node);
        err = catalog_db_run(&call);
    }
    rollup_parts_fini(&parts);
    return err;
}

// put_sums writes the sums that a chunk is in, and those that it was in.
static lp_err
put_sums(catalog *self, const catalog_session *session, const catalog_chunk *chunk,
    const earlier *before, asked *a)
{
    lp_err err = LP_OK;
    for (size_t level = 0; level < SUM_STEPS && err == LP_OK; level++) {
        int64_t step_ns = step_of(level);
        if (before->service != NULL) { // nothing can be taken from a sum
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
    earlier before = {0};
    asked a = {.sum_count = 0};
    start_chunk(self, CATALOG_DB_FIND_ROLLUP, session->id, chunk->ordinal, &a.earlier);
    catalog_db_ask(&a.earlier);
    for (size_t level = 0; level < SUM_STEPS && chunk->rollup != NULL; level++) {
        ask_sum(self, level, session, chunk, &a);
    }
    lp_err err = take_earlier(self, session->id, chunk->ordinal, &a.earlier, &before);
    if (err == LP_OK && chunk->rollup != NULL) {
        err = put_rollup(self, session, chunk);
    }
    LP_THEN(err, put_sums(self, session, chunk, &before, &a));
    free(before.service);
    asked_fini(&a);
    return err;
}

// A sum that is to be made anew.
typedef struct wanted_sum {
    char *service;
    int64_t middle_ns; // of a chunk in it
} wanted_sum;

typedef LP_VEC(wanted_sum) wanted_sums;

static lp_err
list_wanted(catalog *self, int64_t step_ns, wanted_sums *out_sums)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_SUMMED, &call);
    lp_err err = LP_OK;
    catalog_db_bind_int(&call, step_ns);
    while (err == LP_OK && catalog_db_step(&call)) {
        const char *service = catalog_db_get_text(&call, 0);
        wanted_sum *item = service == NULL ? NULL : LP_VEC_PUSH(out_sums);
        err = item == NULL || (item->service = strdup(service)) == NULL ? LP_ENOMEM : LP_OK;
        if (err == LP_OK) {
            item->middle_ns = catalog_db_get_int(&call, 1);
        }
    }
    lp_err failure = catalog_db_finish(&call);
    return err == LP_OK ? failure : err;
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
            if (err == LP_OK && is_ending != NULL && is_ending(arg)) {
                err = LP_ECLOSED;
            }
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
    earlier before = {0};
    catalog_db_call found;
    start_chunk(self, CATALOG_DB_FIND_ROLLUP, session_id, ordinal, &found);
    lp_err err = take_earlier(self, session_id, ordinal, &found, &before);
    for (size_t level = 0; level < SUM_STEPS && err == LP_OK && before.service != NULL; level++) {
        const sum s = sum_begin(before.service, step_of(level), before.middle_ns);
        catalog_db_call call;
        start_sum(self, CATALOG_DB_DROP_SUM, &s, &call);
        err = catalog_db_run(&call);
    }
    free(before.service);
    return err;
}
