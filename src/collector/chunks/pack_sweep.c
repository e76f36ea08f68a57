// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/pack_sweep.h"

#include "collector/base/metrics.h"
#include "collector/chunks/pack_files.h"
#include "collector/store/catalog/catalog_objects.h"
#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static const int64_t NS_PER_S = 1000000000;

// A copied chunk. Its piece must be settled.
typedef struct copied_chunk {
    object_pack_chunk chunk; // as it was in the object
    pack_piece piece;
} copied_chunk;

typedef LP_VEC(copied_chunk) copied_chunks;

typedef struct object_name {
    char text[BLOB_OBJECT_CHARS + 1];
} object_name;

typedef LP_VEC(object_name) object_names;

// An object to remove.
typedef struct removal {
    char object[BLOB_OBJECT_CHARS + 1];
    uint64_t round;  // the sync round that must have ended
    uint64_t moment; // readers that began earlier may use it
    uint64_t retry_ms;
} removal;

struct pack_sweep {
    pack_sweep_config config;
    removal removals[PACK_SWEEP_REMOVALS_MAX];
    size_t removal_count;
    object_names given_up; // objects that cannot be copied
    uint64_t look_ms;      // loop time of the next look at the catalog
    uint64_t orphans_ms;   // of the next look at the store
    uint64_t copy_ms;      // of the next copy after a failure
    uint64_t bytes;        // as in the metrics
    uint64_t dead_bytes;
    uint64_t unknown;
    atomic_bool is_stopping; // orders nothing: a worker that sees it late does its work
    bool has_work;
    uv_work_t work;
    // The worker's, while has_work
    char sparse[BLOB_OBJECT_CHARS + 1]; // the object to copy; "": look for orphans
    lp_err err;
    int error;
    copied_chunks copied;
    object_names found; // all objects, sorted
    object_names orphans;
    uint64_t found_unknown; // objects that are neither known nor orphans
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

static void
sweep_check(const pack_sweep *self)
{
    LP_ASSERT(self->removal_count <= PACK_SWEEP_REMOVALS_MAX);
}

static bool
is_stopping(const pack_sweep *self)
{
    return atomic_load_explicit(&self->is_stopping, memory_order_relaxed);
}

void
pack_sweep_stop(pack_sweep *self)
{
    sweep_check(self);
    atomic_store_explicit(&self->is_stopping, true, memory_order_relaxed);
}

static lp_err
add_name(object_names *names, const char *object)
{
    object_name name;
    (void)snprintf(name.text, sizeof(name.text), "%s", object);
    return LP_VEC_ADD(names, name);
}

// --- Removal

// schedule_removal removes an object, if there is room in the list, once the disk has the catalog's
// present state and no reader uses the object.
static void
schedule_removal(pack_sweep *self, const char *object)
{
    sweep_check(self);
    if (LP_ANY(self->removals, self->removal_count, strcmp(at->object, object) == 0) ||
        self->removal_count == PACK_SWEEP_REMOVALS_MAX) {
        return; // the next look finds it again
    }
    removal *item = &self->removals[self->removal_count++];
    *item = (removal){.round = sync_rounds_get_coming(self->config.rounds),
        .moment = blobs_get_moment(self->config.blobs)};
    (void)snprintf(item->object, sizeof(item->object), "%s", object);
    sync_rounds_hurry(self->config.rounds); // no other change may be pending
}

static void
note_empty(void *arg, const catalog_object *object)
{
    schedule_removal(arg, object->name);
}

// remove_object removes an object if that is allowed now. Returns whether it is removed.
static bool
remove_object(pack_sweep *self, removal *item)
{
    uint64_t now_ms = uv_now(self->config.loop);
    if (now_ms < item->retry_ms || !sync_rounds_is_committed(self->config.rounds, item->round) ||
        blobs_is_read(self->config.blobs, NULL, item->moment)) {
        return false;
    }
    lp_err err = blobs_remove_object(self->config.blobs, item->object);
    LP_REQUIRE(err != LP_EAGAIN, false); // the removal continues by itself
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
    sweep_check(self);
    size_t kept = 0;
    for (size_t i = 0; i < self->removal_count; i++) {
        removal item = self->removals[i];
        if (!remove_object(self, &item)) {
            self->removals[kept++] = item;
        }
    }
    self->removal_count = kept;
}

// --- An object of the store, on a worker

// A fetched object.
typedef struct fetched {
    lp_slice bytes;
    object_pack_chunks chunks;
} fetched;

// fetched_fini keeps errno.
static void
fetched_fini(fetched *f)
{
    int error = errno;
    if (f->bytes.len > 0) {
        (void)munmap((void *)(uintptr_t)f->bytes.ptr, f->bytes.len);
    }
    LP_VEC_FINI(&f->chunks);
    errno = error;
}

static lp_err
map_file(int fd, lp_slice *out_bytes)
{
    struct stat info;
    LP_REQUIRE(fstat(fd, &info) == 0, LP_EIO);
    LP_REQUIRE(info.st_size != 0, LP_ECORRUPT);
    void *mapped = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, fd, 0);
    LP_REQUIRE(mapped != MAP_FAILED, LP_EIO);
    *out_bytes = (lp_slice){mapped, (size_t)info.st_size};
    return LP_OK;
}

static lp_err
fetch(blobs *from, const char *object, fetched *out_fetched)
{
    int fd;
    *out_fetched = (fetched){.bytes = {0}};
    LP_TRY(blobs_make_file(from, &fd));
    lp_err err = blobs_get_object(from, object, fd);
    LP_THEN(err, map_file(fd, &out_fetched->bytes));
    LP_THEN(err, object_pack_read(out_fetched->bytes, &out_fetched->chunks));
    lp_io_close(fd); // the mapping stays
    if (err != LP_OK) {
        fetched_fini(out_fetched);
    }
    return err;
}

// is_in sets *out_is_in if the catalog has a chunk in an object.
static lp_err
is_in(catalog *in, const object_pack_chunk *chunk, const char *object, bool *out_is_in)
{
    blob_place place;
    uint64_t bytes;
    lp_err err = catalog_find_place(in, chunk->session_id, chunk->ordinal, &place, &bytes);
    *out_is_in = err == LP_OK && strcmp(place.object, object) == 0 && place.offset == chunk->offset;
    return err == LP_ENOENT ? LP_OK : err;
}

static lp_err
copy_chunk(const fetched *f, const object_pack_chunk *chunk, pack_files *to, copied_chunks *copied)
{
    const lp_slice bytes = {f->bytes.ptr + chunk->offset, (size_t)chunk->stored_bytes};
    LP_REQUIRE(lp_hash_bytes(LP_HASH_FIXED, bytes) == chunk->stored_hash, LP_ECORRUPT);
    copied_chunk item = {.chunk = *chunk};
    LP_REQUIRE(LP_VEC_ROOM(copied), LP_ENOMEM);
    LP_TRY(pack_files_append_packed(to, bytes, &item.piece));
    return LP_VEC_ADD(copied, item);
}

// copy_live copies the chunks that the catalog has in an object, and adds them to out_copied,
// also before an error.
// Errors: LP_ECORRUPT the object is damaged; LP_ENOENT it is missing; as the catalog's and the
// store's
static lp_err
copy_live(blobs *from, catalog *in, const char *object, pack_files *to, copied_chunks *out_copied)
{
    fetched f;
    LP_TRY(fetch(from, object, &f));
    lp_err err = LP_OK;
    for (size_t i = 0; i < f.chunks.count && err == LP_OK; i++) {
        bool is_live;
        err = is_in(in, &f.chunks.items[i], object, &is_live);
        LP_THEN(err, is_live ? copy_chunk(&f, &f.chunks.items[i], to, out_copied) : LP_OK);
    }
    fetched_fini(&f);
    return err;
}

static void
note_next(void *arg, const catalog_session *row)
{
    *(uint32_t *)arg = row->next_chunk;
}

LP_COMPARE(compare_names, object_name, strcmp(one->text, other->text))

// exists returns whether the object of a place is in the store. An older copy of the catalog may
// name a deleted one.
static bool
exists(const blob_place *place, const object_names *there)
{
    object_name key;
    memcpy(key.text, place->object, sizeof(key.text));
    return key.text[0] == '\0' ||
           (there->count > 0 && bsearch(&key, there->items, there->count, sizeof(there->items[0]),
                                    compare_names) != NULL);
}

// is_committed_elsewhere sets *out_is_elsewhere if a chunk was committed and does not need an
// object.
static lp_err
is_committed_elsewhere(catalog *in, const object_pack_chunk *chunk, const char *object,
    const object_names *there, bool *out_is_elsewhere)
{
    blob_place place;
    uint64_t bytes;
    uint32_t next_chunk = 0;
    *out_is_elsewhere = false;
    lp_err err = catalog_find(in, chunk->session_id, note_next, &next_chunk);
    if (err != LP_OK || next_chunk <= chunk->ordinal) {
        return err == LP_ENOENT ? LP_OK : err;
    }
    err = catalog_find_place(in, chunk->session_id, chunk->ordinal, &place, &bytes);
    *out_is_elsewhere =
        err == LP_ENOENT || // the chunk was deleted
        (err == LP_OK && strcmp(place.object, object) != 0 && exists(&place, there));
    return err == LP_ENOENT ? LP_OK : err;
}

// judge_chunks sets *out_is_orphan if each chunk of an object was committed elsewhere: its session
// is past it, and its object is in there, which is sorted, or was deleted with it. Errors: as
// copy_live
static lp_err
judge_chunks(
    blobs *from, catalog *in, const char *object, const object_names *there, bool *out_is_orphan)
{
    fetched f;
    LP_TRY(fetch(from, object, &f));
    lp_err err = LP_OK;
    bool is_orphan = true;
    for (size_t i = 0; i < f.chunks.count && err == LP_OK && is_orphan; i++) {
        err = is_committed_elsewhere(in, &f.chunks.items[i], object, there, &is_orphan);
    }
    *out_is_orphan = is_orphan;
    fetched_fini(&f);
    return err;
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

// judge_object adds an object to the orphans if it is one.
static lp_err
judge_object(pack_sweep *self, catalog *in, const char *object)
{
    bool is_orphan = false;
    lp_err err = is_old(object) ? catalog_has_object(in, object) : LP_OK;
    LP_REQUIRE(err == LP_ENOENT, err);
    err = judge_chunks(self->config.blobs, in, object, &self->found, &is_orphan);
    if (err == LP_OK && is_orphan) {
        return add_name(&self->orphans, object);
    }
    self->found_unknown += err == LP_ENOENT ? 0 : 1; // else it was deleted
    bool is_its_own = err == LP_ENOENT || err == LP_ECORRUPT || err == LP_EVERSION;
    return is_its_own ? LP_OK : err;
}

// find_orphans looks at all objects. A limit could hide orphans behind objects that stay.
static lp_err
find_orphans(pack_sweep *self, catalog *in)
{
    lp_err err = blobs_list_objects(self->config.blobs, on_object, self);
    LP_QSORT(self->found.items, self->found.count, compare_names);
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
                                        : copy_live(self->config.blobs, in, self->sparse,
                                              packs_get_files(self->config.packs), &self->copied);
    self->error = errno;
    catalog_close(in);
}

// --- Results of the worker

static void
take_orphans(pack_sweep *self)
{
    for (size_t i = 0; i < self->orphans.count; i++) {
        lp_log(LP_LOG_INFO, "pack %s: all its chunks were committed elsewhere; removing it",
            self->orphans.items[i].text);
        schedule_removal(self, self->orphans.items[i].text);
    }
    if (self->found_unknown > self->unknown) {
        lp_log(LP_LOG_WARN,
            "%llu packs in %s are not in the catalog and may have the only copy of chunks; they "
            "stay",
            (unsigned long long)self->found_unknown, blobs_get_name(self->config.blobs));
    }
    metrics_add(METRICS_packs_unknown, self->found_unknown);
    metrics_sub(METRICS_packs_unknown, self->unknown);
    self->unknown = self->found_unknown;
}

// give_up excludes an object from copying.
static void
give_up(pack_sweep *self)
{
    LP_ASSERT(self->sparse[0] != '\0');
    lp_err ignored = add_name(&self->given_up, self->sparse); // without memory it is copied again
    (void)ignored;
}

// take_copied passes the copied chunks to packs.
static void
take_copied(pack_sweep *self)
{
    lp_err err = self->err;
    for (size_t i = 0; i < self->copied.count; i++) {
        copied_chunk *c = &self->copied.items[i];
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
        give_up(self); // its chunks were deleted meanwhile, or its footer lacks them
    }
    packs_tick(self->config.packs);
}

// note_failure logs why a worker failed. It gives up a damaged object and delays other tries;
// orphans and copies do not delay each other.
static void
note_failure(pack_sweep *self)
{
    errno = self->error;
    bool is_lasting =
        self->err == LP_ECORRUPT || self->err == LP_EVERSION || self->err == LP_ENOENT;
    if (self->sparse[0] != '\0' && is_lasting) {
        lp_log(LP_LOG_ERROR, "pack %s: cannot copy its chunks: %s; it stays", self->sparse,
            lp_err_text(self->err));
        give_up(self);
    } else if (!is_stopping(self)) {
        lp_log(LP_LOG_WARN, "cannot read packs: %s; trying again in %d s", lp_err_reason(self->err),
            PACK_SWEEP_WORK_RETRY_MS / 1000);
        uint64_t *due_ms = self->sparse[0] != '\0' ? &self->copy_ms : &self->orphans_ms;
        *due_ms = uv_now(self->config.loop) + PACK_SWEEP_WORK_RETRY_MS;
    }
}

static void
on_work_done(uv_work_t *of, int status)
{
    (void)status; // never cancelled
    pack_sweep *self = of->data;
    LP_ASSERT(self->has_work);
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
    LP_ASSERT(!self->has_work);
    (void)snprintf(self->sparse, sizeof(self->sparse), "%s", sparse);
    self->found_unknown = 0;
    self->has_work = true;
    int failure = uv_queue_work(self->config.loop, &self->work, work, on_work_done);
    LP_ASSERT(failure == 0); // it fails only without a callback
}

typedef struct choice {
    const object_names *given_up;
    char object[BLOB_OBJECT_CHARS + 1];
} choice;

static void
note_sparse(void *arg, const catalog_object *object)
{
    choice *c = arg;
    if (c->object[0] == '\0' &&
        !LP_ANY(c->given_up->items, c->given_up->count, strcmp(at->text, object->name) == 0)) {
        memcpy(c->object, object->name, sizeof(c->object));
    }
}

// begin_work copies the emptiest object, or looks for orphans if that is due.
static lp_err
begin_work(pack_sweep *self)
{
    choice next = {.given_up = &self->given_up};
    lp_err err = LP_OK;
    const packs *to = self->config.packs;
    if (self->has_work || (to != NULL && packs_has_moves(to))) {
        return LP_OK; // moved chunks still have their old place
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

// settle_old settles the objects that an ended process left half committed.
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
    if (err != LP_OK && err != LP_EAGAIN) { // the catalog logs LP_EAGAIN itself
        lp_log(LP_LOG_ERROR, "cannot look for packs to remove or copy: %s", lp_err_reason(err));
    }
}

void
pack_sweep_tick(pack_sweep *self)
{
    sweep_check(self);
    if (is_stopping(self)) {
        return;
    }
    if (uv_now(self->config.loop) >= self->look_ms) {
        self->look_ms = uv_now(self->config.loop) + lp_time_scale_ms(PACK_SWEEP_MS);
        look(self);
    }
    remove_objects(self);
}
