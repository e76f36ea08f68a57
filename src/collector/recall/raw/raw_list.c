// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/raw/raw_list.h"

#include "collector/base/metrics.h"
#include "collector/recall/raw/raw_ids.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_map.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct listed_service {
    raw_list_service shown;
    char *name;
} listed_service;

typedef struct listed_chunk {
    pin_chunk chunk;
    uint32_t service; // index
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    uint64_t bytes;
    uint8_t *filter; // NULL: its ids are unknown
    uint32_t filter_bytes;
} listed_chunk;

struct raw_list {
    pthread_mutex_t mutex; // guards the rest
    LP_VEC(listed_service) services;
    LP_VEC(listed_chunk) chunks; // in no order
    lp_map by_chunk;             // hash of a chunk to an index in chunks
    lp_map by_service;           // hash of a name to an index in services
    uint64_t filter_bytes;
    uint64_t filter_bytes_max; // constant
};

static void
list_check(const raw_list *self)
{
    LP_ASSERT(self->by_chunk.count == self->chunks.count);
    LP_ASSERT(self->by_service.count == self->services.count);
    LP_ASSERT(self->filter_bytes <= self->filter_bytes_max);
}

raw_list *
raw_list_create(uint64_t filter_bytes_max)
{
    LP_ASSERT(filter_bytes_max <= UINT32_MAX); // so the bytes of one filter fit
    raw_list *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->filter_bytes_max = filter_bytes_max;
        (void)pthread_mutex_init(&self->mutex, NULL);
    }
    return self;
}

void
raw_list_destroy(raw_list *self)
{
    if (self != NULL) {
        LP_VEC_FINI_EACH(&self->chunks, free(at->filter));
        LP_VEC_FINI_EACH(&self->services, free(at->name));
        lp_map_fini(&self->by_chunk);
        lp_map_fini(&self->by_service);
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

// --- Filters

// may_have returns whether a chunk with a filter may have an id.
static bool
may_have(const listed_chunk *chunk, uint64_t hash)
{
    return raw_ids_may_have((lp_slice){chunk->filter, chunk->filter_bytes}, hash);
}

static void
free_filter(raw_list *self, listed_chunk *chunk)
{
    LP_ASSERT(chunk->filter_bytes <= self->filter_bytes);
    LP_ASSERT((chunk->filter == NULL) == (chunk->filter_bytes == 0));
    self->filter_bytes -= chunk->filter_bytes;
    free(chunk->filter);
    chunk->filter = NULL;
    chunk->filter_bytes = 0;
}

// free_oldest_filter frees the filter of the chunk that began first.
static void
free_oldest_filter(raw_list *self)
{
    listed_chunk *oldest = NULL;
    for (size_t i = 0; i < self->chunks.count; i++) {
        listed_chunk *chunk = &self->chunks.items[i];
        if (chunk->filter != NULL &&
            (oldest == NULL || chunk->start_wall_ns < oldest->start_wall_ns)) {
            oldest = chunk;
        }
    }
    LP_ASSERT(oldest != NULL); // some filters have bytes
    free_filter(self, oldest);
    metrics_add(METRICS_recall_ids_dropped, 1);
}

// copy_filter copies the filter of a chunk. Without memory its ids stay unknown.
static void
copy_filter(raw_list *self, listed_chunk *chunk, lp_slice filter)
{
    LP_ASSERT(chunk->filter == NULL);
    if (filter.len > self->filter_bytes_max) {
        metrics_add(METRICS_recall_ids_dropped, 1);
        return;
    }
    while (self->filter_bytes + filter.len > self->filter_bytes_max) {
        free_oldest_filter(self);
    }
    chunk->filter = malloc(filter.len);
    if (chunk->filter != NULL) {
        memcpy(chunk->filter, filter.ptr, filter.len);
        chunk->filter_bytes = (uint32_t)filter.len;
        self->filter_bytes += filter.len;
    }
}

// --- Services

// Agents choose the names, so the hash has a random seed.
static uint64_t
hash_name(const char *name)
{
    return lp_hash_text(lp_hash_seed(), name);
}

// make_room returns where another service goes; NULL: nowhere.
static listed_service *
make_room(raw_list *self)
{
    if (self->services.count < RAW_LIST_SERVICES_MAX) {
        return LP_VEC_PUSH(&self->services);
    }
    listed_service *idle =
        LP_FIND(self->services.items, self->services.count, at->shown.chunks == 0);
    LP_REQUIRE(idle != NULL, NULL);
    LP_ASSERT(idle->shown.bytes == 0); // they are those of its chunks
    lp_map_remove(&self->by_service, hash_name(idle->name));
    free(idle->name);
    return idle;
}

// add_service returns the place of a new service in the list; NULL: there is no room for it.
static listed_service *
add_service(raw_list *self, const char *name)
{
    char *copy = strdup(name);
    bool has_room = copy != NULL &&
                    lp_map_reserve(&self->by_service, self->by_service.count + 1) == LP_OK &&
                    lp_map_find(&self->by_service, hash_name(name)) == LP_MAP_NONE;
    listed_service *made = has_room ? make_room(self) : NULL;
    if (made == NULL) {
        free(copy);
        return NULL;
    }
    *made = (listed_service){
        .name = copy, .shown = {.from_wall_ns = INT64_MAX, .dropped_wall_ns = INT64_MIN}};
    lp_err err =
        lp_map_put(&self->by_service, hash_name(name), (uint32_t)(made - self->services.items));
    LP_ASSERT(err == LP_OK); // there is room
    return made;
}

static listed_service *
find_service(raw_list *self, const char *name)
{
    uint32_t index = lp_map_find(&self->by_service, hash_name(name));
    LP_ASSERT(index == LP_MAP_NONE || index < self->services.count);
    listed_service *found = index == LP_MAP_NONE ? NULL : &self->services.items[index];
    return found != NULL && strcmp(found->name, name) == 0 ? found : add_service(self, name);
}

// --- Chunks

static uint64_t
hash_of(const pin_chunk *chunk)
{
    return lp_hash_number(lp_hash_text(lp_hash_seed(), chunk->session_id) | 1, chunk->ordinal);
}

static bool
is_same(const pin_chunk *one, const pin_chunk *other)
{
    return one->ordinal == other->ordinal && strcmp(one->session_id, other->session_id) == 0;
}

static listed_chunk *
find_chunk(raw_list *self, const pin_chunk *chunk)
{
    list_check(self);
    uint32_t index = lp_map_find(&self->by_chunk, hash_of(chunk));
    LP_ASSERT(index == LP_MAP_NONE || index < self->chunks.count);
    listed_chunk *found = index == LP_MAP_NONE ? NULL : &self->chunks.items[index];
    return found != NULL && is_same(&found->chunk, chunk) ? found : NULL;
}

static void
count_bytes(raw_list *self, listed_chunk *chunk, uint64_t bytes)
{
    LP_ASSERT(chunk->service < self->services.count);
    raw_list_service *of = &self->services.items[chunk->service].shown;
    LP_ASSERT(chunk->bytes <= of->bytes);
    of->bytes += bytes - chunk->bytes;
    chunk->bytes = bytes;
}

// remove_chunk removes a chunk; the last one moves to its place.
static void
remove_chunk(raw_list *self, listed_chunk *chunk)
{
    count_bytes(self, chunk, 0);
    LP_ASSERT(self->services.items[chunk->service].shown.chunks > 0);
    self->services.items[chunk->service].shown.chunks--;
    free_filter(self, chunk);
    lp_map_remove(&self->by_chunk, hash_of(&chunk->chunk));
    listed_chunk *last = &self->chunks.items[--self->chunks.count];
    if (chunk != last) {
        *chunk = *last;
        lp_err err = lp_map_put(
            &self->by_chunk, hash_of(&chunk->chunk), (uint32_t)(chunk - self->chunks.items));
        LP_ASSERT(err == LP_OK); // the key is in the map
    }
    list_check(self);
}

// add_chunk returns NULL if there is no room for it.
static listed_chunk *
add_chunk(raw_list *self, const pin_stored *stored)
{
    uint64_t hash = hash_of(&stored->chunk);
    listed_service *of = find_service(self, stored->service);
    if (of == NULL || self->chunks.count == RAW_LIST_CHUNKS_MAX || !LP_VEC_ROOM(&self->chunks) ||
        lp_map_find(&self->by_chunk, hash) != LP_MAP_NONE ||
        lp_map_put(&self->by_chunk, hash, (uint32_t)self->chunks.count) != LP_OK) {
        return NULL;
    }
    of->shown.chunks++;
    listed_chunk *made = &self->chunks.items[self->chunks.count++];
    *made = (listed_chunk){.chunk = stored->chunk,
        .service = (uint32_t)(of - self->services.items),
        .start_wall_ns = stored->start_wall_ns,
        .end_wall_ns = stored->end_wall_ns};
    return made;
}

void
raw_list_add(raw_list *self, const pin_stored *stored, lp_slice filter)
{
    LP_ASSERT(stored->service != NULL && stored->start_wall_ns <= stored->end_wall_ns);
    (void)pthread_mutex_lock(&self->mutex);
    listed_chunk *before = find_chunk(self, &stored->chunk);
    if (before != NULL) {
        remove_chunk(self, before);
    }
    listed_chunk *made = add_chunk(self, stored);
    if (made == NULL) {
        metrics_add(METRICS_recall_unlisted, 1);
    } else if (filter.len > 0) {
        copy_filter(self, made, filter);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

void
raw_list_measure(raw_list *self, const pin_chunk *chunk, uint64_t bytes)
{
    (void)pthread_mutex_lock(&self->mutex);
    listed_chunk *found = find_chunk(self, chunk);
    if (found != NULL) {
        count_bytes(self, found, bytes);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

void
raw_list_drop(raw_list *self, const pin_chunk *chunk, raw_list_why why)
{
    LP_ASSERT(why < RAW_LIST_WHY_COUNT);
    (void)pthread_mutex_lock(&self->mutex);
    listed_chunk *found = find_chunk(self, chunk);
    if (found != NULL) {
        raw_list_service *of = &self->services.items[found->service].shown;
        of->dropped[why]++;
        // The data of removed recordings is nobody's loss.
        if (why != RAW_LIST_REMOVED && found->end_wall_ns > of->dropped_wall_ns) {
            of->dropped_wall_ns = found->end_wall_ns;
        }
        remove_chunk(self, found);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

// --- Reading

raw_list_span
raw_list_find_span(raw_list *self, const pin_chunk *chunk)
{
    (void)pthread_mutex_lock(&self->mutex);
    const listed_chunk *found = find_chunk(self, chunk);
    raw_list_span span = found == NULL ? (raw_list_span){INT64_MAX, INT64_MIN}
                                       : (raw_list_span){found->start_wall_ns, found->end_wall_ns};
    (void)pthread_mutex_unlock(&self->mutex);
    return span;
}

// is_before_id returns whether the next chunk is known to have an id: the id of a context is noted
// in the chunk in which the context ends, and it may begin in the one before.
static bool
is_before_id(raw_list *self, const listed_chunk *chunk, uint64_t hash)
{
    pin_chunk next = chunk->chunk;
    next.ordinal++;
    const listed_chunk *after = find_chunk(self, &next);
    LP_ASSERT(after != chunk);
    return after != NULL && after->filter != NULL && may_have(after, hash);
}

// How well a chunk is known to have the id of a pin.
typedef enum knowledge {
    KNOWN_WITHOUT,
    KNOWN_WITH, // as far as a filter knows, or the pin is of no id
    UNKNOWN,
} knowledge;

static knowledge
know(raw_list *self, const listed_chunk *chunk, pin_kind kind, uint64_t hash)
{
    if (kind != PIN_TRACE || is_before_id(self, chunk, hash)) {
        return KNOWN_WITH;
    }
    return chunk->filter == NULL ? UNKNOWN : may_have(chunk, hash) ? KNOWN_WITH : KNOWN_WITHOUT;
}

// is_in returns whether a chunk is of the services, or the recording, and in the time of a pin.
static bool
is_in(const raw_list *self, const listed_chunk *chunk, const pin *wanted)
{
    LP_ASSERT(chunk->service < self->services.count);
    return (wanted->session_id[0] == '\0' ||
               strcmp(wanted->session_id, chunk->chunk.session_id) == 0) &&
           pins_has_service(wanted, self->services.items[chunk->service].name) &&
           chunk->start_wall_ns <= wanted->to_wall_ns && chunk->end_wall_ns >= wanted->from_wall_ns;
}

// find adds the chunks of a pin of which as much is known as is given.
static lp_err
find(raw_list *self, const pin *wanted, uint64_t hash, knowledge as, pin_chunks *out,
    raw_list_span *span)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < self->chunks.count && out->count <= PINS_CHUNKS_MAX && err == LP_OK;
         i++) {
        const listed_chunk *chunk = &self->chunks.items[i];
        if (is_in(self, chunk, wanted) && know(self, chunk, wanted->selection.kind, hash) == as) {
            err = LP_VEC_ADD(out, chunk->chunk);
            span->from_wall_ns = chunk->start_wall_ns < span->from_wall_ns ? chunk->start_wall_ns
                                                                           : span->from_wall_ns;
            span->to_wall_ns =
                chunk->end_wall_ns > span->to_wall_ns ? chunk->end_wall_ns : span->to_wall_ns;
        }
    }
    return err;
}

lp_err
raw_list_find(raw_list *self, const pin *wanted, pin_chunks *out, raw_list_span *out_span)
{
    uint64_t hash = 0;
    raw_list_span span = {INT64_MAX, INT64_MIN};
    const char *id = wanted->selection.id;
    if (wanted->selection.kind == PIN_TRACE) {
        bool is_id = rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &hash);
        LP_ASSERT(is_id); // who makes a pin has checked it
    }
    (void)pthread_mutex_lock(&self->mutex);
    lp_err err = find(self, wanted, hash, KNOWN_WITH, out, &span);
    LP_THEN(err, find(self, wanted, hash, UNKNOWN, out, &span));
    (void)pthread_mutex_unlock(&self->mutex);
    LP_ASSERT(out->count <= PINS_CHUNKS_MAX + 1);
    *out_span = span;
    return err;
}

// find_starts sets from which time on each service's raw data is there.
static void
find_starts(raw_list *self)
{
    for (size_t i = 0; i < self->services.count; i++) {
        self->services.items[i].shown.from_wall_ns = INT64_MAX;
    }
    for (size_t i = 0; i < self->chunks.count; i++) {
        const listed_chunk *chunk = &self->chunks.items[i];
        raw_list_service *of = &self->services.items[chunk->service].shown;
        int64_t from =
            chunk->start_wall_ns > of->dropped_wall_ns ? chunk->start_wall_ns : of->dropped_wall_ns;
        of->from_wall_ns = from < of->from_wall_ns ? from : of->from_wall_ns;
    }
}

void
raw_list_each(
    raw_list *self, void (*on_service)(void *arg, const raw_list_service *service), void *arg)
{
    LP_ASSERT(on_service != NULL);
    (void)pthread_mutex_lock(&self->mutex);
    find_starts(self);
    for (size_t i = 0; i < self->services.count; i++) {
        raw_list_service shown = self->services.items[i].shown;
        shown.name = self->services.items[i].name;
        on_service(arg, &shown);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}
