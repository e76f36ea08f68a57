// SPDX-License-Identifier: Apache-2.0
#include "query/run/requests.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_find_or_add.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"
#include "query/select/pool_name.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 1024 }; // a longer name is cut

void
query_requests_fini(query_requests *requests)
{
    LP_VEC_FINI(&requests->items);
    LP_VEC_FINI(&requests->stays);
    LP_VEC_FINI(&requests->stays_of);
    LP_VEC_FINI(&requests->hand_overs);
    lp_map_fini(&requests->by_id);
    *requests = (query_requests){0};
}

static void
requests_check(const query_requests *requests)
{
    LP_ASSERT(requests->items.count <= QUERY_REQUESTS_MAX);
    LP_ASSERT(requests->stays.count <= QUERY_STAYS_MAX);
    LP_ASSERT(requests->hand_overs.count <= QUERY_STAYS_MAX);
}

// --- Reading

static uint32_t
add_name(query_chunk *chunk, lp_slice text)
{
    char copy[NAME_BYTES];
    size_t len = text.len < sizeof(copy) ? text.len : sizeof(copy) - 1;
    if (len > 0) {
        memcpy(copy, text.ptr, len);
    }
    copy[len] = '\0';
    return query_names_add(chunk->names, copy);
}

static int64_t
number_of(const query_attribute *field)
{
    int64_t number;
    return field->is_number && query_number_read(field->value, &number) ? number : 0;
}

// has_room returns whether a list of count items may grow; else the requests are truncated.
static bool
has_room(query_requests *requests, size_t count, size_t max)
{
    requests->is_truncated |= count >= max;
    return count < max;
}

// find finds or adds the request with an id. *out_index is QUERY_NO_REQUEST if there is no room.
static lp_err
find(query_requests *requests, uint64_t id, uint32_t *out_index)
{
    const query_request added = {.facts.id = id, .end = INT64_MIN};
    return LP_FIND_OR_ADD(&requests->items, &requests->by_id, id, QUERY_REQUESTS_MAX,
        &requests->is_truncated, out_index, added);
}

enum { ID, BEGIN, DURATION, BUSY, QUEUED, ELSEWHERE, PARTS, STATE, KEPT_BY, TYPE, FIELDS };

// length_of returns a duration or count; 0 if the input is negative.
static int64_t
length_of(const query_attribute *field)
{
    int64_t number = number_of(field);
    return number < 0 ? 0 : number;
}

static void
take_facts(query_request *request, query_chunk *chunk, const query_attribute fields[FIELDS])
{
    request->facts = (query_request_facts){
        .id = request->facts.id,
        .duration_ns = length_of(&fields[DURATION]),
        .busy_ns = length_of(&fields[BUSY]),
        .queued_ns = length_of(&fields[QUEUED]),
        .elsewhere_ns = length_of(&fields[ELSEWHERE]),
        .part_count = length_of(&fields[PARTS]),
        .type = add_name(chunk, fields[TYPE].value),
        .state = add_name(chunk, fields[STATE].value),
        .kept_by = add_name(chunk, fields[KEPT_BY].value),
    };
    request->has_facts = true;
}

static lp_err
add_stay(query_requests *requests, query_chunk *chunk, uint32_t index, const query_event *event,
    uint64_t identity, uint32_t request)
{
    LP_ASSERT(request < requests->items.count);
    int64_t java_id;
    if (!has_room(requests, requests->stays.count, QUERY_STAYS_MAX)) {
        return LP_OK;
    }
    const query_stay stay = {
        .begin = event->begin,
        .end = event->commit,
        .thread = identity,
        .thread_key = event->thread_key,
        .chunk = index,
        .request = request,
        .thread_name = requests->wants_thread_names
                           ? query_chunk_thread(chunk, event->thread_key, &java_id)
                           : (uint32_t)QUERY_NAME_NONE,
    };
    return LP_VEC_ADD(&requests->stays, stay);
}

lp_err
query_requests_add_stay(query_requests *requests, query_chunk *chunk, uint32_t index,
    const query_event *event, uint64_t identity, uint32_t *out_request)
{
    requests_check(requests);
    LP_ASSERT(event->type->role == QUERY_ROLE_REQUEST);
    LP_ASSERT(requests->stays_of.count == 0); // not finished
    static const char *const names[FIELDS] = {[ID] = "id",
        [BEGIN] = "requestStart",
        [DURATION] = "requestDuration",
        [BUSY] = "busy",
        [QUEUED] = "queued",
        [ELSEWHERE] = "elsewhere",
        [PARTS] = "parts",
        [STATE] = "state",
        [KEPT_BY] = "keptBy",
        [TYPE] = "type"};
    query_attribute fields[FIELDS];
    uint64_t id;
    *out_request = QUERY_NO_REQUEST;
    query_chunk_fields(chunk, event, names, FIELDS, fields);
    if (fields[ID].is_null || !query_request_id_parse(fields[ID].value, &id)) {
        return LP_OK;
    }
    lp_err err = find(requests, id, out_request);
    if (err != LP_OK || *out_request == QUERY_NO_REQUEST) {
        return err;
    }
    query_request *request = &requests->items.items[*out_request];
    if (!request->has_facts) {
        request->begin = number_of(&fields[BEGIN]);
        request->begin_chunk = index;
    }
    take_facts(request, chunk, fields);
    request->chunk = index;
    request->offset = event->offset;
    bool is_stay = event->commit > event->begin && identity != QUERY_NO_THREAD;
    return is_stay ? add_stay(requests, chunk, index, event, identity, *out_request) : LP_OK;
}

uint64_t
query_requests_id_of(query_chunk *chunk, const query_event *event)
{
    LP_ASSERT(event->type->role == QUERY_ROLE_REQUEST || event->type->role == QUERY_ROLE_HAND_OVER);
    const char *const name = event->type->role == QUERY_ROLE_REQUEST ? "id" : "request";
    query_attribute field;
    uint64_t id;
    query_chunk_fields(chunk, event, &name, 1, &field);
    return !field.is_null && query_request_id_parse(field.value, &id) ? id : 0;
}

// name_from returns the name of the thread that handed a task over. Writes 0 to *out_java_id if it
// has no Java id.
static uint32_t
name_from(query_chunk *chunk, const query_event *event, int64_t *out_java_id)
{
    uint64_t key;
    *out_java_id = 0;
    bool is_there = query_chunk_thread_in(chunk, event, "from", &key) != QUERY_NO_THREAD;
    return is_there ? query_chunk_thread(chunk, key, out_java_id) : (uint32_t)QUERY_NAME_NONE;
}

lp_err
query_requests_add_hand_over(
    query_requests *requests, query_chunk *chunk, uint32_t index, const query_event *event)
{
    requests_check(requests);
    LP_ASSERT(event->type->role == QUERY_ROLE_HAND_OVER);
    LP_ASSERT(requests->stays_of.count == 0);
    query_hand_over added = {
        .handed = event->begin,
        .taken = event->commit,
        .chunk = index,
        .offset = event->offset,
        .type = event->type->name,
    };
    uint64_t id = query_requests_id_of(chunk, event);
    if (id == 0) {
        return LP_OK;
    }
    lp_err err = find(requests, id, &added.request);
    if (err != LP_OK || added.request == QUERY_NO_REQUEST) {
        return err;
    }
    if (!has_room(requests, requests->hand_overs.count, QUERY_STAYS_MAX)) {
        return LP_OK;
    }
    added.from = name_from(chunk, event, &added.from_id);
    added.to = query_chunk_thread(chunk, event->thread_key, &added.to_id);
    char pool[QUERY_POOL_NAME_BYTES];
    query_pool_name(query_names_text(chunk->names, added.to), pool);
    added.pool = query_names_add(chunk->names, pool);
    return LP_VEC_ADD(&requests->hand_overs, added);
}

// --- Order

static bool
stay_is_before(const query_stay *a, const query_stay *b)
{
    return a->thread != b->thread ? a->thread < b->thread : a->begin < b->begin;
}

static bool
hand_over_is_before(const query_hand_over *a, const query_hand_over *b)
{
    return a->request != b->request ? a->request < b->request : a->handed < b->handed;
}

LP_SORT_DEFINE(sort_stays, query_stay, stay_is_before)
LP_SORT_DEFINE(sort_hand_overs, query_hand_over, hand_over_is_before)

static lp_err
sort(query_requests *requests)
{
    LP_TRY(LP_SORT(sort_stays, requests->stays.items, requests->stays.count));
    return LP_SORT(sort_hand_overs, requests->hand_overs.items, requests->hand_overs.count);
}

// follows returns whether `next` continues a stay.
static bool
follows(const query_stay *stay, const query_stay *next)
{
    return stay->thread == next->thread && stay->request == next->request &&
           (next->begin <= stay->end || next->begin == stay->end + 1);
}

static void
join(query_requests *requests)
{
    query_stay *items = requests->stays.items;
    size_t left = 0;
    for (size_t i = 0; i < requests->stays.count; i++) {
        if (left > 0 && follows(&items[left - 1], &items[i])) {
            items[left - 1].end =
                items[i].end > items[left - 1].end ? items[i].end : items[left - 1].end;
        } else {
            items[left++] = items[i];
        }
    }
    requests->stays.count = left;
    requests_check(requests);
}

static int
compare_stays(const void *a, const void *b, void *arg)
{
    const query_stay *items = arg;
    const query_stay *one = &items[*(const uint32_t *)a];
    const query_stay *other = &items[*(const uint32_t *)b];
    return LP_ORDER(one->request, other->request)
               ?: LP_ORDER(one->begin, other->begin)
               ?: LP_ORDER(one, other);
}

static lp_err
list_stays(query_requests *requests)
{
    size_t count = requests->stays.count;
    requests->stays_of.count = 0;
    LP_REQUIRE(LP_VEC_RESERVE(&requests->stays_of, count + 1), LP_ENOMEM);
    uint32_t *of = requests->stays_of.items;
    for (uint32_t i = 0; i < count; i++) {
        of[i] = i;
    }
    requests->stays_of.count = count;
    qsort_r(of, count, sizeof(*of), compare_stays, requests->stays.items);
    for (size_t i = 0; i < requests->items.count; i++) {
        requests->items.items[i].stay_count = 0;
        requests->items.items[i].hand_over_count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const query_stay *stay = &requests->stays.items[of[i]];
        LP_ASSERT(stay->request < requests->items.count);
        query_request *request = &requests->items.items[stay->request];
        request->first_stay = request->stay_count++ == 0 ? i : request->first_stay;
        request->end = stay->end > request->end ? stay->end : request->end;
    }
    for (uint32_t i = 0; i < requests->hand_overs.count; i++) {
        LP_ASSERT(requests->hand_overs.items[i].request < requests->items.count);
        query_request *request = &requests->items.items[requests->hand_overs.items[i].request];
        request->first_hand_over = request->hand_over_count++ == 0 ? i : request->first_hand_over;
    }
    return LP_OK;
}

lp_err
query_requests_finish(query_requests *requests, const query_threads *threads)
{
    requests_check(requests);
    LP_ASSERT(requests->stays_of.count == 0);
    lp_map_fini(&requests->by_id);
    for (size_t i = 0; i < requests->stays.count; i++) {
        query_stay *stay = &requests->stays.items[i];
        stay->thread = query_threads_find(threads, stay->chunk, stay->thread_key, stay->thread);
    }
    LP_TRY(sort(requests));
    join(requests);
    return list_stays(requests);
}

// last_stay returns a thread's last stay that begins by a time; NULL if there is none.
static const query_stay *
last_stay(const query_requests *requests, uint64_t thread, int64_t ticks)
{
    const query_stay *items = requests->stays.items;
    size_t low = LP_BISECT(items, 0, requests->stays.count,
        at->thread != thread ? at->thread < thread : at->begin <= ticks);
    return low > 0 && items[low - 1].thread == thread ? &items[low - 1] : NULL;
}

uint32_t
query_requests_find(const query_requests *requests, uint64_t thread, int64_t begin, int64_t end)
{
    requests_check(requests);
    const query_stay *stay = last_stay(requests, thread, begin);
    if (stay != NULL && stay->end >= begin) {
        return stay->request;
    }
    stay = last_stay(requests, thread, end);
    return stay != NULL && stay->end >= begin ? stay->request : (uint32_t)QUERY_NO_REQUEST;
}

static bool
renumber(uint32_t *request, const uint32_t *index)
{
    *request = index[*request];
    return *request != QUERY_NO_REQUEST;
}

lp_err
query_requests_drop(query_requests *requests, uint32_t *out_index)
{
    requests_check(requests);
    LP_ASSERT(requests->stays_of.count == requests->stays.count); // finished
    uint32_t left = 0;
    for (size_t i = 0; i < requests->items.count; i++) {
        bool is_kept = requests->items.items[i].in != 0;
        out_index[i] = is_kept ? left++ : (uint32_t)QUERY_NO_REQUEST;
    }
    LP_VEC_KEEP(at, &requests->items, at->in != 0);
    LP_VEC_KEEP(at, &requests->stays, renumber(&at->request, out_index));
    LP_VEC_KEEP(at, &requests->hand_overs, renumber(&at->request, out_index));
    return list_stays(requests);
}
