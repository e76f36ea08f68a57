// SPDX-License-Identifier: Apache-2.0
#include "engine/job/field_texts.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"

#include <string.h>

void
compact_field_texts_read(compact_sums *sums, const compact_kind *kind,
    const compact_reading *reading, jfr_cursor payload, compact_field_texts *out)
{
    LP_ASSERT(kind->attribute_count <= COMPACT_FIELD_TEXTS_MAX);
    *out = (compact_field_texts){0};
    lp_buf_clear(&sums->value);
    compact_kind_append_event(kind, reading, payload, false, &sums->value);
    lp_arena_note(&sums->arena, lp_buf_check(&sums->value));
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&sums->value));
    for (size_t i = 0; i < kind->attribute_count && !sums->arena.is_failed; i++) {
        uint64_t key;
        jfr_cursor text =
            jfr_cursor_over(compact_kind_next_value(&kind->attributes[i], &cursor, &key));
        lp_buf_clear(&sums->text);
        (void)jfr_string_read_utf8(&text, &sums->text);
        if (sums->text.len > 0 && sums->text.len <= COMPACT_FIELD_TEXT_BYTES_MAX) {
            memcpy(out->of[i], sums->text.ptr, sums->text.len);
        }
    }
}
