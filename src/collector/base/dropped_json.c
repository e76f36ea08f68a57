// SPDX-License-Identifier: Apache-2.0
#include "collector/base/dropped_json.h"

json_t *
dropped_json(const compact_dropped *dropped)
{
    json_t *json = json_object();
    for (compact_reason i = 0; i < COMPACT_REASON_COUNT; i++) {
        json_t *count = dropped->by[i] > 0 ? json_integer((json_int_t)dropped->by[i]) : NULL;
        if (dropped->by[i] > 0 && json_object_set_new(json, compact_reason_name(i), count) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}
