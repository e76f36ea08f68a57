// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/batch/ship_own.h"

#include "common/base/lp_log.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/wire/wire.h"
#include "policy/policy_setting.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SHIP_OWN_POLICY_BYTES_MAX == (int)POLICY_TOLD_BYTES_MAX,
    "a collector accepts every text that an agent sends");
_Static_assert((int)SHIP_OWN_POLICY_BYTES_MAX <= (int)WIRE_BULK_BYTES_MAX, "the wire's limit");

static const uint64_t ID_LOST = UINT64_MAX; // of forgotten settings

typedef struct own_entry {
    uint64_t id;
    int64_t from_wall_ns;
    lp_buf zstd;
    uint32_t size;
    uint32_t end_chunk; // 1 + the last chunk that was sent with it; 0: none
} own_entry;

struct ship_own {
    pthread_mutex_t mutex;
    LP_VEC(own_entry) entries; // in the order in which they were added
    size_t bytes;              // of the compressed texts
    uint64_t last_id;
    bool is_any_lost;    // settings before the first entry were dropped
    bool is_long_logged; // the warning about a long text
};

ship_own *
ship_own_create(void)
{
    ship_own *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        (void)pthread_mutex_init(&self->mutex, NULL); // does not fail for a private one
    }
    return self;
}

static void
remove_entry(ship_own *self, size_t index)
{
    own_entry *at = &self->entries.items[index];
    self->bytes -= at->zstd.len;
    lp_buf_fini(&at->zstd);
    self->entries.count--;
    memmove(at, at + 1, (self->entries.count - index) * sizeof(*at));
}

void
ship_own_destroy(ship_own *self)
{
    if (self == NULL) {
        return;
    }
    while (self->entries.count > 0) {
        remove_entry(self, self->entries.count - 1);
    }
    LP_VEC_FINI(&self->entries);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}

// Returns whether these settings equal the last ones.
static bool
is_last(const ship_own *self, int64_t from_wall_ns, lp_slice zstd)
{
    if (self->entries.count == 0) {
        return zstd.len == 0;
    }
    const own_entry *last = &self->entries.items[self->entries.count - 1];
    return from_wall_ns >= last->from_wall_ns && last->zstd.len == zstd.len &&
           (zstd.len == 0 || memcmp(last->zstd.ptr, zstd.ptr, zstd.len) == 0);
}

static void
limit(ship_own *self)
{
    while (self->entries.count > SHIP_OWN_COUNT_MAX || self->bytes > SHIP_OWN_BYTES_MAX) {
        remove_entry(self, 0);
        if (!self->is_any_lost) {
            lp_log(LP_LOG_WARN,
                "the settings of this JVM changed so often that the oldest were dropped: the "
                "collector keeps the chunks of that time whole");
        }
        self->is_any_lost = true;
    }
}

// Adds the compressed text zstd of size bytes; moves zstd if it is new.
static lp_err
add(ship_own *self, int64_t from_wall_ns, lp_buf *zstd, size_t size)
{
    if (is_last(self, from_wall_ns, lp_buf_slice(zstd))) {
        return LP_OK;
    }
    own_entry *entry = LP_VEC_PUSH(&self->entries);
    LP_REQUIRE(entry != NULL, LP_ENOMEM);
    *entry = (own_entry){
        .id = ++self->last_id,
        .from_wall_ns = from_wall_ns,
        .zstd = *zstd, // moves
        .size = (uint32_t)size,
    };
    *zstd = (lp_buf){0};
    self->bytes += entry->zstd.len;
    limit(self);
    return LP_OK;
}

lp_err
ship_own_add(ship_own *self, int64_t from_wall_ns, const char *text)
{
    lp_buf zstd = {0};
    size_t size = strlen(text);
    (void)pthread_mutex_lock(&self->mutex);
    if (size > SHIP_OWN_POLICY_BYTES_MAX && !self->is_long_logged) {
        self->is_long_logged = true;
        lp_log(LP_LOG_WARN,
            "this JVM's own settings are longer than %d bytes: they are not sent to the collector",
            SHIP_OWN_POLICY_BYTES_MAX);
    }
    size = size > SHIP_OWN_POLICY_BYTES_MAX ? 0 : size;
    lp_err err = size == 0 ? LP_OK : wire_compress((lp_slice){(const uint8_t *)text, size}, &zstd);
    LP_THEN(err, add(self, from_wall_ns, &zstd, size));
    (void)pthread_mutex_unlock(&self->mutex);
    lp_buf_fini(&zstd);
    return err;
}

// Returns the index of the settings of a chunk that began at this time; the count if there are
// none.
static size_t
find_entry(const ship_own *self, int64_t start_wall_ns)
{
    for (size_t i = self->entries.count; i-- > 0;) {
        if (self->entries.items[i].from_wall_ns <= start_wall_ns) {
            return i;
        }
    }
    return self->entries.count;
}

lp_err
ship_own_find(ship_own *self, int64_t start_wall_ns, ship_own_settings *settings)
{
    lp_err err = LP_OK;
    (void)pthread_mutex_lock(&self->mutex);
    size_t index = find_entry(self, start_wall_ns);
    const own_entry *entry = index == self->entries.count ? NULL : &self->entries.items[index];
    bool is_lost = entry == NULL && self->is_any_lost;
    uint64_t id = entry != NULL ? entry->id : is_lost ? ID_LOST : 0;
    if (settings->id != id) {
        lp_buf_clear(&settings->zstd);
        if (entry != NULL) {
            lp_buf_append(&settings->zstd, entry->zstd.ptr, entry->zstd.len);
        }
        err = lp_buf_check(&settings->zstd);
        settings->id = err == LP_OK ? id : 0;
        settings->size = err == LP_OK && entry != NULL ? entry->size : 0;
        settings->is_lost = is_lost;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

void
ship_own_note_sent(ship_own *self, uint64_t id, uint32_t chunk)
{
    (void)pthread_mutex_lock(&self->mutex);
    for (size_t i = 0; i < self->entries.count; i++) {
        own_entry *entry = &self->entries.items[i];
        if (entry->id == id && entry->end_chunk <= chunk) {
            entry->end_chunk = chunk + 1;
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

void
ship_own_release(ship_own *self, uint64_t id, uint32_t end)
{
    (void)pthread_mutex_lock(&self->mutex);
    size_t before = self->entries.count;
    id = id == ID_LOST ? 0 : id;
    for (size_t i = 0; i < self->entries.count && self->entries.items[i].id < id;) {
        if (self->entries.items[i].end_chunk <= end) {
            remove_entry(self, i);
        } else {
            i++;
        }
    }
    if (self->entries.count < before) { // no later chunk began before it
        self->entries.items[0].from_wall_ns = INT64_MIN;
    }
    (void)pthread_mutex_unlock(&self->mutex);
}
