// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/periods.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "policy/policy_value.h"

#include <string.h>

void
query_periods_fini(query_periods *periods)
{
    LP_VEC_FINI(&periods->items);
    *periods = (query_periods){0};
}

// --- Settings

bool
query_periods_is_sample(const query_type *type)
{
    return type->role == QUERY_ROLE_EVENT && type->of.category == TIME_CPU &&
           type->of.period == NULL;
}

// read_period returns the sampling period in a setting; 0 if it is another setting.
static int64_t
read_period(query_chunk *chunk, const query_event *event)
{
    uint32_t named = query_chunk_named_type(chunk, event);
    if (named == JFR_NONE || !query_periods_is_sample(&chunk->types[named])) {
        return 0; // as most settings, whose texts are not read
    }
    const query_setting setting = query_chunk_setting(chunk, event);
    char value[32];
    int64_t ns;
    if (setting.type == JFR_NONE || !query_setting_is(setting.name, "period") ||
        setting.value.len >= sizeof(value)) {
        return 0;
    }
    memcpy(value, setting.value.ptr, setting.value.len);
    value[setting.value.len] = '\0';
    return policy_value_timespan(value, &ns) && ns > 0 && ns < INT64_MAX ? ns : 0;
}

// --- Order

// is_behind returns whether a setting comes after a time in a chunk.
static bool
is_behind(const query_period *period, uint32_t chunk, int64_t ticks)
{
    return period->chunk != chunk ? period->chunk > chunk : period->from > ticks;
}

static size_t
find_behind(const query_periods *periods, uint32_t chunk, int64_t ticks)
{
    return LP_BISECT(periods->items.items, 0, periods->items.count, !is_behind(at, chunk, ticks));
}

lp_err
query_periods_add(
    query_periods *periods, query_chunk *chunk, uint32_t index, const query_event *event)
{
    LP_ASSERT(event->type->role == QUERY_ROLE_SETTING);
    LP_ASSERT(periods->items.count <= QUERY_PERIODS_MAX);
    int64_t ns = read_period(chunk, event);
    if (ns == 0) {
        return LP_OK;
    }
    if (periods->items.count == QUERY_PERIODS_MAX) {
        periods->is_truncated = true;
        return LP_OK;
    }
    LP_TRY(LP_VEC_ADD(&periods->items, (query_period){0}));
    query_period *at = &periods->items.items[periods->items.count - 1];
    for (; at > periods->items.items && is_behind(&at[-1], index, event->commit); at--) {
        *at = at[-1];
    }
    *at = (query_period){.from = event->commit, .ns = ns, .chunk = index, .offset = event->offset};
    return LP_OK;
}

query_period *
query_periods_of(const query_periods *periods, uint32_t chunk, size_t *out_count)
{
    size_t end = find_behind(periods, chunk, INT64_MAX);
    size_t begin = chunk == 0 ? 0 : find_behind(periods, chunk - 1, INT64_MAX);
    LP_ASSERT(begin <= end && end <= periods->items.count);
    *out_count = end - begin;
    return end == begin ? NULL : periods->items.items + begin;
}

query_period *
query_periods_find(const query_periods *periods, uint32_t chunk, int64_t ticks)
{
    LP_ASSERT(periods->items.count <= QUERY_PERIODS_MAX);
    size_t own_count;
    query_period *own = query_periods_of(periods, chunk, &own_count);
    size_t behind = find_behind(periods, chunk, ticks);
    query_period *items = periods->items.items;
    LP_REQUIRE(periods->items.count != 0, NULL);
    if (own_count > 0 && own->from > ticks) {
        return own;
    }
    return behind == 0 ? items : items + behind - 1;
}
