// SPDX-License-Identifier: Apache-2.0
// rollup_id: attributes by which an index finds contexts: trace and span ids, recognised by the
// attribute's name, and attributes that a policy marks (policy_index.h).
//
// Only the value is hashed. One lookup finds it in any attribute.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/rollup/test_rollup.c

#pragma once

#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { ROLLUP_ID_BYTES_MAX = 128 }; // a longer text is no id

typedef LP_VEC(uint64_t) rollup_hashes;

// The hashes of the ids in the contexts of a chunk; {0} is empty. An id may appear several times.
// If it is in both lists, kept and dropped, a kept context has it.
typedef struct rollup_ids {
    rollup_hashes kept;
    rollup_hashes dropped;
    // If anybody asked for them: those of both lists that are trace ids, and trace ids of dropped
    // contexts that began before the chunk.
    rollup_hashes traces;
    rollup_hashes before;
} rollup_ids;

void rollup_ids_fini(rollup_ids *ids);

// rollup_ids_tidy sorts the lists and removes repeated ids, and kept ones from the dropped ones.
// before may have kept ones.
void rollup_ids_tidy(rollup_ids *ids);

// rollup_id_is_trace and rollup_id_is_span return whether an attribute's name means trace id or
// span id, in any spelling: traceId, trace_id, TRACE-ID, trace.id.
bool rollup_id_is_trace(const char *attribute_name);
bool rollup_id_is_span(const char *attribute_name);

// rollup_id_hash returns the hash of an id, the same on every machine and in every version. It
// ignores case. False if the text is empty or too long.
//
// The hash begins as lp_hash_number of the length, with the seed LP_HASH_FIXED_NUMBER. For each
// eight bytes of the text, little-endian and padded with 0, it becomes lp_hash_number of the hash
// XOR these bytes.
bool rollup_id_hash(lp_slice text, uint64_t *out_hash);
