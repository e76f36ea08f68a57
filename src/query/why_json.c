// SPDX-License-Identifier: Apache-2.0
#include "query/why_json.h"

#include "common/base/lp_printable.h"

#include <stdio.h>

void
query_why_slice_name(
    const query_why_slice *slice, const query_names *names, char out_name[QUERY_WHY_NAME_BYTES])
{
    char type[QUERY_WHY_NAME_BYTES - sizeof("other: ")];
    bool is_other = slice->category == TIME_OTHER;
    (void)lp_printable(is_other ? query_names_text(names, slice->type) : "", type, sizeof(type));
    (void)snprintf(out_name, QUERY_WHY_NAME_BYTES, "%s%s%s", time_category_name(slice->category),
        is_other ? ": " : "", type);
}

static json_t *
frame_json(const query_why_frame *frame, const query_names *names)
{
    return json_pack("{s:s, s:I, s:I}", "frame", query_names_text(names, frame->frame), "total_ns",
        (json_int_t)frame->total_ns, "events", (json_int_t)frame->events);
}

static json_t *
slice_json(
    const query_why *why, const char *name, const query_why_slice *slice, const query_names *names)
{
    json_t *top = json_array();
    for (size_t i = 0; i < slice->top_count; i++) {
        (void)json_array_append_new(top, frame_json(&slice->top[i], names));
    }
    if (json_array_size(top) != slice->top_count) {
        json_decref(top);
        return NULL;
    }
    int64_t each_ns = why->requests == 0 ? 0 : slice->total_ns / (int64_t)why->requests;
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "category", name, "total_ns",
        (json_int_t)slice->total_ns, "stopped_ns", (json_int_t)slice->stopped_ns, "per_request_ns",
        (json_int_t)each_ns, "events", (json_int_t)slice->events, "top", top);
}

json_t *
query_why_json(const query_why *why, const query_names *names, const query_outcome *outcome)
{
    json_t *slices = json_array();
    const query_why_slice rest = {.total_ns = why->unaccounted_ns};
    for (size_t i = 0; i < why->slices.count; i++) {
        char name[QUERY_WHY_NAME_BYTES];
        query_why_slice_name(&why->slices.items[i], names, name);
        (void)json_array_append_new(slices, slice_json(why, name, &why->slices.items[i], names));
    }
    (void)json_array_append_new(slices, slice_json(why, "unaccounted", &rest, names));
    if (json_array_size(slices) != why->slices.count + 1) {
        json_decref(slices);
        return NULL;
    }
    return json_pack("{s:I, s:I, s:o, s:b}", "requests", (json_int_t)why->requests, "total_ns",
        (json_int_t)why->total_ns, "slices", slices, "is_truncated",
        outcome->is_truncated || why->is_truncated);
}
