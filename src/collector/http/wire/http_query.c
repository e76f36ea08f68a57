// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_query.h"

#include "common/base/lp_assert.h"

#include <stddef.h>

bool
http_query_take_text(const char *key, const char *value, const char **out_text, lp_problem *problem)
{
    LP_ASSERT(value != NULL);
    if (*out_text == NULL) {
        *out_text = value;
        return true;
    }
    (void)lp_problem_set(problem, LP_ECORRUPT, "%s must be given once", key);
    return false;
}
