// SPDX-License-Identifier: Apache-2.0
// slice_spans: spans of time on threads, such as when contexts were open.
//
// Threads: one thread at a time until query_slice_spans_finish; then any.
// Tests:   tests/unit/query/slice/test_slice_spans.c
// Memory:  24 bytes for each span, and 12 more during query_slice_spans_finish.

#ifndef LP_QUERY_SLICE_SLICE_SPANS_H
#define LP_QUERY_SLICE_SLICE_SPANS_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

// {0} is empty.
typedef struct query_slice_spans {
    LP_VEC(struct query_slice_span {
        uint64_t thread;
        int64_t begin; // ticks; both ends belong to it
        int64_t end;   // after query_slice_spans_finish also ascending
    })
    items;
} query_slice_spans;

void query_slice_spans_fini(query_slice_spans *spans);

LP_MUST_USE lp_err query_slice_spans_add(
    query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end);

// query_slice_spans_finish sorts the spans by thread and begin, and drops those within others.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_slice_spans_finish(query_slice_spans *spans);

// query_slice_spans_have returns whether a span on the thread contains the time from begin to end,
// both inclusive.
bool query_slice_spans_have(
    const query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end);

// query_slice_spans_meet returns whether a span on the thread overlaps that time.
bool query_slice_spans_meet(
    const query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end);

#endif // LP_QUERY_SLICE_SLICE_SPANS_H
