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

const ctx_type *
compact_shown_types_make(const compact_frame *frame, const compact_parts *parts,
    compact_recordings *recordings, compact_contexts *contexts, lp_arena *arena)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->contexts == contexts);
    if (!has_recordings(frame)) {
        return NULL;
    }
    bool *is_shown = LP_ARENA_ARRAY(arena, bool, contexts->items.count);
    ctx_type *types = LP_ARENA_ARRAY(arena, ctx_type, frame->type_count);
    if (arena->is_failed) {
        return NULL;
    }
    list_shown(frame, parts, is_shown);
    for (size_t i = 0; i < frame->type_count; i++) {
        const ctx_type *type = &frame->types[i];
        types[i] = type->is_recording
                       ? compact_recordings_show(recordings, contexts, is_shown, type)
                       : ctx_type_copy_in(arena, type);
    }
    return types;
}
