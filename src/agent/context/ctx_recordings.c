// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_recordings.h"

#include "common/base/lp_log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ctx_recordings {
    pthread_mutex_t mutex;
    ctx_recording_list items; // ascending ids; those that were taken have no entries until squeeze
    size_t live_count;        // of items that were not taken
    size_t live_bytes;
    ctx_recording_ids released; // has room for all that are live
    uint64_t last_id;
    char *keys[CTX_RECORDING_KEYS_MAX]; // those that maps have had so far
    size_t key_count;
    ctx_recordings_counts counts;
};

ctx_recordings *
ctx_recordings_create(void)
{
    ctx_recordings *recordings = calloc(1, sizeof(*recordings));
    if (recordings == NULL) {
        return NULL;
    }
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
    for (size_t i = 0; i < recordings->items.count; i++) {
        ctx_recording_fini(&recordings->items.items[i]);
    }
    LP_VEC_FINI(&recordings->items);
    LP_VEC_FINI(&recordings->released);
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

// count_first adds 1 and returns whether it was the first.
static bool
count_first(uint64_t *counter)
{
    return (*counter)++ == 0;
}

// has_key returns whether maps can have this key: it is known, or there is room for one more.
static bool
has_key(ctx_recordings *self, const char *key)
{
    for (size_t i = 0; i < self->key_count; i++) {
        if (strcmp(self->keys[i], key) == 0) {
            return true;
        }
    }
    char *copy = self->key_count < CTX_RECORDING_KEYS_MAX ? strdup(key) : NULL;
    if (copy == NULL) {
        return false;
    }
    self->keys[self->key_count++] = copy;
    return true;
}

// select_entries lists the entries of map that are recorded.
static size_t
select_entries(ctx_recordings *self, const ctx_recording *map, ctx_entry *out_entries)
{
    size_t count = 0;
    for (size_t i = 0; i < map->entry_count; i++) {
        if (count < CTX_RECORDING_ENTRIES_MAX && has_key(self, map->entries[i].key)) {
            out_entries[count++] = map->entries[i];
        } else if (count_first(&self->counts.entries_dropped)) {
            lp_log(LP_LOG_WARN,
                "key %s of a RecordingContext is not recorded: there are at most %d in one context "
                "and %d in all of a JVM",
                map->entries[i].key, CTX_RECORDING_ENTRIES_MAX, CTX_RECORDING_KEYS_MAX);
        }
    }
    return count;
}

// add_copy takes over copy.
static lp_err
add_copy(ctx_recordings *self, ctx_recording *copy, uint64_t *out_id)
{
    size_t room = self->live_count + 1;
    if (!LP_VEC_ROOM(&self->items) ||
        (self->released.capacity < room &&
            !LP_VEC_RESERVE(&self->released, room - self->released.count))) {
        return LP_ENOMEM;
    }
    copy->id = ++self->last_id;
    self->items.items[self->items.count++] = *copy;
    self->live_count++;
    self->live_bytes += ctx_recording_measure(copy);
    *out_id = copy->id;
    return LP_OK;
}

static lp_err
add_locked(ctx_recordings *self, const ctx_recording *map, uint64_t *out_id)
{
    ctx_entry entries[CTX_RECORDING_ENTRIES_MAX];
    const ctx_recording selected = {
        .entry_count = select_entries(self, map, entries), .entries = entries};
    if (self->live_count == CTX_RECORDINGS_LIVE_MAX ||
        self->live_bytes + ctx_recording_measure(&selected) > CTX_RECORDINGS_LIVE_BYTES_MAX) {
        if (count_first(&self->counts.refused)) {
            lp_log(LP_LOG_WARN,
                "a RecordingContext is not recorded: there are %zu alive, with %zu bytes",
                self->live_count, self->live_bytes);
        }
        return LP_ELIMIT;
    }
    ctx_recording copy;
    size_t cut_count;
    lp_err err = ctx_recording_copy(&selected, &copy, &cut_count);
    if (err != LP_OK) {
        return err;
    }
    self->counts.texts_cut += cut_count;
    err = add_copy(self, &copy, out_id);
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

void
ctx_recordings_release(ctx_recordings *self, uint64_t id)
{
    lock(self);
    if (self->released.count < self->released.capacity) { // always, if each is released once
        self->released.items[self->released.count++] = id;
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
            "a RecordingContext or an activation was closed out of order, or on another thread; "
            "more of that is only counted");
    }
}

lp_err
ctx_recordings_take_released(ctx_recordings *self, ctx_recording_ids *out_ids)
{
    lock(self);
    lp_err err = LP_VEC_RESERVE(out_ids, self->released.count) ? LP_OK : LP_ENOMEM;
    for (size_t i = 0; err == LP_OK && i < self->released.count; i++) {
        out_ids->items[out_ids->count++] = self->released.items[i];
    }
    self->released.count = err == LP_OK ? 0 : self->released.count;
    unlock(self);
    return err;
}

// find_above returns the index of the first item with an id over after.
static size_t
find_above(const ctx_recordings *self, uint64_t after)
{
    size_t low = 0;
    size_t high = self->items.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (self->items.items[middle].id > after) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
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
    for (; i < self->items.count && out_list->count < count_max && bytes < bytes_max; i++) {
        const ctx_recording *map = &self->items.items[i];
        if (map->entries == NULL) { // taken
            continue;
        }
        if (!LP_VEC_ROOM(out_list)) {
            err = LP_ENOMEM;
            break;
        }
        out_list->items[out_list->count++] = *map;
        bytes += ctx_recording_measure(map);
    }
    *out_is_all = i == self->items.count;
    unlock(self);
    return err;
}

// squeeze removes the items that were taken once they are the most.
static void
squeeze(ctx_recordings *self)
{
    if (self->items.count < 2 * self->live_count + 16) {
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < self->items.count; i++) {
        if (self->items.items[i].entries != NULL) {
            self->items.items[kept++] = self->items.items[i];
        }
    }
    self->items.count = kept;
}

ctx_recording
ctx_recordings_take(ctx_recordings *self, uint64_t id)
{
    ctx_recording taken = {0};
    lock(self);
    size_t index = find_above(self, id - 1);
    ctx_recording *map = &self->items.items[index];
    if (index < self->items.count && map->id == id && map->entries != NULL) {
        self->live_count--;
        self->live_bytes -= ctx_recording_measure(map);
        taken = *map;        // moves
        map->entries = NULL; // its id keeps the order
        map->entry_count = 0;
    }
    squeeze(self);
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
