// SPDX-License-Identifier: Apache-2.0
// reconcile: compares the catalog of a data directory with the files of its chunks, and has them
// agree again.
//
// A catalog that is damaged is put aside, as catalog.db.damaged-TIME, and made again: of the rows
// that can be read in it, and for what is missing then of the files. A session's names come from
// its session.pb (or are "unknown"), the rest of its chunks (chunk_facts.h). Gone then are: the
// statistics of its contexts, its carry-over, and the number of the next batch, which the agent
// knows. Each is counted in the session's losses.
//
// Threads: one thread; nobody else has the catalog open.
// Tests:   tests/unit/collector/mend/test_reconcile.c, test_reconcile_catalog.c
// Cost:    2 us for each chunk, of names and sizes alone, unless it is thorough: then all chunks
//          are read
// Memory:  40 bytes for each session, 100 for each chunk of one; that of a chunk that is read

#ifndef LP_COLLECTOR_RECONCILE_H
#define LP_COLLECTOR_RECONCILE_H

#include "collector/mend/reconciler.h"
#include "common/base/lp_err.h"

// reconcile_run does it.
// Errors: LP_ECLOSED; LP_EVERSION a later program wrote the catalog (or an earlier one, where it is
//         not repairing); LP_ENOENT there is none, and nothing is repaired; those of a catalog
LP_MUST_USE lp_err reconcile_run(
    const reconcile_config *config, reconcile_counts *out_counts, lp_problem *out_problem);

#endif // LP_COLLECTOR_RECONCILE_H
