// SPDX-License-Identifier: Apache-2.0

#include "common/base/lp_time_scale.h"

static unsigned scale_divisor = 1;

void
lp_time_scale_set(unsigned divisor)
{
    scale_divisor = divisor;
}

uint64_t
lp_time_scale_ms(uint64_t ms)
{
    return ms / scale_divisor;
}
