// SPDX-License-Identifier: Apache-2.0
// rollup_parts: a rollup as the catalog stores it, in parts of bytes (rollup_bytes.h), so that a
// reader decodes only the parts it needs. All parts added to an empty rollup make the whole.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/store/catalog/test_catalog_rollups.c

#ifndef LP_COLLECTOR_STORE_ROLLUP_PARTS_H
#define LP_COLLECTOR_STORE_ROLLUP_PARTS_H

#include "common/base/lp_buf.h"
#include "common/rollup/rollup.h"

typedef enum rollup_part {
    ROLLUP_PART_TYPES,     // all but the following
    ROLLUP_PART_EXEMPLARS, // and slices
    ROLLUP_PART_ATTRIBUTES,
    ROLLUP_PARTS,
} rollup_part;

// {0} is empty.
typedef struct rollup_parts {
    lp_buf of[ROLLUP_PARTS];
} rollup_parts;

// rollup_parts_encode encodes a rollup. Errors: LP_ENOMEM
LP_MUST_USE lp_err rollup_parts_encode(rollup_parts *parts, const rollup *rollup);
void rollup_parts_fini(rollup_parts *parts);

// rollup_parts_add adds parts to total. An empty one adds nothing. Errors: as rollup_bytes_add
LP_MUST_USE lp_err rollup_parts_add(
    rollup *total, const lp_slice parts[ROLLUP_PARTS], const char *recording);

// rollup_parts_read reads the parts of one chunk into an empty rollup, slices included. Errors: as
// rollup_bytes_add
LP_MUST_USE lp_err rollup_parts_read(
    rollup *chunk, const lp_slice parts[ROLLUP_PARTS], const char *recording);

#endif // LP_COLLECTOR_STORE_ROLLUP_PARTS_H
