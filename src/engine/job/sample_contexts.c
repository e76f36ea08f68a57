// SPDX-License-Identifier: Apache-2.0
#include "engine/job/sample_contexts.h"

#include "engine/contexts/contexts.h"
#include "engine/frame.h"
#include "engine/read/view.h"
#include "engine/write/write.h"

static bool
has_samples(const compact_schema *schema)
{
    bool has = false;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        has |= compact_schema_is_sample(schema, i);
    }
    return has;
}

static lp_err
keep_all(compact_view *view)
{
    for (size_t i = 0; i < view->plain.count; i++) {
        if (view->plain.items[i].fate != COMPACT_KEPT) {
            view->plain.items[i].fate = COMPACT_KEPT_BY_CONTEXT;
        }
    }
    for (size_t i = 0; i < view->spans.count; i++) {
        compact_span span = view->spans.items[i];
        span.fate = COMPACT_KEPT;
        LP_TRY(LP_VEC_ADD(&view->kept_spans, span));
    }
    return LP_OK;
}

static lp_err
write_all(compact_view *view, lp_buf *out_jfr, lp_problem *problem)
{
    const jfr_chunk_info *info = &view->info;
    const compact_clock clock = {info->start_wall_ns, info->start_ticks, info->ticks_per_s};
    compact_contexts contexts;
    compact_contexts_init(&contexts, &view->arena);
    const compact_source source = {.jfr = view->chunk};
    const compact_options options = {.has_sample_contexts = true};
    const compact_frame frame = {
        .source = &source,
        .options = &options,
        .view = view,
        .contexts = &contexts,
        .clock = clock,
        .shown = clock,
        .metadata_salt = view->schema->metadata.id,
        .is_first = true, // the output describes all types of the chunk
    };
    const compact_decided decided = {0};
    compact_output output = {0};
    lp_err err = keep_all(view);
    LP_THEN(err, compact_write(&frame, &decided, NULL, &output, problem));
    if (err == LP_OK) {
        *out_jfr = output.jfr;
        output.jfr = (lp_buf){0};
    }
    compact_output_fini(&output);
    compact_contexts_fini(&contexts);
    return err;
}

lp_err
compact_sample_contexts_add(lp_slice chunk, lp_buf *out_jfr, lp_problem *out_problem)
{
    compact_view view;
    LP_TRY(compact_view_open(&view, chunk, NULL, false, NULL, out_problem));
    lp_err err;
    if (!has_samples(view.schema)) {
        lp_buf_append(out_jfr, chunk.ptr, chunk.len);
        err = lp_buf_check(out_jfr);
    } else {
        err = write_all(&view, out_jfr, out_problem);
    }
    LP_THEN(err, compact_damage_refuse(&view.damage, COMPACT_REFUSED_UNREADABLE, out_problem));
    compact_view_close(&view);
    return err;
}
