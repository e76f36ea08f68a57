// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_view.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"

#include <stdlib.h>
#include <string.h>

// Design notes
//
// Constants and metadata lie behind the events that use them, so they have to be read first. The
// header leads to the last metadata event and to the last checkpoint, and each checkpoint to the
// one before: where that chain is complete, the events are looked at only once. The pass over the
// events checks that it is; where it is not (a type was registered meanwhile, a writer did not care
// for the chain, the chunk is damaged), a pass that looks for them comes first.

typedef LP_VEC(jfr_event) event_list;

// The metadata events and checkpoints of a chunk, in its order.
typedef struct described {
    event_list metadata;
    event_list checkpoints;
} described;

static void
described_fini(described *d)
{
    LP_VEC_FINI(&d->metadata);
    LP_VEC_FINI(&d->checkpoints);
}

static lp_err
push_event(event_list *list, const jfr_event *event)
{
    jfr_event *slot = LP_VEC_PUSH(list);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = *event;
    return LP_OK;
}

static jfr_cursor
cursor_at(const compact_view *view, uint64_t offset)
{
    return (jfr_cursor){view->chunk.ptr + offset, view->chunk.ptr + view->chunk.len};
}

static uint64_t
offset_in(const compact_view *view, const uint8_t *at)
{
    return (uint64_t)(at - view->chunk.ptr);
}

// read_at reads the event of that type at offset; false if there is none.
static bool
read_at(const compact_view *view, uint64_t offset, uint64_t type_id, jfr_event *out_event)
{
    if (offset < JFR_CHUNK_HEADER_SIZE || offset >= view->chunk.len) {
        return false;
    }
    jfr_cursor cursor = cursor_at(view, offset);
    return jfr_event_next(&cursor, out_event) == LP_OK && out_event->type_id == type_id;
}

// offset_before finds where the checkpoint before this one is; 0 if it is the first, or the chain
// is broken.
static uint64_t
offset_before(const compact_view *view, const jfr_event *checkpoint)
{
    jfr_cursor cursor = checkpoint->payload;
    uint64_t delta;
    bool is_whole = jfr_varint_skip(&cursor)    // start
                    && jfr_varint_skip(&cursor) // duration
                    && jfr_varint_read(&cursor, &delta);
    uint64_t offset = offset_in(view, checkpoint->begin);
    uint64_t before = is_whole ? offset + delta : 0; // delta is below 0
    return before < offset ? before : 0;
}

// follow_chain lists what the header leads to.
static lp_err
follow_chain(const compact_view *view, described *out)
{
    jfr_event event;
    lp_err err = LP_OK;
    if (read_at(view, view->info.metadata_offset, JFR_TYPE_ID_METADATA, &event)) {
        err = push_event(&out->metadata, &event);
    }
    uint64_t offset = view->info.checkpoint_offset;
    const uint8_t *end = view->chunk.ptr + view->chunk.len; // they do not overlap
    while (err == LP_OK && read_at(view, offset, JFR_TYPE_ID_CHECKPOINT, &event) &&
           event.size <= (uint64_t)(end - event.begin)) {
        err = push_event(&out->checkpoints, &event);
        offset = offset_before(view, &event);
        end = event.begin;
    }
    for (size_t i = 0; i < out->checkpoints.count / 2; i++) {
        jfr_event *other = &out->checkpoints.items[out->checkpoints.count - 1 - i];
        event = out->checkpoints.items[i];
        out->checkpoints.items[i] = *other;
        *other = event;
    }
    return err;
}

// push_behind adds the events of from that lie behind offset.
static lp_err
push_behind(const event_list *from, const uint8_t *at, event_list *to)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < from->count && err == LP_OK; i++) {
        if (from->items[i].begin >= at) {
            err = push_event(to, &from->items[i]);
        }
    }
    return err;
}

// search_all lists what is met on the way through the chunk, and behind a place where that ends
// early, what the header leads to.
static lp_err
search_all(const compact_view *view, const described *chain, described *out)
{
    jfr_cursor rest = cursor_at(view, JFR_CHUNK_HEADER_SIZE);
    jfr_event event;
    lp_err err = LP_OK;
    while (err == LP_OK && jfr_event_next(&rest, &event) == LP_OK) {
        if (event.type_id == JFR_TYPE_ID_METADATA) {
            err = push_event(&out->metadata, &event);
        } else if (event.type_id == JFR_TYPE_ID_CHECKPOINT) {
            err = push_event(&out->checkpoints, &event);
        }
    }
    if (err == LP_OK) {
        err = push_behind(&chain->metadata, rest.at, &out->metadata);
    }
    return err != LP_OK ? err : push_behind(&chain->checkpoints, rest.at, &out->checkpoints);
}

// --- Types

static lp_err
take_metadata_id(compact_view *view, const jfr_event *metadata)
{
    jfr_cursor cursor = metadata->payload;
    bool is_whole = jfr_varint_skip(&cursor)    // start
                    && jfr_varint_skip(&cursor) // duration
                    && jfr_varint_read(&cursor, &view->metadata_id);
    LP_ASSERT(is_whole); // the schema was made of it
    return LP_OK;
}

// note_damage notes a problem whose offset is in part, which lies in the chunk.
static lp_err
note_damage(compact_view *view, lp_slice part, lp_problem *problem)
{
    problem->offset = offset_in(view, part.ptr) + (problem->has_offset ? problem->offset : 0);
    problem->has_offset = true;
    return compact_damage_add(&view->damage, problem, part.len);
}

// open_schema leaves out metadata events that are damaged, as long as there is another.
static lp_err
open_schema(compact_view *view, event_list *metadata, const policy *rules, compact_schema *like,
    lp_problem *problem)
{
    lp_err err = LP_ECORRUPT;
    lp_slice *payloads = malloc((metadata->count + 1) * sizeof(*payloads));
    if (payloads == NULL) {
        return LP_ENOMEM;
    }
    for (;;) {
        for (size_t i = 0; i < metadata->count; i++) {
            payloads[i] = jfr_event_payload(&metadata->items[i]);
        }
        size_t bad = metadata->count;
        lp_problem found = {.text = ""};
        err = compact_schema_make(payloads, metadata->count, view->info.ticks_per_s, rules, like,
            &view->schema, &bad, &found);
        if (err != LP_ECORRUPT || metadata->count < 2 || bad >= metadata->count) {
            if (err != LP_OK && problem != NULL) {
                *problem = found;
                problem->offset += found.has_offset ? offset_in(view, payloads[bad].ptr) : 0;
            }
            break;
        }
        err = note_damage(view, payloads[bad], &found);
        if (err != LP_OK) {
            break;
        }
        metadata->count--;
        memmove(&metadata->items[bad], &metadata->items[bad + 1],
            (metadata->count - bad) * sizeof(*metadata->items));
    }
    free(payloads);
    return err == LP_OK ? take_metadata_id(view, &metadata->items[metadata->count - 1]) : err;
}

// --- Constants

// read_pools reads of a damaged checkpoint what comes before the damage.
static lp_err
read_pools(compact_view *view, const event_list *checkpoints)
{
    const compact_schema *schema = view->schema;
    lp_err err = jfr_pools_init(&view->pools, view->chunk, &schema->metadata, &schema->layout);
    for (size_t i = 0; i < checkpoints->count && err == LP_OK; i++) {
        lp_slice payload = jfr_event_payload(&checkpoints->items[i]);
        lp_problem problem;
        err = jfr_pools_add(&view->pools, &schema->metadata, payload, &problem);
        if (err == LP_ECORRUPT) {
            uint64_t end = offset_in(view, payload.ptr) + payload.len;
            err = compact_damage_add(&view->damage, &problem, end - problem.offset);
        }
    }
    return err == LP_OK ? jfr_pools_index(&view->pools) : err;
}

// --- Threads

// The low two bits say what an identity is made of.
enum { IDENTITY_JAVA = 1, IDENTITY_OS = 2, IDENTITY_KEY = 3 };

uint64_t
compact_identity_java(int64_t java_thread_id)
{
    return (uint64_t)java_thread_id << 2 | IDENTITY_JAVA;
}

bool
compact_identity_is_known(uint64_t identity)
{
    return (identity & 3) != IDENTITY_KEY;
}

// A field of java.lang.Thread that holds a number, and how to get to it.
typedef struct thread_number {
    bool is_there;
    jfr_program before;
} thread_number;

static thread_number
find_thread_number(const compact_schema *schema, const char *name)
{
    const jfr_type *type = &schema->metadata.types.items[schema->thread_type];
    uint32_t field = jfr_metadata_find_field(&schema->metadata, type, name);
    if (field == JFR_NONE || !jfr_layout_is_number(&schema->layout, &schema->metadata, field)) {
        return (thread_number){0};
    }
    return (thread_number){
        .is_there = true,
        .before = {.begin = schema->layout.types.items[schema->thread_type].begin,
            .end = schema->layout.field_ops.items[field]},
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
    if (!field->is_there ||
        !jfr_layout_walk(&view->schema->layout, field->before, &cursor, NULL, NULL) ||
        !jfr_varint_read(&cursor, &number)) {
        return 0;
    }
    return (int64_t)number;
}

// Two constants are the same thread when their Java thread ids are the same and above 0, else when
// their OS thread ids are.
static uint64_t
identify(const compact_view *view, const jfr_constant *constant, const thread_number *java,
    const thread_number *os)
{
    int64_t java_id = read_thread_number(view, constant, java);
    if (java_id > 0) {
        return compact_identity_java(java_id);
    }
    int64_t os_id = read_thread_number(view, constant, os);
    if (os_id > 0) {
        return (uint64_t)os_id << 2 | IDENTITY_OS;
    }
    return constant->key << 2 | IDENTITY_KEY;
}

static lp_err
add_thread(compact_view *view, uint64_t key, uint64_t identity)
{
    if (!LP_VEC_ROOM(&view->threads)) {
        return LP_ENOMEM;
    }
    if (view->threads.count == COMPACT_NO_THREAD) {
        return LP_ELIMIT; // in 4 GiB there is no room for so many
    }
    view->threads.items[view->threads.count++] = (compact_thread){key, identity};
    return LP_OK;
}

// list_threads makes the threads of the pool. Those that no event names are wanted as well:
// contexts may be on them.
static lp_err
list_threads(compact_view *view)
{
    if (view->schema->thread_type == JFR_NONE) { // then no event has a thread
        return LP_OK;
    }
    const jfr_pool *pool = &view->pools.pools[view->schema->thread_type];
    thread_number java = find_thread_number(view->schema, "javaThreadId");
    thread_number os = find_thread_number(view->schema, "osThreadId");
    lp_err err = LP_OK;
    for (size_t i = 0; i < pool->constants.count && err == LP_OK; i++) {
        const jfr_constant *constant = &pool->constants.items[i];
        err = add_thread(view, constant->key, identify(view, constant, &java, &os));
    }
    return err;
}

uint32_t
compact_view_find_thread(const compact_view *view, uint64_t key)
{
    if (view->schema->thread_type == JFR_NONE) {
        return LP_MAP_NONE;
    }
    uint32_t index = jfr_pools_find_index(&view->pools, view->schema->thread_type, key);
    return index != LP_MAP_NONE ? index : lp_map_find(&view->undescribed, key);
}

// find_or_add_thread also numbers a thread that has no constant.
static lp_err
find_or_add_thread(compact_view *view, uint64_t key, uint32_t *out_thread)
{
    uint32_t thread = compact_view_find_thread(view, key);
    lp_err err = LP_OK;
    if (thread == LP_MAP_NONE) {
        thread = (uint32_t)view->threads.count;
        err = add_thread(view, key, key << 2 | IDENTITY_KEY);
        if (err == LP_OK) {
            err = lp_map_put(&view->undescribed, key, thread);
        }
    }
    *out_thread = thread;
    return err;
}

// --- Events

// What the pass over the events keeps from one to the next.
typedef struct indexer {
    compact_view *view;
    const event_list *checkpoints; // that were read, in order; for checking
    const event_list *metadata;
    size_t checkpoint_count; // met so far
    size_t metadata_count;
    uint64_t thread_key; // of the last event that had one, and its number
    uint32_t thread;
} indexer;

// An event's head, decoded.
typedef struct decoded {
    int64_t begin;
    int64_t commit;
    uint32_t thread;
} decoded;

static lp_err
note_event(compact_view *view, const jfr_event *event, uint32_t type, const char *what)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    lp_problem problem;
    (void)lp_problem_at(&problem, LP_ECORRUPT, offset_in(view, event->begin),
        "an event of type %s %s", jfr_metadata_text(metadata, metadata->types.items[type].name),
        what);
    return compact_damage_add(&view->damage, &problem, event->size);
}

// decode reads time, duration and thread. LP_ECORRUPT if the event is too short for them.
static inline lp_err
decode(indexer *x, const compact_plan *plan, jfr_cursor cursor, decoded *out)
{
    uint64_t start = (uint64_t)x->view->info.start_ticks;
    uint64_t duration = 0;
    if ((plan->has_time && !jfr_varint_read(&cursor, &start)) ||
        (plan->has_duration && !jfr_varint_read(&cursor, &duration))) {
        return LP_ECORRUPT;
    }
    out->begin = (int64_t)start;
    out->commit = (int64_t)(start + duration); // wraps where the input is absurd
    out->thread = COMPACT_NO_THREAD;
    if (plan->thread_field == COMPACT_THREAD_NONE) {
        return LP_OK;
    }
    uint64_t key;
    if (plan->before_thread.begin != plan->before_thread.end &&
        !jfr_layout_walk(&x->view->schema->layout, plan->before_thread, &cursor, NULL, NULL)) {
        return LP_ECORRUPT;
    }
    if (!jfr_varint_read(&cursor, &key)) {
        return LP_ECORRUPT;
    }
    if (key == 0) {
        return LP_OK;
    }
    if (key != x->thread_key) {
        lp_err err = find_or_add_thread(x->view, key, &x->thread);
        if (err != LP_OK) {
            return err;
        }
        x->thread_key = key;
    }
    out->thread = x->thread;
    return LP_OK;
}

static lp_err
add_span(indexer *x, const compact_plan *plan, uint32_t offset, const decoded *d)
{
    compact_view *view = x->view;
    if (!LP_VEC_ROOM(&view->spans)) {
        return LP_ENOMEM;
    }
    compact_fate fate = COMPACT_UNDECIDED;
    if (!compact_schema_passes(plan, (int64_t)((uint64_t)d->commit - (uint64_t)d->begin))) {
        fate = COMPACT_DROPPED;
    } else if (plan->is_kept_untriggered) {
        fate = COMPACT_KEPT;
    }
    view->spans.items[view->spans.count++] = (compact_span){
        .begin = d->begin,
        .commit = d->commit,
        .offset = offset,
        .thread = d->thread & COMPACT_NO_THREAD,
        .fate = fate & 3,
    };
    return LP_OK;
}

static lp_err
add_plain(
    indexer *x, const compact_plan *plan, const jfr_event *event, uint32_t type, const decoded *d)
{
    compact_view *view = x->view;
    bool is_kept = plan->rule == COMPACT_RULE_KEEP;
    if (is_kept) {
        jfr_cursor cursor = event->payload;
        if (!jfr_layout_walk(
                &view->schema->layout, plan->whole, &cursor, jfr_pools_mark, &view->pools)) {
            return note_event(
                view, event, type, "does not have the fields that the metadata describes");
        }
        view->keeps[type] = true;
    }
    if (!LP_VEC_ROOM(&view->plain)) {
        return LP_ENOMEM;
    }
    view->plain.items[view->plain.count++] = (compact_plain){
        .commit = d->commit,
        .offset = (uint32_t)offset_in(view, event->begin),
        .thread = d->thread & COMPACT_NO_THREAD,
        .fate = is_kept ? COMPACT_KEPT : COMPACT_UNDECIDED,
    };
    return LP_OK;
}

static inline lp_err
index_event(indexer *x, const jfr_event *event, uint32_t type)
{
    compact_view *view = x->view;
    const compact_plan *plan = &view->schema->plans[type];
    decoded d;
    lp_err err = decode(x, plan, event->payload, &d);
    if (err != LP_OK) {
        return err == LP_ECORRUPT ? note_event(view, event, type, "is cut short") : err;
    }
    view->amounts[type].events++;
    view->amounts[type].bytes += event->size;
    view->late_events += d.commit < view->info.start_ticks;
    view->commit_max = d.commit > view->commit_max ? d.commit : view->commit_max;
    if (plan->rule == COMPACT_RULE_CONTEXTUAL) {
        return add_span(x, plan, (uint32_t)offset_in(view, event->begin), &d);
    }
    bool is_dropped =
        plan->rule == COMPACT_RULE_DROP ||
        !compact_schema_passes(plan, (int64_t)((uint64_t)d.commit - (uint64_t)d.begin));
    return is_dropped ? LP_OK : add_plain(x, plan, event, type, &d);
}

// meets says whether the events of a built-in type come as they were expected.
static bool
meets(const event_list *expected, size_t *count, const jfr_event *event)
{
    size_t index = (*count)++;
    return index < expected->count && expected->items[index].begin == event->begin;
}

// index_events makes the rows. *out_is_complete is false, and the rows are of no use, if there are
// metadata events or checkpoints that were not expected.
static lp_err
index_events(compact_view *view, const described *expected, bool *out_is_complete)
{
    indexer x = {.view = view, .thread = COMPACT_NO_THREAD};
    jfr_cursor rest = cursor_at(view, JFR_CHUNK_HEADER_SIZE);
    jfr_event event;
    view->commit_max = view->info.start_ticks;
    *out_is_complete = true;
    while (jfr_event_next(&rest, &event) == LP_OK) {
        lp_err err = LP_OK;
        if (event.type_id == JFR_TYPE_ID_METADATA) {
            *out_is_complete &= meets(&expected->metadata, &x.metadata_count, &event);
        } else if (event.type_id == JFR_TYPE_ID_CHECKPOINT) {
            *out_is_complete &= meets(&expected->checkpoints, &x.checkpoint_count, &event);
        } else {
            uint32_t type = jfr_metadata_find_type(&view->schema->metadata, event.type_id);
            if (type == JFR_NONE || view->schema->plans[type].rule == COMPACT_RULE_NONE) {
                view->unknown_events++;
            } else {
                err = index_event(&x, &event, type);
            }
        }
        if (err != LP_OK || !*out_is_complete) {
            return err;
        }
    }
    if (rest.at == rest.end) {
        return LP_OK;
    }
    lp_problem problem;
    (void)jfr_event_problem(view->chunk, &rest, &problem);
    return compact_damage_add(&view->damage, &problem, jfr_cursor_left(&rest));
}

// --- All of it

static lp_err
check_chunk(compact_view *view, lp_problem *problem)
{
    lp_err err = jfr_chunk_parse(view->chunk, &view->info, problem);
    if (err != LP_OK) {
        return err == LP_EEND ? LP_ECORRUPT : err;
    }
    if (view->chunk.len > UINT32_MAX) {
        return lp_problem_at(problem, LP_ELIMIT, 8, "a chunk of over 4 GiB");
    }
    if (view->info.size_bytes == view->chunk.len) {
        return LP_OK;
    }
    lp_problem found;
    err = lp_problem_at(&found, LP_ECORRUPT, 8, "the header says %llu bytes, the chunk has %zu",
        (unsigned long long)view->info.size_bytes, view->chunk.len);
    if (view->info.size_bytes > view->chunk.len) { // it was cut off
        return compact_damage_add(&view->damage, &found, 0);
    }
    if (problem != NULL) {
        *problem = found;
    }
    return err;
}

// read_all reads the chunk with the metadata events and checkpoints that were found.
static lp_err
read_all(compact_view *view, described *found, const policy *rules, compact_schema *like,
    bool *out_is_complete, lp_problem *problem)
{
    lp_err err = open_schema(view, &found->metadata, rules, like, problem);
    if (err != LP_OK) {
        return err;
    }
    view->amounts = calloc(view->schema->metadata.types.count + 1, sizeof(*view->amounts));
    view->keeps = calloc(view->schema->metadata.types.count + 1, sizeof(*view->keeps));
    if (view->amounts == NULL || view->keeps == NULL) {
        return LP_ENOMEM;
    }
    err = read_pools(view, &found->checkpoints);
    if (err == LP_OK) {
        err = list_threads(view);
    }
    return err == LP_OK ? index_events(view, found, out_is_complete) : err;
}

// read_thoroughly is for chunks in which the header does not lead to everything.
static lp_err
read_thoroughly(compact_view *view, const described *chain, const policy *rules,
    compact_schema *like, lp_problem *problem)
{
    lp_slice chunk = view->chunk;
    compact_view_close(view);
    *view = (compact_view){.chunk = chunk};
    lp_err err = check_chunk(view, problem);
    described all = {0};
    if (err == LP_OK) {
        err = search_all(view, chain, &all);
    }
    bool is_complete; // it is: the list came about as the check does
    if (err == LP_OK) {
        err = read_all(view, &all, rules, like, &is_complete, problem);
    }
    described_fini(&all);
    return err;
}

lp_err
compact_view_open(compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like,
    lp_problem *out_problem)
{
    *view = (compact_view){.chunk = chunk};
    described chain = {0};
    bool is_complete = false;
    lp_err err = check_chunk(view, out_problem);
    if (err == LP_OK) {
        err = follow_chain(view, &chain);
    }
    if (err == LP_OK && chain.metadata.count > 0) {
        err = read_all(view, &chain, rules, like, &is_complete, out_problem);
    }
    if ((err == LP_OK && !is_complete) || err == LP_ECORRUPT) {
        err = read_thoroughly(view, &chain, rules, like, out_problem);
    }
    described_fini(&chain);
    if (err != LP_OK) {
        compact_view_close(view);
    }
    return err;
}

void
compact_view_close(compact_view *view)
{
    jfr_pools_fini(&view->pools);
    compact_schema_release(view->schema);
    LP_VEC_FINI(&view->plain);
    LP_VEC_FINI(&view->spans);
    LP_VEC_FINI(&view->threads);
    lp_map_fini(&view->undescribed);
    free(view->amounts);
    free(view->keeps);
    compact_damage_fini(&view->damage);
    *view = (compact_view){0};
}

lp_slice
compact_view_event(
    const compact_view *view, uint32_t offset, uint32_t *out_type, jfr_cursor *out_at)
{
    jfr_cursor cursor = cursor_at(view, offset);
    jfr_event event;
    bool is_whole = jfr_event_next(&cursor, &event) == LP_OK;
    LP_ASSERT(is_whole); // it was when the row was made
    *out_type = jfr_metadata_find_type(&view->schema->metadata, event.type_id);
    *out_at = event.payload;
    return (lp_slice){event.begin, (size_t)event.size};
}
