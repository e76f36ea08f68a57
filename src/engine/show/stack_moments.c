// SPDX-License-Identifier: Apache-2.0
#include "engine/show/stack_moments.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "common/base/lp_prefix_sum.h"

#include <stdlib.h>
#include <string.h>

// compare_begins orders contexts of one thread by begin. Of two that began at once, the outer one,
// which is decided later, comes first.
static int
compare_begins(const void *a, const void *b, void *arg)
{
    const compact_stack_moments *m = arg;
    uint32_t i = *(const uint32_t *)a;
    uint32_t k = *(const uint32_t *)b;
    const compact_stack_moments_context *x = &m->contexts[i];
    const compact_stack_moments_context *y = &m->contexts[k];
    return LP_ORDER(x->begin, y->begin) ?: LP_ORDER(y->end, x->end) ?: LP_ORDER(k, i);
}

static int
compare_decisions(const void *a, const void *b, void *arg)
{
    const compact_stack_moments *m = arg;
    uint32_t i = *(const uint32_t *)a;
    uint32_t k = *(const uint32_t *)b;
    const compact_stack_moments_context *x = &m->contexts[i];
    const compact_stack_moments_context *y = &m->contexts[k];
    return LP_ORDER(x->end, y->end) ?: LP_ORDER(y->begin, x->begin) ?: LP_ORDER(i, k);
}

static void
group_contexts(compact_stack_moments *m)
{
    size_t *ends = m->thread_contexts + 1;
    for (size_t i = 0; i < m->count; i++) {
        const compact_stack_moments_context *context = &m->contexts[i];
        LP_ASSERT(context->thread < m->thread_count && context->begin <= context->end);
        ends[context->thread]++;
    }
    (void)lp_prefix_sum(ends, m->thread_count); // there is room for all
    for (size_t i = 0; i < m->count; i++) {
        m->by_begin[ends[m->contexts[i].thread]++] = (uint32_t)i;
    }
    if (m->count > 0) {
        memcpy(m->by_end, m->by_begin, m->count * sizeof(*m->by_end));
    }
    for (size_t t = 0; t < m->thread_count; t++) {
        size_t at = m->thread_contexts[t];
        size_t in_thread = m->thread_contexts[t + 1] - at;
        qsort_r(m->by_begin + at, in_thread, sizeof(uint32_t), compare_begins, m);
        qsort_r(m->by_end + at, in_thread, sizeof(uint32_t), compare_decisions, m);
    }
}

static lp_err
add_moment(compact_stack_moments *m, size_t first, int64_t begin)
{
    size_t count = m->items.count;
    if (count > first && m->items.items[count - 1].begin == begin) {
        return LP_OK;
    }
    return LP_VEC_ADD(
        &m->items, (compact_stack_moment){.begin = begin, .state = COMPACT_STACK_MOMENTS_NONE});
}

// cut_thread makes the moments of thread t: begins and ends come in order.
static lp_err
cut_thread(compact_stack_moments *m, size_t t)
{
    size_t first = m->items.count;
    size_t end = m->thread_contexts[t + 1];
    size_t i = m->thread_contexts[t];
    size_t k = i;
    while (i < end || k < end) {
        int64_t begin = i < end ? m->contexts[m->by_begin[i]].begin : INT64_MAX;
        int64_t after = m->contexts[m->by_end[k]].end;
        if (i == end && after == INT64_MAX) {
            break; // this context and all later ones never end
        }
        bool is_begin = i < end && begin <= after; // a context still applies when it ends
        LP_TRY(add_moment(m, first, is_begin ? begin : after + 1));
        i += is_begin;
        k += !is_begin;
    }
    return LP_OK;
}

static bool
allocate(compact_stack_moments *m)
{
    size_t count = m->count + 1;
    size_t threads = m->thread_count + 1;
    m->thread_moments = calloc(threads, sizeof(*m->thread_moments));
    m->thread_contexts = calloc(threads, sizeof(*m->thread_contexts));
    m->by_begin = calloc(count, sizeof(*m->by_begin));
    m->by_end = calloc(count, sizeof(*m->by_end));
    return m->thread_moments != NULL && m->thread_contexts != NULL && m->by_begin != NULL &&
           m->by_end != NULL;
}

lp_err
compact_stack_moments_init(compact_stack_moments *m, const compact_stack_moments_context *contexts,
    size_t count, size_t thread_count)
{
    *m = (compact_stack_moments){0};
    if (count > COMPACT_STACK_MOMENTS_NONE / 2) { // each makes two moments at most
        return LP_ELIMIT;
    }
    m->contexts = contexts;
    m->count = count;
    m->thread_count = thread_count;
    LP_REQUIRE(allocate(m), LP_ENOMEM);
    group_contexts(m);
    for (size_t t = 0; t < thread_count; t++) {
        m->thread_moments[t] = m->items.count;
        LP_TRY(cut_thread(m, t));
    }
    m->thread_moments[thread_count] = m->items.count;
    return LP_OK;
}

void
compact_stack_moments_fini(compact_stack_moments *m)
{
    LP_VEC_FINI(&m->items);
    free(m->thread_moments);
    free(m->thread_contexts);
    free(m->by_begin);
    free(m->by_end);
    *m = (compact_stack_moments){0};
}

uint32_t
compact_stack_moments_want(compact_stack_moments *m, uint32_t thread, int64_t commit)
{
    size_t first = m->thread_moments[thread];
    size_t low =
        LP_BISECT(m->items.items, first, m->thread_moments[thread + 1], at->begin <= commit);
    if (low == first) {
        return COMPACT_STACK_MOMENTS_NONE;
    }
    m->items.items[low - 1].is_wanted = true;
    return (uint32_t)(low - 1);
}
