// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_filter.h"

#include <stdlib.h>

lp_err
compact_filter_want(compact_filter *filters, const policy_filter *filter)
{
    for (size_t i = 0; i < filters->filters.count; i++) {
        if (filters->filters.items[i].filter == filter) {
            return LP_OK;
        }
    }
    struct compact_filter_one *one = LP_VEC_PUSH(&filters->filters);
    if (one == NULL) {
        return LP_ENOMEM;
    }
    one->filter = filter;
    return LP_OK;
}

lp_err
compact_filter_add(
    compact_filter *filters, uint64_t id, uint32_t thread, int64_t begin, int64_t end)
{
    static const ctx_recording unknown;
    const ctx_recording *map =
        filters->recordings == NULL ? NULL : compact_recordings_find(filters->recordings, id);
    map = map == NULL ? &unknown : map; // it is a context, of which no key is known
    lp_err err = compact_cover_add(&filters->all, thread, begin, end);
    for (size_t i = 0; i < filters->filters.count && err == LP_OK; i++) {
        struct compact_filter_one *one = &filters->filters.items[i];
        if (policy_filter_matches(one->filter, map)) {
            err = compact_cover_add(&one->cover, thread, begin, end);
        }
    }
    return err;
}

lp_err
compact_filter_join(compact_filter *filters, size_t thread_count)
{
    lp_err err = compact_cover_join(&filters->all, thread_count);
    for (size_t i = 0; i < filters->filters.count && err == LP_OK; i++) {
        err = compact_cover_join(&filters->filters.items[i].cover, thread_count);
    }
    return err;
}

bool
compact_filter_passes(
    const compact_filter *filters, const policy_filter *filter, uint32_t thread, int64_t commit)
{
    if (thread == LP_MAP_NONE || !compact_cover_has(&filters->all, thread, commit)) {
        return policy_filter_matches(filter, NULL);
    }
    size_t i = 0;
    while (filters->filters.items[i].filter != filter) {
        i++;
    }
    return compact_cover_has(&filters->filters.items[i].cover, thread, commit);
}

void
compact_filter_fini(compact_filter *filters)
{
    compact_cover_fini(&filters->all);
    for (size_t i = 0; i < filters->filters.count; i++) {
        compact_cover_fini(&filters->filters.items[i].cover);
    }
    LP_VEC_FINI(&filters->filters);
}
