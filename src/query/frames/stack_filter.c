// SPDX-License-Identifier: Apache-2.0
#include "query/frames/stack_filter.h"

#include "common/base/lp_assert.h"

enum { UNKNOWN, MATCHES, DIFFERS };

void
query_stack_filter_fini(query_stack_filter *filter)
{
    LP_VEC_FINI(&filter->matching);
    LP_VEC_FINI(&filter->known);
}

static void
filter_check(const query_stack_filter *filter)
{
    LP_ASSERT(filter->frame != NULL && filter->stacks != NULL && filter->names != NULL);
    LP_ASSERT(filter->matching.count <= filter->stacks->nodes.count);
}

// match_name writes whether a name matches, which is found out once for each name.
static lp_err
match_name(query_stack_filter *filter, uint32_t name, bool *out_matches)
{
    while (filter->known.count <= name) {
        LP_TRY(LP_VEC_ADD(&filter->known, UNKNOWN));
    }
    if (filter->known.items[name] == UNKNOWN) {
        LP_TRY(query_frame_filter_match(
            filter->frame, query_names_text(filter->names, name), out_matches));
        filter->known.items[name] = *out_matches ? MATCHES : DIFFERS;
    }
    *out_matches = filter->known.items[name] == MATCHES;
    return LP_OK;
}

// add_node finds out whether the next node matches. Its parent is known.
static lp_err
add_node(query_stack_filter *filter)
{
    filter_check(filter);
    size_t node = filter->matching.count;
    const query_stack_node *frame = &filter->stacks->nodes.items[node];
    bool matches = node != QUERY_STACK_ROOT && filter->matching.items[frame->parent];
    if (node != QUERY_STACK_ROOT && !matches) {
        LP_TRY(match_name(filter, frame->name, &matches));
    }
    return LP_VEC_ADD(&filter->matching, matches);
}

lp_err
query_stack_filter_match(query_stack_filter *filter, uint32_t node, bool *out_matches)
{
    filter_check(filter);
    LP_ASSERT(node == QUERY_STACK_ROOT || node < filter->stacks->nodes.count);
    lp_err err = LP_OK;
    while (err == LP_OK && filter->matching.count <= node &&
           filter->matching.count < filter->stacks->nodes.count) {
        err = add_node(filter);
    }
    *out_matches = err == LP_OK && node < filter->matching.count && filter->matching.items[node];
    return err;
}
