// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_allowance.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>

enum { MINUTE_MS = 60 * 1000 };

static const int64_t AT_ONCE_MAX = (int64_t)1 << 40;

// Restores the allowance up to now_ms.
static void
give_back(ship_allowance *self, const ship_allowance_limit *limit, int64_t now_ms)
{
    LP_ASSERT(limit->per_minute >= 1);
    LP_ASSERT(limit->at_once > 0 && limit->at_once <= AT_ONCE_MAX);
    int64_t passed_ms = now_ms - self->at_ms;
    if (passed_ms <= 0) {
        return;
    }
    self->at_ms = now_ms;
    bool is_all = passed_ms > self->taken / limit->per_minute;
    self->taken = is_all ? 0 : self->taken - passed_ms * limit->per_minute;
}

bool
ship_allowance_is_open(ship_allowance *self, const ship_allowance_limit *limit, int64_t now_ms)
{
    give_back(self, limit, now_ms);
    bool is_open = self->taken < limit->at_once * MINUTE_MS;
    if (!is_open && !self->is_reached) {
        self->reached_count++;
        if (now_ms >= self->log_ms) {
            self->log_ms = now_ms + MINUTE_MS;
            lp_log(LP_LOG_WARN,
                "the collector exceeds a limit of the agent and has to wait: %s "
                "(%" PRIu64 " times so far)",
                limit->what, self->reached_count);
        }
    }
    self->is_reached = !is_open;
    return is_open;
}

void
ship_allowance_take(
    ship_allowance *self, const ship_allowance_limit *limit, int64_t amount, int64_t now_ms)
{
    LP_ASSERT(amount >= 0);
    give_back(self, limit, now_ms);
    self->taken += amount * MINUTE_MS;
}

int64_t
ship_allowance_get_open_ms(const ship_allowance *self, const ship_allowance_limit *limit)
{
    int64_t over = self->taken - limit->at_once * MINUTE_MS;
    return over < 0 ? self->at_ms : self->at_ms + over / limit->per_minute + 1;
}
