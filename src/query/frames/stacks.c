// SPDX-License-Identifier: Apache-2.0
#include "query/frames/stacks.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find_or_add.h"
#include "query/frames/frames.h"

#include <assert.h>

static_assert(QUERY_STACK_NODES_MAX <= 1 << 20 && QUERY_NAMES_MAX <= 1 << 20 &&
                  QUERY_STACK_LINE_MAX < 1 << 24,
    "parent, name and line are a key of 64 bits");

void
query_stacks_fini(query_stacks *stacks)
{
    LP_VEC_FINI(&stacks->nodes);
    lp_map_fini(&stacks->children);
    *stacks = (query_stacks){0};
}

static void
stacks_check(const query_stacks *stacks)
{
    LP_ASSERT(stacks->nodes.count <= QUERY_STACK_NODES_MAX);
    LP_ASSERT(stacks->children.count <= stacks->nodes.count);
}

// add finds a frame, or adds it to fewer than max.
static lp_err
add(query_stacks *stacks, query_stack_node frame, size_t max, uint32_t *out_node)
{
    uint64_t key = (uint64_t)frame.parent << 44 | (uint64_t)frame.name << 24 | frame.line;
    if (stacks->nodes.count == 0 && LP_VEC_PUSH(&stacks->nodes) == NULL) { // the root
        return LP_ENOMEM;
    }
    lp_err err = LP_FIND_OR_ADD(
        &stacks->nodes, &stacks->children, key, max, &stacks->is_truncated, out_node, frame);
    *out_node = *out_node == LP_MAP_NONE ? frame.parent : *out_node;
    return err;
}

lp_err
query_stacks_add(
    query_stacks *stacks, uint32_t parent, uint32_t name, uint32_t line, uint32_t *out_node)
{
    stacks_check(stacks);
    LP_ASSERT(line <= QUERY_STACK_LINE_MAX);
    LP_ASSERT(parent == QUERY_STACK_ROOT || parent < stacks->nodes.count);
    const query_stack_node frame = {parent, name, line};
    return add(stacks, frame, QUERY_STACK_NODES_MAX - QUERY_STACK_SPARE, out_node);
}

lp_err
query_stacks_add_spare(query_stacks *stacks, uint32_t name, uint32_t *out_node)
{
    stacks_check(stacks);
    const query_stack_node frame = {QUERY_STACK_ROOT, name, 0};
    return add(stacks, frame, QUERY_STACK_NODES_MAX, out_node);
}

static lp_err
add_trace(query_stacks *stacks, query_chunk *chunk, uint32_t trace, uint32_t *out_node)
{
    stacks_check(stacks);
    query_frame frames[QUERY_STACK_DEPTH_MAX];
    bool is_whole;
    size_t count = query_frames_read(chunk, trace, frames, QUERY_STACK_DEPTH_MAX, &is_whole);
    bool is_cut = count > 0 && query_frames_are_cut(chunk, trace);
    lp_err err = LP_OK;
    stacks->is_truncated |= !is_whole;
    *out_node = QUERY_STACK_ROOT;
    if (is_cut) {
        err =
            query_stacks_add_spare(stacks, query_names_add(chunk->names, "[truncated]"), out_node);
    }
    for (size_t i = count; i > 0 && err == LP_OK; i--) {
        const query_frame *frame = &frames[i - 1];
        bool has_line = stacks->has_lines && frame->line <= QUERY_STACK_LINE_MAX;
        err =
            query_stacks_add(stacks, *out_node, frame->name, has_line ? frame->line : 0, out_node);
    }
    return err;
}

uint32_t
query_stacks_of(query_stacks *stacks, query_chunk *chunk, const query_event *event)
{
    stacks_check(stacks);
    lp_arena *arena = &chunk->view.arena;
    uint32_t trace = query_frames_find(chunk, event);
    if (trace == QUERY_NO_TRACE) {
        return QUERY_STACK_ROOT;
    }
    if (chunk->stacks == NULL) {
        chunk->stacks = LP_ARENA_ARRAY(arena, uint32_t, query_frames_count(chunk));
    }
    if (chunk->stacks == NULL) {
        return QUERY_STACK_ROOT;
    }
    uint32_t *known = &chunk->stacks[trace]; // one more than the node
    uint32_t node;
    if (*known == 0) {
        lp_err err = add_trace(stacks, chunk, trace, &node);
        lp_arena_note(arena, err);
        *known = err == LP_OK ? node + 1 : 1;
    }
    return *known - 1;
}
