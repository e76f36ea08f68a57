// SPDX-License-Identifier: Apache-2.0
#include "engine/read/view.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/rewrite/jfr_printable.h"
#include "engine/read/index.h"
#include "engine/read/marks.h"
#include "engine/read/threads.h"

#include <string.h>

// Design notes
//
// Constants and metadata are read first but lie behind the events that use them. The header points
// to the last metadata event and the last checkpoint, and each checkpoint to the previous one. If
// this chain has all of them, the events are read once. The pass over the events checks that. If it
// fails (a type was registered meanwhile, a writer did not link its checkpoints, the chunk is
// damaged), another pass searches for them first.

// How to open a chunk.
typedef struct opener {
    compact_view *view;
    const policy *rules;
    compact_schema *like;
    const int64_t *contexts_before; // only read contextual events that begin before, or NULL
    bool trusts_chain;              // the header leads to all metadata events and checkpoints
    lp_arena lists;                 // of found events; outlasts start_again
} opener;

static void
opener_check(const opener *o)
{
    LP_ASSERT(o->view != NULL && (o->view->pools.pools == NULL || o->view->schema != NULL));
}

static lp_err
memory_err(const opener *o)
{
    lp_err err = lp_arena_err(&o->view->arena);
    return err == LP_OK ? lp_arena_err(&o->lists) : err;
}

static void
push_event(opener *o, compact_events *list, const jfr_event *event)
{
    LP_ARENA_PUSH(&o->lists, list, *event);
}

static jfr_cursor
cursor_at(const compact_view *view, uint64_t offset)
{
    LP_ASSERT(offset <= view->chunk.len);
    return (jfr_cursor){view->chunk.ptr + offset, view->chunk.ptr + view->chunk.len};
}

static uint64_t
offset_in(const compact_view *view, const uint8_t *at)
{
    LP_ASSERT(at >= view->chunk.ptr && at <= view->chunk.ptr + view->chunk.len);
    return (uint64_t)(at - view->chunk.ptr);
}

// read_at returns false if no event of this type is at offset.
static bool
read_at(const compact_view *view, uint64_t offset, uint64_t type_id, jfr_event *out_event)
{
    LP_REQUIRE(offset >= JFR_CHUNK_HEADER_SIZE && offset < view->chunk.len, false);
    jfr_cursor cursor = cursor_at(view, offset);
    return jfr_event_next(&cursor, out_event) == LP_OK && out_event->type_id == type_id;
}

// offset_before returns the offset of the previous checkpoint; 0 if this is the first or the chain
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
    uint64_t before = is_whole ? offset + delta : 0; // delta is negative
    return before < offset ? before : 0;
}

// follow_chain lists the metadata event and the checkpoints of the header's chain.
static void
follow_chain(opener *o, compact_described *out)
{
    opener_check(o);
    const compact_view *view = o->view;
    jfr_event event;
    if (read_at(view, view->info.metadata_offset, JFR_TYPE_ID_METADATA, &event)) {
        push_event(o, &out->metadata, &event);
    }
    uint64_t offset = view->info.checkpoint_offset;
    const uint8_t *end = view->chunk.ptr + view->chunk.len; // checkpoints do not overlap
    while (read_at(view, offset, JFR_TYPE_ID_CHECKPOINT, &event) &&
           event.size <= (uint64_t)(end - event.begin)) {
        push_event(o, &out->checkpoints, &event);
        offset = offset_before(view, &event);
        end = event.begin;
    }
    for (size_t i = 0; i < out->checkpoints.count / 2; i++) {
        jfr_event *other = &out->checkpoints.items[out->checkpoints.count - 1 - i];
        event = out->checkpoints.items[i];
        out->checkpoints.items[i] = *other;
        *other = event;
    }
}

// begins_with_others returns whether metadata events or checkpoints outside of the chain come
// before the first other event.
static bool
begins_with_others(const compact_view *view, const compact_described *chain)
{
    jfr_cursor cursor = cursor_at(view, JFR_CHUNK_HEADER_SIZE);
    compact_meeting meeting = {.expected = chain};
    jfr_event event;
    bool is_known = true;
    while (is_known && jfr_event_next(&cursor, &event) == LP_OK &&
           event.type_id <= JFR_TYPE_ID_CHECKPOINT) {
        is_known = compact_index_meets(&meeting, &event);
    }
    return !is_known;
}

// push_all adds the events of from that are not in known. Both are in the order of the chunk.
static void
push_all(opener *o, const compact_events *from, const compact_events *known, compact_events *to)
{
    opener_check(o);
    size_t k = 0;
    for (size_t i = 0; i < from->count; i++) {
        while (k < known->count && known->items[k].begin < from->items[i].begin) {
            k++;
        }
        if (k == known->count || known->items[k].begin != from->items[i].begin) {
            push_event(o, to, &from->items[i]);
        }
    }
}

// push_cut adds the event at rest, if it is a checkpoint that the chunk's end cut off. The header's
// size has room for all of it. Some writers put all constants into one checkpoint.
static void
push_cut(opener *o, const jfr_cursor *rest, compact_events *checkpoints)
{
    opener_check(o);
    const compact_view *view = o->view;
    jfr_event event = {.begin = rest->at, .size = jfr_cursor_left(rest), .payload = *rest};
    uint64_t size;
    bool is_cut = jfr_varint_read(&event.payload, &size) &&
                  jfr_varint_read(&event.payload, &event.type_id) &&
                  event.type_id == JFR_TYPE_ID_CHECKPOINT && size > event.size &&
                  view->info.size_bytes > view->chunk.len &&
                  size <= view->info.size_bytes - offset_in(view, rest->at);
    if (is_cut) {
        push_event(o, checkpoints, &event);
    }
}

// trust_chain orders the events so that those of the header's chain win: behind damage, other bytes
// may look like checkpoints or metadata. The first constant of a key counts, so the chain's
// checkpoints come first. The last description of a type counts, so its metadata comes last.
static void
trust_chain(opener *o, const compact_described *chain, compact_described *all)
{
    const compact_events none = {0};
    const compact_described met = *all;
    *all = (compact_described){0};
    push_all(o, &met.metadata, &chain->metadata, &all->metadata);
    push_all(o, &chain->metadata, &none, &all->metadata);
    push_all(o, &chain->checkpoints, &none, &all->checkpoints);
    push_all(o, &met.checkpoints, &chain->checkpoints, &all->checkpoints);
}

// search_all lists the metadata events and checkpoints of the whole chunk, and of the chain if the
// chunk is damaged.
static void
search_all(opener *o, const compact_described *chain, compact_described *out)
{
    opener_check(o);
    jfr_cursor rest = cursor_at(o->view, JFR_CHUNK_HEADER_SIZE);
    jfr_event event;
    while (jfr_event_next(&rest, &event) == LP_OK) {
        if (event.type_id == JFR_TYPE_ID_METADATA) {
            push_event(o, &out->metadata, &event);
        } else if (event.type_id == JFR_TYPE_ID_CHECKPOINT) {
            push_event(o, &out->checkpoints, &event);
        }
    }
    if (rest.at != rest.end) {
        trust_chain(o, chain, out);
        push_cut(o, &rest, &out->checkpoints);
    }
}

// --- Types

// note_damage notes a problem whose offset counts from part, which lies in the chunk.
static void
note_damage(compact_view *view, lp_slice part, lp_problem *problem)
{
    problem->offset = offset_in(view, part.ptr) + (problem->has_offset ? problem->offset : 0);
    problem->has_offset = true;
    compact_damage_add(&view->damage, problem, part.len);
}

// Damaged metadata events that are left out; each costs another reading of all others.
enum { BAD_METADATA_MAX = 16 };

// note_schema_damage notes the left-out parts of the metadata at the last metadata event.
static void
note_schema_damage(compact_view *view, const uint8_t *payload)
{
    size_t first = view->damage.notes.count;
    compact_damage_append(&view->damage, &view->schema->damage);
    for (size_t i = first; i < view->damage.notes.count; i++) {
        lp_problem *problem = &view->damage.notes.items[i].problem;
        problem->offset = offset_in(view, payload);
        problem->has_offset = true;
    }
}

static lp_err
make_schema(opener *o, const lp_slice *payloads, size_t count, size_t *out_bad, lp_problem *out)
{
    opener_check(o);
    return compact_schema_make(payloads, count, o->view->info.ticks_per_s, o->rules, o->like,
        &o->view->schema, out_bad, out);
}

// open_schema makes the schema and leaves out damaged metadata events, as long as another remains.
static lp_err
open_schema(opener *o, const compact_events *metadata, lp_problem *problem)
{
    opener_check(o);
    compact_view *view = o->view;
    size_t count = metadata->count;
    lp_slice *payloads = LP_ARENA_ARRAY(&o->lists, lp_slice, count + 1);
    LP_REQUIRE(memory_err(o) == LP_OK, LP_ENOMEM);
    for (size_t i = 0; i < count; i++) {
        payloads[i] = jfr_event_payload(&metadata->items[i]);
    }
    size_t bad = count;
    lp_problem found = {.text = ""};
    lp_err err = make_schema(o, payloads, count, &bad, &found);
    for (int tries = 0; err == LP_ECORRUPT && count > 1 && tries < BAD_METADATA_MAX; tries++) {
        bad = bad < count ? bad : 0; // the oldest: a later one describes everything
        note_damage(view, payloads[bad], &found);
        count--;
        memmove(&payloads[bad], &payloads[bad + 1], (count - bad) * sizeof(*payloads));
        bad = count;
        found = (lp_problem){.text = ""};
        err = make_schema(o, payloads, count, &bad, &found);
    }
    if (err == LP_OK) {
        note_schema_damage(view, payloads[count - 1].ptr);
    } else if (problem != NULL) {
        *problem = found;
        problem->offset += found.has_offset ? offset_in(view, payloads[bad].ptr) : 0;
    }
    return err;
}

// --- Constants

// read_pools reads the constants of the checkpoints, each up to its damage.
static lp_err
read_pools(compact_view *view, const compact_events *checkpoints, bool only_enumerations)
{
    LP_ASSERT(view->schema != NULL && view->pools.pools == NULL);
    const compact_schema *schema = view->schema;
    lp_err err = jfr_pools_init(&view->pools, view->chunk, &schema->metadata, &schema->layout);
    view->pools.only_enumerations = only_enumerations;
    for (size_t i = 0; i < checkpoints->count && err == LP_OK; i++) {
        lp_slice payload = jfr_event_payload(&checkpoints->items[i]);
        lp_problem problem;
        err = jfr_pools_add(&view->pools, &schema->metadata, payload, &problem);
        if (err == LP_ECORRUPT) {
            uint64_t end = offset_in(view, payload.ptr) + payload.len;
            compact_damage_add(&view->damage, &problem, end - problem.offset);
            err = LP_OK;
        }
    }
    LP_THEN(err, jfr_pools_index(&view->pools));
    return err == LP_OK && !only_enumerations
               ? jfr_printable_prepare(&view->pools, &schema->metadata)
               : err;
}

// --- All of it

static lp_err
check_chunk(compact_view *view, lp_problem *problem)
{
    lp_err err = jfr_chunk_parse_cut(view->chunk, &view->info, problem);
    LP_REQUIRE(err == LP_OK, err == LP_EEND ? LP_ECORRUPT : err);
    LP_REQUIRE(view->chunk.len <= UINT32_MAX,
        lp_problem_at(problem, LP_ELIMIT, 8, "a chunk of over 4 GiB"));
    if (view->info.size_bytes == view->chunk.len) {
        return LP_OK;
    }
    lp_problem found;
    (void)lp_problem_at(&found, LP_ECORRUPT, 8, "the header says %llu bytes, the chunk has %zu",
        (unsigned long long)view->info.size_bytes, view->chunk.len);
    compact_damage_add(&view->damage, &found, 0);
    return LP_OK;
}

void
compact_view_make_tables(compact_view *view)
{
    LP_ASSERT(view->schema != NULL);
    LP_ASSERT(view->amounts == NULL); // it is done once
    size_t type_count = view->schema->metadata.types.count;
    view->amounts = LP_ARENA_ARRAY(&view->arena, compact_amount, type_count);
    view->dropped = LP_ARENA_ARRAY(&view->arena, compact_dropped, type_count);
    view->keeps = LP_ARENA_ARRAY(&view->arena, bool, type_count);
    view->marked_amounts = LP_ARENA_ARRAY(&view->arena, compact_amount, type_count);
    compact_marks_init(view);
}

// read_all reads the chunk with the listed metadata events and checkpoints. Sets *out_is_complete
// to false if the chunk has others; without out_is_complete it ignores others.
static lp_err
read_all(opener *o, const compact_described *found, bool *out_is_complete, lp_problem *problem)
{
    opener_check(o);
    compact_view *view = o->view;
    LP_TRY(open_schema(o, &found->metadata, problem));
    compact_view_make_tables(view);
    lp_err err = memory_err(o);
    LP_THEN(err, read_pools(view, &found->checkpoints, false));
    if (err == LP_OK) {
        compact_threads_list(view);
        bool may_give_up = out_is_complete != NULL;
        bool is_complete =
            o->contexts_before == NULL
                ? compact_index_events(view, found, may_give_up)
                : compact_index_contexts(view, found, may_give_up, *o->contexts_before);
        if (out_is_complete != NULL) {
            *out_is_complete = is_complete;
        }
        err = memory_err(o);
    }
    return err;
}

static lp_err
start_again(compact_view *view, lp_problem *problem)
{
    const compact_view fresh = {
        .chunk = view->chunk,
        .is_filtered = view->is_filtered,
        .chosen = view->chosen,
        .sums = view->sums,
    };
    compact_view_close(view);
    *view = fresh;
    return check_chunk(view, problem);
}

// read_trusting uses the header's metadata event alone, since too many others are damaged. why is
// one of their problems.
static lp_err
read_trusting(
    opener *o, const compact_described *chain, const compact_described *all, const lp_problem *why)
{
    opener_check(o);
    LP_TRY(start_again(o->view, NULL));
    compact_damage_add(&o->view->damage, why, 0);
    const compact_described trusted = {chain->metadata, all->checkpoints};
    return read_all(o, &trusted, NULL, NULL);
}

static lp_err
read_thoroughly(opener *o, const compact_described *chain, lp_problem *problem)
{
    opener_check(o);
    compact_described all = {0};
    lp_problem why = {.text = ""};
    lp_err err = start_again(o->view, &why);
    if (err == LP_OK) {
        search_all(o, chain, &all);
        err = read_all(o, &all, NULL, &why);
    }
    if (err == LP_ECORRUPT && chain->metadata.count > 0) {
        err = read_trusting(o, chain, &all, &why);
    }
    if (err != LP_OK && problem != NULL) {
        *problem = why;
    }
    return err;
}

// check_rows asserts what deciding relies on.
static void
check_rows(const compact_view *view)
{
    compact_view_check(view);
    LP_ASSERT(view->blocks.count > 0);
    const compact_block *last = &view->blocks.items[view->blocks.count - 1];
    LP_ASSERT(last->plain_begin <= view->plain.count && last->span_begin <= view->spans.count);
    LP_ASSERT(view->begin_min <= view->info.start_ticks);
    LP_ASSERT(view->commit_max >= view->info.start_ticks);
    LP_ASSERT(view->threads.count <= COMPACT_NO_THREAD);
}

static lp_err
open_chunk(opener *o, lp_problem *problem)
{
    opener_check(o);
    compact_view *view = o->view;
    compact_described chain = {0};
    bool is_complete = false;
    lp_err err = check_chunk(view, problem);
    if (err == LP_OK) {
        follow_chain(o, &chain);
    }
    bool is_cut = view->info.size_bytes > view->chunk.len; // then the end of the chain is missing
    if (err == LP_OK && chain.metadata.count > 0 && !is_cut && !begins_with_others(view, &chain)) {
        err = read_all(o, &chain, &is_complete, problem);
    }
    if ((err == LP_OK && !is_complete) || err == LP_ECORRUPT) {
        err = read_thoroughly(o, &chain, problem);
    }
    lp_arena_fini(&o->lists);
    if (err != LP_OK) {
        compact_view_close(view);
    }
    return err;
}

static lp_err
open_rows(compact_view *view, const policy *rules, compact_schema *like, lp_problem *problem)
{
    opener o = {.view = view, .rules = rules, .like = like};
    lp_err err = open_chunk(&o, problem);
    if (err == LP_OK) {
        check_rows(view);
    }
    return err;
}

lp_err
compact_view_open(compact_view *view, lp_slice chunk, const policy *rules, bool is_filtered,
    compact_schema *like, lp_problem *out_problem)
{
    *view = (compact_view){.chunk = chunk, .is_filtered = is_filtered};
    return open_rows(view, rules, like, out_problem);
}

lp_err
compact_view_open_counted(compact_view *view, lp_slice chunk, const policy *rules, bool is_filtered,
    compact_sums *sums, lp_problem *out_problem)
{
    *view = (compact_view){.chunk = chunk, .is_filtered = is_filtered, .sums = sums};
    return open_rows(view, rules, NULL, out_problem);
}

lp_err
compact_view_open_chosen(compact_view *view, lp_slice chunk, const policy *rules,
    compact_schema *like, const compact_chosen *chosen, lp_problem *out_problem)
{
    *view = (compact_view){.chunk = chunk, .chosen = chosen};
    return open_rows(view, rules, like, out_problem);
}

lp_err
compact_view_open_contexts(
    compact_view *view, lp_slice chunk, const policy *rules, int64_t before, compact_schema *like)
{
    *view = (compact_view){.chunk = chunk};
    opener o = {.view = view, .rules = rules, .like = like, .contexts_before = &before};
    return open_chunk(&o, NULL);
}

static bool
is_same(const compact_events *a, const compact_events *b)
{
    bool is_same = a->count == b->count;
    for (size_t i = 0; i < a->count && is_same; i++) {
        is_same = a->items[i].begin == b->items[i].begin;
    }
    return is_same;
}

static lp_err
describe(opener *o, compact_described *out_all)
{
    opener_check(o);
    compact_described chain = {0};
    LP_TRY(check_chunk(o->view, NULL));
    follow_chain(o, &chain);
    LP_TRY(memory_err(o)); // without memory a chain looks broken
    if (o->trusts_chain) {
        LP_REQUIRE(chain.metadata.count > 0, LP_ECORRUPT);
        *out_all = chain;
    } else {
        search_all(o, &chain, out_all);
    }
    o->view->is_chained = is_same(&chain.metadata, &out_all->metadata) &&
                          is_same(&chain.checkpoints, &out_all->checkpoints);
    return open_schema(o, &out_all->metadata, NULL);
}

static lp_err
read_schema(opener o, lp_slice chunk, compact_schema **out_schema, jfr_chunk_info *out_info)
{
    compact_view view = {.chunk = chunk};
    compact_described all = {0};
    o.view = &view;
    lp_err err = describe(&o, &all);
    if (err == LP_OK) {
        *out_schema = compact_schema_hold(view.schema);
        *out_info = view.info;
    }
    lp_arena_fini(&o.lists);
    compact_view_close(&view);
    return err;
}

lp_err
compact_view_read_schema(lp_slice chunk, const policy *rules, compact_schema *like,
    compact_schema **out_schema, jfr_chunk_info *out_info)
{
    return read_schema((opener){.rules = rules, .like = like}, chunk, out_schema, out_info);
}

lp_err
compact_view_read_last_schema(lp_slice chunk, const policy *rules, compact_schema *like,
    compact_schema **out_schema, jfr_chunk_info *out_info)
{
    opener o = {.rules = rules, .like = like, .trusts_chain = true};
    lp_err err = read_schema(o, chunk, out_schema, out_info);
    return err == LP_ECORRUPT ? compact_view_read_schema(chunk, rules, like, out_schema, out_info)
                              : err;
}

static lp_err
open_described(opener o, lp_slice chunk, bool only_enumerations)
{
    LP_ASSERT(o.view != NULL && o.contexts_before == NULL);
    compact_view *view = o.view;
    *view = (compact_view){.chunk = chunk};
    compact_described all = {0};
    lp_err err = describe(&o, &all);
    LP_THEN(err, read_pools(view, &all.checkpoints, only_enumerations));
    lp_arena_fini(&o.lists);
    if (err != LP_OK) {
        compact_view_close(view);
    }
    return err;
}

lp_err
compact_view_open_constants(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like)
{
    return open_described((opener){.view = view, .rules = rules, .like = like}, chunk, false);
}

lp_err
compact_view_open_chained(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like)
{
    return open_described(
        (opener){.view = view, .rules = rules, .like = like, .trusts_chain = true}, chunk, false);
}

lp_err
compact_view_open_enumerations(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like)
{
    return open_described((opener){.view = view, .rules = rules, .like = like}, chunk, true);
}

void
compact_view_close(compact_view *view)
{
    jfr_pools_fini(&view->pools);
    compact_schema_release(view->schema);
    LP_VEC_FINI(&view->plain);
    LP_VEC_FINI(&view->spans);
    LP_VEC_FINI(&view->sure);
    LP_VEC_FINI(&view->strays);
    LP_VEC_FINI(&view->installed);
    LP_VEC_FINI(&view->kept_spans);
    LP_VEC_FINI(&view->weights);
    lp_map_fini(&view->undescribed);
    lp_arena_fini(&view->arena);
    *view = (compact_view){0};
}

// --- Events of rows (rows.h)

compact_event
compact_view_event(const compact_view *view, uint32_t offset)
{
    const jfr_event event = compact_view_head(view, offset);
    return (compact_event){
        .bytes = {event.begin, (size_t)event.size},
        .type = jfr_metadata_find_type(&view->schema->metadata, event.type_id),
        .payload = event.payload,
    };
}

bool
compact_view_fits(const compact_view *view, uint32_t offset)
{
    compact_event event = compact_view_event(view, offset);
    const jfr_layout *layout = &view->schema->layout;
    return jfr_layout_walk(layout, layout->types.items[event.type], &event.payload);
}
