// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/assembly.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_pack.h"
#include "common/context/ctx_record.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_metadata.h"
#include "common/wire/wire.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

// --- Holes

// A checkpoint has a size, a type, three numbers, a byte of flags and a count of pools. No event of
// a JVM is as short: each of its flushes ends with a checkpoint that has a header in it.
enum { FILLER_BYTES_MIN = 7 };

static void
holes_fini(chunk_holes *holes)
{
    LP_VEC_FINI(&holes->items);
    holes->is_open = false;
}

// holes_add adds a hole behind the others. If the last one is open it grows: the bytes in between
// cannot be used. Errors: LP_ENOMEM
static lp_err
holes_add(chunk_holes *holes, uint64_t begin, uint64_t end)
{
    LP_ASSERT(begin < end);
    if (holes->is_open) {
        holes->items.items[holes->items.count - 1].end = end;
        return LP_OK;
    }
    begin = begin < JFR_CHUNK_HEADER_SIZE ? JFR_CHUNK_HEADER_SIZE : begin; // it is no event
    LP_TRY(LP_VEC_ADD(&holes->items, (chunk_hole){begin, end}));
    holes->is_open = true;
    return LP_OK;
}

// holes_note_event ends the open hole at offset, where an event begins behind all holes.
static void
holes_note_event(chunk_holes *holes, uint64_t offset)
{
    chunk_hole *last = holes->is_open ? &holes->items.items[holes->items.count - 1] : NULL;
    if (last != NULL && offset >= last->end && offset >= last->begin) {
        last->end = offset;
        holes->is_open = false;
    }
}

// offset_before returns the offset of the previous checkpoint; 0 if there is none.
static uint64_t
offset_before(lp_slice jfr, uint64_t offset)
{
    jfr_cursor rest = {jfr.ptr + offset, jfr.ptr + jfr.len};
    jfr_event event;
    uint64_t delta;
    bool is_read = jfr_event_next(&rest, &event) == LP_OK &&
                   event.type_id == JFR_TYPE_ID_CHECKPOINT && jfr_varint_skip(&event.payload) &&
                   jfr_varint_skip(&event.payload) && jfr_varint_read(&event.payload, &delta);
    uint64_t before = is_read ? offset + delta : 0; // delta is below 0
    return before < offset ? before : 0;
}

// holes_note_header ends the open hole at the first offset behind it to which a header leads. jfr
// has the bytes of the chunk that arrived.
static void
holes_note_header(chunk_holes *holes, lp_slice jfr, const jfr_chunk_info *info)
{
    LP_ASSERT(info->size_bytes <= jfr.len);
    if (!holes->is_open) {
        return;
    }
    const uint64_t end = holes->items.items[holes->items.count - 1].end;
    uint64_t first = info->size_bytes; // the next event will begin there
    uint64_t offset = info->checkpoint_offset;
    while (offset >= end && offset < first) {
        first = offset;
        offset = offset_before(jfr, offset);
    }
    if (info->metadata_offset >= end && info->metadata_offset < first) {
        first = info->metadata_offset;
    }
    holes_note_event(holes, first);
}

// skip_events returns the end of the last whole event in [at, end). An event begins at at.
static uint64_t
skip_events(const uint8_t *jfr, uint64_t at, uint64_t end)
{
    jfr_cursor rest = {jfr + at, jfr + end};
    jfr_event event;
    while (jfr_event_next(&rest, &event) == LP_OK) {
    }
    return (uint64_t)(rest.at - jfr);
}

// fill writes a checkpoint without constants. Its size takes as few bytes as possible.
static void
fill(uint8_t *jfr, uint64_t begin, uint64_t end)
{
    uint8_t size[JFR_VARINT_BYTES_MAX];
    size_t size_bytes = jfr_varint_encode(end - begin, size);
    memset(jfr + begin, 0, end - begin);
    memcpy(jfr + begin, size, size_bytes);
    jfr[begin + size_bytes] = JFR_TYPE_ID_CHECKPOINT;
}

// holes_fill makes a chunk with holes readable: size bytes at jfr, holes included. Returns its end:
// covered_bytes (which the latest header covers) without holes, else the end of the last whole
// event that can be found. *out_lost: the bytes of the filled holes, and of events partly in them.
static uint64_t
holes_fill(const chunk_holes *holes, uint8_t *jfr, uint64_t size, uint64_t covered_bytes,
    uint64_t *out_lost)
{
    uint64_t at = JFR_CHUNK_HEADER_SIZE;
    *out_lost = 0;
    for (size_t i = 0; i < holes->items.count; i++) {
        const chunk_hole *hole = &holes->items.items[i];
        bool is_end = holes->is_open && i == holes->items.count - 1;
        at = skip_events(jfr, at, hole->begin);
        if (is_end || hole->end - at < FILLER_BYTES_MIN) {
            return at;
        }
        fill(jfr, at, hole->end);
        *out_lost += hole->end - at;
        at = hole->end;
    }
    uint64_t end = holes->items.count == 0 ? covered_bytes : skip_events(jfr, at, size);
    return end > covered_bytes ? end : covered_bytes;
}

// --- Batches

static void
assembly_check(const assembly *self)
{
    LP_ASSERT(!self->holes.is_open || self->holes.items.count > 0);
    LP_ASSERT(self->unpacked_bytes <= ASSEMBLY_ROUNDS_MAX * (uint64_t)self->jfr_bytes_max);
}

// set_gap records the first gap.
static void
set_gap(assembly *self, const char *what, uint64_t offset)
{
    if (!self->has_gap) {
        self->has_gap = true;
        (void)lp_problem_set(&self->gap, LP_OK, "%s at offset %" PRIu64, what, offset);
    }
}

// add_hole appends missing bytes of the chunk to jfr.
static lp_err
add_hole(assembly *self, const char *what, uint64_t size)
{
    LP_ASSERT(size > 0);
    set_gap(self, what, self->jfr.len);
    uint64_t begin = self->jfr.len;
    uint8_t *bytes = lp_buf_extend(&self->jfr, (size_t)size);
    LP_REQUIRE(bytes != NULL, LP_ENOMEM);
    memset(bytes, 0, (size_t)size);
    return holes_add(&self->holes, begin, begin + size);
}

// room_of returns the bytes left. A break may exceed the limit of records.
static size_t
room_of(const lp_buf *bytes, size_t bytes_max)
{
    return bytes->len < bytes_max ? bytes_max - bytes->len : 0;
}

// admit returns whether a batch's frame may be unpacked, and counts it.
static bool
admit(assembly *self, const Loupe__Wire__Batch *batch, uint64_t added)
{
    bool is_over = added > room_of(&self->jfr, self->jfr_bytes_max) ||
                   self->unpacked_bytes + batch->jfr_size >
                       ASSEMBLY_ROUNDS_MAX * (uint64_t)self->jfr_bytes_max;
    if (is_over) {
        self->over_bytes += batch->jfr_size;
    } else {
        self->unpacked_bytes += batch->jfr_size;
    }
    return !is_over;
}

// append_rest appends the bytes of a batch behind the existing ones: the agent resent the chunk,
// and the batch that said so is lost.
static lp_err
append_rest(assembly *self, const Loupe__Wire__Batch *batch)
{
    LP_ASSERT(batch->chunk_offset < self->jfr.len);
    uint64_t known = self->jfr.len - batch->chunk_offset;
    if (batch->jfr_size <= known || !admit(self, batch, batch->jfr_size - known)) {
        return LP_OK;
    }
    lp_buf piece = {0};
    lp_slice frame = {batch->jfr_zstd.data, batch->jfr_zstd.len};
    lp_err err = wire_decompress(frame, batch->jfr_size, &piece);
    if (err == LP_OK) {
        lp_buf_append(&self->jfr, piece.ptr + known, piece.len - (size_t)known);
        err = lp_buf_check(&self->jfr);
    }
    lp_buf_fini(&piece);
    return err == LP_ENOMEM ? err : LP_OK;
}

// append_jfr appends a batch's bytes of the chunk, after a hole if bytes before them are missing.
// It skips bytes over the limit and bytes that exist already.
static lp_err
append_jfr(assembly *self, const Loupe__Wire__Batch *batch)
{
    assembly_check(self);
    uint64_t missing = batch->chunk_offset - self->jfr.len;
    uint64_t added;
    if (batch->chunk_offset < self->jfr.len) {
        return append_rest(self, batch);
    }
    if (__builtin_add_overflow(missing, batch->jfr_size, &added) || !admit(self, batch, added)) {
        set_gap(self, "the chunk is over the limit", self->jfr.len);
        return LP_OK;
    }
    lp_err err = missing == 0 ? LP_OK : add_hole(self, "bytes of the chunk are missing", missing);
    if (err == LP_OK && batch->begins_event) {
        holes_note_event(&self->holes, batch->chunk_offset);
    }
    lp_slice frame = {batch->jfr_zstd.data, batch->jfr_zstd.len};
    LP_THEN(err, wire_decompress(frame, batch->jfr_size, &self->jfr));
    bool is_damaged = err == LP_ECORRUPT || err == LP_ELIMIT;
    return is_damaged ? add_hole(self, "the batch's zstd frame is damaged", batch->jfr_size) : err;
}

static lp_err
add_jfr(assembly *self, const Loupe__Wire__Batch *batch)
{
    uint64_t end_bytes;
    lp_err err = LP_OK;
    if (batch->jfr_size > 0) {
        if (!__builtin_add_overflow(batch->chunk_offset, batch->jfr_size, &end_bytes) &&
            end_bytes > self->end_bytes) {
            self->end_bytes = end_bytes;
        }
        err = append_jfr(self, batch);
    }
    jfr_chunk_info info;
    lp_slice header = {batch->chunk_header.data, batch->chunk_header.len};
    if (err == LP_OK && header.len == JFR_CHUNK_HEADER_SIZE &&
        jfr_chunk_parse(header, &info, NULL) == LP_OK && info.size_bytes <= self->jfr.len) {
        memcpy(self->header, header.ptr, header.len);
        self->header_bytes = info.size_bytes;
        holes_note_header(&self->holes, lp_buf_slice(&self->jfr), &info);
    }
    return err;
}

static lp_err
add_types(assembly *self, const Loupe__Wire__Batch *batch)
{
    LP_REQUIRE(LP_VEC_RESERVE(&self->types, batch->n_context_types), LP_ENOMEM);
    for (size_t i = 0; i < batch->n_context_types; i++) {
        lp_err err =
            wire_type_decode(batch->context_types[i], &self->types.items[self->types.count]);
        LP_REQUIRE(err != LP_ENOMEM, err);
        self->types.count += err == LP_OK; // the engine skips records of an invalid type
    }
    return LP_OK;
}

// add_recordings adds the maps of RecordingContexts and the ids of the ended ones.
static lp_err
add_recordings(assembly *self, const Loupe__Wire__Batch *batch)
{
    size_t count = batch->n_recording_contexts_ended;
    LP_REQUIRE(LP_VEC_RESERVE(&self->recordings, batch->n_recording_contexts) &&
                   LP_VEC_RESERVE(&self->recordings_ended, count),
        LP_ENOMEM);
    for (size_t i = 0; i < batch->n_recording_contexts; i++) {
        lp_err err = wire_recording_decode(batch->recording_contexts[i], &self->arena,
            &self->recordings.items[self->recordings.count]);
        LP_REQUIRE(err == LP_OK || err == LP_ECORRUPT, err);
        self->recordings.count += err == LP_OK; // the engine skips contexts without a map
    }
    for (size_t i = 0; i < count; i++) {
        self->recordings_ended.items[self->recordings_ended.count++] =
            batch->recording_contexts_ended[i];
    }
    return LP_OK;
}

static lp_err
add_filters(assembly *self, const Loupe__Wire__Batch *batch)
{
    LP_REQUIRE(LP_VEC_RESERVE(&self->filters, batch->n_context_filters), LP_ENOMEM);
    for (size_t i = 0; i < batch->n_context_filters; i++) {
        lp_err err = wire_filter_decode(
            batch->context_filters[i], &self->filters.items[self->filters.count]);
        LP_REQUIRE(err == LP_OK || err == LP_ECORRUPT, err);
        self->filters.count += err == LP_OK;
    }
    return LP_OK;
}

// The state of an assembly before the part's chunk.
typedef struct mark {
    size_t record_bytes;
    uint64_t damaged_bytes;
    uint64_t lost_record_bytes;
    bool has_gap;
} mark;

static mark
mark_now(const assembly *self)
{
    return (mark){
        .record_bytes = self->records.len,
        .damaged_bytes = self->damaged_bytes,
        .lost_record_bytes = self->lost_record_bytes,
        .has_gap = self->has_gap,
    };
}

// forget_records removes the records of the part's chunk. It keeps the records of earlier,
// compacted chunks: the agent does not resend them.
static void
forget_records(assembly *self, const mark *before)
{
    size_t end = before->record_bytes;
    bool is_first_kept = self->others.count > 0 && self->others.items[0].begin == end;
    for (size_t i = 0; i < self->others.count; i++) {
        assembly_span *span = &self->others.items[i];
        size_t size = span->end - span->begin;
        memmove(self->records.ptr + end, self->records.ptr + span->begin, size);
        *span = (assembly_span){end, end + size};
        end += size;
    }
    if (self->unset_break > before->record_bytes && !is_first_kept) {
        self->unset_break = 0;
    }
    self->records.len = end;
}

// begin_again drops the bytes and losses of the part's chunk, because the chunk restarts. Types,
// maps and filters stay: they may exist twice.
static void
begin_again(assembly *self, const assembly_part *part, const mark *before)
{
    LP_ASSERT(before->record_bytes <= self->records.len);
    forget_records(self, before);
    lp_ranges_fini(&self->lost_of_part);
    self->damaged_bytes = before->damaged_bytes;
    self->lost_record_bytes = before->lost_record_bytes;
    self->has_gap = before->has_gap;
    self->gap = before->has_gap ? self->gap : (lp_problem){.text = ""};
    if (part->has_jfr) {
        lp_buf_clear(&self->jfr);
        holes_fini(&self->holes);
        self->header_bytes = 0;
        self->end_bytes = 0;
    }
}

// last_time returns the latest time of the context records; false if there are none.
static bool
last_time(const assembly *self, int64_t *out_ticks)
{
    ctx_record_header header;
    bool is_found = false;
    for (size_t at = 0; self->records.len - at >= sizeof(header); at += header.size_bytes) {
        memcpy(&header, self->records.ptr + at, sizeof(header));
        if (header.size_bytes < sizeof(header) || header.size_bytes > self->records.len - at) {
            break; // the engine reports it
        }
        if (!is_found || header.time_ticks > *out_ticks) {
            *out_ticks = header.time_ticks;
        }
        is_found = true;
    }
    return is_found;
}

// add_break ends all contexts at the latest time before the missing records. One break at the start
// is enough.
static void
add_break(assembly *self)
{
    if (self->unset_break > 0 &&
        self->unset_break - 1 + sizeof(ctx_record_header) == self->records.len) {
        return;
    }
    ctx_record_header record = {
        .size_bytes = sizeof(record),
        .kind = CTX_RECORD_THREAD_END,
        .thread_id = CTX_THREAD_ALL,
    };
    if (!last_time(self, &record.time_ticks)) {
        self->unset_break = self->records.len + 1;
    }
    lp_buf_append(&self->records, &record, sizeof(record));
}

// lose_records counts the batch's context records as lost. Ends of contexts may be among them.
static lp_err
lose_records(assembly *self, const Loupe__Wire__Batch *batch, const char *why)
{
    set_gap(self, why, self->jfr.len);
    self->lost_record_bytes += batch->contexts_size;
    if (room_of(&self->records, self->record_bytes_max) >= sizeof(ctx_record_header)) {
        add_break(self);
    }
    return lp_buf_check(&self->records);
}

static lp_err
add_records(assembly *self, const Loupe__Wire__Batch *batch)
{
    if (batch->contexts_size == 0) {
        return LP_OK;
    }
    if (batch->contexts_packed.len == 0) { // they arrived too late and were put aside
        add_break(self);
        return lp_buf_check(&self->records);
    }
    if (batch->contexts_size > room_of(&self->records, self->record_bytes_max)) {
        self->over_bytes += batch->contexts_size;
        return lose_records(self, batch, "the context records are over the limit");
    }
    lp_slice packed = {batch->contexts_packed.data, batch->contexts_packed.len};
    lp_err err = ctx_unpack(packed, batch->contexts_size, &self->records);
    return err == LP_OK || err == LP_ENOMEM
               ? err
               : lose_records(self, batch, "the context records are damaged");
}

// lose_batches adds missing batches that are due to lost_of_part.
static void
lose_batches(assembly *self, const assembly_part *part, uint64_t begin, uint64_t end)
{
    LP_ASSERT(begin < end);
    lp_ranges gap = {0};
    lp_ranges_add(&gap, begin, end);
    lp_ranges_intersect(&gap, &part->due);
    lp_ranges_unite(&self->lost_of_part, &gap);
    lp_ranges_fini(&gap);
    add_break(self);
}

// keep_losses makes the losses of the part final: a restart of its chunk does not bring them back.
static void
keep_losses(assembly *self)
{
    lp_ranges_unite(&self->lost, &self->lost_of_part);
    lp_ranges_fini(&self->lost_of_part);
}

// note_sequence finds missing batches before this one. If the chunk restarts here, the missing ones
// come again with it, unless the restart is ignored.
static void
note_sequence(
    assembly *self, const assembly_part *part, const Loupe__Wire__Batch *batch, bool is_ignored)
{
    if (self->has_batch && batch->sequence > self->next_sequence &&
        (!batch->begins_again || is_ignored)) {
        lose_batches(self, part, self->next_sequence, batch->sequence);
    }
    self->has_batch = true;
    self->next_sequence = batch->sequence + 1;
}

// note_others records that the records from begin on belong to another chunk than the part's.
static lp_err
note_others(assembly *self, size_t begin)
{
    LP_ASSERT(begin <= self->records.len);
    const assembly_span span = {begin, self->records.len};
    return span.begin == span.end ? LP_OK : LP_VEC_ADD(&self->others, span);
}

static lp_err
add_batch(
    assembly *self, const assembly_part *part, const mark *before, const Loupe__Wire__Batch *batch)
{
    bool is_of_chunk = batch->chunk == part->ordinal;
    bool is_ignored =
        is_of_chunk && part->ignored_from > 0 && batch->sequence >= part->ignored_from;
    if (batch->begins_again && is_of_chunk && !is_ignored) {
        begin_again(self, part, before);
    }
    size_t begin = self->records.len;
    note_sequence(self, part, batch, is_ignored);
    lp_err err = lp_buf_check(&self->records);
    LP_THEN(err, add_types(self, batch));
    LP_THEN(err, add_recordings(self, batch));
    LP_THEN(err, add_filters(self, batch));
    if (err != LP_OK || is_ignored) {
        return err;
    }
    err = add_records(self, batch);
    if (!is_of_chunk) {
        return err != LP_OK ? err : note_others(self, begin);
    }
    return err == LP_OK && part->has_jfr ? add_jfr(self, batch) : err;
}

lp_err
assembly_add(assembly *self, const assembly_part *part)
{
    assembly_check(self);
    LP_ASSERT(self->lost_of_part.count == 0);
    mark before = mark_now(self);
    journal_cursor cursor;
    const Loupe__Wire__Request *request;
    lp_err err;
    if (part->gap_before.begin < part->gap_before.end) {
        lose_batches(self, part, part->gap_before.begin, part->gap_before.end);
    }
    if (!part->owns_gap) { // the chunk does not bring them
        keep_losses(self);
        before = mark_now(self);
    }
    self->has_batch = false;
    self->others.count = 0;
    journal_cursor_init(&cursor, part->journal, part->end_bytes);
    while ((err = journal_request_next(&cursor, &request)) == LP_OK) {
        self->damaged_bytes += cursor.skipped_bytes;
        err = request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH
                  ? add_batch(self, part, &before, request->batch)
                  : LP_OK;
        if (err != LP_OK) {
            break;
        }
    }
    if (err == LP_ECORRUPT) { // it was intact when it was written or recovered
        self->damaged_bytes += part->end_bytes - cursor.offset;
        err = LP_OK;
    }
    journal_cursor_fini(&cursor);
    keep_losses(self);
    return err == LP_EEND ? LP_OK : err;
}

// take_first_header uses the chunk's first header if no later one exists.
static bool
take_first_header(assembly *self)
{
    jfr_chunk_info info;
    bool is_there = self->holes.items.count > 0 &&
                    self->holes.items.items[0].begin > JFR_CHUNK_HEADER_SIZE &&
                    jfr_chunk_parse_cut(lp_buf_slice(&self->jfr), &info, NULL) == LP_OK;
    if (is_there) {
        memcpy(self->header, self->jfr.ptr, JFR_CHUNK_HEADER_SIZE);
    }
    return is_there;
}

// set_break sets the time of the break at the start, if there is one.
static void
set_break(assembly *self)
{
    jfr_chunk_info info;
    const lp_slice header = {self->header, JFR_CHUNK_HEADER_SIZE};
    if (self->unset_break > 0 && jfr_chunk_parse_cut(header, &info, NULL) == LP_OK) {
        memcpy(self->records.ptr + self->unset_break - 1 + offsetof(ctx_record_header, time_ticks),
            &info.start_ticks, sizeof(info.start_ticks));
    }
}

lp_err
assembly_finish(assembly *self, lp_problem *out_problem)
{
    assembly_check(self);
    if (self->jfr.len == 0 && !self->has_gap) {
        return LP_OK;
    }
    LP_REQUIRE(self->header_bytes != 0 || take_first_header(self),
        lp_problem_set(out_problem, LP_ECORRUPT, "%s",
            self->has_gap ? self->gap.text : "no header covers the chunk's bytes"));
    uint64_t usable = holes_fill(
        &self->holes, self->jfr.ptr, self->jfr.len, self->header_bytes, &self->lost_bytes);
    self->jfr.len = (size_t)usable;
    self->lost_bytes += self->end_bytes > usable ? self->end_bytes - usable : 0;
    if (self->lost_bytes > 0) {
        set_gap(self, "the end of the chunk is missing", usable);
    }
    self->lost_bytes += self->lost_record_bytes;
    memcpy(self->jfr.ptr, self->header, JFR_CHUNK_HEADER_SIZE);
    jfr_chunk_set_size(self->jfr.ptr, usable);
    self->jfr.ptr[JFR_CHUNK_STATE_OFFSET] = JFR_CHUNK_STATE_FINISHED;
    set_break(self);
    return LP_OK;
}

static bool
find_metadata(lp_slice jfr, jfr_event *out_event)
{
    LP_REQUIRE(jfr.len >= JFR_CHUNK_HEADER_SIZE, false);
    jfr_cursor rest = {jfr.ptr + JFR_CHUNK_HEADER_SIZE, jfr.ptr + jfr.len};
    while (jfr_event_next(&rest, out_event) == LP_OK) {
        if (out_event->type_id == JFR_TYPE_ID_METADATA) {
            return true;
        }
    }
    return false;
}

// is_filler returns whether fill wrote an event: no JVM begins a checkpoint at the time 0.
static bool
is_filler(const jfr_event *event)
{
    return event->type_id == JFR_TYPE_ID_CHECKPOINT && jfr_cursor_left(&event->payload) > 0 &&
           *event->payload.at == 0;
}

bool
assembly_lend_metadata(assembly *self, const assembly *from)
{
    assembly_check(self);
    jfr_event lent;
    jfr_event event;
    uint8_t *jfr = self->jfr.ptr;
    LP_REQUIRE(self->holes.items.count != 0 && find_metadata(lp_buf_slice(&from->jfr), &lent) &&
                   !find_metadata(lp_buf_slice(&self->jfr), &event),
        false);
    jfr_cursor rest = {jfr + JFR_CHUNK_HEADER_SIZE, jfr + self->jfr.len};
    while (jfr_event_next(&rest, &event) == LP_OK) {
        bool has_room = event.size == lent.size || event.size >= lent.size + FILLER_BYTES_MIN;
        if (is_filler(&event) && has_room) {
            uint64_t begin = (uint64_t)(event.begin - jfr);
            memcpy(jfr + begin, lent.begin, lent.size);
            if (event.size > lent.size) {
                fill(jfr, begin + lent.size, begin + event.size);
            }
            return true;
        }
    }
    return false;
}

compact_source
assembly_view(const assembly *self)
{
    assembly_check(self);
    return (compact_source){
        .jfr = lp_buf_slice(&self->jfr),
        .records = lp_buf_slice(&self->records),
        .types = self->types.items,
        .type_count = self->types.count,
        .recordings = self->recordings.items,
        .recording_count = self->recordings.count,
        .recordings_ended = self->recordings_ended.items,
        .recordings_ended_count = self->recordings_ended.count,
        .filters = self->filters.items,
        .filter_count = self->filters.count,
    };
}

void
assembly_fini(assembly *self)
{
    LP_VEC_FINI(&self->others);
    LP_VEC_FINI_EACH(&self->types, ctx_type_fini(at));
    LP_VEC_FINI(&self->recordings);
    lp_arena_fini(&self->arena);
    LP_VEC_FINI(&self->recordings_ended);
    LP_VEC_FINI_EACH(&self->filters, ctx_filter_fini(at));
    holes_fini(&self->holes);
    lp_ranges_fini(&self->lost);
    lp_ranges_fini(&self->lost_of_part);
    lp_buf_fini(&self->jfr);
    lp_buf_fini(&self->records);
    *self = (struct assembly){0};
}
