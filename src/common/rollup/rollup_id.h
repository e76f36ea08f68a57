// SPDX-License-Identifier: Apache-2.0
// rollup_id: ids of traces and spans among the attributes of contexts, as an index has them.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/rollup/test_rollup.c

#ifndef LP_COMMON_ROLLUP_ROLLUP_ID_H
#define LP_COMMON_ROLLUP_ROLLUP_ID_H

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { ROLLUP_ID_BYTES_MAX = 128 }; // a longer text is no id

// An id that contexts of a chunk have.
typedef struct rollup_id {
    uint64_t hash;
    bool is_kept; // a context that has it is
} rollup_id;

// rollup_id_is_trace and rollup_id_is_span return whether an attribute is called trace id or span
// id, in one of the ways to write that: traceId, trace_id, TRACE-ID, trace.id.
bool rollup_id_is_trace(const char *attribute_name);
bool rollup_id_is_span(const char *attribute_name);

// rollup_id_hash returns the hash of an id, on every machine and in every version the same. Upper
// case counts as lower case. False where the text is no id: it is empty, or too long.
bool rollup_id_hash(lp_slice text, uint64_t *out_hash);

#endif // LP_COMMON_ROLLUP_ROLLUP_ID_H
