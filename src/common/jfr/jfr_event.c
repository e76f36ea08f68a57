// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_event.h"

lp_err
jfr_event_find_any(const jfr_cursor *rest, jfr_event *out_event)
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
    return LP_OK;
}

lp_err
jfr_event_problem(lp_slice chunk, const jfr_cursor *rest, lp_problem *out_problem)
{
    uint64_t offset = (uint64_t)(rest->at - chunk.ptr);
    uint64_t left = jfr_cursor_left(rest);
    jfr_cursor cursor = *rest;
    uint64_t size;
    if (!jfr_varint_read(&cursor, &size)) {
        return lp_problem_at(out_problem, LP_ECORRUPT, offset, "an event's size is cut short");
    }
    if (size > left || size <= (uint64_t)(cursor.at - rest->at)) {
        return lp_problem_at(out_problem, LP_ECORRUPT, offset,
            "an event of %llu bytes, with %llu left in the chunk", (unsigned long long)size,
            (unsigned long long)left);
    }
    return lp_problem_at(out_problem, LP_ECORRUPT, offset, "an event without a type");
}

void
jfr_event_append(lp_buf *buf, uint64_t type_id, lp_slice payload)
{
    size_t rest = jfr_varint_size(type_id) + payload.len;
    size_t size = rest + 1;
    while (rest + jfr_varint_size(size) != size) {
        size = rest + jfr_varint_size(size);
    }
    jfr_varint_append(buf, size);
    jfr_varint_append(buf, type_id);
    lp_buf_append(buf, payload.ptr, payload.len);
}
