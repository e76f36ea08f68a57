// SPDX-License-Identifier: Apache-2.0
// log_route in a build without Kafka.
//
// Tests: tests/unit/collector/server/test_missing.c

#include "collector/log/log_route.h"
#include "common/base/lp_assert.h"

lp_err
log_route_check(lp_problem *out_problem)
{
    return lp_problem_set(out_problem, LP_EVERSION,
        "this loupe was built without Kafka: leave it out, or use a loupe that was built with "
        "-DLOUPE_KAFKA=ON");
}

lp_err
log_route_open(const log_route_config *config, log_route **out_route, lp_problem *out_problem)
{
    (void)config;
    (void)out_route;
    return log_route_check(out_problem);
}

void
log_route_look(log_route *self)
{
    LP_ASSERT(self == NULL); // log_route_open makes none; as below
}

const char *
log_route_get_fault(const log_route *self)
{
    LP_ASSERT(self == NULL);
    return NULL;
}

bool
log_route_is_current(const log_route *self, const session *s)
{
    (void)s;
    LP_ASSERT(self == NULL);
    return true;
}

void
log_route_stop(log_route *self)
{
    LP_ASSERT(self == NULL);
}

void
log_route_close(log_route *self)
{
    LP_ASSERT(self == NULL);
}
