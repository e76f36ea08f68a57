// SPDX-License-Identifier: Apache-2.0
#include "engine/job/shown_types.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "engine/read/view.h"

static bool
has_recordings(const compact_frame *frame)
{
    for (size_t i = 0; i < frame->type_count; i++) {
        if (frame->types[i].is_recording) {
            return true;
        }
    }
    return false;
}

// list_shown marks the contexts of which the output shows anything: those with a part that is kept;
// in other styles than events, all those that may apply to an event.
static void
list_shown(const compact_frame *frame, const compact_parts *parts, bool *is_shown)
{
    for (size_t i = 0; i < parts->count; i++) {
        is_shown[parts->items[i].context] = true;
    }
    for (size_t i = 0;
         frame->options->style != COMPACT_STYLE_EVENTS && i < frame->contexts->items.count; i++) {
        const compact_context *c = &frame->contexts->items.items[i];
        is_shown[i] = is_shown[i] || (!c->is_ignored && c->begin <= frame->view->commit_max);
    }
}

static lp_err
make_type(compact_recordings *recordings, compact_contexts *contexts, const bool *is_shown,
    const ctx_type *type, ctx_type *out_type)
{
    return type->is_recording
               ? compact_recordings_show(recordings, contexts, is_shown, type, out_type)
               : ctx_type_copy(type, out_type);
}

void
compact_shown_types_make(const compact_frame *frame, const compact_parts *parts,
    compact_recordings *recordings, compact_contexts *contexts, lp_arena *arena,
    compact_shown_types *out_types)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->contexts == contexts);
    *out_types = (compact_shown_types){0};
    if (!has_recordings(frame)) {
        return;
    }
    bool *is_shown = LP_ARENA_ARRAY(arena, bool, contexts->items.count);
    out_types->items = LP_ARENA_ARRAY(arena, ctx_type, frame->type_count);
    out_types->count = frame->type_count;
    if (arena->is_failed) {
        return;
    }
    list_shown(frame, parts, is_shown);
    for (size_t i = 0; i < frame->type_count && !arena->is_failed; i++) {
        lp_err err =
            make_type(recordings, contexts, is_shown, &frame->types[i], &out_types->items[i]);
        if (err != LP_OK) {
            lp_arena_fail(arena);
        }
    }
}

void
compact_shown_types_fini(compact_shown_types *types)
{
    for (size_t i = 0; types->items != NULL && i < types->count; i++) {
        ctx_type_fini(&types->items[i]);
    }
    *types = (compact_shown_types){0};
}
