// SPDX-License-Identifier: Apache-2.0
#include "query/run/contexts.h"

#include "common/base/lp_assert.h"

void
query_contexts_fini(query_contexts *contexts)
{
    LP_VEC_FINI(&contexts->items);
    LP_VEC_FINI(&contexts->parts);
    LP_VEC_FINI(&contexts->chunks);
    query_requests_fini(&contexts->requests);
    query_periods_fini(&contexts->periods);
    query_threads_fini(&contexts->threads);
    query_thread_spans_fini(&contexts->spans[0]);
    query_thread_spans_fini(&contexts->spans[1]);
    lp_map_fini(&contexts->by_id);
    *contexts = (query_contexts){0};
}

static void
contexts_check(const query_contexts *contexts)
{
    LP_ASSERT(contexts->items.count <= QUERY_CONTEXTS_MAX);
    LP_ASSERT(contexts->parts.count <= QUERY_CONTEXTS_MAX);
}

static uint32_t
last_chunk(const query_contexts *contexts)
{
    LP_ASSERT(contexts->chunks.count > 0);
    return (uint32_t)contexts->chunks.count - 1;
}

static jfr_clock
clock_of(const jfr_chunk_info *info)
{
    return jfr_clock_make(info->start_wall_ns, info->start_ticks, info->ticks_per_s);
}

jfr_clock
query_contexts_clock(const query_contexts *contexts, uint32_t index)
{
    LP_ASSERT(index < contexts->chunks.count);
    LP_ASSERT(contexts->chunks.items[index].info.ticks_per_s > 0);
    return clock_of(&contexts->chunks.items[index].info);
}

int64_t
query_contexts_wall_ns(const query_contexts *contexts, const query_context *context)
{
    const jfr_clock clock = query_contexts_clock(contexts, context->begin_chunk);
    return jfr_clock_wall_ns(&clock, context->begin);
}

int64_t
query_contexts_duration_ns(const query_contexts *contexts, const query_context *context)
{
    const jfr_clock clock = query_contexts_clock(contexts, context->begin_chunk);
    return jfr_clock_between_ns(&clock, context->begin, context->end);
}

// --- Contexts

enum { SIDES = 2 }; // the selection and the base, by the index of their bit

static const query_selection *
side_of(const query_wanted *wanted, size_t index)
{
    return index == 0 ? wanted->selection : wanted->base;
}

static uint8_t
bit_of(size_t side)
{
    return (uint8_t)(QUERY_IN_SELECTION << side);
}

// SIDES_WITH returns the bits of `in` whose selection, `side`, meets a condition.
#define SIDES_WITH(wanted, in, condition)                                                          \
    ({                                                                                             \
        uint8_t sides_found = 0;                                                                   \
        for (size_t sides_i = 0; sides_i < SIDES; sides_i++) {                                     \
            const query_selection *side = side_of(wanted, sides_i);                                \
            bool sides_is_of = side != NULL && ((in)&bit_of(sides_i)) != 0 && (condition);         \
            sides_found |= sides_is_of ? bit_of(sides_i) : 0;                                      \
        }                                                                                          \
        sides_found;                                                                               \
    })

enum { ALL_SIDES = QUERY_IN_SELECTION | QUERY_IN_BASE };

// without_rest drops the base from found, if the base is the rest of the selection and found has
// that.
static uint8_t
without_rest(const query_wanted *wanted, uint8_t found)
{
    bool is_rest = wanted->base != NULL && wanted->base->is_rest;
    return is_rest && (found & QUERY_IN_SELECTION) != 0 ? QUERY_IN_SELECTION : found;
}

static bool
has_thread(const query_selection *selection, query_chunk *chunk, const query_event *event)
{
    if (!query_selection_needs_thread(selection)) {
        return true;
    }
    int64_t java_id;
    uint32_t name = query_chunk_thread(chunk, event->thread_key, &java_id);
    return query_selection_has_thread(selection, query_names_text(chunk->names, name), java_id);
}

typedef struct attribute_list {
    size_t count;
    query_attribute items[COMPACT_KIND_ATTRIBUTES_MAX];
} attribute_list;

static void
read_attributes(
    const query_wanted *wanted, query_chunk *chunk, const query_event *event, attribute_list *out)
{
    bool is_needed = wanted->attributes != NULL ||
                     SIDES_WITH(wanted, ALL_SIDES, query_selection_needs_attributes(side)) != 0;
    if (SIDES_WITH(wanted, ALL_SIDES, side->any_id != NULL) != 0) {
        query_chunk_find_ids(chunk);
    }
    out->count = is_needed ? query_chunk_attributes(chunk, event, out->items) : 0;
}

static uint8_t
find_by_event(const query_wanted *wanted, query_chunk *chunk, const query_event *event,
    const attribute_list *attributes, uint8_t in)
{
    return SIDES_WITH(wanted, in,
        query_selection_has_attributes(side, attributes->items, attributes->count) &&
            has_thread(side, chunk, event));
}

static uint8_t
find_by_times(
    const query_contexts *contexts, const query_wanted *wanted, const query_context *context)
{
    int64_t begin_ns = query_contexts_wall_ns(contexts, context);
    int64_t duration_ns = query_contexts_duration_ns(contexts, context);
    return SIDES_WITH(wanted, context->in,
        query_selection_has_times(side, begin_ns, duration_ns) &&
            (!side->has_id || side->id.begin == context->begin));
}

ctx_ref
query_contexts_ref(const query_context *context, const query_names *names)
{
    return ctx_ref_make(context->begin, query_names_text(names, context->type), context->thread);
}

// find_at_end returns the bits of a complete context.
static uint8_t
find_at_end(const query_contexts *contexts, const query_wanted *wanted,
    const query_context *context, const query_names *names)
{
    uint8_t found = find_by_times(contexts, wanted, context);
    found = SIDES_WITH(wanted, found,
        !side->has_id || ctx_ref_is_same(side->id, query_contexts_ref(context, names)));
    return without_rest(wanted, found);
}

static uint64_t
hash_of_id(const query_context *context)
{
    return lp_hash_number(
        lp_hash_seed(), context->id ^ lp_hash_number(lp_hash_seed(), context->type));
}

// join merges a part into its context, if that is known. Returns whether it did.
static bool
join(query_contexts *contexts, const query_context *part)
{
    uint32_t index = lp_map_find(&contexts->by_id, hash_of_id(part));
    LP_ASSERT(index == LP_MAP_NONE || index < contexts->items.count);
    query_context *known = index == LP_MAP_NONE ? NULL : &contexts->items.items[index];
    LP_REQUIRE(known != NULL && known->id == part->id && known->type == part->type, false);
    query_context joined = part->end >= known->end ? *part : *known;
    joined.begin_chunk = part->begin < known->begin ? part->begin_chunk : known->begin_chunk;
    joined.begin = part->begin < known->begin ? part->begin : known->begin;
    *known = joined;
    return true;
}

static lp_err
keep(query_contexts *contexts, const query_context *context)
{
    contexts_check(contexts);
    if (contexts->items.count == QUERY_CONTEXTS_MAX) {
        contexts->is_truncated = true;
        return LP_OK;
    }
    uint32_t index = (uint32_t)contexts->items.count;
    if (!LP_VEC_ROOM(&contexts->items) ||
        (context->id != 0 && lp_map_put(&contexts->by_id, hash_of_id(context), index) != LP_OK)) {
        return LP_ENOMEM;
    }
    contexts->items.items[contexts->items.count++] = *context;
    return LP_OK;
}

// context_of returns the context of an event in the chunk that was added last.
static query_context
context_of(const query_contexts *contexts, const query_chunk *chunk, const query_event *event)
{
    uint32_t index = last_chunk(contexts);
    return (query_context){
        .begin = event->begin,
        .end = event->commit,
        .thread_key = event->thread_key,
        .id = query_chunk_context_id(chunk, event),
        .chunk = index,
        .offset = event->offset,
        .begin_chunk = index,
        .type = event->type->name,
        .parent = QUERY_NO_CONTEXT,
        .base_parent = QUERY_NO_CONTEXT,
    };
}

static lp_err
add_context(query_contexts *contexts, const query_wanted *wanted, query_chunk *chunk,
    const query_event *event, uint8_t in)
{
    const char *type = query_names_text(chunk->names, event->type->name);
    in = SIDES_WITH(wanted, in, query_selection_has_type(side, type));
    if (in == 0) {
        return LP_OK;
    }
    query_context context = context_of(contexts, chunk, event);
    context.in = in;
    // A context with an id is judged once all parts are known. For others times are checked first,
    // as they cost least.
    bool is_whole = context.id == 0;
    context.in = is_whole ? find_by_times(contexts, wanted, &context) : in;
    context.thread =
        context.in == 0 ? (uint64_t)QUERY_NO_THREAD : query_chunk_identity(chunk, event);
    if (context.thread == QUERY_NO_THREAD) {
        return LP_OK;
    }
    attribute_list attributes;
    read_attributes(wanted, chunk, event, &attributes);
    context.in = find_by_event(wanted, chunk, event, &attributes, context.in);
    if (is_whole && context.in == 0) {
        return LP_OK;
    }
    if (wanted->attributes != NULL && context.in != 0) {
        context.attribute_count = (uint8_t)query_attributes_keep(
            wanted->attributes, attributes.items, attributes.count, &context.attributes);
    }
    if (wanted->wants_thread_names && context.in != 0) {
        int64_t java_id;
        context.thread_name = query_chunk_thread(chunk, event->thread_key, &java_id);
    }
    return !is_whole && join(contexts, &context) ? LP_OK : keep(contexts, &context);
}

// --- Requests

static lp_err
add_part(query_contexts *contexts, const query_wanted *wanted, query_chunk *chunk,
    const query_event *event, uint8_t in)
{
    contexts_check(contexts);
    query_context part = context_of(contexts, chunk, event);
    query_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
    part.in = in;
    part.thread = query_chunk_identity(chunk, event);
    if (part.thread == QUERY_NO_THREAD) {
        return LP_OK;
    }
    if (wanted->attributes != NULL) {
        size_t count = query_chunk_attributes(chunk, event, attributes);
        part.attribute_count =
            (uint8_t)query_attributes_keep(wanted->attributes, attributes, count, &part.attributes);
    }
    return part.id != 0 && join(contexts, &part) ? LP_OK : keep(contexts, &part);
}

static lp_err
add_stay(query_contexts *contexts, const query_wanted *wanted, query_chunk *chunk,
    const query_event *event, uint8_t in)
{
    uint32_t index;
    lp_err err = query_requests_add_stay(&contexts->requests, chunk, last_chunk(contexts), event,
        query_chunk_identity(chunk, event), &index);
    if (err != LP_OK || index == QUERY_NO_REQUEST) {
        return err;
    }
    // A request has the threads of all its stays.
    contexts->requests.items.items[index].in |=
        SIDES_WITH(wanted, in, has_thread(side, chunk, event));
    return LP_OK;
}

static lp_err
add_of_requests(query_contexts *contexts, const query_wanted *wanted, query_chunk *chunk,
    const query_event *event, uint8_t in)
{
    switch (event->type->role) {
    case QUERY_ROLE_REQUEST:
        return add_stay(contexts, wanted, chunk, event, in);
    case QUERY_ROLE_HAND_OVER:
        return query_requests_add_hand_over(
            &contexts->requests, chunk, last_chunk(contexts), event);
    case QUERY_ROLE_CONTEXT:
        return wanted->attributes != NULL || wanted->wants_parts
                   ? add_part(contexts, wanted, chunk, event, in)
                   : LP_OK;
    case QUERY_ROLE_NONE:
    case QUERY_ROLE_EVENT:
    case QUERY_ROLE_SETTING:
        break;
    }
    return LP_OK;
}

// --- Threads

static uint8_t
find_by_thread(const query_contexts *contexts, const query_wanted *wanted, query_chunk *chunk,
    const query_event *event, uint8_t in)
{
    const jfr_clock clock = query_contexts_clock(contexts, last_chunk(contexts));
    int64_t wall_ns = jfr_clock_wall_ns(&clock, event->commit);
    uint8_t found = SIDES_WITH(wanted, ALL_SIDES,
        query_selection_has_times(side, wall_ns, 0) && has_thread(side, chunk, event));
    return in & without_rest(wanted, found);
}

// ticks_of converts a duration to ticks, at most INT64_MAX.
static int64_t
ticks_of(const query_contexts *contexts, int64_t ns)
{
    __int128 ticks = (__int128)ns * contexts->clock.ticks_per_s / 1000000000;
    return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

// before subtracts and stops at INT64_MIN.
static int64_t
before(int64_t ticks, int64_t count)
{
    int64_t result;
    return __builtin_sub_overflow(ticks, count, &result) ? INT64_MIN : result;
}

// name_of_span returns the name of a thread that is new among spans, if names are wanted.
static uint32_t
name_of_span(const query_wanted *wanted, const query_thread_spans *spans, query_chunk *chunk,
    const query_thread_span *span)
{
    int64_t java_id;
    bool is_asked =
        wanted->wants_thread_names && lp_map_find(&spans->of_thread, span->thread) == LP_MAP_NONE;
    return is_asked ? query_chunk_thread(chunk, span->thread_key, &java_id)
                    : (uint32_t)QUERY_NAME_NONE;
}

// add_to_thread extends the span of an event's thread, if a side wants the thread.
static lp_err
add_to_thread(query_contexts *contexts, const query_wanted *wanted, query_chunk *chunk,
    const query_event *event, uint8_t in)
{
    bool is_pause = event->type->of.scope == TIME_IN_JVM;
    uint64_t thread = is_pause ? (uint64_t)QUERY_NO_THREAD : query_chunk_identity(chunk, event);
    in = thread == QUERY_NO_THREAD ? 0 : find_by_thread(contexts, wanted, chunk, event, in);
    if (in == 0) {
        return LP_OK;
    }
    uint32_t index = last_chunk(contexts);
    const char *period = event->type->of.period;
    int64_t own_ns = period == NULL ? 0 : query_chunk_length_ns(chunk, event, period);
    query_thread_span span = {
        .thread = query_threads_find(&contexts->threads, index, event->thread_key, thread),
        .thread_key = event->thread_key,
        .chunk = index,
        .sample_chunk = index,
        .sample = query_periods_is_sample(event->type) ? event->commit : INT64_MAX,
        .begin = before(event->begin, ticks_of(contexts, own_ns)),
        .end = event->commit,
    };
    for (size_t i = 0; i < SIDES; i++) {
        if ((in & bit_of(i)) != 0) {
            span.name = name_of_span(wanted, &contexts->spans[i], chunk, &span);
            LP_TRY(query_thread_spans_add(&contexts->spans[i], &span));
        }
    }
    return LP_OK;
}

// from_of returns the first tick at or after a wall time, by a chunk's clock.
static int64_t
from_of(const query_contexts *contexts, uint32_t chunk, int64_t wall_ns)
{
    const jfr_clock clock = query_contexts_clock(contexts, chunk);
    if (wall_ns <= clock.start_wall_ns) {
        return INT64_MIN;
    }
    return clock.start_ticks + ticks_of(contexts, wall_ns - clock.start_wall_ns);
}

// begin_of returns the begin of a thread: its first event, or a period before its first sample, but
// not before from_wall_ns.
static int64_t
begin_of(const query_contexts *contexts, const query_thread_span *span, int64_t from_wall_ns)
{
    int64_t begin = span->begin;
    const query_period *period = span->sample == INT64_MAX ? NULL
                                                           : query_periods_find(&contexts->periods,
                                                                 span->sample_chunk, span->sample);
    if (period != NULL) {
        int64_t sampled = before(span->sample, ticks_of(contexts, period->ns));
        begin = sampled < begin ? sampled : begin;
    }
    int64_t from = from_of(contexts, span->chunk, from_wall_ns);
    return begin < from && from <= span->end ? from : begin;
}

static lp_err
join_threads(
    const query_contexts *contexts, const query_thread_spans *spans, query_thread_spans *out_joined)
{
    LP_ASSERT(out_joined->items.count == 0);
    for (size_t i = 0; i < spans->items.count; i++) {
        query_thread_span span = spans->items.items[i];
        span.thread =
            query_threads_find(&contexts->threads, span.chunk, span.thread_key, span.thread);
        LP_TRY(query_thread_spans_add(out_joined, &span));
    }
    return LP_OK;
}

// take_side makes contexts of the threads of a side.
static lp_err
take_side(query_contexts *contexts, const query_wanted *wanted, size_t side)
{
    LP_ASSERT(side < SIDES && side_of(wanted, side) != NULL);
    query_thread_spans joined = {0};
    lp_err err = join_threads(contexts, &contexts->spans[side], &joined);
    contexts->is_truncated |= contexts->spans[side].is_truncated;
    for (size_t i = 0; i < joined.items.count && err == LP_OK; i++) {
        const query_thread_span *span = &joined.items.items[i];
        const query_context context = {
            .begin = begin_of(contexts, span, side_of(wanted, side)->from_wall_ns),
            .end = span->end,
            .thread = span->thread,
            .thread_key = span->thread_key,
            .thread_name = span->name,
            .chunk = span->chunk,
            .begin_chunk = span->chunk,
            .type = QUERY_NAME_NONE,
            .parent = QUERY_NO_CONTEXT,
            .base_parent = QUERY_NO_CONTEXT,
            .in = bit_of(side),
        };
        err = keep(contexts, &context);
    }
    query_thread_spans_fini(&joined);
    return err;
}

lp_err
query_contexts_skip(query_contexts *contexts, query_chunk_times times)
{
    contexts_check(contexts);
    return LP_VEC_ADD(&contexts->chunks, (query_chunk_state){.times = times});
}

static void
begin_clock(query_contexts *contexts, const jfr_chunk_info *info)
{
    if (!contexts->has_clock) {
        contexts->clock = clock_of(info);
        contexts->has_clock = true;
    }
}

static lp_err
add_event(query_contexts *contexts, const query_wanted *wanted, query_chunk *chunk,
    const query_event *event, uint8_t in)
{
    uint32_t index = last_chunk(contexts);
    query_chunk_times *times = &contexts->chunks.items[index].times;
    times->commit_min = event->commit < times->commit_min ? event->commit : times->commit_min;
    times->commit_max = event->commit > times->commit_max ? event->commit : times->commit_max;
    contexts->chunks.items[index].has_samples |= query_periods_is_sample(event->type);
    contexts->has_own_periods |= event->type->of.period != NULL;
    contexts->has_allocation_samples |= event->type->allocation.is_sample;
    if (event->type->role == QUERY_ROLE_SETTING) {
        return query_periods_add(&contexts->periods, chunk, index, event);
    }
    if (contexts->unit == QUERY_UNIT_REQUESTS) {
        return add_of_requests(contexts, wanted, chunk, event, in);
    }
    bool is_context = event->type->role == QUERY_ROLE_CONTEXT;
    if (contexts->unit == QUERY_UNIT_CONTEXTS) {
        return is_context ? add_context(contexts, wanted, chunk, event, in) : LP_OK;
    }
    bool is_event = event->type->role == QUERY_ROLE_EVENT;
    return is_context || is_event ? add_to_thread(contexts, wanted, chunk, event, in) : LP_OK;
}

lp_err
query_contexts_add(query_contexts *contexts, const query_wanted *wanted, query_chunk *chunk,
    uint8_t in, const atomic_bool *is_cancelled)
{
    contexts_check(contexts);
    LP_ASSERT(in != 0);
    uint32_t index = (uint32_t)contexts->chunks.count;
    lp_err err = query_contexts_skip(contexts, (query_chunk_times){INT64_MAX, INT64_MIN});
    if (err == LP_OK) {
        contexts->chunks.items[index].info = chunk->view.info;
        contexts->chunks.items[index].is_chained = chunk->view.is_chained;
        err = query_threads_add(&contexts->threads, index, &chunk->view);
    }
    begin_clock(contexts, &chunk->view.info);
    query_scan scan = query_scan_begin(chunk, is_cancelled, err);
    query_event event;
    while (query_scan_next(&scan, &event)) {
        scan.err = add_event(contexts, wanted, chunk, &event, in);
    }
    return scan.err == LP_OK && wanted->attributes != NULL
               ? lp_arena_err(&wanted->attributes->arena)
               : scan.err;
}

// --- The end

// settle resolves the threads of contexts, and drops contexts that are not wanted.
static void
settle(query_contexts *contexts, const query_wanted *wanted, const query_names *names)
{
    contexts_check(contexts);
    size_t count = 0;
    for (size_t i = 0; i < contexts->items.count; i++) {
        query_context context = contexts->items.items[i];
        context.thread = query_threads_find(
            &contexts->threads, context.chunk, context.thread_key, context.thread);
        if (contexts->unit == QUERY_UNIT_CONTEXTS) {
            context.in = find_at_end(contexts, wanted, &context, names);
        }
        if (context.in != 0) {
            contexts->items.items[count++] = context;
        }
    }
    contexts->items.count = count;
}

lp_err
query_contexts_finish(
    query_contexts *contexts, const query_wanted *wanted, const query_names *names)
{
    contexts_check(contexts);
    lp_map_fini(&contexts->by_id);
    LP_TRY(take_side(contexts, wanted, 0));
    LP_TRY(wanted->base == NULL ? LP_OK : take_side(contexts, wanted, 1));
    settle(contexts, wanted, names);
    contexts->is_truncated |= contexts->threads.is_truncated || contexts->periods.is_truncated;
    LP_TRY(query_context_sort(&contexts->items));
    if (contexts->unit == QUERY_UNIT_REQUESTS) {
        return LP_OK;
    }
    query_context_find_end_max(&contexts->items);
    contexts->is_truncated |= !query_context_nest(&contexts->items, QUERY_IN_SELECTION);
    if (wanted->base != NULL) {
        contexts->is_truncated |= !query_context_nest(&contexts->items, QUERY_IN_BASE);
    }
    return LP_OK;
}
