// SPDX-License-Identifier: Apache-2.0

#include "collector/keep/retention_decide.h"

#include "common/base/lp_assert.h"

static bool
is_too_old(const retention_candidate *c, const retention_service *of, int64_t now_wall_ns)
{
    int64_t age_ns;
    return !__builtin_sub_overflow(now_wall_ns, c->end_wall_ns, &age_ns) && age_ns > of->age_ns_max;
}

size_t
retention_decide(retention_candidate *candidates, size_t count, retention_service *services,
    size_t service_count, uint64_t bytes_max, int64_t now_wall_ns)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < service_count; i++) {
        bytes += services[i].bytes;
    }
    size_t gone = 0;
    bool knows_next = true; // every chunk that started before the present one is a candidate
    for (size_t i = 0; i < count; i++) {
        retention_candidate *c = &candidates[i];
        LP_ASSERT(c->service < service_count);
        LP_ASSERT(i == 0 || candidates[i - 1].start_wall_ns <= c->start_wall_ns);
        retention_service *of = &services[c->service];
        c->goes = is_too_old(c, of, now_wall_ns) || of->bytes > of->bytes_max ||
                  (bytes > bytes_max && knows_next);
        if (c->goes) {
            gone++;
            of->bytes -= c->bytes;
            bytes -= c->bytes;
        }
        knows_next = knows_next && !c->has_more;
    }
    return gone;
}
