// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/threads.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find_or_add.h"
#include "engine/read/threads.h"

void
query_threads_fini(query_threads *threads)
{
    lp_map_fini(&threads->first_of_key);
    LP_VEC_FINI(&threads->items);
    *threads = (query_threads){0};
}

// last_of returns a key's last item up to a chunk, or else its first; LP_MAP_NONE if it has none.
static uint32_t
last_of(const query_threads *threads, uint32_t chunk, uint64_t key)
{
    uint32_t at = lp_map_find(&threads->first_of_key, key);
    while (at != LP_MAP_NONE) {
        uint32_t next = threads->items.items[at].next;
        if (next == LP_MAP_NONE || threads->items.items[next].chunk > chunk) {
            break;
        }
        at = next;
    }
    return at;
}

static lp_err
add(query_threads *threads, uint32_t chunk, const compact_thread *thread)
{
    uint32_t last = last_of(threads, chunk, thread->key);
    if (last != LP_MAP_NONE && threads->items.items[last].identity == thread->identity) {
        return LP_OK;
    }
    uint32_t added = (uint32_t)threads->items.count;
    if (added == QUERY_THREADS_MAX) {
        threads->is_truncated = true;
        return LP_OK;
    }
    if (!LP_VEC_ROOM(&threads->items) ||
        (last == LP_MAP_NONE && lp_map_put(&threads->first_of_key, thread->key, added) != LP_OK)) {
        return LP_ENOMEM;
    }
    threads->items.items[threads->items.count++] =
        (struct query_threads_item){thread->identity, chunk, LP_MAP_NONE};
    if (last != LP_MAP_NONE) {
        threads->items.items[last].next = added;
    }
    return LP_OK;
}

lp_err
query_threads_add(query_threads *threads, uint32_t chunk, const compact_view *view)
{
    LP_ASSERT(threads->items.count <= QUERY_THREADS_MAX);
    for (size_t i = 0; i < view->threads.count; i++) {
        const compact_thread *thread = &view->threads.items[i];
        LP_TRY(compact_identity_is_known(thread->identity) ? add(threads, chunk, thread) : LP_OK);
    }
    return LP_OK;
}

uint64_t
query_threads_find(const query_threads *threads, uint32_t chunk, uint64_t key, uint64_t identity)
{
    LP_ASSERT(threads->items.count <= QUERY_THREADS_MAX);
    if (compact_identity_is_known(identity)) {
        return identity;
    }
    uint32_t at = last_of(threads, chunk, key);
    return at == LP_MAP_NONE ? identity : threads->items.items[at].identity;
}

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
    LP_ASSERT(spans->items.count <= QUERY_THREAD_SPANS_MAX);
    uint32_t index;
    lp_err err = LP_FIND_OR_ADD(&spans->items, &spans->of_thread, event->thread,
        QUERY_THREAD_SPANS_MAX, &spans->is_truncated, &index, *event);
    if (err == LP_OK && index != LP_MAP_NONE) {
        widen(&spans->items.items[index], event);
    }
    return err;
}
