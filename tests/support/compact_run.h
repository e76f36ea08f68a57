// SPDX-License-Identifier: Apache-2.0
// compact_run: a session of chunks through the engine, as the collector does it: each with
// those behind it as look-ahead and with what the one before left.

#pragma once

#include "support/jfr_read.h"

#include "engine/compact.h"
#include "engine/write/merge.h"

// How carry-overs get from one chunk to the next, and how many chunks are looked at behind it.
typedef enum compact_run_carry {
    COMPACT_RUN_AS_IT_IS,
    COMPACT_RUN_SAVED,      // saved, and loaded again
    COMPACT_RUN_ONE_BEHIND, // as it is; the next one alone is looked at, where others are all
} compact_run_carry;

// compact_run compacts count chunks into out_results, which the caller ends with
// compact_result_fini each. Any error aborts with its text.
void compact_run(const compact_source *chunks, size_t count, const policy *rules,
    compact_run_carry how, compact_result *out_results);

// compact_run_with does the same with any options; carry-overs are as they are.
void compact_run_with(const compact_source *chunks, size_t count, const compact_options *options,
    compact_result *out_results);

// compact_run_how does it with any options and in any way.
void compact_run_how(const compact_source *chunks, size_t count, const compact_options *options,
    compact_run_carry how, compact_result *out_results);

// compact_run_read opens the output, without the events dev.loupe.ContextAttribute, which come
// last, and without the event dev.loupe.Accounting before them, which there has to be if anything
// was dropped: it has to say what the statistics do, for each type of which something was dropped
// and no other, and to have the time of the chunk. Anything else aborts.
void compact_run_read(const compact_result *result, jfr_read *out_read);

// compact_run_through_bytes saves carry, loads it, and expects the same bytes of what was loaded,
// which the caller ends with compact_carry_destroy.
compact_carry *compact_run_through_bytes(const compact_carry *carry);

// compact_run_add_to_merge adds a chunk of source, by the policy rules, to merge. Errors: those of
// compact_view_open_enumerations, without any effect.
lp_err compact_run_add_to_merge(
    compact_merge *merge, uint32_t source, lp_slice chunk, const policy *rules);

// compact_run_policy reads a policy out of the text of a .jfc file's events (what stands within
// <configuration>). The caller ends it with policy_destroy.
policy *compact_run_policy(const char *events);
