// SPDX-License-Identifier: Apache-2.0
#include "engine/read/withheld.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_varint.h"

// Limit for a type in a chunk. A JVM that commits an event each nanosecond reaches it in 18
// minutes; sums over millions of chunks stay below the catalog's 2^63.
static const uint64_t COUNT_MAX = (uint64_t)1 << 40;

static bool
read_number(
    const compact_schema *schema, jfr_program before, jfr_cursor payload, uint64_t *out_number)
{
    return jfr_layout_walk(&schema->layout, before, &payload) &&
           jfr_varint_read(&payload, out_number);
}

bool
compact_withheld_take(compact_view *view, uint32_t type, const jfr_event *event)
{
    LP_ASSERT(view->schema->plans[type].is_withheld);
    const compact_schema *schema = view->schema;
    const compact_plan *plan = &schema->plans[type];
    uint64_t id;
    uint64_t count;
    if (!read_number(schema, plan->before_type, event->payload, &id) ||
        !read_number(schema, plan->before_count, event->payload, &count)) {
        return false;
    }
    LP_ASSERT(view->amounts[type].events > 0); // index_event has counted it
    uint32_t named = jfr_metadata_find_type(&schema->metadata, id);
    if (named == JFR_NONE || schema->plans[named].rule == COMPACT_RULE_NONE ||
        count > COUNT_MAX - view->dropped[named].by[COMPACT_BY_WITHHELD]) {
        return false;
    }
    view->amounts[type].events--;
    view->amounts[type].bytes -= event->size;
    view->amounts[named].events += count;
    view->dropped[named].by[COMPACT_BY_WITHHELD] += count;
    return true;
}
