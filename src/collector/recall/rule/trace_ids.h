// SPDX-License-Identifier: Apache-2.0

// trace_ids: the ids of kept traces (trace_keep.h) on their way between collectors that share a
// catalog. Each one puts its own here, from where the others fetch them (pin_peers.h).
//
// Threads: any; a mutex protects them.
// Tests:   tests/unit/collector/recall/rule/test_trace_ids.c
// Memory:  1.6 MB for its own ids, and up to as much for those of the others

#pragma once

#include "common/rollup/rollup_id.h"

#include <stddef.h>
#include <stdint.h>

enum {
    TRACE_IDS_OWN_MAX = 200000,   // a collector that is further behind misses some
    TRACE_IDS_HEARD_MAX = 200000, // that were not taken; further ones are left out
    TRACE_IDS_READ_MAX = 20000,   // in one answer
};

typedef struct trace_ids trace_ids;

// trace_ids_create returns NULL if memory ran out.
trace_ids *trace_ids_create(void);
void trace_ids_destroy(trace_ids *ids); // NULL is fine

// trace_ids_put adds an id of this collector.
void trace_ids_put(trace_ids *ids, uint64_t hash);

// How far a collector has read the ids of another one. {0}: it has read none.
typedef struct trace_ids_mark {
    uint64_t run;  // of the process whose ids they are, below 2^63
    uint64_t next; // the number of the next id
} trace_ids_mark;

// trace_ids_read copies this collector's ids since a mark, and advances the mark. A mark of another
// process begins with the oldest id that is there. Returns how many ids were missed.
uint64_t trace_ids_read(
    trace_ids *ids, trace_ids_mark *mark, uint64_t out[TRACE_IDS_READ_MAX], size_t *out_count);

// trace_ids_hear adds ids of another collector. Returns how many were left out.
size_t trace_ids_hear(trace_ids *ids, const uint64_t *hashes, size_t count);

// trace_ids_take moves the ids of other collectors to an empty vector.
void trace_ids_take(trace_ids *ids, rollup_hashes *out);
