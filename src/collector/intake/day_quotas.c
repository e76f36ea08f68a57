// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/day_quotas.h"

#include "collector/base/metrics.h"
#include "collector/store/catalog/catalog_days.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_names.h"
#include "common/base/lp_vec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const int64_t DAY_NS = INT64_C(86400) * 1000000000;

// The shared sum in the catalog, where no service's name has a newline, and in the log.
static const char others_key[] = "\n";
static const char others_name[] = "(others)";

typedef struct entry {
    char *service; // NULL: the shared sum
    uint64_t bytes;
    uint64_t put_off;   // batches
    uint64_t bytes_max; // the quota at the last use; 0: none
    bool is_over;       // batches are put off
    bool is_logged;     // begin_over has logged
    bool is_end_logged; // end_over has logged
    bool is_unsaved;
} entry;

struct day_quotas {
    catalog *catalog;
    policy_dir *policies;
    int64_t day;
    LP_VEC(entry) list;
    lp_names names; // index of list
    entry others;   // the shared sum
    size_t unnamed; // rows of services that had no .keep file
    size_t unsaved_count;
    size_t next_saved; // the index at which the next save begins
    bool has_old_rows; // the catalog has rows of another day
};

int64_t
day_quotas_next_day(int64_t day, int64_t now_wall_ns)
{
    int64_t now = now_wall_ns / DAY_NS - (now_wall_ns % DAY_NS < 0 ? 1 : 0);
    return now == day - 1 ? day : now;
}

bool
day_quotas_is_over(uint64_t bytes, uint64_t bytes_max)
{
    return bytes_max != 0 && bytes >= bytes_max;
}

static void
quotas_check(const day_quotas *self)
{
    LP_ASSERT(self->unsaved_count <= self->list.count + 1);
    LP_ASSERT(self->unnamed <= self->list.count);
    LP_ASSERT(self->next_saved <= self->list.count);
    LP_ASSERT(self->others.service == NULL);
}

static entry *
add(day_quotas *self, const char *service)
{
    char *copy;
    LP_REQUIRE(
        LP_VEC_ROOM(&self->list) && lp_names_add_copy(&self->names, service, &copy) == LP_OK, NULL);
    entry *made = &self->list.items[self->list.count++];
    *made = (entry){.service = copy};
    return made;
}

// find_own finds the service's own sum, NULL if it has none. It is borrowed until the next add.
static entry *
find_own(day_quotas *self, const char *service)
{
    uint32_t row = lp_names_find(&self->names, service);
    LP_ASSERT(row == LP_MAP_NONE || row < self->list.count);
    return row == LP_MAP_NONE ? NULL : &self->list.items[row];
}

// make adds a sum for a service. If there are too many, or memory runs out, it returns the shared
// sum. As agents choose the names, only services with a file, which the operator writes, always
// have room, and those that had a row before: else their bytes would be in two sums.
static entry *
make(day_quotas *self, const char *service, bool had_row)
{
    bool is_named = policy_dir_has_keep(self->policies, service);
    bool has_room = is_named || had_row || self->unnamed < DAY_QUOTAS_SERVICES_MAX;
    entry *made = has_room ? add(self, service) : NULL;
    if (made == NULL) {
        return &self->others;
    }
    self->unnamed += is_named ? 0 : 1;
    return made;
}

static entry *
find(day_quotas *self, const char *service)
{
    entry *own = find_own(self, service);
    return own != NULL ? own : make(self, service, false);
}

static entry *
get(day_quotas *self, size_t index)
{
    LP_ASSERT(index <= self->list.count);
    return index < self->list.count ? &self->list.items[index] : &self->others;
}

static const char *
name_of(const entry *e)
{
    return e->service != NULL ? e->service : others_name;
}

static void
note_unsaved(day_quotas *self, entry *e)
{
    self->unsaved_count += e->is_unsaved ? 0 : 1;
    e->is_unsaved = true;
    LP_ASSERT(self->unsaved_count > 0);
}

static void
set_bytes_max(day_quotas *self, entry *e, uint64_t bytes_max)
{
    if (e->bytes_max != bytes_max) {
        e->bytes_max = bytes_max;
        note_unsaved(self, e);
    }
}

static void
begin_over(entry *e)
{
    if (e->is_over) {
        return;
    }
    e->is_over = true;
    LP_ASSERT(e->bytes_max > 0);
    metrics_add(METRICS_services_over_quota, 1);
    if (!e->is_logged) {
        lp_log(LP_LOG_WARN,
            "service %s: %" PRIu64 " bytes received today, over its quota of %" PRIu64
            " bytes a day (daily in its .keep file): its batches are put off until midnight UTC",
            name_of(e), e->bytes, e->bytes_max);
    }
    e->is_logged = true;
}

static void
end_over(entry *e)
{
    if (!e->is_over) {
        return;
    }
    e->is_over = false;
    metrics_sub(METRICS_services_over_quota, 1);
    if (!e->is_end_logged) {
        lp_log(LP_LOG_INFO,
            "service %s: batches are taken again, after its quota has put off %" PRIu64 " attempts",
            name_of(e), e->put_off);
    }
    e->is_end_logged = true;
}

static void
reset(day_quotas *self)
{
    for (size_t i = 0; i <= self->list.count; i++) {
        end_over(get(self, i));
        free(get(self, i)->service);
    }
    LP_VEC_FINI(&self->list);
    lp_names_fini(&self->names);
    self->others = (entry){0};
    self->unnamed = 0;
    self->unsaved_count = 0;
    self->next_saved = 0;
    LP_ASSERT(self->list.count == 0);
}

typedef struct loading {
    int64_t last_day;
    bool has_rows;
} loading;

static void
on_day(void *arg, const catalog_day *row)
{
    loading *l = arg;
    l->last_day = !l->has_rows || row->day > l->last_day ? row->day : l->last_day;
    l->has_rows = true;
}

static void
on_row(void *arg, const catalog_day *row)
{
    day_quotas *self = arg;
    if (row->day != self->day) {
        self->has_old_rows = true;
        return;
    }
    entry *e =
        strcmp(row->service, others_key) == 0 ? &self->others : make(self, row->service, true);
    e->bytes += row->bytes;
    e->put_off += row->put_off;
    e->bytes_max = row->bytes_max;
}

static lp_err
load(day_quotas *self, int64_t now_wall_ns)
{
    loading l = {0};
    lp_err err = catalog_days_list(self->catalog, on_day, &l);
    self->day = day_quotas_next_day(l.last_day, now_wall_ns);
    return err == LP_OK ? catalog_days_list(self->catalog, on_row, self) : err;
}

lp_err
day_quotas_create(catalog *from, policy_dir *policies, int64_t now_wall_ns, day_quotas **out_quotas)
{
    day_quotas *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->catalog = from;
    self->policies = policies;
    lp_err err = load(self, now_wall_ns);
    if (err == LP_ECORRUPT) {
        reset(self);
        lp_log(LP_LOG_ERROR,
            "catalog: the bytes received of each service today are damaged: quotas start at zero");
        err = LP_OK;
    }
    if (err != LP_OK) {
        day_quotas_destroy(self);
        return err;
    }
    *out_quotas = self;
    return LP_OK;
}

void
day_quotas_destroy(day_quotas *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i <= self->list.count; i++) {
        metrics_sub(METRICS_services_over_quota, get(self, i)->is_over);
        free(get(self, i)->service);
    }
    LP_VEC_FINI(&self->list);
    lp_names_fini(&self->names);
    free(self);
}

bool
day_quotas_admit(day_quotas *self, const char *service, lp_problem *out_problem)
{
    quotas_check(self);
    uint64_t bytes_max = policy_dir_find_keep(self->policies, service).daily_bytes;
    entry *e = bytes_max != 0 ? find(self, service) : find_own(self, service);
    if (e == NULL) {
        return true;
    }
    set_bytes_max(self, e, bytes_max);
    if (!day_quotas_is_over(e->bytes, bytes_max)) {
        return true;
    }
    e->put_off++;
    metrics_add(METRICS_batches_over_quota, 1);
    note_unsaved(self, e);
    begin_over(e);
    (void)lp_problem_set(out_problem, LP_ELIMIT,
        "service %s has used up its quota of %" PRIu64 " bytes until midnight UTC", service,
        bytes_max);
    return false;
}

void
day_quotas_note(day_quotas *self, const char *service, uint64_t bytes)
{
    quotas_check(self);
    entry *e = find(self, service);
    e->bytes += bytes;
    if (e == &self->others) {
        metrics_add(METRICS_quota_bytes_shared, bytes);
    }
    note_unsaved(self, e);
}

// save saves up to DAY_QUOTAS_SAVED_AT_ONCE changed sums, from where the last call ended.
static void
save(day_quotas *self)
{
    catalog_day rows[DAY_QUOTAS_SAVED_AT_ONCE];
    entry *saved[DAY_QUOTAS_SAVED_AT_ONCE];
    size_t count = 0;
    size_t next = self->next_saved;
    for (size_t i = 0; i <= self->list.count && count < DAY_QUOTAS_SAVED_AT_ONCE; i++) {
        entry *e = get(self, next);
        next = next < self->list.count ? next + 1 : 0;
        if (e->is_unsaved) {
            const char *key = e->service != NULL ? e->service : others_key;
            rows[count] = (catalog_day){key, self->day, e->bytes, e->put_off, e->bytes_max};
            saved[count++] = e;
        }
    }
    LP_ASSERT(count <= self->unsaved_count);
    if (catalog_days_put(self->catalog, rows, count, self->day) != LP_OK) {
        return; // retried by the next tick; saving sessions logs the catalog's error
    }
    self->has_old_rows = false;
    self->next_saved = next;
    self->unsaved_count -= count;
    for (size_t i = 0; i < count; i++) {
        saved[i]->is_unsaved = false;
    }
}

// apply_changes ends the rejection of services whose file was changed. The shared sum has no file:
// it stays over until midnight.
static void
apply_changes(day_quotas *self)
{
    for (size_t i = 0; i < self->list.count; i++) {
        entry *e = &self->list.items[i];
        if (!e->is_over) {
            continue;
        }
        uint64_t bytes_max = policy_dir_find_keep(self->policies, e->service).daily_bytes;
        set_bytes_max(self, e, bytes_max);
        if (!day_quotas_is_over(e->bytes, bytes_max)) {
            end_over(e);
        }
    }
}

void
day_quotas_tick(day_quotas *self, int64_t now_wall_ns)
{
    quotas_check(self);
    int64_t day = day_quotas_next_day(self->day, now_wall_ns);
    if (day != self->day) {
        reset(self);
        self->day = day;
        self->has_old_rows = true;
    }
    apply_changes(self);
    if (self->unsaved_count > 0 || self->has_old_rows) {
        save(self);
    }
}

void
day_quotas_save(day_quotas *self)
{
    quotas_check(self);
    for (size_t before = self->unsaved_count + 1;
         self->unsaved_count > 0 && self->unsaved_count < before;) {
        before = self->unsaved_count;
        save(self);
    }
}
