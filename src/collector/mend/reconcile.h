// SPDX-License-Identifier: Apache-2.0
// reconcile: compares the catalog of a data directory with the files of its chunks, and makes them
// agree.
//
// A damaged catalog is renamed to catalog.db.damaged-TIME and rebuilt: from its readable rows, and
// from the files for the rest. A session's names come from its session.pb (else "unknown"), other
// data from its chunks (chunk_facts.h). Lost are the statistics of its contexts, its carry-over,
// and the number of the next batch, which the agent knows. Each counts in the session's losses.
//
// Threads: one thread; nobody else has the catalog open.
// Tests:   tests/unit/collector/mend/test_reconcile.c, test_reconcile_catalog.c
// Cost:    2 us for each chunk, comparing names and sizes; if is_thorough, it reads all chunks
// Memory:  40 bytes for each session, 100 for each chunk of one; that of a chunk that is read

#pragma once

#include "collector/mend/reconcile_session.h"
#include "common/base/lp_err.h"

// reconcile_run compares, and repairs if config says so.
// Errors: LP_ECLOSED; LP_EVERSION a later program wrote the catalog (or an earlier one, if it does
//         not repair); LP_ENOENT no catalog, and it does not repair; as a catalog
LP_MUST_USE lp_err reconcile_run(
    const reconcile_config *config, reconcile_counts *out_counts, lp_problem *out_problem);
