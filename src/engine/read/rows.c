// SPDX-License-Identifier: Apache-2.0
#include "engine/read/rows.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"

compact_event
compact_view_event(const compact_view *view, uint32_t offset)
{
    jfr_cursor cursor = {view->chunk.ptr + offset, view->chunk.ptr + view->chunk.len};
    jfr_event event;
    bool is_whole = jfr_event_next(&cursor, &event) == LP_OK;
    LP_ASSERT(is_whole); // it was when the row was made
    return (compact_event){
        .bytes = {event.begin, (size_t)event.size},
        .type = jfr_metadata_find_type(&view->schema->metadata, event.type_id),
        .payload = event.payload,
    };
}

bool
compact_view_fits(const compact_view *view, uint32_t offset)
{
    compact_event event = compact_view_event(view, offset);
    const jfr_layout *layout = &view->schema->layout;
    return jfr_layout_walk(layout, layout->types.items[event.type], &event.payload);
}
