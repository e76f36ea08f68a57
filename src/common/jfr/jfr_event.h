// SPDX-License-Identifier: Apache-2.0
// jfr_event: iterates over the events of a chunk.
//
// Events, with metadata and checkpoints among them, follow the header of a chunk without gaps:
//
//   size     varint, of the whole event with this field; JVMs write 1 byte, or 4 padded ones
//   type id  varint
//   payload  as the metadata describes the type
//
// Threads: any thread.

#pragma once

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_varint.h"

typedef struct jfr_event {
    const uint8_t *begin;
    uint64_t size; // in bytes, from begin
    uint64_t type_id;
    jfr_cursor payload;
} jfr_event;

// jfr_event_find_any reads the next event of rest, with a size and a type id of any width, even
// near the end of the bytes. It does not move rest. Errors: as jfr_event_next
LP_MUST_USE lp_err jfr_event_find_any(const jfr_cursor *rest, jfr_event *out_event);

// jfr_event_next_any does the same and moves rest. It passes copies, so that the caller's values
// may stay in registers.
LP_MUST_USE static inline lp_err
jfr_event_next_any(jfr_cursor *rest, jfr_event *out_event)
{
    const jfr_cursor from = *rest;
    jfr_event event;
    lp_err err = jfr_event_find_any(&from, &event);
    if (err == LP_OK) {
        *out_event = event;
        rest->at = event.payload.end;
    }
    return err;
}

// jfr_event_next returns the next event of rest, the unread part of a chunk.
//
//   while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
//       ...
//   }
//   if (err != LP_EEND) {
//       err = jfr_event_problem(chunk, &rest, out_problem);
//   }
//
// Errors: LP_EEND     no more events
//         LP_ECORRUPT not an event that fits into rest, which is unchanged
// Cost:   for events of a JVM, one load and a branch on the width of the size
LP_MUST_USE static inline __attribute__((always_inline)) lp_err
jfr_event_next(jfr_cursor *rest, jfr_event *out_event)
{
    const uint8_t *at = rest->at;
    uint64_t left = jfr_cursor_left(rest);
    if (left < sizeof(uint64_t)) {
        return jfr_event_next_any(rest, out_event);
    }
    uint64_t word = jfr_varint_word(at); // all of the size, and three bytes of the type id
    uint64_t size = word & 0x7f;
    uint64_t id = word >> 8;
    uint64_t head_size = 2;
    if ((word & 0x80) != 0) {
        if ((word & 0x80808080u) != 0x00808080u) {
            return jfr_event_next_any(rest, out_event);
        }
        size |= (word >> 1 & 0x3f80) | (word >> 2 & 0x1fc000) | (word >> 3 & 0xfe00000);
        id = word >> 32;
        head_size = 5;
    }
    // No branch between one byte and two: types of both alternate. Three are for event classes that
    // were loaded after 16,000 others.
    uint64_t has_second = id >> 7 & 1;
    uint64_t type_id = (id & 0x7f) | (id >> 1 & 0x3f80 & (0 - has_second));
    head_size += has_second;
    if ((id & 0x8080) == 0x8080) {
        if ((id & 0x800000) != 0) {
            return jfr_event_next_any(rest, out_event);
        }
        type_id |= id >> 2 & 0x1fc000;
        head_size++;
    }
    if (size > left || size < head_size) {
        return jfr_event_next_any(rest, out_event);
    }
    *out_event = (jfr_event){
        .begin = at,
        .size = size,
        .type_id = type_id,
        .payload = {at + head_size, at + size},
    };
    rest->at = at + size;
    return LP_OK;
}

// jfr_event_size returns the size of the event at `at`, which jfr_event_next has found before end.
static inline uint64_t
jfr_event_size(const uint8_t *at, const uint8_t *end)
{
    uint64_t size = *at;
    jfr_cursor cursor = {at, end};
    bool is_whole = size < 0x80 || jfr_varint_read(&cursor, &size);
    LP_DEBUG_ASSERT(is_whole);
    (void)is_whole;
    return size;
}

// jfr_event_problem describes the LP_ECORRUPT that jfr_event_next returned for rest. The offset is
// from the begin of chunk. Returns LP_ECORRUPT.
lp_err jfr_event_problem(lp_slice chunk, const jfr_cursor *rest, lp_problem *out_problem);

// An event that is being written.
typedef struct jfr_event_open {
    uint64_t type_id;
    size_t begin; // in the buffer
    size_t payload_begin;
    size_t bytes_elsewhere; // of the payload, not in the buffer; 0 unless the caller sets it
} jfr_event_open;

// jfr_event_begin begins an event. The caller appends its payload, of about likely_bytes, and calls
// jfr_event_end. Cost: a payload of a very different size is moved
jfr_event_open jfr_event_begin(lp_buf *buf, uint64_t type_id, uint64_t likely_bytes);
void jfr_event_end(lp_buf *buf, jfr_event_open event);

// jfr_event_append writes a whole event.
void jfr_event_append(lp_buf *buf, uint64_t type_id, lp_slice payload);

static inline lp_slice
jfr_event_payload(const jfr_event *event)
{
    return (lp_slice){event->payload.at, jfr_cursor_left(&event->payload)};
}
