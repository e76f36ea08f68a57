// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/chunk_holes.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_metadata.h"

#include <string.h>

// A checkpoint has a size, a type, three numbers, a byte of flags and a count of pools. Nothing of
// a JVM is as short: each of its flushes ends with a checkpoint that has a header in it.
enum { FILLER_BYTES_MIN = 7 };

void
chunk_holes_fini(chunk_holes *holes)
{
    LP_VEC_FINI(&holes->items);
    holes->is_open = false;
}

lp_err
chunk_holes_add(chunk_holes *holes, uint64_t begin, uint64_t end)
{
    LP_ASSERT(begin < end);

    if (holes->is_open) {
        holes->items.items[holes->items.count - 1].end = end;
        return LP_OK;
    }
    chunk_hole *hole = LP_VEC_PUSH(&holes->items);
    if (hole == NULL) {
        return LP_ENOMEM;
    }
    // The header is no event.
    *hole = (chunk_hole){begin < JFR_CHUNK_HEADER_SIZE ? JFR_CHUNK_HEADER_SIZE : begin, end};
    holes->is_open = true;
    return LP_OK;
}

void
chunk_holes_note_event(chunk_holes *holes, uint64_t offset)
{
    chunk_hole *last = holes->is_open ? &holes->items.items[holes->items.count - 1] : NULL;
    if (last != NULL && offset >= last->end && offset >= last->begin) {
        last->end = offset;
        holes->is_open = false;
    }
}

// offset_before returns the offset of the checkpoint before the one at offset; 0 if there is none.
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

void
chunk_holes_note_header(chunk_holes *holes, lp_slice jfr, const jfr_chunk_info *info)
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
    chunk_holes_note_event(holes, first);
}

// skip_events returns the end of the last whole event in [at, end), in which events lie end to end
// from at on.
static uint64_t
skip_events(const uint8_t *jfr, uint64_t at, uint64_t end)
{
    jfr_cursor rest = {jfr + at, jfr + end};
    jfr_event event;
    while (jfr_event_next(&rest, &event) == LP_OK) {
    }
    return (uint64_t)(rest.at - jfr);
}

// fill writes a checkpoint without constants. Its size is in as few bytes as it takes.
static void
fill(uint8_t *jfr, uint64_t begin, uint64_t end)
{
    uint8_t size[JFR_VARINT_BYTES_MAX];
    size_t size_bytes = jfr_varint_encode(end - begin, size);
    memset(jfr + begin, 0, end - begin);
    memcpy(jfr + begin, size, size_bytes);
    jfr[begin + size_bytes] = JFR_TYPE_ID_CHECKPOINT;
}

uint64_t
chunk_holes_fill(const chunk_holes *holes, uint8_t *jfr, uint64_t size, uint64_t covered_bytes,
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

// find_metadata finds the first metadata event of a chunk.
static bool
find_metadata(lp_slice jfr, jfr_event *out_event)
{
    if (jfr.len < JFR_CHUNK_HEADER_SIZE) {
        return false;
    }
    jfr_cursor rest = {jfr.ptr + JFR_CHUNK_HEADER_SIZE, jfr.ptr + jfr.len};
    while (jfr_event_next(&rest, out_event) == LP_OK) {
        if (out_event->type_id == JFR_TYPE_ID_METADATA) {
            return true;
        }
    }
    return false;
}

// is_filler returns whether an event is what fill writes: no JVM begins a checkpoint at the time 0.
static bool
is_filler(const jfr_event *event)
{
    return event->type_id == JFR_TYPE_ID_CHECKPOINT && jfr_cursor_left(&event->payload) > 0 &&
           *event->payload.at == 0;
}

bool
chunk_holes_lend_metadata(lp_slice from, uint8_t *jfr, uint64_t size)
{
    jfr_event lent;
    jfr_event event;
    const lp_slice to = {jfr, (size_t)size};
    if (!find_metadata(from, &lent) || find_metadata(to, &event)) {
        return false;
    }
    jfr_cursor rest = {jfr + JFR_CHUNK_HEADER_SIZE, jfr + size};
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
