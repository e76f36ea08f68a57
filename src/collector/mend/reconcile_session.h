// SPDX-License-Identifier: Apache-2.0
// reconcile_session: the part of reconcile.h for one session: its rows and its files.
//
// Threads: as reconcile.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#pragma once

#include "collector/mend/reconciler.h"

// reconcile_session_check compares the rows and files of a session. has_row: the catalog has the
// session.
// Errors: as a catalog; LP_ECLOSED, LP_ENOMEM. Problems of files are findings
LP_MUST_USE lp_err reconcile_session_check(reconciler *self, const char *session_id, bool has_row);

// reconcile_limit_sizes ends the comparison of sizes in ms milliseconds.
void reconcile_limit_sizes(reconciler *self, int64_t ms);

// reconcile_is_ending returns whether the caller wants the run to end.
bool reconcile_is_ending(const reconciler *self);

// These count a finding and pass it on: one about a session (NULL: none), or about a chunk.
void reconcile_report(reconciler *self, finding_kind kind, const char *session_id,
    const char *detail, bool is_repaired);
void reconcile_report_chunk(reconciler *self, finding_kind kind, const char *session_id,
    uint32_t ordinal, const char *detail, bool is_repaired);
