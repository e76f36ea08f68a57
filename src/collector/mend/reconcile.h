// SPDX-License-Identifier: Apache-2.0
// reconcile: compares the catalog of a data directory with the files of its chunks, and makes them
// agree.
//
// A damaged catalog is renamed to catalog.db.damaged-TIME, and a new one is built from its readable
// rows. Data that these rows lack comes from the files: a session's names from its session.pb
// (else "unknown"), other data from its chunks (chunk_facts.h). Some data is lost: the statistics
// of the contexts, the carry-over, and the number of the next batch, which the agent knows. Each of
// these counts in the session's losses.
//
// Threads: one thread, while nobody else has the catalog open.
// Tests:   tests/unit/collector/mend/test_reconcile.c, test_reconcile_catalog.c
// Cost:    2 us for each chunk, to compare names and sizes; if is_thorough, it reads all chunks
// Memory:  40 bytes for each session, 100 for each chunk of the current session; the chunk that is
//          read

#pragma once

#include "collector/mend/reconcile_session.h"
#include "common/base/lp_err.h"

// reconcile_run compares the catalog with the files, and repairs if config->is_repairing.
// Errors: LP_ECLOSED; LP_EVERSION if a later version wrote the catalog; without
//         is_repairing also LP_EVERSION if an earlier version wrote it, and LP_ENOENT if there is
//         no catalog; as a catalog
LP_MUST_USE lp_err reconcile_run(
    const reconcile_config *config, reconcile_counts *out_counts, lp_problem *out_problem);
