// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/pin/pins.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_find.h"
#include "common/base/lp_time.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct held_pin {
    pin shown;
    pin_chunks chunks;
    size_t next;   // those before it are taken
    uint64_t turn; // in which the last one was taken; 0: none
} held_pin;

struct pins {
    pthread_mutex_t mutex;    // guards the rest
    LP_VEC(held_pin *) items; // the oldest first
    size_t chunk_count;       // of all
    uint64_t last_id;
    uint64_t last_turn;
    uint64_t version;
};

static void
held_check(const held_pin *held)
{
    LP_ASSERT(held->next <= held->chunks.count && held->shown.id > 0);
    LP_ASSERT(held->shown.waiting <= held->chunks.count);
    LP_ASSERT(held->shown.waiting >= held->chunks.count - held->next); // none of these was noted
}

// pins_check is called with the mutex.
static void
pins_check(const pins *self)
{
    LP_ASSERT(self->items.count <= PINS_MAX && self->items.count <= self->last_id);
    LP_ASSERT(self->chunk_count <= PINS_CHUNKS_ALL_MAX);
}

static void
held_destroy(pins *self, held_pin *held)
{
    LP_ASSERT(held->chunks.count <= self->chunk_count);
    self->chunk_count -= held->chunks.count;
    self->version++;
    LP_VEC_FINI(&held->chunks);
    free(held);
}

pins *
pins_create(void)
{
    pins *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        (void)pthread_mutex_init(&self->mutex, NULL);
    }
    return self;
}

void
pins_destroy(pins *self)
{
    if (self != NULL) {
        LP_VEC_FINI_EACH(&self->items, held_destroy(self, *at));
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

// find_same returns the pin with the key and services of another one. Who may pin one service
// learns nothing of the keys of others.
static held_pin *
find_same(const pins *self, const pin *as)
{
    held_pin **found = LP_FIND(self->items.items, self->items.count,
        strcmp((*at)->shown.key, as->key) == 0 && strcmp((*at)->shown.service, as->service) == 0);
    return found == NULL ? NULL : *found;
}

static held_pin *
find_id(const pins *self, uint64_t id)
{
    held_pin **found = LP_FIND(self->items.items, self->items.count, (*at)->shown.id == id);
    return found == NULL ? NULL : *found;
}

// add_chunk adds a chunk, which is counted if there is no room for it.
static void
add_chunk(pins *self, held_pin *held, const pin_chunk *chunk)
{
    bool is_added = held->chunks.count < PINS_CHUNKS_MAX &&
                    self->chunk_count < PINS_CHUNKS_ALL_MAX &&
                    LP_VEC_ADD(&held->chunks, *chunk) == LP_OK;
    self->chunk_count += is_added;
    held->shown.waiting += is_added;
    if (is_added && held->shown.is_settled) {
        held->shown.is_settled = false;
        self->version++;
    }
    held->shown.left_out += !is_added;
    held_check(held);
}

// count_recent returns how many pins were made here in the minute before a time.
static size_t
count_recent(const pins *self, int64_t now_wall_ns)
{
    size_t count = 0;
    for (size_t i = 0; i < self->items.count; i++) {
        const pin *shown = &self->items.items[i]->shown;
        count += !shown->is_copy && shown->made_wall_ns <= now_wall_ns &&
                 shown->made_wall_ns > lp_time_add(now_wall_ns, -INT64_C(60000000000));
    }
    return count;
}

// add adds a pin. The caller holds the mutex.
static lp_err
add(pins *self, const pin *asked, held_pin **out_held)
{
    LP_ASSERT(asked->waiting == 0);
    LP_REQUIRE(self->items.count < PINS_MAX, LP_ELIMIT);
    // The collector that made a pin has limited it: here a copy would be refused for good.
    LP_REQUIRE(
        asked->is_copy || count_recent(self, asked->made_wall_ns) < PINS_MINUTE_MAX, LP_EAGAIN);
    held_pin *held = LP_VEC_ROOM(&self->items) ? calloc(1, sizeof(*held)) : NULL;
    LP_REQUIRE(held != NULL, LP_ENOMEM);
    held->shown = *asked;
    held->shown.id = ++self->last_id;
    self->items.items[self->items.count++] = held;
    self->version++;
    *out_held = held;
    return LP_OK;
}

lp_err
pins_add(pins *self, const pin *asked, pin *out_pin, bool *out_is_new)
{
    LP_ASSERT(asked->key[0] != '\0' && asked->from_wall_ns <= asked->to_wall_ns);
    (void)pthread_mutex_lock(&self->mutex);
    pins_check(self);
    held_pin *held = find_same(self, asked);
    *out_is_new = held == NULL;
    lp_err err = held != NULL ? LP_OK : add(self, asked, &held);
    if (err == LP_OK) {
        *out_pin = held->shown;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

void
pins_each(pins *self, void (*on_pin)(void *arg, const pin *pin), void *arg)
{
    LP_ASSERT(on_pin != NULL);
    (void)pthread_mutex_lock(&self->mutex);
    for (size_t i = self->items.count; i-- > 0;) {
        on_pin(arg, &self->items.items[i]->shown);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

bool
pins_has_service(const pin *of, const char *service)
{
    size_t length = strlen(service);
    const char *name = of->service;
    for (const char *end; (end = strchr(name, '\n')) != NULL; name = end + 1) {
        if ((size_t)(end - name) == length && memcmp(name, service, length) == 0) {
            return true;
        }
    }
    return of->service[0] == '\0' || strcmp(name, service) == 0;
}

static bool
has_hash(const rollup_hashes *sorted, uint64_t hash)
{
    size_t first = LP_BISECT(sorted->items, 0, sorted->count, *at < hash);
    return first < sorted->count && sorted->items[first] == hash;
}

bool
pins_has_id(const pin_selection *selection, const rollup_ids *ids)
{
    uint64_t hash;
    if (selection->kind != PIN_TRACE) {
        return true;
    }
    lp_slice id = {(const uint8_t *)selection->id, strlen(selection->id)};
    return rollup_id_hash(id, &hash) &&
           (has_hash(&ids->kept, hash) || has_hash(&ids->dropped, hash));
}

static bool
is_of(const pin *of, const pin_stored *stored)
{
    return pins_has_service(of, stored->service) &&
           (of->session_id[0] == '\0' || strcmp(of->session_id, stored->chunk.session_id) == 0) &&
           stored->start_wall_ns <= of->to_wall_ns && stored->end_wall_ns >= of->from_wall_ns &&
           (!stored->is_before || of->selection.kind == PIN_TRACE) &&
           pins_has_id(&of->selection, stored->ids);
}

// has_chunk returns whether a chunk is among the first count ones.
static bool
has_chunk(const held_pin *held, size_t count, const pin_chunk *chunk)
{
    LP_ASSERT(count <= held->chunks.count);
    return LP_ANY(held->chunks.items, count,
        at->ordinal == chunk->ordinal && strcmp(at->session_id, chunk->session_id) == 0);
}

void
pins_fill(pins *self, uint64_t id, const pin_chunks *chunks, pin *out_pin)
{
    (void)pthread_mutex_lock(&self->mutex);
    held_pin *held = find_id(self, id);
    size_t before = held == NULL ? 0 : held->chunks.count; // chunks has none twice
    for (size_t i = 0; held != NULL && i < chunks->count; i++) {
        if (!has_chunk(held, before, &chunks->items[i])) {
            add_chunk(self, held, &chunks->items[i]);
        }
    }
    if (held != NULL) {
        *out_pin = held->shown;
    }
    pins_check(self);
    (void)pthread_mutex_unlock(&self->mutex);
}

bool
pins_has(pins *self, const pin *as)
{
    (void)pthread_mutex_lock(&self->mutex);
    bool is_there = find_same(self, as) != NULL;
    (void)pthread_mutex_unlock(&self->mutex);
    return is_there;
}

void
pins_count(pins *self, uint64_t id, uint64_t found, uint64_t stored)
{
    (void)pthread_mutex_lock(&self->mutex);
    held_pin *held = find_id(self, id);
    if (held != NULL) {
        held->shown.found = held->shown.found > found ? held->shown.found : found;
        held->shown.stored = held->shown.stored > stored ? held->shown.stored : stored;
        self->version++;
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

void
pins_cancel(pins *self, uint64_t id)
{
    (void)pthread_mutex_lock(&self->mutex);
    held_pin *held = find_id(self, id);
    if (held != NULL && held->shown.waiting == 0) {
        LP_VEC_KEEP(at, &self->items, *at != held);
        held_destroy(self, held);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

int64_t
pins_stored_end(int64_t start_wall_ns, int64_t duration_ns)
{
    int64_t end_wall_ns = lp_time_add(start_wall_ns, duration_ns > 0 ? duration_ns : 0);
    LP_ASSERT(end_wall_ns >= start_wall_ns); // also at the end of time
    return end_wall_ns;
}

void
pins_expect(pins *self, const pin_stored *stored)
{
    LP_ASSERT(stored->service != NULL && stored->ids != NULL);
    LP_ASSERT(stored->start_wall_ns <= stored->end_wall_ns);
    (void)pthread_mutex_lock(&self->mutex);
    pins_check(self);
    for (size_t i = 0; i < self->items.count; i++) {
        held_pin *held = self->items.items[i];
        if (is_of(&held->shown, stored) && !has_chunk(held, held->chunks.count, &stored->chunk)) {
            add_chunk(self, held, &stored->chunk);
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

// find_next returns the pin whose turn it is; NULL: no chunk waits.
static held_pin *
find_next(const pins *self)
{
    held_pin *found = NULL;
    for (size_t i = 0; i < self->items.count; i++) {
        held_pin *held = self->items.items[i];
        held_check(held);
        if (held->next < held->chunks.count && (found == NULL || held->turn < found->turn)) {
            found = held;
        }
    }
    return found;
}

bool
pins_take(pins *self, pin_work *out_work)
{
    (void)pthread_mutex_lock(&self->mutex);
    held_pin *found = find_next(self);
    if (found != NULL) {
        found->turn = ++self->last_turn;
        *out_work = (pin_work){.chunk = found->chunks.items[found->next++],
            .pin_id = found->shown.id,
            .origin = found->shown.origin,
            .selection = found->shown.selection,
            .from_wall_ns = found->shown.from_wall_ns,
            .to_wall_ns = found->shown.to_wall_ns};
        held_check(found);
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return found != NULL;
}

void
pins_note(pins *self, uint64_t id, pin_outcome outcome)
{
    LP_ASSERT(outcome < PIN_OUTCOME_COUNT);
    (void)pthread_mutex_lock(&self->mutex);
    held_pin *held = find_id(self, id);
    LP_ASSERT(
        held != NULL && held->shown.waiting > 0); // pins with waiting chunks are not forgotten
    held->shown.waiting--;
    self->version += held->shown.waiting == 0;
    held->shown.outcomes[outcome]++;
    (void)pthread_mutex_unlock(&self->mutex);
}

static bool
is_kept(pins *self, held_pin *held, int64_t now_wall_ns)
{
    held_check(held);
    const pin *shown = &held->shown;
    int64_t last_ns =
        shown->made_wall_ns > shown->to_wall_ns ? shown->made_wall_ns : shown->to_wall_ns;
    bool is_over = now_wall_ns > lp_time_add(last_ns, PINS_SETTLED_S * INT64_C(1000000000));
    if (is_over && shown->waiting == 0 && !shown->is_settled) {
        held->shown.is_settled = true;
        self->version++;
    }
    bool is_done = shown->waiting == 0 &&
                   now_wall_ns > lp_time_add(last_ns, PINS_FORGET_S * INT64_C(1000000000));
    if (is_done) {
        held_destroy(self, held);
    }
    return !is_done;
}

void
pins_forget(pins *self, int64_t now_wall_ns)
{
    (void)pthread_mutex_lock(&self->mutex);
    LP_VEC_KEEP(at, &self->items, is_kept(self, *at, now_wall_ns));
    pins_check(self);
    (void)pthread_mutex_unlock(&self->mutex);
}

uint64_t
pins_get_version(pins *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    uint64_t version = self->version;
    (void)pthread_mutex_unlock(&self->mutex);
    return version;
}
