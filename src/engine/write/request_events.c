// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/job/request/test_request_step.c, tests/e2e/access_log.py
#include "common/base/lp_assert.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_varint.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "engine/carry/identities.h"
#include "engine/read/text.h"
#include "engine/requests/request_rules.h"
#include "engine/write/describe.h"
#include "engine/write/type_ids.h"
#include "engine/write/writer.h"

// --- Types

static const compact_described_field request_fields[] = {
    {"id", "java.lang.String", "Request Id", .is_contextual = true},
    {"requestStart", "long", "Request Start", .timestamp = "TICKS"},
    {"requestDuration", "long", "Request Duration", "NANOSECONDS", .is_contextual = true},
    {"busy", "long", "Busy", "NANOSECONDS"},
    {"queued", "long", "Queued", "NANOSECONDS"},
    {"elsewhere", "long", "Elsewhere", "NANOSECONDS"},
    {"parts", "long", "Parts"},
    {"state", "java.lang.String", "State"},
    {"keptBy", "java.lang.String", "Kept By"},
    {"type", "java.lang.String", "Type of the First Part"},
};

static const compact_described_field hand_over_fields[] = {
    {"from", "java.lang.Thread", "Handed Over By"},
    {"request", "java.lang.String", "Request Id"},
};

static uint64_t
add_type(compact_classes *classes, const char *name, const char *label, uint64_t wanted_id,
    const compact_described_field *fields, size_t count)
{
    uint64_t id;
    uint32_t class = compact_classes_add(classes, name, COMPACT_CLASSES_EVENT, wanted_id, &id);
    compact_describe_annotation(classes, class, "jdk.jfr.Label", label);
    compact_describe_event_fields(classes, class);
    compact_describe_fields(classes, class, fields, count);
    return id;
}

// --- Marking

static const compact_request *
request_at(const compact_writer *w, uint32_t request)
{
    return &w->decided->requests->items.items[request];
}

// ends_alone returns whether a request gets an event at its end: it is over, without a stay in the
// chunk.
static bool
ends_alone(const compact_writer *w, size_t request, bool has_stay)
{
    const compact_request *of = &w->decided->requests->items.items[request];
    return compact_decided_writes(w->decided, request) && of->is_over && !of->was_over && !has_stay;
}

static void
mark_thread(compact_writer *w, uint32_t thread)
{
    if (thread != LP_MAP_NONE) {
        jfr_pools_mark(
            &w->view->pools, w->view->schema->thread_type, w->view->threads.items[thread].key);
    }
}

static void
mark(compact_writer *w, const lp_map *threads, uint64_t identity)
{
    mark_thread(w, lp_map_find(threads, identity));
}

// thread_of_stay returns the thread of a stay in the view; LP_MAP_NONE if it has none. before is
// that of the previous stay: the stays of a thread follow each other.
static uint32_t
thread_of_stay(const compact_requests *requests, const lp_map *threads, size_t i, uint32_t before)
{
    const compact_stay *stay = &requests->stays.items[i];
    return i > 0 && stay[-1].thread == stay->thread ? before : lp_map_find(threads, stay->thread);
}

// mark_requests marks the threads of the events, and notes which requests have a stay on a thread
// of the chunk. Returns how many events there are.
static size_t
mark_requests(compact_writer *w, const lp_map *threads, bool *out_has_stay)
{
    const compact_requests *requests = w->decided->requests;
    size_t count = 0;
    uint32_t thread = LP_MAP_NONE;
    uint32_t marked = LP_MAP_NONE;
    for (size_t i = 0; i < requests->stays.count; i++) {
        uint32_t request = requests->stays.items[i].request;
        thread = thread_of_stay(requests, threads, i, thread);
        if (thread == LP_MAP_NONE || !compact_decided_writes(w->decided, request)) {
            continue;
        }
        out_has_stay[request] = true;
        count++;
        if (thread != marked) {
            mark_thread(w, thread);
            marked = thread;
        }
    }
    for (size_t i = 0; i < requests->items.count; i++) {
        if (ends_alone(w, i, out_has_stay[i])) {
            count++;
            mark(w, threads, requests->items.items[i].thread);
        }
    }
    return count;
}

// mark_locals marks the threads of the local requests. Returns how many there are.
static size_t
mark_locals(compact_writer *w)
{
    const compact_local_requests *locals = &w->decided->requests->locals;
    uint32_t marked = LP_MAP_NONE;
    for (size_t i = 0; i < locals->count; i++) {
        if (locals->items[i].thread != marked) {
            marked = locals->items[i].thread;
            mark_thread(w, marked);
        }
    }
    return locals->count;
}

static bool
mark_waits(compact_writer *w, const lp_map *threads)
{
    const compact_requests *requests = w->decided->requests;
    bool has_waits = false;
    for (size_t i = 0; i < requests->waits.count; i++) {
        const compact_wait *wait = &requests->waits.items[i];
        if (compact_decided_writes(w->decided, wait->request)) {
            has_waits = true;
            mark(w, threads, w->decided->hand_overs[wait->hand_over].from);
            mark(w, threads, w->decided->hand_overs[wait->hand_over].to);
        }
    }
    return has_waits;
}

void
compact_request_events_init(compact_request_events *events, compact_writer *w)
{
    compact_writer_check(w);
    LP_ASSERT(compact_frame_is_open(w->frame));
    *events = (compact_request_events){0};
    const compact_requests *requests = w->decided->requests;
    if (requests == NULL || requests->items.count + requests->locals.count == 0) {
        return;
    }
    compact_identities_map(w->view, w->frame->identities, w->arena, &events->threads);
    events->has_stay = LP_ARENA_ARRAY(w->arena, bool, requests->items.count);
    if (events->has_stay == NULL) {
        return;
    }
    events->request_count = mark_requests(w, &events->threads, events->has_stay) + mark_locals(w);
    if (events->request_count > 0) {
        events->request_id =
            add_type(&w->classes, JFR_REQUEST_TYPE, "Request", COMPACT_TYPE_IDS_REQUEST,
                request_fields, sizeof(request_fields) / sizeof(*request_fields));
    }
    if (mark_waits(w, &events->threads)) {
        events->hand_over_id =
            add_type(&w->classes, JFR_HAND_OVER_TYPE, "Hand-Over", COMPACT_TYPE_IDS_HAND_OVER,
                hand_over_fields, sizeof(hand_over_fields) / sizeof(*hand_over_fields));
    }
}

void
compact_request_events_fini(compact_request_events *events)
{
    lp_map_fini(&events->threads);
    *events = (compact_request_events){0};
}

// --- Writing

static uint64_t
thread_key(const compact_writer *w, uint32_t thread)
{
    return thread == LP_MAP_NONE ? 0
                                 : jfr_rewrite_key(&w->rewrite, w->view->schema->thread_type,
                                       w->view->threads.items[thread].key);
}

static lp_buf *
begin_event(compact_writer *w, int64_t begin, int64_t end, uint32_t thread)
{
    lp_buf *payload = &w->scratch;
    lp_buf_clear(payload);
    uint64_t start = (uint64_t)jfr_rewrite_time(&w->rewrite, begin);
    jfr_varint_append(payload, start);
    jfr_varint_append(payload, (uint64_t)jfr_rewrite_time(&w->rewrite, end) - start);
    jfr_varint_append(payload, thread_key(w, thread));
    return payload;
}

static uint64_t
ns_of(const compact_writer *w, int64_t ticks)
{
    __int128 ns = (__int128)ticks * 1000000000 / w->view->info.ticks_per_s;
    return ns < 0 ? 0 : ns > INT64_MAX ? (uint64_t)INT64_MAX : (uint64_t)ns;
}

// The fields of a request's event.
typedef struct shown_request {
    uint64_t id;
    int64_t begin; // ticks, as the next three
    int64_t duration;
    int64_t busy;
    int64_t queued;
    uint64_t part_count;
    const char *state;
    const char *kept_by;
    const char *type;
} shown_request;

static int64_t
duration_of(int64_t begin, int64_t end)
{
    int64_t duration;
    return __builtin_sub_overflow(end, begin, &duration) ? INT64_MAX : duration;
}

static shown_request
show(const compact_request *request)
{
    return (shown_request){
        .id = request->id,
        .begin = request->begin,
        .duration = duration_of(request->begin, request->end),
        .busy = request->busy_ticks,
        .queued = request->queued_ticks,
        .part_count = request->part_count,
        .state = !request->is_over     ? "open"
                 : request->is_unended ? "unended"
                                       : "over",
        .kept_by = request->is_kept ? compact_request_kept_name(request->kept_by)
                                    : COMPACT_REQUEST_KEPT_BY_PIN,
        .type = request->type == NULL ? "" : request->type,
    };
}

static shown_request
show_local(const compact_writer *w, const compact_local_request *local)
{
    const compact_view *view = w->view;
    int64_t duration = duration_of(local->begin, local->end);
    return (shown_request){
        .id = compact_requests_nested_key(w->frame->identities[local->thread], local->begin),
        .begin = local->begin,
        .duration = duration,
        .busy = duration,
        .part_count = local->part_count,
        .state = "over",
        .kept_by = compact_request_kept_name(COMPACT_REQUEST_KEPT_PARTS),
        .type = jfr_metadata_type_name(
            &view->schema->metadata, compact_view_type_at(view, local->offset)),
    };
}

// The last texts of a request's event: most requests have those of the request before.
typedef struct last_texts {
    const char *state;
    const char *kept_by;
    const char *type;
    lp_buf encoded;
} last_texts;

static void
append_texts(last_texts *last, const shown_request *request, lp_buf *out)
{
    if (request->state != last->state || request->kept_by != last->kept_by ||
        request->type != last->type) {
        last->state = request->state;
        last->kept_by = request->kept_by;
        last->type = request->type;
        lp_buf_clear(&last->encoded);
        compact_text_append_string(&last->encoded, request->state);
        compact_text_append_string(&last->encoded, request->kept_by);
        compact_text_append_string(&last->encoded, request->type);
    }
    lp_buf_append(out, last->encoded.ptr, last->encoded.len);
    out->is_failed |= last->encoded.is_failed;
}

static void
append_request(const compact_request_events *events, compact_writer *w,
    const shown_request *request, int64_t begin, int64_t end, uint32_t thread, last_texts *last)
{
    lp_buf *payload = begin_event(w, begin, end, thread);
    uint64_t duration_ns = ns_of(w, request->duration);
    bool is_busy = request->busy == request->duration;
    int64_t elsewhere = request->duration - request->busy - request->queued;
    compact_text_append_hex_string(payload, request->id);
    jfr_varint_append(payload, (uint64_t)jfr_rewrite_time(&w->rewrite, request->begin));
    jfr_varint_append(payload, duration_ns);
    jfr_varint_append(payload, is_busy ? duration_ns : ns_of(w, request->busy));
    jfr_varint_append(payload, request->queued == 0 ? 0 : ns_of(w, request->queued));
    jfr_varint_append(payload, elsewhere == 0 ? 0 : ns_of(w, elsewhere));
    jfr_varint_append(payload, request->part_count);
    append_texts(last, request, payload);
    compact_writer_end_event(w, events->request_id);
}

// append_locals appends the local requests that come before a stay, or all if it is NULL. *left is
// how many are left.
static void
append_locals(const compact_request_events *events, compact_writer *w, const compact_stay *stay,
    size_t *left, last_texts *last)
{
    enum { FETCH_LOCALS = 16 };
    const compact_local_request *locals = w->decided->requests->locals.items;
    for (; *left > 0; --*left) {
        const compact_local_request *local = &locals[*left - 1];
        uint64_t identity = w->frame->identities[local->thread];
        bool is_before = stay == NULL || identity < stay->thread ||
                         (identity == stay->thread && local->begin < stay->begin);
        if (!is_before) {
            return;
        }
        if (*left > FETCH_LOCALS) {
            compact_view_fetch(w->view, local[-FETCH_LOCALS].offset);
        }
        const shown_request shown = show_local(w, local);
        append_request(events, w, &shown, local->begin, local->end, local->thread, last);
    }
}

static void
append_requests(const compact_request_events *events, compact_writer *w)
{
    LP_ASSERT(events->request_id != 0 && events->has_stay != NULL);
    const compact_requests *requests = w->decided->requests;
    uint32_t thread = LP_MAP_NONE;
    size_t local_count = requests->locals.count;
    last_texts last = {0};
    for (size_t i = 0; i < requests->stays.count; i++) {
        const compact_stay *stay = &requests->stays.items[i];
        const compact_request *request = request_at(w, stay->request);
        append_locals(events, w, stay, &local_count, &last);
        thread = thread_of_stay(requests, &events->threads, i, thread);
        if (compact_decided_writes(w->decided, stay->request) && thread != LP_MAP_NONE) {
            const shown_request shown = show(request);
            append_request(events, w, &shown, stay->begin, stay->end, thread, &last);
        }
    }
    append_locals(events, w, NULL, &local_count, &last);
    for (size_t i = 0; i < requests->items.count; i++) {
        const compact_request *request = &requests->items.items[i];
        if (ends_alone(w, i, events->has_stay[i])) {
            const shown_request shown = show(request);
            append_request(events, w, &shown, request->end, request->end,
                lp_map_find(&events->threads, request->thread), &last);
        }
    }
    lp_buf_fini(&last.encoded);
}

static void
append_hand_overs(const compact_request_events *events, compact_writer *w)
{
    LP_ASSERT(events->hand_over_id != 0);
    const compact_requests *requests = w->decided->requests;
    for (size_t i = 0; i < requests->waits.count; i++) {
        const compact_request *request = request_at(w, requests->waits.items[i].request);
        if (!compact_decided_writes(w->decided, requests->waits.items[i].request)) {
            continue;
        }
        const compact_hand_over *hand_over =
            &w->decided->hand_overs[requests->waits.items[i].hand_over];
        lp_buf *payload = begin_event(
            w, hand_over->handed, hand_over->taken, lp_map_find(&events->threads, hand_over->to));
        jfr_varint_append(payload, thread_key(w, lp_map_find(&events->threads, hand_over->from)));
        compact_text_append_hex_string(payload, request->id);
        compact_writer_end_event(w, events->hand_over_id);
    }
}

void
compact_request_events_append(const compact_request_events *events, compact_writer *w)
{
    compact_writer_check(w);
    if (events->request_id != 0) {
        append_requests(events, w);
    }
    if (events->hand_over_id != 0) {
        append_hand_overs(events, w);
    }
}
