// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_view.h"

#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

// The head of an event: its bytes, its type, and what follows.
typedef struct event_head {
    const uint8_t *begin;
    uint64_t type_id;
    jfr_cursor payload;
} event_head;

// read_head reads the event at *at and moves *at past it.
static lp_err
read_head(const compact_view *view, const uint8_t **at, event_head *out_head, lp_problem *problem)
{
    const uint8_t *chunk_end = view->chunk.ptr + view->chunk.len;
    uint64_t offset = (uint64_t)(*at - view->chunk.ptr);
    jfr_cursor cursor = {*at, chunk_end};
    uint64_t size;
    if (!jfr_varint_read(&cursor, &size)) {
        return lp_problem_at(problem, LP_ECORRUPT, offset, "an event's size is cut short");
    }
    if (size > (uint64_t)(chunk_end - *at) || size <= (uint64_t)(cursor.at - *at)) {
        return lp_problem_at(problem, LP_ECORRUPT, offset,
            "an event of %llu bytes, with %llu left in the chunk", (unsigned long long)size,
            (unsigned long long)(chunk_end - *at));
    }
    cursor.end = *at + size;
    out_head->begin = *at;
    if (!jfr_varint_read(&cursor, &out_head->type_id)) {
        return lp_problem_at(problem, LP_ECORRUPT, offset, "an event without a type");
    }
    out_head->payload = cursor;
    *at = cursor.end;
    return LP_OK;
}

static lp_slice
payload_of(const event_head *head)
{
    return (lp_slice){head->payload.at, jfr_cursor_left(&head->payload)};
}

typedef LP_VEC(event_head) heads;

// find_described collects the metadata events and the checkpoints.
static lp_err
find_described(const compact_view *view, heads *metadata, heads *checkpoints, lp_problem *problem)
{
    const uint8_t *at = view->chunk.ptr + JFR_CHUNK_HEADER_SIZE;
    const uint8_t *end = view->chunk.ptr + view->chunk.len;
    while (at < end) {
        event_head head;
        lp_err err = read_head(view, &at, &head, problem);
        if (err != LP_OK) {
            return err;
        }
        if (head.type_id > JFR_TYPE_ID_CHECKPOINT) {
            continue;
        }
        heads *list = head.type_id == JFR_TYPE_ID_METADATA ? metadata : checkpoints;
        event_head *slot = LP_VEC_PUSH(list);
        if (slot == NULL) {
            return LP_ENOMEM;
        }
        *slot = head;
    }
    return LP_OK;
}

static lp_err
read_metadata(compact_view *view, const heads *events, lp_problem *problem)
{
    for (size_t i = 0; i < events->count; i++) {
        lp_slice payload = payload_of(&events->items[i]);
        lp_err err = jfr_metadata_add(&view->metadata, payload, problem);
        if (err != LP_OK) {
            if (problem != NULL && problem->has_offset) {
                problem->offset += (uint64_t)(payload.ptr - view->chunk.ptr);
            }
            return err;
        }
    }
    lp_err err = jfr_metadata_resolve(&view->metadata, problem);
    return err != LP_OK ? err : jfr_layout_init(&view->layout, &view->metadata, problem);
}

static lp_err
read_pools(compact_view *view, const heads *checkpoints, lp_problem *problem)
{
    lp_err err = jfr_pools_init(&view->pools, view->chunk, &view->metadata, &view->layout);
    for (size_t i = 0; i < checkpoints->count && err == LP_OK; i++) {
        err = jfr_pools_add(
            &view->pools, &view->metadata, payload_of(&checkpoints->items[i]), problem);
    }
    return err;
}

static int64_t
ticks_of_ns(const compact_view *view, int64_t ns)
{
    // Rounded up: a duration is at or over the threshold in ticks just when it is in nanoseconds.
    __int128 product = (__int128)ns * view->info.ticks_per_s;
    __int128 ticks = (product + 999999999) / 1000000000;
    return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

static bool
has_number(const compact_view *view, const jfr_type *type, uint32_t index, const char *name)
{
    if (index >= type->field_count) {
        return false;
    }
    uint32_t field = type->field_begin + index;
    const jfr_field *f = &view->metadata.fields.items[field];
    return strcmp(jfr_metadata_text(&view->metadata, f->name), name) == 0 &&
           jfr_layout_is_number(&view->layout, &view->metadata, field);
}

// find_thread_field looks for a field of that name which refers to a java.lang.Thread, and sets the
// plan up to decode it.
static bool
find_thread_field(
    const compact_view *view, const jfr_type *type, const char *name, compact_plan *plan)
{
    uint32_t field = jfr_metadata_find_field(&view->metadata, type, name);
    if (field == JFR_NONE || !plan->has_time) {
        return false;
    }
    const jfr_field *f = &view->metadata.fields.items[field];
    uint32_t first = type->field_begin + 1 + plan->has_duration;
    if (f->type != view->thread_type || !f->is_constant || f->is_array || field < first) {
        return false;
    }
    plan->before_thread = (jfr_program){
        .begin = view->layout.field_ops.items[first],
        .end = view->layout.field_ops.items[field],
    };
    return true;
}

static lp_err
make_plans(compact_view *view, const policy *rules)
{
    view->plans = calloc(view->metadata.types.count + 1, sizeof(*view->plans));
    if (view->plans == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < view->metadata.types.count; i++) {
        const jfr_type *type = &view->metadata.types.items[i];
        compact_plan *plan = &view->plans[i];
        if (!type->is_event) {
            continue;
        }
        plan->is_event = true;
        plan->has_time = has_number(view, type, 0, "startTime");
        plan->has_duration = plan->has_time && has_number(view, type, 1, "duration");
        plan->settings = policy_find(rules, jfr_metadata_text(&view->metadata, type->name));
        plan->threshold_ticks = ticks_of_ns(view, plan->settings.threshold_ns);
        plan->is_contextual = type->is_contextual || plan->settings.is_contextual;
        if (find_thread_field(view, type, "eventThread", plan)) {
            plan->thread_field = COMPACT_THREAD_EVENT;
        } else if (find_thread_field(view, type, "sampledThread", plan)) {
            plan->thread_field = COMPACT_THREAD_SAMPLED;
        }
    }
    return LP_OK;
}

// thread_index finds or makes the entry for a thread key.
static lp_err
thread_index(compact_view *view, uint64_t key, uint32_t *out_index)
{
    uint32_t index = lp_map_find(&view->thread_by_key, key);
    if (index == LP_MAP_NONE) {
        compact_thread *thread = LP_VEC_PUSH(&view->threads);
        if (thread == NULL) {
            return LP_ENOMEM;
        }
        thread->key = key;
        index = (uint32_t)(view->threads.count - 1);
        lp_err err = lp_map_put(&view->thread_by_key, key, index);
        if (err != LP_OK) {
            return err;
        }
    }
    *out_index = index;
    return LP_OK;
}

// decode_row reads time, duration and thread. False if the event is too short for them.
static bool
decode_row(const compact_view *view, const compact_plan *plan, jfr_cursor *cursor, compact_row *row,
    uint64_t *out_thread_key)
{
    uint64_t start = (uint64_t)view->info.start_ticks;
    uint64_t duration = 0;
    *out_thread_key = 0;
    if (plan->has_time && !jfr_varint_read(cursor, &start)) {
        return false;
    }
    if (plan->has_duration && !jfr_varint_read(cursor, &duration)) {
        return false;
    }
    row->begin = (int64_t)start;
    row->commit = (int64_t)(start + duration); // wraps where the input is absurd
    if (plan->thread_field == COMPACT_THREAD_NONE) {
        return true;
    }
    return jfr_layout_walk(&view->layout, plan->before_thread, cursor, NULL, NULL) &&
           jfr_varint_read(cursor, out_thread_key);
}

static lp_err
add_row(compact_view *view, uint32_t type, event_head *head, lp_problem *problem)
{
    const compact_plan *plan = &view->plans[type];
    uint32_t offset = (uint32_t)(head->begin - view->chunk.ptr);
    compact_row row = {.offset = offset, .type = type, .thread = COMPACT_NO_THREAD};
    uint64_t thread_key;
    if (!decode_row(view, plan, &head->payload, &row, &thread_key)) {
        return lp_problem_at(problem, LP_ECORRUPT, offset, "an event of type %s is cut short",
            jfr_metadata_text(&view->metadata, view->metadata.types.items[type].name));
    }
    if (thread_key != 0) {
        lp_err err = thread_index(view, thread_key, &row.thread);
        if (err != LP_OK) {
            return err;
        }
    }
    if (!LP_VEC_ROOM(&view->rows)) {
        return LP_ENOMEM;
    }
    view->rows.items[view->rows.count++] = row;
    if (row.commit > view->commit_max) {
        view->commit_max = row.commit;
    }
    return LP_OK;
}

static lp_err
read_rows(compact_view *view, lp_problem *problem)
{
    const uint8_t *at = view->chunk.ptr + JFR_CHUNK_HEADER_SIZE;
    const uint8_t *end = view->chunk.ptr + view->chunk.len;
    view->commit_max = view->info.start_ticks;
    while (at < end) {
        event_head head;
        lp_err err = read_head(view, &at, &head, problem);
        if (err != LP_OK) {
            return err;
        }
        if (head.type_id <= JFR_TYPE_ID_CHECKPOINT) {
            continue;
        }
        uint32_t type = jfr_metadata_find_type(&view->metadata, head.type_id);
        if (type == JFR_NONE || !view->plans[type].is_event) {
            view->unknown_events++;
            continue;
        }
        err = add_row(view, type, &head, problem);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

// The low two bits say what an identity is made of.
enum { IDENTITY_JAVA = 1, IDENTITY_OS = 2, IDENTITY_KEY = 3 };

uint64_t
compact_identity_java(int64_t java_thread_id)
{
    return (uint64_t)java_thread_id << 2 | IDENTITY_JAVA;
}

// A field of java.lang.Thread that holds a number, and how to get to it.
typedef struct thread_number {
    bool is_there;
    jfr_program before;
} thread_number;

static thread_number
find_thread_number(const compact_view *view, const char *name)
{
    const jfr_type *type = &view->metadata.types.items[view->thread_type];
    uint32_t field = jfr_metadata_find_field(&view->metadata, type, name);
    if (field == JFR_NONE || !jfr_layout_is_number(&view->layout, &view->metadata, field)) {
        return (thread_number){0};
    }
    return (thread_number){
        .is_there = true,
        .before = {.begin = view->layout.types.items[view->thread_type].begin,
            .end = view->layout.field_ops.items[field]},
    };
}

// read_thread_number is 0 where the constant does not have it.
static int64_t
read_thread_number(
    const compact_view *view, const jfr_constant *constant, const thread_number *field)
{
    const uint8_t *value = view->chunk.ptr + constant->offset;
    jfr_cursor cursor = {value, value + constant->size_bytes};
    uint64_t number;
    if (!field->is_there || !jfr_layout_walk(&view->layout, field->before, &cursor, NULL, NULL) ||
        !jfr_varint_read(&cursor, &number)) {
        return 0;
    }
    return (int64_t)number;
}

// Two constants are the same thread when their Java thread ids are the same and above 0, else when
// their OS thread ids are.
static uint64_t
identify(const compact_view *view, uint64_t key, const thread_number *java, const thread_number *os)
{
    const jfr_constant *constant = jfr_pools_find(&view->pools, view->thread_type, key);
    if (constant != NULL) {
        int64_t java_id = read_thread_number(view, constant, java);
        if (java_id > 0) {
            return compact_identity_java(java_id);
        }
        int64_t os_id = read_thread_number(view, constant, os);
        if (os_id > 0) {
            return (uint64_t)os_id << 2 | IDENTITY_OS;
        }
    }
    return key << 2 | IDENTITY_KEY;
}

static lp_err
identify_threads(compact_view *view)
{
    if (view->thread_type == JFR_NONE) { // then no event has a thread
        return LP_OK;
    }
    // Threads that no event names are wanted as well: contexts may be on them.
    const jfr_pool *pool = &view->pools.pools[view->thread_type];
    for (size_t i = 0; i < pool->constants.count; i++) {
        uint32_t index;
        lp_err err = thread_index(view, pool->constants.items[i].key, &index);
        if (err != LP_OK) {
            return err;
        }
    }
    thread_number java = find_thread_number(view, "javaThreadId");
    thread_number os = find_thread_number(view, "osThreadId");
    for (size_t i = 0; i < view->threads.count; i++) {
        compact_thread *thread = &view->threads.items[i];
        thread->identity = identify(view, thread->key, &java, &os);
    }
    return LP_OK;
}

static bool
is_described(const compact_thread *thread)
{
    return (thread->identity & 3) != IDENTITY_KEY;
}

void
compact_view_borrow_identities(compact_view *view, const compact_view *other)
{
    for (size_t i = 0; i < view->threads.count; i++) {
        compact_thread *thread = &view->threads.items[i];
        uint32_t there = lp_map_find(&other->thread_by_key, thread->key);
        if (!is_described(thread) && there != LP_MAP_NONE) {
            thread->identity = other->threads.items[there].identity;
        }
    }
}

static lp_err
check_chunk(compact_view *view, lp_problem *problem)
{
    lp_err err = jfr_chunk_parse(view->chunk, &view->info, problem);
    if (err != LP_OK) {
        return err;
    }
    if (view->info.size_bytes != view->chunk.len) {
        return lp_problem_at(problem, LP_ECORRUPT, 8,
            "the header says %llu bytes, the chunk has %zu",
            (unsigned long long)view->info.size_bytes, view->chunk.len);
    }
    if (view->chunk.len > UINT32_MAX) {
        return lp_problem_at(problem, LP_ELIMIT, 8, "a chunk of over 4 GiB");
    }
    return LP_OK;
}

lp_err
compact_view_open(compact_view *view, lp_slice chunk, const policy *rules, lp_problem *out_problem)
{
    *view = (compact_view){.chunk = chunk};
    jfr_metadata_init(&view->metadata);
    heads metadata = {0};
    heads checkpoints = {0};

    lp_err err = check_chunk(view, out_problem);
    if (err == LP_OK) {
        err = find_described(view, &metadata, &checkpoints, out_problem);
    }
    if (err == LP_OK) {
        err = read_metadata(view, &metadata, out_problem);
    }
    if (err == LP_OK) {
        view->thread_type = jfr_metadata_find_type_named(&view->metadata, "java.lang.Thread");
        err = read_pools(view, &checkpoints, out_problem);
    }
    if (err == LP_OK) {
        err = make_plans(view, rules);
    }
    if (err == LP_OK) {
        err = read_rows(view, out_problem);
    }
    if (err == LP_OK) {
        err = identify_threads(view);
    }
    LP_VEC_FINI(&metadata);
    LP_VEC_FINI(&checkpoints);
    if (err != LP_OK) {
        compact_view_close(view);
    }
    return err;
}

void
compact_view_close(compact_view *view)
{
    jfr_pools_fini(&view->pools);
    jfr_layout_fini(&view->layout);
    jfr_metadata_fini(&view->metadata);
    free(view->plans);
    LP_VEC_FINI(&view->rows);
    LP_VEC_FINI(&view->threads);
    lp_map_fini(&view->thread_by_key);
    *view = (compact_view){0};
}

lp_slice
compact_view_event(const compact_view *view, uint32_t offset)
{
    const uint8_t *begin = view->chunk.ptr + offset;
    jfr_cursor cursor = {begin, view->chunk.ptr + view->chunk.len};
    uint64_t size = 0;
    bool is_whole = jfr_varint_read(&cursor, &size);
    LP_ASSERT(is_whole && size <= view->chunk.len - offset);
    return (lp_slice){begin, (size_t)size};
}
