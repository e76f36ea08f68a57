// SPDX-License-Identifier: Apache-2.0
#include "engine/request_reasons.h"

#include "common/base/lp_assert.h"

#include <stddef.h>

// Carry-overs, catalogs and other collectors of a cluster store these numbers.
_Static_assert(COMPACT_REQUEST_KEPT_NO == 0, "");
_Static_assert(COMPACT_REQUEST_KEPT_PARTS == 1, "");
_Static_assert(COMPACT_REQUEST_KEPT_OPEN == 2, "");
_Static_assert(COMPACT_REQUEST_KEPT_EVENT == 3, "");
_Static_assert(COMPACT_REQUEST_KEPT_RARE == 4, "");
_Static_assert(COMPACT_REQUEST_KEPT_SLOWEST == 5, "");
_Static_assert(COMPACT_REQUEST_KEPT_SLOW == 6, "");
_Static_assert(COMPACT_REQUEST_KEPT_CONDITION == 7, "");
_Static_assert(COMPACT_REQUEST_DROPPED_NO == 0, "");
_Static_assert(COMPACT_REQUEST_DROPPED_BUDGET == 1, "");
_Static_assert(COMPACT_REQUEST_DROPPED_DROP == 2, "");

const char *
compact_request_kept_name(compact_request_kept_by kept_by)
{
    LP_ASSERT(kept_by < COMPACT_REQUEST_KEPT_COUNT);
    static const char *const names[COMPACT_REQUEST_KEPT_COUNT] = {
        [COMPACT_REQUEST_KEPT_NO] = "no",
#define COMPACT_REQUEST_KEPT(id, name, field, label) [COMPACT_REQUEST_KEPT_##id] = name,
#include "engine/request_reasons.def"
    };
    return names[kept_by];
}

const char *
compact_request_dropped_name(compact_request_dropped_by dropped_by)
{
    LP_ASSERT(dropped_by < COMPACT_REQUEST_DROPPED_COUNT);
    static const char *const names[COMPACT_REQUEST_DROPPED_COUNT] = {
        [COMPACT_REQUEST_DROPPED_NO] = "no",
#define COMPACT_REQUEST_DROPPED(id, name, field, label) [COMPACT_REQUEST_DROPPED_##id] = name,
#include "engine/request_reasons.def"
    };
    return names[dropped_by];
}

void
compact_request_reasons_add(compact_request_reasons *total, const compact_request_reasons *reasons)
{
    for (size_t i = 1; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        total->kept[i] += reasons->kept[i];
    }
    for (size_t i = 1; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        total->dropped[i] += reasons->dropped[i];
    }
}
