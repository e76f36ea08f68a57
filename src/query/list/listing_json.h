// SPDX-License-Identifier: Apache-2.0
// listing_json: a list of contexts as JSON: columns and rows. Points in time are texts, for no
// browser has numbers of 64 bits: t0_ns, from which the starts in the rows count.
//
//   {"t0_ns": "1767...", "columns": ["recording", "type", "start", "duration", "triggers",
//    "blocked", "thread", "id", "attr.endpoint", ..], "rows": [[..], ..], "matched": 212,
//    "p50_ns": 3100000, "p99_ns": 80000000, "next": null, "is_truncated": false}
//
// p50_ns and p99_ns are of all that match, within 19 %; null if none do.
//
// A list of requests has other columns: recording, type, start, duration, busy, queued, elsewhere,
// parts, state, kept_by, id, and the attributes.
//
// `next` is there for who can ask for more: the cursor behind the last row, or null.
//
// Attributes that are numbers are numbers where a browser has them exactly, and texts beyond.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_answers_json.c

#ifndef LP_QUERY_LISTING_JSON_H
#define LP_QUERY_LISTING_JSON_H

#include "query/list/listing.h"

#include <jansson.h>

// Columns for attributes; is_truncated says if there were more.
enum { QUERY_LISTING_ATTRIBUTES_MAX = 256 };

// query_listing_json returns the object, which the caller owns; NULL where memory ran out. unit is
// that of the items: contexts or requests.
// recording returns the name of the recording that has a source. has_cursor: with `next`.
json_t *query_listing_json(query_listing *listing, query_unit unit, const query_names *names,
    const query_outcome *outcome, bool has_cursor,
    const char *(*recording)(const void *arg, uint32_t source), const void *arg);

#endif // LP_QUERY_LISTING_JSON_H
