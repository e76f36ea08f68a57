// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/completions.h"

#include "common/context/ctx_type.h"
#include "engine/contexts/value.h"

void
compact_completions_fini(compact_completions *self)
{
    lp_buf_fini(&self->texts);
    *self = (compact_completions){0};
}

bool
compact_completions_has(const compact_completions *self, uint16_t type_id)
{
    return ctx_type_find(self->types, self->type_count, type_id) < self->type_count;
}

bool
compact_completions_add(compact_completions *self, uint16_t type_id, lp_slice values)
{
    size_t index = ctx_type_find(self->types, self->type_count, type_id);
    if (index < self->type_count && self->types[index].completes == 0) {
        return true;
    }
    compact_value key;
    compact_value text;
    jfr_cursor cursor = jfr_cursor_over(values);
    bool has_key = compact_value_read(CTX_LONG, &cursor, &key);
    const uint8_t *begin = cursor.at;
    if (!has_key || !compact_value_read(CTX_STRING, &cursor, &text)) {
        self->damaged_count++;
        return true;
    }
    const lp_slice bytes = {begin, (size_t)(cursor.at - begin)};
    if (bytes.len > UINT32_MAX - self->texts.len) {
        return false;
    }
    const compact_completion item = {
        .key = key.bits,
        .text_offset = (uint32_t)self->texts.len,
        .text_bytes = (uint32_t)bytes.len,
        .type_id = type_id,
    };
    LP_ARENA_PUSH(self->arena, &self->items, item);
    lp_buf_append(&self->texts, bytes.ptr, bytes.len);
    if (self->texts.is_failed) {
        lp_arena_fail(self->arena);
    }
    return true;
}
