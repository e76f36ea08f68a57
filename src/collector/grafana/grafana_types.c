// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_types.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"

#include <stdio.h>
#include <string.h>

enum { PART_BYTES = 32 };

static const grafana_type types[] = {
    {"process_cpu:cpu:nanoseconds:cpu:nanoseconds", "cpu", true},
    {"wall:wall:nanoseconds:wall:nanoseconds", "time", true},
    {"memory:alloc_sample_bytes:bytes:space:bytes", "alloc", true},
    {"mutex:delay:nanoseconds:mutex:count", "lock", true},
    {"block:delay:nanoseconds:block:count", "park", true},
    {"memory:alloc_sample_objects:count:space:bytes", "allocs", true},
    {"mutex:contentions:count:mutex:count", "locks", true},
    {"block:contentions:count:block:count", "parks", true},
    {"loupe:time:nanoseconds:time:nanoseconds", "time", false},
    {"loupe:requests:count:requests:count", NULL, false},
};

const grafana_type *
grafana_types_find(const char *id)
{
    return LP_FIND(types, LP_COUNT(types), strcmp(at->id, id) == 0);
}

const grafana_type *
grafana_types_get(size_t index)
{
    return index < LP_COUNT(types) ? &types[index] : NULL;
}

json_t *
grafana_types_json(const grafana_type *type)
{
    static const char *const keys[] = {
        "name", "sampleType", "sampleUnit", "periodType", "periodUnit"};
    char parts[LP_COUNT(keys)][PART_BYTES];
    int count = sscanf(type->id, "%31[^:]:%31[^:]:%31[^:]:%31[^:]:%31[^:]", parts[0], parts[1],
        parts[2], parts[3], parts[4]);
    LP_ASSERT(count == (int)LP_COUNT(keys));
    json_t *json = json_pack("{s:s}", "ID", type->id);
    for (size_t i = 0; i < LP_COUNT(keys); i++) {
        (void)json_object_set_new(json, keys[i], json_string(parts[i]));
    }
    return json;
}
