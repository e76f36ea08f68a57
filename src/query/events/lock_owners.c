// SPDX-License-Identifier: Apache-2.0
#include "query/events/lock_owners.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"
#include "query/events/event_values.h"
#include "query/select/json_parts.h"

#include <string.h>

static const char enter_name[] = "jdk.JavaMonitorEnter";

enum { CLOCK_SLACK_NS = 1000000000 }; // clocks of chunks may differ by it

void
query_lock_owners_fini(query_lock_owners *self)
{
    query_owners_fini(&self->owners);
    lp_map_fini(&self->name_of);
    LP_VEC_FINI(&self->windows);
}

// --- The context or request

static lp_err
add_window(query_lock_owners *self, uint64_t thread, int64_t begin, int64_t end)
{
    return LP_VEC_ADD(&self->windows, (struct query_lock_window){thread, begin, end});
}

static lp_err
add_windows(query_lock_owners *self, const query_answer *answer)
{
    const query_request *request = answer->request;
    if (request == NULL) {
        const query_context *context = answer->context;
        self->begin = context->begin;
        return add_window(self, context->thread, context->begin, context->end);
    }
    const query_requests *requests = &answer->contexts->requests;
    self->begin = request->begin;
    for (uint32_t i = 0; i < request->stay_count; i++) {
        const query_stay *stay =
            &requests->stays.items[requests->stays_of.items[request->first_stay + i]];
        LP_TRY(add_window(self, stay->thread, stay->begin, stay->end));
    }
    return LP_OK;
}

lp_err
query_lock_owners_note(
    query_lock_owners *self, const query_answer *answer, const query_names *names)
{
    LP_ASSERT(self->windows.count == 0 && self->owners.items.count == 0); // called once
    for (size_t i = 0; i < answer->row_count && !self->has_waits; i++) {
        self->has_waits = strcmp(query_names_text(names, answer->rows[i].type), enter_name) == 0;
    }
    self->clock = answer->clock;
    self->first_source = answer->first_source;
    self->begin_wall_ns = answer->begin_wall_ns;
    self->end_wall_ns = lp_time_add(answer->begin_wall_ns, answer->duration_ns);
    return self->has_waits ? add_windows(self, answer) : LP_OK;
}

// --- Waits

// A wait in a chunk.
typedef struct read_wait {
    query_monitor_wait wait; // with threads as the chunk knows them
    uint64_t thread_key;
    uint64_t owner_key;
    uint32_t thread_name;
    uint32_t owner_name;
    uint32_t chunk;
} read_wait;

typedef struct reading {
    query_lock_owners *self;
    const query_sources *sources;
    query_names *names;
    const atomic_bool *is_cancelled;
    compact_schema *like; // of the last chunk
    query_threads threads;
    LP_VEC(read_wait) waits;
    int64_t begin; // ticks, of all windows
    int64_t end;
} reading;

static uint32_t
class_of(reading *r, query_chunk *chunk, const query_event *event)
{
    static const char name[] = "monitorClass";
    const query_field_names only = {.count = 1, .names = {{(const uint8_t *)name, strlen(name)}}};
    bool is_truncated = false;
    json_t *values = query_event_values(chunk, event, &only, &is_truncated);
    const char *class_name = json_string_value(json_object_get(values, name));
    uint32_t number = query_names_add(r->names, class_name == NULL ? "" : class_name);
    json_decref(values);
    return number;
}

static lp_err
read_event(reading *r, query_chunk *chunk, uint32_t index, const query_event *event)
{
    int64_t java_id;
    read_wait *read = LP_VEC_PUSH(&r->waits);
    LP_REQUIRE(read != NULL, LP_ENOMEM);
    *read = (read_wait){.chunk = index, .thread_key = event->thread_key};
    read->wait = (query_monitor_wait){
        .begin = event->begin,
        .end = event->commit,
        .thread = query_chunk_identity(chunk, event),
        .owner = query_chunk_thread_in(chunk, event, "previousOwner", &read->owner_key),
        .monitor = (uint64_t)query_chunk_number(chunk, event, "address"),
        .class_name = class_of(r, chunk, event),
    };
    if (read->wait.monitor == 0) { // unknown: another monitor for each wait
        read->wait.monitor = UINT64_MAX - r->waits.count;
    }
    read->thread_name = query_chunk_thread(chunk, read->thread_key, &java_id);
    read->owner_name = read->owner_key == 0 ? (uint32_t)QUERY_NAME_NONE
                                            : query_chunk_thread(chunk, read->owner_key, &java_id);
    return LP_OK;
}

static lp_err
read_chunk(reading *r, query_chunk *chunk, uint32_t index)
{
    query_scan scan = query_scan_begin(
        chunk, r->is_cancelled, query_threads_add(&r->threads, index, &chunk->view));
    query_event event;
    scan.only = enter_name;
    while (query_scan_next(&scan, &event)) {
        bool is_of_time = event.commit >= r->begin && event.commit <= r->end;
        if (is_of_time && r->waits.count == QUERY_OWNER_WAITS_MAX) {
            r->self->owners.is_truncated = true;
        } else if (is_of_time) {
            scan.err = read_event(r, chunk, index, &event);
        }
    }
    return scan.err;
}

// may_have returns whether a chunk may have waits that ended in that time.
static bool
may_have(const query_lock_owners *self, const query_source *source)
{
    int64_t from_ns = lp_time_add(self->begin_wall_ns, -CLOCK_SLACK_NS);
    return query_source_may_have(
        source, from_ns, lp_time_add(self->end_wall_ns, CLOCK_SLACK_NS + 1));
}

static lp_err
read_source(reading *r, size_t source)
{
    query_chunk chunk;
    bool is_open;
    lp_problem problem; // the question has reported it
    lp_err err = query_check_cancelled(r->is_cancelled);
    LP_THEN(err, query_sources_next(
                     r->sources, source, r->names, false, &r->like, &chunk, &is_open, &problem));
    if (err == LP_OK && is_open) {
        err = read_chunk(r, &chunk, (uint32_t)source);
        query_sources_close(r->sources, source, &chunk);
    }
    return err;
}

static lp_err
read_sources(reading *r)
{
    const query_sources *sources = r->sources;
    for (size_t i = r->self->first_source; i < sources->count; i++) {
        if (sources->items[i].session != sources->items[r->self->first_source].session) {
            break;
        }
        LP_TRY(may_have(r->self, &sources->items[i]) ? read_source(r, i) : LP_OK);
    }
    return LP_OK;
}

static lp_err
name_thread(query_lock_owners *self, uint64_t thread, uint32_t name)
{
    return name == QUERY_NAME_NONE || thread == QUERY_NO_THREAD
               ? LP_OK
               : lp_map_put(&self->name_of, thread, name);
}

// add_waits adds the waits with their threads, once the threads of all chunks are known.
static lp_err
add_waits(reading *r)
{
    for (size_t i = 0; i < r->waits.count; i++) {
        read_wait *read = &r->waits.items[i];
        query_monitor_wait *wait = &read->wait;
        wait->thread = query_threads_find(&r->threads, read->chunk, read->thread_key, wait->thread);
        if (wait->owner != QUERY_NO_THREAD) {
            wait->owner =
                query_threads_find(&r->threads, read->chunk, read->owner_key, wait->owner);
        }
        LP_TRY(query_check_at_event(r->is_cancelled, i + 1));
        LP_TRY(query_owners_add(&r->self->owners, wait));
        LP_TRY(name_thread(r->self, wait->thread, read->thread_name));
        LP_TRY(name_thread(r->self, wait->owner, read->owner_name));
    }
    LP_TRY(query_check_cancelled(r->is_cancelled));
    return query_owners_finish(&r->self->owners);
}

static lp_err
explain(query_lock_owners *self, const atomic_bool *is_cancelled)
{
    for (size_t i = 0; i < self->windows.count; i++) {
        const struct query_lock_window *window = &self->windows.items[i];
        LP_TRY(query_check_cancelled(is_cancelled));
        LP_TRY(query_owners_explain(
            &self->owners, window->thread, window->begin, window->end, is_cancelled));
    }
    return LP_OK;
}

lp_err
query_lock_owners_read(query_lock_owners *self, const query_sources *sources, query_names *names,
    const atomic_bool *is_cancelled)
{
    reading r = {.self = self,
        .sources = sources,
        .names = names,
        .is_cancelled = is_cancelled,
        .begin = INT64_MAX,
        .end = INT64_MIN};
    for (size_t i = 0; i < self->windows.count; i++) {
        const struct query_lock_window *window = &self->windows.items[i];
        r.begin = window->begin < r.begin ? window->begin : r.begin;
        r.end = window->end > r.end ? window->end : r.end;
    }
    lp_err err = self->windows.count == 0 ? LP_OK : read_sources(&r);
    LP_THEN(err, add_waits(&r));
    LP_THEN(err, explain(self, is_cancelled));
    query_threads_fini(&r.threads);
    LP_VEC_FINI(&r.waits);
    compact_schema_release(r.like);
    return err;
}

// --- The answer

static void
owners_check(const query_lock_owners *self)
{
    LP_ASSERT(self->owners.items.count <= QUERY_OWNERS_MAX);
    LP_ASSERT(self->owners.items.count == 0 || self->has_waits);
}

// is_before orders owners with the same parent.
static bool
is_before(const query_lock_owners *self, uint32_t a, uint32_t b)
{
    const query_owner *items = self->owners.items.items;
    return items[a].had != items[b].had ? items[a].had > items[b].had : a < b;
}

uint32_t
query_lock_owners_next(const query_lock_owners *self, uint32_t parent, uint32_t index)
{
    owners_check(self);
    LP_ASSERT(parent == QUERY_NO_OWNER || parent < self->owners.items.count);
    LP_ASSERT(index == QUERY_NO_OWNER || index < self->owners.items.count);
    uint32_t next = QUERY_NO_OWNER;
    for (uint32_t i = 0; i < self->owners.items.count; i++) {
        bool is_behind = self->owners.items.items[i].parent == parent &&
                         (index == QUERY_NO_OWNER || is_before(self, index, i));
        next = is_behind && (next == QUERY_NO_OWNER || is_before(self, i, next)) ? i : next;
    }
    return next;
}

const char *
query_lock_owners_name(const query_lock_owners *self, uint32_t index, const query_names *names)
{
    owners_check(self);
    LP_ASSERT(index < self->owners.items.count);
    uint32_t name = lp_map_find(&self->name_of, self->owners.items.items[index].thread);
    return name == LP_MAP_NONE ? NULL : query_names_text(names, name);
}

int64_t
query_lock_owners_held_ns(const query_lock_owners *self, uint32_t index)
{
    owners_check(self);
    LP_ASSERT(index < self->owners.items.count);
    return jfr_clock_length_ns(&self->clock, self->owners.items.items[index].had);
}

static json_t *
owner_json(const query_lock_owners *self, uint32_t index, const query_names *names)
{
    const query_owner *owner = &self->owners.items.items[index];
    const char *name = query_lock_owners_name(self, index, names);
    return json_pack("{s:o, s:s, s:I, s:I, s:I, s:I, s:o}", "thread",
        name == NULL ? json_null() : json_string(name), "monitor",
        query_names_text(names, owner->class_name), "had",
        (json_int_t)query_lock_owners_held_ns(self, index), "waits", (json_int_t)owner->waits,
        "start", (json_int_t)jfr_clock_between_ns(&self->clock, self->begin, owner->begin), "end",
        (json_int_t)jfr_clock_between_ns(&self->clock, self->begin, owner->end), "owners",
        json_array());
}

// add_owners adds the owners below parent to its array. False if out of memory.
static bool
add_owners(
    const query_lock_owners *self, uint32_t parent, const query_names *names, json_t **arrays)
{
    owners_check(self);
    bool is_whole = true;
    for (uint32_t i = query_lock_owners_next(self, parent, QUERY_NO_OWNER);
         i != QUERY_NO_OWNER && is_whole; i = query_lock_owners_next(self, parent, i)) {
        LP_ASSERT(i < QUERY_OWNERS_MAX);
        json_t *one = owner_json(self, i, names);
        arrays[i + 1] = json_object_get(one, "owners");
        is_whole =
            json_array_append_new(arrays[parent == QUERY_NO_OWNER ? 0 : parent + 1], one) == 0;
    }
    return is_whole;
}

json_t *
query_lock_owners_json(const query_lock_owners *self, const query_names *names)
{
    owners_check(self);
    json_t *arrays[QUERY_OWNERS_MAX + 1] = {json_array()}; // of the top, then of each owner
    bool is_whole = arrays[0] != NULL && add_owners(self, QUERY_NO_OWNER, names, arrays);
    for (uint32_t i = 0; i < self->owners.items.count && is_whole; i++) { // parents come first
        is_whole = add_owners(self, i, names, arrays);
    }
    if (!is_whole) {
        json_decref(arrays[0]);
        return NULL;
    }
    return arrays[0];
}
