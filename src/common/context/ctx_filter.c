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

// copy_to copies filter into ctx_filter_measure bytes at rules.
static ctx_filter
copy_to(const ctx_filter *filter, ctx_filter_rule *rules)
{
    ctx_filter copy = *filter;
    copy.rules = rules;
    char *at = (char *)(rules + filter->rule_count);
    for (size_t i = 0; i < filter->rule_count; i++) {
        rules[i].type = put(&at, filter->rules[i].type);
        rules[i].terms = put(&at, filter->rules[i].terms);
    }
    return copy;
}

lp_err
ctx_filter_copy(const ctx_filter *filter, ctx_filter *out_filter)
{
    ctx_filter_rule *rules = malloc(ctx_filter_measure(filter) + 1);
    LP_REQUIRE(rules != NULL, LP_ENOMEM);
    *out_filter = copy_to(filter, rules);
    return LP_OK;
}

ctx_filter
ctx_filter_copy_in(lp_arena *arena, const ctx_filter *filter)
{
    ctx_filter_rule *rules =
        lp_arena_alloc(arena, ctx_filter_measure(filter), alignof(ctx_filter_rule));
    return rules == NULL ? (ctx_filter){.id = filter->id, .begin_ticks = filter->begin_ticks}
                         : copy_to(filter, rules);
}

void
ctx_filter_fini(ctx_filter *filter)
{
    free(filter->rules);
    *filter = (ctx_filter){0};
}
