// SPDX-License-Identifier: Apache-2.0
#include "engine/read/value_key.h"

#include "engine/read/kind_values.h"

size_t
compact_value_key_width(const struct compact_reading_value *value)
{
    return value->pool == JFR_NONE ? compact_kind_fixed_bytes(value->primitive) : 0;
}

const uint8_t *
compact_value_key_read_other(jfr_cursor cursor, uint64_t *out_key)
{
    const uint8_t *begin = cursor.at;
    LP_REQUIRE(jfr_string_skip(&cursor, out_key), NULL);
    *out_key = lp_hash_bytes(lp_hash_seed(), (lp_slice){begin, (size_t)(cursor.at - begin)});
    return cursor.at;
}

bool
compact_value_key_text(const jfr_pools *pools, const struct compact_reading_value *how,
    jfr_cursor cursor, lp_buf *value, lp_buf *out_text)
{
    const compact_kind kind = {.attribute_count = 1, .attributes = {{.name = ""}}};
    compact_reading reading = {.pools = pools};
    reading.values[0] = *how;
    reading.values[0].before = (jfr_program){0, 0};
    lp_buf_clear(value);
    lp_buf_clear(out_text);
    compact_kind_append_event(&kind, &reading, cursor, false, value);
    if (value->is_failed || how->is_reference || *value->ptr == JFR_STRING_NULL) {
        return false;
    }
    jfr_cursor text = jfr_cursor_over(lp_buf_slice(value));
    return jfr_string_read_utf8(&text, out_text) && !out_text->is_failed;
}
