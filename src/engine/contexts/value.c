// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/value.h"

#include "common/jfr/jfr_string.h"
#include "engine/read/kind_values.h"

#include <string.h>

static bool
read_string(jfr_cursor *cursor, compact_value *out_value)
{
    uint32_t head[2]; // length, coder
    LP_REQUIRE(jfr_cursor_left(cursor) >= sizeof(head), false);
    memcpy(head, cursor->at, sizeof(head));
    cursor->at += sizeof(head);
    if (head[0] == CTX_STRING_NULL) {
        *out_value = (compact_value){.is_null = true};
        return true;
    }
    LP_REQUIRE(head[0] <= CTX_STRING_BYTES_MAX, false);
    *out_value = (compact_value){.bytes = {cursor->at, head[0]}, .coder = head[1]};
    return jfr_cursor_skip(cursor, ((uint64_t)head[0] + 7) / 8 * 8);
}

bool
compact_value_read(ctx_kind kind, jfr_cursor *cursor, compact_value *out_value)
{
    if (kind == CTX_STRING) {
        return read_string(cursor, out_value);
    }
    *out_value = (compact_value){0};
    LP_REQUIRE(jfr_cursor_left(cursor) >= sizeof(out_value->bits), false);
    memcpy(&out_value->bits, cursor->at, sizeof(out_value->bits));
    cursor->at += sizeof(out_value->bits);
    return true;
}

void
compact_value_append_utf8(const compact_value *value, lp_buf *out)
{
    if (value->coder == 0) {
        jfr_utf8_append_latin1(out, value->bytes);
    } else if (value->coder == COMPACT_CODER_UTF8) {
        jfr_utf8_append_valid(out, value->bytes);
    } else {
        jfr_utf8_append_utf16(out, value->bytes);
    }
}

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
    text->is_failed = scratch->is_failed;
    if (!scratch->is_failed) {
        jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(scratch));
        (void)jfr_string_read_utf8(&cursor, text);
    }
}
