// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_requests.c
#include "common/base/lp_assert.h"
#include "common/base/lp_sort.h"
#include "engine/requests/request_steps.h"

// --- Order

// By what the parts of a thread are ordered.
typedef struct ordered_part {
    int64_t begin;
    int64_t end;
    uint32_t source;
    uint32_t index; // of the part
} ordered_part;

static inline ordered_part
order_of(const compact_request_part *parts, uint32_t index)
{
    const compact_request_part *part = &parts[index];
    return (ordered_part){part->begin, part->end, part->source, index};
}

static inline bool
is_before(const ordered_part *x, const ordered_part *y)
{
    if (x->begin != y->begin) {
        return x->begin < y->begin;
    }
    if (x->source != y->source) {
        return x->source > y->source;
    }
    return x->end != y->end ? x->end > y->end : x->index < y->index;
}

LP_SORT_DEFINE(sort_parts, ordered_part, is_before)

// A thread with parts that are met.
typedef struct met_thread {
    uint64_t identity;
    uint32_t number; // in the order in which threads are found
    size_t count;    // of its parts
} met_thread;

LP_SORT_BY(sort_threads, met_thread, x->identity < y->identity)

// The parts by thread, while they are ordered.
typedef struct grouping {
    const compact_requests_input *input;
    lp_arena arena;      // of all here; has all errors
    uint32_t *thread_of; // parallel to the parts: the thread's number; COMPACT_PART_NONE: not met
    LP_VEC(met_thread) threads;
    size_t part_count; // of all threads
    size_t largest;    // the most parts of a thread
} grouping;

// find_end finds the end of a part, which is not after its root's time. False if the part begins
// outside that time.
static bool
find_end(const compact_request_part *part, const compact_root_times *roots, int64_t *out_end)
{
    int64_t end = part->end > part->begin ? part->end : part->begin;
    *out_end = end;
    if (part->key == 0 || !part->is_rooted) {
        return true;
    }
    const compact_root_time *time = compact_root_times_at(roots, part->key, part->begin);
    if (time == NULL || part->begin > time->until) {
        return false;
    }
    *out_end = end < time->until ? end : time->until;
    return true;
}

// list_part adds a part to the lists that it belongs to. Returns whether it is met.
static bool
list_part(const compact_requests_input *input, const compact_root_times *roots, uint32_t index,
    lp_arena *arena, compact_thread_stays *out)
{
    const compact_request_part *part = &input->parts[index];
    bool is_in = find_end(part, roots, &out->places[index].end);
    if (part->begin >= input->hi) {
        if (part->key != 0) {
            LP_ARENA_PUSH(arena, &out->later, index);
        }
        return false;
    }
    if (part->end >= input->hi && (part->key == 0 || !part->is_rooted)) {
        LP_ARENA_PUSH(arena, &out->open, index);
    }
    if (!is_in) {
        LP_ARENA_PUSH(arena, &out->outside, index);
    }
    return is_in;
}

// count_parts finds the threads and how many parts each has.
static void
count_parts(
    grouping *g, const compact_root_times *roots, lp_arena *arena, compact_thread_stays *out)
{
    lp_map numbers = {0};
    uint32_t number = LP_MAP_NONE;
    for (uint32_t i = 0; i < g->input->part_count && !g->arena.is_failed; i++) {
        const compact_request_part *part = &g->input->parts[i];
        g->thread_of[i] = COMPACT_PART_NONE;
        if (!list_part(g->input, roots, i, arena, out)) {
            continue;
        }
        if (number == LP_MAP_NONE || g->threads.items[number].identity != part->thread) {
            number = lp_map_find(&numbers, part->thread); // they come in runs
        }
        if (number == LP_MAP_NONE) {
            number = (uint32_t)g->threads.count;
            lp_arena_put(&g->arena, &numbers, part->thread, number);
            LP_ARENA_PUSH(&g->arena, &g->threads, (met_thread){part->thread, number, 0});
        }
        if (!g->arena.is_failed) {
            g->thread_of[i] = number;
            g->threads.items[number].count++;
            g->part_count++;
        }
    }
    lp_map_fini(&numbers);
}

// place_threads orders the threads. Returns where the parts of each begin, by its number.
static size_t *
place_threads(grouping *g)
{
    size_t *places = LP_ARENA_ARRAY(&g->arena, size_t, g->threads.count);
    met_thread *spare = LP_ARENA_ARRAY(&g->arena, met_thread, g->threads.count / 2);
    LP_REQUIRE(spare != NULL, NULL);
    sort_threads(g->threads.items, g->threads.count, spare);
    size_t begin = 0;
    for (size_t i = 0; i < g->threads.count; i++) {
        const met_thread *thread = &g->threads.items[i];
        places[thread->number] = begin;
        begin += thread->count;
        g->largest = thread->count > g->largest ? thread->count : g->largest;
    }
    return places;
}

// place_parts fills order by thread. Returns room for one and a half times the parts of any thread;
// NULL if memory ran out.
static ordered_part *
place_parts(grouping *g, uint32_t *order)
{
    size_t *places = place_threads(g);
    size_t largest = g->largest + g->largest / 2;
    ordered_part *room = lp_arena_alloc(&g->arena, largest * sizeof(*room), alignof(ordered_part));
    for (size_t i = 0; room != NULL && i < g->input->part_count; i++) {
        if (g->thread_of[i] != COMPACT_PART_NONE) {
            order[places[g->thread_of[i]]++] = (uint32_t)i;
        }
    }
    return room;
}

// group_parts finds the threads, and fills out->order by thread. Returns as place_parts does.
static ordered_part *
group_parts(
    grouping *g, const compact_root_times *roots, lp_arena *arena, compact_thread_stays *out)
{
    out->places = LP_ARENA_ARRAY(arena, compact_part_place, g->input->part_count);
    out->order =
        lp_arena_alloc(arena, g->input->part_count * sizeof(*out->order), alignof(uint32_t));
    g->thread_of =
        lp_arena_alloc(&g->arena, g->input->part_count * sizeof(*g->thread_of), alignof(uint32_t));
    LP_REQUIRE(out->order != NULL && g->thread_of != NULL, NULL);
    count_parts(g, roots, arena, out);
    out->order_count = g->part_count;
    return place_parts(g, out->order);
}

// sort_thread orders the parts of one thread.
static void
sort_thread(const compact_request_part *parts, uint32_t *order, size_t count, ordered_part *room)
{
    for (size_t i = 0; i < count; i++) {
        room[i] = order_of(parts, order[i]);
    }
    sort_parts(room, count, room + count);
    for (size_t i = 0; i < count; i++) {
        order[i] = room[i].index;
    }
}

// --- One thread

typedef struct sweep {
    const compact_requests_input *input;
    const lp_map *ended;
    lp_arena *arena;
    compact_thread_stays *out;
    // Open parts: any number with keys, or one without.
    uint32_t open[COMPACT_REQUESTS_AT_ONCE_MAX];
    size_t open_count;
    size_t shells[COMPACT_REQUESTS_AT_ONCE_MAX]; // open shells: indexes of out->shells
    size_t shell_count;
    uint32_t part; // for which the thread works; COMPACT_PART_NONE: for none
    int64_t since; // ticks; it works for part
} sweep;

static void
sweep_check(const sweep *s)
{
    LP_ASSERT(s->open_count <= COMPACT_REQUESTS_AT_ONCE_MAX);
    LP_ASSERT(s->shell_count <= COMPACT_REQUESTS_AT_ONCE_MAX);
}

static const compact_request_part *
part_at(const sweep *s, uint32_t part)
{
    return &s->input->parts[part];
}

static int64_t
end_of(const sweep *s, uint32_t part)
{
    return s->out->places[part].end;
}

// is_first returns whether a thread works for a rather than for b, both open and with keys.
static bool
is_first(const sweep *s, uint32_t a, uint32_t b)
{
    if (part_at(s, a)->is_rooted != part_at(s, b)->is_rooted) {
        return part_at(s, a)->is_rooted;
    }
    const ordered_part x = order_of(s->input->parts, a);
    const ordered_part y = order_of(s->input->parts, b);
    return is_before(&x, &y);
}

// first_of returns the open part for which the thread works; COMPACT_PART_NONE: none.
static uint32_t
first_of(const sweep *s)
{
    uint32_t first = COMPACT_PART_NONE;
    for (size_t i = 0; i < s->open_count; i++) {
        if (first == COMPACT_PART_NONE || is_first(s, s->open[i], first)) {
            first = s->open[i];
        }
    }
    return first;
}

// work_for makes the thread work for another part from ticks on.
static void
work_for(sweep *s, uint32_t part, int64_t ticks)
{
    sweep_check(s);
    if (part == s->part) {
        return;
    }
    ticks = s->part != COMPACT_PART_NONE && ticks < s->since ? s->since : ticks;
    if (s->part != COMPACT_PART_NONE) {
        const compact_part_stay stay = {
            .thread = part_at(s, s->part)->thread,
            .begin = s->since,
            .end = ticks < s->input->hi ? ticks : s->input->hi,
            .part = s->part,
        };
        LP_ARENA_PUSH(s->arena, &s->out->items, stay);
    }
    s->part = part;
    s->since = ticks;
}

// next_end returns the first end of an open part; INT64_MAX if none ends.
static int64_t
next_end(const sweep *s)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < s->open_count; i++) {
        int64_t end = end_of(s, s->open[i]);
        next = end < next ? end : next;
    }
    return next;
}

// end_until ends the parts that end up to ticks, in the order of their ends.
static void
end_until(sweep *s, int64_t ticks)
{
    sweep_check(s);
    for (int64_t end = next_end(s); s->open_count > 0 && end <= ticks; end = next_end(s)) {
        for (size_t i = s->open_count; i-- > 0;) {
            if (end_of(s, s->open[i]) == end) {
                s->open[i] = s->open[--s->open_count];
            }
        }
        work_for(s, first_of(s), end);
    }
    for (size_t i = s->shell_count; i-- > 0;) {
        compact_part_shell *shell = &s->out->shells.items[s->shells[i]];
        if (end_of(s, shell->part) <= ticks) {
            shell->inner_end = s->out->outermost.count;
            s->shells[i] = s->shells[--s->shell_count];
        }
    }
}

// note_shell makes an open part a shell. Beyond the limit it gets no request.
static void
note_shell(sweep *s, uint32_t part)
{
    sweep_check(s);
    s->out->places[part].role = COMPACT_PART_SHELL;
    if (s->shell_count < COMPACT_REQUESTS_AT_ONCE_MAX &&
        LP_ARENA_RESERVE(s->arena, &s->out->shells, 1)) {
        size_t inner = s->out->outermost.count;
        s->shells[s->shell_count++] = s->out->shells.count;
        s->out->shells.items[s->out->shells.count++] = (compact_part_shell){part, inner, inner};
    }
}

static void
meet_keyed(sweep *s, uint32_t part)
{
    sweep_check(s);
    compact_part_place *place = &s->out->places[part];
    if (s->part != COMPACT_PART_NONE && part_at(s, s->part)->key == 0) {
        note_shell(s, s->part);
        s->open_count = 0;
    }
    uint32_t first = first_of(s);
    if (first == COMPACT_PART_NONE) {
        place->role = COMPACT_PART_FIRST;
        LP_ARENA_PUSH(s->arena, &s->out->outermost, part);
    } else {
        place->role = is_first(s, part, first) ? COMPACT_PART_BEFORE : COMPACT_PART_WITHIN;
        place->other = first & (COMPACT_PARTS_MAX - 1);
    }
    if (s->open_count < COMPACT_REQUESTS_AT_ONCE_MAX) {
        s->open[s->open_count++] = part;
    }
    work_for(s, first_of(s), part_at(s, part)->begin);
}

static void
meet_keyless(sweep *s, uint32_t part)
{
    sweep_check(s);
    compact_part_place *place = &s->out->places[part];
    const compact_request_part *met = part_at(s, part);
    if (s->part != COMPACT_PART_NONE) {
        place->role = COMPACT_PART_WITHIN;
        place->other = s->part & (COMPACT_PARTS_MAX - 1);
    } else if (met->begin < s->input->lo &&
               lp_map_find(s->ended, compact_requests_nested_key(met->thread, met->begin)) !=
                   LP_MAP_NONE) {
        note_shell(s, part);
    } else {
        place->role = COMPACT_PART_FIRST;
        s->open[s->open_count++] = part;
        work_for(s, part, met->begin);
    }
}

static void
sweep_thread(sweep *s, const uint32_t *parts, size_t count)
{
    sweep_check(s);
    s->open_count = 0;
    s->shell_count = 0;
    s->part = COMPACT_PART_NONE;
    for (size_t i = 0; i < count && !s->arena->is_failed; i++) {
        end_until(s, part_at(s, parts[i])->begin);
        (part_at(s, parts[i])->key != 0 ? meet_keyed : meet_keyless)(s, parts[i]);
    }
    end_until(s, INT64_MAX);
}

void
compact_thread_stays_find(const compact_requests_input *input, const compact_root_times *roots,
    const lp_map *ended, lp_arena *arena, compact_thread_stays *out)
{
    compact_requests_input_check(input);
    LP_ASSERT(out->items.count == 0 && out->outermost.count == 0 && out->shells.count == 0);
    grouping g = {.input = input};
    sweep s = {.input = input, .ended = ended, .arena = arena, .out = out};
    ordered_part *room = group_parts(&g, roots, arena, out);
    uint32_t *parts = out->order;
    for (size_t i = 0; room != NULL && i < g.threads.count && !arena->is_failed; i++) {
        size_t count = g.threads.items[i].count;
        sort_thread(input->parts, parts, count, room);
        sweep_thread(&s, parts, count);
        parts += count;
    }
    lp_arena_note(arena, lp_arena_err(&g.arena));
    lp_arena_fini(&g.arena);
}
