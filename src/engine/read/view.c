// SPDX-License-Identifier: Apache-2.0
#include "engine/read/view.h"

#include "common/jfr/jfr_event.h"
#include "engine/read/index.h"
#include "engine/read/schema_make.h"
#include "engine/read/threads.h"

#include <stdlib.h>
#include <string.h>

// Design notes
//
// Constants and metadata lie behind the events that use them, so they have to be read first. The
// header leads to the last metadata event and to the last checkpoint, and each checkpoint to the
// one before: where that chain is complete, the events are looked at only once. The pass over the
// events checks that it is; where it is not (a type was registered meanwhile, a writer did not care
// for the chain, the chunk is damaged), a pass that looks for them comes first.

static void
described_fini(compact_described *d)
{
    LP_VEC_FINI(&d->metadata);
    LP_VEC_FINI(&d->checkpoints);
}

static lp_err
push_event(compact_events *list, const jfr_event *event)
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
follow_chain(const compact_view *view, compact_described *out)
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

// push_all adds the events of from, without those of known. Both are in the chunk's order.
static lp_err
push_all(const compact_events *from, const compact_events *known, compact_events *to)
{
    size_t k = 0;
    lp_err err = LP_OK;
    for (size_t i = 0; i < from->count && err == LP_OK; i++) {
        while (k < known->count && known->items[k].begin < from->items[i].begin) {
            k++;
        }
        if (k == known->count || known->items[k].begin != from->items[i].begin) {
            err = push_event(to, &from->items[i]);
        }
    }
    return err;
}

// push_cut adds the event at rest, if it is a checkpoint that is there in part: the chunk was cut
// off in it, and what its header says has room for it. With some writers all constants are in one.
static lp_err
push_cut(const compact_view *view, const jfr_cursor *rest, compact_events *checkpoints)
{
    jfr_event event = {.begin = rest->at, .size = jfr_cursor_left(rest), .payload = *rest};
    uint64_t size;
    bool is_cut = jfr_varint_read(&event.payload, &size) &&
                  jfr_varint_read(&event.payload, &event.type_id) &&
                  event.type_id == JFR_TYPE_ID_CHECKPOINT && size > event.size &&
                  view->info.size_bytes > view->chunk.len &&
                  size <= view->info.size_bytes - offset_in(view, rest->at);
    return is_cut ? push_event(checkpoints, &event) : LP_OK;
}

// trust_chain puts what the header leads to before what was met behind damage, which may be no more
// than looks like a checkpoint: the first constant of a key counts, and the last description of a
// type.
static lp_err
trust_chain(const compact_described *chain, compact_described *all)
{
    const compact_events none = {0};
    compact_described met = *all;
    *all = (compact_described){0};
    lp_err err = push_all(&met.metadata, &chain->metadata, &all->metadata);
    if (err == LP_OK) {
        err = push_all(&chain->metadata, &none, &all->metadata);
    }
    if (err == LP_OK) {
        err = push_all(&chain->checkpoints, &none, &all->checkpoints);
    }
    if (err == LP_OK) {
        err = push_all(&met.checkpoints, &chain->checkpoints, &all->checkpoints);
    }
    described_fini(&met);
    return err;
}

// search_all lists what is met on the way through the chunk, and where that is damaged, what the
// header leads to as well.
static lp_err
search_all(const compact_view *view, const compact_described *chain, compact_described *out)
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
    if (err != LP_OK || rest.at == rest.end) {
        return err;
    }
    err = trust_chain(chain, out);
    return err != LP_OK ? err : push_cut(view, &rest, &out->checkpoints);
}

// --- Types

// note_damage notes a problem whose offset is in part, which lies in the chunk.
static lp_err
note_damage(compact_view *view, lp_slice part, lp_problem *problem)
{
    problem->offset = offset_in(view, part.ptr) + (problem->has_offset ? problem->offset : 0);
    problem->has_offset = true;
    return compact_damage_add(&view->damage, problem, part.len);
}

enum { BAD_METADATA_MAX = 16 }; // that are left out: each costs reading all the others again

// note_schema_damage notes what of the metadata could not be kept, at the last metadata event: of
// two that describe a type, the later one counts.
static lp_err
note_schema_damage(compact_view *view, const uint8_t *payload)
{
    size_t first = view->damage.notes.count;
    lp_err err = compact_damage_append(&view->damage, &view->schema->damage);
    for (size_t i = first; i < view->damage.notes.count; i++) {
        lp_problem *problem = &view->damage.notes.items[i].problem;
        problem->offset = offset_in(view, payload);
        problem->has_offset = true;
    }
    return err;
}

// open_schema leaves out metadata events that are damaged, as long as there is another.
static lp_err
open_schema(compact_view *view, compact_events *metadata, const policy *rules, compact_schema *like,
    lp_problem *problem)
{
    lp_err err = LP_ECORRUPT;
    lp_slice *payloads = malloc((metadata->count + 1) * sizeof(*payloads));
    if (payloads == NULL) {
        return LP_ENOMEM;
    }
    for (int tries = 0;; tries++) {
        for (size_t i = 0; i < metadata->count; i++) {
            payloads[i] = jfr_event_payload(&metadata->items[i]);
        }
        size_t bad = metadata->count;
        lp_problem found = {.text = ""};
        err = compact_schema_make(payloads, metadata->count, view->info.ticks_per_s, rules, like,
            &view->schema, &bad, &found);
        if (err != LP_ECORRUPT || metadata->count < 2 || tries == BAD_METADATA_MAX) {
            if (err != LP_OK && problem != NULL) {
                *problem = found;
                problem->offset += found.has_offset ? offset_in(view, payloads[bad].ptr) : 0;
            }
            break;
        }
        bad = bad < metadata->count ? bad : 0; // the oldest: a later one describes everything
        err = note_damage(view, payloads[bad], &found);
        if (err != LP_OK) {
            break;
        }
        metadata->count--;
        memmove(&metadata->items[bad], &metadata->items[bad + 1],
            (metadata->count - bad) * sizeof(*metadata->items));
    }
    if (err == LP_OK) {
        err = note_schema_damage(view, payloads[metadata->count - 1].ptr);
    }
    free(payloads);
    return err;
}

// --- Constants

// read_pools reads of a damaged checkpoint what comes before the damage.
static lp_err
read_pools(compact_view *view, const compact_events *checkpoints)
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

// --- All of it

static lp_err
check_chunk(compact_view *view, lp_problem *problem)
{
    lp_err err = jfr_chunk_parse_cut(view->chunk, &view->info, problem);
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
    (void)lp_problem_at(&found, LP_ECORRUPT, 8, "the header says %llu bytes, the chunk has %zu",
        (unsigned long long)view->info.size_bytes, view->chunk.len);
    return compact_damage_add(&view->damage, &found, 0);
}

// read_all reads the chunk with the metadata events and checkpoints that were found. Where
// out_is_complete is NULL, they are all that is to be had.
static lp_err
read_all(compact_view *view, compact_described *found, const policy *rules, compact_schema *like,
    bool *out_is_complete, lp_problem *problem)
{
    lp_err err = open_schema(view, &found->metadata, rules, like, problem);
    if (err != LP_OK) {
        return err;
    }
    view->amounts = calloc(view->schema->metadata.types.count + 1, sizeof(*view->amounts));
    view->dropped = calloc(view->schema->metadata.types.count + 1, sizeof(*view->dropped));
    view->keeps = calloc(view->schema->metadata.types.count + 1, sizeof(*view->keeps));
    if (view->amounts == NULL || view->dropped == NULL || view->keeps == NULL) {
        return LP_ENOMEM;
    }
    err = read_pools(view, &found->checkpoints);
    if (err == LP_OK) {
        err = compact_threads_list(view);
    }
    return err == LP_OK ? compact_index_events(view, found, out_is_complete) : err;
}

// start_again forgets everything about the chunk but what was given.
static lp_err
start_again(compact_view *view, lp_problem *problem)
{
    const compact_view fresh = {.chunk = view->chunk, .is_filtered = view->is_filtered};
    compact_view_close(view);
    *view = fresh;
    return check_chunk(view, problem);
}

// read_trusting is for chunks in which so many things that look like metadata are none that only
// those are believed that the header leads to. why is what was wrong with one of the others.
static lp_err
read_trusting(compact_view *view, const compact_described *chain, compact_described *all,
    const policy *rules, compact_schema *like, const lp_problem *why)
{
    lp_err err = start_again(view, NULL);
    all->metadata.count = 0;
    for (size_t i = 0; i < chain->metadata.count && err == LP_OK; i++) {
        err = push_event(&all->metadata, &chain->metadata.items[i]);
    }
    if (err == LP_OK) {
        err = compact_damage_add(&view->damage, why, 0);
    }
    return err == LP_OK ? read_all(view, all, rules, like, NULL, NULL) : err;
}

// read_thoroughly is for chunks in which the header does not lead to everything.
static lp_err
read_thoroughly(compact_view *view, const compact_described *chain, const policy *rules,
    compact_schema *like, lp_problem *problem)
{
    compact_described all = {0};
    lp_problem why = {.text = ""};
    lp_err err = start_again(view, &why);
    if (err == LP_OK) {
        err = search_all(view, chain, &all);
    }
    if (err == LP_OK) {
        err = read_all(view, &all, rules, like, NULL, &why);
    }
    if (err == LP_ECORRUPT && chain->metadata.count > 0) {
        err = read_trusting(view, chain, &all, rules, like, &why);
    }
    if (err != LP_OK && problem != NULL) {
        *problem = why;
    }
    described_fini(&all);
    return err;
}

lp_err
compact_view_open(compact_view *view, lp_slice chunk, const policy *rules, bool is_filtered,
    compact_schema *like, lp_problem *out_problem)
{
    *view = (compact_view){.chunk = chunk, .is_filtered = is_filtered};
    compact_described chain = {0};
    bool is_complete = false;
    lp_err err = check_chunk(view, out_problem);
    if (err == LP_OK) {
        err = follow_chain(view, &chain);
    }
    bool is_cut = view->info.size_bytes > chunk.len; // then the last of the chain is missing
    if (err == LP_OK && chain.metadata.count > 0 && !is_cut) {
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

// describe opens the schema, and lists what describes the chunk.
static lp_err
describe(compact_view *view, const policy *rules, compact_schema *like, compact_described *out_all)
{
    compact_described chain = {0};
    lp_err err = check_chunk(view, NULL);
    if (err == LP_OK) {
        err = follow_chain(view, &chain);
    }
    if (err == LP_OK) {
        err = search_all(view, &chain, out_all);
    }
    if (err == LP_OK) {
        err = open_schema(view, &out_all->metadata, rules, like, NULL);
    }
    described_fini(&chain);
    return err;
}

lp_err
compact_view_read_schema(lp_slice chunk, const policy *rules, compact_schema *like,
    compact_schema **out_schema, jfr_chunk_info *out_info)
{
    compact_view view = {.chunk = chunk};
    compact_described all = {0};
    lp_err err = describe(&view, rules, like, &all);
    if (err == LP_OK) {
        *out_schema = compact_schema_hold(view.schema);
        *out_info = view.info;
    }
    described_fini(&all);
    compact_view_close(&view);
    return err;
}

lp_err
compact_view_open_constants(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like)
{
    *view = (compact_view){.chunk = chunk};
    compact_described all = {0};
    lp_err err = describe(view, rules, like, &all);
    if (err == LP_OK) {
        err = read_pools(view, &all.checkpoints);
    }
    described_fini(&all);
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
    LP_VEC_FINI(&view->blocks);
    LP_VEC_FINI(&view->installed);
    LP_VEC_FINI(&view->kept_spans);
    LP_VEC_FINI(&view->weights);
    LP_VEC_FINI(&view->threads);
    lp_map_fini(&view->undescribed);
    free(view->amounts);
    free(view->dropped);
    free(view->keeps);
    compact_damage_fini(&view->damage);
    *view = (compact_view){0};
}
