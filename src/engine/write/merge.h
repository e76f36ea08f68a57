// SPDX-License-Identifier: Apache-2.0
// merge: the ids of types, the range of keys and the clock that the chunks of several JVMs have in
// common when they go into one file (docs/internals/merge.md).
//
//   compact_merge_create, compact_merge_add for all chunks, compact_merge_number
//   then the chunks are compacted with it in their compact_source, in any order and on any thread
//
// The same chunks, added in the same order, make the same merge.
//
// Threads: made by one thread, then read by any.
// Memory:  the metadata and the enumerations of each JVM; until compact_merge_number some times
//          that.

#ifndef LP_ENGINE_WRITE_MERGE_H
#define LP_ENGINE_WRITE_MERGE_H

#include "common/base/lp_err.h"
#include "engine/read/view.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_merge compact_merge;

// compact_merge_create is for up to JFR_REWRITE_SOURCES_MAX JVMs. NULL if memory ran out.
compact_merge *compact_merge_create(uint32_t source_count);
void compact_merge_destroy(compact_merge *merge);

// compact_merge_add adds the types, enumerations and the start of a chunk of the JVM source,
// counted from 0. view has its enumerations (compact_view_open_enumerations), by the policy by
// which the chunks are compacted. The types of chunks that are added first keep their ids. Errors:
// LP_ENOMEM
LP_MUST_USE lp_err compact_merge_add(
    compact_merge *merge, uint32_t source, const compact_view *view);

// compact_merge_number numbers the types; nothing is added any more. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_merge_number(compact_merge *merge);

// compact_merge_find_schema returns a schema with the types of the chunk that was added from these
// bytes, to open it with; lent as long as the merge. NULL if there is none.
compact_schema *compact_merge_find_schema(const compact_merge *merge, lp_slice chunk);

// --- For the engine

uint32_t compact_merge_source_count(const compact_merge *merge);

// compact_merge_zero_wall_ns is the wall time of tick 0 of the file, whose ticks are nanoseconds.
int64_t compact_merge_zero_wall_ns(const compact_merge *merge);

// compact_merge_find_ids returns the ids that the types of schema have in the file, parallel to
// them; NULL if no such chunk of source was added.
const uint64_t *compact_merge_find_ids(
    const compact_merge *merge, uint32_t source, const compact_schema *schema);

// compact_merge_has_type returns whether a type has this id in the file.
bool compact_merge_has_type(const compact_merge *merge, uint64_t id);

#endif // LP_ENGINE_WRITE_MERGE_H
