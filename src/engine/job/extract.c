// SPDX-License-Identifier: Apache-2.0
#include "engine/job/extract.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_varint.h"
#include "engine/job/chunk_times.h"
#include "engine/job/frame_open.h"
#include "engine/job/tally.h"

static const compact_options NO_OPTIONS = {0};

static void
count_events(compact_view *view)
{
    jfr_cursor rest = {view->chunk.ptr + JFR_CHUNK_HEADER_SIZE, view->chunk.ptr + view->chunk.len};
    jfr_event event;
    while (jfr_event_next(&rest, &event) == LP_OK) {
        uint32_t type = event.type_id <= JFR_TYPE_ID_CHECKPOINT
                            ? (uint32_t)JFR_NONE
                            : jfr_metadata_find_type(&view->schema->metadata, event.type_id);
        if (type != JFR_NONE && view->schema->plans[type].rule != COMPACT_RULE_NONE) {
            view->amounts[type].events++;
            view->amounts[type].bytes += event.size;
        }
    }
}

static void
choose(compact_view *view, uint32_t offset)
{
    const compact_event event = compact_view_event(view, offset);
    LP_ASSERT(event.type != JFR_NONE); // the caller found it by the chunk's metadata
    const compact_plan *plan = &view->schema->plans[event.type];
    jfr_cursor cursor = event.payload;
    uint64_t begin = (uint64_t)view->info.start_ticks;
    uint64_t duration = 0;
    if (plan->has_time && jfr_varint_read(&cursor, &begin) && plan->has_duration) {
        (void)jfr_varint_read(&cursor, &duration); // writing reports a missing one
    }
    int64_t commit = (int64_t)(begin + duration); // wraps where the input is absurd
    int64_t first = (int64_t)begin < commit ? (int64_t)begin : commit;
    view->begin_min = first < view->begin_min ? first : view->begin_min;
    if (plan->rule == COMPACT_RULE_CONTEXTUAL) {
        LP_ARENA_PUSH_BESIDE(&view->arena, &view->kept_spans,
            ((compact_span){.begin = first,
                .commit = commit,
                .offset = offset,
                .thread = COMPACT_NO_THREAD,
                .fate = COMPACT_KEPT_BY_CONTEXT}));
    } else {
        LP_ARENA_PUSH_BESIDE(&view->arena, &view->plain,
            ((compact_plain){.commit = commit,
                .offset = offset,
                .thread = COMPACT_NO_THREAD,
                .fate = COMPACT_KEPT_BY_CONTEXT}));
    }
}

static lp_err
choose_all(const compact_excerpt *excerpt)
{
    compact_view *view = excerpt->view;
    compact_view_make_tables(view);
    LP_REQUIRE(!view->arena.is_failed, LP_ENOMEM);
    count_events(view);
    view->begin_min = view->info.start_ticks;
    for (size_t i = 0; i < excerpt->count; i++) {
        LP_ASSERT(i == 0 || excerpt->offsets[i] > excerpt->offsets[i - 1]);
        choose(view, excerpt->offsets[i]);
    }
    return lp_arena_err(&view->arena);
}

static void
find_times(const compact_extracts *session, const compact_excerpt *excerpt, compact_frame *frame)
{
    const compact_carry before = {
        .clock = session->clock,
        .start_wall_ns = session->has_some ? session->start_wall_ns : INT64_MIN,
    };
    frame->carry = &before;
    compact_frame_find_clock(frame);
    frame->is_first = !session->has_some;
    frame->carry = NULL;
    if (excerpt->next != NULL) {
        compact_frame_meet_next(frame, excerpt->next);
    }
}

lp_err
compact_extract(compact_extracts *session, const compact_excerpt *excerpt,
    compact_result *out_result, lp_problem *out_problem)
{
    compact_view *view = excerpt->view;
    LP_ASSERT(view->plain.count == 0 && view->kept_spans.count == 0 && view->amounts == NULL);
    compact_contexts none;
    compact_contexts_init(&none, &view->arena);
    compact_frame frame = {
        .source = excerpt->source,
        .options = &NO_OPTIONS,
        .view = view,
        .contexts = &none,
        .window = {INT64_MIN, INT64_MAX},
    };
    *out_result = (compact_result){0};
    lp_err err = choose_all(excerpt);
    if (err == LP_OK) {
        find_times(session, excerpt, &frame);
        const compact_decided decided = {.types = frame.types};
        err = compact_tally_write(
            &frame, &(compact_opened){0}, &decided, NULL, &view->arena, out_result, out_problem);
    }
    if (err == LP_OK) {
        session->has_some = true;
        session->start_wall_ns = frame.shown.start_wall_ns;
    }
    compact_contexts_fini(&none);
    return err;
}
