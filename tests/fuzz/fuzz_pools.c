// SPDX-License-Identifier: Apache-2.0
// The payload of a checkpoint event, read with the types of jfr_sample; everything in it marked,
// and what that leads to.

#include "fuzz.h"
#include "support/jfr_sample.h"

#include "common/base/lp_assert.h"
#include "common/jfr/rewrite/jfr_pools_mark.h"

// The types, made once for all inputs.
static jfr_build build;
static jfr_metadata metadata;
static jfr_layout layout;

static void
make_types(void)
{
    jfr_sample_begin(&build, 0);
    jfr_metadata_init(&metadata);
    lp_slice payload = jfr_build_payload(&build, build.metadata_offset);
    LP_ASSERT(jfr_metadata_add(&metadata, payload, NULL) == LP_OK);
    LP_ASSERT(jfr_metadata_resolve(&metadata, NULL) == LP_OK);
    LP_ASSERT(jfr_layout_init(&layout, &metadata, NULL) == LP_OK);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (metadata.types.count == 0) {
        make_types();
    }
    jfr_pools pools;
    lp_problem problem;
    lp_slice chunk = {bytes, count};
    LP_ASSERT(jfr_pools_init(&pools, chunk, &metadata, &layout) == LP_OK);
    if (jfr_pools_add(&pools, &metadata, chunk, &problem) == LP_OK) {
        LP_ASSERT(jfr_pools_index(&pools) == LP_OK);
        for (uint32_t type = 0; type < pools.pool_count; type++) {
            for (size_t i = 0; i < pools.pools[type].constants.count; i++) {
                jfr_constant *constant = &pools.pools[type].constants.items[i];
                LP_ASSERT(
                    constant->offset <= count && constant->size_bytes <= count - constant->offset);
                jfr_pools_mark(&pools, type, constant->key);
            }
        }
        LP_ASSERT(jfr_pools_mark_reachable(&pools) == LP_OK);
    } else {
        LP_ASSERT(!problem.has_offset || problem.offset <= count);
    }
    jfr_pools_fini(&pools);
    return 0;
}
