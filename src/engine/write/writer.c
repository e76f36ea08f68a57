// SPDX-License-Identifier: Apache-2.0
#include "engine/write/writer.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"

static lp_err
start_rewriting(compact_writer *w, lp_problem *problem)
{
    const compact_frame *frame = w->frame;
    const compact_schema *schema = w->view->schema;
    w->rewrite = (jfr_rewrite){
        .metadata = &schema->metadata,
        .layout = &schema->layout,
        .pools = &w->view->pools,
    };
    if (frame->source->merge == NULL) {
        return LP_OK;
    }
    w->rewrite.source_count = compact_merge_source_count(frame->source->merge);
    w->rewrite.source = frame->source->merge_source;
    w->rewrite.clock = jfr_clock_make(
        frame->shown.start_wall_ns, frame->shown.start_ticks, frame->shown.ticks_per_s);
    w->rewrite.zero_wall_ns = compact_merge_zero_wall_ns(frame->source->merge);
    w->rewrite.type_ids =
        compact_merge_find_ids(frame->source->merge, frame->source->merge_source, schema);
    return w->rewrite.type_ids != NULL
               ? LP_OK
               : lp_problem_set(problem, LP_ECORRUPT, "the input was changed while it was read");
}

static uint64_t
id_in_output(const void *arg, uint64_t id)
{
    return jfr_rewrite_type_id(arg, id);
}

static lp_err
start_types(compact_writer *w)
{
    lp_err err = compact_classes_init(
        &w->classes, w->arena, &w->view->schema->metadata, w->frame->source->merge);
    return err == LP_OK && w->frame->source->merge != NULL
               ? jfr_metadata_renumber(&w->classes.metadata, id_in_output, &w->rewrite)
               : err;
}

lp_err
compact_writer_init(compact_writer *w, const compact_frame *frame, const compact_decided *decided,
    compact_style *style, compact_output *out, lp_problem *out_problem)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT((style == NULL) == (frame->options->style == COMPACT_STYLE_EVENTS));
    *w = (compact_writer){
        .frame = frame,
        .decided = decided,
        .style = style,
        .view = frame->view,
        .out = out,
        .arena = &out->arena,
        .tails = LP_ARENA_ARRAY(&out->arena, uint8_t, frame->view->schema->metadata.types.count),
    };
    lp_err err = start_rewriting(w, out_problem);
    return err == LP_OK ? start_types(w) : err;
}

void
compact_writer_check(const compact_writer *w)
{
    compact_view_check(w->view);
    LP_ASSERT(w->view == w->frame->view && w->tails != NULL);
    LP_ASSERT(w->arena == &w->out->arena && w->classes.arena == w->arena);
    LP_ASSERT((w->style == NULL) == (w->frame->options->style == COMPACT_STYLE_EVENTS));
}

void
compact_writer_fini(compact_writer *writer)
{
    compact_classes_fini(&writer->classes);
    lp_buf_fini(&writer->scratch);
}

void
compact_writer_end_event(compact_writer *w, uint64_t type_id)
{
    jfr_event_append(&w->out->jfr, type_id, lp_buf_slice(&w->scratch));
    w->out->jfr.is_failed |= w->scratch.is_failed;
}

void
compact_writer_append_value(const compact_writer *w, uint32_t type, jfr_cursor cursor, lp_buf *out)
{
    const jfr_layout *layout = &w->view->schema->layout;
    jfr_program program = layout->types.items[type];
    const uint8_t *begin = cursor.at;
    bool is_whole =
        compact_writer_is_rewriting(w)
            ? jfr_rewrite_value(&w->rewrite, program, w->view->pools.null_count > 0, &cursor, out)
            : jfr_layout_walk(layout, program, &cursor);
    LP_ASSERT(is_whole); // it was when its constants were marked
    if (!compact_writer_is_rewriting(w)) {
        lp_buf_append(out, begin, (size_t)(cursor.at - begin));
    }
}

uint64_t
compact_writer_duration_ticks(const jfr_chunk_info *info)
{
    __int128 ticks = (__int128)info->duration_ns * info->ticks_per_s / 1000000000;
    bool is_sane =
        ticks >= 0 && ticks <= INT64_MAX - (info->start_ticks > 0 ? info->start_ticks : 0);
    return is_sane ? (uint64_t)ticks : 0;
}
