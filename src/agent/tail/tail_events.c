// SPDX-License-Identifier: Apache-2.0
#include "agent/tail/tail_events.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/jfr/jfr_varint.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_VARINTS = 2 }; // of an event: size and type

// The state of parsing an event.
typedef struct walk {
    uint64_t skip;               // bytes up to the next event
    uint64_t head[HEAD_VARINTS]; // read so far
    size_t varint;               // index of the varint of the next byte
    size_t at;                   // bytes read of this varint
    size_t head_bytes;           // bytes read of the head
} walk;

typedef struct type_set {
    uint64_t ids[TAIL_EVENTS_TYPES_MAX];
    size_t count;
} type_set;

struct tail_events {
    pthread_mutex_t mutex; // guards the next two
    type_set watched;
    tail_events_counts counts;

    // Used by the feeding thread only.
    type_set types;  // counted in pending
    uint32_t chunk;  // of the next byte
    uint64_t offset; // of the next byte in the chunk
    bool is_walking; // walk is valid for the next byte
    bool is_whole;   // all events since duration_ns were counted
    walk walk;
    uint64_t pending;    // events behind the last header
    int64_t duration_ns; // of the chunk, from its last header
};

tail_events *
tail_events_create(void)
{
    tail_events *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        (void)pthread_mutex_init(&self->mutex, NULL); // does not fail for a private one
    }
    return self;
}

void
tail_events_destroy(tail_events *self)
{
    if (self != NULL) {
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

void
tail_events_watch(tail_events *self, const uint64_t *types, size_t count)
{
    LP_ASSERT(count <= TAIL_EVENTS_TYPES_MAX);
    (void)pthread_mutex_lock(&self->mutex);
    memcpy(self->watched.ids, types, count * sizeof(*types));
    self->watched.count = count;
    (void)pthread_mutex_unlock(&self->mutex);
}

tail_events_counts
tail_events_get(tail_events *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    tail_events_counts counts = self->counts;
    (void)pthread_mutex_unlock(&self->mutex);
    return counts;
}

// Begins to count the types that are watched now.
static void
begin_pending(tail_events *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    self->types = self->watched;
    (void)pthread_mutex_unlock(&self->mutex);
    self->pending = 0;
}

// Adds a byte to a varint and returns whether it was the last one.
static bool
take_byte(walk *w, uint8_t byte)
{
    bool is_ninth = w->at == JFR_VARINT_BYTES_MAX - 1;
    w->head[w->varint] |= (uint64_t)(is_ninth ? byte : byte & 0x7f) << (7 * w->at);
    w->at++;
    w->head_bytes++;
    return is_ninth || (byte & 0x80) == 0;
}

// Parses bytes and adds the events of these types to *count. Returns false if an event is shorter
// than its own head.
static bool
walk_bytes(walk *w, lp_slice bytes, const type_set *types, uint64_t *count)
{
    for (size_t i = 0; i < bytes.len;) {
        if (w->skip > 0) {
            size_t left = bytes.len - i;
            size_t skipped = w->skip < left ? (size_t)w->skip : left;
            w->skip -= skipped;
            i += skipped;
        } else if (take_byte(w, bytes.ptr[i++])) {
            w->at = 0;
            if (++w->varint < HEAD_VARINTS) {
                continue;
            }
            if (w->head[0] < w->head_bytes) {
                return false;
            }
            *count += LP_ANY(types->ids, types->count, *at == w->head[1]);
            *w = (walk){.skip = w->head[0] - w->head_bytes};
        }
    }
    return true;
}

// Returns whether a piece was fed before. A piece without bytes may come again, with a new header.
static bool
is_fed(const tail_events *self, const tail_piece *piece, uint64_t end)
{
    const tail_place *place = &piece->place;
    bool is_behind = end < self->offset || (end == self->offset && end > place->offset);
    return place->chunk < self->chunk || (place->chunk == self->chunk && is_behind);
}

// Returns the bytes that were not fed before.
static lp_slice
cut_fed(const tail_events *self, const tail_place *place, lp_slice bytes)
{
    if (place->chunk != self->chunk || place->offset >= self->offset) {
        return bytes;
    }
    uint64_t fed = self->offset - place->offset;
    return (lp_slice){bytes.ptr + fed, bytes.len - (size_t)fed};
}

static bool
is_in_event(const walk *w)
{
    return w->skip > 0 || w->head_bytes > 0;
}

// Begins to walk at the begin of an event, if it is not walking.
static void
step_in(tail_events *self, const tail_piece *piece)
{
    bool is_begin = piece->place.offset == 0;
    if (is_begin || (piece->begins_event && !self->is_walking)) {
        self->walk = (walk){.skip = is_begin ? JFR_CHUNK_HEADER_SIZE : 0};
        self->is_walking = true;
        self->is_whole = true;
        begin_pending(self);
    }
}

// Reads the duration of the chunk so far from a piece's header, and adds it to the counts. Returns
// false if the header is damaged.
static bool
read_times(const tail_events *self, const tail_piece *piece, int64_t *out_duration_ns,
    tail_events_counts *out_counts)
{
    jfr_chunk_info info;
    lp_slice header = {piece->header, sizeof(piece->header)};
    if (jfr_chunk_parse(header, &info, NULL) != LP_OK || info.duration_ns < self->duration_ns) {
        return false;
    }
    tail_events_counts counts = self->counts;
    int64_t more_ns = info.duration_ns - self->duration_ns;
    if (__builtin_add_overflow(info.start_wall_ns, info.duration_ns, &counts.until_wall_ns) ||
        __builtin_add_overflow(counts.recorded_ns, more_ns, &counts.recorded_ns)) {
        return false;
    }
    *out_duration_ns = info.duration_ns;
    *out_counts = counts;
    return true;
}

// Counts the pending events if all of them happened in the time by which the header has grown.
// Another event begins after the piece.
static void
settle(tail_events *self, const tail_piece *piece)
{
    int64_t duration_ns = self->duration_ns;
    tail_events_counts counts;
    self->is_walking = self->is_walking && !is_in_event(&self->walk);
    bool is_sane = read_times(self, piece, &duration_ns, &counts);
    if (is_sane && self->is_walking && self->is_whole) {
        counts.events += self->pending;
        (void)pthread_mutex_lock(&self->mutex);
        self->counts = counts;
        (void)pthread_mutex_unlock(&self->mutex);
    }
    self->duration_ns = duration_ns;
    self->is_whole = is_sane && self->is_walking;
    begin_pending(self);
}

// Walks through bytes that were not fed before.
static void
walk_on(tail_events *self, const tail_piece *piece, lp_slice news, bool is_piece)
{
    if (is_piece) {
        step_in(self, piece);
    }
    self->is_walking = self->types.count > 0 && self->is_walking &&
                       walk_bytes(&self->walk, news, &self->types, &self->pending);
    self->is_whole = self->is_whole && self->is_walking;
}

void
tail_events_feed(tail_events *self, const tail_piece *piece, lp_slice bytes)
{
    const tail_place *place = &piece->place;
    uint64_t end = place->offset + bytes.len;
    if (is_fed(self, piece, end)) {
        return;
    }
    lp_slice news = cut_fed(self, place, bytes);
    bool is_piece = news.len == bytes.len;
    bool is_next = place->chunk == self->chunk && end - news.len == self->offset;
    self->is_walking = self->is_walking && is_next;
    self->duration_ns = is_piece && place->offset == 0 ? 0 : self->duration_ns;
    self->chunk = place->chunk;
    self->offset = end;
    walk_on(self, piece, news, is_piece);
    if (piece->has_header) {
        settle(self, piece);
    }
}
