// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_requests.c
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_sort.h"
#include "engine/requests/request_steps.h"

// In the order in which moments of one tick are met.
typedef enum moment_kind {
    MOMENT_BEGIN, // of a root
    MOMENT_PART,
    MOMENT_END, // of a root
} moment_kind;

typedef struct moment {
    int64_t ticks;
    uint64_t thread;
    uint32_t index; // of the root, or the part
    moment_kind kind;
} moment;

typedef LP_VEC(moment) moments;

// At one tick, the parts of a thread keep the order in which they are gathered, as do its roots.
LP_SORT_BY(sort_moments, moment,
    x->ticks != y->ticks ? x->ticks < y->ticks
    : x->kind != y->kind ? x->kind < y->kind
                         : x->thread < y->thread)

// walk_check asserts that the parallel arrays of requests are as long.
static void
walk_check(const compact_request_walk *w)
{
    LP_ASSERT(w->input != NULL && w->arena != NULL);
    LP_ASSERT(w->carried_count <= w->items.count);
    LP_ASSERT(w->arena->is_failed ||
              (w->items.count == w->joined_to.count && w->items.count == w->last_ends.count));
}

// --- Requests

static compact_request *
request_at(const compact_request_walk *w, uint32_t request)
{
    LP_DEBUG_ASSERT(request < w->items.count);
    return &w->items.items[request];
}

uint32_t
compact_request_walk_final(compact_request_walk *walk, uint32_t request)
{
    uint32_t *joined_to = walk->joined_to.items;
    uint32_t last = request;
    while (last != COMPACT_REQUEST_NONE && joined_to[last] != last) {
        last = joined_to[last];
    }
    while (request != last) { // compresses the path
        uint32_t next = joined_to[request];
        joined_to[request] = last;
        request = next;
    }
    return last;
}

uint32_t
compact_request_walk_meant(compact_request_walk *walk, uint64_t key)
{
    walk_check(walk);
    return compact_request_walk_final(walk, lp_map_find(&walk->by_key, key));
}

bool
compact_request_is_late(
    const compact_requests_input *input, const compact_request *request, int64_t ticks)
{
    int64_t linger = request->source == COMPACT_REQUEST_NESTED ? 0 : input->linger_ticks;
    int64_t last;
    return !__builtin_add_overflow(request->end, linger, &last) && ticks > last;
}

// is_closed returns whether a part that begins at ticks cannot belong to a request: the part is too
// late, or the key has begun another request.
static bool
is_closed(compact_request_walk *w, uint32_t request, int64_t ticks)
{
    if (request == COMPACT_REQUEST_NONE) {
        return true;
    }
    const compact_request *r = request_at(w, request);
    bool is_late = (r->is_over || !r->has_root) && compact_request_is_late(w->input, r, ticks);
    return is_late || compact_request_walk_meant(w, r->key) != request;
}

// find returns the request that a key means at ticks; COMPACT_REQUEST_NONE: none.
static uint32_t
find(compact_request_walk *w, uint64_t key, int64_t ticks)
{
    uint32_t found = compact_request_walk_meant(w, key);
    return is_closed(w, found, ticks) ? COMPACT_REQUEST_NONE : found;
}

void
compact_request_walk_reserve(compact_request_walk *walk, size_t more)
{
    walk_check(walk);
    (void)LP_ARENA_RESERVE(walk->arena, &walk->items, more);
    (void)LP_ARENA_RESERVE(walk->arena, &walk->last_ends, more);
    (void)LP_ARENA_RESERVE(walk->arena, &walk->joined_to, more);
}

uint32_t
compact_request_walk_add(compact_request_walk *walk, const compact_request *request)
{
    walk_check(walk);
    uint32_t index = (uint32_t)walk->items.count;
    LP_ARENA_PUSH(walk->arena, &walk->items, *request);
    int64_t last_end = request->has_root ? request->worked_until : request->end;
    LP_ARENA_PUSH(walk->arena, &walk->last_ends, last_end);
    LP_ARENA_PUSH(walk->arena, &walk->joined_to, index);
    return walk->arena->is_failed ? COMPACT_REQUEST_NONE : index;
}

// add adds a request that its key means from now on.
static void
add(compact_request_walk *w, const compact_request *request)
{
    uint32_t index = compact_request_walk_add(w, request);
    if (index != COMPACT_REQUEST_NONE) {
        lp_arena_put(w->arena, &w->by_key, request->key, index);
        lp_map_remove(&w->further, request->key);
    }
}

static uint32_t
begin(compact_request_walk *w, uint64_t key, compact_request_source source, uint64_t thread,
    int64_t ticks, bool has_root)
{
    walk_check(w);
    uint32_t before = compact_request_walk_meant(w, key);
    w->losses.reopened += !has_root && lp_map_find(&w->by_key, key) != LP_MAP_NONE;
    if (before != COMPACT_REQUEST_NONE && request_at(w, before)->key == key) {
        request_at(w, before)->is_over = true;
    }
    const compact_request request = {
        .key = key,
        .id = lp_hash_number(lp_hash_number(LP_HASH_FIXED_NUMBER, key) | 1, (uint64_t)ticks),
        .thread = thread,
        .begin = ticks,
        .end = ticks,
        .worked_until = ticks,
        .source = source,
        .has_root = has_root,
    };
    add(w, &request);
    return w->arena->is_failed ? COMPACT_REQUEST_NONE : (uint32_t)w->items.count - 1;
}

// give_up ends a request without an end.
static void
give_up(compact_request_walk *w, compact_request *request, int64_t ticks)
{
    request->is_over = true;
    request->is_unended = true;
    request->end = request->has_root && ticks > request->end ? ticks : request->end;
    w->losses.roots_without_end += request->has_root && !request->is_counted;
}

// fold adds the times, parts and attributes of a request to the one that it is joined to.
static void
fold(compact_request_walk *w, uint32_t to, uint32_t joined)
{
    compact_request *into = request_at(w, to);
    const compact_request *from = request_at(w, joined);
    int64_t *last = &w->last_ends.items[to];
    *last = *last > w->last_ends.items[joined] ? *last : w->last_ends.items[joined];
    if (!into->has_root && !into->is_over) {
        into->thread = from->begin < into->begin ? from->thread : into->thread;
        into->begin = from->begin < into->begin ? from->begin : into->begin;
        into->end = *last;
    }
    into->worked_until =
        from->worked_until > into->worked_until ? from->worked_until : into->worked_until;
    into->busy_ticks = compact_request_add_up(into->busy_ticks, from->busy_ticks);
    into->queued_ticks = compact_request_add_up(into->queued_ticks, from->queued_ticks);
    into->part_count += from->part_count;
    into->goes_on |= from->goes_on;
    into->is_counted |= from->is_counted;
    if (into->type == NULL) {
        into->type = from->type;
    }
    if (into->attribute_count == 0) {
        into->attributes = from->attributes;
        into->attribute_count = from->attribute_count;
    }
    into->is_kept |= from->is_kept;
    into->has_event |= from->has_event;
    if (into->kept_by == 0) {
        into->kept_by = from->kept_by;
        into->dropped_by = into->dropped_by == 0 ? from->dropped_by : into->dropped_by;
    }
}

// merge joins two requests, of which from is not over. It returns the one that stays: from if only
// from has a root, else to.
static uint32_t
merge(compact_request_walk *w, uint32_t from, uint32_t to)
{
    const compact_request *into = request_at(w, to);
    bool keeps_from = request_at(w, from)->has_root && !into->has_root && !into->is_over;
    uint32_t kept = keeps_from ? from : to;
    uint32_t gone = keeps_from ? to : from;
    fold(w, kept, gone);
    w->joined_to.items[gone] = kept;
    LP_ARENA_PUSH(w->arena, &w->joined_keys, request_at(w, gone)->key);
    return kept;
}

// are_two returns whether the request that a key means is not joined to another one: the key means
// it as a further key, and both have roots.
static bool
are_two(const compact_request_walk *w, uint64_t key, uint32_t meant, uint32_t other)
{
    return lp_map_find(&w->further, key) != LP_MAP_NONE && request_at(w, meant)->has_root &&
           request_at(w, other)->has_root;
}

// join makes a key mean another request, to, and merges the request that it meant, from, with that
// one, unless from is over or are_two. It returns the request that the key now means.
static uint32_t
join(compact_request_walk *w, uint64_t key, uint32_t from, uint32_t to)
{
    walk_check(w);
    if (from == to && compact_request_walk_meant(w, key) == to) {
        return to;
    }
    if (from == COMPACT_REQUEST_NONE || request_at(w, from)->is_over) {
        lp_map_remove(&w->further, key);
    } else if (from != to && !are_two(w, key, from, to)) {
        to = merge(w, from, to);
    }
    lp_arena_put(w->arena, &w->by_key, key, to);
    LP_ARENA_PUSH(w->arena, &w->joined_keys, key);
    return to;
}

// --- Roots and parts

// is_joined returns whether a key means another key's request: its roots are ignored then.
static bool
is_joined(const compact_request_walk *w, uint32_t request, uint64_t key)
{
    return request != COMPACT_REQUEST_NONE && request_at(w, request)->key != key;
}

static void
meet_begin(compact_request_walk *w, const compact_root *root)
{
    walk_check(w);
    uint32_t found = find(w, root->key, root->ticks);
    if (is_joined(w, found, root->key)) {
        return;
    }
    compact_request *request = found == COMPACT_REQUEST_NONE ? NULL : request_at(w, found);
    if (request != NULL && !request->is_over && !request->has_root) {
        request->has_root = true; // a part began it
        request->begin = root->ticks;
        request->thread = root->thread;
        request->busy_ticks = 0;
        request->queued_ticks = 0;
        request->end = root->ticks;
        return;
    }
    if (request != NULL && !request->is_over) {
        w->losses.roots_twice++;
        give_up(w, request, root->ticks);
    }
    (void)begin(w, root->key, root->source, root->thread, root->ticks, true);
}

static void
meet_end(compact_request_walk *w, const compact_root *root)
{
    walk_check(w);
    uint32_t found = find(w, root->key, root->ticks);
    if (is_joined(w, found, root->key)) {
        return;
    }
    if (found == COMPACT_REQUEST_NONE || request_at(w, found)->is_over) {
        w->losses.ends_without_root++;
        return;
    }
    compact_request *request = request_at(w, found);
    w->losses.ends_without_root += !request->has_root;
    request->end = root->ticks > request->begin ? root->ticks : request->begin;
    request->is_over = true;
}

// find_or_begin returns the request of a part with a key that lies in no other such part.
static uint32_t
find_or_begin(compact_request_walk *w, const compact_request_part *part)
{
    uint32_t found = find(w, part->key, part->begin);
    bool is_ended = part->begin < w->input->lo && lp_map_find(&w->ended, part->key) != LP_MAP_NONE;
    if (found != COMPACT_REQUEST_NONE || is_ended || part->is_rooted) {
        return found;
    }
    return begin(w, part->key, part->source, part->thread, part->begin, false);
}

// find_before returns the request of a part that takes the thread over from another part, and joins
// the other part's request to it, unless are_two.
static uint32_t
find_before(compact_request_walk *w, const compact_request_part *part, uint32_t other)
{
    uint32_t found = find_or_begin(w, part);
    uint32_t others = compact_request_walk_final(w, w->request_of[other]);
    uint64_t key = w->input->parts[other].key;
    bool are_same = found != COMPACT_REQUEST_NONE && !is_closed(w, others, part->begin) &&
                    (request_at(w, others)->is_over || !are_two(w, key, others, found));
    return are_same ? join(w, key, others, found) : found;
}

// find_within returns the request of a part with a key that begins within another part.
static uint32_t
find_within(compact_request_walk *w, const compact_request_part *part, uint32_t other)
{
    uint32_t found = compact_request_walk_final(w, w->request_of[other]);
    if (is_closed(w, found, part->begin)) {
        return find_or_begin(w, part);
    }
    return join(w, part->key, find(w, part->key, part->begin), found);
}

void
compact_request_walk_extend(
    compact_request_walk *walk, uint32_t request, const compact_request_part *part, int64_t end)
{
    walk_check(walk);
    compact_request *r = request_at(walk, request);
    int64_t *last = &walk->last_ends.items[request];
    int64_t hi = walk->input->hi;
    r->goes_on |= end >= hi;
    end = end < hi ? end : hi;
    *last = end > *last ? end : *last;
    if (!r->is_over && !r->has_root) {
        r->begin = part->is_new && part->begin < r->begin ? part->begin : r->begin;
        r->end = *last;
    }
}

// join_also makes the further key of a part mean its request, unless the key means another one that
// is not over. Only the window in which the part is new does so; later ones get the key carried.
static void
join_also(compact_request_walk *w, const compact_request_part *part, uint32_t request)
{
    walk_check(w);
    if (part->also == 0 || !part->is_new) {
        return;
    }
    uint32_t before = find(w, part->also, part->begin);
    bool is_free = before == COMPACT_REQUEST_NONE || request_at(w, before)->is_over;
    if (is_free && compact_request_walk_meant(w, part->also) != request) {
        (void)join(w, part->also, before, request);
        lp_arena_put(w->arena, &w->further, part->also, 0);
    }
}

static void
meet_part(compact_request_walk *w, const compact_part_place *place, uint32_t index)
{
    walk_check(w);
    const compact_request_part *part = &w->input->parts[index];
    if (part->key == 0) {
        uint32_t around = compact_request_walk_final(w, w->request_of[place->other]);
        bool is_over = is_closed(w, around, part->begin);
        w->request_of[index] = is_over ? COMPACT_REQUEST_NONE : around;
        return;
    }
    uint32_t found = place->role == COMPACT_PART_FIRST    ? find_or_begin(w, part)
                     : place->role == COMPACT_PART_BEFORE ? find_before(w, part, place->other)
                                                          : find_within(w, part, place->other);
    w->request_of[index] = found;
    if (found != COMPACT_REQUEST_NONE) {
        join_also(w, part, found);
        w->was_open[index] = found < w->carried_count;
        compact_request_walk_extend(w, found, part, place->end);
    }
}

// is_met_here returns whether the request of a part depends on others with keys.
static bool
is_met_here(const compact_request_part *parts, const compact_thread_stays *stays, uint32_t part)
{
    const compact_part_place *place = &stays->places[part];
    return parts[part].key != 0 ||
           (place->role == COMPACT_PART_WITHIN && parts[place->other].key != 0);
}

// gather lists the parts and roots in the order of time.
static void
gather(const compact_requests_input *input, const compact_thread_stays *stays, lp_arena *arena,
    moments *out)
{
    if (!LP_ARENA_RESERVE(arena, out, stays->rest.count + input->root_count)) {
        return;
    }
    for (size_t i = 0; i < stays->rest.count; i++) {
        uint32_t index = stays->rest.items[i];
        const compact_request_part *part = &input->parts[index];
        if (is_met_here(input->parts, stays, index)) {
            out->items[out->count++] = (moment){part->begin, part->thread, index, MOMENT_PART};
        }
    }
    for (size_t i = 0; i < input->root_count; i++) {
        const compact_root *root = &input->roots[i];
        moment_kind kind = root->is_end ? MOMENT_END : MOMENT_BEGIN;
        if (root->ticks < input->hi) {
            out->items[out->count++] = (moment){root->ticks, root->thread, (uint32_t)i, kind};
        }
    }
    moment *spare = lp_arena_alloc(arena, out->count / 2 * sizeof(*spare), alignof(moment));
    if (spare != NULL) {
        sort_moments(out->items, out->count, spare);
    }
}

// --- The end of the window

// finish finds out whether a request is over in the window, or goes on after it.
static void
finish(compact_request_walk *w, compact_request *request)
{
    const compact_requests_input *input = w->input;
    int64_t until = input->known < input->hi ? input->known : input->hi;
    bool has_lasted = request->has_root || request->goes_on;
    bool is_done =
        request->source == COMPACT_REQUEST_NESTED || compact_request_is_late(input, request, until);
    request->is_over |= !has_lasted && is_done;
    if (!request->is_over && input->is_last) {
        if (has_lasted) {
            give_up(w, request, input->hi);
        }
        request->is_over = true;
        request->is_guessed = true;
    }
    bool is_awaited = request->has_root || !compact_request_is_late(input, request, input->known);
    request->goes_on |= !request->is_over && is_awaited;
    request->goes_on &= !input->is_last;
    if (!request->is_over && request->has_root) {
        request->end = input->hi;
    }
}

// mark_later marks the requests with parts that begin after the window as going on.
static void
mark_later(compact_request_walk *w, const compact_thread_stays *stays)
{
    walk_check(w);
    for (size_t i = 0; i < stays->later.count && !w->input->is_last; i++) {
        const compact_request_part *part = &w->input->parts[stays->later.items[i]];
        uint32_t found = find(w, part->key, part->begin);
        if (found != COMPACT_REQUEST_NONE) {
            request_at(w, found)->goes_on = true;
        }
    }
}

// --- The walk

// take_open takes the requests and the keys that the previous window carried.
static void
take_open(compact_request_walk *w, const compact_open_requests *open)
{
    walk_check(w);
    for (size_t i = 0; i < open->items.count; i++) {
        compact_request request = open->items.items[i];
        request.is_counted |= request.is_over;
        request.was_over = request.is_over;
        request.is_guessed = false;
        request.goes_on = false;
        request.is_carried = false;
        add(w, &request);
    }
    w->carried_count = w->items.count;
    for (size_t i = 0; i < open->joined.count; i++) {
        const compact_joined_key *joined = &open->joined.items[i];
        uint32_t to = joined->to == 0 ? LP_MAP_NONE : lp_map_find(&w->by_key, joined->to);
        if (joined->to == 0) {
            lp_arena_put(w->arena, &w->ended, joined->key, 0);
        } else if (to != LP_MAP_NONE) {
            lp_arena_put(w->arena, &w->by_key, joined->key, to);
            LP_ARENA_PUSH(w->arena, &w->joined_keys, joined->key);
        }
        if (to != LP_MAP_NONE && joined->is_further) {
            lp_arena_put(w->arena, &w->further, joined->key, 0);
        }
    }
}

void
compact_request_walk_begin(
    compact_request_walk *walk, const compact_requests_input *input, lp_arena *arena)
{
    compact_requests_input_check(input);
    *walk = (compact_request_walk){
        .input = input,
        .arena = arena,
        .request_of =
            lp_arena_alloc(arena, input->part_count * sizeof(uint32_t), alignof(uint32_t)),
        .was_open = LP_ARENA_ARRAY(arena, bool, input->part_count),
    };
    for (size_t i = 0; walk->request_of != NULL && i < input->part_count; i++) {
        walk->request_of[i] = COMPACT_REQUEST_NONE;
    }
    if (input->open != NULL && !arena->is_failed) {
        take_open(walk, input->open);
    }
}

static void
meet(compact_request_walk *w, const compact_thread_stays *stays, const moment *met)
{
    switch (met->kind) {
    case MOMENT_BEGIN:
        meet_begin(w, &w->input->roots[met->index]);
        break;
    case MOMENT_PART:
        meet_part(w, &stays->places[met->index], met->index);
        break;
    case MOMENT_END:
        meet_end(w, &w->input->roots[met->index]);
        break;
    }
}

static void
meet_all(compact_request_walk *w, const compact_thread_stays *stays)
{
    lp_arena arena = {0};
    moments all = {0};
    gather(w->input, stays, &arena, &all);
    lp_arena_note(w->arena, lp_arena_err(&arena));
    for (size_t i = 0; i < all.count && !w->arena->is_failed; i++) {
        meet(w, stays, &all.items[i]);
    }
    lp_arena_fini(&arena);
}

void
compact_request_walk_run(compact_request_walk *walk, const compact_thread_stays *stays)
{
    walk_check(walk);
    LP_ASSERT(walk->request_of != NULL); // it has begun
    meet_all(walk, stays);
    if (walk->arena->is_failed) {
        return;
    }
    for (size_t i = 0; i < walk->items.count; i++) {
        if (walk->joined_to.items[i] == i) {
            finish(walk, &walk->items.items[i]);
        }
    }
    mark_later(walk, stays);
}

void
compact_request_walk_fini(compact_request_walk *walk)
{
    walk_check(walk);
    lp_map_fini(&walk->by_key);
    lp_map_fini(&walk->further);
    lp_map_fini(&walk->ended);
}
