// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/completions.h"

#include "common/base/lp_assert.h"
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

static bool
is_sign(const compact_completions *self, uint16_t type_id)
{
    size_t index = ctx_type_find(self->types, self->type_count, type_id);
    return index < self->type_count && self->types[index].completes == 0;
}

static void
add_sign(compact_completions *self, const ctx_record_header *header, lp_slice values)
{
    compact_sign sign = {
        .number = self->next_sign++,
        .ticks = header->time_ticks,
        .thread_id = header->thread_id,
        .type_id = header->type_id,
    };
    compact_value value;
    jfr_cursor cursor = jfr_cursor_over(values);
    for (size_t i = 0; i < sizeof(sign.values) / sizeof(*sign.values); i++) {
        if (!compact_value_read(CTX_LONG, &cursor, &value)) {
            self->damaged_count++;
            return;
        }
        sign.values[i] = value.bits;
    }
    LP_ARENA_PUSH(self->arena, &self->signs, sign);
}

void
compact_completions_skip(compact_completions *self, uint16_t type_id)
{
    self->next_sign += is_sign(self, type_id);
}

bool
compact_completions_add(compact_completions *self, const ctx_record_header *header, lp_slice values)
{
    LP_ASSERT(self->arena != NULL);
    LP_ASSERT(compact_completions_has(self, header->type_id));
    if (is_sign(self, header->type_id)) {
        add_sign(self, header, values);
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
    LP_REQUIRE(bytes.len <= UINT32_MAX - self->texts.len, false);
    const compact_completion item = {
        .key = key.bits,
        .text_offset = (uint32_t)self->texts.len,
        .text_bytes = (uint32_t)bytes.len,
        .type_id = header->type_id,
    };
    LP_ARENA_PUSH(self->arena, &self->items, item);
    lp_buf_append(&self->texts, bytes.ptr, bytes.len);
    lp_arena_note(self->arena, lp_buf_check(&self->texts));
    return true;
}
