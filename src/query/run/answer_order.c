// SPDX-License-Identifier: Apache-2.0
#include "query/run/answer_order.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "query/run/request_contexts.h"

#include <stdlib.h>

void
query_answer_order_fini(query_answer_order *order)
{
    free(order->horizons);
    free(order->by_end);
    free(order->begin_min);
    *order = (query_answer_order){0};
}

static void
order_check(const query_answer_order *order)
{
    LP_ASSERT(order->next <= order->with_events && order->with_events <= order->count);
}

static bool
is_of_requests(const query_contexts *contexts)
{
    return contexts->unit == QUERY_UNIT_REQUESTS;
}

query_answer_times
query_answer_order_times(const query_contexts *contexts, uint32_t index)
{
    if (!is_of_requests(contexts)) {
        LP_ASSERT(index < contexts->items.count);
        const query_context *context = &contexts->items.items[index];
        return (query_answer_times){context->begin, context->end};
    }
    LP_ASSERT(index < contexts->requests.items.count);
    const query_request *request = &contexts->requests.items.items[index];
    const query_context *first =
        request->stay_count == 0
            ? NULL
            : &contexts->items.items[contexts->requests.stays_of.items[request->first_stay]];
    return (query_answer_times){first == NULL ? INT64_MAX : first->begin, request->end};
}

static void
find_horizons(const query_contexts *contexts, int64_t *out_horizons)
{
    int64_t horizon = INT64_MAX;
    for (size_t i = contexts->chunks.count; i > 0; i--) {
        const query_chunk_times *times = &contexts->chunks.items[i - 1].times;
        out_horizons[i - 1] = horizon;
        horizon = times->commit_min < horizon ? times->commit_min : horizon;
    }
}

static int
compare_ends(const void *a, const void *b, void *arg)
{
    const query_contexts *contexts = *(const query_contexts *const *)arg;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    return LP_ORDER(query_answer_order_times(contexts, one).end,
               query_answer_order_times(contexts, other).end)
               ?: LP_ORDER(one, other);
}

static int64_t
begin_wall_ns(const query_contexts *contexts, uint32_t index)
{
    return is_of_requests(contexts)
               ? query_request_wall_ns(contexts, &contexts->requests.items.items[index])
               : query_contexts_wall_ns(contexts, &contexts->items.items[index]);
}

static int64_t
duration_ns(const query_contexts *contexts, uint32_t index)
{
    return is_of_requests(contexts)
               ? contexts->requests.items.items[index].facts.duration_ns
               : query_contexts_duration_ns(contexts, &contexts->items.items[index]);
}

static void
find_begin_min(query_answer_order *order, const query_contexts *contexts)
{
    order->begin_min[order->with_events] = INT64_MAX;
    for (size_t i = order->with_events; i > 0; i--) {
        int64_t begin = query_answer_order_times(contexts, order->by_end[i - 1]).begin;
        int64_t later = order->begin_min[i];
        order->begin_min[i - 1] = begin < later ? begin : later;
    }
}

lp_err
query_answer_order_make(query_answer_order *order, const query_contexts *contexts,
    bool (*wants_events)(void *arg, int64_t begin_wall_ns, int64_t duration_ns), void *arg)
{
    LP_ASSERT(order->by_end == NULL); // of the session before
    order->count =
        is_of_requests(contexts) ? contexts->requests.items.count : contexts->items.count;
    order->horizons = calloc(contexts->chunks.count, sizeof(*order->horizons));
    order->by_end = calloc(order->count + 1, sizeof(*order->by_end));
    order->begin_min = calloc(order->count + 1, sizeof(*order->begin_min));
    LP_REQUIRE(
        order->horizons != NULL && order->by_end != NULL && order->begin_min != NULL, LP_ENOMEM);
    find_horizons(contexts, order->horizons);
    size_t others = order->count;
    for (uint32_t i = 0; i < order->count; i++) {
        bool is_with = wants_events == NULL ||
                       wants_events(arg, begin_wall_ns(contexts, i), duration_ns(contexts, i));
        order->by_end[is_with ? order->with_events++ : --others] = i;
    }
    qsort_r(order->by_end, order->with_events, sizeof(*order->by_end), compare_ends, &contexts);
    find_begin_min(order, contexts);
    order_check(order);
    return LP_OK;
}

int64_t
query_answer_order_begin_min(const query_answer_order *order)
{
    order_check(order);
    return order->begin_min[order->next];
}

bool
query_answer_order_next(
    query_answer_order *order, const query_contexts *contexts, int64_t horizon, uint32_t *out_index)
{
    order_check(order);
    LP_REQUIRE(order->next < order->with_events, false);
    uint32_t index = order->by_end[order->next];
    if (horizon != INT64_MAX && query_answer_order_times(contexts, index).end >= horizon) {
        return false;
    }
    order->next++;
    *out_index = index;
    return true;
}
