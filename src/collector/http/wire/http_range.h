// SPDX-License-Identifier: Apache-2.0
// http_range: the headers of a conditional or partial download (RFC 9110, sections 13 and 14).
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http_parts.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum http_range_kind {
    HTTP_RANGE_WHOLE, // no range, a malformed one, or several: send all
    HTTP_RANGE_PART,
    HTTP_RANGE_UNSATISFIABLE,
} http_range_kind;

typedef struct http_range {
    http_range_kind kind;
    uint64_t begin; // [begin, end)
    uint64_t end;
} http_range;

// http_range_parse reads a Range header (NULL: not sent) for content of size_bytes.
http_range http_range_parse(const char *header, uint64_t size_bytes);

// http_range_matches_any returns whether an If-None-Match header names etag, given with quotes.
bool http_range_matches_any(const char *header, const char *etag);
