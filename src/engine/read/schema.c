// SPDX-License-Identifier: Apache-2.0
#include "engine/read/schema.h"

#include "common/base/lp_assert.h"

#include <stdlib.h>

int64_t
compact_schema_ticks(const compact_schema *schema, int64_t ns)
{
    LP_ASSERT(schema->ticks_per_s > 0);
    __int128 product = (__int128)ns * schema->ticks_per_s;
    __int128 ticks = (product + 999999999) / 1000000000;
    return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

compact_schema *
compact_schema_hold(compact_schema *schema)
{
    if (schema != NULL) {
        atomic_fetch_add_explicit(&schema->uses, 1, memory_order_relaxed);
    }
    return schema;
}

void
compact_schema_release(compact_schema *schema)
{
    if (schema == NULL) {
        return;
    }
    unsigned uses = atomic_fetch_sub_explicit(&schema->uses, 1, memory_order_acq_rel);
    LP_ASSERT(uses > 0);
    if (uses > 1) {
        return;
    }
    jfr_layout_fini(&schema->layout);
    jfr_metadata_fini(&schema->metadata);
    free(schema->plans);
    free(schema);
}

bool
compact_schema_is_like(const compact_schema *schema, const compact_schema *other)
{
    return jfr_metadata_is_same(&schema->metadata, &other->metadata);
}
