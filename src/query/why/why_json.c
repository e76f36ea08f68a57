// SPDX-License-Identifier: Apache-2.0
#include "query/why/why_json.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_printable.h"
#include "query/select/json_list.h"

#include <stdio.h>

// write_name writes the name of a category; for TIME_OTHER the prefix `other` and text.
static void
write_name(time_category category, const char *other, const char *text,
    char out_name[QUERY_WHY_NAME_BYTES])
{
    char type[QUERY_WHY_NAME_BYTES - sizeof("other: ")];
    bool is_other = category == TIME_OTHER;
    (void)lp_printable(is_other ? text : "", type, sizeof(type));
    (void)snprintf(out_name, QUERY_WHY_NAME_BYTES, "%s%s",
        is_other ? other : time_category_name(category), type);
}

void
query_why_slice_name(
    const query_why_slice *slice, const query_names *names, char out_name[QUERY_WHY_NAME_BYTES])
{
    LP_ASSERT(slice->category < TIME_CATEGORY_COUNT);
    write_name(slice->category,
        slice->is_count ? "" : "other: ", query_names_text(names, slice->type), out_name);
}

void
query_why_repeat_name(
    const query_why_repeat *repeat, const query_names *names, char out_name[QUERY_WHY_NAME_BYTES])
{
    LP_ASSERT(repeat->category < TIME_CATEGORY_COUNT);
    write_name(repeat->category, "other: ", query_names_text(names, repeat->type), out_name);
}

int64_t
query_why_repeat_each_ns(const query_why_repeat *repeat)
{
    LP_ASSERT(repeat->events > 0);
    return (int64_t)((uint64_t)repeat->total_ns / repeat->events);
}

static json_t *
name_or_null_json(uint32_t name, const query_names *names)
{
    return name == QUERY_NAME_NONE ? json_null() : json_string(query_names_text(names, name));
}

static json_t *
frame_json(const query_why_frame *frame, const query_names *names)
{
    return json_pack("{s:s, s:o, s:I, s:I}", "frame", query_names_text(names, frame->frame), "via",
        name_or_null_json(frame->via, names), "total_ns", (json_int_t)frame->total_ns, "events",
        (json_int_t)frame->events);
}

static json_t *
repeat_json(const query_why_repeat *repeat, const query_names *names)
{
    LP_ASSERT(repeat->requests > 0);
    char name[QUERY_WHY_NAME_BYTES];
    query_why_repeat_name(repeat, names, name);
    return json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I}", "category", name, "frame",
        query_names_text(names, repeat->frame), "via", name_or_null_json(repeat->via, names),
        "requests", (json_int_t)repeat->requests, "events", (json_int_t)repeat->events,
        "per_request", (json_int_t)(repeat->events / repeat->requests), "total_ns",
        (json_int_t)repeat->total_ns, "each_ns", (json_int_t)query_why_repeat_each_ns(repeat));
}

static json_t *
slice_json(
    const query_why *why, const char *name, const query_why_slice *slice, const query_names *names)
{
    LP_ASSERT(slice->top_count <= QUERY_WHY_TOP);
    json_t *top = QUERY_JSON_LIST(frame, slice->top, slice->top_count, frame_json(frame, names));
    int64_t each_ns = why->requests == 0 ? 0 : slice->total_ns / (int64_t)why->requests;
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:b, s:o}", "category", name, "total_ns",
        (json_int_t)slice->total_ns, "stopped_ns", (json_int_t)slice->stopped_ns, "per_request_ns",
        (json_int_t)each_ns, "events", (json_int_t)slice->events, "is_count", slice->is_count,
        "top", top);
}

json_t *
query_why_json(const query_why *why, const query_names *names, const query_outcome *outcome)
{
    LP_ASSERT(why->repeat_count <= QUERY_WHY_REPEATS);
    json_t *slices = json_array();
    size_t count = why->slices.count + (why->filter != NULL) + 1;
    const query_why_slice rest = {.total_ns = why->unaccounted_ns};
    for (size_t i = 0; i < why->slices.count; i++) {
        char name[QUERY_WHY_NAME_BYTES];
        query_why_slice_name(&why->slices.items[i], names, name);
        (void)json_array_append_new(slices, slice_json(why, name, &why->slices.items[i], names));
    }
    if (why->filter != NULL) {
        const query_why_slice other = {.total_ns = why->other_ns, .events = why->other_events};
        (void)json_array_append_new(slices, slice_json(why, "other_frames", &other, names));
    }
    (void)json_array_append_new(slices, slice_json(why, "unaccounted", &rest, names));
    return json_pack("{s:I, s:I, s:o, s:o, s:b}", "requests", (json_int_t)why->requests, "total_ns",
        (json_int_t)why->total_ns, "slices", query_json_whole(slices, count), "repeated",
        QUERY_JSON_LIST(repeat, why->repeats, why->repeat_count, repeat_json(repeat, names)),
        "is_truncated", outcome->is_truncated || why->is_truncated);
}
