// SPDX-License-Identifier: Apache-2.0
#include "collector/access/access_caller.h"

#include "common/base/lp_assert.h"

#include <stddef.h>

access_caller
access_caller_copy(const access_caller *self)
{
    return (access_caller){
        .rules = self->rules == NULL ? NULL : access_rules_ref(self->rules), .rule = self->rule};
}

void
access_caller_fini(access_caller *self)
{
    access_rules_unref(self->rules);
    *self = (access_caller){0};
}

bool
access_caller_may(const access_caller *self, access_right right, const char *service)
{
    LP_ASSERT(self->rules == NULL || self->rule != NULL);
    return self->rules == NULL || access_rule_allows(self->rule, right, service);
}

bool
access_caller_has(const access_caller *self, access_right right)
{
    LP_ASSERT(self->rules == NULL || self->rule != NULL);
    return self->rules == NULL || access_rule_has(self->rule, right);
}

lp_err
access_caller_list(const access_caller *self, access_right right, char separator, char *out_names,
    size_t size_bytes)
{
    LP_ASSERT(size_bytes > 0 && (self->rules == NULL || self->rule != NULL));
    out_names[0] = '\0';
    return self->rules == NULL
               ? LP_OK
               : access_rule_list(self->rule, right, separator, out_names, size_bytes);
}

const char *
access_caller_get_name(const access_caller *self)
{
    LP_ASSERT(self->rules == NULL || self->rule != NULL);
    return self->rules == NULL ? "" : access_rule_get_name(self->rule);
}
