// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/complete.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "common/context/ctx_type.h"
#include "engine/contexts/value.h"

#include <string.h>

// How the completions of one type apply to the contexts of another.
typedef struct plan {
    const compact_completions *from;
    const ctx_type *type;  // the type that is completed
    size_t key;            // the index of its attribute with the key
    size_t text;           // the same of the text
    lp_map by_key;         // to the last completion of the key
    uint32_t texts_offset; // of the copy of from->texts in the contexts' values
} plan;

// find_attribute returns the index of the attribute with this name and one of two kinds;
// type->attribute_count if there is none.
static size_t
find_attribute(const ctx_type *type, const char *name, ctx_kind kind, ctx_kind other)
{
    size_t i = 0;
    while (i < type->attribute_count &&
           (strcmp(type->attributes[i].name, name) != 0 ||
               (type->attributes[i].kind != kind && type->attributes[i].kind != other))) {
        i++;
    }
    return i;
}

// make_plan looks up the completed type and its key and text attributes. Returns false if there is
// no such type or attribute.
static bool
make_plan(plan *p, const ctx_type *by, const ctx_type *types, size_t type_count)
{
    LP_ASSERT(by->completes != 0 && by->attribute_count == 2); // ctx_type_is_sound checks it
    size_t index = ctx_type_find(types, type_count, by->completes);
    if (index == type_count) {
        return false;
    }
    p->type = &types[index];
    p->key = find_attribute(p->type, by->attributes[0].name, CTX_LONG, CTX_HEX);
    p->text = find_attribute(p->type, by->attributes[1].name, CTX_STRING, CTX_STRING);
    return p->key < p->type->attribute_count && p->text < p->type->attribute_count;
}

static void
map_keys(plan *p, uint16_t type_id)
{
    for (size_t i = 0; i < p->from->items.count; i++) {
        if (p->from->items.items[i].type_id == type_id) {
            lp_arena_put(p->from->arena, &p->by_key, p->from->items.items[i].key, (uint32_t)i);
        }
    }
}

// find_for returns the completion for a context; NULL if there is none, or the values are damaged.
static const compact_completion *
find_for(const plan *p, compact_values values)
{
    uint64_t key = 0;
    for (size_t i = 0; i < p->type->attribute_count; i++) {
        compact_value value;
        if (!compact_values_read(&values, p->type->attributes[i].kind, &value)) {
            return NULL;
        }
        key = i == p->key ? value.bits : key;
    }
    uint32_t index = lp_map_find(&p->by_key, key);
    return index == LP_MAP_NONE ? NULL : &p->from->items.items[index];
}

static void
complete(const plan *p, compact_contexts *contexts, compact_context *context)
{
    const compact_completion *by = find_for(p, compact_contexts_values(contexts, context));
    if (by != NULL) {
        const compact_late_text text = {
            .offset = p->texts_offset + by->text_offset,
            .bytes = by->text_bytes,
            .attribute = (uint16_t)p->text,
        };
        compact_contexts_complete(contexts, context, &text);
    }
}

static void
apply_type(const compact_completions *self, uint32_t texts_offset, const ctx_type *by,
    const ctx_type *types, size_t type_count, compact_contexts *contexts)
{
    plan p = {.from = self, .texts_offset = texts_offset};
    if (by->completes == 0 || !make_plan(&p, by, types, type_count)) {
        return;
    }
    map_keys(&p, by->id);
    for (size_t i = 0; i < contexts->items.count && p.by_key.count > 0; i++) {
        if (contexts->items.items[i].type_id == p.type->id) {
            complete(&p, contexts, &contexts->items.items[i]);
        }
    }
    lp_map_fini(&p.by_key);
}

void
compact_completions_apply(const compact_completions *self, const ctx_type *types, size_t type_count,
    compact_contexts *contexts)
{
    LP_ASSERT(type_count <= CTX_TYPES_MAX);
    LP_ASSERT(contexts->arena != NULL);
    if (self->items.count == 0) {
        return;
    }
    uint32_t texts_offset = compact_contexts_append(contexts, lp_buf_slice(&self->texts));
    for (size_t i = 0; i < self->type_count && compact_contexts_err(contexts) == LP_OK; i++) {
        apply_type(self, texts_offset, &self->types[i], types, type_count, contexts);
    }
}
