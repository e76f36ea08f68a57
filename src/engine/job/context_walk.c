// SPDX-License-Identifier: Apache-2.0
#include "engine/job/context_walk.h"

#include "common/base/lp_assert.h"
#include "engine/contexts/recordings.h"

compact_context_walk
compact_context_walk_begin(const compact_frame *frame, const compact_contexts *contexts,
    const compact_context *context, const ctx_type *type)
{
    LP_ASSERT(type != NULL);
    compact_context_walk w = {.type = type};
    if (type->is_recording) {
        w.map =
            compact_recordings_find(frame->recordings, compact_recordings_id(contexts, context));
    } else {
        w.values = compact_contexts_values(contexts, context);
    }
    return w;
}

bool
compact_context_walk_next(compact_context_walk *w)
{
    size_t i = w->next++;
    LP_REQUIRE(!w->is_damaged, false);
    if (w->type->is_recording) {
        LP_REQUIRE(w->map != NULL && i != w->map->entry_count, false);
        const ctx_entry *entry = &w->map->entries[i];
        w->name = entry->key;
        w->kind = CTX_STRING;
        w->value = (compact_value){
            .is_null = entry->is_null, .bytes = entry->value, .coder = COMPACT_CODER_UTF8};
        return true;
    }
    LP_REQUIRE(i != w->type->attribute_count, false);
    w->name = w->type->attributes[i].name;
    w->kind = w->type->attributes[i].kind;
    w->is_damaged = !compact_values_read(&w->values, w->kind, &w->value);
    return true;
}
