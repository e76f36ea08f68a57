// SPDX-License-Identifier: Apache-2.0
#include "query/otlp/otlp_ids.h"

#include "common/base/lp_assert.h"
#include "common/rollup/rollup_id.h"
#include "query/chunk/chunk.h"

#include <string.h>

enum { NO_DIGIT = 16 };

static unsigned
digit_of(uint8_t c)
{
    return c >= '0' && c <= '9'   ? c - (unsigned)'0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10U
           : c >= 'A' && c <= 'F' ? c - 'A' + 10U
                                  : NO_DIGIT;
}

// read_hex reads an id of exactly count bytes. False for any other text, and for zeros.
static bool
read_hex(lp_slice text, uint8_t *out_bytes, size_t count)
{
    unsigned all = 0;
    LP_REQUIRE(text.len == 2 * count, false);
    for (size_t i = 0; i < count; i++) {
        unsigned high = digit_of(text.ptr[2 * i]);
        unsigned low = digit_of(text.ptr[2 * i + 1]);
        LP_REQUIRE(high != NO_DIGIT && low != NO_DIGIT, false);
        out_bytes[i] = (uint8_t)(high << 4 | low);
        all |= out_bytes[i];
    }
    return all != 0;
}

static bool
read_number(const query_attribute *attribute, uint8_t out_bytes[QUERY_OTLP_SPAN_BYTES])
{
    int64_t number;
    LP_REQUIRE(attribute->is_number && query_number_read(attribute->value, &number), false);
    for (int i = 0; i < QUERY_OTLP_SPAN_BYTES; i++) { // big endian, as tracers show it
        out_bytes[i] = (uint8_t)((uint64_t)number >> (8 * (QUERY_OTLP_SPAN_BYTES - 1 - i)));
    }
    return number != 0;
}

static bool
read_trace(query_otlp_ids *ids, lp_slice text)
{
    uint8_t bytes[QUERY_OTLP_TRACE_BYTES] = {0};
    size_t half = QUERY_OTLP_TRACE_BYTES / 2;
    LP_REQUIRE(read_hex(text, bytes, sizeof(bytes)) || read_hex(text, bytes + half, half), false);
    memcpy(ids->trace, bytes, sizeof(bytes));
    ids->has_trace = true;
    return true;
}

bool
query_otlp_ids_read(query_otlp_ids *ids, const query_attribute *attribute)
{
    LP_ASSERT(attribute->name != NULL);
    if (attribute->is_null) {
        return false;
    }
    if (rollup_id_is_trace(attribute->name)) {
        return read_trace(ids, attribute->value);
    }
    uint8_t bytes[QUERY_OTLP_SPAN_BYTES];
    bool is_span =
        rollup_id_is_span(attribute->name) &&
        (read_hex(attribute->value, bytes, sizeof(bytes)) || read_number(attribute, bytes));
    if (is_span) {
        memcpy(ids->span, bytes, sizeof(bytes));
        ids->has_span = true;
    }
    return is_span;
}
