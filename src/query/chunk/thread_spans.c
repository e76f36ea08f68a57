// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/thread_spans.h"

void
query_thread_spans_fini(query_thread_spans *spans)
{
    LP_VEC_FINI(&spans->items);
    lp_map_fini(&spans->of_thread);
    *spans = (query_thread_spans){0};
}

static void
widen(query_thread_span *span, const query_thread_span *event)
{
    span->begin = event->begin < span->begin ? event->begin : span->begin;
    span->end = event->end > span->end ? event->end : span->end;
    if (event->sample < span->sample) {
        span->sample = event->sample;
        span->sample_chunk = event->sample_chunk;
    }
}

lp_err
query_thread_spans_add(query_thread_spans *spans, const query_thread_span *event)
{
    uint32_t index = lp_map_find(&spans->of_thread, event->thread);
    if (index != LP_MAP_NONE) {
        widen(&spans->items.items[index], event);
        return LP_OK;
    }
    index = (uint32_t)spans->items.count;
    if (index == QUERY_THREAD_SPANS_MAX) {
        spans->is_truncated = true;
        return LP_OK;
    }
    if (!LP_VEC_ROOM(&spans->items) ||
        lp_map_put(&spans->of_thread, event->thread, index) != LP_OK) {
        return LP_ENOMEM;
    }
    spans->items.items[spans->items.count++] = *event;
    return LP_OK;
}
