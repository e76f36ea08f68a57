// SPDX-License-Identifier: Apache-2.0
#include "collector/access/access_attempts.h"

#include "common/base/lp_assert.h"

static const int64_t S_NS = 1000000000;

// Each attempt takes ACCESS_ATTEMPT_S to be made good, one after the other; so many may wait for it
// as may be made at once.
unsigned
access_attempts_take(access_attempts *self, uint64_t key, int64_t now_ns)
{
    const int64_t step_ns = ACCESS_ATTEMPT_S * S_NS;
    unsigned wait_s = 0;
    (void)pthread_mutex_lock(&self->mutex);
    struct access_place *place = &self->places[key % ACCESS_ATTEMPT_PLACES];
    if (place->key != key || place->until_ns < now_ns) {
        *place = (struct access_place){.key = key, .until_ns = now_ns};
    }
    LP_ASSERT(place->key == key && place->until_ns >= now_ns);
    int64_t over_ns = place->until_ns + step_ns - now_ns - ACCESS_ATTEMPTS_AT_ONCE * step_ns;
    if (over_ns > 0) {
        wait_s = (unsigned)((over_ns + S_NS - 1) / S_NS);
    } else {
        place->until_ns += step_ns;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return wait_s;
}
