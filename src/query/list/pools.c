// SPDX-License-Identifier: Apache-2.0
#include "query/list/pools.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find_or_add.h"
#include "common/base/lp_order.h"
#include "query/run/sums.h"
#include "query/select/json_list.h"
#include "query/select/pool_name.h"

#include <string.h>

void
query_pools_fini(query_pools *pools)
{
    LP_VEC_FINI(&pools->items);
    lp_map_fini(&pools->by_name);
    *pools = (query_pools){0};
}

static void
pools_check(const query_pools *pools)
{
    LP_ASSERT(pools->names != NULL);
    LP_ASSERT(pools->items.count <= QUERY_POOLS_MAX);
    LP_ASSERT(pools->by_name.count <= pools->items.count);
}

// --- Adding

// is_used returns whether pools count an event.
static bool
is_used(const query_row *row)
{
    time_category category = (time_category)row->category;
    return category == TIME_CPU || row->bytes != 0 || row->has_duration;
}

void
query_pools_prepare(query_question *question)
{
    LP_ASSERT(question->stacks == NULL);
    question->wants_thread_names = true;
    question->wants_bytes = true;
    question->wants_row = is_used;
}

// find finds or adds a pool; *out_pool is NULL if there are too many.
static lp_err
find(query_pools *pools, uint32_t thread_name, query_pool **out_pool)
{
    char text[QUERY_POOL_NAME_BYTES];
    query_pool_name(query_names_text(pools->names, thread_name), text);
    uint32_t name = query_names_add(pools->names, text);
    uint32_t index;
    lp_err err = LP_FIND_OR_ADD(&pools->items, &pools->by_name, name, QUERY_POOLS_MAX,
        &pools->is_truncated, &index, (query_pool){.name = name});
    *out_pool = index == LP_MAP_NONE ? NULL : &pools->items.items[index];
    return err;
}

static void
add_row(query_pool *pool, const query_row *row, const time_span *span)
{
    if (row->category == TIME_CPU) {
        pool->samples++;
        query_sum_add(&pool->cpu_ns, row->period_ns);
        return;
    }
    query_sum_add(&pool->alloc_bytes, row->bytes);
    if (time_category_is_blocked((time_category)row->category)) {
        query_sum_add(&pool->waits_ns[row->category], span->own_ns);
        query_sum_add(&pool->blocked_ns, span->own_ns);
    }
}

lp_err
query_pools_add(void *arg, const query_answer *answer)
{
    query_pools *pools = arg;
    pools_check(pools);
    query_pool *pool;
    lp_err err = find(pools, answer->context->thread_name, &pool);
    if (err != LP_OK || pool == NULL) {
        return err;
    }
    pool->threads++;
    for (size_t i = 0; i < answer->row_count; i++) {
        const time_span *span = &answer->spans[i];
        add_row(pool, &answer->rows[span->event], span);
    }
    return LP_OK;
}

// --- The answer

static int
compare(const void *a, const void *b, void *names)
{
    const query_pool *one = a;
    const query_pool *other = b;
    return LP_ORDER(other->cpu_ns, one->cpu_ns)
               ?: LP_ORDER(other->blocked_ns, one->blocked_ns)
               ?: strcmp(query_names_text(names, one->name), query_names_text(names, other->name));
}

void
query_pools_finish(query_pools *pools)
{
    pools_check(pools);
    LP_VEC_SORT(&pools->items, compare, pools->names);
}

static json_t *
waits_json(const query_pool *pool)
{
    json_t *waits = json_object();
    for (int i = 0; i < TIME_CATEGORY_COUNT; i++) {
        if (pool->waits_ns[i] != 0) {
            waits = query_json_set(
                waits, time_category_name((time_category)i), query_json_integer(pool->waits_ns[i]));
        }
    }
    return waits;
}

static json_t *
pool_json(const query_pool *pool, const query_names *names)
{
    return json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o}", "pool",
        query_json_name(query_names_text(names, pool->name)), "threads", (json_int_t)pool->threads,
        "samples", (json_int_t)pool->samples, "cpu_ns", query_json_integer(pool->cpu_ns),
        "alloc_bytes", query_json_integer(pool->alloc_bytes), "blocked_ns",
        query_json_integer(pool->blocked_ns), "waits", waits_json(pool));
}

json_t *
query_pools_json(const query_pools *pools, size_t limit, const query_outcome *outcome)
{
    pools_check(pools);
    size_t count = pools->items.count < limit ? pools->items.count : limit;
    json_t *list = QUERY_JSON_LIST(pool, pools->items.items, count, pool_json(pool, pools->names));
    return json_pack("{s:o, s:I, s:b}", "pools", list, "pool_count", (json_int_t)pools->items.count,
        "is_truncated", pools->is_truncated || outcome->is_truncated);
}
