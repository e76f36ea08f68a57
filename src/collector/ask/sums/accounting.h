// SPDX-License-Identifier: Apache-2.0
// accounting: the numbers of events of each type that came in, were kept, and were dropped by each
// setting, summed over chunks.
//
//   {"jdk.ExecutionSample": {"events_in": 9011, "events_out": 402,
//     "bytes_in": 198242, "bytes_out": 8844, "offered": 9011, "kept": 402,
//     "dropped": {"select": 8600, "threshold": 9}}, ..}
//
// kept equals events_out; offered is the sum of kept and all dropped.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/http/test_http.c, tests/unit/collector/ask/test_ask_rollups.c
// Memory:  some 1 KB for each type

#pragma once

#include "collector/store/catalog/catalog.h"

#include <jansson.h>

typedef struct accounting {
    json_t *types; // NULL: out of memory
    size_t types_max;
    bool is_truncated; // there are more than types_max
} accounting;

// accounting_begin returns an empty accounting. A caller that takes ownership of types sets it to
// NULL.
accounting accounting_begin(size_t types_max);
void accounting_fini(accounting *sums);

// accounting_add adds these chunks' numbers of events, from the catalog. Errors: as the catalog;
// LP_ENOMEM
LP_MUST_USE lp_err accounting_add(
    accounting *sums, catalog *from, const catalog_chunk_range *chunks);
