// SPDX-License-Identifier: Apache-2.0
// context: the order and nesting of a session's contexts (contexts.h).
//
// Tests: tests/unit/query/run/test_run.c

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"
#include "query/chunk/sources.h"
#include "query/run/contexts.h"

#include <string.h>

// is_before sorts the contexts of a thread, outer ones first. Of two with the same times the later
// one in the file is the outer.
static bool
is_before(const query_context *a, const query_context *b)
{
    int order = LP_ORDER(a->thread, b->thread)
                    ?: LP_ORDER(a->begin, b->begin)
                    ?: LP_ORDER(b->end, a->end)
                    ?: LP_ORDER(b->chunk, a->chunk)
                    ?: LP_ORDER(b->offset, a->offset);
    return order < 0;
}

LP_SORT_DEFINE(sort_contexts, query_context, is_before)

lp_err
query_context_sort(query_context_list *contexts)
{
    return LP_SORT(sort_contexts, contexts->items, contexts->count);
}

static uint32_t
find_parent(const query_context_list *contexts, const uint32_t *open, size_t count, int64_t end)
{
    LP_ASSERT(count <= contexts->count);
    for (size_t i = count; i > 0; i--) {
        if (contexts->items[open[i - 1]].end >= end) {
            return open[i - 1];
        }
    }
    return QUERY_NO_CONTEXT;
}

void
query_context_find_end_max(query_context_list *contexts)
{
    for (size_t i = 0; i < contexts->count; i++) {
        query_context *context = &contexts->items[i];
        bool is_first = i == 0 || context[-1].thread != context->thread;
        context->end_max =
            !is_first && context[-1].end_max > context->end ? context[-1].end_max : context->end;
    }
}

bool
query_context_nest(query_context_list *contexts, uint8_t bit)
{
    LP_ASSERT(bit == QUERY_IN_SELECTION || bit == QUERY_IN_BASE);
    uint32_t open[QUERY_NESTING_MAX]; // in order of their begins
    size_t count = 0;
    bool has_all = true;
    for (uint32_t i = 0; i < contexts->count; i++) {
        query_context *context = &contexts->items[i];
        size_t left = 0;
        if ((context->in & bit) == 0) {
            continue;
        }
        for (size_t k = 0; k < count; k++) { // keep open ones of the thread
            const query_context *other = &contexts->items[open[k]];
            if (other->thread == context->thread && other->end >= context->begin) {
                open[left++] = open[k];
            }
        }
        LP_ASSERT(left <= count && count <= QUERY_NESTING_MAX);
        count = left;
        uint32_t *parent = bit == QUERY_IN_SELECTION ? &context->parent : &context->base_parent;
        *parent = find_parent(contexts, open, count, context->end);
        if (count == QUERY_NESTING_MAX) { // drop the outermost
            memmove(open, open + 1, (count - 1) * sizeof(*open));
            count--;
            has_all = false;
        }
        open[count++] = i;
    }
    return has_all;
}
