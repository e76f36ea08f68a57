// SPDX-License-Identifier: Apache-2.0
#include "agent/tail/tail_events.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_varint.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_VARINTS = 2 }; // of an event: size and type

// Where in an event reading stands.
typedef struct walk {
    uint64_t skip;               // bytes up to the next event, or the first one
    uint64_t head[HEAD_VARINTS]; // as far as it was read
    size_t varint;               // that the next byte belongs to; 0 with at 0: an event begins
    size_t at;                   // bytes of this varint that were read
    size_t head_bytes;           // of the event that were read
} walk;

struct tail_events {
    pthread_mutex_t mutex; // of what follows, up to counts
    uint64_t types[TAIL_EVENTS_TYPES_MAX];
    size_t type_count;
    tail_events_counts counts;

    // From here on of whoever feeds.
    uint32_t chunk;  // of the next byte
    uint64_t offset; // the same, in the chunk
    bool is_walking; // walk is right about the next byte
    bool is_whole;   // all events since duration_ns were counted
    walk walk;
    uint64_t pending;    // events behind the last header
    int64_t duration_ns; // of the chunk, by its last header
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
    memcpy(self->types, types, count * sizeof(*types));
    self->type_count = count;
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

// copy_types copies the watched types and returns how many there are.
static size_t
copy_types(tail_events *self, uint64_t out_types[TAIL_EVENTS_TYPES_MAX])
{
    (void)pthread_mutex_lock(&self->mutex);
    size_t count = self->type_count;
    memcpy(out_types, self->types, count * sizeof(*out_types));
    (void)pthread_mutex_unlock(&self->mutex);
    return count;
}

// take_byte takes a byte of a varint and returns whether it was the last one.
static bool
take_byte(walk *w, uint8_t byte)
{
    bool is_ninth = w->at == JFR_VARINT_BYTES_MAX - 1;
    w->head[w->varint] |= (uint64_t)(is_ninth ? byte : byte & 0x7f) << (7 * w->at);
    w->at++;
    w->head_bytes++;
    return is_ninth || (byte & 0x80) == 0;
}

static bool
is_one_of(uint64_t type, const uint64_t *types, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (types[i] == type) {
            return true;
        }
    }
    return false;
}

// walk_bytes goes on through bytes and adds the events of these types to *count. Returns false if
// an event is shorter than its own head.
static bool
walk_bytes(walk *w, lp_slice bytes, const uint64_t *types, size_t type_count, uint64_t *count)
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
            *count += is_one_of(w->head[1], types, type_count);
            *w = (walk){.skip = w->head[0] - w->head_bytes};
        }
    }
    return true;
}

// is_fed returns whether a piece was fed before. One of no bytes may come again: its header is
// news.
static bool
is_fed(const tail_events *self, const tail_piece *piece, uint64_t end)
{
    const tail_place *place = &piece->place;
    bool is_behind = end < self->offset || (end == self->offset && end > place->offset);
    return place->chunk < self->chunk || (place->chunk == self->chunk && is_behind);
}

// cut_fed returns what of the bytes was not fed before.
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

// step_in begins to walk where an event begins, if it is not doing so.
static void
step_in(tail_events *self, const tail_piece *piece)
{
    bool is_begin = piece->place.offset == 0;
    if (is_begin || (piece->begins_event && !self->is_walking)) {
        self->walk = (walk){.skip = is_begin ? JFR_CHUNK_HEADER_SIZE : 0};
        self->is_walking = true;
        self->is_whole = true;
        self->pending = 0;
    }
}

// settle counts what is pending, if that is all in the time by which the header has grown. Behind
// it an event begins.
static void
settle(tail_events *self, const tail_piece *piece)
{
    jfr_chunk_info info;
    lp_slice header = {piece->header, sizeof(piece->header)};
    self->is_walking = self->is_walking && !is_in_event(&self->walk);
    bool is_sane =
        jfr_chunk_parse(header, &info, NULL) == LP_OK && info.duration_ns >= self->duration_ns;
    if (is_sane && self->is_walking && self->is_whole) {
        (void)pthread_mutex_lock(&self->mutex);
        self->counts.events += self->pending;
        self->counts.recorded_ns += info.duration_ns - self->duration_ns;
        self->counts.until_wall_ns = info.start_wall_ns + info.duration_ns;
        (void)pthread_mutex_unlock(&self->mutex);
    }
    self->duration_ns = is_sane ? info.duration_ns : self->duration_ns;
    self->is_whole = is_sane && self->is_walking;
    self->pending = 0;
}

// walk_on walks through bytes that were not fed before.
static void
walk_on(tail_events *self, const tail_piece *piece, lp_slice news, bool is_piece)
{
    uint64_t types[TAIL_EVENTS_TYPES_MAX];
    size_t type_count = copy_types(self, types);
    if (type_count > 0 && is_piece) {
        step_in(self, piece);
    }
    self->is_walking = type_count > 0 && self->is_walking &&
                       walk_bytes(&self->walk, news, types, type_count, &self->pending);
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
