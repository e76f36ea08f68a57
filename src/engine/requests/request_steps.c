// SPDX-License-Identifier: Apache-2.0
#include "engine/requests/request_steps.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"
#include "engine/requests/requests.h"

#include <stdlib.h>

typedef struct maker {
    const compact_requests_input *input;
    compact_requests *out;
    lp_arena *arena; // of out and the walk
    lp_arena work;   // of the others here
    compact_root_times roots;
    compact_thread_stays stays;
    compact_request_walk walk;
} maker;

static bool
is_failed(const maker *m)
{
    return m->work.is_failed || m->arena->is_failed;
}

// maker_check asserts that the walk has begun, and is that of the input.
static void
maker_check(const maker *m)
{
    LP_ASSERT(m->walk.input == m->input && m->walk.arena == m->arena);
    LP_ASSERT(m->arena->is_failed || m->walk.items.count == m->walk.joined_to.count);
}

// --- Parts

// resolve_shells gives each shell the request of the parts with keys in it, if they have only one.
static void
resolve_shells(maker *m)
{
    maker_check(m);
    const uint32_t *outermost = m->stays.outermost.items;
    uint32_t *request_of = m->walk.request_of;
    // By index of outermost: the first of the run with the same request that ends here.
    size_t *same_since = LP_ARENA_ARRAY(&m->work, size_t, m->stays.outermost.count);
    if (same_since == NULL) {
        return;
    }
    for (size_t i = 1; i < m->stays.outermost.count; i++) {
        bool is_same = request_of[outermost[i]] == request_of[outermost[i - 1]];
        same_since[i] = is_same ? same_since[i - 1] : i;
    }
    for (size_t i = 0; i < m->stays.shells.count; i++) {
        const compact_part_shell *shell = &m->stays.shells.items[i];
        if (shell->inner_begin < shell->inner_end &&
            same_since[shell->inner_end - 1] <= shell->inner_begin) {
            request_of[shell->part] = request_of[outermost[shell->inner_begin]];
        }
    }
}

// is_in_shell returns whether a part is keyless and lies in a shell.
static bool
is_in_shell(const maker *m, size_t part)
{
    const compact_part_place *place = &m->stays.places[part];
    return m->input->parts[part].key == 0 && place->role == COMPACT_PART_WITHIN &&
           m->stays.places[place->other].role == COMPACT_PART_SHELL;
}

// resolve_parts replaces the request of each part by the one it was joined to.
static void
resolve_parts(maker *m)
{
    maker_check(m);
    uint32_t *request_of = m->walk.request_of;
    const uint32_t *rest = m->stays.rest.items;
    for (size_t i = 0; i < m->stays.rest.count; i++) {
        request_of[rest[i]] = compact_request_walk_final(&m->walk, request_of[rest[i]]);
    }
    resolve_shells(m);
    for (size_t i = 0; i < m->stays.rest.count; i++) {
        if (is_in_shell(m, rest[i])) {
            request_of[rest[i]] = request_of[m->stays.places[rest[i]].other];
        }
    }
}

static void
count_without_root(maker *m, const compact_request_part *part)
{
    maker_check(m);
    bool outlasts =
        part->begin < m->input->lo && lp_map_find(&m->walk.ended, part->key) != LP_MAP_NONE;
    m->walk.losses.parts_without_root += part->is_new && part->key != 0 && !outlasts;
}

static void
count_parts(maker *m)
{
    maker_check(m);
    for (size_t i = 0; i < m->stays.rest.count; i++) {
        uint32_t index = m->stays.rest.items[i];
        const compact_request_part *part = &m->input->parts[index];
        uint32_t request = m->walk.request_of[index];
        bool is_counted = part->is_new && !is_in_shell(m, index) &&
                          m->stays.places[index].role != COMPACT_PART_SHELL;
        if (request == COMPACT_REQUEST_NONE) {
            count_without_root(m, part);
            continue;
        }
        compact_request *r = &m->walk.items.items[request];
        r->part_count += is_counted && (!r->is_over || part->begin <= r->end);
        if (part->is_kept) {
            compact_request_keep(r);
        }
    }
    for (size_t i = 0; i < m->stays.outside.count; i++) {
        count_without_root(m, &m->input->parts[m->stays.outside.items[i]]);
    }
}

// --- The order of requests

typedef struct ordered_request {
    int64_t begin;
    uint64_t key;
    uint32_t index;
    bool is_gone; // it was joined to another, or is none
} ordered_request;

static inline bool
is_before(const ordered_request *x, const ordered_request *y)
{
    if (x->is_gone != y->is_gone) {
        return y->is_gone;
    }
    if (x->begin != y->begin) {
        return x->begin < y->begin;
    }
    return x->key != y->key ? x->key < y->key : x->index < y->index;
}

LP_SORT_DEFINE(sort_requests, ordered_request, is_before)

// order_requests returns the requests of the walk in their order; NULL if memory ran out.
static ordered_request *
order_requests(maker *m)
{
    const compact_request_walk *walk = &m->walk;
    size_t count = walk->items.count;
    ordered_request *order = LP_ARENA_ARRAY(&m->work, ordered_request, count);
    ordered_request *spare = LP_ARENA_ARRAY(&m->work, ordered_request, count / 2);
    LP_REQUIRE(spare != NULL, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const compact_request *request = &walk->items.items[i];
        bool is_gone = walk->joined_to.items[i] != i;
        order[i] = (ordered_request){request->begin, request->key, i, is_gone};
    }
    sort_requests(order, count, spare);
    return order;
}

// permute moves items[order[i].index] to items[i] for all i, and sets each index to i.
static void
permute(compact_request *items, ordered_request *order, size_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (order[i].index == i) {
            continue;
        }
        const compact_request first = items[i];
        uint32_t to = i;
        while (order[to].index != i) {
            uint32_t from = order[to].index;
            items[to] = items[from];
            order[to].index = to;
            to = from;
        }
        items[to] = first;
        order[to].index = to;
    }
}

// add_items takes the requests from the walk, in their order, and writes the index of each to
// place.
static void
add_items(maker *m, uint32_t *place)
{
    maker_check(m);
    ordered_request *order = order_requests(m);
    size_t count = 0;
    for (size_t i = 0; i < m->walk.items.count && order != NULL; i++) {
        place[order[i].index] = (uint32_t)i;
        count += !order[i].is_gone;
    }
    if (order != NULL) {
        permute(m->walk.items.items, order, m->walk.items.count);
        m->out->items.items = m->walk.items.items;
        m->out->items.capacity = m->walk.items.capacity;
        m->out->items.count = count;
    }
}

// add_stays adds the stays of threads for requests. If the request was open before the window, they
// begin in the window: the time before has counted.
static void
add_stays(maker *m, const uint32_t *place)
{
    maker_check(m);
    for (size_t i = 0; i < m->stays.items.count; i++) {
        const compact_part_stay *stay = &m->stays.items.items[i];
        uint32_t request = m->walk.request_of[stay->part];
        if (request == COMPACT_REQUEST_NONE ||
            m->stays.places[stay->part].role == COMPACT_PART_SHELL) {
            continue;
        }
        bool is_cut = m->walk.was_open[stay->part] && stay->begin < m->input->lo;
        compact_stay item = {
            stay->thread, is_cut ? m->input->lo : stay->begin, stay->end, place[request]};
        if (item.begin <= item.end) {
            LP_ARENA_PUSH(m->arena, &m->out->stays, item);
        }
    }
}

// merge_stays merges adjacent stays of a thread for the same request.
static void
merge_stays(compact_requests *out)
{
    size_t count = 0;
    for (size_t i = 0; i < out->stays.count; i++) {
        const compact_stay *stay = &out->stays.items[i];
        compact_stay *last = count == 0 ? NULL : &out->stays.items[count - 1];
        if (last != NULL && last->thread == stay->thread && last->request == stay->request &&
            last->end == stay->begin) {
            last->end = stay->end;
        } else {
            out->stays.items[count++] = *stay;
        }
    }
    out->stays.count = count;
}

// --- State for the next window

// limit ends a request that is over COMPACT_REQUESTS_OPEN_MAX.
static void
limit(maker *m, compact_request *request)
{
    maker_check(m);
    request->is_carried = false;
    request->goes_on = false;
    if (!request->is_over) {
        request->is_over = true;
        request->is_unended = true;
        m->out->losses.roots_without_end += request->has_root && !request->is_counted;
        m->out->losses.over_limit++;
    }
}

// mark_carried marks the requests that the next window needs, and ends the oldest if they are too
// many.
static void
mark_carried(maker *m, const uint32_t *place)
{
    maker_check(m);
    for (uint32_t i = 0; i < m->walk.items.count; i++) {
        if (m->walk.joined_to.items[i] == i) {
            compact_request *r = &m->out->items.items[place[i]];
            bool is_remembered = r->source != COMPACT_REQUEST_NESTED && !r->is_unended &&
                                 compact_request_walk_meant(&m->walk, r->key) == i &&
                                 !compact_request_is_late(m->input, r, m->input->hi);
            r->is_carried = !r->is_over || r->is_guessed || is_remembered;
        }
    }
    size_t count = 0;
    for (size_t i = m->out->items.count; i-- > 0;) {
        compact_request *r = &m->out->items.items[i];
        count += r->is_carried;
        if (count > COMPACT_REQUESTS_OPEN_MAX && r->is_carried) {
            limit(m, r);
        }
    }
}

// carried_by returns the carried request that a key means; NULL: none.
static const compact_request *
carried_by(maker *m, const uint32_t *place, uint64_t key)
{
    uint32_t found = compact_request_walk_meant(&m->walk, key);
    const compact_request *r =
        found == COMPACT_REQUEST_NONE ? NULL : &m->out->items.items[place[found]];
    return r != NULL && r->is_carried ? r : NULL;
}

static void
add_joined(maker *m, uint64_t key, uint64_t to)
{
    maker_check(m);
    const compact_root_time *time = compact_root_times_at(&m->roots, key, INT64_MAX);
    if (m->out->joined.count == COMPACT_REQUESTS_OPEN_MAX) {
        m->out->losses.over_limit++;
        return;
    }
    const compact_joined_key item = {
        .key = key,
        .to = to,
        .begin = time == NULL ? INT64_MAX : time->begin,
        .until = time == NULL ? INT64_MAX : time->until,
        .is_further = to != 0 && lp_map_find(&m->walk.further, key) != LP_MAP_NONE,
    };
    LP_ARENA_PUSH(m->arena, &m->out->joined, item);
}

LP_COMPARE(compare_keys, uint64_t, LP_ORDER(*one, *other))

// add_joined_keys adds the keys that mean carried requests with other keys.
static void
add_joined_keys(maker *m, const uint32_t *place)
{
    maker_check(m);
    const uint64_t *keys = m->walk.joined_keys.items;
    LP_QSORT(m->walk.joined_keys.items, m->walk.joined_keys.count, compare_keys);
    for (size_t i = 0; i < m->walk.joined_keys.count; i++) {
        bool is_again = i > 0 && keys[i] == keys[i - 1];
        const compact_request *to = is_again ? NULL : carried_by(m, place, keys[i]);
        if (to != NULL && to->key != keys[i]) {
            add_joined(m, keys[i], to->key);
        }
    }
}

// is_nested_on returns whether the next window gets the request that a part without a key is.
static bool
is_nested_on(const maker *m, const uint32_t *place, size_t part, uint64_t key)
{
    uint32_t found = m->walk.request_of[part];
    const compact_request *r =
        found == COMPACT_REQUEST_NONE ? NULL : &m->out->items.items[place[found]];
    return r != NULL && r->is_carried && r->key == key;
}

// add_ended adds the keys of open parts that belong to no request from the next window on.
static void
add_ended(maker *m, const uint32_t *place)
{
    maker_check(m);
    lp_map added = {0};
    for (size_t i = 0; i < m->stays.open.count && !is_failed(m); i++) {
        uint32_t index = m->stays.open.items[i];
        const compact_request_part *part = &m->input->parts[index];
        uint64_t key =
            part->key != 0 ? part->key : compact_requests_nested_key(part->thread, part->begin);
        bool is_carried =
            part->key != 0 ? carried_by(m, place, key) != NULL : is_nested_on(m, place, index, key);
        if (!is_carried && lp_map_find(&added, key) == LP_MAP_NONE) {
            lp_arena_put(m->arena, &added, key, 0);
            add_joined(m, key, 0);
        }
    }
    lp_map_fini(&added);
}

// own_texts copies the type and the attributes of a request to arena.
static void
own_texts(lp_arena *arena, compact_request *request)
{
    size_t count = request->attribute_count;
    if (count == 0 && request->type == NULL) {
        return;
    }
    compact_request_attribute *copy = LP_ARENA_ARRAY(arena, compact_request_attribute, count);
    for (size_t i = 0; i < count && copy != NULL; i++) {
        copy[i].name = lp_arena_text(arena, request->attributes[i].name);
        copy[i].text = lp_arena_copy(arena, request->attributes[i].text);
    }
    request->attributes = copy;
    request->attribute_count = copy == NULL ? 0 : count;
    request->type = request->type == NULL ? NULL : lp_arena_text(arena, request->type);
}

void
compact_requests_carry(const compact_requests *requests, compact_open_requests *out)
{
    LP_ASSERT(out->arena != NULL);
    for (size_t i = 0; i < requests->items.count; i++) {
        compact_request request = requests->items.items[i];
        if (request.is_carried) {
            own_texts(out->arena, &request);
            if (request.is_guessed) {
                request.is_over = false;
                request.is_unended = false;
                request.is_counted = true;
            }
            LP_ARENA_PUSH(out->arena, &out->items, request);
        }
    }
    for (size_t i = 0; i < requests->joined.count; i++) {
        LP_ARENA_PUSH(out->arena, &out->joined, requests->joined.items[i]);
    }
}

compact_request_counts
compact_requests_count(const compact_requests *requests)
{
    size_t local_count = requests->locals.count;
    compact_request_counts counts = {.in = requests->omitted + local_count, .out = local_count};
    for (size_t i = 0; i < requests->items.count; i++) {
        const compact_request *request = &requests->items.items[i];
        counts.in += compact_request_counts_here(request);
        counts.out += compact_request_counts_here(request) && request->is_kept;
    }
    return counts;
}

compact_request_reasons
compact_requests_count_reasons(const compact_requests *requests)
{
    compact_request_reasons reasons = {{0}, {0}};
    reasons.kept[COMPACT_REQUEST_KEPT_PARTS] = requests->locals.count;
    for (size_t i = 0; i < requests->items.count; i++) {
        const compact_request *request = &requests->items.items[i];
        if (compact_request_counts_here(request)) {
            reasons.kept[request->kept_by] += request->kept_by != COMPACT_REQUEST_KEPT_NO;
            reasons.dropped[request->dropped_by] +=
                request->dropped_by != COMPACT_REQUEST_DROPPED_NO;
        }
    }
    return reasons;
}

// --- The steps

static void
add_all(maker *m)
{
    maker_check(m);
    uint32_t *place = LP_ARENA_ARRAY(&m->work, uint32_t, m->walk.items.count);
    if (place == NULL) {
        return;
    }
    add_items(m, place);
    if (is_failed(m)) {
        return;
    }
    mark_carried(m, place);
    add_stays(m, place);
    merge_stays(m->out);
    add_joined_keys(m, place);
    add_ended(m, place);
    m->out->request_of = m->walk.request_of;
    for (size_t i = 0; i < m->input->part_count; i++) {
        uint32_t request = m->out->request_of[i];
        m->out->request_of[i] = request == COMPACT_REQUEST_NONE ? request : place[request];
    }
}

static void
run(maker *m)
{
    compact_request_walk_begin(&m->walk, m->input, m->arena);
    compact_root_times_find(m->input, &m->work, &m->roots);
    compact_thread_stays_find(m->input, &m->roots, &m->walk.ended, &m->work, &m->stays);
    if (!is_failed(m)) {
        compact_nested_requests_find(&m->stays, &m->work, &m->walk);
    }
    if (!is_failed(m)) {
        compact_request_walk_run(&m->walk, &m->stays);
    }
    if (is_failed(m)) {
        return;
    }
    resolve_parts(m);
    count_parts(m);
    m->out->losses = m->walk.losses;
    m->out->omitted = m->walk.omitted + m->input->omitted;
    add_all(m);
}

static void
add_times(const compact_requests_input *input, lp_arena *arena, compact_requests *out)
{
    compact_request_times_wait(input, arena, out);
    compact_request_times_add(input, arena, out);
    for (size_t i = 0; i < out->items.count; i++) { // input->open may end before out
        own_texts(arena, &out->items.items[i]);
    }
}

void
compact_requests_make(const compact_requests_input *input, lp_arena *arena, compact_requests *out)
{
    compact_requests_input_check(input);
    LP_ASSERT(out->items.count == 0);
    LP_ASSERT(out->stays.count == 0);
    maker m = {.input = input, .out = out, .arena = arena};
    if (input->part_count + input->root_count >= COMPACT_PARTS_MAX) {
        lp_arena_fail(arena);
        return;
    }
    run(&m);
    lp_arena_note(arena, lp_arena_err(&m.work));
    compact_request_walk_fini(&m.walk);
    lp_arena_fini(&m.work);
    if (!arena->is_failed) {
        add_times(input, arena, out);
    }
}
