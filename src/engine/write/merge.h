// SPDX-License-Identifier: Apache-2.0
// merge: the common type ids, key ranges and clock of a file that has chunks of several JVMs
// (docs/internals/recordings.md#several-jvms-in-one-recording).
//
//   compact_merge_create, compact_merge_add for all chunks, compact_merge_number
//   then compact each chunk with the merge in its compact_source, in any order, on any thread
//
// The same chunks in the same order make the same merge.
//
// Threads: made by one thread, then read by any.
// Tests:   tests/unit/engine/write/test_merge.c
// Memory:  the metadata and enumerations of each JVM; until compact_merge_number several times as
//          much.

#pragma once

#include "common/base/lp_err.h"
#include "engine/read/view.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_merge compact_merge;

// compact_merge_create accepts up to JFR_REWRITE_SOURCES_MAX JVMs. NULL if memory ran out.
compact_merge *compact_merge_create(uint32_t source_count);
void compact_merge_destroy(compact_merge *merge);

// compact_merge_add adds the types, enumerations and start of a chunk of JVM number source (from
// 0). view was opened with compact_view_open_enumerations and the policy of the compaction. Types
// of earlier chunks keep their ids. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_merge_add(
    compact_merge *merge, uint32_t source, const compact_view *view);

// compact_merge_number numbers the types. Nothing may be added afterwards. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_merge_number(compact_merge *merge);

// compact_merge_find_schema returns a schema that the view of a chunk can share, borrowed from the
// merge. NULL if no chunk with these bytes was added.
compact_schema *compact_merge_find_schema(const compact_merge *merge, lp_slice chunk);

// --- For the engine

uint32_t compact_merge_source_count(const compact_merge *merge);

// compact_merge_zero_wall_ns returns the wall time of tick 0 of the file; its ticks are
// nanoseconds.
int64_t compact_merge_zero_wall_ns(const compact_merge *merge);

// compact_merge_find_ids returns, for each type of schema, its id in the file. NULL if no chunk of
// source with this schema was added.
const uint64_t *compact_merge_find_ids(
    const compact_merge *merge, uint32_t source, const compact_schema *schema);

// compact_merge_has_type returns whether a type has this id in the file.
bool compact_merge_has_type(const compact_merge *merge, uint64_t id);
