// SPDX-License-Identifier: Apache-2.0

// stats: adds up the statistics of chunks (types.h).
//
// Threads: one thread at a time for each total.
// Tests:   tests/unit/engine/write/test_output.c, tests/unit/engine/test_hostile.c

#pragma once

#include "common/base/lp_err.h"
#include "engine/types.h"
#include "policy/policy.h"

// compact_stats_add adds the statistics of a chunk to a total over several chunks. The total starts
// zeroed; compact_stats_fini frees it. Types with the same name are added up.
LP_MUST_USE lp_err compact_stats_add(compact_stats *total, const compact_stats *chunk);
void compact_stats_fini(compact_stats *stats);

// compact_stats_push adds a type and copies its name. Returns the type, which is valid until the
// next type is added; NULL if memory ran out.
compact_type_stats *compact_stats_push(compact_stats *stats, const char *name);

// compact_stats_add_misfit adds a type to the misfits, unless they have it. attribute is NULL
// unless kind is COMPACT_MISFIT_INDEX. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_stats_add_misfit(
    compact_stats *stats, const char *name, compact_misfit_kind kind, const char *attribute);

// compact_stats_check warns once of each setting in rules that does not apply to a misfit. rules
// may be NULL.
void compact_stats_check(const compact_stats *stats, policy *rules);
