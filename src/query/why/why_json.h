// SPDX-License-Identifier: Apache-2.0
// why_json: an answer (why.h) as JSON.
//
//   {"requests": 212, "total_ns": 90, "slices": [{"category": "lock", "total_ns": 70,
//    "stopped_ns": 0, "per_request_ns": 0, "events": 9, "is_count": false, "top": [{"frame":
//    "shop.Inventory.reserve", "via": null, "total_ns": 70, "events": 9}, ..]}, .., {"category":
//    "unaccounted", ..}], "repeated": [{"category": "io", "frame": "shop.Stock.find", "via":
//    "org.postgresql.core.PGStream.receive", "requests": 2, "events": 116, "per_request": 58,
//    "total_ns": 139, "each_ns": 1}, ..], "is_truncated": false}
// With a filter of frames, {"category": "other_frames", ..} is the last but one slice.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_answers_json.c

#pragma once

#include "query/why/why.h"

#include <jansson.h>

enum { QUERY_WHY_NAME_BYTES = 256 };

// query_why_slice_name writes the name of a row: a category, "other: " and a type, or the name of
// counted events. A longer name is cut.
void query_why_slice_name(
    const query_why_slice *slice, const query_names *names, char out_name[QUERY_WHY_NAME_BYTES]);

// query_why_repeat_name is query_why_slice_name for a repetition.
void query_why_repeat_name(
    const query_why_repeat *repeat, const query_names *names, char out_name[QUERY_WHY_NAME_BYTES]);

// query_why_repeat_each_ns returns the time for each event of a repetition, rounded down.
int64_t query_why_repeat_each_ns(const query_why_repeat *repeat);

// query_why_json returns a new object; NULL if memory ran out.
json_t *query_why_json(
    const query_why *why, const query_names *names, const query_outcome *outcome);
