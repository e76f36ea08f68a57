// SPDX-License-Identifier: Apache-2.0
// catalog_days: for quotas, the bytes that each service sent today. Each service that sent bytes
// has a row. A rebuilt catalog has no rows: counting starts again at 0.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/intake/test_day_quotas.c

#pragma once

#include "collector/store/catalog/catalog.h"

typedef struct catalog_day {
    const char *service;
    int64_t day;        // days since 1970, in UTC
    uint64_t bytes;     // of accepted batches, as sent
    uint64_t put_off;   // deferred batches
    uint64_t bytes_max; // the quota that was last applied; 0: none
} catalog_day;

// catalog_days_put inserts or replaces count rows of `day`, and deletes the rows of all other days,
// in one transaction.
LP_MUST_USE lp_err catalog_days_put(
    catalog *catalog, const catalog_day *days, size_t count, int64_t day);

// catalog_days_list calls on_day for each row, in no order. The row is borrowed until on_day
// returns.
LP_MUST_USE lp_err catalog_days_list(
    catalog *catalog, void (*on_day)(void *arg, const catalog_day *day), void *arg);
