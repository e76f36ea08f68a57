// SPDX-License-Identifier: Apache-2.0
// also_scan: reads the raw events of a chunk that may be added (also.h).
//
// Tests: tests/unit/engine/job/also/test_also.c, tests/prop/test_also_prop.c

#include "common/jfr/jfr_varint.h"
#include "engine/job/also/also.h"
#include "engine/read/threads.h"
#include "engine/read/view.h"

compact_also_scan
compact_also_scan_begin(const compact_view *view)
{
    compact_view_check(view);
    return (compact_also_scan){.view = view,
        .rest = {view->chunk.ptr + JFR_CHUNK_HEADER_SIZE, view->chunk.ptr + view->chunk.len}};
}

// read_times reads begin and commit. cursor ends behind them.
static bool
read_times(
    const compact_view *view, const compact_plan *plan, jfr_cursor *cursor, compact_also_event *out)
{
    uint64_t begin = (uint64_t)view->info.start_ticks;
    uint64_t duration = 0;
    bool is_whole = (!plan->has_time || jfr_varint_read(cursor, &begin)) &&
                    (!plan->has_duration || jfr_varint_read(cursor, &duration));
    out->begin = (int64_t)begin;
    out->commit = (int64_t)(begin + duration); // wraps for absurd input
    return is_whole;
}

static bool
read_thread(
    const compact_view *view, const compact_plan *plan, jfr_cursor cursor, compact_also_event *out)
{
    uint64_t key;
    out->thread = COMPACT_NO_THREAD;
    LP_REQUIRE(plan->thread_field != COMPACT_THREAD_NONE, true);
    LP_REQUIRE(jfr_layout_walk(&view->schema->layout, plan->before_thread, &cursor) &&
                   jfr_varint_read(&cursor, &key),
        false);
    uint32_t thread = compact_threads_find(view, key);
    out->thread = thread == LP_MAP_NONE ? (uint32_t)COMPACT_NO_THREAD : thread;
    return true;
}

static bool
read_event(const compact_view *view, const jfr_event *event, compact_also_event *out)
{
    const compact_schema *schema = view->schema;
    LP_REQUIRE(event->type_id > JFR_TYPE_ID_CHECKPOINT, false);
    out->type = jfr_metadata_find_type(&schema->metadata, event->type_id);
    LP_REQUIRE(out->type != JFR_NONE, false);
    const compact_plan *plan = &schema->plans[out->type];
    LP_REQUIRE(plan->rule != COMPACT_RULE_NONE && !plan->is_withheld, false);
    jfr_cursor whole = event->payload;
    LP_REQUIRE(jfr_layout_walk(&schema->layout, plan->whole, &whole), false);
    out->offset = (uint32_t)(event->begin - view->chunk.ptr);
    out->payload = event->payload;
    jfr_cursor cursor = event->payload;
    return read_times(view, plan, &cursor, out) && read_thread(view, plan, cursor, out);
}

bool
compact_also_scan_next(compact_also_scan *scan, compact_also_event *out_event)
{
    jfr_event event;
    while (jfr_event_next(&scan->rest, &event) == LP_OK) {
        if (read_event(scan->view, &event, out_event)) {
            return true;
        }
    }
    return false;
}
