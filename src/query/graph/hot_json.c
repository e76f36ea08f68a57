// SPDX-License-Identifier: Apache-2.0
#include "query/graph/hot_json.h"

#include "query/select/json_parts.h"

static json_t *
frame_json(const query_hot_frame *frame, const query_names *names)
{
    return json_pack("{s:s, s:I, s:I, s:I}", "frame", query_names_text(names, frame->name), "own",
        (json_int_t)frame->own.value, "events", (json_int_t)frame->own.events, "total",
        (json_int_t)frame->total_value);
}

json_t *
query_hot_json(
    const query_hot *hot, const query_profile *profile, size_t limit, const query_outcome *outcome)
{
    json_t *frames = json_array();
    size_t count = hot->frames.count < limit ? hot->frames.count : limit;
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(frames, frame_json(&hot->frames.items[i], profile->names));
    }
    frames = query_json_whole(frames, count);
    if (frames == NULL) {
        return NULL;
    }
    return json_pack("{s:s, s:s, s:I, s:I, s:o, s:I, s:b}", "of",
        query_measure_name(profile->measure), "unit", query_measure_unit(profile->measure),
        "requests", (json_int_t)profile->totals[0].requests, "total",
        (json_int_t)profile->totals[0].value, "frames", frames, "frame_count",
        (json_int_t)hot->frames.count, "is_truncated",
        outcome->is_truncated || profile->is_truncated);
}
