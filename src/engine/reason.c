// SPDX-License-Identifier: Apache-2.0
#include "engine/reason.h"

#include "common/base/lp_assert.h"

#include <stddef.h>

static const struct {
    const char *name;
    const char *field;
} reasons[COMPACT_REASON_COUNT] = {
#define COMPACT_REASON(id, name, field, label) [COMPACT_BY_##id] = {name, field},
#include "engine/reasons.def"
};

const char *
compact_reason_name(compact_reason reason)
{
    LP_ASSERT(reason < COMPACT_REASON_COUNT);
    return reasons[reason].name;
}

const char *
compact_reason_field(compact_reason reason)
{
    LP_ASSERT(reason < COMPACT_REASON_COUNT);
    return reasons[reason].field;
}

uint64_t
compact_dropped_sum(const compact_dropped *dropped)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        sum += dropped->by[i];
    }
    return sum;
}

void
compact_dropped_add(compact_dropped *total, const compact_dropped *dropped)
{
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        total->by[i] += dropped->by[i];
    }
}
