// SPDX-License-Identifier: Apache-2.0
// jfr_event: where the events of a chunk begin and end.
//
// Behind the header of a chunk lies one event after the other, metadata and checkpoints among them:
//
//   size     varint, of the whole event, itself included; JVMs write 1 byte, or 4 padded ones
//   type id  varint
//   payload  what the metadata says about the type
//
// Threads: any thread.

#ifndef LP_COMMON_JFR_JFR_EVENT_H
#define LP_COMMON_JFR_JFR_EVENT_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_varint.h"

typedef struct jfr_event {
    const uint8_t *begin;
    uint64_t size; // in bytes, from begin
    uint64_t type_id;
    jfr_cursor payload;
} jfr_event;

// jfr_event_next takes the next event off rest, which is what is left of a chunk.
//
//   while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
//       ...
//   }
//   if (err != LP_EEND) {
//       err = jfr_event_problem(chunk, &rest, out_problem);
//   }
//
// Errors: LP_EEND     no more events
//         LP_ECORRUPT not an event that fits into rest, which stays where it is
LP_MUST_USE static inline lp_err
jfr_event_next(jfr_cursor *rest, jfr_event *out_event)
{
    if (rest->at == rest->end) {
        return LP_EEND;
    }
    jfr_cursor cursor = *rest;
    uint64_t size;
    uint64_t type_id;
    if (!jfr_varint_read(&cursor, &size) || size > jfr_cursor_left(rest) ||
        size <= (uint64_t)(cursor.at - rest->at)) {
        return LP_ECORRUPT;
    }
    cursor.end = rest->at + size;
    if (!jfr_varint_read(&cursor, &type_id)) {
        return LP_ECORRUPT;
    }
    *out_event = (jfr_event){
        .begin = rest->at,
        .size = size,
        .type_id = type_id,
        .payload = cursor,
    };
    rest->at = cursor.end;
    return LP_OK;
}

// jfr_event_problem says why jfr_event_next called what is at rest LP_ECORRUPT. The offset is
// counted from the chunk's begin. Returns LP_ECORRUPT.
lp_err jfr_event_problem(lp_slice chunk, const jfr_cursor *rest, lp_problem *out_problem);

// jfr_event_append writes a whole event.
void jfr_event_append(lp_buf *buf, uint64_t type_id, lp_slice payload);

static inline lp_slice
jfr_event_payload(const jfr_event *event)
{
    return (lp_slice){event->payload.at, jfr_cursor_left(&event->payload)};
}

#endif // LP_COMMON_JFR_JFR_EVENT_H
