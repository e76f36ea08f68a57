// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_requests.c
#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"
#include "engine/requests/request_steps.h"

#include <stdlib.h>

// --- Waits

// next_stay returns the index of a thread's first stay that begins after a time, or of the next
// thread's first stay.
static size_t
next_stay(const compact_requests *requests, uint64_t thread, int64_t ticks)
{
    return LP_BISECT(requests->stays.items, 0, requests->stays.count,
        at->thread < thread || (at->thread == thread && at->begin <= ticks));
}

uint32_t
compact_requests_find(const compact_requests *requests, uint64_t thread, int64_t ticks)
{
    size_t next = next_stay(requests, thread, ticks);
    const compact_stay *last = next == 0 ? NULL : &requests->stays.items[next - 1];
    bool is_in = last != NULL && last->thread == thread && last->end >= ticks;
    return is_in ? last->request : COMPACT_REQUEST_NONE; // the later one if two stays meet here
}

static int
compare_taken(const void *a, const void *b, void *context)
{
    const compact_hand_over *hand_overs = ((const compact_requests_input *)context)->hand_overs;
    const compact_hand_over *x = &hand_overs[*(const uint32_t *)a];
    const compact_hand_over *y = &hand_overs[*(const uint32_t *)b];
    return LP_ORDER(x->to, y->to) ?: LP_ORDER(x->taken, y->taken) ?: LP_ORDER(x, y);
}

// request_taken returns the request of a hand-over. next_ticks is the time at which its thread
// takes another task.
static uint32_t
request_taken(
    const compact_requests *requests, const compact_hand_over *hand_over, int64_t next_ticks)
{
    uint32_t request = compact_requests_find(requests, hand_over->to, hand_over->taken);
    if (request != COMPACT_REQUEST_NONE) {
        return request;
    }
    size_t next = next_stay(requests, hand_over->to, hand_over->taken);
    bool is_next = next < requests->stays.count &&
                   requests->stays.items[next].thread == hand_over->to &&
                   requests->stays.items[next].begin < next_ticks;
    return is_next ? requests->stays.items[next].request : COMPACT_REQUEST_NONE;
}

LP_COMPARE(compare_waits, compact_wait, LP_ORDER(one->hand_over, other->hand_over))

void
compact_request_times_wait(
    const compact_requests_input *input, lp_arena *arena, compact_requests *requests)
{
    compact_requests_input_check(input);
    LP_ASSERT(requests->waits.count == 0);
    size_t count = input->hand_over_count;
    uint32_t *order = LP_ARENA_ARRAY(arena, uint32_t, count);
    if (order == NULL || count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    compact_requests_input by = *input;
    qsort_r(order, count, sizeof(*order), compare_taken, &by);
    for (size_t i = 0; i < count; i++) {
        const compact_hand_over *hand_over = &input->hand_overs[order[i]];
        bool has_next = i + 1 < count && input->hand_overs[order[i + 1]].to == hand_over->to;
        int64_t next_ticks = has_next ? input->hand_overs[order[i + 1]].taken : INT64_MAX;
        uint32_t request = request_taken(requests, hand_over, next_ticks);
        if (request != COMPACT_REQUEST_NONE) {
            LP_ARENA_PUSH(arena, &requests->waits, (compact_wait){order[i], request});
        }
    }
    LP_QSORT(requests->waits.items, requests->waits.count, compare_waits);
}

// --- Times

// A time in which a thread works for a request, or a task of it waits.
typedef struct stretch {
    int64_t begin;
    int64_t end;
    uint32_t request;
    bool is_work;
} stretch;

typedef LP_VEC(stretch) stretches;

// clip clips a stretch to the begin and end of its request. False if nothing is left.
static bool
clip(const compact_request *request, stretch *item)
{
    item->begin = item->begin < request->begin ? request->begin : item->begin;
    item->end = item->end > request->end ? request->end : item->end;
    return item->begin < item->end;
}

static void
add_stretch(const compact_requests *requests, lp_arena *arena, stretch item, stretches *out)
{
    if (clip(&requests->items.items[item.request], &item)) {
        LP_ARENA_PUSH(arena, out, item);
    }
}

LP_SORT_BY(sort_stretches, stretch,
    x->request != y->request ? x->request < y->request : x->begin < y->begin)

static int64_t
length(int64_t begin, int64_t end)
{
    int64_t out;
    return __builtin_sub_overflow(end, begin, &out) ? INT64_MAX : out;
}

// add_work adds a stay to the times of a request for which no other thread works, and no task
// waits.
static void
add_work(compact_request *request, stretch item)
{
    if (clip(request, &item)) {
        request->busy_ticks =
            compact_request_add_up(request->busy_ticks, length(item.begin, item.end));
        request->worked_until = item.end > request->worked_until ? item.end : request->worked_until;
    }
}

// gather lists the stretches of the requests that may have several at a time, and adds the others.
static void
gather(const compact_requests_input *input, lp_arena *arena, compact_requests *requests,
    stretches *out)
{
    compact_requests_input_check(input);
    bool *has_wait = LP_ARENA_ARRAY(arena, bool, requests->items.count);
    if (has_wait == NULL) {
        return;
    }
    for (size_t i = 0; i < requests->waits.count; i++) {
        has_wait[requests->waits.items[i].request] = true;
    }
    for (size_t i = 0; i < requests->stays.count; i++) {
        const compact_stay *stay = &requests->stays.items[i];
        const stretch item = {stay->begin, stay->end, stay->request, true};
        compact_request *request = &requests->items.items[stay->request];
        if (request->source == COMPACT_REQUEST_NESTED && !has_wait[stay->request]) {
            add_work(request, item);
        } else {
            add_stretch(requests, arena, item, out);
        }
    }
    for (size_t i = 0; i < requests->waits.count; i++) {
        const compact_wait *wait = &requests->waits.items[i];
        const compact_hand_over *hand_over = &input->hand_overs[wait->hand_over];
        int64_t worked = requests->items.items[wait->request].worked_until;
        stretch item = {hand_over->handed, hand_over->taken, wait->request, false};
        if (item.begin < input->lo && item.begin < worked) {
            item.begin = worked;
        }
        add_stretch(requests, arena, item, out);
    }
    stretch *spare = LP_ARENA_ARRAY(arena, stretch, out->count / 2);
    if (spare != NULL) {
        sort_stretches(out->items, out->count, spare);
    }
}

// union_of returns the length of the union of the stretches, or only of work, and
// writes its end. The stretches ascend by begin.
static int64_t
union_of(const stretch *items, size_t count, bool is_work_alone, int64_t *out_end)
{
    int64_t sum = 0;
    int64_t end = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        if (is_work_alone && !items[i].is_work) {
            continue;
        }
        int64_t begin = items[i].begin > end ? items[i].begin : end;
        if (items[i].end > begin) {
            sum = compact_request_add_up(sum, length(begin, items[i].end));
            end = items[i].end;
        }
    }
    *out_end = end;
    return sum;
}

// trim limits the times of a request to its duration. They are longer if the request was joined to
// another one, or if it ended earlier than the previous window knew.
static void
trim(compact_request *request)
{
    int64_t duration = length(request->begin, request->end);
    int64_t busy = request->busy_ticks < duration ? request->busy_ticks : duration;
    int64_t rest = duration - busy;
    request->busy_ticks = busy;
    request->queued_ticks = request->queued_ticks < rest ? request->queued_ticks : rest;
}

void
compact_request_times_add(
    const compact_requests_input *input, lp_arena *arena, compact_requests *requests)
{
    compact_requests_input_check(input);
    lp_arena work = {0};
    stretches all = {0};
    gather(input, &work, requests, &all);
    lp_arena_note(arena, lp_arena_err(&work));
    for (size_t i = 0; i < all.count && !arena->is_failed;) {
        size_t end = i;
        while (end < all.count && all.items[end].request == all.items[i].request) {
            end++;
        }
        compact_request *request = &requests->items.items[all.items[i].request];
        int64_t worked;
        int64_t last;
        int64_t busy = union_of(&all.items[i], end - i, true, &worked);
        int64_t any = union_of(&all.items[i], end - i, false, &last);
        request->busy_ticks = compact_request_add_up(request->busy_ticks, busy);
        request->queued_ticks = compact_request_add_up(request->queued_ticks, any - busy);
        request->worked_until = worked > request->worked_until ? worked : request->worked_until;
        i = end;
    }
    for (size_t i = 0; i < requests->items.count; i++) {
        trim(&requests->items.items[i]);
    }
    lp_arena_fini(&work);
}
