// SPDX-License-Identifier: Apache-2.0

// day_quotas: how many bytes of batches came of each service today, in UTC, and whether more may
// come: `daily` in the files of policy_keep.h. What was accepted counts, as it came.
//
// The batch that reaches the quota is the last that is taken, so each day takes one, however large
// it is. The sums are in the catalog, up to a second late and without waiting for the disk: a
// collector that is killed forgets what came in that second.
//
// A clock that goes back over midnight begins no new day: the day goes on until the clock is past
// it again. One that goes back by more than that was wrong before, and its day begins.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/intake/test_day_quotas.c, tests/e2e/quota.py

#ifndef LP_COLLECTOR_SERVER_DAY_QUOTAS_H
#define LP_COLLECTOR_SERVER_DAY_QUOTAS_H

#include "collector/store/catalog/catalog.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // Of a day, without a .keep file of their own, that have a sum of their own; others share one.
    DAY_QUOTAS_SERVICES_MAX = 4096,
    DAY_QUOTAS_SAVED_AT_ONCE = 256, // in a tick
    // Until a batch that was put off is sent again: so late those come that may be taken meanwhile.
    DAY_QUOTAS_AGAIN_AFTER_MS = 10 * 1000,
};

typedef struct day_quotas day_quotas;

// day_quotas_next_day returns the day that it is, in days since 1970, where it was `day` until now.
int64_t day_quotas_next_day(int64_t day, int64_t now_wall_ns);

// day_quotas_is_over returns whether no more is taken of a service; bytes_max: its quota, 0: none.
bool day_quotas_is_over(uint64_t bytes, uint64_t bytes_max);

// day_quotas_create reads what came before a restart; where that is damaged the sums begin anew,
// which is logged. It borrows the catalog and the policies until
// day_quotas_destroy; NULL policies: there are no quotas. Errors: LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err day_quotas_create(
    catalog *catalog, policy_dir *policies, int64_t now_wall_ns, day_quotas **out_quotas);
void day_quotas_destroy(day_quotas *quotas); // NULL is fine

// day_quotas_admit returns whether a batch of the service may be taken now. One that may not be is
// counted, and out_problem says why.
bool day_quotas_admit(day_quotas *quotas, const char *service, lp_problem *out_problem);

// day_quotas_note counts bytes of a batch that was taken.
void day_quotas_note(day_quotas *quotas, const char *service, uint64_t bytes);

// day_quotas_tick begins the next day, looks for quotas that were changed, and saves a part of what
// is new.
void day_quotas_tick(day_quotas *quotas, int64_t now_wall_ns);

// day_quotas_save writes all that is new to the catalog.
void day_quotas_save(day_quotas *quotas);

#endif // LP_COLLECTOR_SERVER_DAY_QUOTAS_H
