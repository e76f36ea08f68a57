// SPDX-License-Identifier: Apache-2.0
// Events of types that are known: the input lies between the metadata of jfr_sample and a
// checkpoint, and goes through the pass that makes rows of events. What it does not note as damaged
// are events, one behind the other.

#include "fuzz.h"
#include "support/be64.h"
#include "support/jfr_sample.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "engine/read/view.h"
#include "offline/event_tally.h"

#include <stdlib.h>
#include <string.h>

// A chunk without events: header and metadata, then a checkpoint.
static jfr_build build;
static size_t middle;          // where events go
static compact_schema *schema; // of the first input: all have the same

static void
make_chunk(void)
{
    jfr_sample_begin(&build, 10);
    middle = build.bytes.len;
    for (uint64_t key = 1; key <= 2; key++) {
        jfr_sample_thread(&build, key, (int64_t)key);
        jfr_sample_stack(&build, key);
    }
    jfr_build_checkpoint(&build);
}

// with_events returns a chunk with the events. The caller frees it.
static lp_slice
with_events(const uint8_t *events, size_t count)
{
    size_t rest = build.bytes.len - middle;
    size_t size = build.bytes.len + count;
    uint8_t *chunk = malloc(size);
    LP_ASSERT(chunk != NULL);
    (void)jfr_build_finish(&build);
    memcpy(chunk, build.bytes.ptr, middle);
    memcpy(chunk + middle, events, count);
    memcpy(chunk + middle + count, build.bytes.ptr + middle, rest);
    be64_put(chunk + 8, size);
    be64_put(chunk + 16, middle + count);
    return (lp_slice){chunk, size};
}

// check_row: rows ascend, and each is an event.
static uint32_t
check_row(const compact_view *view, uint32_t offset, uint32_t before)
{
    compact_event event = compact_view_event(view, offset);
    LP_ASSERT(offset > before && event.type < view->schema->metadata.types.count);
    LP_ASSERT(event.bytes.len <= view->chunk.len - offset);
    return offset;
}

static void
check_view(const compact_view *view)
{
    uint32_t before = 0;
    uint64_t events = 0;
    for (size_t i = 0; i < view->plain.count; i++) {
        before = check_row(view, view->plain.items[i].offset, before);
    }
    before = 0;
    for (size_t i = 0; i < view->spans.count; i++) {
        before = check_row(view, view->spans.items[i].offset, before);
    }
    for (size_t i = 0; i < view->schema->metadata.types.count; i++) {
        events += view->amounts[i].events;
    }
    LP_ASSERT(view->plain.count + view->spans.count <= events);
    LP_ASSERT(view->damage.skipped_bytes == 0 || view->damage.place_count > 0);
    LP_ASSERT(view->begin_min <= view->info.start_ticks);
    LP_ASSERT(view->commit_max >= view->info.start_ticks);
}

static void
check_tally(const compact_view *view, lp_slice chunk)
{
    event_tally tally;
    lp_problem problem;
    LP_ASSERT(event_tally_init(&tally) == LP_OK);
    lp_err err = event_tally_add(&tally, &view->info, chunk, &problem);
    LP_ASSERT(err == LP_OK || (err == LP_ECORRUPT && view->damage.place_count > 0));
    event_tally_finish(&tally);
    event_tally_fini(&tally);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (build.bytes.len == 0) {
        make_chunk();
    }
    lp_slice chunk = with_events(bytes, count);
    compact_view view;
    lp_problem problem;
    LP_ASSERT(compact_view_open(&view, chunk, NULL, false, schema, &problem) == LP_OK);
    if (schema == NULL) {
        schema = compact_schema_hold(view.schema);
    }
    check_view(&view);
    if (count > 0 && bytes[0] % 8 == 0) { // it is slow to set up
        check_tally(&view, chunk);
    }
    compact_view_close(&view);
    free((void *)(uintptr_t)chunk.ptr);
    return 0;
}
