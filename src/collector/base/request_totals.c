// SPDX-License-Identifier: Apache-2.0
#include "collector/base/request_totals.h"

_Static_assert(COMPACT_REQUEST_KEPT_COUNT == CATALOG_REQUESTS_KEPT_BY + 1 &&
                   COMPACT_REQUEST_DROPPED_COUNT == CATALOG_REQUESTS_DROPPED_BY + 1,
    "the catalog has a column for each reason, but for none");

void
request_totals_add(
    catalog_totals *totals, uint64_t in, uint64_t out, const compact_request_reasons *reasons)
{
    totals->requests_in += in;
    totals->requests_out += out;
    for (size_t i = 0; i < CATALOG_REQUESTS_KEPT_BY; i++) {
        totals->requests_kept_by[i] += reasons->kept[i + 1];
    }
    for (size_t i = 0; i < CATALOG_REQUESTS_DROPPED_BY; i++) {
        totals->requests_dropped_by[i] += reasons->dropped[i + 1];
    }
}
