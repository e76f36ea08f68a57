// SPDX-License-Identifier: Apache-2.0
#include "engine/job/value_text.h"

#include "common/jfr/jfr_string.h"
#include "engine/read/kind_values.h"

void
compact_value_text(ctx_kind kind, const compact_value *value, lp_buf *scratch, lp_buf *text)
{
    lp_buf_clear(text);
    if (kind == CTX_STRING) {
        compact_value_append_utf8(value, text);
        return;
    }
    lp_buf_clear(scratch);
    compact_kind_append_bits(kind, value->bits, scratch);
    if (!scratch->is_failed) {
        jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(scratch));
        (void)jfr_string_read_utf8(&cursor, text);
    }
}
