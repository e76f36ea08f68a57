// SPDX-License-Identifier: Apache-2.0
// catalog_days: how much came of each service in a day, for quotas. A row for each service of which
// something came, of the present day alone.
//
// They are in no other file, so a catalog that is made again begins the day anew.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/intake/test_day_quotas.c

#ifndef LP_COLLECTOR_STORE_CATALOG_DAYS_H
#define LP_COLLECTOR_STORE_CATALOG_DAYS_H

#include "collector/store/catalog/catalog.h"

typedef struct catalog_day {
    const char *service;
    int64_t day;        // since 1970, in UTC
    uint64_t bytes;     // of batches that were accepted, as they came
    uint64_t put_off;   // batches
    uint64_t bytes_max; // the quota as it was last asked for; 0: none
} catalog_day;

// catalog_days_put inserts or replaces the rows of count services, which are of `day`, and removes
// those of other days, in one transaction.
LP_MUST_USE lp_err catalog_days_put(
    catalog *catalog, const catalog_day *days, size_t count, int64_t day);

// catalog_days_list calls on_day for each, in no order. What it points to is lent until then.
LP_MUST_USE lp_err catalog_days_list(
    catalog *catalog, void (*on_day)(void *arg, const catalog_day *day), void *arg);

#endif // LP_COLLECTOR_STORE_CATALOG_DAYS_H
