// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_throttle.h"

#include <stdlib.h>
#include <string.h>

void
compact_throttles_fini(compact_throttles *throttles)
{
    for (size_t i = 0; i < throttles->items.count; i++) {
        free(throttles->items.items[i].type);
    }
    LP_VEC_FINI(&throttles->items);
    LP_VEC_FINI(&throttles->early);
}

static lp_err
add(compact_throttles *throttles, const char *type, const compact_sampler *sampler)
{
    char *copy = strdup(type);
    compact_throttle *slot = copy == NULL ? NULL : LP_VEC_PUSH(&throttles->items);
    if (slot == NULL) {
        free(copy);
        return LP_ENOMEM;
    }
    *slot = (compact_throttle){.type = copy, .sampler = *sampler};
    return LP_OK;
}

lp_err
compact_throttles_add(
    compact_throttles *throttles, const char *type, policy_throttle rate, uint32_t *out_index)
{
    size_t i = 0;
    while (i < throttles->items.count && strcmp(throttles->items.items[i].type, type) != 0) {
        i++;
    }
    *out_index = (uint32_t)i;
    compact_sampler fresh;
    compact_sampler_init(&fresh, type, rate);
    if (i == throttles->items.count) {
        return add(throttles, type, &fresh);
    }
    compact_sampler *known = &throttles->items.items[i].sampler;
    if (known->throttle.count != rate.count || known->throttle.per_ns != rate.per_ns) {
        *known = fresh;
    }
    return LP_OK;
}

lp_err
compact_throttles_copy(const compact_throttles *throttles, compact_throttles *out)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < throttles->items.count && err == LP_OK; i++) {
        const compact_throttle *item = &throttles->items.items[i];
        err = add(out, item->type, &item->sampler);
    }
    return err;
}

static int
compare_early(const void *a, const void *b)
{
    const compact_early *x = a;
    const compact_early *y = b;
    int order = (x->offset > y->offset) - (x->offset < y->offset);
    return order != 0 ? order : x->is_sample - y->is_sample;
}

void
compact_throttles_sort_early(compact_throttles *throttles)
{
    if (throttles->early.count > 0) {
        qsort(throttles->early.items, throttles->early.count, sizeof(*throttles->early.items),
            compare_early);
    }
}

const compact_early *
compact_throttles_find_early(const compact_throttles *throttles, uint32_t offset, bool is_sample)
{
    const compact_early key = {.offset = offset, .is_sample = is_sample};
    return throttles->early.count == 0
               ? NULL
               : bsearch(&key, throttles->early.items, throttles->early.count,
                     sizeof(*throttles->early.items), compare_early);
}
