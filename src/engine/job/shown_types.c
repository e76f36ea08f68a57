// SPDX-License-Identifier: Apache-2.0
#include "engine/job/shown_types.h"

#include "common/context/ctx_type.h"
#include "engine/read/view.h"

#include <stdlib.h>

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

// make_types gives the RecordingContexts that are shown their entries as values.
static lp_err
make_types(const compact_frame *frame, compact_recordings *recordings, compact_contexts *contexts,
    const bool *is_shown, ctx_type *types)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < frame->type_count && err == LP_OK; i++) {
        const ctx_type *type = &frame->types[i];
        err = type->is_recording
                  ? compact_recordings_show(recordings, contexts, is_shown, type, &types[i])
                  : ctx_type_copy(type, &types[i]);
    }
    return err;
}

lp_err
compact_shown_types_make(const compact_frame *frame, const compact_parts *parts,
    compact_recordings *recordings, compact_contexts *contexts, compact_shown_types *out_types)
{
    *out_types = (compact_shown_types){0};
    if (!has_recordings(frame)) {
        return LP_OK;
    }
    bool *is_shown = calloc(contexts->items.count + 1, sizeof(*is_shown));
    out_types->items = calloc(frame->type_count, sizeof(*out_types->items));
    out_types->count = frame->type_count;
    lp_err err = is_shown == NULL || out_types->items == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK) {
        list_shown(frame, parts, is_shown);
        err = make_types(frame, recordings, contexts, is_shown, out_types->items);
    }
    free(is_shown);
    return err;
}

void
compact_shown_types_fini(compact_shown_types *types)
{
    for (size_t i = 0; types->items != NULL && i < types->count; i++) {
        ctx_type_fini(&types->items[i]);
    }
    free(types->items);
    *types = (compact_shown_types){0};
}
