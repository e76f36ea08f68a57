// SPDX-License-Identifier: Apache-2.0
#include "query/run/request_contexts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"

#include <assert.h>
#include <stdlib.h>

static_assert((int)QUERY_STAYS_MAX <= (int)QUERY_CONTEXTS_MAX, "stays become contexts");

int64_t
query_request_wall_ns(const query_contexts *contexts, const query_request *request)
{
    const jfr_clock clock = query_contexts_clock(contexts, request->begin_chunk);
    return jfr_clock_wall_ns(&clock, request->begin);
}

// --- Parts

static bool
part_is_before(const query_context *a, const query_context *b)
{
    int order = LP_ORDER(a->request, b->request)
                    ?: LP_ORDER(a->begin, b->begin)
                    ?: LP_ORDER(b->end, a->end);
    return order < 0;
}

LP_SORT_DEFINE(sort_parts, query_context, part_is_before)

// find_parts drops the contexts that are in no request, and sorts the others by request.
static lp_err
find_parts(query_contexts *contexts)
{
    const query_context *items = contexts->items.items;
    LP_VEC_KEEP(at, &contexts->items,
        (at->request = query_requests_find(&contexts->requests, at->thread, at->begin, at->end)) !=
            QUERY_NO_REQUEST);
    LP_TRY(LP_SORT(sort_parts, contexts->items.items, contexts->items.count));
    for (uint32_t i = 0; i < contexts->items.count; i++) {
        LP_ASSERT(items[i].request < contexts->requests.items.count);
        query_request *request = &contexts->requests.items.items[items[i].request];
        request->first_part = request->part_count++ == 0 ? i : request->first_part;
    }
    return LP_OK;
}

static void
merge_attributes(
    query_attributes *attributes, const query_context_list *parts, query_request *request)
{
    size_t count = 0;
    request->attributes = (uint32_t)attributes->kept.count;
    for (uint32_t i = 0; i < request->part_count; i++) {
        const query_context *part = &parts->items[request->first_part + i];
        count = query_attributes_merge(attributes, request->attributes, count, part->attributes,
            part->attribute_count, QUERY_REQUEST_ATTRIBUTES_MAX);
    }
    request->attribute_count = (uint8_t)count;
}

// --- Which are wanted

static bool
has_attributes(
    const query_attributes *stored, const query_selection *selection, const query_request *request)
{
    query_known_attribute known[QUERY_REQUEST_ATTRIBUTES_MAX];
    query_attribute attributes[QUERY_REQUEST_ATTRIBUTES_MAX];
    if (!query_selection_needs_attributes(selection)) {
        return true;
    }
    query_attributes_read(stored, request->attributes, request->attribute_count, known);
    for (size_t i = 0; i < request->attribute_count; i++) {
        attributes[i] = known[i].attribute;
    }
    return query_selection_has_attributes(selection, attributes, request->attribute_count);
}

static bool
is_wanted(const query_contexts *contexts, const query_attributes *attributes,
    const query_selection *selection, const query_request *request, const query_names *names)
{
    return request->has_facts &&
           (!selection->has_request || selection->request == request->facts.id) &&
           query_selection_has_times(
               selection, query_request_wall_ns(contexts, request), request->facts.duration_ns) &&
           query_selection_has_type(selection, query_names_text(names, request->facts.type)) &&
           has_attributes(attributes, selection, request);
}

static void
choose(query_contexts *contexts, const query_wanted *wanted, const query_names *names)
{
    for (size_t i = 0; i < contexts->requests.items.count; i++) {
        query_request *request = &contexts->requests.items.items[i];
        if (wanted->attributes != NULL) {
            merge_attributes(wanted->attributes, &contexts->items, request);
        }
        uint8_t in = request->in;
        if (!is_wanted(contexts, wanted->attributes, wanted->selection, request, names)) {
            in &= (uint8_t)~QUERY_IN_SELECTION;
        }
        if (wanted->base == NULL ||
            !is_wanted(contexts, wanted->attributes, wanted->base, request, names) ||
            (wanted->base->is_rest && (in & QUERY_IN_SELECTION) != 0)) {
            in &= (uint8_t)~QUERY_IN_BASE;
        }
        request->in = in;
    }
}

// --- Stays

// move_parts moves the parts of wanted requests to contexts->parts.
static void
move_parts(query_contexts *contexts, const uint32_t *index, bool keeps_parts)
{
    size_t count = 0;
    for (size_t i = 0; i < contexts->items.count; i++) {
        query_context part = contexts->items.items[i];
        part.request = index[part.request];
        if (part.request == QUERY_NO_REQUEST) {
            continue;
        }
        LP_ASSERT(part.request < contexts->requests.items.count);
        query_request *request = &contexts->requests.items.items[part.request];
        if (count == 0 || contexts->items.items[count - 1].request != part.request) {
            request->first_part = (uint32_t)count;
        }
        contexts->items.items[count++] = part;
    }
    contexts->items.count = count;
    contexts->parts = contexts->items;
    contexts->items = (query_context_list){0};
    if (!keeps_parts) {
        LP_VEC_FINI(&contexts->parts);
    }
}

static lp_err
add_stays(query_contexts *contexts)
{
    const query_requests *requests = &contexts->requests;
    LP_REQUIRE(LP_VEC_RESERVE(&contexts->items, requests->stays.count + 1), LP_ENOMEM);
    for (size_t i = 0; i < requests->stays.count; i++) {
        const query_stay *stay = &requests->stays.items[i];
        contexts->items.items[i] = (query_context){
            .begin = stay->begin,
            .end = stay->end,
            .thread = stay->thread,
            .thread_key = stay->thread_key,
            .chunk = stay->chunk,
            .begin_chunk = stay->chunk,
            .request = stay->request,
            .base_parent = QUERY_NO_CONTEXT,
            .thread_name = stay->thread_name,
            .in = requests->items.items[stay->request].in,
        };
    }
    contexts->items.count = requests->stays.count;
    query_context_find_end_max(&contexts->items);
    return LP_OK;
}

lp_err
query_request_contexts_make(
    query_contexts *contexts, const query_wanted *wanted, const query_names *names)
{
    LP_ASSERT(contexts->unit == QUERY_UNIT_REQUESTS);
    LP_ASSERT(contexts->parts.count == 0);
    lp_err err = query_requests_finish(&contexts->requests, &contexts->threads);
    contexts->is_truncated |= contexts->requests.is_truncated;
    LP_THEN(err, find_parts(contexts));
    LP_REQUIRE(err == LP_OK, err);
    choose(contexts, wanted, names);
    uint32_t *index = calloc(contexts->requests.items.count + 1, sizeof(*index));
    LP_REQUIRE(index != NULL, LP_ENOMEM);
    err = query_requests_drop(&contexts->requests, index);
    if (err == LP_OK) {
        move_parts(contexts, index, wanted->wants_parts);
        err = add_stays(contexts);
    }
    free(index);
    LP_THEN(err, wanted->attributes != NULL ? lp_arena_err(&wanted->attributes->arena) : LP_OK);
    return err;
}
