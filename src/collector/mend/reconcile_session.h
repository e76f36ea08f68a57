// SPDX-License-Identifier: Apache-2.0
// reconcile_session: the part of reconcile.h for one session: its rows and its files.
//
// Threads: as reconcile.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#ifndef LP_COLLECTOR_RECONCILE_SESSION_H
#define LP_COLLECTOR_RECONCILE_SESSION_H

#include "collector/index/id_gather.h"
#include "collector/mend/reconcile.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/chunks/removals.h"

typedef struct reconciler {
    const reconcile_config *config;
    reconcile_counts *counts;
    catalog *catalog;
    blobs *blobs;
    const char *blobs_path;
    removal_list leaving; // files that wait for deletion
    id_rows ids;          // of added chunks
    int64_t sizes_end_ns; // monotonic; 0: sizes are always compared
} reconciler;

// reconcile_session_check compares the rows and files of a session. has_row: the catalog has the
// session.
// Errors: as a catalog; LP_ECLOSED, LP_ENOMEM. Problems of files are findings
LP_MUST_USE lp_err reconcile_session_check(reconciler *self, const char *session_id, bool has_row);

// reconcile_report counts a finding and passes it on.
void reconcile_report(reconciler *self, const finding *found);

#endif // LP_COLLECTOR_RECONCILE_SESSION_H
