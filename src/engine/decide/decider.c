// SPDX-License-Identifier: Apache-2.0
// When plain events were kept in earlier chunks, from one chunk to the next:
// compact_decider_find_earlier, compact_decider_make_kept_times.

#include "engine/decide/decider.h"

#include <stdlib.h>

lp_err
compact_decider_find_earlier(compact_decider *d)
{
    d->earlier = calloc(d->threads.count + 1, sizeof(*d->earlier));
    if (d->earlier == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < d->threads.count; i++) {
        compact_times times = {0};
        if (d->frame->carry != NULL) {
            times = compact_kept_times_find(&d->frame->carry->past, d->identities.items[i]);
        }
        d->earlier[i] = (compact_earlier){
            .times = times,
            .last = times.count == 0 ? COMPACT_NEVER : times.items[times.count - 1],
        };
    }
    return LP_OK;
}

typedef struct numbered {
    uint64_t identity;
    uint32_t number;
} numbered;

static int
compare_identities(const void *a, const void *b)
{
    const numbered *x = a;
    const numbered *y = b;
    return (x->identity > y->identity) - (x->identity < y->identity);
}

// plain_times lends when plain events of the chunk were kept on a thread.
static compact_times
plain_times(const compact_decider *d, uint32_t thread)
{
    size_t begin = compact_moments_begin(&d->plain, thread);
    return (compact_times){d->plain.items + begin, d->plain.ends[thread] - begin};
}

// join_past adds the threads of the past and those of the chunk, both in the order of identities.
static lp_err
join_past(const compact_decider *d, const compact_kept_times *before, const numbered *threads,
    compact_kept_times *past)
{
    size_t count = d->threads.count;
    size_t i = 0;
    size_t k = 0;
    lp_err err = LP_OK;
    while ((i < before->threads.count || k < count) && err == LP_OK) {
        bool is_before =
            k == count ||
            (i < before->threads.count && before->threads.items[i].identity <= threads[k].identity);
        bool is_here = k < count && (i == before->threads.count ||
                                        threads[k].identity <= before->threads.items[i].identity);
        uint64_t identity = is_here ? threads[k].identity : before->threads.items[i].identity;
        compact_times earlier = is_before ? compact_kept_times_at(before, i) : (compact_times){0};
        compact_times now = is_here ? plain_times(d, threads[k].number) : (compact_times){0};
        err = compact_kept_times_add(past, identity, earlier, now, d->frame->recent_min);
        i += is_before;
        k += is_here;
    }
    return err;
}

lp_err
compact_decider_make_kept_times(const compact_decider *d, compact_kept_times *past)
{
    static const compact_kept_times nothing = {0};
    numbered *threads = malloc((d->threads.count + 1) * sizeof(*threads));
    if (threads == NULL) {
        return LP_ENOMEM;
    }
    for (uint32_t i = 0; i < d->threads.count; i++) {
        threads[i] = (numbered){d->identities.items[i], i};
    }
    qsort(threads, d->threads.count, sizeof(*threads), compare_identities);
    lp_err err =
        join_past(d, d->frame->carry == NULL ? &nothing : &d->frame->carry->past, threads, past);
    free(threads);
    return err;
}
