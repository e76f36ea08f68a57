// SPDX-License-Identifier: Apache-2.0
// chunk_facts: the facts about a compacted chunk that can be read from the chunk itself, for a
// catalog that has lost the chunk's row.
//
// All events of the chunk give the facts of its content. The events dev.loupe.Accounting give the
// number of events that each setting dropped. The events dev.loupe.RequestAccounting give the
// number of requests, and why they were kept. Some facts are lost: the bytes of dropped events
// (bytes_in counts the kept ones), and the statistics of dropped contexts.
//
// Threads: any thread.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#pragma once

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/rollup/rollup_id.h"

typedef struct chunk_facts {
    int64_t start_wall_ns;
    int64_t duration_ns;
    catalog_totals totals;
    char *types_json; // of catalog_chunk
    rollup_ids ids;   // of its contexts, sorted and unique
} chunk_facts;

// chunk_facts_read reads a whole chunk.
//
// Owns:   on LP_OK the caller ends *out_facts with chunk_facts_fini.
// Errors: LP_ECORRUPT, LP_EVERSION, LP_ELIMIT if it is no readable chunk; LP_ENOMEM
LP_MUST_USE lp_err chunk_facts_read(
    lp_slice chunk, chunk_facts *out_facts, lp_problem *out_problem);
void chunk_facts_fini(chunk_facts *facts);

// chunk_facts_find_ids adds the ids in the attributes of a chunk's contexts to *ids. Errors: as
// chunk_facts_read
LP_MUST_USE lp_err chunk_facts_find_ids(lp_slice chunk, rollup_ids *ids);
