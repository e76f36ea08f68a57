// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_heatmap.h"

#include "collector/grafana/grafana_flame.h"
#include "common/base/lp_assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROFILE_BYTES = 128, PER_OCTAVE = 4 };

static const int64_t NS_PER_MS = 1000000;

int64_t
grafana_heatmap_time(const json_t *map, size_t column)
{
    const char *t0_ns = json_string_value(json_object_get(map, "t0_ns"));
    int64_t step_ns = json_integer_value(json_object_get(map, "step_ns"));
    int64_t begin_ns = t0_ns == NULL ? 0 : strtoll(t0_ns, NULL, 10);
    return (begin_ns + (int64_t)column * step_ns) / NS_PER_MS;
}

// least_of returns the least duration of a bucket, which it excludes, in nanoseconds.
static double
least_of(json_int_t bucket)
{
    return bucket < 0 ? 0 : exp2((double)bucket / PER_OCTAVE);
}

static const json_t *
get(const json_t *array, size_t index)
{
    return json_array_get(array, index);
}

json_t *
grafana_heatmap_exemplars(const json_t *map, size_t column)
{
    LP_ASSERT(map != NULL);
    char profile[PROFILE_BYTES];
    json_t *list = json_array();
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(map, "exemplars"), i, one)
    {
        const char *recording = json_string_value(get(one, 2));
        const char *id = json_string_value(get(one, 3));
        if (recording == NULL || id == NULL ||
            json_integer_value(get(one, 0)) != (json_int_t)column) {
            continue;
        }
        (void)snprintf(profile, sizeof(profile), "%s/%s", recording, id);
        (void)json_array_append_new(list,
            json_pack("{s:o, s:s, s:o}", "timestamp",
                grafana_flame_whole(grafana_heatmap_time(map, column)), "profileId", profile,
                "value", grafana_flame_whole(llround(least_of(json_integer_value(get(one, 1)))))));
    }
    return list;
}

// A range of buckets, none if last is below first.
typedef struct range {
    json_int_t first;
    json_int_t last;
} range;

static range
find_range(const json_t *columns)
{
    range found = {.first = INT32_MAX, .last = INT32_MIN};
    size_t i;
    size_t k;
    json_t *column;
    json_t *cell;
    json_array_foreach((json_t *)(uintptr_t)columns, i, column)
    {
        json_array_foreach(column, k, cell)
        {
            json_int_t bucket = json_integer_value(get(cell, 0));
            found.first = bucket < found.first ? bucket : found.first;
            found.last = bucket > found.last ? bucket : found.last;
        }
    }
    return found;
}

// add_buckets adds the buckets of a column to a slot. Cells are in the order of buckets.
static void
add_buckets(json_t *slot, const json_t *column, range of)
{
    json_t *least = json_array();
    json_t *counts = json_array();
    size_t next = 0;
    for (json_int_t bucket = of.first; bucket <= of.last; bucket++) {
        const json_t *cell = get(column, next);
        bool has = cell != NULL && json_integer_value(get(cell, 0)) == bucket;
        json_int_t count = has ? json_integer_value(get(cell, 1)) : 0;
        next += has;
        (void)json_array_append_new(least, json_real(least_of(bucket)));
        (void)json_array_append_new(counts, json_integer(count < INT32_MAX ? count : INT32_MAX));
    }
    (void)json_object_set_new(slot, "yMin", least);
    (void)json_object_set_new(slot, "counts", counts);
}

json_t *
grafana_heatmap_slots(const json_t *map)
{
    LP_ASSERT(map != NULL);
    const json_t *columns = json_object_get(map, "columns");
    const range of = find_range(columns);
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(columns); i++) {
        json_t *slot =
            json_pack("{s:o, s:o}", "timestamp", grafana_flame_whole(grafana_heatmap_time(map, i)),
                "exemplars", grafana_heatmap_exemplars(map, i));
        add_buckets(slot, get(columns, i), of);
        (void)json_array_append_new(list, slot);
    }
    return list;
}

double
grafana_heatmap_amount(const json_t *series)
{
    double sum = 0;
    size_t i;
    size_t k;
    json_t *slot;
    json_t *count;
    json_array_foreach(json_object_get(series, "slots"), i, slot)
    {
        json_array_foreach(json_object_get(slot, "counts"), k, count)
        {
            sum += json_number_value(count);
        }
    }
    return sum;
}
