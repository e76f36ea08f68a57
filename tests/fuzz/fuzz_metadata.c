// SPDX-License-Identifier: Apache-2.0
// One or two metadata events (the second half of the input, if its first byte is odd), resolved
// into types and compiled into layouts, which are then walked over the input itself.

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_walk.h"

static void
check_constants(void *arg, uint32_t type, const uint64_t *keys, size_t count)
{
    const jfr_metadata *metadata = arg;
    (void)keys;
    LP_ASSERT(type < metadata->types.count && count > 0);
}

static bool
wants_constants(void *arg, uint32_t type)
{
    const jfr_metadata *metadata = arg;
    LP_ASSERT(type < metadata->types.count);
    return type % 2 == 0;
}

static void
walk_all(jfr_metadata *metadata, lp_slice input)
{
    jfr_layout layout;
    lp_problem problem;
    if (jfr_layout_init(&layout, metadata, &problem) != LP_OK) {
        return;
    }
    for (size_t i = 0; i < metadata->types.count; i++) {
        jfr_cursor cursor = {input.ptr, input.ptr + input.len};
        const jfr_walk_visitor visitor = {check_constants, wants_constants, metadata};
        (void)jfr_walk(&layout, layout.types.items[i], &cursor, visitor);
        LP_ASSERT(cursor.at <= cursor.end);
        const jfr_type *type = &metadata->types.items[i];
        (void)jfr_metadata_find_field(metadata, type, "startTime");
        (void)jfr_metadata_find_attribute(metadata, type->element, "superType");
        LP_ASSERT(jfr_metadata_find_type(metadata, type->id) < metadata->types.count);
    }
    jfr_layout_fini(&layout);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count == 0) {
        return 0;
    }
    size_t half = (bytes[0] & 1) == 0 ? count : 1 + (count - 1) / 2;
    lp_slice first = {bytes + 1, half - 1};
    lp_slice second = {bytes + half, count - half};
    lp_problem problem;
    jfr_metadata metadata;
    jfr_metadata_init(&metadata);
    lp_err err = jfr_metadata_add(&metadata, first, &problem);
    if (err == LP_OK && second.len > 0) {
        err = jfr_metadata_add(&metadata, second, &problem);
    }
    if (err == LP_OK && jfr_metadata_resolve(&metadata, &problem) == LP_OK) {
        walk_all(&metadata, first);
    }
    jfr_metadata_fini(&metadata);
    return 0;
}
