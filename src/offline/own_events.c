// SPDX-License-Identifier: Apache-2.0
#include "offline/own_events.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"

#include <string.h>

static bool
is_field(const jfr_metadata *metadata, const jfr_field *field, const own_events_field *expected)
{
    return field->type != JFR_NONE && !field->is_constant && !field->is_array &&
           strcmp(jfr_metadata_text(metadata, field->name), expected->name) == 0 &&
           strcmp(jfr_metadata_text(metadata, metadata->types.items[field->type].name),
               expected->type) == 0;
}

// is_own returns whether a type is one that Loupe describes.
static bool
is_own(const jfr_metadata *metadata, const jfr_type *type, const own_events_type *own)
{
    if (!type->is_event || type->field_count < own->field_count ||
        strcmp(jfr_metadata_text(metadata, type->name), own->name) != 0) {
        return false;
    }
    for (size_t i = 0; i < own->field_count; i++) {
        const jfr_field *field = &metadata->fields.items[type->field_begin + i];
        if (!is_field(metadata, field, &own->fields[i])) {
            return false;
        }
    }
    return true;
}

bool
own_events_are_in(const jfr_metadata *metadata, const own_events_type *type)
{
    for (size_t i = 0; i < metadata->types.count; i++) {
        if (is_own(metadata, &metadata->types.items[i], type)) {
            return true;
        }
    }
    return false;
}

lp_err
own_events_each(const jfr_metadata *metadata, const own_events_type *type, lp_slice chunk,
    lp_err (*on_event)(void *arg, jfr_cursor payload), void *arg, lp_problem *out_problem)
{
    LP_ASSERT(chunk.len >= JFR_CHUNK_HEADER_SIZE);
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    lp_err err;
    while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
        uint32_t found = event.type_id <= JFR_TYPE_ID_CHECKPOINT
                             ? JFR_NONE
                             : jfr_metadata_find_type(metadata, event.type_id);
        if (found == JFR_NONE || !is_own(metadata, &metadata->types.items[found], type)) {
            continue;
        }
        err = on_event(arg, event.payload);
        if (err == LP_ECORRUPT) {
            return lp_problem_at(out_problem, err, (uint64_t)(event.begin - chunk.ptr),
                "an event %s that cannot be read", type->name);
        }
        if (err != LP_OK) {
            return err;
        }
    }
    return err == LP_EEND ? LP_OK : jfr_event_problem(chunk, &rest, out_problem);
}
