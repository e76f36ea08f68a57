// SPDX-License-Identifier: Apache-2.0
#include "query/run/request_times.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"

#include <stdlib.h>

typedef struct query_request_stretch stretch;

enum { DOES, QUEUED, WAITS }; // rules

typedef struct query_request_left left_time;

void
query_request_room_fini(query_request_room *room)
{
    LP_VEC_FINI(&room->stretches);
    LP_VEC_FINI(&room->heap);
    LP_VEC_FINI(&room->left);
    LP_VEC_FINI(&room->pause_ends);
    *room = (query_request_room){0};
}

// --- Stretches that may count

typedef struct taker {
    query_request_room *room;
    uint32_t stay;
} taker;

static void
add_stretch(query_request_room *room, const stretch *added)
{
    room->is_failed |= LP_VEC_ADD(&room->stretches, *added) != LP_OK;
}

static bool
does_nothing(const time_span *counting)
{
    return counting != NULL && counting->category != TIME_LOCK &&
           time_category_is_waiting(counting->category);
}

static void
take_piece(void *arg, const time_piece *piece)
{
    const taker *to = arg;
    add_stretch(to->room, &(stretch){
                              .begin_ns = piece->begin_ns,
                              .end_ns = piece->end_ns,
                              .counting = piece->counting,
                              .stopped = piece->stopped,
                              .of = to->stay,
                              .rule = does_nothing(piece->counting) ? WAITS : DOES,
                          });
}

static lp_err
find_pause_ends(const query_request_time *time, query_request_room *room)
{
    int64_t end_ns = INT64_MIN;
    room->pause_ends.count = 0;
    LP_REQUIRE(LP_VEC_RESERVE(&room->pause_ends, time->pause_count), LP_ENOMEM);
    for (size_t i = 0; i < time->pause_count; i++) {
        end_ns = time->pauses[i].end_ns > end_ns ? time->pauses[i].end_ns : end_ns;
        room->pause_ends.items[room->pause_ends.count++] = end_ns;
    }
    return LP_OK;
}

// first_pause returns the index of the first pause that may end after a time.
static size_t
first_pause(const query_request_room *room, int64_t at_ns)
{
    return LP_BISECT(room->pause_ends.items, 0, room->pause_ends.count, *at <= at_ns);
}

// pauses_before returns the number of pauses that begin before a time.
static size_t
pauses_before(const query_request_time *time, int64_t at_ns)
{
    return LP_BISECT(time->pauses, 0, time->pause_count, at->begin_ns < at_ns);
}

static void
clear_times(time_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        spans[i].own_ns = 0;
        spans[i].stopped_ns = 0;
    }
}

static void
add_stay(query_request_time *time, query_request_room *room, uint32_t index)
{
    query_request_stay *stay = &time->stays[index];
    taker to = {room, index};
    int64_t begin_ns = stay->begin_ns > time->begin_ns ? stay->begin_ns : time->begin_ns;
    int64_t end_ns = stay->end_ns < time->end_ns ? stay->end_ns : time->end_ns;
    end_ns = end_ns > begin_ns ? end_ns : begin_ns;
    size_t first = first_pause(room, begin_ns);
    size_t last = pauses_before(time, end_ns);
    size_t pause_count = last > first ? last - first : 0;
    time_span *pauses = pause_count == 0 ? NULL : time->pauses + first;
    (void)time_split_each(
        begin_ns, end_ns, stay->spans, stay->span_count, pauses, pause_count, take_piece, &to);
    clear_times(stay->spans, stay->span_count);
}

LP_COMPARE(compare_begins, stretch, LP_ORDER(one->begin_ns, other->begin_ns))

static lp_err
find_stretches(query_request_time *time, query_request_room *room)
{
    lp_err err = find_pause_ends(time, room);
    room->stretches.count = 0;
    room->is_failed = err != LP_OK;
    for (uint32_t i = 0; i < time->stay_count && !room->is_failed; i++) {
        add_stay(time, room, i);
    }
    clear_times(time->pauses, time->pause_count);
    for (uint32_t i = 0; i < time->wait_count && !room->is_failed; i++) {
        time->waits[i].own_ns = 0;
        add_stretch(room, &(stretch){
                              .begin_ns = time->waits[i].begin_ns,
                              .end_ns = time->waits[i].end_ns,
                              .of = i,
                              .rule = QUEUED,
                          });
    }
    LP_REQUIRE(!room->is_failed, LP_ENOMEM);
    LP_QSORT(room->stretches.items, room->stretches.count, compare_begins);
    return LP_OK;
}

// --- The heap of begun stretches

static bool
is_first(const query_request_room *room, uint32_t a, uint32_t b)
{
    const stretch *one = &room->stretches.items[a];
    const stretch *other = &room->stretches.items[b];
    return one->rule != other->rule ? one->rule < other->rule : one->of < other->of;
}

static void
swap(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

// push adds a stretch. The heap has room for all.
static void
push(query_request_room *room, uint32_t index)
{
    LP_ASSERT(room->heap.count < room->heap.capacity);
    uint32_t *heap = room->heap.items;
    size_t at = room->heap.count++;
    heap[at] = index;
    for (; at > 0 && is_first(room, heap[at], heap[(at - 1) / 2]); at = (at - 1) / 2) {
        swap(&heap[at], &heap[(at - 1) / 2]);
    }
}

static void
pop(query_request_room *room)
{
    LP_ASSERT(room->heap.count > 0);
    uint32_t *heap = room->heap.items;
    size_t count = --room->heap.count;
    heap[0] = heap[count];
    for (size_t at = 0, least = 0;; at = least) {
        for (size_t child = 2 * at + 1; child < count && child <= 2 * at + 2; child++) {
            least = is_first(room, heap[child], heap[least]) ? child : least;
        }
        if (least == at) {
            return;
        }
        swap(&heap[at], &heap[least]);
    }
}

// find_counting returns the stretch that counts at a time; NULL if there is none.
static stretch *
find_counting(query_request_room *room, int64_t at_ns)
{
    while (room->heap.count > 0 && room->stretches.items[room->heap.items[0]].end_ns <= at_ns) {
        pop(room);
    }
    return room->heap.count == 0 ? NULL : &room->stretches.items[room->heap.items[0]];
}

// --- Counting

static void
count_left(
    query_request_time *time, query_request_room *room, uint32_t stay, int64_t at_ns, int64_t to_ns)
{
    LP_ASSERT(room->left.count == 0 || room->left.items != NULL);
    left_time *last = room->left.count == 0 ? NULL : &room->left.items[room->left.count - 1];
    time->left_ns += to_ns - at_ns;
    if (last != NULL && last->end_ns == at_ns && last->stay == stay) {
        last->end_ns = to_ns;
        return;
    }
    room->is_failed |= LP_VEC_ADD(&room->left, (left_time){at_ns, to_ns, stay}) != LP_OK;
}

static void
count(query_request_time *time, query_request_room *room, stretch *counting, int64_t at_ns,
    int64_t to_ns)
{
    LP_ASSERT(to_ns > at_ns); // so count_all ends
    int64_t ns = to_ns - at_ns;
    if (counting == NULL) {
        time->elsewhere_ns += ns;
        return;
    }
    LP_ASSERT(counting->of < (counting->rule == QUEUED ? time->wait_count : time->stay_count));
    if (counting->rule == QUEUED) {
        time->waits[counting->of].own_ns += ns;
        return;
    }
    if (counting->stopped != NULL) {
        counting->stopped->stopped_ns += ns;
    }
    if (counting->counting != NULL) {
        counting->counting->own_ns += ns;
    } else {
        count_left(time, room, counting->of, at_ns, to_ns);
    }
}

static void
count_all(query_request_time *time, query_request_room *room)
{
    size_t next = 0;
    const stretch *items = room->stretches.items;
    for (int64_t at_ns = time->begin_ns; at_ns < time->end_ns;) {
        int64_t to_ns = time->end_ns;
        while (next < room->stretches.count && items[next].begin_ns <= at_ns) {
            push(room, (uint32_t)next++);
        }
        if (next < room->stretches.count && items[next].begin_ns < to_ns) {
            to_ns = items[next].begin_ns;
        }
        stretch *counting = find_counting(room, at_ns);
        if (counting != NULL && counting->end_ns < to_ns) {
            to_ns = counting->end_ns;
        }
        count(time, room, counting, at_ns, to_ns);
        at_ns = to_ns;
    }
}

// is_left_of returns whether a time is in, or at the end of, an unexplained time of a stay.
static bool
is_left_of(const query_request_room *room, uint32_t stay, int64_t at_ns)
{
    size_t low = LP_BISECT(room->left.items, 0, room->left.count, at->begin_ns <= at_ns);
    for (size_t i = low; i > 0 && i + 2 > low; i--) { // the last two
        const left_time *left = &room->left.items[i - 1];
        if (left->stay == stay && left->end_ns >= at_ns) {
            return true;
        }
    }
    return false;
}

// settle_samples keeps is_left for samples in the request's unexplained time.
static void
settle_samples(query_request_time *time, const query_request_room *room)
{
    for (uint32_t i = 0; i < time->stay_count; i++) {
        query_request_stay *stay = &time->stays[i];
        for (size_t k = 0; k < stay->span_count; k++) {
            time_span *span = &stay->spans[k];
            span->is_left = span->is_left && is_left_of(room, i, span->begin_ns);
        }
    }
}

lp_err
query_request_times(query_request_time *time, query_request_room *room)
{
    LP_ASSERT(time->stay_count == 0 || time->stays != NULL);
    LP_ASSERT(time->wait_count == 0 || time->waits != NULL);
    lp_err err = find_stretches(time, room);
    room->heap.count = 0;
    room->left.count = 0;
    time->left_ns = 0;
    time->elsewhere_ns = 0;
    LP_REQUIRE(err == LP_OK && LP_VEC_RESERVE(&room->heap, room->stretches.count), LP_ENOMEM);
    count_all(time, room);
    settle_samples(time, room);
    return room->is_failed ? LP_ENOMEM : LP_OK;
}
