// SPDX-License-Identifier: Apache-2.0
#include "engine/read/recorded.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"

// key_of returns the borrowed key of a field, NULL if it holds none.
static const char *
key_of(const compact_schema *schema, const jfr_field *field)
{
    const jfr_metadata *metadata = &schema->metadata;
    if (!field->is_contextual || field->type == JFR_NONE || field->is_constant || field->is_array ||
        field->type != schema->layout.string_type) {
        return NULL;
    }
    const char *label = jfr_metadata_find_annotation(metadata, field->element, "jdk.jfr.Label");
    return label != NULL ? label : jfr_metadata_text(metadata, field->name);
}

// read_map reads the entries of an event, up to a misfit. texts is scratch.
static ctx_recording
read_map(const compact_view *view, uint32_t offset, lp_buf *texts, lp_arena *arena)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    const jfr_layout *layout = &view->schema->layout;
    compact_event event = compact_view_event(view, offset);
    const jfr_type *type = &metadata->types.items[event.type];
    ctx_entry entries[CTX_RECORDING_KEYS_MAX];
    size_t begins[CTX_RECORDING_KEYS_MAX]; // offsets in texts, which may move
    size_t count = 0;
    bool is_whole = true;
    lp_buf_clear(texts);
    for (uint32_t i = 0; i < type->field_count && is_whole; i++) {
        uint32_t field = type->field_begin + i;
        const char *key = key_of(view->schema, &metadata->fields.items[field]);
        size_t begin = texts->len;
        jfr_cursor value = event.payload;
        if (key != NULL && count < CTX_RECORDING_KEYS_MAX && value.at < value.end &&
            *value.at != JFR_STRING_NULL && jfr_string_read_utf8(&value, texts)) {
            begins[count] = begin;
            entries[count++] = (ctx_entry){.key = key, .value = {NULL, texts->len - begin}};
        }
        uint32_t end = i + 1 < type->field_count ? layout->field_ops.items[field + 1]
                                                 : layout->types.items[event.type].end;
        const jfr_program program = {layout->field_ops.items[field], end};
        is_whole = jfr_layout_walk(layout, program, &event.payload);
    }
    if (texts->is_failed) {
        lp_arena_fail(arena);
        return (ctx_recording){0};
    }
    for (size_t i = 0; i < count; i++) {
        entries[i].value.ptr = texts->ptr + begins[i];
    }
    const ctx_recording map = {.entry_count = count, .entries = entries};
    return ctx_recording_copy_in(arena, &map);
}

void
compact_recorded_read(
    const compact_view *view, const uint64_t *identities, compact_recorded *recorded)
{
    compact_view_check(view);
    LP_ASSERT(identities != NULL || view->threads.count == 0);
    lp_buf texts = {0};
    for (size_t i = 0; i < view->installed.count; i++) {
        const compact_span *row = &view->installed.items[i];
        const compact_recorded_item item = {
            .thread = identities[row->thread],
            .begin = row->begin,
            .end = row->commit,
            .map = read_map(view, row->offset, &texts, recorded->arena),
        };
        LP_ARENA_PUSH(recorded->arena, &recorded->items, item);
    }
    lp_buf_fini(&texts);
}

void
compact_recorded_copy(const compact_recorded *recorded, int64_t end_min, compact_recorded *out)
{
    LP_ASSERT(out != recorded);
    for (size_t i = 0; i < recorded->items.count; i++) {
        compact_recorded_item item = recorded->items.items[i];
        if (item.end >= end_min) {
            item.map = ctx_recording_copy_in(out->arena, &item.map);
            LP_ARENA_PUSH(out->arena, &out->items, item);
        }
    }
}
