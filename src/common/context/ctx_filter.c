// SPDX-License-Identifier: Apache-2.0
#include "common/context/ctx_filter.h"

#include <stdlib.h>
#include <string.h>

size_t
ctx_filter_measure(const ctx_filter *filter)
{
    size_t bytes = filter->rule_count * sizeof(*filter->rules);
    for (size_t i = 0; i < filter->rule_count; i++) {
        bytes += strlen(filter->rules[i].type) + 1;
        bytes += strlen(filter->rules[i].terms) + 1;
    }
    return bytes;
}

// put copies text to *at, which it moves on.
static const char *
put(char **at, const char *text)
{
    char *copy = *at;
    size_t size = strlen(text) + 1;
    memcpy(copy, text, size);
    *at += size;
    return copy;
}

lp_err
ctx_filter_copy(const ctx_filter *filter, ctx_filter *out_filter)
{
    ctx_filter copy = *filter;
    copy.rules = malloc(ctx_filter_measure(filter) + 1);
    if (copy.rules == NULL) {
        return LP_ENOMEM;
    }
    char *at = (char *)(copy.rules + filter->rule_count);
    for (size_t i = 0; i < filter->rule_count; i++) {
        copy.rules[i].type = put(&at, filter->rules[i].type);
        copy.rules[i].terms = put(&at, filter->rules[i].terms);
    }
    *out_filter = copy;
    return LP_OK;
}

void
ctx_filter_fini(ctx_filter *filter)
{
    free(filter->rules);
    *filter = (ctx_filter){0};
}
