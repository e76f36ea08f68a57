// SPDX-License-Identifier: Apache-2.0
// world_choose: which contexts of a world context-throttle chooses. How a sampler chooses is not
// repeated here (test_sampler.c); what it is offered, when, and what is kept without being
// offered is.

#ifndef LP_TESTS_PROP_WORLD_CHOOSE_H
#define LP_TESTS_PROP_WORLD_CHOOSE_H

#include "world.h"

// world_choose sets is_chosen and is_open of all contexts.
void world_choose(world *w);

#endif // LP_TESTS_PROP_WORLD_CHOOSE_H
