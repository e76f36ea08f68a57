// SPDX-License-Identifier: Apache-2.0

#include "collector/keep/retention_stock.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST_OF_ALL = 4 }; // candidates of each service for the total of bytes

// --- The bytes of each service

static void
stock_check(const retention_stock *self)
{
    LP_ASSERT(self->dir != NULL && self->catalog != NULL && self->late != NULL);
    LP_ASSERT(self->aside_services.count <= self->aside.count);
}

kept_service *
retention_stock_find(retention_stock *self, const char *name)
{
    for (size_t i = 0; i < self->services.count; i++) {
        if (strcmp(self->services.items[i].name, name) == 0) {
            return &self->services.items[i];
        }
    }
    const kept_service made = {.name = strdup(name), .due_wall_ns = INT64_MIN};
    if (made.name == NULL || LP_VEC_ADD(&self->services, made) != LP_OK) {
        free(made.name);
        return NULL;
    }
    return &self->services.items[self->services.count - 1];
}

void
retention_stock_add(retention_stock *self, kept_service *s, uint64_t bytes)
{
    s->bytes += bytes;
    self->bytes += bytes;
    metrics_add(METRICS_stored_bytes_KEPT, bytes);
}

void
retention_stock_take(retention_stock *self, kept_service *s, uint64_t bytes)
{
    uint64_t of_chunks = s->bytes - s->aside_bytes;
    uint64_t known = bytes < of_chunks ? bytes : of_chunks; // a chunk may not have been counted
    s->bytes -= known;
    self->bytes -= known;
    metrics_sub(METRICS_stored_bytes_KEPT, known);
}

// --- Files that were put aside

typedef struct owner {
    retention_stock *of;
    const kept_service *service; // NULL: memory ran out
} owner;

static void
note_owner(void *arg, const catalog_session *row)
{
    owner *found = arg;
    found->service = retention_stock_find(found->of, row->service);
}

// find_owner finds or adds the service of a session; "" if it is unknown.
static lp_err
find_owner(retention_stock *self, const char *session_id, size_t *out_service)
{
    stock_check(self);
    owner found = {.of = self};
    lp_err err = session_id[0] == '\0'
                     ? LP_ENOENT
                     : catalog_find(self->catalog, session_id, note_owner, &found);
    if (err == LP_ENOENT) {
        found.service = retention_stock_find(self, "");
        err = LP_OK;
    }
    LP_THEN(err, found.service == NULL ? LP_ENOMEM : LP_OK);
    if (err == LP_OK) {
        *out_service = (size_t)(found.service - self->services.items);
    }
    return err;
}

static void
uncount(retention_stock *self, size_t index)
{
    LP_ASSERT(index < self->aside_services.count && index < self->aside.count);
    LP_ASSERT(self->aside_services.items[index] < self->services.count); // it never shrinks
    damaged_file *file = &self->aside.items[index];
    kept_service *s = &self->services.items[self->aside_services.items[index]];
    s->bytes -= file->bytes;
    s->aside_bytes -= file->bytes;
    self->bytes -= file->bytes;
    metrics_sub(METRICS_stored_bytes_DAMAGED, file->bytes);
    file->bytes = 0;
}

static lp_err
count(retention_stock *self, size_t index)
{
    size_t service;
    LP_TRY(find_owner(self, self->aside.items[index].session_id, &service));
    LP_TRY(LP_VEC_ADD(&self->aside_services, service));
    kept_service *s = &self->services.items[service];
    uint64_t bytes = self->aside.items[index].bytes;
    s->bytes += bytes;
    s->aside_bytes += bytes;
    self->bytes += bytes;
    metrics_add(METRICS_stored_bytes_DAMAGED, bytes);
    s->due_wall_ns = INT64_MIN;
    return LP_OK;
}

static void
forget(retention_stock *self)
{
    stock_check(self);
    for (size_t i = 0; i < self->aside_services.count; i++) {
        uncount(self, i);
    }
    self->aside_services.count = 0;
    damaged_files_fini(&self->aside);
}

lp_err
retention_stock_look_aside(retention_stock *self)
{
    forget(self);
    lp_err err = damaged_files_list(self->dir, &self->aside);
    for (size_t i = 0; i < self->aside.count && err == LP_OK; i++) {
        err = count(self, i);
    }
    if (err != LP_OK) {
        forget(self);
    }
    return err;
}

static lp_err
remove_file(const retention_stock *self, const char *name)
{
    LP_TRY(late_journals_remove(self->late, data_dir_at(self->dir, "%s", name).text));
    return damaged_files_remove(self->dir, name);
}

lp_err
retention_stock_remove_aside(retention_stock *self, size_t index)
{
    stock_check(self);
    LP_ASSERT(index < self->aside.count);
    damaged_file *file = &self->aside.items[index];
    lp_err err = remove_file(self, file->name);
    int error = errno;
    if (err == LP_OK) {
        metrics_add(METRICS_damaged_files_expired, 1);
    } else {
        lp_log(LP_LOG_ERROR, "%s cannot be removed: %s", file->name, lp_err_reason(err));
    }
    uncount(self, index);
    file->is_gone = true;
    errno = error;
    return err;
}

lp_err
retention_stock_remove_aside_of(retention_stock *self, const char *session_id)
{
    stock_check(self);
    lp_err all = LP_OK;
    int error = 0;
    for (size_t i = 0; i < self->aside.count; i++) {
        if (strcmp(self->aside.items[i].session_id, session_id) != 0) {
            continue;
        }
        lp_err err = retention_stock_remove_aside(self, i);
        error = err == LP_OK ? error : errno;
        all = err == LP_OK ? all : err;
    }
    errno = error;
    return all;
}

// --- What expires

typedef struct listing {
    retention_stock *of;
    size_t service;
    size_t first; // candidate
} listing;

static lp_err
add_candidate(retention_stock *self, retention_candidate c)
{
    LP_ASSERT(c.service < self->services.count);
    c.number = self->candidates.count;
    return LP_VEC_ADD(&self->candidates, c);
}

static void
note_oldest(void *arg, const char *service, const catalog_old_chunk *chunk)
{
    (void)service;
    const listing *l = arg;
    retention_stock *self = l->of;
    LP_ASSERT(l->first <= self->candidates.count);
    const retention_candidate c = {.service = l->service,
        .start_wall_ns = chunk->start_wall_ns,
        .end_wall_ns = chunk->end_wall_ns,
        .bytes = chunk->stored_bytes,
        .source = self->chunks.count};
    LP_THEN(self->err, LP_VEC_ADD(&self->chunks, *chunk));
    LP_THEN(self->err, add_candidate(self, c));
}

static lp_err
list_service(retention_stock *self, size_t index, size_t count_max)
{
    listing l = {.of = self, .service = index, .first = self->candidates.count};
    lp_err err = catalog_list_oldest(
        self->catalog, self->services.items[index].name, count_max, note_oldest, &l);
    size_t count = self->candidates.count - l.first;
    if (err == LP_OK && count == count_max) {
        self->candidates.items[self->candidates.count - 1].has_more = true;
    }
    return err == LP_OK ? self->err : err;
}

static lp_err
list_aside(retention_stock *self, size_t service)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < self->aside.count && err == LP_OK; i++) {
        const damaged_file *file = &self->aside.items[i];
        if (!file->is_gone && self->aside_services.items[i] == service) {
            err = add_candidate(self, (retention_candidate){.service = service,
                                          .start_wall_ns = file->since_wall_ns,
                                          .end_wall_ns = file->since_wall_ns,
                                          .bytes = file->bytes,
                                          .is_aside = true,
                                          .source = i});
        }
    }
    return err;
}

static lp_err
find_limits(retention_stock *self)
{
    lp_err err = LP_OK;
    self->limits.count = 0;
    for (size_t i = 0; i < self->services.count && err == LP_OK; i++) {
        kept_service *s = &self->services.items[i];
        policy_keep own = policy_dir_find_keep(self->policies, s->name);
        int64_t age_ns = own.age_ns != 0 ? own.age_ns : self->keep.age_ns;
        const retention_service limits = {.bytes = s->bytes,
            .age_ns_max = age_ns == 0 ? INT64_MAX : age_ns,
            .bytes_max = own.bytes == 0 ? UINT64_MAX : own.bytes};
        if (limits.age_ns_max != s->age_ns_max) {
            s->age_ns_max = limits.age_ns_max;
            s->due_wall_ns = INT64_MIN;
        }
        err = LP_VEC_ADD(&self->limits, limits);
    }
    return err;
}

static uint64_t
bytes_max_of(const retention_stock *self)
{
    return self->keep.bytes == 0 ? UINT64_MAX : self->keep.bytes;
}

static lp_err
list_candidates(retention_stock *self, size_t count_max, int64_t now_wall_ns)
{
    self->candidates.count = 0;
    self->chunks.count = 0;
    lp_err err = find_limits(self);
    bool is_over = self->bytes > bytes_max_of(self);
    for (size_t i = 0; i < self->services.count && err == LP_OK; i++) {
        const kept_service *s = &self->services.items[i];
        const retention_service *limits = &self->limits.items[i];
        bool is_due = limits->age_ns_max != INT64_MAX && now_wall_ns >= s->due_wall_ns;
        bool is_listed = is_due || s->bytes > limits->bytes_max;
        if (is_listed) {
            err = list_service(self, i, count_max);
        } else if (is_over) { // as a rule by one chunk, of any service
            err = list_service(self, i, OLDEST_OF_ALL);
        }
        if (err == LP_OK && (is_listed || is_over)) {
            err = list_aside(self, i);
        }
    }
    return err;
}

static bool
is_too_old(const retention_candidate *c, const retention_service *of, int64_t now_wall_ns)
{
    int64_t age_ns;
    return !__builtin_sub_overflow(now_wall_ns, c->end_wall_ns, &age_ns) && age_ns > of->age_ns_max;
}

size_t
retention_stock_decide(retention_candidate *candidates, size_t count, retention_service *services,
    size_t service_count, uint64_t bytes_max, int64_t now_wall_ns)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < service_count; i++) {
        bytes += services[i].bytes;
    }
    size_t gone = 0;
    bool knows_next = true; // every chunk that started before the present one is a candidate
    for (size_t i = 0; i < count; i++) {
        retention_candidate *c = &candidates[i];
        LP_ASSERT(c->service < service_count);
        LP_ASSERT(i == 0 || candidates[i - 1].start_wall_ns <= c->start_wall_ns);
        retention_service *of = &services[c->service];
        c->goes = is_too_old(c, of, now_wall_ns) || of->bytes > of->bytes_max ||
                  (bytes > bytes_max && knows_next);
        if (c->goes) {
            gone++;
            of->bytes -= c->bytes;
            bytes -= c->bytes;
        }
        knows_next = knows_next && !c->has_more;
    }
    return gone;
}

LP_COMPARE(compare_candidates, retention_candidate,
    LP_ORDER(one->start_wall_ns, other->start_wall_ns) ?: LP_ORDER(one->number, other->number))

lp_err
retention_stock_choose(
    retention_stock *self, size_t count_max, int64_t now_wall_ns, size_t *out_gone)
{
    stock_check(self);
    LP_ASSERT(count_max > 0);
    self->err = LP_OK;
    LP_TRY(list_candidates(self, count_max, now_wall_ns));
    LP_QSORT(self->candidates.items, self->candidates.count, compare_candidates);
    *out_gone = retention_stock_decide(self->candidates.items, self->candidates.count,
        self->limits.items, self->services.count, bytes_max_of(self), now_wall_ns);
    return LP_OK;
}

void
retention_stock_find_due(retention_stock *self)
{
    for (size_t i = 0; i < self->candidates.count; i++) {
        self->services.items[self->candidates.items[i].service].due_wall_ns = INT64_MAX;
    }
    for (size_t i = 0; i < self->candidates.count; i++) {
        const retention_candidate *c = &self->candidates.items[i];
        LP_ASSERT(c->service < self->services.count);
        kept_service *s = &self->services.items[c->service];
        if (c->goes && !c->has_more) {
            continue;
        }
        int64_t due_wall_ns;
        int64_t end_wall_ns =
            c->has_more ? c->start_wall_ns : c->end_wall_ns; // the others end later
        if (__builtin_add_overflow(end_wall_ns, s->age_ns_max, &due_wall_ns)) {
            due_wall_ns = INT64_MAX;
        }
        s->due_wall_ns = due_wall_ns < s->due_wall_ns ? due_wall_ns : s->due_wall_ns;
    }
}

// --- The end

void
retention_stock_fini(retention_stock *self)
{
    forget(self);
    metrics_sub(METRICS_stored_bytes_KEPT, self->bytes);
    LP_VEC_FINI_EACH(&self->services, free(at->name));
    LP_VEC_FINI(&self->aside_services);
    LP_VEC_FINI(&self->candidates);
    LP_VEC_FINI(&self->chunks);
    LP_VEC_FINI(&self->limits);
}
