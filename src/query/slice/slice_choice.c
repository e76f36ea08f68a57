// SPDX-License-Identifier: Apache-2.0
#include "query/slice/slice_choice.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_find.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"

#include <stdlib.h>
#include <string.h>

// How the events of a type count for a slice, apart from their thread.
typedef enum slice_part {
    PART_NONE,
    PART_PAUSE,    // of the JVM
    PART_ENTER,    // a wait for a monitor
    PART_DESCRIBE, // describes the JVM or the chunk
} slice_part;

// --- Spans

typedef struct query_slice_span span;

void
query_slice_spans_fini(query_slice_spans *spans)
{
    LP_VEC_FINI(&spans->items);
}

lp_err
query_slice_spans_add(query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end)
{
    return LP_VEC_ADD(&spans->items, (span){thread, begin, end});
}

static bool
is_before(const span *a, const span *b)
{
    int order = LP_ORDER(a->thread, b->thread)
                    ?: LP_ORDER(a->begin, b->begin)
                    ?: LP_ORDER(b->end, a->end);
    return order < 0;
}

LP_SORT_DEFINE(sort_spans, span, is_before)

lp_err
query_slice_spans_finish(query_slice_spans *spans)
{
    span *items = spans->items.items;
    LP_TRY(LP_SORT(sort_spans, items, spans->items.count));
    size_t left = 0;
    for (size_t i = 0; i < spans->items.count; i++) {
        bool is_in_other = left > 0 && items[left - 1].thread == items[i].thread &&
                           items[left - 1].end >= items[i].end;
        if (!is_in_other) {
            items[left++] = items[i];
        }
    }
    spans->items.count = left;
    return LP_OK;
}

// reaches returns whether a span on the thread begins at `by` or before, and ends at `until` or
// later.
static bool
reaches(const query_slice_spans *spans, uint64_t thread, int64_t by, int64_t until)
{
    const span *items = spans->items.items;
    size_t low = LP_BISECT(items, 0, spans->items.count,
        at->thread < thread || (at->thread == thread && at->begin <= by));
    return low > 0 && items[low - 1].thread == thread && items[low - 1].end >= until;
}

bool
query_slice_spans_have(const query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end)
{
    LP_ASSERT(begin <= end);
    return reaches(spans, thread, begin, end);
}

bool
query_slice_spans_meet(const query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end)
{
    LP_ASSERT(begin <= end);
    return reaches(spans, thread, end, begin);
}

// --- Sessions

void
query_slice_session_fini(query_slice_session *session)
{
    query_threads_fini(&session->threads);
    query_periods_fini(&session->periods);
    query_slice_spans_fini(&session->contexts);
    query_slice_spans_fini(&session->times);
    query_slice_spans_fini(&session->waits);
    query_slice_spans_fini(&session->wait_times);
    lp_map_fini(&session->requests);
    lp_map_fini(&session->request_chunks);
    *session = (query_slice_session){0};
}

static void
session_check(const query_slice_session *session)
{
    LP_ASSERT(session->waits.items.count <= QUERY_SLICE_WAITS_MAX);
    LP_ASSERT(session->periods.items.count <= QUERY_PERIODS_MAX);
}

// add adds a span both to its thread and to all threads.
static lp_err
add(query_slice_spans *by_thread, query_slice_spans *times, uint64_t thread, int64_t begin,
    int64_t end)
{
    LP_TRY(query_slice_spans_add(by_thread, thread, begin, end));
    return query_slice_spans_add(times, QUERY_NO_THREAD, begin, end);
}

static lp_err
finish(query_slice_spans *by_thread, query_slice_spans *times)
{
    LP_TRY(query_slice_spans_finish(by_thread));
    return query_slice_spans_finish(times);
}

static lp_err
take_requests(query_slice_session *session, const query_contexts *contexts)
{
    session->context_count = contexts->requests.items.count;
    for (size_t i = 0; i < contexts->requests.items.count; i++) {
        const query_request *request = &contexts->requests.items.items[i];
        LP_TRY(lp_map_put(&session->requests, request->facts.id, 1));
        LP_TRY(lp_map_put(&session->request_chunks, request->chunk, 1));
    }
    return LP_OK;
}

lp_err
query_slice_session_take(query_slice_session *session, query_contexts *contexts)
{
    LP_ASSERT(session->context_count == 0);
    session->threads = contexts->threads;
    contexts->threads = (query_threads){0};
    session->periods = contexts->periods;
    contexts->periods = (query_periods){0};
    for (size_t i = 0; i < contexts->items.count; i++) {
        const query_context *context = &contexts->items.items[i];
        if ((context->in & QUERY_IN_SELECTION) != 0) {
            session->context_count++;
            LP_TRY(add(&session->contexts, &session->times, context->thread, context->begin,
                context->end));
        }
    }
    if (contexts->unit == QUERY_UNIT_REQUESTS) {
        LP_TRY(take_requests(session, contexts));
    }
    return finish(&session->contexts, &session->times);
}

// has_needed_period returns whether a chunk has a needed period, at an offset; UINT32_MAX:
// anywhere.
static bool
has_needed_period(const query_slice_session *session, uint32_t index, uint32_t offset)
{
    size_t count;
    const query_period *periods = query_periods_of(&session->periods, index, &count);
    return LP_FIND(periods, count,
               at->is_needed && (offset == UINT32_MAX || at->offset == offset)) != NULL;
}

static bool
meets_contexts(const query_slice_session *session, const query_chunk_times *times, bool with_waits)
{
    return times->commit_min <= times->commit_max &&
           (query_slice_spans_meet(
                &session->times, QUERY_NO_THREAD, times->commit_min, times->commit_max) ||
               (with_waits && query_slice_spans_meet(&session->wait_times, QUERY_NO_THREAD,
                                  times->commit_min, times->commit_max)));
}

bool
query_slice_session_needs(const query_slice_session *session, uint32_t index,
    const query_chunk_times *times, bool with_waits)
{
    session_check(session);
    return meets_contexts(session, times, with_waits) ||
           lp_map_find(&session->request_chunks, index) != LP_MAP_NONE ||
           has_needed_period(session, index, UINT32_MAX);
}

// --- Types

static slice_part
part_of(const query_chunk *chunk, const query_type *type)
{
    static const struct known {
        const char *type;
        slice_part part;
    } known[] = {
        {"dev.loupe.Accounting", PART_DESCRIBE},
        {"dev.loupe.Loss", PART_DESCRIBE},
        {"dev.loupe.RequestAccounting", PART_DESCRIBE},
        {"jdk.GCPhasePauseLevel1", PART_PAUSE},
        {"jdk.GCPhasePauseLevel2", PART_PAUSE},
        {"jdk.GCPhasePauseLevel3", PART_PAUSE},
        {"jdk.GCPhasePauseLevel4", PART_PAUSE},
        {"jdk.GarbageCollection", PART_PAUSE},
        {"jdk.JVMInformation", PART_DESCRIBE},
        {"jdk.JavaMonitorEnter", PART_ENTER},
        {"jdk.SafepointCleanup", PART_PAUSE},
        {"jdk.SafepointCleanupTask", PART_PAUSE},
        {"jdk.SafepointEnd", PART_PAUSE},
        {"jdk.SafepointStateSynchronization", PART_PAUSE},
    };
    if (type->of.scope == TIME_IN_JVM) {
        return PART_PAUSE;
    }
    const char *name = query_names_text(chunk->names, type->name);
    const struct known *found = LP_FIND(known, LP_COUNT(known), strcmp(name, at->type) == 0);
    return found == NULL ? PART_NONE : found->part;
}

// find_parts returns the parts of the chunk's types; NULL if memory ran out.
static slice_part *
find_parts(query_chunk *chunk)
{
    size_t count = chunk->view.schema->metadata.types.count;
    slice_part *parts = LP_ARENA_ARRAY(&chunk->view.arena, slice_part, count);
    for (size_t i = 0; i < count && parts != NULL; i++) {
        parts[i] =
            chunk->types[i].role == QUERY_ROLE_EVENT ? part_of(chunk, &chunk->types[i]) : PART_NONE;
    }
    return parts;
}

static uint64_t
thread_of(const query_slice_session *session, query_chunk *chunk, uint32_t index,
    const query_event *event)
{
    uint64_t identity = query_chunk_identity(chunk, event);
    return identity == QUERY_NO_THREAD
               ? identity
               : query_threads_find(&session->threads, index, event->thread_key, identity);
}

static bool
is_in_context(const query_slice_session *session, const query_event *event, uint64_t thread)
{
    return thread != QUERY_NO_THREAD &&
           query_slice_spans_have(&session->contexts, thread, event->commit, event->commit);
}

// --- Waits

static lp_err
add_wait(query_slice_session *session, query_chunk *chunk, uint32_t index, const query_event *event)
{
    uint64_t key;
    uint64_t owner = query_chunk_thread_in(chunk, event, "previousOwner", &key);
    if (owner == QUERY_NO_THREAD) {
        return LP_OK;
    }
    if (session->waits.items.count == QUERY_SLICE_WAITS_MAX) {
        session->is_truncated = true;
        return LP_OK;
    }
    owner = query_threads_find(&session->threads, index, key, owner);
    return add(&session->waits, &session->wait_times, owner, event->begin, event->commit);
}

lp_err
query_slice_add_waits(query_slice_session *session, query_chunk *chunk, uint32_t index)
{
    session_check(session);
    const slice_part *parts = find_parts(chunk);
    query_scan scan = query_scan_begin(chunk, session->is_cancelled, query_chunk_err(chunk));
    query_event event;
    while (query_scan_next(&scan, &event)) {
        if (parts[event.type_index] == PART_ENTER &&
            is_in_context(session, &event, thread_of(session, chunk, index, &event))) {
            scan.err = add_wait(session, chunk, index, &event);
        }
    }
    return scan.err;
}

lp_err
query_slice_finish_waits(query_slice_session *session)
{
    session_check(session);
    return finish(&session->waits, &session->wait_times);
}

// --- Events

void
query_slice_choice_fini(query_slice_choice *choice)
{
    LP_VEC_FINI(&choice->offsets);
    LP_VEC_FINI(&choice->described);
}

// explains returns whether has_around adds an event.
static bool
explains(const query_slice_session *session, query_chunk *chunk, const query_event *event,
    uint64_t thread, slice_part part)
{
    if (thread != QUERY_NO_THREAD &&
        query_slice_spans_have(&session->waits, thread, event->commit, event->commit)) {
        return true;
    }
    return part == PART_PAUSE &&
           query_slice_spans_have(&session->times, QUERY_NO_THREAD, event->commit, event->commit) &&
           query_chunk_counts(chunk, event);
}

static bool
is_chosen(const query_slice_session *session, query_chunk *chunk, uint32_t index,
    const query_event *event, slice_part part, bool has_around)
{
    bool is_of_request =
        event->type->role == QUERY_ROLE_REQUEST || event->type->role == QUERY_ROLE_HAND_OVER;
    if (is_of_request) {
        return session->requests.count > 0 &&
               lp_map_find(&session->requests, query_requests_id_of(chunk, event)) != LP_MAP_NONE;
    }
    uint64_t thread = thread_of(session, chunk, index, event);
    if (event->type->role == QUERY_ROLE_CONTEXT) {
        return thread != QUERY_NO_THREAD &&
               query_slice_spans_have(&session->contexts, thread, event->begin, event->commit);
    }
    return event->type->role == QUERY_ROLE_EVENT &&
           (is_in_context(session, event, thread) ||
               (has_around && explains(session, chunk, event, thread, part)));
}

// --- Periods of samples

lp_err
query_slice_add_period(
    query_slice_session *session, query_chunk *chunk, uint32_t index, bool has_around)
{
    session_check(session);
    const slice_part *parts = find_parts(chunk);
    query_scan scan = query_scan_begin(chunk, session->is_cancelled, query_chunk_err(chunk));
    query_event event;
    while (query_scan_next(&scan, &event)) {
        if (query_periods_is_sample(event.type) &&
            is_chosen(session, chunk, index, &event, parts[event.type_index], has_around)) {
            // All other chosen samples of the chunk have the same period, as it is from another
            // chunk.
            query_period *period = query_periods_find(&session->periods, index, event.commit);
            LP_ASSERT(period != NULL);
            period->is_needed = true;
            return query_chunk_err(chunk);
        }
    }
    return scan.err;
}

// --- A chunk

LP_COMPARE(compare_offsets, uint32_t, LP_ORDER(*one, *other))

static lp_err
add_described(query_slice_choice *choice, const bool *has_type)
{
    if (choice->offsets.count == 0) {
        return LP_OK;
    }
    for (size_t i = 0; i < choice->described.count; i++) {
        const struct query_slice_described *item = &choice->described.items[i];
        if (item->type == JFR_NONE || has_type[item->type]) {
            LP_TRY(LP_VEC_ADD(&choice->offsets, item->offset));
        }
    }
    LP_QSORT(choice->offsets.items, choice->offsets.count, compare_offsets);
    return LP_OK;
}

lp_err
query_slice_choose(const query_slice_session *session, query_chunk *chunk, uint32_t index,
    bool has_around, query_slice_choice *choice)
{
    session_check(session);
    const slice_part *parts = find_parts(chunk);
    bool *has_type =
        LP_ARENA_ARRAY(&chunk->view.arena, bool, chunk->view.schema->metadata.types.count);
    query_scan scan = query_scan_begin(chunk, session->is_cancelled, query_chunk_err(chunk));
    query_event event;
    choice->offsets.count = 0;
    choice->described.count = 0;
    while (query_scan_next(&scan, &event)) {
        slice_part part = parts[event.type_index];
        bool is_setting = event.type->role == QUERY_ROLE_SETTING;
        uint32_t named = is_setting ? query_chunk_named_type(chunk, &event) : (uint32_t)JFR_NONE;
        if (is_chosen(session, chunk, index, &event, part, has_around)) {
            has_type[event.type_index] = true;
            scan.err = LP_VEC_ADD(&choice->offsets, event.offset);
        } else if (is_setting && has_needed_period(session, index, event.offset)) {
            scan.err = LP_VEC_ADD(&choice->offsets, event.offset);
        } else if (part == PART_DESCRIBE || named != JFR_NONE) {
            const struct query_slice_described described = {event.offset, named};
            scan.err = LP_VEC_ADD(&choice->described, described);
        }
    }
    return scan.err == LP_OK ? add_described(choice, has_type) : scan.err;
}
