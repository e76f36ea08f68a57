// SPDX-License-Identifier: Apache-2.0
// rollup_id: ids among the attributes of contexts, as an index has them: those of traces and spans,
// known by their names, and those that a policy marks (policy_index.h).
//
// A hash is that of the value alone: who looks for a value finds it in whichever attribute it is,
// and looks up once.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/rollup/test_rollup.c

#ifndef LP_COMMON_ROLLUP_ROLLUP_ID_H
#define LP_COMMON_ROLLUP_ROLLUP_ID_H

#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { ROLLUP_ID_BYTES_MAX = 128 }; // a longer text is no id

typedef LP_VEC(uint64_t) rollup_hashes;

// The hashes of the ids that contexts of a chunk have; {0} has none. An id may be there several
// times: one that is in both lists is one of a kept context.
typedef struct rollup_ids {
    rollup_hashes kept;
    rollup_hashes dropped;
} rollup_ids;

void rollup_ids_fini(rollup_ids *ids);

// rollup_ids_tidy puts both lists in order, and leaves each id in one of them once.
void rollup_ids_tidy(rollup_ids *ids);

// rollup_id_is_trace and rollup_id_is_span return whether an attribute is called trace id or span
// id, in one of the ways to write that: traceId, trace_id, TRACE-ID, trace.id.
bool rollup_id_is_trace(const char *attribute_name);
bool rollup_id_is_span(const char *attribute_name);

// rollup_id_hash returns the hash of an id, on every machine and in every version the same. Upper
// case counts as lower case. False where the text is no id: it is empty, or too long.
//
// It is lp_hash_number with LP_HASH_FIXED_NUMBER: of the length, then of the hash so far XOR each
// eight bytes, of which the first is the lowest and the last ones are 0 where there are no more.
bool rollup_id_hash(lp_slice text, uint64_t *out_hash);

#endif // LP_COMMON_ROLLUP_ROLLUP_ID_H
