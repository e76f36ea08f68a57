// SPDX-License-Identifier: Apache-2.0
#include "query/slice/slice_spans.h"

#include "common/base/lp_bisect.h"
#include "common/base/lp_sort.h"

#include <stdlib.h>

typedef struct query_slice_span span;

void
query_slice_spans_fini(query_slice_spans *spans)
{
    LP_VEC_FINI(&spans->items);
}

lp_err
query_slice_spans_add(query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end)
{
    return LP_VEC_ADD(&spans->items, (span){thread, begin, end});
}

static bool
is_before(const span *a, const span *b)
{
    if (a->thread != b->thread) {
        return a->thread < b->thread;
    }
    return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
}

LP_SORT_DEFINE(sort_spans, span, is_before)

lp_err
query_slice_spans_finish(query_slice_spans *spans)
{
    span *items = spans->items.items;
    span *spare = malloc((spans->items.count / 2 + 1) * sizeof(*spare));
    if (spare == NULL) {
        return LP_ENOMEM;
    }
    sort_spans(items, spans->items.count, spare);
    free(spare);
    size_t left = 0;
    for (size_t i = 0; i < spans->items.count; i++) {
        bool is_in_other = left > 0 && items[left - 1].thread == items[i].thread &&
                           items[left - 1].end >= items[i].end;
        if (!is_in_other) {
            items[left++] = items[i];
        }
    }
    spans->items.count = left;
    return LP_OK;
}

// reaches returns whether a span on the thread begins at `by` or before, and ends at `until` or
// later.
static bool
reaches(const query_slice_spans *spans, uint64_t thread, int64_t by, int64_t until)
{
    const span *items = spans->items.items;
    size_t low = LP_BISECT(items, 0, spans->items.count,
        at->thread < thread || (at->thread == thread && at->begin <= by));
    return low > 0 && items[low - 1].thread == thread && items[low - 1].end >= until;
}

bool
query_slice_spans_have(const query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end)
{
    return reaches(spans, thread, begin, end);
}

bool
query_slice_spans_meet(const query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end)
{
    return reaches(spans, thread, end, begin);
}
