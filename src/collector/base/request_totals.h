// SPDX-License-Identifier: Apache-2.0
// request_totals: the columns of the catalog that count requests.
//
// Threads: any thread.
// Tests:   tests/unit/collector/mend/test_reconcile.c,
//          tests/unit/collector/server/test_server_policy.c

#pragma once

#include "collector/store/catalog/catalog.h"
#include "engine/request_reasons.h"

#include <stdint.h>

// request_totals_add adds the requests that ended in a chunk (in), the kept ones (out), and the
// reasons.
void request_totals_add(
    catalog_totals *totals, uint64_t in, uint64_t out, const compact_request_reasons *reasons);
