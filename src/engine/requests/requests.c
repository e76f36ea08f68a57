// SPDX-License-Identifier: Apache-2.0
#include "engine/requests/requests.h"

#include "common/base/lp_hash.h"
#include "common/base/lp_map.h"
#include "engine/requests/request_keys.h"
#include "engine/requests/request_times.h"
#include "engine/requests/thread_stays.h"

#include <stdlib.h>
#include <string.h>

// What is known of a key, in the order of time.
typedef enum moment_kind {
    MOMENT_BEGIN, // a root
    MOMENT_STAY,
    MOMENT_END, // of a root
} moment_kind;

typedef struct moment {
    int64_t begin;
    int64_t end; // of a stay
    uint64_t thread;
    uint32_t key;  // final
    uint32_t stay; // index, of a stay
    moment_kind kind;
    bool goes_on;
} moment;

typedef struct maker {
    const compact_requests_input *input;
    compact_requests *out;
    lp_arena *arena;
    compact_request_keys keys;
    compact_key_stays stays;
    LP_VEC(moment) moments;
    uint32_t *carried;  // by key: 1 + index in input->open, 0: none
    uint32_t *first_of; // by key: the first of its requests in out; the others follow
    uint32_t *count_of; // by key: how many it has
    uint32_t *stay_of;  // by stay: its request
    uint32_t current;   // request of the key whose moments are met, COMPACT_REQUEST_NONE: none yet
} maker;

// --- What is met of a key

// take_open adds the keys of the requests that the window before has left open.
static void
take_open(maker *m)
{
    const compact_open_requests *open = m->input->open;
    for (size_t i = 0; open != NULL && i < open->items.count; i++) {
        const compact_request *request = &open->items.items[i];
        uint32_t key =
            compact_request_keys_add(&m->keys, request->key, request->source, request->has_root);
        if (key != COMPACT_KEY_NONE) {
            m->keys.items.items[key].is_carried = true;
        }
    }
    for (size_t i = 0; open != NULL && i < open->joined.count; i++) {
        const compact_joined_key *joined = &open->joined.items[i];
        uint32_t from =
            compact_request_keys_add(&m->keys, joined->key, COMPACT_REQUEST_NESTED, false);
        if (from == COMPACT_KEY_NONE) {
            return;
        }
        if (joined->to == 0) {
            m->keys.items.items[from].is_dissolved = true;
            continue;
        }
        uint32_t to = compact_request_keys_add(&m->keys, joined->to, COMPACT_REQUEST_NESTED, false);
        if (to != COMPACT_KEY_NONE) {
            compact_request_keys_join(&m->keys, INT64_MIN, from, to);
        }
    }
}

static void
add_moments(maker *m)
{
    for (size_t i = 0; i < m->stays.items.count; i++) {
        const compact_key_stay *stay = &m->stays.items.items[i];
        const moment item = {
            .begin = stay->begin,
            .end = stay->end,
            .thread = stay->thread,
            .key = compact_request_keys_final(&m->keys, stay->key),
            .stay = (uint32_t)i,
            .kind = MOMENT_STAY,
            .goes_on = stay->goes_on,
        };
        bool is_dissolved = m->keys.items.items[stay->key].is_dissolved;
        if (!is_dissolved && item.key != COMPACT_KEY_NONE) {
            LP_ARENA_PUSH(m->arena, &m->moments, item);
        }
    }
    for (size_t i = 0; i < m->input->root_count; i++) {
        const compact_root *root = &m->input->roots[i];
        uint32_t key = lp_map_find(&m->keys.by_key, root->key);
        bool is_joined = key != LP_MAP_NONE && m->keys.items.items[key].joined != COMPACT_KEY_NONE;
        const moment item = {
            .begin = root->ticks,
            .end = root->ticks,
            .thread = root->thread,
            .key = key,
            .kind = root->is_end ? MOMENT_END : MOMENT_BEGIN,
        };
        if (!is_joined && key != LP_MAP_NONE) { // else it is no request, or memory ran out
            LP_ARENA_PUSH(m->arena, &m->moments, item);
        }
    }
}

static int
compare_moments(const void *a, const void *b)
{
    const moment *x = a;
    const moment *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    return x->thread != y->thread ? (x->thread < y->thread ? -1 : 1)
                                  : (x->stay > y->stay) - (x->stay < y->stay);
}

// --- The requests of one key

static compact_request *
current_of(const maker *m)
{
    return m->current == COMPACT_REQUEST_NONE ? NULL : &m->out->items.items[m->current];
}

// add adds a request of a key, and makes it the current one.
static compact_request *
add(maker *m, uint32_t key, const compact_request *request)
{
    if (!LP_ARENA_RESERVE(m->arena, &m->out->items, 1)) {
        return NULL;
    }
    m->current = (uint32_t)m->out->items.count;
    m->out->items.items[m->out->items.count++] = *request;
    if (m->count_of[key]++ == 0) {
        m->first_of[key] = m->current;
    }
    return &m->out->items.items[m->current];
}

// begin begins a request of a key.
static compact_request *
begin(maker *m, const moment *first)
{
    const compact_request_key *key = &m->keys.items.items[first->key];
    bool is_again = m->current != COMPACT_REQUEST_NONE;
    m->out->losses.reopened += is_again && first->kind == MOMENT_STAY;
    const compact_request request = {
        .key = key->key,
        .id = is_again ? lp_hash_number(LP_HASH_FIXED_NUMBER, key->key ^ (uint64_t)first->begin)
                       : key->key,
        .thread = first->thread,
        .begin = first->begin,
        .end = first->begin,
        .worked_until = first->begin,
        .source = key->source,
        .has_root = first->kind == MOMENT_BEGIN,
    };
    return add(m, first->key, &request);
}

// give_up ends a request that has not ended.
static void
give_up(maker *m, compact_request *request, int64_t ticks)
{
    request->is_over = true;
    request->is_unended = true;
    request->end = request->has_root && ticks > request->end ? ticks : request->end;
    m->out->losses.roots_without_end += request->has_root;
}

// has_lingered returns whether a time is too late for a request that ended, or was last worked for,
// before.
static bool
has_lingered(const maker *m, const compact_request *request, int64_t ticks)
{
    if (request->source == COMPACT_REQUEST_NESTED) {
        return ticks > request->end;
    }
    int64_t last;
    return !__builtin_add_overflow(request->end, m->input->linger_ticks, &last) && ticks > last;
}

static void
meet_begin(maker *m, const moment *root)
{
    compact_request *request = current_of(m);
    if (request != NULL && !request->is_over && !request->has_root &&
        !has_lingered(m, request, root->begin)) {
        request->has_root = true; // a part came first
        request->begin = root->begin;
        request->thread = root->thread;
        request->busy_ticks = 0;
        request->queued_ticks = 0;
        request->end = request->end > root->begin ? request->end : root->begin;
        return;
    }
    if (request != NULL && !request->is_over) {
        m->out->losses.roots_twice += request->has_root;
        if (request->has_root) {
            give_up(m, request, root->begin);
        } else {
            request->is_over = true;
        }
    }
    (void)begin(m, root);
}

static void
meet_end(maker *m, const moment *root)
{
    compact_request *request = current_of(m);
    if (request == NULL || request->is_over ||
        (!request->has_root && has_lingered(m, request, root->begin))) {
        m->out->losses.ends_without_root++;
        return;
    }
    m->out->losses.ends_without_root += !request->has_root;
    request->end = root->begin;
    request->is_over = true;
}

static void
meet_stay(maker *m, const moment *stay)
{
    compact_request *request = current_of(m);
    bool is_late = request != NULL && (request->is_over || !request->has_root) &&
                   has_lingered(m, request, stay->begin);
    if (request == NULL || is_late) {
        if (m->keys.items.items[stay->key].is_rooted) {
            m->stay_of[stay->stay] = COMPACT_REQUEST_NONE;
            return;
        }
        if (request != NULL) {
            request->is_over = true;
        }
        request = begin(m, stay);
        if (request == NULL) {
            return;
        }
    }
    m->stay_of[stay->stay] = m->current;
    request->goes_on |= stay->goes_on;
    if (!request->is_over && !request->has_root && stay->end > request->end) {
        request->end = stay->end;
    }
}

// finish finds out whether the last request of a key is over in the window.
static void
finish(maker *m, uint32_t key)
{
    compact_request *request = current_of(m);
    if (request == NULL) {
        return;
    }
    bool has_lasted = request->has_root || request->goes_on;
    bool is_done =
        request->source == COMPACT_REQUEST_NESTED || has_lingered(m, request, m->input->hi);
    request->is_over |= !has_lasted && is_done;
    if (!request->is_over && m->input->is_last) {
        if (has_lasted) {
            give_up(m, request, m->input->hi);
        }
        request->is_over = true;
    }
    bool is_later_known = m->keys.items.items[key].goes_on;
    request->goes_on |= is_later_known || (!request->is_over && request->has_root) ||
                        (!request->is_over && !has_lingered(m, request, m->input->known));
    request->goes_on &= !m->input->is_last;
    if (!request->is_over && request->has_root) {
        request->end = m->input->hi;
    }
}

// fold adds what a request that was open before is joined to.
static void
fold(compact_request *into, const compact_request *from)
{
    if (!into->has_root) {
        into->begin = from->begin < into->begin ? from->begin : into->begin;
        into->end = from->end > into->end ? from->end : into->end;
    }
    into->busy_ticks += from->busy_ticks;
    into->queued_ticks += from->queued_ticks;
    into->part_count += from->part_count;
    into->is_kept |= from->is_kept;
}

// take_carried makes the request current that the window before has left for a key.
static void
take_carried(maker *m, uint32_t key)
{
    m->current = COMPACT_REQUEST_NONE;
    if (m->carried[key] == 0) {
        return;
    }
    compact_request request = m->input->open->items.items[m->carried[key] - 1];
    request.is_counted = request.is_over;
    request.goes_on = false;
    (void)add(m, key, &request);
}

static void
find_carried(maker *m)
{
    const compact_open_requests *open = m->input->open;
    for (size_t i = 0; open != NULL && i < open->items.count; i++) {
        uint32_t key = lp_map_find(&m->keys.by_key, open->items.items[i].key);
        if (key != LP_MAP_NONE) {
            m->carried[key] = (uint32_t)i + 1;
        }
    }
}

// make_all makes the requests of all keys.
static void
make_all(maker *m)
{
    if (m->moments.count > 0) {
        qsort(m->moments.items, m->moments.count, sizeof(*m->moments.items), compare_moments);
    }
    size_t next = 0;
    for (uint32_t key = 0; key < m->keys.items.count && !m->arena->is_failed; key++) {
        const compact_request_key *known = &m->keys.items.items[key];
        bool is_own = known->joined == COMPACT_KEY_NONE && !known->is_dissolved;
        m->current = COMPACT_REQUEST_NONE;
        if (is_own) {
            take_carried(m, key);
        }
        for (; next < m->moments.count && m->moments.items[next].key == key; next++) {
            const moment *item = &m->moments.items[next];
            switch (item->kind) {
            case MOMENT_BEGIN:
                meet_begin(m, item);
                break;
            case MOMENT_STAY:
                meet_stay(m, item);
                break;
            case MOMENT_END:
                meet_end(m, item);
                break;
            }
        }
        finish(m, key);
    }
}

// fold_joined adds the open requests whose keys were joined to others in this window.
static void
fold_joined(maker *m)
{
    for (uint32_t key = 0; key < m->keys.items.count; key++) {
        uint32_t to = m->keys.items.items[key].joined;
        if (m->carried[key] == 0 || to == COMPACT_KEY_NONE || m->count_of[to] == 0) {
            continue;
        }
        const compact_request *from = &m->input->open->items.items[m->carried[key] - 1];
        if (!from->is_over) {
            fold(&m->out->items.items[m->first_of[to]], from);
        }
    }
}

// --- The order of requests

static int
compare_requests(const void *a, const void *b, void *context)
{
    const compact_request *items = context;
    const compact_request *x = &items[*(const uint32_t *)a];
    const compact_request *y = &items[*(const uint32_t *)b];
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return x->id != y->id ? (x->id < y->id ? -1 : 1)
                          : (*(const uint32_t *)a > *(const uint32_t *)b) -
                                (*(const uint32_t *)a < *(const uint32_t *)b);
}

// request_at returns the request of a key to which a part belongs that begins at a time.
static uint32_t
request_at(const maker *m, uint32_t key, int64_t ticks)
{
    if (key == COMPACT_KEY_NONE || m->count_of[key] == 0) {
        return COMPACT_REQUEST_NONE;
    }
    const compact_request *items = m->out->items.items;
    uint32_t found = m->first_of[key];
    uint32_t end = found + m->count_of[key]; // the last that begins up to ticks lies before it
    while (end - found > 1) {
        uint32_t middle = found + (end - found) / 2;
        bool is_up_to = items[middle].begin <= ticks;
        found = is_up_to ? middle : found;
        end = is_up_to ? end : middle;
    }
    bool is_late = items[found].is_over && has_lingered(m, &items[found], ticks) &&
                   items[found].source != COMPACT_REQUEST_NESTED;
    return is_late ? COMPACT_REQUEST_NONE : found;
}

// find_parts finds the request of each part.
static void
find_parts(maker *m)
{
    for (size_t i = 0; i < m->input->part_count; i++) {
        const compact_request_part *part = &m->input->parts[i];
        uint32_t key = compact_request_keys_final(&m->keys, m->stays.key_of[i]);
        uint32_t request = request_at(m, key, part->begin);
        m->out->request_of[i] = request;
        m->out->losses.parts_without_root += request == COMPACT_REQUEST_NONE && part->key != 0 &&
                                             part->begin < m->input->hi && part->is_new;
        if (request != COMPACT_REQUEST_NONE && part->is_new) {
            compact_request *found = &m->out->items.items[request];
            found->part_count += !found->is_over || part->begin <= found->end;
        }
    }
}

// limit ends the requests that are too many to be left open.
static void
limit(maker *m, const uint32_t *order)
{
    size_t open = 0;
    for (size_t i = m->out->items.count; i-- > 0;) {
        compact_request *request = &m->out->items.items[order[i]];
        bool is_left = !request->is_over || !has_lingered(m, request, m->input->hi);
        if (is_left && ++open > COMPACT_REQUESTS_OPEN_MAX && !request->is_over) {
            give_up(m, request, m->input->hi);
            request->goes_on = false;
            m->out->losses.over_limit++;
        }
    }
}

// sort sorts the requests, and names them anew.
static void
sort(maker *m)
{
    size_t count = m->out->items.count;
    uint32_t *order = LP_ARENA_ARRAY(m->arena, uint32_t, count + 1);
    uint32_t *place = LP_ARENA_ARRAY(m->arena, uint32_t, count + 1);
    compact_request *sorted = LP_ARENA_ARRAY(m->arena, compact_request, count + 1);
    if (sorted == NULL || count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    qsort_r(order, count, sizeof(*order), compare_requests, m->out->items.items);
    limit(m, order);
    for (size_t i = 0; i < count; i++) {
        place[order[i]] = (uint32_t)i;
        sorted[i] = m->out->items.items[order[i]];
    }
    memcpy(m->out->items.items, sorted, count * sizeof(*sorted));
    for (size_t i = 0; i < m->input->part_count; i++) {
        uint32_t *request = &m->out->request_of[i];
        *request = *request == COMPACT_REQUEST_NONE ? *request : place[*request];
    }
    for (size_t i = 0; i < m->stays.items.count; i++) {
        const compact_key_stay *stay = &m->stays.items.items[i];
        if (m->stay_of[i] != COMPACT_REQUEST_NONE) {
            const compact_stay item = {stay->thread, stay->begin, stay->end, place[m->stay_of[i]]};
            LP_ARENA_PUSH(m->arena, &m->out->stays, item);
        }
    }
}

static int
compare_stays(const void *a, const void *b)
{
    const compact_stay *x = a;
    const compact_stay *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return (x->end > y->end) - (x->end < y->end);
}

// --- What the next window has to know

// is_carried returns whether a request may still have parts behind the window.
static bool
is_carried(const maker *m, const compact_request *request)
{
    bool is_remembered = request->is_over && request->has_root && !request->is_unended &&
                         !has_lingered(m, request, m->input->hi);
    return !m->input->is_last && (!request->is_over || is_remembered);
}

static void
add_joined(maker *m, uint64_t key, uint64_t to)
{
    if (m->out->joined.count == COMPACT_REQUESTS_OPEN_MAX) {
        m->out->losses.over_limit++;
        return;
    }
    LP_ARENA_PUSH(m->arena, &m->out->joined, (compact_joined_key){key, to});
}

// find_joined finds the keys that mean requests that are carried, and those that mean none.
static void
find_joined(maker *m)
{
    const compact_request_key *keys = m->keys.items.items;
    for (size_t i = 0; i < m->keys.items.count; i++) {
        uint32_t to = keys[i].joined;
        if (keys[i].is_dissolved || to == COMPACT_KEY_NONE || m->count_of[to] == 0) {
            continue;
        }
        uint32_t last = m->first_of[to] + m->count_of[to] - 1;
        if (is_carried(m, &m->out->items.items[last])) {
            add_joined(m, keys[i].key, keys[to].key);
        }
    }
    for (size_t i = 0; i < m->input->part_count; i++) {
        const compact_request_part *part = &m->input->parts[i];
        uint32_t key = m->stays.key_of[i];
        bool is_open = part->key == 0 && part->end >= m->input->hi && part->begin < m->input->hi;
        if (is_open && key != COMPACT_KEY_NONE && keys[key].is_dissolved) {
            add_joined(m, keys[key].key, 0);
        }
    }
}

// carry_attributes has a request own its attributes.
static void
carry_attributes(lp_arena *arena, compact_request *request)
{
    size_t count = request->attribute_count;
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
compact_requests_carry(const compact_requests_input *input, const compact_requests *requests,
    compact_open_requests *out)
{
    const maker m = {.input = input};
    for (size_t i = 0; i < requests->items.count; i++) {
        compact_request request = requests->items.items[i];
        if (is_carried(&m, &request)) {
            carry_attributes(out->arena, &request);
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
    compact_request_counts counts = {0};
    for (size_t i = 0; i < requests->items.count; i++) {
        const compact_request *request = &requests->items.items[i];
        counts.in += compact_request_counts_here(request);
        counts.out += compact_request_counts_here(request) && request->is_kept;
    }
    return counts;
}

// --- All of it

static void
run(maker *m)
{
    const compact_requests_input *input = m->input;
    take_open(m);
    for (size_t i = 0; i < input->root_count; i++) {
        (void)compact_request_keys_add(&m->keys, input->roots[i].key, input->roots[i].source, true);
    }
    compact_thread_stays_find(input, &m->keys, &m->stays);
    compact_request_keys_resolve(&m->keys);
    m->carried = LP_ARENA_ARRAY(m->arena, uint32_t, m->keys.items.count);
    m->first_of = LP_ARENA_ARRAY(m->arena, uint32_t, m->keys.items.count);
    m->count_of = LP_ARENA_ARRAY(m->arena, uint32_t, m->keys.items.count);
    m->stay_of = LP_ARENA_ARRAY(m->arena, uint32_t, m->stays.items.count);
    m->out->request_of = LP_ARENA_ARRAY(m->arena, uint32_t, input->part_count);
    if (m->arena->is_failed) {
        return;
    }
    memset(m->stay_of, 0xff, m->stays.items.count * sizeof(*m->stay_of));
    find_carried(m);
    add_moments(m);
    make_all(m);
    if (m->arena->is_failed) {
        return;
    }
    fold_joined(m);
    find_parts(m);
    find_joined(m);
    sort(m);
    if (m->out->stays.count > 0) {
        qsort(
            m->out->stays.items, m->out->stays.count, sizeof(*m->out->stays.items), compare_stays);
    }
    compact_request_times_wait(input, m->arena, m->out);
    compact_request_times_add(input, m->arena, m->out);
}

void
compact_requests_make(const compact_requests_input *input, lp_arena *arena, compact_requests *out)
{
    maker m = {.input = input, .out = out, .arena = arena, .keys = {.arena = arena}};
    run(&m);
    compact_request_keys_fini(&m.keys);
}
