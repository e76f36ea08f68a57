// SPDX-License-Identifier: Apache-2.0
#include "query/run/rows.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"

#include <string.h>

static bool
row_is_before(const query_row *a, const query_row *b)
{
    return a->commit < b->commit;
}

// ordered_is_before sorts by begin, outer rows first.
static bool
ordered_is_before(const query_ordered_row *a, const query_ordered_row *b)
{
    int order = LP_ORDER(a->begin, b->begin)
                    ?: LP_ORDER(b->commit, a->commit)
                    ?: LP_ORDER(b->index, a->index);
    return order < 0;
}

LP_SORT_DEFINE(sort_rows, query_row, row_is_before)
LP_SORT_DEFINE(sort_ordered, query_ordered_row, ordered_is_before)

void
query_rows_fini(query_rows *rows)
{
    LP_VEC_FINI(&rows->items);
    rows->sorted_count = 0;
}

void
query_rows_room_fini(query_rows_room *room)
{
    LP_VEC_FINI(&room->rows);
    LP_VEC_FINI(&room->order);
}

static void
rows_check(const query_rows *rows)
{
    LP_ASSERT(rows->sorted_count <= rows->items.count);
}

static lp_err
sort(query_rows *rows, query_rows_room *room)
{
    size_t count = rows->items.count;
    if (rows->sorted_count == count) {
        return LP_OK;
    }
    LP_REQUIRE(LP_VEC_RESERVE(&room->rows, count / 2 + 1), LP_ENOMEM);
    sort_rows(rows->items.items, count, room->rows.items);
    rows->sorted_count = count;
    return LP_OK;
}

// find_first returns the index of the first row committed at a time or later.
static size_t
find_first(const query_rows *rows, int64_t ticks)
{
    return LP_BISECT(rows->items.items, 0, rows->items.count, at->commit < ticks);
}

lp_err
query_rows_find(
    query_rows *rows, query_rows_room *room, int64_t begin, int64_t end, query_row_range *out_range)
{
    rows_check(rows);
    LP_TRY(sort(rows, room));
    size_t first = find_first(rows, begin);
    size_t last = end == INT64_MAX ? rows->items.count : find_first(rows, end + 1);
    *out_range = last > first ? (query_row_range){rows->items.items + first, last - first}
                              : (query_row_range){0};
    return LP_OK;
}

lp_err
query_rows_span(
    query_row_range range, query_rows_room *room, const jfr_clock *clock, query_span_list *out)
{
    LP_ASSERT(range.count == 0 || range.items != NULL);
    size_t count = range.count;
    room->order.count = 0;
    out->count = 0;
    if (!LP_VEC_RESERVE(&room->order, count + count / 2 + 1) || !LP_VEC_RESERVE(out, count + 1)) {
        return LP_ENOMEM;
    }
    query_ordered_row *order = room->order.items;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (query_ordered_row){range.items[i].begin, range.items[i].commit, i};
    }
    sort_ordered(order, count, order + count);
    for (size_t i = 0; i < count; i++) {
        out->items[i] = (time_span){
            .begin_ns = jfr_clock_wall_ns(clock, order[i].begin),
            .end_ns = jfr_clock_wall_ns(clock, order[i].commit),
            .event = order[i].index,
            .category = (time_category)range.items[order[i].index].category,
        };
    }
    out->count = count;
    return LP_OK;
}

size_t
query_rows_drop(query_rows *rows, int64_t ticks)
{
    rows_check(rows);
    size_t count = rows->items.count;
    if (rows->sorted_count != count || count == 0) {
        return 0;
    }
    size_t dropped = find_first(rows, ticks);
    LP_ASSERT(dropped <= count);
    memmove(rows->items.items, rows->items.items + dropped, (count - dropped) * sizeof(query_row));
    rows->items.count = count - dropped;
    rows->sorted_count = rows->items.count;
    return dropped;
}

// --- The rows of a session

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
thread_rows_check(const query_thread_rows *rows)
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
    thread_rows_check(rows);
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
    thread_rows_check(rows);
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
    thread_rows_check(rows); // no more were dropped than there were
}
