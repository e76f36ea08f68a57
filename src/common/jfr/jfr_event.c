// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_event.h"

#include <string.h>

lp_err
jfr_event_find_any(const jfr_cursor *rest, jfr_event *out_event)
{
    LP_REQUIRE(rest->at != rest->end, LP_EEND);
    jfr_cursor cursor = *rest;
    uint64_t size;
    uint64_t type_id;
    if (!jfr_varint_read(&cursor, &size) || size > jfr_cursor_left(rest) ||
        size <= (uint64_t)(cursor.at - rest->at)) {
        return LP_ECORRUPT;
    }
    cursor.end = rest->at + size;
    LP_REQUIRE(jfr_varint_read(&cursor, &type_id), LP_ECORRUPT);
    *out_event = (jfr_event){
        .begin = rest->at,
        .size = size,
        .type_id = type_id,
        .payload = cursor,
    };
    return LP_OK;
}

lp_err
jfr_event_problem(lp_slice chunk, const jfr_cursor *rest, lp_problem *out_problem)
{
    uint64_t offset = (uint64_t)(rest->at - chunk.ptr);
    uint64_t left = jfr_cursor_left(rest);
    jfr_cursor cursor = *rest;
    uint64_t size;
    LP_REQUIRE(jfr_varint_read(&cursor, &size),
        lp_problem_at(out_problem, LP_ECORRUPT, offset, "an event's size is cut short"));
    if (size > left || size <= (uint64_t)(cursor.at - rest->at)) {
        return lp_problem_at(out_problem, LP_ECORRUPT, offset,
            "an event of %llu bytes, with %llu left in the chunk", (unsigned long long)size,
            (unsigned long long)left);
    }
    return lp_problem_at(out_problem, LP_ECORRUPT, offset, "an event without a type");
}

// size_of returns the size of an event in front of whose payload lies its type id.
static uint64_t
size_of(uint64_t type_id, uint64_t payload_bytes)
{
    uint64_t rest = jfr_varint_size(type_id) + payload_bytes;
    uint64_t size = rest + 1;
    if (size < 0x80) { // most of them
        return size;
    }
    while (rest + jfr_varint_size(size) != size) {
        size = rest + jfr_varint_size(size);
    }
    return size;
}

enum { HEAD_BYTES_MAX = 2 * JFR_VARINT_BYTES_MAX };

// encode_head writes the bytes before a payload and returns their number.
static size_t
encode_head(uint64_t type_id, uint64_t payload_bytes, uint8_t out[HEAD_BYTES_MAX])
{
    uint64_t size = size_of(type_id, payload_bytes);
    out[0] = (uint8_t)size;
    size_t at = size < 0x80 ? 1 : jfr_varint_encode_short(size, out);
    return at + jfr_varint_encode_short(type_id, out + at);
}

jfr_event_open
jfr_event_begin(lp_buf *buf, uint64_t type_id, uint64_t likely_bytes)
{
    size_t begin = buf->len;
    uint64_t size = size_of(type_id, likely_bytes);
    (void)lp_buf_extend(buf, jfr_varint_size(size) + jfr_varint_size(type_id));
    return (jfr_event_open){.type_id = type_id, .begin = begin, .payload_begin = buf->len};
}

void
jfr_event_end(lp_buf *buf, jfr_event_open event)
{
    if (buf->is_failed) {
        return;
    }
    uint8_t head[HEAD_BYTES_MAX];
    size_t payload_bytes = buf->len - event.payload_begin;
    size_t head_bytes = encode_head(event.type_id, payload_bytes + event.bytes_elsewhere, head);
    size_t payload_begin = event.begin + head_bytes;
    if (payload_begin > event.payload_begin &&
        lp_buf_extend(buf, payload_begin - event.payload_begin) == NULL) {
        return;
    }
    if (payload_begin != event.payload_begin) {
        memmove(buf->ptr + payload_begin, buf->ptr + event.payload_begin, payload_bytes);
    }
    memcpy(buf->ptr + event.begin, head, head_bytes);
    buf->len = payload_begin + payload_bytes;
}

void
jfr_event_append(lp_buf *buf, uint64_t type_id, lp_slice payload)
{
    uint8_t head[HEAD_BYTES_MAX];
    size_t head_bytes = encode_head(type_id, payload.len, head);
    uint8_t *out = lp_buf_extend(buf, head_bytes + payload.len);
    if (out == NULL) {
        return;
    }
    memcpy(out, head, head_bytes);
    if (payload.len > 0) {
        memcpy(out + head_bytes, payload.ptr, payload.len);
    }
}
