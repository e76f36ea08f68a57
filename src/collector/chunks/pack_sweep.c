// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/pack_sweep.h"

#include "collector/base/metrics.h"
#include "collector/chunks/pack_copy.h"
#include "collector/store/catalog/catalog_objects.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t NS_PER_S = 1000000000;

// An object on its way out.
typedef struct leaving {
    char object[BLOB_OBJECT_CHARS + 1];
    uint64_t round;  // after which it may go
    uint64_t moment; // before which readers began who may read it
    uint64_t retry_ms;
} leaving;

struct pack_sweep {
    pack_sweep_config config;
    leaving leaving[PACK_SWEEP_REMOVALS_MAX];
    size_t leaving_count;
    pack_copy_names given_up; // objects that cannot be copied, until the process ends
    uint64_t look_ms;         // loop time of the next look at the catalog
    uint64_t orphans_ms;      // and at the store
    uint64_t copy_ms;         // loop time before which nothing is copied, after a failure
    uint64_t bytes;           // as the metrics have it
    uint64_t dead_bytes;
    uint64_t unknown;
    atomic_bool is_stopping; // orders nothing: a worker that sees it late does its work
    bool has_work;
    uv_work_t work;
    // Of the work
    char sparse[BLOB_OBJECT_CHARS + 1]; // the object to be copied; "": it looks for orphans
    lp_err err;
    int error;
    pack_copied_list copied;
    pack_copy_names found; // all that there are, in order
    pack_copy_names orphans;
    uint64_t found_unknown; // and are no orphans
};

pack_sweep *
pack_sweep_create(const pack_sweep_config *config)
{
    pack_sweep *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->config = *config;
        self->work.data = self;
    }
    return self;
}

void
pack_sweep_destroy(pack_sweep *self)
{
    if (self != NULL) {
        LP_VEC_FINI(&self->given_up);
        LP_VEC_FINI(&self->found);
        LP_VEC_FINI(&self->orphans);
        LP_VEC_FINI(&self->copied);
        free(self);
    }
}

static bool
is_stopping(const pack_sweep *self)
{
    return atomic_load_explicit(&self->is_stopping, memory_order_relaxed);
}

void
pack_sweep_stop(pack_sweep *self)
{
    atomic_store_explicit(&self->is_stopping, true, memory_order_relaxed);
}

static bool
has_name(const pack_copy_names *names, const char *object)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i].text, object) == 0) {
            return true;
        }
    }
    return false;
}

static lp_err
add_name(pack_copy_names *names, const char *object)
{
    pack_copy_name *name = LP_VEC_PUSH(names);
    if (name == NULL) {
        return LP_ENOMEM;
    }
    (void)snprintf(name->text, sizeof(name->text), "%s", object);
    return LP_OK;
}

// --- Removal

// let_leave has an object removed, if there is room, once the disk has what the catalog has now and
// nobody reads it.
static void
let_leave(pack_sweep *self, const char *object)
{
    for (size_t i = 0; i < self->leaving_count; i++) {
        if (strcmp(self->leaving[i].object, object) == 0) {
            return;
        }
    }
    if (self->leaving_count == PACK_SWEEP_REMOVALS_MAX) {
        return; // the next look finds it
    }
    leaving *item = &self->leaving[self->leaving_count++];
    *item = (leaving){.round = sync_rounds_get_coming(self->config.rounds),
        .moment = blobs_get_moment(self->config.blobs)};
    (void)snprintf(item->object, sizeof(item->object), "%s", object);
    sync_rounds_hurry(self->config.rounds); // nothing else may be on its way to the disk
}

static void
note_empty(void *arg, const catalog_object *object)
{
    let_leave(arg, object->name);
}

// remove_object removes an object that may go, and forgets it. Returns whether it is gone.
static bool
remove_object(pack_sweep *self, leaving *item)
{
    uint64_t now_ms = uv_now(self->config.loop);
    if (now_ms < item->retry_ms || !sync_rounds_is_committed(self->config.rounds, item->round) ||
        blobs_is_read(self->config.blobs, NULL, item->moment)) {
        return false;
    }
    lp_err err = blobs_remove_object(self->config.blobs, item->object);
    if (err == LP_EAGAIN) {
        return false; // it goes on by itself
    }
    LP_THEN(err, catalog_forget_object(self->config.catalog, item->object));
    if (err != LP_OK) {
        metrics_add(METRICS_removal_errors, 1);
        lp_log(LP_LOG_ERROR, "pack %s cannot be removed: %s; trying again in %d s", item->object,
            lp_err_reason(err), PACK_SWEEP_RETRY_MS / 1000);
        item->retry_ms = now_ms + lp_time_scale_ms(PACK_SWEEP_RETRY_MS);
        return false;
    }
    metrics_add(METRICS_packs_removed, 1);
    return true;
}

static void
remove_objects(pack_sweep *self)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->leaving_count; i++) {
        leaving item = self->leaving[i];
        if (!remove_object(self, &item)) {
            self->leaving[kept++] = item;
        }
    }
    self->leaving_count = kept;
}

// --- On a worker

static lp_err
on_object(void *arg, const char *object)
{
    pack_sweep *self = arg;
    return add_name(&self->found, object);
}

static bool
is_old(const char *object)
{
    int64_t wall_ns;
    return object_pack_name_time(object, &wall_ns) &&
           lp_time_now() - wall_ns > PACK_SWEEP_ORPHAN_AGE_S * NS_PER_S;
}

// judge_object finds out whether an object is an orphan.
static lp_err
judge_object(pack_sweep *self, catalog *in, const char *object)
{
    bool is_orphan = false;
    lp_err err = is_old(object) ? catalog_has_object(in, object) : LP_OK;
    if (err != LP_ENOENT) {
        return err;
    }
    err = pack_copy_is_orphan(self->config.blobs, in, object, &self->found, &is_orphan);
    if (err == LP_OK && is_orphan) {
        return add_name(&self->orphans, object);
    }
    self->found_unknown += err == LP_ENOENT ? 0 : 1; // or it is gone
    bool is_its_own = err == LP_ENOENT || err == LP_ECORRUPT || err == LP_EVERSION;
    return is_its_own ? LP_OK : err;
}

// find_orphans looks at all objects, as those that stay, which nobody knows how many there are of,
// would else hide those behind them.
static lp_err
find_orphans(pack_sweep *self, catalog *in)
{
    lp_err err = blobs_list_objects(self->config.blobs, on_object, self);
    if (err == LP_OK && self->found.count > 0) {
        qsort(
            self->found.items, self->found.count, sizeof(self->found.items[0]), pack_copy_compare);
    }
    for (size_t i = 0; i < self->found.count && err == LP_OK && !is_stopping(self); i++) {
        err = judge_object(self, in, self->found.items[i].text);
    }
    return err;
}

static void
work(uv_work_t *of)
{
    pack_sweep *self = of->data;
    catalog *in;
    lp_problem problem;
    self->err = catalog_open_reader(self->config.catalog_place, &in, &problem);
    if (self->err != LP_OK) {
        self->error = errno;
        return;
    }
    self->err = self->sparse[0] == '\0' ? find_orphans(self, in)
                                        : pack_copy_live(self->config.blobs, in, self->sparse,
                                              packs_get_files(self->config.packs), &self->copied);
    self->error = errno;
    catalog_close(in);
}

// --- What a worker has found

static void
take_orphans(pack_sweep *self)
{
    for (size_t i = 0; i < self->orphans.count; i++) {
        lp_log(LP_LOG_INFO, "pack %s: all its chunks were committed elsewhere: it is removed",
            self->orphans.items[i].text);
        let_leave(self, self->orphans.items[i].text);
    }
    if (self->found_unknown > self->unknown) {
        lp_log(LP_LOG_WARN,
            "%llu packs in %s are not in the catalog and have chunks that may be nowhere else: "
            "they are left as they are",
            (unsigned long long)self->found_unknown, blobs_get_name(self->config.blobs));
    }
    metrics_add(METRICS_packs_unknown, self->found_unknown);
    metrics_sub(METRICS_packs_unknown, self->unknown);
    self->unknown = self->found_unknown;
}

// give_up has an object not copied again.
static void
give_up(pack_sweep *self)
{
    lp_err ignored = add_name(&self->given_up, self->sparse); // without memory it is tried again
    (void)ignored;
}

// take_copied passes on what was copied, to be moved with the open pack.
static void
take_copied(pack_sweep *self)
{
    lp_err err = self->err;
    for (size_t i = 0; i < self->copied.count; i++) {
        pack_copied *c = &self->copied.items[i];
        catalog_move move = {.ordinal = c->chunk.ordinal, .stored_bytes = c->chunk.stored_bytes};
        memcpy(move.session_id, c->chunk.session_id, sizeof(move.session_id));
        memcpy(move.from, self->sparse, sizeof(move.from));
        if (err == LP_OK) {
            err = packs_add_move(self->config.packs, &move, &c->chunk, &c->piece);
        } else {
            pack_files_settle(&c->piece);
        }
    }
    metrics_add(METRICS_packs_repacked, err == LP_OK ? 1 : 0);
    if (err == LP_OK && self->copied.count == 0) {
        give_up(self); // its chunks have gone meanwhile, or its footer does not name them
    }
    packs_tick(self->config.packs);
}

// note_failure logs why a worker did not get to the end, and gives up an object that is damaged, or
// puts off what failed; the other of the two goes on.
static void
note_failure(pack_sweep *self)
{
    errno = self->error;
    bool is_lasting =
        self->err == LP_ECORRUPT || self->err == LP_EVERSION || self->err == LP_ENOENT;
    if (self->sparse[0] != '\0' && is_lasting) {
        lp_log(LP_LOG_ERROR, "pack %s: its chunks cannot be copied: %s; it is left as it is",
            self->sparse, lp_err_text(self->err));
        give_up(self);
    } else if (!is_stopping(self)) {
        lp_log(LP_LOG_WARN, "packs cannot be looked at: %s; trying again in %d s",
            lp_err_reason(self->err), PACK_SWEEP_WORK_RETRY_MS / 1000);
        uint64_t *due_ms = self->sparse[0] != '\0' ? &self->copy_ms : &self->orphans_ms;
        *due_ms = uv_now(self->config.loop) + PACK_SWEEP_WORK_RETRY_MS;
    }
}

static void
on_work_done(uv_work_t *of, int status)
{
    (void)status; // never cancelled
    pack_sweep *self = of->data;
    self->has_work = false;
    if (self->err != LP_OK) {
        note_failure(self);
    }
    if (self->sparse[0] != '\0') {
        take_copied(self);
    } else if (self->err == LP_OK) {
        take_orphans(self);
    }
    self->copied.count = 0;
    self->found.count = 0;
    self->orphans.count = 0;
}

// --- On the loop

static void
start_work(pack_sweep *self, const char *sparse)
{
    (void)snprintf(self->sparse, sizeof(self->sparse), "%s", sparse);
    self->found_unknown = 0;
    self->has_work = true;
    int failure = uv_queue_work(self->config.loop, &self->work, work, on_work_done);
    LP_ASSERT(failure == 0); // it fails only without a callback
}

typedef struct choice {
    const pack_copy_names *given_up;
    char object[BLOB_OBJECT_CHARS + 1];
} choice;

static void
note_sparse(void *arg, const catalog_object *object)
{
    choice *c = arg;
    if (c->object[0] == '\0' && !has_name(c->given_up, object->name)) {
        memcpy(c->object, object->name, sizeof(c->object));
    }
}

// begin_work has the emptiest object copied, or else looks for orphans if that is due.
static lp_err
begin_work(pack_sweep *self)
{
    choice next = {.given_up = &self->given_up};
    lp_err err = LP_OK;
    const packs *to = self->config.packs;
    if (self->has_work || (to != NULL && packs_has_moves(to))) {
        return LP_OK; // what is moved is still in its old place
    }
    bool may_copy = to != NULL && uv_now(self->config.loop) >= self->copy_ms;
    if (may_copy && !packs_is_full(to)) {
        err = catalog_list_sparse_objects(
            self->config.catalog, self->given_up.count + 1, note_sparse, &next);
    }
    if (err == LP_OK && next.object[0] != '\0') {
        start_work(self, next.object);
    } else if (err == LP_OK && uv_now(self->config.loop) >= self->orphans_ms) {
        self->orphans_ms = uv_now(self->config.loop) + PACK_SWEEP_ORPHANS_MS;
        start_work(self, "");
    }
    return err;
}

// settle_old settles the objects that the end of a process left half committed.
static lp_err
settle_old(pack_sweep *self)
{
    char name[BLOB_OBJECT_CHARS + 1];
    object_pack_format_name(lp_time_now() - PACK_SWEEP_ORPHAN_AGE_S * NS_PER_S, 0, 0, name);
    return catalog_settle_objects(self->config.catalog, name);
}

static lp_err
count_bytes(pack_sweep *self)
{
    uint64_t bytes = 0;
    uint64_t live = 0;
    lp_err err = catalog_sum_objects(self->config.catalog, &bytes, &live);
    if (err == LP_OK) {
        uint64_t dead = bytes > live ? bytes - live : 0;
        metrics_add(METRICS_pack_bytes, bytes);
        metrics_sub(METRICS_pack_bytes, self->bytes);
        metrics_add(METRICS_pack_bytes_dead, dead);
        metrics_sub(METRICS_pack_bytes_dead, self->dead_bytes);
        self->bytes = bytes;
        self->dead_bytes = dead;
    }
    return err;
}

static void
look(pack_sweep *self)
{
    lp_err err = settle_old(self);
    LP_THEN(err, catalog_list_empty_objects(
                     self->config.catalog, PACK_SWEEP_REMOVALS_MAX, note_empty, self));
    LP_THEN(err, begin_work(self));
    LP_THEN(err, count_bytes(self));
    if (err != LP_OK && err != LP_EAGAIN) { // of a catalog that is away the log has that already
        lp_log(LP_LOG_ERROR, "packs cannot be looked at: %s", lp_err_reason(err));
    }
}

void
pack_sweep_tick(pack_sweep *self)
{
    if (is_stopping(self)) {
        return;
    }
    if (uv_now(self->config.loop) >= self->look_ms) {
        self->look_ms = uv_now(self->config.loop) + lp_time_scale_ms(PACK_SWEEP_MS);
        look(self);
    }
    remove_objects(self);
}
