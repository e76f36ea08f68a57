// SPDX-License-Identifier: Apache-2.0
// also_times: finds the wanted times on threads (also.h).
//
// Tests: tests/unit/engine/job/also/test_also.c, tests/prop/test_also_prop.c

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/jfr_varint.h"
#include "engine/carry/identities.h"
#include "engine/job/also/also.h"
#include "engine/job/request/request_parts.h"
#include "engine/read/kind_values.h"
#include "engine/read/kinds.h"
#include "engine/read/view.h"

#include <string.h>

typedef struct finder {
    const compact_frame *frame;
    const compact_also *also;
    const compact_requests *requests; // NULL: requests are off
    lp_arena *arena;
    compact_also_times *out;
    compact_intervals waits;  // of the last round, by owner
    uint32_t enter_type;      // jdk.JavaMonitorEnter, if the chunk has it; else JFR_NONE
    jfr_program before_owner; // the fields before its previousOwner
} finder;

bool
compact_also_times_meet(const compact_intervals *times, uint64_t thread, int64_t begin, int64_t end)
{
    const compact_interval *last =
        compact_intervals_find(times, thread, begin > end ? begin : end); // absurd input
    return last != NULL && last->end >= begin;
}

static void
add(finder *f, uint64_t thread, int64_t begin, int64_t end)
{
    const compact_interval added = {thread, begin, end};
    if (begin <= end) {
        LP_ARENA_PUSH(f->arena, &f->out->on_threads, added);
    }
}

static void
tidy(compact_intervals *intervals)
{
    compact_intervals_sort(intervals);
    compact_intervals_join(intervals);
}

// --- Contexts and requests

// want_request wants the request for which a thread works at a time.
static void
want_request(finder *f, uint64_t thread, int64_t ticks)
{
    const compact_window *window = &f->frame->window;
    int64_t at = ticks < window->lo ? window->lo : ticks;
    if (f->requests == NULL || f->out->requests == NULL || at >= window->hi) {
        return;
    }
    uint32_t request = compact_requests_find(f->requests, thread, at);
    if (request != COMPACT_REQUEST_NONE) {
        f->out->requests[request] = true;
    }
}

static void
want(finder *f, uint64_t thread, int64_t begin, int64_t end)
{
    add(f, thread, begin, end);
    want_request(f, thread, begin);
}

static void
find_contexts(finder *f)
{
    const compact_contexts *contexts = f->frame->contexts;
    compact_also_ids ids = compact_also_ids_begin(f->frame, f->frame->view, f->arena);
    for (size_t i = 0; i < contexts->items.count; i++) {
        const compact_context *c = &contexts->items.items[i];
        if (c->begin < f->frame->window.hi && c->end >= f->frame->window.lo &&
            compact_also_ids_of_context(&ids, c)) {
            want(f, compact_identity_java(c->thread_id), c->begin, c->end);
        }
    }
    compact_also_ids_end(&ids);
}

static void
find_events(finder *f)
{
    const compact_view *view = f->frame->view;
    compact_also_ids ids = compact_also_ids_begin(f->frame, view, f->arena);
    compact_also_scan scan = compact_also_scan_begin(view);
    compact_also_event event;
    while (compact_also_scan_next(&scan, &event)) {
        if (view->schema->plans[event.type].rule == COMPACT_RULE_CONTEXTUAL &&
            event.thread != COMPACT_NO_THREAD &&
            compact_also_ids_of_event(&ids, event.type, event.payload)) {
            want(f, f->frame->identities[event.thread], event.begin, event.commit);
        }
    }
    compact_also_ids_end(&ids);
}

// find_events_ahead finds contextual events of a later chunk that were open at the end of this one.
static void
find_events_ahead(finder *f, const compact_ahead *ahead)
{
    compact_also_ids ids = compact_also_ids_begin(f->frame, ahead->view, f->arena);
    for (size_t i = 0; i < ahead->view->spans.count; i++) {
        const compact_span *span = &ahead->view->spans.items[i];
        if (span->begin >= f->frame->window.hi || span->thread == COMPACT_NO_THREAD) {
            continue;
        }
        const compact_event event = compact_view_event(ahead->view, span->offset);
        if (compact_also_ids_of_event(&ids, event.type, event.payload)) {
            want(f, ahead->identities[span->thread], span->begin, span->commit);
        }
    }
    compact_also_ids_end(&ids);
}

static bool
is_named(const compact_also *also, uint64_t request)
{
    size_t first = LP_BISECT(also->requests, 0, also->request_count, *at < request);
    return first < also->request_count && also->requests[first] == request;
}

static void
find_stays(finder *f)
{
    const compact_requests *requests = f->requests;
    for (size_t i = 0; i < requests->items.count; i++) {
        uint64_t id = requests->items.items[i].id;
        f->out->requests[i] |= is_named(f->also, id);
        f->out->has_asked |= f->also->asked_request != NULL && id == *f->also->asked_request;
    }
    for (size_t i = 0; i < requests->stays.count; i++) {
        const compact_stay *stay = &requests->stays.items[i];
        if (f->out->requests[stay->request]) {
            add(f, stay->thread, stay->begin, stay->end);
        }
    }
}

// --- Threads

// has_name returns whether a thread of the chunk has a name. text and value are scratch.
static bool
has_name(finder *f, const compact_reading *reading, const compact_kind *kind, uint32_t thread,
    const char *name)
{
    const compact_view *view = f->frame->view;
    const jfr_pool *pool = &view->pools.pools[view->schema->thread_type];
    LP_REQUIRE(thread < pool->constants.count, false); // it has no constant
    lp_buf value = {0};
    lp_buf text = {0};
    compact_kind_append_event(
        kind, reading, compact_view_value(view, &pool->constants.items[thread]), false, &value);
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&value));
    bool is_it = !value.is_failed && jfr_string_read_utf8(&cursor, &text) &&
                 text.len == strlen(name) && memcmp(text.ptr, name, text.len) == 0;
    lp_arena_note(f->arena, lp_buf_check(&value));
    lp_arena_note(f->arena, lp_buf_check(&text));
    lp_buf_fini(&value);
    lp_buf_fini(&text);
    return is_it;
}

static void
find_threads(finder *f)
{
    const compact_view *view = f->frame->view;
    const compact_kind kind = {.attribute_count = 1, .attributes = {{.name = "javaName"}}};
    if (view->schema->thread_type == JFR_NONE || f->also->thread_count == 0) {
        return;
    }
    const compact_reading reading = compact_reading_make(
        &kind, &view->schema->metadata, view->schema->thread_type, &view->pools);
    for (size_t i = 0; i < f->also->thread_count; i++) {
        const compact_also_thread *wanted = &f->also->threads[i];
        int64_t begin = compact_clock_ticks(&f->frame->shown, wanted->from_wall_ns);
        int64_t end = compact_clock_ticks(&f->frame->shown, wanted->to_wall_ns);
        for (uint32_t t = 0; t < view->threads.count && !f->arena->is_failed; t++) {
            uint64_t identity = f->frame->identities[t];
            bool is_it =
                (wanted->java_id > 0 && identity == compact_identity_java(wanted->java_id)) ||
                has_name(f, &reading, &kind, t, wanted->name);
            if (is_it) {
                f->out->has_asked |= wanted == f->also->asked_thread;
                add(f, identity, begin, end);
            }
        }
    }
}

// --- Owners of monitors

static void
know_waits(finder *f)
{
    const compact_schema *schema = f->frame->view->schema;
    f->enter_type = JFR_NONE;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        const jfr_type *type = &schema->metadata.types.items[i];
        if (!type->is_event ||
            strcmp(jfr_metadata_text(&schema->metadata, type->name), "jdk.JavaMonitorEnter") != 0) {
            continue;
        }
        uint32_t field = jfr_metadata_find_field(&schema->metadata, type, "previousOwner");
        if (field != JFR_NONE && schema->metadata.fields.items[field].type == schema->thread_type) {
            f->enter_type = i;
            f->before_owner = jfr_layout_before(&schema->layout, i, field);
        }
    }
}

// note_wait notes the wait of an event for a monitor on the thread of the monitor's previous owner.
static void
note_wait(finder *f, const compact_also_event *event)
{
    const compact_view *view = f->frame->view;
    jfr_cursor cursor = event->payload;
    uint64_t key;
    bool is_there = jfr_layout_walk(&view->schema->layout, f->before_owner, &cursor) &&
                    jfr_varint_read(&cursor, &key) && key != 0;
    uint32_t owner = is_there ? compact_threads_find(view, key) : LP_MAP_NONE;
    if (owner != LP_MAP_NONE && event->begin <= event->commit) {
        const compact_interval wait = {f->frame->identities[owner], event->begin, event->commit};
        LP_ARENA_PUSH(f->arena, &f->waits, wait);
    }
}

// find_waits notes the waits for monitors in wanted times.
static void
find_waits(finder *f)
{
    compact_also_scan scan = compact_also_scan_begin(f->frame->view);
    compact_also_event event;
    f->waits.count = 0;
    while (compact_also_scan_next(&scan, &event)) {
        if (event.type == f->enter_type && event.thread != COMPACT_NO_THREAD &&
            compact_also_times_meet(&f->out->on_threads, f->frame->identities[event.thread],
                event.begin, event.commit)) {
            note_wait(f, &event);
        }
    }
}

static void
find_owners(finder *f)
{
    size_t before = 0;
    know_waits(f);
    for (size_t i = 0; f->enter_type != JFR_NONE && i < COMPACT_ALSO_OWNERS_MAX; i++) {
        find_waits(f);
        if (f->waits.count == before || f->arena->is_failed) {
            return; // no further owner
        }
        before = f->waits.count;
        for (size_t k = 0; k < f->waits.count; k++) {
            LP_ARENA_PUSH(f->arena, &f->out->on_threads, f->waits.items[k]);
        }
        tidy(&f->out->on_threads);
    }
}

void
compact_also_times_find(const compact_frame *frame, const compact_decided *judged, lp_arena *arena,
    compact_also_times *out)
{
    LP_ASSERT(out->on_threads.count == 0 && out->anywhere.count == 0);
    finder f = {.frame = frame,
        .also = frame->options->also,
        .requests = judged->requests,
        .arena = arena,
        .out = out};
    if (f.requests != NULL) {
        out->requests = LP_ARENA_ARRAY(arena, bool, f.requests->items.count + 1);
    }
    if (f.also->id_count > 0) {
        find_contexts(&f);
        find_events(&f);
        for (size_t i = 0; i < frame->ahead_count; i++) {
            find_events_ahead(&f, &frame->aheads[i]);
        }
    }
    if (out->requests != NULL) {
        find_stays(&f);
    }
    find_threads(&f);
    tidy(&out->on_threads);
    find_owners(&f);
    for (size_t i = 0; i < out->on_threads.count; i++) {
        const compact_interval *of = &out->on_threads.items[i];
        LP_ARENA_PUSH(arena, &out->anywhere, ((compact_interval){0, of->begin, of->end}));
    }
    tidy(&out->anywhere);
}
