// SPDX-License-Identifier: Apache-2.0
// policy_all: makes a policy that drops nothing out of another policy (policy.h).

#include "common/base/lp_find.h"
#include "policy/policy.h"
#include "policy/policy_store.h"

#include <string.h>

static const char origin[] = "the policy of recalled chunks";

static bool
drops(const policy_line *line)
{
    static const char *const settings[] = {"enabled", "threshold", "select", "filter", "throttle",
        "context-threshold", "context-match", "context-throttle", "drop", "budget"};
    return LP_ANY(settings, LP_COUNT(settings), strcmp(*at, line->setting) == 0);
}

static lp_err
fill(const policy *from, policy *to)
{
    lp_err err = LP_OK;
    for (size_t i = 0; from != NULL && i < from->lines.count && err == LP_OK; i++) {
        const policy_line *line = &from->lines.items[i];
        if (!drops(line)) {
            err = policy_add(to, origin, line->event, line->setting, line->value);
        }
    }
    return err == LP_OK ? policy_add(to, origin, "*", "select", "all") : err;
}

lp_err
policy_all_create(const policy *from, policy **out_policy)
{
    policy *made = policy_create();
    LP_REQUIRE(made != NULL, LP_ENOMEM);
    lp_err err = fill(from, made);
    if (err == LP_OK) {
        *out_policy = made;
    } else {
        policy_destroy(made);
    }
    return err;
}
