// SPDX-License-Identifier: Apache-2.0
// Random histories of a few threads: the engine finds the requests that a naive simulation finds
// (naive_requests.h), in one window and in several that each know what those before have left: the
// same requests with the same times and parts, the request of each part, what each thread works for
// at each tick, waits and losses. Some windows are taken for the session's last, and others follow:
// nothing is else there, but that requests that were open count there, and never again. Each window
// is run once more without the requests of which nothing is kept: the others are the same, and as
// many count. A hundred thousand histories take ten seconds.
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other histories than the usual ones

#include "naive_requests.h"
#include "support/chance.h"

#include "engine/requests/requests.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    WINDOWS_MAX = 6,
    API_KEYS = 3, // the first ones; those behind are of attributes
};

static uint64_t
number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

// --- Histories

static compact_request_source
source_of(uint64_t key)
{
    return key == 0          ? COMPACT_REQUEST_NESTED
           : key <= API_KEYS ? COMPACT_REQUEST_BY_API
                             : COMPACT_REQUEST_BY_ATTRIBUTE;
}

static bool
is_rooted(uint64_t key)
{
    return key == 1 || key == API_KEYS + 1;
}

static int
compare_parts(const void *a, const void *b)
{
    const compact_request_part *x = a;
    const compact_request_part *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    if (x->source != y->source) {
        return x->source > y->source ? -1 : 1;
    }
    return (x->end < y->end) - (x->end > y->end);
}

static int
compare_roots(const void *a, const void *b)
{
    const compact_root *x = a;
    const compact_root *y = b;
    if (x->ticks != y->ticks) {
        return x->ticks < y->ticks ? -1 : 1;
    }
    return x->thread != y->thread ? (x->thread < y->thread ? -1 : 1)
                                  : (x->is_end > y->is_end) - (x->is_end < y->is_end);
}

static void
add_parts(naive_history *h, uint64_t *chance)
{
    size_t count = 1 + chance_below(chance, NAIVE_PARTS_MAX);
    uint64_t length = 1 + chance_below(chance, 30);
    uint64_t keys = 1 + chance_below(chance, NAIVE_KEYS);
    uint64_t keyless = chance_below(chance, 4);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = chance_below(chance, 4) < keyless ? 0 : 1 + chance_below(chance, keys);
        int64_t begin = (int64_t)chance_below(chance, NAIVE_TICKS);
        int64_t end = begin + (int64_t)chance_below(chance, length);
        h->parts[h->part_count++] = (compact_request_part){
            .thread = 1 + chance_below(chance, 1 + chance_below(chance, NAIVE_THREADS)),
            .begin = begin,
            .end = chance_below(chance, 12) == 0 ? INT64_MAX : end,
            .key = key,
            .source = source_of(key),
            .is_rooted = is_rooted(key),
            .also =
                key == 1 && chance_below(chance, 2) == 0 ? 1 + chance_below(chance, NAIVE_KEYS) : 0,
        };
    }
    qsort(h->parts, count, sizeof(h->parts[0]), compare_parts);
}

static void
add_roots(naive_history *h, uint64_t *chance)
{
    size_t count = chance_below(chance, NAIVE_ROOTS_MAX / 2);
    uint64_t kind = chance_below(chance, 4); // of API, of attributes, both, any keys
    for (size_t i = 0; i < count; i++) {
        uint64_t usual = kind == 0 || (kind == 2 && chance_below(chance, 2)) ? 1 : API_KEYS + 1;
        uint64_t key = kind < 3 ? usual : 1 + chance_below(chance, NAIVE_KEYS);
        compact_root root = {
            .key = key,
            .thread = 1 + chance_below(chance, NAIVE_THREADS),
            .ticks = (int64_t)chance_below(chance, NAIVE_TICKS),
            .source = source_of(key),
        };
        if (chance_below(chance, 8) > 0) {
            h->roots[h->root_count++] = root;
        }
        root.ticks += (int64_t)chance_below(chance, 30);
        root.is_end = true;
        if (root.ticks < NAIVE_TICKS && chance_below(chance, 8) > 0) {
            h->roots[h->root_count++] = root;
        }
    }
    qsort(h->roots, h->root_count, sizeof(h->roots[0]), compare_roots);
}

static void
add_hand_overs(naive_history *h, uint64_t *chance)
{
    size_t count = chance_below(chance, NAIVE_HAND_OVERS_MAX);
    for (size_t i = 0; i < count; i++) {
        int64_t taken = (int64_t)chance_below(chance, NAIVE_TICKS);
        compact_hand_over hand_over = {
            .from = 1 + chance_below(chance, NAIVE_THREADS),
            .to = 1 + chance_below(chance, NAIVE_THREADS),
            .handed = taken - (int64_t)chance_below(chance, (uint64_t)taken / 2 + 1),
            .taken = taken,
        };
        bool is_taken = false; // a thread takes one task at a time
        for (size_t k = 0; k < h->hand_over_count; k++) {
            is_taken |= h->hand_overs[k].to == hand_over.to && h->hand_overs[k].taken == taken;
        }
        if (!is_taken) {
            h->hand_overs[h->hand_over_count++] = hand_over;
        }
    }
}

static naive_history
make_history(uint64_t *chance)
{
    naive_history h = {.linger_ticks = (int64_t)chance_below(chance, 8)};
    add_parts(&h, chance);
    add_roots(&h, chance);
    add_hand_overs(&h, chance);
    return h;
}

// depends_on_borders returns whether a window may not know what it would have to: a part outlasts
// its request, and its key may mean another one then.
static bool
depends_on_borders(const naive_history *h)
{
    static naive_result all;
    naive_requests_make(h, NAIVE_TICKS, NAIVE_TICKS, true, &all);
    return all.has_leaks;
}

static void
print_history(const naive_history *h)
{
    print_error("linger %" PRId64 "\n", h->linger_ticks);
    for (size_t i = 0; i < h->part_count; i++) {
        const compact_request_part *p = &h->parts[i];
        print_error("part %zu: thread %" PRIu64 " [%" PRId64 ", %" PRId64 "] key %" PRIu64
                    "%s also %" PRIu64 "\n",
            i, p->thread, p->begin, p->end == INT64_MAX ? -1 : p->end, p->key,
            p->is_rooted ? " rooted" : "", p->also);
    }
    for (size_t i = 0; i < h->root_count; i++) {
        const compact_root *r = &h->roots[i];
        print_error("root %s key %" PRIu64 " at %" PRId64 " thread %" PRIu64 "\n",
            r->is_end ? "end" : "begin", r->key, r->ticks, r->thread);
    }
    for (size_t i = 0; i < h->hand_over_count; i++) {
        const compact_hand_over *o = &h->hand_overs[i];
        print_error(
            "hand-over to %" PRIu64 " [%" PRId64 ", %" PRId64 "]\n", o->to, o->handed, o->taken);
    }
}

// --- One window

typedef struct window {
    int64_t lo;
    int64_t hi;
    int64_t known;
    bool is_first;
    bool is_last;
    bool is_silent; // it is taken for the last, and others follow
    bool is_only;
    bool has_events; // parts count in the window in which they end, but for those with roots
    compact_request_part parts[NAIVE_PARTS_MAX];
    size_t part_of[NAIVE_PARTS_MAX]; // of the history
    size_t part_count;
    compact_root roots[NAIVE_ROOTS_MAX];
    size_t root_count;
    compact_hand_over hand_overs[NAIVE_HAND_OVERS_MAX];
    size_t hand_over_of[NAIVE_HAND_OVERS_MAX];
    size_t hand_over_count;
} window;

static bool
has(const window *w, int64_t ticks)
{
    return ticks >= w->lo && ticks < w->hi;
}

// fill_window fills in what is known of a history in a window: threads in any order, and the ends
// of parts that are open behind it or not.
static void
fill_window(const naive_history *h, window *w, uint64_t *chance)
{
    uint64_t first = chance_below(chance, NAIVE_THREADS);
    for (uint64_t i = 0; i < NAIVE_THREADS; i++) {
        for (size_t k = 0; k < h->part_count; k++) {
            compact_request_part p = h->parts[k];
            bool is_known = p.begin < w->hi || p.begin <= w->known;
            if (p.thread != 1 + (first + i) % NAIVE_THREADS || !is_known || p.end < w->lo) {
                continue;
            }
            bool is_event = w->has_events && !p.is_rooted;
            p.is_kept = chance_below(chance, 3) == 0;
            p.is_new = is_event ? has(w, p.end) || (w->is_last && p.end >= w->hi) : has(w, p.begin);
            w->part_of[w->part_count] = k;
            w->parts[w->part_count++] = p;
        }
    }
    if (chance_below(chance, 2) == 0) { // ends behind the window are not known
        for (size_t i = 0; i < w->part_count; i++) {
            w->parts[i].end = w->parts[i].end > w->hi ? INT64_MAX : w->parts[i].end;
        }
    }
    for (size_t i = 0; i < h->root_count; i++) {
        if (has(w, h->roots[i].ticks)) {
            w->roots[w->root_count++] = h->roots[i];
        }
    }
    for (size_t i = 0; i < h->hand_over_count; i++) {
        if (has(w, h->hand_overs[i].taken)) {
            w->hand_over_of[w->hand_over_count] = i;
            w->hand_overs[w->hand_over_count++] = h->hand_overs[i];
        }
    }
}

#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error("window [%" PRId64 ", %" PRId64 ") known %" PRId64 ": %s: ", w->lo, w->hi, \
                w->known, #condition);                                                             \
            print_error(__VA_ARGS__);                                                              \
            print_error("\n");                                                                     \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

// What a request of the simulation is in a window.
typedef struct match {
    const naive_result *before; // up to the begin of the window
    const naive_result *now;
    const compact_requests *out;
    const bool *counted; // by request of the simulation: it counted where the session seemed to end
    int item_of[NAIVE_REQUESTS_MAX]; // NAIVE_NONE: not known yet
} match;

// is_forgotten returns whether the window before had no need to leave a request, as parts that
// begin in this one do not belong to it.
static bool
is_forgotten(const naive_history *h, const window *w, const match *m, int request)
{
    return request == NAIVE_NONE ||
           (!w->is_first && request < m->before->request_count &&
               m->before->requests[request].is_over &&
               (m->before->requests[request].is_unended ||
                   m->before->requests[request].end + h->linger_ticks < w->lo));
}

static bool
match_parts(const window *w, match *m)
{
    for (size_t i = 0; i < w->part_count; i++) {
        size_t part = w->part_of[i];
        uint32_t item = m->out->request_of[i];
        int request = w->parts[i].begin < w->hi ? m->now->request_of[part] : NAIVE_NONE;
        bool is_exact = w->is_only || (has(w, w->parts[i].begin) && !m->now->is_shell[part]);
        if (!is_exact && w->parts[i].begin < w->hi) {
            continue;
        }
        EXPECT((request == NAIVE_NONE) == (item == COMPACT_REQUEST_NONE),
            "part %zu: request %d, item %" PRIu32, part, request, item);
        if (request == NAIVE_NONE) {
            continue;
        }
        EXPECT(m->item_of[request] == NAIVE_NONE || m->item_of[request] == (int)item, "part %zu",
            part);
        m->item_of[request] = (int)item;
    }
    return true;
}

static bool
is_listed(const window *w, const match *m, int request)
{
    return !m->now->requests[request].is_gone &&
           (w->is_first || request >= m->before->request_count ||
               !m->before->requests[request].is_over);
}

static bool
match_others(const window *w, match *m)
{
    bool is_taken[NAIVE_REQUESTS_MAX] = {false};
    for (int i = 0; i < m->now->request_count; i++) {
        if (m->item_of[i] != NAIVE_NONE) {
            EXPECT(!is_taken[m->item_of[i]], "request %d", i);
            is_taken[m->item_of[i]] = true;
        }
    }
    for (int i = 0; i < m->now->request_count; i++) {
        const naive_request *r = &m->now->requests[i];
        for (size_t k = 0; k < m->out->items.count && m->item_of[i] == NAIVE_NONE; k++) {
            const compact_request *found = &m->out->items.items[k];
            bool is_it = found->begin == r->begin && found->thread == r->thread &&
                         found->source == r->source && (r->key == 0 || found->key == r->key) &&
                         found->end == r->end && found->is_unended == r->is_unended &&
                         found->was_over != is_listed(w, m, i);
            if (is_it && !is_taken[k] && !r->is_gone) {
                m->item_of[i] = (int)k;
                is_taken[k] = true;
            }
        }
        EXPECT(!is_listed(w, m, i) || m->item_of[i] != NAIVE_NONE,
            "request %d of key %" PRIu64 " from %" PRId64 " to %" PRId64, i, r->key, r->begin,
            r->end);
    }
    return true;
}

static bool
has_joined(const naive_result *now)
{
    bool found = false;
    for (int i = 0; i < now->request_count; i++) {
        found |= now->requests[i].is_gone && now->requests[i].key != 0;
    }
    return found;
}

// is_rough returns whether what is queued depends on the borders of windows: a task has waited over
// one, or it is not known when it was taken for which request that was, or that may be none.
static bool
is_rough(const window *w, const naive_result *now)
{
    bool found = false;
    for (size_t i = 0; i < w->hand_over_count && !w->is_only; i++) {
        const compact_hand_over *h = &w->hand_overs[i];
        int touched = naive_requests_touched(now, h->to, h->taken, true);
        found |= h->handed < w->lo || touched == NAIVE_NONE || now->requests[touched].key == 0;
    }
    return found;
}

static bool
are_times_right(const window *w, const match *m, int i, bool has_rough)
{
    const naive_request *r = &m->now->requests[i];
    const compact_request *found = &m->out->items.items[m->item_of[i]];
    int64_t busy = naive_requests_ticks(r, true);
    int64_t queued = naive_requests_ticks(r, false);
    if (w->is_only || !has_joined(m->now)) {
        EXPECT(found->busy_ticks == busy, "request %d: %" PRId64 ", not %" PRId64, i,
            found->busy_ticks, busy);
        EXPECT(has_rough || found->queued_ticks == queued, "request %d: %" PRId64 ", not %" PRId64,
            i, found->queued_ticks, queued);
    }
    EXPECT(found->busy_ticks + found->queued_ticks <= found->end - found->begin, "request %d", i);
    return true;
}

static bool
are_requests_right(const window *w, const match *m, bool has_rough)
{
    size_t listed = 0;
    for (int i = 0; i < m->now->request_count; i++) {
        const naive_request *r = &m->now->requests[i];
        if (!is_listed(w, m, i)) {
            continue;
        }
        const compact_request *found = &m->out->items.items[m->item_of[i]];
        listed++;
        EXPECT(r->key == 0 || found->key == r->key, "request %d", i);
        EXPECT(found->thread == r->thread, "request %d", i);
        EXPECT(found->begin == r->begin, "request %d: %" PRId64 ", not %" PRId64, i, found->begin,
            r->begin);
        EXPECT(
            found->end == r->end, "request %d: %" PRId64 ", not %" PRId64, i, found->end, r->end);
        EXPECT(found->source == r->source, "request %d", i);
        EXPECT(found->has_root == r->has_root, "request %d", i);
        EXPECT(found->is_over == r->is_over, "request %d", i);
        EXPECT(found->is_unended == r->is_unended, "request %d", i);
        EXPECT(found->goes_on == r->goes_on, "request %d", i);
        EXPECT(w->has_events || found->part_count == r->part_count,
            "request %d: %" PRIu64 ", not %" PRIu64, i, found->part_count, r->part_count);
        EXPECT(!found->was_over && found->is_counted == m->counted[i], "request %d", i);
        if (!are_times_right(w, m, i, has_rough)) {
            return false;
        }
    }
    for (size_t i = 0; i < m->out->items.count; i++) {
        const compact_request *item = &m->out->items.items[i];
        listed += item->was_over;
        EXPECT(i == 0 || item[-1].begin < item->begin ||
                   (item[-1].begin == item->begin && item[-1].key <= item->key),
            "item %zu", i);
    }
    EXPECT(listed == m->out->items.count, "%zu of %zu", listed, m->out->items.count);
    return true;
}

static bool
is_same(const match *m, int request, uint32_t item)
{
    bool is_none = request == NAIVE_NONE || m->now->requests[request].is_gone;
    return is_none ? item == COMPACT_REQUEST_NONE : m->item_of[request] == (int)item;
}

static bool
are_stays_right(const naive_history *h, const window *w, const match *m)
{
    uint32_t cells[NAIVE_THREADS + 1][NAIVE_TICKS];
    memset(cells, 0xff, sizeof(cells));
    for (size_t i = 0; i < m->out->stays.count; i++) {
        const compact_stay *stay = &m->out->stays.items[i];
        EXPECT(stay->begin <= stay->end && stay->begin >= w->lo && stay->end <= w->hi,
            "stay %zu: thread %" PRIu64 " [%" PRId64 ", %" PRId64 "] key %" PRIu64, i, stay->thread,
            stay->begin, stay->end, m->out->items.items[stay->request].key);
        EXPECT(i == 0 || stay[-1].thread < stay->thread ||
                   (stay[-1].thread == stay->thread && stay[-1].end <= stay->begin),
            "stay %zu", i);
        for (int64_t t = stay->begin; t < stay->end; t++) {
            cells[stay->thread][t] = stay->request;
        }
    }
    for (uint64_t thread = 1; thread <= NAIVE_THREADS; thread++) {
        for (int64_t t = w->lo < 0 ? 0 : w->lo; t < w->hi; t++) {
            int works_for = m->now->works_for[thread][t];
            int touches = naive_requests_touched(m->now, thread, t, true);
            uint32_t found = compact_requests_find(m->out, thread, t);
            EXPECT(is_same(m, works_for, cells[thread][t]) || is_forgotten(h, w, m, works_for),
                "thread %" PRIu64 " at %" PRId64, thread, t);
            EXPECT(is_same(m, touches, found) || is_forgotten(h, w, m, touches),
                "thread %" PRIu64 " at %" PRId64, thread, t);
        }
    }
    return true;
}

static bool
are_waits_right(const naive_history *h, const window *w, const match *m)
{
    size_t next = 0;
    for (size_t i = 0; i < w->hand_over_count; i++) {
        int request = m->now->wait_of[w->hand_over_of[i]];
        if (next < m->out->waits.count && m->out->waits.items[next].hand_over == i) {
            EXPECT(is_same(m, request, m->out->waits.items[next].request) ||
                       is_forgotten(h, w, m, request),
                "wait %zu", i);
            next++;
        } else {
            EXPECT(request == NAIVE_NONE || is_forgotten(h, w, m, request), "wait %zu", i);
        }
    }
    EXPECT(next == m->out->waits.count, "%zu", next);
    return true;
}

static bool
are_losses_right(
    const window *w, const compact_request_losses *found, const compact_request_losses *expected)
{
    EXPECT(found->roots_without_end == expected->roots_without_end, "%" PRIu64,
        found->roots_without_end);
    EXPECT(found->ends_without_root == expected->ends_without_root, "%" PRIu64,
        found->ends_without_root);
    EXPECT(found->roots_twice == expected->roots_twice, "%" PRIu64, found->roots_twice);
    EXPECT(found->parts_without_root == expected->parts_without_root, "%" PRIu64,
        found->parts_without_root);
    EXPECT(!w->is_only || found->reopened == expected->reopened, "%" PRIu64, found->reopened);
    EXPECT(found->over_limit == 0, "%" PRIu64, found->over_limit);
    return true;
}

static void
add_losses(compact_request_losses *sum, const compact_request_losses *losses)
{
    sum->roots_without_end += losses->roots_without_end;
    sum->ends_without_root += losses->ends_without_root;
    sum->roots_twice += losses->roots_twice;
    sum->parts_without_root += losses->parts_without_root;
    sum->reopened += losses->reopened;
    sum->over_limit += losses->over_limit;
}

// --- Without dropped requests

// is_omitted returns whether the result without dropped requests lacks a request of all.
static bool
is_omitted(const compact_requests_input *input, const compact_requests *all, uint32_t request)
{
    const compact_request *r = &all->items.items[request];
    bool is_kept = r->source != COMPACT_REQUEST_NESTED || r->begin < input->lo || !r->is_over ||
                   r->is_guessed || input->hand_over_count > 0;
    for (size_t i = 0; i < input->part_count; i++) {
        is_kept |= all->request_of[i] == request && input->parts[i].is_kept;
    }
    return !is_kept;
}

static bool
are_alike(const compact_request *x, const compact_request *y)
{
    return x->key == y->key && x->id == y->id && x->thread == y->thread && x->begin == y->begin &&
           x->end == y->end && x->busy_ticks == y->busy_ticks &&
           x->queued_ticks == y->queued_ticks && x->worked_until == y->worked_until &&
           x->part_count == y->part_count && x->source == y->source && x->has_root == y->has_root &&
           x->is_over == y->is_over && x->is_counted == y->is_counted &&
           x->is_guessed == y->is_guessed && x->is_unended == y->is_unended &&
           x->goes_on == y->goes_on && x->is_carried == y->is_carried;
}

// are_others_alike compares the result without dropped requests with all. item_of maps requests.
static bool
are_others_alike(const window *w, const compact_requests_input *input, const compact_requests *all,
    const compact_requests *some, const uint32_t *item_of)
{
    for (size_t i = 0; i < all->items.count; i++) {
        EXPECT(item_of[i] == COMPACT_REQUEST_NONE ||
                   are_alike(&all->items.items[i], &some->items.items[item_of[i]]),
            "request %zu", i);
    }
    for (size_t i = 0; i < input->part_count; i++) {
        uint32_t request = all->request_of[i];
        EXPECT(
            some->request_of[i] == (request == COMPACT_REQUEST_NONE ? request : item_of[request]),
            "part %zu", i);
    }
    size_t next = 0;
    for (size_t i = 0; i < all->stays.count; i++) {
        compact_stay stay = all->stays.items[i];
        stay.request = item_of[stay.request];
        if (stay.request != COMPACT_REQUEST_NONE) {
            EXPECT(next < some->stays.count, "stay %zu", i);
            const compact_stay *found = &some->stays.items[next++];
            EXPECT(found->thread == stay.thread && found->begin == stay.begin &&
                       found->end == stay.end && found->request == stay.request,
                "stay %zu", i);
        }
    }
    EXPECT(next == some->stays.count, "%zu", next);
    return true;
}

static bool
are_others_right(const window *w, compact_requests_input input, const compact_requests *all)
{
    uint32_t item_of[2 * NAIVE_REQUESTS_MAX];
    lp_arena arena = {0};
    compact_requests some = {0};
    input.omits_dropped = true;
    compact_requests_make(&input, &arena, &some);
    assert_int_equal(lp_arena_err(&arena), LP_OK);
    assert_true(all->items.count <= sizeof(item_of) / sizeof(*item_of));
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->items.count; i++) {
        item_of[i] = is_omitted(&input, all, i) ? COMPACT_REQUEST_NONE : count++;
    }
    EXPECT(count == some.items.count, "%" PRIu32 " of %zu", count, some.items.count);
    EXPECT(compact_requests_count(all).in == compact_requests_count(&some).in, "%" PRIu64,
        some.omitted);
    bool is_right = are_others_alike(w, &input, all, &some, item_of);
    lp_arena_fini(&arena);
    return is_right;
}

// What a run through several windows has found so far.
typedef struct progress {
    naive_result before;
    compact_open_requests open;
    compact_request_losses losses;
    bool has_rough;
    bool counted[NAIVE_REQUESTS_MAX]; // those that were open where the session seemed to end
    uint64_t unended; // of these, those with a root: they count as without an end, and once
} progress;

// note_joined notes that what a request was joined to has counted with it.
static void
note_joined(progress *p, const naive_result *now)
{
    for (int i = 0; i < now->request_count; i++) {
        int last = i;
        while (now->requests[last].joined_to != NAIVE_NONE) {
            last = now->requests[last].joined_to;
        }
        p->counted[last] |= p->counted[i];
    }
}

// expected_losses returns the losses up to a window.
static compact_request_losses
expected_losses(const progress *p, const naive_result *now)
{
    compact_request_losses expected = now->losses;
    expected.roots_without_end += p->unended;
    for (int i = 0; i < now->request_count; i++) {
        const naive_request *r = &now->requests[i];
        expected.roots_without_end -= p->counted[i] && r->has_root && r->is_unended;
    }
    return expected;
}

// note_silence notes what counts with a window at whose end the session seems to end.
static void
note_silence(progress *p, const naive_result *now, const naive_result *going_on)
{
    for (int i = 0; i < now->request_count; i++) {
        bool is_new = now->requests[i].is_over && !going_on->requests[i].is_over && !p->counted[i];
        p->counted[i] |= is_new;
        p->unended += is_new && now->requests[i].has_root && now->requests[i].is_unended;
    }
}

static bool
is_window_right(const naive_history *h, window *w, progress *p, lp_arena *next)
{
    static naive_result now;
    lp_arena arena = {0};
    compact_requests out = {0};
    const compact_requests_input input = {
        .open = w->is_first ? NULL : &p->open,
        .parts = w->parts,
        .part_count = w->part_count,
        .roots = w->roots,
        .root_count = w->root_count,
        .hand_overs = w->hand_overs,
        .hand_over_count = w->hand_over_count,
        .lo = w->is_first ? INT64_MIN : w->lo,
        .hi = w->hi,
        .known = w->known,
        .linger_ticks = h->linger_ticks,
        .is_last = w->is_last,
    };
    compact_requests_make(&input, &arena, &out);
    assert_int_equal(lp_arena_err(&arena), LP_OK);
    naive_requests_make(h, w->hi, w->known, w->is_last, &now);
    add_losses(&p->losses, &out.losses);
    p->has_rough |= is_rough(w, &now);
    note_joined(p, &now);
    match m = {.before = &p->before, .now = &now, .out = &out, .counted = p->counted};
    const compact_request_losses expected = expected_losses(p, &now);
    memset(m.item_of, 0xff, sizeof(m.item_of));
    bool is_right = match_parts(w, &m) && match_others(w, &m) &&
                    are_requests_right(w, &m, p->has_rough) && are_stays_right(h, w, &m) &&
                    are_waits_right(h, w, &m) && are_losses_right(w, &p->losses, &expected) &&
                    are_others_right(w, input, &out);
    compact_open_requests carried = {.arena = next};
    compact_requests_carry(&out, &carried);
    p->open = carried;
    p->before = now;
    if (w->is_silent) {
        naive_requests_make(h, w->hi, w->known, false, &p->before);
        note_silence(p, &now, &p->before);
    }
    lp_arena_fini(&arena);
    return is_right;
}

// is_run_right looks at a history in windows that end at these ticks.
static bool
is_run_right(const naive_history *h, const int64_t *ends, size_t count, uint64_t *chance)
{
    static progress p;
    bool has_events = count > 1 && chance_below(chance, 3) == 0;
    lp_arena arenas[2] = {{0}};
    bool is_right = true;
    memset(&p, 0, sizeof(p));
    for (size_t i = 0; i < count && is_right; i++) {
        window w = {
            .lo = i == 0 ? 0 : ends[i - 1],
            .hi = ends[i],
            .known = ends[i] + (int64_t)chance_below(chance, 20),
            .is_first = i == 0,
            .is_last = i + 1 == count && chance_below(chance, 4) > 0,
            .is_only = count == 1,
            .has_events = has_events,
        };
        w.known = chance_below(chance, 4) == 0 ? NAIVE_TICKS : w.known;
        w.is_silent = i + 1 < count && chance_below(chance, 8) == 0;
        w.is_last |= w.is_silent;
        lp_arena_reset(&arenas[i % 2]);
        fill_window(h, &w, chance);
        is_right = is_window_right(h, &w, &p, &arenas[i % 2]);
    }
    lp_arena_fini(&arenas[0]);
    lp_arena_fini(&arenas[1]);
    return is_right;
}

static int
compare_ticks(const void *a, const void *b)
{
    const int64_t *x = a;
    const int64_t *y = b;
    return (*x > *y) - (*x < *y);
}

static bool
is_history_right(uint64_t seed)
{
    uint64_t chance = seed * 1000;
    const naive_history h = make_history(&chance);
    int64_t ends[WINDOWS_MAX] = {NAIVE_TICKS};
    bool is_right = is_run_right(&h, ends, 1, &chance);
    size_t count = 2 + chance_below(&chance, WINDOWS_MAX - 1);
    for (size_t i = 0; i < count; i++) {
        ends[i] = i == 0 ? NAIVE_TICKS : 1 + (int64_t)chance_below(&chance, NAIVE_TICKS - 1);
    }
    qsort(ends, count, sizeof(ends[0]), compare_ticks);
    is_right = is_right && (depends_on_borders(&h) || is_run_right(&h, ends, count, &chance));
    if (!is_right) {
        print_history(&h);
    }
    return is_right;
}

static void
test_requests_are_those_of_the_simulation(void **state)
{
    (void)state;
    uint64_t seed = number_of("LOUPE_PROP_SEED", 1);
    uint64_t rounds = number_of("LOUPE_PROP_ROUNDS", 400000);
    for (uint64_t i = 0; i < rounds; i++) {
        if (!is_history_right(seed + i)) {
            print_error("LOUPE_PROP_SEED=%" PRIu64 " LOUPE_PROP_ROUNDS=1 shows it\n", seed + i);
            fail();
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_are_those_of_the_simulation),
    };
    return cmocka_run_group_tests_name("requests_prop", tests, NULL, NULL);
}
