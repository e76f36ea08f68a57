// SPDX-License-Identifier: Apache-2.0
// chunk_facts: what a compacted chunk says about itself, for a catalog that has lost its row.
//
// It has what is in the chunk; how many events were dropped by which setting, of its events
// dev.loupe.Accounting; and how many requests there were and why they are kept, of its event
// dev.loupe.RequestAccounting. What only the compaction knew is not there: the bytes of dropped
// events (bytes_in has those of the kept ones), and statistics of contexts that were eliminated.
//
// Threads: any thread.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#ifndef LP_COLLECTOR_CHUNK_FACTS_H
#define LP_COLLECTOR_CHUNK_FACTS_H

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/rollup/rollup_id.h"

typedef struct chunk_facts {
    int64_t start_wall_ns;
    int64_t duration_ns;
    catalog_totals totals;
    char *types_json; // of catalog_chunk
    rollup_ids ids;   // of its contexts, tidy
} chunk_facts;

// chunk_facts_read reads a whole chunk.
//
// Owns:   on LP_OK the caller ends *out_facts with chunk_facts_fini.
// Errors: LP_ECORRUPT, LP_EVERSION, LP_ELIMIT it is none that can be read; LP_ENOMEM
LP_MUST_USE lp_err chunk_facts_read(
    lp_slice chunk, chunk_facts *out_facts, lp_problem *out_problem);
void chunk_facts_fini(chunk_facts *facts);

// chunk_facts_find_ids adds the ids among the attributes of the contexts of a chunk.
// Errors: as chunk_facts_read
LP_MUST_USE lp_err chunk_facts_find_ids(lp_slice chunk, rollup_ids *ids);

#endif // LP_COLLECTOR_CHUNK_FACTS_H
