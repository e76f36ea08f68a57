// SPDX-License-Identifier: Apache-2.0
#include "query/run/thread_rows.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"

void
query_thread_rows_fini(query_thread_rows *rows)
{
    for (size_t i = 0; i < rows->groups.count; i++) {
        query_rows_fini(&rows->groups.items[i].rows);
    }
    LP_VEC_FINI(&rows->groups);
    LP_VEC_FINI(&rows->filled);
    query_rows_fini(&rows->pauses);
    lp_map_fini(&rows->group_of);
    rows->count = 0;
}

static void
rows_check(const query_thread_rows *rows)
{
    LP_ASSERT(rows->count <= QUERY_ROWS_MAX);
    LP_ASSERT(rows->filled.count <= rows->groups.count);
}

lp_err
query_thread_rows_begin(query_thread_rows *rows, const query_contexts *contexts)
{
    LP_ASSERT(rows->groups.count == 0); // of the session before
    for (uint32_t i = 0; i < contexts->items.count; i++) {
        const query_context *context = &contexts->items.items[i];
        if (i == 0 || context[-1].thread != context->thread) {
            LP_TRY(lp_map_put(&rows->group_of, context->thread, (uint32_t)rows->groups.count));
            LP_TRY(LP_VEC_ADD(&rows->groups, (query_thread_group){.first = i}));
        }
        rows->groups.items[rows->groups.count - 1].count++;
    }
    return LP_OK;
}

query_rows *
query_thread_rows_get(query_thread_rows *rows, uint64_t thread)
{
    uint32_t index = lp_map_find(&rows->group_of, thread);
    LP_ASSERT(index < rows->groups.count);
    return &rows->groups.items[index].rows;
}

query_thread_group *
query_thread_rows_find(
    query_thread_rows *rows, const query_contexts *contexts, uint64_t thread, int64_t ticks)
{
    uint32_t index = lp_map_find(&rows->group_of, thread);
    LP_REQUIRE(index != LP_MAP_NONE, NULL);
    query_thread_group *group = &rows->groups.items[index];
    const query_context *items = &contexts->items.items[group->first];
    size_t begun = LP_BISECT(items, 0, group->count, at->begin <= ticks);
    return begun > 0 && items[begun - 1].end_max >= ticks ? group : NULL;
}

bool
query_thread_rows_is_full(const query_thread_rows *rows)
{
    rows_check(rows);
    return rows->count == QUERY_ROWS_MAX;
}

lp_err
query_thread_rows_add(query_thread_rows *rows, query_thread_group *group, const query_row *row)
{
    LP_ASSERT(!query_thread_rows_is_full(rows));
    query_rows *list = group == NULL ? &rows->pauses : &group->rows;
    bool was_empty = list->items.count == 0;
    LP_TRY(LP_VEC_ADD(&list->items, *row));
    rows->count++;
    return group != NULL && was_empty
               ? LP_VEC_ADD(&rows->filled, (uint32_t)(group - rows->groups.items))
               : LP_OK;
}

// needed_until returns the end of a context, or of the request of a stay.
static int64_t
needed_until(const query_contexts *contexts, const query_context *item)
{
    return contexts->unit == QUERY_UNIT_REQUESTS ? contexts->requests.items.items[item->request].end
                                                 : item->end;
}

void
query_thread_rows_drop(
    query_thread_rows *rows, const query_contexts *contexts, int64_t horizon, int64_t begin_min)
{
    rows_check(rows);
    size_t left = 0;
    for (size_t i = 0; i < rows->filled.count; i++) {
        query_thread_group *group = &rows->groups.items[rows->filled.items[i]];
        const query_context *items = &contexts->items.items[group->first];
        while (group->answered < group->count &&
               needed_until(contexts, &items[group->answered]) < horizon) {
            group->answered++;
        }
        bool is_done = group->answered == group->count;
        rows->count -=
            query_rows_drop(&group->rows, is_done ? INT64_MAX : items[group->answered].begin);
        if (group->rows.items.count > 0) {
            rows->filled.items[left++] = rows->filled.items[i];
        } else {
            query_rows_fini(&group->rows); // there may be a million threads
        }
    }
    rows->filled.count = left;
    rows->count -= query_rows_drop(&rows->pauses, begin_min);
    rows_check(rows); // no more were dropped than there were
}
