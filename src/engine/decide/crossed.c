// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/decide/test_decide.c, tests/unit/engine/sample/test_throttles.c,
//          tests/prop/test_throttle_prop.c
#include "common/base/lp_assert.h"
#include "common/base/lp_prefix_sum.h"
#include "engine/contexts/order.h"
#include "engine/decide/decider.h"
#include "engine/decide/event_throttle.h"
#include "engine/sample/chance.h"

// Design notes
//
// A context is decided at its end, when all that could trigger it has been decided. It is triggered
// if the last time at which something was kept on the thread is not before its begin. So one number
// for each thread suffices, however contexts nest or overlap.
//
// If contextual events are throttled, all threads are decided together, with the events that have
// no thread. A throttle sees the events of its type in the order of their ends, on whatever thread,
// and an event that it drops triggers nothing (below).

// --- The throttles of contextual events
//
// Whether an event is offered to its throttle may depend on whether others are kept. So events are
// decided one by one. r is the room that is left in the slot, and c the number of events that are
// certain to follow in it: they need no trigger, or a plain event triggers them. An event is kept
// with the chance r / (c + 1). If all events are certain, this is a sample in which each has the
// same chance (Knuth's algorithm S). Other events take part when they are triggered.
//
// First throttle_add for each undecided contextual event in the order of decisions, then
// throttle_keep for each in the same order. Memory: 8 bytes for each event, 56 for each slot of
// each type.

// A slot of a throttle.
typedef struct span_slot {
    int64_t number;
    int64_t end_ticks;
    uint32_t throttle;
    uint32_t certain; // certain events that are not decided yet
    uint64_t room;    // once it is open: how many more it keeps
    compact_chance chance;
    bool is_open;
} span_slot;

typedef struct span_turn {
    uint32_t type : 29;
    uint32_t is_throttled : 1;
    uint32_t is_untriggered : 1; // it needs no trigger
    uint32_t is_certain : 1;
    uint32_t slot; // indexes slots; LP_MAP_NONE: this chunk does not decide its slot
} span_turn;

typedef struct span_throttle {
    compact_decider *d;
    LP_VEC(span_slot) slots;
    span_turn *turns;
    size_t count;      // of turns
    size_t next;       // indexes turns
    uint32_t *current; // by throttle: one more than the index of its last slot; 0: none
} span_throttle;

static void
span_throttle_check(const span_throttle *t)
{
    LP_ASSERT(t->d != NULL && t->next <= t->count);
}

static uint32_t
begin_slot(span_throttle *t, uint32_t throttle, int64_t commit)
{
    span_throttle_check(t);
    const compact_sampler *sampler = &t->d->throttles->items.items[throttle].sampler;
    const compact_clock *clock = &t->d->frame->clock;
    int64_t number = compact_sampler_slot(sampler, compact_clock_wall_ns(clock, commit));
    const span_slot slot = {
        .number = number,
        .end_ticks = compact_clock_ticks(clock, compact_sampler_slot_end(sampler, number)),
        .throttle = throttle,
    };
    LP_ARENA_PUSH(&t->d->arena, &t->slots, slot);
    t->current[throttle] = (uint32_t)t->slots.count;
    return (uint32_t)t->slots.count - 1;
}

// find_slot returns the index of an event's slot: the last of its throttle, or a new one.
static inline uint32_t
find_slot(span_throttle *t, uint32_t throttle, int64_t commit)
{
    uint32_t current = t->current[throttle];
    bool is_new = current == 0 || commit >= t->slots.items[current - 1].end_ticks;
    return is_new ? begin_slot(t, throttle, commit) : current - 1;
}

static inline compact_offer
offer_of(const compact_span *span, uint32_t chunk, uint32_t type)
{
    return (compact_offer){
        .commit = span->commit, .offset = span->offset, .type = type, .chunk = chunk & INT32_MAX};
}

// throttle_add adds an event. chunk is as in compact_offer; is_triggered is whether a plain event
// triggers it.
static void
throttle_add(span_throttle *throttle, const compact_span *span, uint32_t chunk, bool is_triggered)
{
    span_throttle_check(throttle);
    compact_decider *d = throttle->d;
    const compact_view *view = compact_offer_view(d, chunk);
    uint32_t type = compact_view_event(view, span->offset).type;
    uint32_t index = compact_offer_throttle(d, chunk, type);
    bool is_untriggered = view->schema->plans[type].is_kept_untriggered;
    const compact_offer offer = offer_of(span, chunk, type);
    bool is_now = index != LP_MAP_NONE && compact_event_throttle_is_now(d, &offer);
    span_turn *turn = &throttle->turns[throttle->count++];
    *turn = (span_turn){
        .type = type & ((1 << 29) - 1),
        .is_throttled = index != LP_MAP_NONE,
        .is_untriggered = is_untriggered,
        .is_certain = is_now && (is_untriggered || is_triggered),
        .slot = is_now ? find_slot(throttle, index, span->commit) : LP_MAP_NONE,
    };
    if (is_now && !d->arena.is_failed) {
        throttle->slots.items[turn->slot].certain += turn->is_certain;
    }
}

// draw returns whether a slot keeps an event.
static bool
draw(compact_decider *d, span_slot *slot, bool is_certain)
{
    compact_sampler *sampler = &d->throttles->items.items[slot->throttle].sampler;
    if (!is_certain) {
        compact_sampler_see(sampler);
    }
    uint64_t all = (uint64_t)slot->certain + 1;
    bool is_kept = slot->room >= all || compact_chance_is(&slot->chance, slot->room, all);
    slot->room -= is_kept;
    compact_sampler_take(sampler, is_kept);
    return is_kept;
}

// throttle_offer offers an event to its throttle, and returns whether that keeps it.
static bool
throttle_offer(
    span_throttle *throttle, const span_turn *turn, const compact_span *span, uint32_t chunk)
{
    span_throttle_check(throttle);
    compact_decider *d = throttle->d;
    const compact_offer offer = offer_of(span, chunk, turn->type);
    if (turn->slot == LP_MAP_NONE) {
        return compact_event_throttle_turn(d, &offer) == COMPACT_TURN_KEPT;
    }
    span_slot *slot = &throttle->slots.items[turn->slot];
    if (!slot->is_open) { // so no certain event of it was offered yet
        slot->room = compact_sampler_open_partly(&d->throttles->items.items[slot->throttle].sampler,
            slot->number, slot->certain, &slot->chance);
        slot->is_open = true;
    }
    slot->certain -= turn->is_certain;
    bool is_kept = draw(d, slot, turn->is_certain);
    compact_event_throttle_settle(d, &offer, is_kept);
    return is_kept;
}

// throttle_keep returns whether the next event is kept.
static inline bool
throttle_keep(span_throttle *throttle, const compact_span *span, uint32_t chunk, bool is_triggered)
{
    span_throttle_check(throttle);
    const span_turn *turn = &throttle->turns[throttle->next++];
    return turn->is_throttled && (is_triggered || turn->is_untriggered)
               ? throttle_offer(throttle, turn, span, chunk)
               : is_triggered;
}

// --- Entries, in the order of their ends

typedef struct found {
    int64_t last_plain; // commit of the last kept plain event up to the entry
    uint32_t thread;    // its number, LP_MAP_NONE if it has none
} found;

// What becomes an entry.
typedef struct place {
    uint32_t index; // as in compact_entry
    compact_entry_kind kind;
} place;

typedef struct sorter {
    compact_decider *d;
    place *places;          // by group; NULL while they are counted
    size_t group_count;     // a group is a thread, or all of them
    size_t *ends;           // by group: where its places end
    compact_entry *entries; // of a group, in order
    int64_t *last_kept;     // by thread, and one for events without a thread
    found *found;           // parallel to entries; NULL: each thread is a group
    span_throttle throttle;
} sorter;

static void
sorter_check(const sorter *s)
{
    compact_decider_check(s->d);
    LP_ASSERT(s->group_count == (s->d->throttles_contexts ? 1 : s->d->threads.count));
}

static inline bool
is_crossed(const sorter *s, uint32_t thread)
{
    return thread != LP_MAP_NONE && s->d->is_crossed[thread];
}

static inline void
put(sorter *s, uint32_t thread, size_t index, compact_entry_kind kind)
{
    bool is_together = s->d->throttles_contexts;
    if (!is_together && !is_crossed(s, thread)) {
        return;
    }
    size_t at = s->ends[is_together ? 0 : thread]++;
    if (s->places != NULL) {
        s->places[at] = (place){(uint32_t)index, kind};
    }
}

// put_listed puts the contextual events of threads on which contexts do not cross: throttles decide
// the listed ones, and the others are dropped.
static void
put_listed(sorter *s)
{
    const compact_decider *d = s->d;
    for (size_t i = 0; i < d->listed.count; i++) {
        uint32_t index = d->listed.items[i];
        uint32_t thread =
            compact_decider_number(d->view_threads, d->view->spans.items[index].thread);
        if (!is_crossed(s, thread)) {
            put(s, thread, index, COMPACT_ENTRY_EVENT);
        }
    }
    for (size_t i = 0; i < d->early_listed.count; i++) {
        uint32_t index = d->early_listed.items[i];
        uint32_t thread = compact_decider_number_early_span(d, index);
        if (!is_crossed(s, thread)) {
            put(s, thread, index, COMPACT_ENTRY_EVENT_AHEAD);
        }
    }
}

static void
put_spans(sorter *s)
{
    sorter_check(s);
    const compact_decider *d = s->d;
    const compact_view *view = d->view;
    put_listed(s);
    for (size_t i = 0; d->has_crossed && i < view->spans.count; i++) {
        uint32_t thread = compact_decider_number(d->view_threads, view->spans.items[i].thread);
        if (is_crossed(s, thread)) {
            put(s, thread, i, COMPACT_ENTRY_EVENT);
        }
    }
    for (size_t i = 0; d->has_crossed && i < d->early_spans.count; i++) {
        uint32_t thread = compact_decider_number_early_span(d, i);
        if (is_crossed(s, thread)) {
            put(s, thread, i, COMPACT_ENTRY_EVENT_AHEAD);
        }
    }
}

static void
put_contexts(sorter *s)
{
    sorter_check(s);
    const compact_contexts *contexts = s->d->frame->contexts;
    for (size_t i = 0; i < contexts->items.count; i++) {
        const compact_context *context = &contexts->items.items[i];
        compact_clipped clipped;
        if (compact_decider_clip(s->d, context, &clipped)) {
            put(s, compact_decider_number_context(s->d, context), i,
                clipped.is_cut ? COMPACT_ENTRY_CONTEXT_CUT : COMPACT_ENTRY_CONTEXT);
        }
    }
}

static void
put_triggers(sorter *s)
{
    const compact_carry *carry = s->d->frame->carry;
    for (size_t i = 0; carry != NULL && i < carry->triggers.count; i++) {
        uint32_t thread = lp_map_find(&s->d->threads, carry->triggers.items[i].thread);
        put(s, thread, i, COMPACT_ENTRY_TRIGGER);
    }
}

static void
put_all(sorter *s)
{
    put_spans(s);
    put_contexts(s);
    put_triggers(s);
}

// gather fills the groups. *out_largest is the size of the largest one.
static void
gather(sorter *s, size_t *out_largest)
{
    sorter_check(s);
    lp_arena *arena = &s->d->arena;
    *out_largest = 0;
    s->ends = LP_ARENA_ARRAY(arena, size_t, s->group_count);
    if (s->ends == NULL) {
        return;
    }
    put_all(s); // only counts
    for (size_t i = 0; i < s->group_count; i++) {
        *out_largest = s->ends[i] > *out_largest ? s->ends[i] : *out_largest;
    }
    size_t count = lp_prefix_sum(s->ends, s->group_count);
    s->places = lp_arena_alloc(arena, count * sizeof(*s->places), alignof(place));
    if (s->places != NULL) {
        put_all(s);
    }
}

static compact_entry
entry_of_span(const compact_span *span, const place *at)
{
    return (compact_entry){span->commit, span->begin, at->index, at->kind};
}

static compact_entry
entry_at(const compact_decider *d, const place *at)
{
    switch (at->kind) {
    case COMPACT_ENTRY_TRIGGER: {
        const compact_trigger *trigger = &d->frame->carry->triggers.items[at->index];
        return (compact_entry){trigger->commit, trigger->begin, at->index, at->kind};
    }
    case COMPACT_ENTRY_EVENT:
        return entry_of_span(&d->view->spans.items[at->index], at);
    case COMPACT_ENTRY_EVENT_AHEAD:
        return entry_of_span(compact_decider_early_span(d, at->index), at);
    case COMPACT_ENTRY_CONTEXT:
    case COMPACT_ENTRY_CONTEXT_CUT:
        break;
    }
    compact_clipped clipped;
    bool is_in = compact_decider_clip(d, &d->frame->contexts->items.items[at->index], &clipped);
    LP_ASSERT(is_in); // it was when it was put
    return (compact_entry){clipped.end, clipped.begin, at->index, at->kind};
}

// thread_of returns the number of an entry's thread, LP_MAP_NONE if it has none.
static uint32_t
thread_of(const compact_decider *d, const compact_entry *entry)
{
    switch (entry->kind) {
    case COMPACT_ENTRY_TRIGGER:
        return lp_map_find(&d->threads, d->frame->carry->triggers.items[entry->index].thread);
    case COMPACT_ENTRY_EVENT:
        return compact_decider_number(d->view_threads, d->view->spans.items[entry->index].thread);
    case COMPACT_ENTRY_EVENT_AHEAD:
        return compact_decider_number_early_span(d, entry->index);
    case COMPACT_ENTRY_CONTEXT:
    case COMPACT_ENTRY_CONTEXT_CUT:
        break;
    }
    return compact_decider_number_context(d, &d->frame->contexts->items.items[entry->index]);
}

// decide_span decides a contextual event, and returns whether it is kept. chunk is as in
// compact_offer.
static bool
decide_span(sorter *s, compact_span *span, int64_t last_kept, uint32_t chunk)
{
    if (span->fate == COMPACT_UNDECIDED) {
        bool is_kept = compact_moments_is_since(last_kept, span->begin);
        if (s->d->throttles_contexts) {
            is_kept = throttle_keep(&s->throttle, span, chunk, is_kept);
        }
        span->fate = is_kept ? COMPACT_KEPT_BY_CONTEXT : COMPACT_UNDECIDED;
    }
    return compact_span_is_kept(span);
}

// decide_entry decides an entry, and returns whether it triggers others. last_kept is that of its
// thread.
static bool
decide_entry(sorter *s, const compact_entry *entry, int64_t last_kept)
{
    compact_decider *d = s->d;
    switch (entry->kind) {
    case COMPACT_ENTRY_TRIGGER:
        return true;
    case COMPACT_ENTRY_EVENT:
        return decide_span(s, &d->view->spans.items[entry->index], last_kept, 0);
    case COMPACT_ENTRY_EVENT_AHEAD: {
        compact_span span = *compact_decider_early_span(d, entry->index); // its chunk decides again
        return decide_span(s, &span, last_kept, d->early_spans.items[entry->index].ahead + 1);
    }
    case COMPACT_ENTRY_CONTEXT:
    case COMPACT_ENTRY_CONTEXT_CUT:
        compact_decider_keep_part(d, entry->index, entry->begin, entry->commit, last_kept);
        break;
    }
    return false;
}

// end_parts calls compact_decider_end_part for the parts from first on, once all entries of the
// tick at which they end are decided.
static void
end_parts(const sorter *s, size_t first)
{
    sorter_check(s);
    const compact_decider *d = s->d;
    for (size_t i = first; i < d->parts->count; i++) {
        compact_part *part = &d->parts->items[i];
        const compact_context *context = &d->frame->contexts->items.items[part->context];
        uint32_t thread = compact_decider_number_context(d, context);
        compact_decider_end_part(d, part, s->last_kept[thread]);
    }
}

static found
find(compact_decider *d, const compact_entry *entry, uint32_t thread)
{
    bool has_thread = thread != LP_MAP_NONE;
    return (found){
        .last_plain =
            has_thread ? compact_decider_last_plain(d, thread, entry->commit) : COMPACT_NEVER,
        .thread = thread,
    };
}

static void
add_span(sorter *s, const compact_span *span, uint32_t chunk, const found *of_it)
{
    if (span->fate == COMPACT_UNDECIDED) {
        throttle_add(
            &s->throttle, span, chunk, compact_moments_is_since(of_it->last_plain, span->begin));
    }
}

// throttle_all fills s->found, and adds all contextual events to s->throttle.
static void
throttle_all(sorter *s, size_t count)
{
    sorter_check(s);
    compact_decider *d = s->d;
    s->found = lp_arena_alloc(&d->arena, count * sizeof(*s->found), alignof(found));
    s->throttle = (span_throttle){
        .d = d,
        .turns = lp_arena_alloc(&d->arena, count * sizeof(span_turn), alignof(span_turn)),
        .current = LP_ARENA_ARRAY(&d->arena, uint32_t, d->throttles->items.count),
    };
    for (size_t i = 0; i < count && !d->arena.is_failed; i++) {
        const compact_entry *entry = &s->entries[i];
        s->found[i] = find(d, entry, thread_of(d, entry));
        if (entry->kind == COMPACT_ENTRY_EVENT) {
            add_span(s, &d->view->spans.items[entry->index], 0, &s->found[i]);
        } else if (entry->kind == COMPACT_ENTRY_EVENT_AHEAD) {
            uint32_t chunk = d->early_spans.items[entry->index].ahead + 1;
            add_span(s, compact_decider_early_span(d, entry->index), chunk, &s->found[i]);
        }
    }
}

// find_alone replaces find if each thread is a group. Events of the chunk need no time of a plain
// event: those that are still undecided begin after it (decide.c), and kept ones, as triggers, end
// no earlier.
static inline found
find_alone(compact_decider *d, const compact_entry *entry, uint32_t thread)
{
    bool is_known = entry->kind == COMPACT_ENTRY_EVENT || entry->kind == COMPACT_ENTRY_TRIGGER;
    return is_known ? (found){COMPACT_NEVER, thread} : find(d, entry, thread);
}

static void
decide_group(sorter *s, uint32_t group, const compact_entry *entry, const compact_entry *end)
{
    sorter_check(s);
    compact_decider *d = s->d;
    size_t first_part = d->parts->count; // the first that ends at the tick of entry
    for (; entry < end; entry++) {
        LP_DEBUG_ASSERT(entry + 1 == end || entry[1].commit >= entry->commit);
        const found of_it =
            s->found != NULL ? s->found[entry - s->entries] : find_alone(d, entry, group);
        bool has_thread = of_it.thread != LP_MAP_NONE;
        int64_t *last_kept = &s->last_kept[has_thread ? of_it.thread : d->threads.count];
        *last_kept = of_it.last_plain > *last_kept ? of_it.last_plain : *last_kept;
        bool is_kept = decide_entry(s, entry, *last_kept);
        if (has_thread && is_kept && entry->commit > *last_kept) {
            *last_kept = entry->commit;
        }
        bool is_last = entry + 1 == end || entry[1].commit != entry->commit;
        if (is_last && first_part < d->parts->count) {
            end_parts(s, first_part);
            first_part = d->parts->count;
        }
    }
}

static void
start_threads(sorter *s)
{
    size_t count = s->d->threads.count + 1;
    s->last_kept = LP_ARENA_ARRAY(&s->d->arena, int64_t, count);
    for (size_t i = 0; s->last_kept != NULL && i < count; i++) {
        s->last_kept[i] = COMPACT_NEVER;
    }
}

void
compact_crossed_decide(compact_decider *d)
{
    compact_decider_check(d);
    sorter s = {.d = d, .group_count = d->throttles_contexts ? 1 : d->threads.count};
    size_t largest;
    gather(&s, &largest);
    start_threads(&s);
    s.entries = lp_arena_alloc(&d->arena, largest * sizeof(*s.entries), alignof(compact_entry));
    compact_entry *spare =
        lp_arena_alloc(&d->arena, largest / 2 * sizeof(*spare), alignof(compact_entry));
    size_t begin = 0;
    for (uint32_t i = 0; i < s.group_count && !d->arena.is_failed; i++) {
        size_t count = s.ends[i] - begin;
        for (size_t k = 0; k < count; k++) {
            s.entries[k] = entry_at(d, &s.places[begin + k]);
        }
        compact_order_sort(s.entries, count, spare);
        if (d->throttles_contexts) {
            throttle_all(&s, count);
        }
        if (!d->arena.is_failed) {
            decide_group(&s, i, s.entries, s.entries + count);
        }
        begin = s.ends[i];
    }
}
