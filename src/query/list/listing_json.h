// SPDX-License-Identifier: Apache-2.0
// listing_json: a list of contexts or requests as JSON: columns and rows.
//
//   {"t0_ns": "1767...", "columns": ["recording", "type", "start", "duration", "triggers",
//    "blocked", "thread", "id", "attr.endpoint", ..], "rows": [[..], ..], "matched": 212,
//    "p50_ns": 3100000, "p99_ns": 80000000, "next": null, "is_truncated": false}
//
// A list of requests has the columns recording, type, start, duration, busy, queued, elsewhere,
// parts, state, kept_by, id, and the attributes.
//
// starts count from t0_ns. p50_ns and p99_ns are of all contexts that match, within 19 %; null if
// none match. next is the cursor behind the last row, or null. Points in time are texts, as
// browsers have no numbers of 64 bits; an attribute that is a number is a JSON number if a browser
// represents it exactly.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_answers_json.c

#pragma once

#include "query/list/listing.h"

#include <jansson.h>

enum { QUERY_LISTING_ATTRIBUTES_MAX = 256 }; // columns; is_truncated if there are more

// query_listing_json returns the object of contexts or requests, as unit says; NULL if out of
// memory. The caller owns it. recording returns the name of the recording of a source. has_cursor
// says whether the object has the member next.
json_t *query_listing_json(query_listing *listing, query_unit unit, const query_names *names,
    const query_outcome *outcome, bool has_cursor,
    const char *(*recording)(const void *arg, uint32_t source), const void *arg);
