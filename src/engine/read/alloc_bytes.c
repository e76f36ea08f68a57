// SPDX-License-Identifier: Apache-2.0
#include "engine/read/alloc_bytes.h"

#include "common/base/lp_assert.h"

uint64_t
compact_alloc_bytes(const compact_view *view, uint32_t offset)
{
    compact_event event = compact_view_event(view, offset);
    uint64_t bytes;
    LP_ASSERT(view->schema->plans[event.type].is_allocation);
    bool is_whole = jfr_layout_walk(&view->schema->layout,
                        view->schema->plans[event.type].before_bytes, &event.payload) &&
                    jfr_varint_read(&event.payload, &bytes);
    LP_ASSERT(is_whole); // it fits its type
    return bytes > INT64_MAX ? INT64_MAX : bytes;
}
