// SPDX-License-Identifier: Apache-2.0

// compact: triggered-context elimination of one JFR chunk, as a pure function.
//
//   (chunk, context records, carry-over of the session, policy) -> (chunk, statistics, carry-over)
//
// No clock, no file, no network, no global state: the same input gives the same bytes, on any
// thread. docs/internals/elimination.md has the rules, and derives the passes from them.
//
// Threads: any thread; a call owns its arguments until it returns.
// Memory:  bounded by the sizes of the chunk and of nexts.
// Tests:   tests/unit/engine/test_variety.c, tests/unit/engine/test_hostile.c,
//          tests/prop/test_compact_prop.c, tests/e2e/corpus.py

#pragma once

#include "common/base/lp_err.h"
#include "engine/job/stats.h"
#include "engine/types.h"

// compact_chunk decides every event of chunk and writes the kept ones.
//
// nexts are the known following chunks of the session in order (none at the end). Plain events in
// nexts are read if they were committed before the first of nexts starts. Contextual events in
// nexts are read if they began before the first of nexts starts. carry is the state that the
// previous chunk left; NULL for the first chunk. options may be NULL for the defaults.
//
// Damage: compact_chunk compacts the readable events of a damaged chunk, and uses the readable
//         events of damaged nexts. out_result->damage describes the rest: events that do not fit
//         their type, all bytes after a place where no event begins, damaged constants. If
//         chunk->jfr has another length than its header says, this is damage with no skipped bytes.
// Owns:   on LP_OK the caller owns *out_result and ends it with compact_result_fini.
// Errors: LP_ECORRUPT or LP_EVERSION if the header, the metadata or the context records cannot be
//         read, and for damage that options refuse. *out_problem then has an offset into
//         chunk->jfr, or into chunk->records for a context record. LP_ELIMIT for a chunk of over 4
//         GiB or more context types than a JVM can have. LP_ENOMEM
LP_MUST_USE lp_err compact_chunk(const compact_source *chunk, const compact_source *nexts,
    size_t next_count, const compact_carry *carry, const compact_options *options,
    compact_result *out_result, lp_problem *out_problem);

void compact_result_fini(compact_result *result);
