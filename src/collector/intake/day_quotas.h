// SPDX-License-Identifier: Apache-2.0

// day_quotas: counts the bytes of each service's accepted batches today (in UTC), and decides
// whether to accept more. The quota is `daily` in the files of policy_keep.h.
//
// The batch that reaches the quota is the last accepted one. So each day at least one batch is
// accepted, however large. The catalog gets the sums within a second, without a sync: if the
// collector is killed, the last second is lost.
//
// If the clock is set back past midnight, the day lasts until the clock passes midnight again. If
// it is set back by more than a day, it was wrong before, and a new day begins.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/intake/test_day_quotas.c, tests/e2e/quota.py

#pragma once

#include "collector/store/catalog/catalog.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    // Services without a .keep file that have their own sum; further ones share a sum.
    DAY_QUOTAS_SERVICES_MAX = 4096,
    DAY_QUOTAS_SAVED_AT_ONCE = 256, // sums, in a tick
    // Until an agent retries a batch: it may notice a raised quota this late.
    DAY_QUOTAS_AGAIN_AFTER_MS = 10 * 1000,
};

typedef struct day_quotas day_quotas;

// day_quotas_next_day returns today, in days since 1970. `day` is the previous result.
int64_t day_quotas_next_day(int64_t day, int64_t now_wall_ns);

// day_quotas_is_over returns whether the quota bytes_max (0: none) is used up.
bool day_quotas_is_over(uint64_t bytes, uint64_t bytes_max);

// day_quotas_create loads the sums from the catalog. If they are damaged, it logs this and starts
// at zero. It borrows catalog and policies (NULL: no quotas) until day_quotas_destroy. Errors:
// LP_ENOMEM; as the catalog
LP_MUST_USE lp_err day_quotas_create(
    catalog *catalog, policy_dir *policies, int64_t now_wall_ns, day_quotas **out_quotas);
void day_quotas_destroy(day_quotas *quotas); // NULL is fine

// day_quotas_admit returns whether a batch of the service is accepted now. If not, it counts the
// batch and sets *out_problem.
bool day_quotas_admit(day_quotas *quotas, const char *service, lp_problem *out_problem);

// day_quotas_note counts the bytes of an accepted batch.
void day_quotas_note(day_quotas *quotas, const char *service, uint64_t bytes);

// day_quotas_tick begins a new day, applies changed quotas, and saves some of the changed sums.
void day_quotas_tick(day_quotas *quotas, int64_t now_wall_ns);

// day_quotas_save saves all changed sums.
void day_quotas_save(day_quotas *quotas);
