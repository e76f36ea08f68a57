// SPDX-License-Identifier: Apache-2.0
// otlp_ids: ids of traces and spans as OpenTelemetry has them in bytes.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/otlp/test_otlp_profiles.c

#pragma once

#include "query/select/selection.h"

enum {
    QUERY_OTLP_TRACE_BYTES = 16,
    QUERY_OTLP_SPAN_BYTES = 8,
};

// The ids of a link. Bytes of 0 are no id.
typedef struct query_otlp_ids {
    uint8_t trace[QUERY_OTLP_TRACE_BYTES];
    uint8_t span[QUERY_OTLP_SPAN_BYTES];
    bool has_trace;
    bool has_span;
} query_otlp_ids;

// query_otlp_ids_read reads an attribute that is named as an id (rollup_id.h). A trace id has 32 or
// 16 hexadecimal digits, the latter are its last ones; a span id has 16, or is a number. Returns
// false, and changes nothing, for any other attribute, and for an id of zeros.
bool query_otlp_ids_read(query_otlp_ids *ids, const query_attribute *attribute);
