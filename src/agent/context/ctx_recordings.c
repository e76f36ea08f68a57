// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_recordings.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A map that was not taken.
typedef struct item {
    ctx_recording map;
    uint64_t hash;
    struct item *next; // with the same hash, or one in the same bucket
    uint32_t users;    // calls of add that returned it, minus releases
    bool is_released;  // its id is in released
    bool is_forgotten; // it is in no bucket: its release was taken
} item;

typedef struct place {
    uint64_t id;
    item *item; // NULL: taken
} place;

enum { BUCKETS_MIN = 64 };

struct ctx_recordings {
    pthread_mutex_t mutex;
    LP_VEC(place) places; // ascending ids; squeeze removes taken ones
    size_t live_count;    // of items
    size_t live_bytes;
    item **buckets; // by hash: maps that are not forgotten; bucket_count, a power of two or 0
    size_t bucket_count;
    ctx_recording_ids released; // has room for all live maps
    uint64_t last_id;
    char *keys[CTX_RECORDING_KEYS_MAX]; // of all maps so far
    size_t key_count;
    ctx_recordings_counts counts;
};

ctx_recordings *
ctx_recordings_create(void)
{
    ctx_recordings *recordings = calloc(1, sizeof(*recordings));
    LP_REQUIRE(recordings != NULL, NULL);
    if (pthread_mutex_init(&recordings->mutex, NULL) != 0) {
        free(recordings);
        return NULL;
    }
    return recordings;
}

void
ctx_recordings_destroy(ctx_recordings *recordings)
{
    if (recordings == NULL) {
        return;
    }
    for (size_t i = 0; i < recordings->places.count; i++) {
        item *it = recordings->places.items[i].item;
        if (it != NULL) {
            ctx_recording_fini(&it->map);
            free(it);
        }
    }
    LP_VEC_FINI(&recordings->places);
    LP_VEC_FINI(&recordings->released);
    free(recordings->buckets);
    for (size_t i = 0; i < recordings->key_count; i++) {
        free(recordings->keys[i]);
    }
    (void)pthread_mutex_destroy(&recordings->mutex);
    free(recordings);
}

static void
lock(ctx_recordings *self)
{
    (void)pthread_mutex_lock(&self->mutex);
}

static void
unlock(ctx_recordings *self)
{
    (void)pthread_mutex_unlock(&self->mutex);
}

// Adds 1 and returns whether it was the first.
static bool
count_first(uint64_t *counter)
{
    return (*counter)++ == 0;
}

// Returns whether this key can be recorded: it is known, or there is room for one more.
static bool
has_key(ctx_recordings *self, const char *key)
{
    for (size_t i = 0; i < self->key_count; i++) {
        if (strcmp(self->keys[i], key) == 0) {
            return true;
        }
    }
    char *copy = self->key_count < CTX_RECORDING_KEYS_MAX ? strdup(key) : NULL;
    LP_REQUIRE(copy != NULL, false);
    self->keys[self->key_count++] = copy;
    return true;
}

// Writes the entries of map that are recorded, and returns their number.
static size_t
select_entries(ctx_recordings *self, const ctx_recording *map, ctx_entry *out_entries)
{
    size_t count = 0;
    for (size_t i = 0; i < map->entry_count; i++) {
        if (count < CTX_RECORDING_ENTRIES_MAX && has_key(self, map->entries[i].key)) {
            out_entries[count++] = map->entries[i];
        } else if (count_first(&self->counts.entries_dropped)) {
            lp_log(LP_LOG_WARN,
                "key %s of a RecordingContext is not recorded: a context has at most %d keys, and "
                "a "
                "JVM %d",
                map->entries[i].key, CTX_RECORDING_ENTRIES_MAX, CTX_RECORDING_KEYS_MAX);
        }
    }
    return count;
}

// --- Maps by content

static uint64_t
hash_of(const ctx_recording *map)
{
    uint64_t hash = lp_hash_seed();
    for (size_t i = 0; i < map->entry_count; i++) {
        hash = lp_hash_text(hash, map->entries[i].key);
        hash = lp_hash_bytes(hash + map->entries[i].is_null, map->entries[i].value);
    }
    return hash;
}

static bool
is_same(const ctx_recording *left, const ctx_recording *right)
{
    size_t i = 0;
    while (i < left->entry_count && i < right->entry_count &&
           strcmp(left->entries[i].key, right->entries[i].key) == 0 &&
           left->entries[i].is_null == right->entries[i].is_null &&
           lp_order_slices(left->entries[i].value, right->entries[i].value) == 0) {
        i++;
    }
    return i == left->entry_count && i == right->entry_count;
}

static item **
bucket_of(const ctx_recordings *self, uint64_t hash)
{
    return &self->buckets[hash & (self->bucket_count - 1)];
}

// Returns a map that is not forgotten with the same entries as map; NULL if there is none.
static item *
find_same(const ctx_recordings *self, const ctx_recording *map, uint64_t hash)
{
    item *it = self->bucket_count == 0 ? NULL : *bucket_of(self, hash);
    while (it != NULL && (it->hash != hash || !is_same(&it->map, map))) {
        it = it->next;
    }
    return it;
}

static void
remember(ctx_recordings *self, item *it)
{
    item **bucket = bucket_of(self, it->hash);
    it->next = *bucket;
    *bucket = it;
}

static void
forget(ctx_recordings *self, item *it)
{
    item **at = bucket_of(self, it->hash);
    while (*at != it) {
        at = &(*at)->next;
    }
    *at = it->next;
    it->is_forgotten = true;
}

// Grows the buckets to more than the live maps. False if memory ran out.
static bool
reserve_bucket(ctx_recordings *self)
{
    if (self->live_count < self->bucket_count) {
        return true;
    }
    size_t count = self->bucket_count == 0 ? BUCKETS_MIN : 2 * self->bucket_count;
    item **buckets = calloc(count, sizeof(item *));
    LP_REQUIRE(buckets != NULL, false);
    free(self->buckets);
    self->buckets = buckets;
    self->bucket_count = count;
    for (size_t i = 0; i < self->places.count; i++) {
        item *it = self->places.items[i].item;
        if (it != NULL && !it->is_forgotten) {
            remember(self, it);
        }
    }
    return true;
}

// --- Adding and releasing

// Takes ownership of copy on success.
static lp_err
add_new(ctx_recordings *self, const ctx_recording *copy, uint64_t hash, uint64_t *out_id)
{
    size_t room = self->live_count + 1;
    if (!LP_VEC_ROOM(&self->places) || !reserve_bucket(self) ||
        (self->released.capacity < room &&
            !LP_VEC_RESERVE(&self->released, room - self->released.count))) {
        return LP_ENOMEM;
    }
    item *it = malloc(sizeof(*it));
    LP_REQUIRE(it != NULL, LP_ENOMEM);
    *it = (item){.map = *copy, .hash = hash, .users = 1};
    it->map.id = ++self->last_id;
    self->places.items[self->places.count++] = (place){it->map.id, it};
    remember(self, it);
    self->live_count++;
    self->live_bytes += ctx_recording_measure(copy);
    *out_id = it->map.id;
    return LP_OK;
}

// Returns whether there is no room for map, and counts it as refused then.
static bool
is_full(ctx_recordings *self, const ctx_recording *map)
{
    if (self->live_count < CTX_RECORDINGS_LIVE_MAX &&
        self->live_bytes + ctx_recording_measure(map) <= CTX_RECORDINGS_LIVE_BYTES_MAX) {
        return false;
    }
    if (count_first(&self->counts.refused)) {
        lp_log(LP_LOG_WARN,
            "a RecordingContext is not recorded: %zu are alive, with %zu bytes; further ones are "
            "only counted",
            self->live_count, self->live_bytes);
    }
    return true;
}

// Takes ownership of copy on success.
static lp_err
add_copy(ctx_recordings *self, ctx_recording *copy, uint64_t *out_id)
{
    uint64_t hash = hash_of(copy);
    item *same = find_same(self, copy, hash);
    if (same == NULL) {
        return is_full(self, copy) ? LP_ELIMIT : add_new(self, copy, hash, out_id);
    }
    same->users++;
    *out_id = same->map.id;
    ctx_recording_fini(copy);
    return LP_OK;
}

static lp_err
add_locked(ctx_recordings *self, const ctx_recording *map, uint64_t *out_id)
{
    ctx_entry entries[CTX_RECORDING_ENTRIES_MAX];
    const ctx_recording selected = {
        .entry_count = select_entries(self, map, entries), .entries = entries};
    ctx_recording copy;
    size_t cut_count;
    LP_TRY(ctx_recording_copy(&selected, &copy, &cut_count));
    self->counts.texts_cut += cut_count;
    lp_err err = add_copy(self, &copy, out_id);
    if (err != LP_OK) {
        ctx_recording_fini(&copy);
    }
    return err;
}

lp_err
ctx_recordings_add(ctx_recordings *self, const ctx_recording *map, uint64_t *out_id)
{
    lock(self);
    lp_err err = add_locked(self, map, out_id);
    unlock(self);
    if (err == LP_ENOMEM) {
        ctx_recordings_count_refused(self);
    }
    return err;
}

void
ctx_recordings_count_refused(ctx_recordings *self)
{
    lock(self);
    if (count_first(&self->counts.refused)) {
        lp_log(LP_LOG_WARN, "a RecordingContext is not recorded: out of memory");
    }
    unlock(self);
}

// Returns the index of the first place with an id over after.
static size_t
find_above(const ctx_recordings *self, uint64_t after)
{
    return LP_BISECT(self->places.items, 0, self->places.count, at->id <= after);
}

// Returns the place of the map with this id; NULL if there is none.
static place *
find(const ctx_recordings *self, uint64_t id)
{
    size_t index = find_above(self, id - 1);
    place *at = &self->places.items[index];
    return index < self->places.count && at->id == id && at->item != NULL ? at : NULL;
}

void
ctx_recordings_release(ctx_recordings *self, uint64_t id)
{
    lock(self);
    const place *at = find(self, id);
    item *it = at == NULL ? NULL : at->item;
    if (it != NULL && it->users > 0 && --it->users == 0 && !it->is_released &&
        !LP_NEVER(self->released.count == self->released.capacity)) {
        self->released.items[self->released.count++] = id;
        it->is_released = true;
    }
    unlock(self);
}

void
ctx_recordings_count_misclosed(ctx_recordings *self)
{
    lock(self);
    bool is_first = count_first(&self->counts.misclosed);
    unlock(self);
    if (is_first) {
        lp_log(LP_LOG_WARN,
            "a RecordingContext or an activation was closed out of order, or on another thread "
            "(coroutines need LoupeContext of loupe-kotlin, chains of Reactor loupe-micrometer); "
            "further ones are only counted");
    }
}

lp_err
ctx_recordings_take_released(ctx_recordings *self, ctx_recording_ids *out_ids)
{
    lock(self);
    lp_err err = LP_VEC_RESERVE(out_ids, self->released.count) ? LP_OK : LP_ENOMEM;
    for (size_t i = 0; err == LP_OK && i < self->released.count; i++) {
        const place *at = find(self, self->released.items[i]);
        if (LP_NEVER(at == NULL)) {
            continue;
        }
        item *it = at->item;
        it->is_released = false;
        if (it->users == 0) {
            forget(self, it);
            out_ids->items[out_ids->count++] = it->map.id;
        }
    }
    self->released.count = err == LP_OK ? 0 : self->released.count;
    unlock(self);
    return err;
}

lp_err
ctx_recordings_list(ctx_recordings *self, uint64_t after, size_t count_max, size_t bytes_max,
    ctx_recording_list *out_list, bool *out_is_all)
{
    lp_err err = LP_OK;
    size_t bytes = 0;
    out_list->count = 0;
    lock(self);
    size_t i = find_above(self, after);
    for (; i < self->places.count && out_list->count < count_max && bytes < bytes_max; i++) {
        const item *it = self->places.items[i].item;
        if (it == NULL) {
            continue;
        }
        if (!LP_VEC_ROOM(out_list)) {
            err = LP_ENOMEM;
            break;
        }
        out_list->items[out_list->count++] = it->map;
        bytes += ctx_recording_measure(&it->map);
    }
    *out_is_all = i == self->places.count;
    unlock(self);
    return err;
}

// Removes the places of taken maps once they are the majority.
static void
squeeze(ctx_recordings *self)
{
    if (self->places.count < 2 * self->live_count + 16) {
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < self->places.count; i++) {
        if (self->places.items[i].item != NULL) {
            self->places.items[kept++] = self->places.items[i];
        }
    }
    self->places.count = kept;
}

ctx_recording
ctx_recordings_take(ctx_recordings *self, uint64_t id)
{
    ctx_recording taken = {0};
    lock(self);
    place *at = find(self, id);
    if (at != NULL && at->item->is_forgotten) {
        taken = at->item->map; // moves
        self->live_count--;
        self->live_bytes -= ctx_recording_measure(&taken);
        free(at->item);
        at->item = NULL;
        squeeze(self);
    }
    unlock(self);
    return taken;
}

ctx_recordings_counts
ctx_recordings_get_counts(ctx_recordings *self)
{
    lock(self);
    ctx_recordings_counts counts = self->counts;
    unlock(self);
    return counts;
}
