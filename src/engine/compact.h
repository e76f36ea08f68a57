// SPDX-License-Identifier: Apache-2.0

// compact: triggered-context elimination of one JFR chunk, as a pure function.
//
//   (chunk, context records, carry-over of the session, policy) -> (chunk, statistics, carry-over)
//
// No clock, no file, no network, no global state: the same input gives the same bytes, on any
// thread. docs/internals/elimination.md has the rules, and why these passes follow from them.
//
// Threads: any thread; one call's arguments belong to it until it returns.
// Memory:  bounded by the sizes of the chunk and of those behind it.
// Tests:   tests/unit/engine/test_variety.c, tests/unit/engine/test_hostile.c,
//          tests/prop/test_compact_prop.c, tests/e2e/corpus.py

#ifndef LP_ENGINE_COMPACT_H
#define LP_ENGINE_COMPACT_H

#include "common/base/lp_err.h"
#include "engine/carry/carry_bytes.h"
#include "engine/job/stats.h"
#include "engine/types.h"

// compact_chunk decides every event of chunk and writes what is kept.
//
// nexts are the following chunks of the session in their order, as many and as much of them as is
// known (none at the end): events stored in them that belong before the start of the first are
// heeded, and contextual events that began before that. carry is what the previous chunk of the
// session left (NULL for the first). options may be NULL for the defaults.
//
// Damage: what can be read of the chunk is compacted, and what was left out is in
//         out_result->damage: events that do not fit their type, everything behind a place where no
//         event begins, damaged constants. A length of chunk->jfr that differs from the header's
//         is damage, too, of no bytes. What can be read of damaged nexts is heeded.
// Owns:   on LP_OK the caller owns *out_result and ends it with compact_result_fini.
// Errors: LP_ECORRUPT, LP_EVERSION where header, metadata or context records cannot be read, or,
//         for damage that is refused (compact_options), with a problem that names the offset in
//         chunk->jfr (where it speaks of a context record: in chunk->records); LP_ELIMIT for a
//         chunk of over 4 GiB or more context types than a JVM can have; LP_ENOMEM.
LP_MUST_USE lp_err compact_chunk(const compact_source *chunk, const compact_source *nexts,
    size_t next_count, const compact_carry *carry, const compact_options *options,
    compact_result *out_result, lp_problem *out_problem);

// compact_result_fini frees what compact_chunk made.
void compact_result_fini(compact_result *result);

#endif // LP_ENGINE_COMPACT_H
