// SPDX-License-Identifier: Apache-2.0
#include "engine/requests/thread_stays.h"

#include <stdlib.h>
#include <string.h>

// A part that is open on the thread. Of those without a key only one is: the request itself.
typedef struct open_part {
    int64_t begin;
    int64_t end;
    uint32_t key;
    compact_request_source source;
    bool is_rooted;
} open_part;

// One thread, whose parts are met in the order of their begin.
typedef struct sweep {
    const compact_requests_input *input;
    compact_request_keys *keys;
    compact_key_stays *out;
    uint64_t thread;
    open_part open[COMPACT_REQUESTS_AT_ONCE_MAX];
    size_t open_count;
    // Parts without a key that are open and no requests, as parts with keys began in them.
    open_part dissolved[COMPACT_REQUESTS_AT_ONCE_MAX];
    size_t dissolved_count;
    uint32_t key; // for which the thread works; COMPACT_KEY_NONE: for none
    int64_t since;
} sweep;

// --- Order

// compare_parts compares indexes of parts by when they are met: of those that begin at one time the
// one of the later source is first, then the longer one.
static int
compare_parts(const void *a, const void *b, void *context)
{
    const compact_request_part *parts = ((const compact_requests_input *)context)->parts;
    uint32_t i = *(const uint32_t *)a;
    uint32_t k = *(const uint32_t *)b;
    const compact_request_part *x = &parts[i];
    const compact_request_part *y = &parts[k];
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if (x->source != y->source) {
        return x->source > y->source ? -1 : 1;
    }
    if (x->end != y->end) {
        return x->end > y->end ? -1 : 1;
    }
    return i < k ? -1 : 1;
}

// The parts of each thread, in the order in which they are met.
typedef struct ordered {
    uint32_t *parts;
    size_t *ends; // by number of the thread
    uint64_t *threads;
    size_t thread_count;
} ordered;

static uint32_t
number_thread(lp_arena *arena, lp_map *numbers, uint64_t thread)
{
    uint32_t number = lp_map_find(numbers, thread);
    if (number == LP_MAP_NONE) {
        number = (uint32_t)numbers->count;
        lp_arena_put(arena, numbers, thread, number);
    }
    return number;
}

// begins_in_window returns whether a part begins before the window ends; the others are known
// already, but belong to the next.
static bool
begins_in_window(const compact_requests_input *input, size_t part)
{
    return input->parts[part].begin < input->hi;
}

static void
sort_thread(const compact_requests_input *input, uint32_t *parts, size_t count)
{
    compact_requests_input by = *input;
    size_t i = 1;
    while (i < count && compare_parts(&parts[i - 1], &parts[i], &by) < 0) {
        i++;
    }
    if (i < count) { // most come in order
        qsort_r(parts, count, sizeof(*parts), compare_parts, &by);
    }
}

static void
order_parts(const compact_requests_input *input, lp_arena *arena, ordered *out)
{
    lp_map numbers = {0};
    uint32_t *thread_of = LP_ARENA_ARRAY(arena, uint32_t, input->part_count);
    for (size_t i = 0; thread_of != NULL && i < input->part_count; i++) {
        if (begins_in_window(input, i)) {
            thread_of[i] = number_thread(arena, &numbers, input->parts[i].thread);
        }
    }
    out->thread_count = numbers.count;
    out->parts = LP_ARENA_ARRAY(arena, uint32_t, input->part_count);
    out->ends = LP_ARENA_ARRAY(arena, size_t, numbers.count + 1);
    out->threads = LP_ARENA_ARRAY(arena, uint64_t, numbers.count);
    lp_map_fini(&numbers);
    if (arena->is_failed) {
        return;
    }
    for (size_t i = 0; i < input->part_count; i++) {
        if (begins_in_window(input, i)) {
            out->ends[thread_of[i] + 1]++;
            out->threads[thread_of[i]] = input->parts[i].thread;
        }
    }
    for (size_t i = 0; i < out->thread_count; i++) {
        out->ends[i + 1] += out->ends[i];
    }
    for (size_t i = 0; i < input->part_count; i++) { // ends[i] moves from its begin to its end
        if (begins_in_window(input, i)) {
            out->parts[out->ends[thread_of[i]]++] = (uint32_t)i;
        }
    }
    size_t begin = 0;
    for (size_t i = 0; i < out->thread_count; i++) {
        sort_thread(input, &out->parts[begin], out->ends[i] - begin);
        begin = out->ends[i];
    }
}

// --- One thread

// is_first returns whether a thread works for a and not for b, if both are open.
static bool
is_first(const open_part *a, const open_part *b)
{
    bool a_has_key = a->source != COMPACT_REQUEST_NESTED;
    bool b_has_key = b->source != COMPACT_REQUEST_NESTED;
    if (a_has_key != b_has_key) {
        return a_has_key;
    }
    if (a->is_rooted != b->is_rooted) {
        return a->is_rooted;
    }
    return a->begin != b->begin ? a->begin < b->begin : a->source > b->source;
}

// first_of returns the open part for which the thread works; NULL: for none.
static const open_part *
first_of(const sweep *s)
{
    const open_part *first = NULL;
    for (size_t i = 0; i < s->open_count; i++) {
        if (first == NULL || is_first(&s->open[i], first)) {
            first = &s->open[i];
        }
    }
    return first;
}

// work_for has the thread work for another key from a time on.
static void
work_for(sweep *s, uint32_t key, int64_t ticks)
{
    if (key == s->key) {
        return;
    }
    if (s->key != COMPACT_KEY_NONE) {
        ticks = ticks > s->since ? ticks : s->since;
        const compact_key_stay stay = {
            .thread = s->thread,
            .begin = s->since,
            .end = ticks < s->input->hi ? ticks : s->input->hi,
            .key = s->key,
            .goes_on = ticks >= s->input->hi,
        };
        LP_ARENA_PUSH(s->keys->arena, &s->out->items, stay);
    }
    s->key = key;
    s->since = ticks;
}

static void
work_for_first(sweep *s, int64_t ticks)
{
    const open_part *first = first_of(s);
    work_for(s, first == NULL ? (uint32_t)COMPACT_KEY_NONE : first->key, ticks);
}

// end_until ends the parts that end up to a time, in the order of their ends.
static void
end_until(sweep *s, int64_t ticks)
{
    for (;;) {
        size_t next = s->open_count;
        for (size_t i = 0; i < s->open_count; i++) {
            bool is_over = s->open[i].end <= ticks;
            if (is_over && (next == s->open_count || s->open[i].end < s->open[next].end)) {
                next = i;
            }
        }
        if (next == s->open_count) {
            return;
        }
        int64_t end = s->open[next].end;
        s->open[next] = s->open[--s->open_count];
        work_for_first(s, end);
    }
}

// note_dissolved notes a part that is open and no request. Beyond the limit those that it lies
// around belong to none.
static void
note_dissolved(sweep *s, const open_part *part)
{
    if (s->dissolved_count < COMPACT_REQUESTS_AT_ONCE_MAX) {
        s->dissolved[s->dissolved_count++] = *part;
    }
}

// dissolve has the part without a key be no request, if one is: a part with a key begins in it.
static void
dissolve(sweep *s)
{
    for (size_t i = 0; i < s->open_count; i++) {
        if (s->open[i].source == COMPACT_REQUEST_NESTED) {
            s->keys->items.items[s->open[i].key].is_dissolved = true;
            note_dissolved(s, &s->open[i]);
            s->open[i] = s->open[--s->open_count];
            return;
        }
    }
}

// note_inner notes, for parts that are no requests, that a part with a key begins in them.
static void
note_inner(sweep *s, uint32_t key, int64_t ticks)
{
    for (size_t i = s->dissolved_count; i-- > 0;) {
        if (s->dissolved[i].end <= ticks) {
            s->dissolved[i] = s->dissolved[--s->dissolved_count];
            continue;
        }
        compact_request_key *outer = &s->keys->items.items[s->dissolved[i].key];
        outer->inner = outer->has_inner && outer->inner != key ? (uint32_t)COMPACT_KEY_NONE : key;
        outer->has_inner = true;
    }
}

// open_keyed opens a part with a key.
static void
open_keyed(sweep *s, const open_part *part, int64_t ticks)
{
    dissolve(s);
    note_inner(s, part->key, ticks);
    const open_part *first = first_of(s);
    if (first != NULL) {
        bool is_better = is_first(part, first);
        compact_request_keys_join(s->keys, part->begin, is_better ? first->key : part->key,
            is_better ? part->key : first->key);
    }
    if (s->open_count < COMPACT_REQUESTS_AT_ONCE_MAX) {
        s->open[s->open_count++] = *part;
    }
    work_for_first(s, ticks);
}

// open_nested opens a part without a key that is a request, unless a part with a key has begun in
// it in an earlier window.
static void
open_nested(sweep *s, const open_part *part, int64_t ticks)
{
    if (s->keys->items.items[part->key].is_dissolved) {
        note_dissolved(s, part);
        return;
    }
    s->open[s->open_count++] = *part;
    work_for(s, part->key, ticks);
}

// begin_of returns from when on a part counts in the window. One that is new may have begun before
// it: an event is stored when it ends. If its request was open before, that time has counted.
static int64_t
begin_of(const sweep *s, const compact_request_part *part, uint32_t key)
{
    bool is_whole = part->is_new && !s->keys->items.items[key].is_carried;
    return is_whole || part->begin > s->input->lo ? part->begin : s->input->lo;
}

static void
meet(sweep *s, uint32_t index)
{
    const compact_request_part *part = &s->input->parts[index];
    end_until(s, part->begin);
    open_part opened = {part->begin, part->end, COMPACT_KEY_NONE, part->source, part->is_rooted};
    if (part->key != 0) {
        opened.key = compact_request_keys_add(s->keys, part->key, part->source, part->is_rooted);
        if (opened.key != COMPACT_KEY_NONE) {
            open_keyed(s, &opened, begin_of(s, part, opened.key));
        }
    } else if (s->key == COMPACT_KEY_NONE) {
        opened.source = COMPACT_REQUEST_NESTED;
        opened.key = compact_request_keys_nested(s->keys, part->thread, part->begin);
        if (opened.key != COMPACT_KEY_NONE) {
            open_nested(s, &opened, begin_of(s, part, opened.key));
        }
    } else {
        opened.key = s->key;
    }
    s->out->key_of[index] = opened.key;
}

// note_later notes which requests have parts that are known to begin behind the window.
static void
note_later(const compact_requests_input *input, compact_request_keys *keys)
{
    for (size_t i = 0; i < input->part_count; i++) {
        const compact_request_part *part = &input->parts[i];
        uint32_t key =
            part->key == 0 ? (uint32_t)LP_MAP_NONE : lp_map_find(&keys->by_key, part->key);
        if (!begins_in_window(input, i) && key != LP_MAP_NONE) {
            keys->items.items[key].goes_on = true;
        }
    }
}

void
compact_thread_stays_find(
    const compact_requests_input *input, compact_request_keys *keys, compact_key_stays *out)
{
    out->key_of = LP_ARENA_ARRAY(keys->arena, uint32_t, input->part_count);
    ordered o = {0};
    order_parts(input, keys->arena, &o);
    size_t begin = 0;
    for (size_t t = 0; t < o.thread_count && !keys->arena->is_failed; t++) {
        sweep s = {
            .input = input,
            .keys = keys,
            .out = out,
            .thread = o.threads[t],
            .key = COMPACT_KEY_NONE,
        };
        for (size_t i = begin; i < o.ends[t] && !keys->arena->is_failed; i++) {
            meet(&s, o.parts[i]);
        }
        end_until(&s, INT64_MAX);
        begin = o.ends[t];
    }
    for (size_t i = 0; i < input->part_count && !keys->arena->is_failed; i++) {
        if (!begins_in_window(input, i)) {
            out->key_of[i] = COMPACT_KEY_NONE;
        }
    }
    note_later(input, keys);
}
