// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_requests.c, tests/prop/test_requests_prop.c
#include "common/base/lp_assert.h"
#include "common/base/lp_sort.h"
#include "engine/requests/request_steps.h"

// Design notes
//
// The parts of a request without a key follow each other in the order of their thread, as a run:
// first the part that is the request, or several that begin with it, then the parts in it. A part
// with a key among them would have made the first one a shell.
//
// Runs are sorted by what orders requests before they become requests: a run is small.

typedef struct run {
    int64_t begin;
    uint64_t key;  // of the request
    uint32_t from; // indexes order
    uint32_t count : 31;
    uint32_t is_kept : 1; // some part is
} run;

LP_SORT_BY(sort_runs, run, x->begin != y->begin ? x->begin < y->begin : x->key < y->key)

typedef struct finder {
    const compact_requests_input *input;
    compact_thread_stays *stays;
    compact_request_walk *walk;
    lp_arena *arena;
    LP_VEC(run) runs; // that are listed
} finder;

// drop_shells drops the requests of earlier windows that turn out to be shells.
static void
drop_shells(const finder *f)
{
    for (size_t i = 0; i < f->stays->shells.count; i++) {
        const compact_request_part *part = &f->input->parts[f->stays->shells.items[i].part];
        uint32_t found =
            lp_map_find(&f->walk->by_key, compact_requests_nested_key(part->thread, part->begin));
        if (found != LP_MAP_NONE && f->walk->items.items[found].source == COMPACT_REQUEST_NESTED) {
            f->walk->joined_to.items[found] = COMPACT_REQUEST_NONE;
        }
    }
}

static bool
is_request(const finder *f, uint32_t part)
{
    return f->input->parts[part].key == 0 && f->stays->places[part].role == COMPACT_PART_FIRST;
}

// is_in_run returns whether a part belongs to the run of the request that first is.
static bool
is_in_run(const finder *f, uint32_t part, uint32_t first)
{
    const compact_request_part *parts = f->input->parts;
    const compact_part_place *place = &f->stays->places[part];
    if (parts[part].key != 0) {
        return false;
    }
    return place->role == COMPACT_PART_FIRST
               ? parts[part].thread == parts[first].thread &&
                     parts[part].begin == parts[first].begin
               : place->role == COMPACT_PART_WITHIN && place->other == first;
}

static run
run_at(const finder *f, size_t index)
{
    const uint32_t *order = &f->stays->order[index];
    const compact_request_part *first = &f->input->parts[order[0]];
    size_t left = f->stays->order_count - index;
    size_t count = 0;
    bool is_kept = false;
    do {
        is_kept |= f->input->parts[order[count++]].is_kept;
    } while (count < left && is_in_run(f, order[count], order[0]));
    return (run){
        .begin = first->begin,
        .from = (uint32_t)index,
        .count = count & INT32_MAX,
        .is_kept = is_kept,
    };
}

// is_omitted returns whether a run only counts. A part that begins before the window may belong to
// a carried request.
static bool
is_omitted(const finder *f, const run *found)
{
    return f->input->omits_dropped && f->input->hand_over_count == 0 && !found->is_kept &&
           found->begin >= f->input->lo &&
           f->stays->places[f->stays->order[found->from]].end < f->input->hi;
}

static void
find_runs(finder *f)
{
    const uint32_t *order = f->stays->order;
    for (size_t i = 0; i < f->stays->order_count && !f->arena->is_failed;) {
        if (!is_request(f, order[i])) {
            LP_ARENA_PUSH(f->arena, &f->stays->rest, order[i]);
            i++;
            continue;
        }
        run found = run_at(f, i);
        i += found.count;
        if (is_omitted(f, &found)) {
            f->walk->omitted++;
            continue;
        }
        found.key =
            compact_requests_nested_key(f->input->parts[order[found.from]].thread, found.begin);
        LP_ARENA_PUSH(f->arena, &f->runs, found);
    }
    run *spare = LP_ARENA_ARRAY(f->arena, run, f->runs.count / 2);
    if (spare != NULL) {
        sort_runs(f->runs.items, f->runs.count, spare);
    }
}

// find_or_begin returns the request of a run.
static uint32_t
find_or_begin(const finder *f, const run *taken)
{
    uint32_t carried = taken->begin < f->input->lo ? compact_request_walk_meant(f->walk, taken->key)
                                                   : COMPACT_REQUEST_NONE;
    const compact_request request = {
        .key = taken->key,
        .id = taken->key,
        .thread = f->input->parts[f->stays->order[taken->from]].thread,
        .begin = taken->begin,
        .end = taken->begin,
        .worked_until = taken->begin,
        .source = COMPACT_REQUEST_NESTED,
    };
    return carried != COMPACT_REQUEST_NONE ? carried : compact_request_walk_add(f->walk, &request);
}

static void
take_run(const finder *f, const run *taken)
{
    compact_request_walk *walk = f->walk;
    const uint32_t *parts = &f->stays->order[taken->from];
    uint32_t request = find_or_begin(f, taken);
    for (size_t i = 0; i < taken->count && request != COMPACT_REQUEST_NONE; i++) {
        const compact_part_place *place = &f->stays->places[parts[i]];
        const compact_request_part *part = &f->input->parts[parts[i]];
        walk->request_of[parts[i]] = request;
        walk->items.items[request].part_count += part->is_new;
        if (place->role == COMPACT_PART_FIRST) {
            walk->was_open[parts[i]] = request < walk->carried_count;
            compact_request_walk_extend(walk, request, part, place->end);
        }
    }
    if (taken->is_kept && request != COMPACT_REQUEST_NONE) {
        compact_request_keep(&walk->items.items[request]);
    }
}

void
compact_nested_requests_find(
    compact_thread_stays *stays, lp_arena *arena, compact_request_walk *walk)
{
    LP_ASSERT(walk->items.count == walk->carried_count); // before the walk
    LP_ASSERT(stays->rest.count == 0);
    finder f = {.input = walk->input, .stays = stays, .walk = walk, .arena = arena};
    drop_shells(&f);
    find_runs(&f);
    compact_request_walk_reserve(walk, f.runs.count);
    for (size_t i = 0; i < f.runs.count && !arena->is_failed; i++) {
        take_run(&f, &f.runs.items[i]);
    }
}
