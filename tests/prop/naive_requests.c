// SPDX-License-Identifier: Apache-2.0
#include "naive_requests.h"

#include <string.h>

typedef struct simulation {
    const naive_history *history;
    naive_result *out;
    int64_t at;
    int64_t hi;
    int meant[NAIVE_KEYS + 1];       // the request that a key means
    bool is_further[NAIVE_KEYS + 1]; // it came to do so as a further key
    bool is_open[NAIVE_PARTS_MAX];
    bool is_outermost[NAIVE_PARTS_MAX]; // no other one with a key was open
    int outer[NAIVE_PARTS_MAX];         // the part in whose request a part without a key is
} simulation;

static const compact_request_part *
part_at(const simulation *s, int part)
{
    return &s->history->parts[part];
}

static naive_request *
request_at(simulation *s, int request)
{
    return &s->out->requests[request];
}

// is_alive returns whether parts that begin now belong to a request.
static bool
is_alive(simulation *s, int request)
{
    if (request == NAIVE_NONE) {
        return false;
    }
    const naive_request *r = request_at(s, request);
    if (r->key != 0 && s->meant[r->key] != request) {
        return false; // its key has begun another one
    }
    bool has_open = r->has_root && !r->is_over;
    for (size_t i = 0; i < s->history->part_count && !r->is_over; i++) {
        has_open |=
            s->is_open[i] && s->out->request_of[i] == request && part_at(s, (int)i)->key != 0;
    }
    return has_open || s->at <= r->end + s->history->linger_ticks;
}

static int
find(simulation *s, uint64_t key)
{
    return is_alive(s, s->meant[key]) ? s->meant[key] : NAIVE_NONE;
}

static int
begin_request(
    simulation *s, uint64_t key, uint64_t thread, compact_request_source source, bool has_root)
{
    int index = s->out->request_count++;
    *request_at(s, index) = (naive_request){
        .key = key,
        .thread = thread,
        .begin = s->at,
        .end = s->at,
        .last_end = s->at,
        .source = source,
        .has_root = has_root,
        .joined_to = NAIVE_NONE,
    };
    s->out->losses.reopened += key != 0 && !has_root && s->meant[key] != NAIVE_NONE;
    s->meant[key] = index;
    s->is_further[key] = false;
    return index;
}

// --- Threads

// end_of returns when a part ends, or that of its root does: when the key begins again, or
// linger_ticks behind the end. NAIVE_NONE: it does not begin in the time of a root.
static int64_t
end_of(const naive_history *h, const compact_request_part *p)
{
    int64_t begin = NAIVE_NONE;
    int64_t until = INT64_MAX;
    for (size_t i = 0; i < h->root_count; i++) {
        const compact_root *root = &h->roots[i];
        if (root->key == p->key && !root->is_end) {
            begin = root->ticks <= p->begin ? root->ticks : begin;
            until = root->ticks > p->begin && root->ticks < until ? root->ticks : until;
        }
    }
    for (size_t i = 0; i < h->root_count; i++) {
        const compact_root *root = &h->roots[i];
        if (root->key == p->key && root->is_end && root->ticks >= begin &&
            root->ticks + h->linger_ticks < until) {
            until = root->ticks + h->linger_ticks;
        }
    }
    if (!p->is_rooted) {
        return p->end;
    }
    return begin == NAIVE_NONE || p->begin > until ? NAIVE_NONE : p->end < until ? p->end : until;
}

// working_part returns the part for which a thread works: the first of those that are open and have
// a key, those with roots before others; else the one without a key that may be a request.
static int
working_part(const simulation *s, uint64_t thread)
{
    int found = NAIVE_NONE;
    for (int i = 0; i < (int)s->history->part_count; i++) {
        const compact_request_part *p = part_at(s, i);
        if (s->is_open[i] && p->thread == thread && p->key != 0 &&
            (found == NAIVE_NONE || (p->is_rooted && !part_at(s, found)->is_rooted))) {
            found = i;
        }
    }
    for (int i = 0; i < (int)s->history->part_count && found == NAIVE_NONE; i++) {
        const compact_request_part *p = part_at(s, i);
        if (s->is_open[i] && p->thread == thread && !s->out->is_shell[i] &&
            s->outer[i] == NAIVE_NONE) {
            found = i;
        }
    }
    return found;
}

static void
touch(simulation *s, int part)
{
    int *touches = s->out->touches[part_at(s, part)->thread][s->at];
    int request = s->out->request_of[part];
    size_t next = 0;
    for (size_t i = 0; i < NAIVE_TOUCHES_MAX; i++) {
        next = touches[i] != NAIVE_NONE ? i + 1 : next;
    }
    if (next == 0 || touches[next - 1] != request) {
        touches[next] = request;
    }
}

// --- Roots

static void
root_begins(simulation *s, const compact_root *root)
{
    int found = find(s, root->key);
    naive_request *r = found == NAIVE_NONE ? NULL : request_at(s, found);
    if (r != NULL && r->key != root->key) {
        return;
    }
    if (r != NULL && !r->is_over && !r->has_root) { // parts came first
        r->has_root = true;
        r->begin = s->at;
        r->thread = root->thread;
        return;
    }
    if (r != NULL && !r->is_over) {
        s->out->losses.roots_twice++;
        s->out->losses.roots_without_end++;
        r->is_over = true;
        r->is_unended = true;
        r->end = s->at;
    }
    (void)begin_request(s, root->key, root->thread, root->source, true);
}

static void
root_ends(simulation *s, const compact_root *root)
{
    int found = find(s, root->key);
    naive_request *r = found == NAIVE_NONE ? NULL : request_at(s, found);
    if (r != NULL && r->key != root->key) {
        return;
    }
    bool is_known = r != NULL && !r->is_over;
    s->out->losses.ends_without_root += !is_known || !r->has_root;
    if (is_known) {
        r->end = s->at;
        r->is_over = true;
    }
}

// --- Parts

static void
replace(int *request, int from, int to)
{
    *request = *request == from ? to : *request;
}

static void
rename_all(simulation *s, int from, int to)
{
    for (size_t i = 0; i < NAIVE_PARTS_MAX; i++) {
        replace(&s->out->request_of[i], from, to);
    }
    for (size_t i = 0; i <= NAIVE_KEYS; i++) {
        replace(&s->meant[i], from, to);
    }
    for (size_t thread = 1; thread <= NAIVE_THREADS; thread++) {
        for (size_t i = 0; i < NAIVE_TICKS; i++) {
            replace(&s->out->works_for[thread][i], from, to);
            for (size_t k = 0; k < NAIVE_TOUCHES_MAX; k++) {
                replace(&s->out->touches[thread][i][k], from, to);
            }
        }
    }
}

// join makes one request another one, unless it is over, and returns which that is. It is the one
// with a root, where one has one.
static int
join(simulation *s, int from, int to)
{
    if (from == NAIVE_NONE || from == to || request_at(s, from)->is_over) {
        return to;
    }
    if (request_at(s, from)->has_root && !request_at(s, to)->has_root &&
        !request_at(s, to)->is_over) {
        int without = to;
        to = from;
        from = without;
    }
    naive_request *f = request_at(s, from);
    naive_request *t = request_at(s, to);
    f->is_gone = true;
    f->joined_to = to;
    s->out->has_leaks |= t->is_over;
    if (!t->has_root && !t->is_over && f->begin < t->begin) {
        t->begin = f->begin;
        t->thread = f->thread;
    }
    t->last_end = f->last_end > t->last_end ? f->last_end : t->last_end;
    t->end = t->has_root || t->is_over ? t->end : t->last_end;
    for (size_t i = 0; i < NAIVE_TICKS; i++) {
        t->is_busy[i] |= f->is_busy[i];
    }
    rename_all(s, from, to);
    return to;
}

// are_two returns whether two requests stay two where parts of theirs are on one thread: the key
// means one of them as a further key, and both have roots.
static bool
are_two(simulation *s, uint64_t key, int meant, int other)
{
    return s->is_further[key] && meant != NAIVE_NONE && other != NAIVE_NONE && meant != other &&
           !request_at(s, meant)->is_over && request_at(s, meant)->has_root &&
           request_at(s, other)->has_root;
}

// join_by makes a key mean a request, and the one that it has meant (NAIVE_NONE: none) the same. It
// returns which request both are.
static int
join_by(simulation *s, uint64_t key, int from, int to)
{
    s->is_further[key] &= from != NAIVE_NONE && !request_at(s, from)->is_over;
    s->meant[key] = are_two(s, key, from, to) ? to : join(s, from, to);
    return s->meant[key];
}

static int
find_or_begin(simulation *s, const compact_request_part *p)
{
    int found = find(s, p->key);
    return found != NAIVE_NONE || p->is_rooted
               ? found
               : begin_request(s, p->key, p->thread, p->source, false);
}

// make_shell makes the part without a key that is open on a thread no request.
static void
make_shell(simulation *s, int part)
{
    int request = s->out->request_of[part];
    request_at(s, request)->is_gone = true;
    for (int i = 0; i < (int)s->history->part_count; i++) {
        s->out->is_shell[i] |= i == part || s->outer[i] == part;
    }
    rename_all(s, request, NAIVE_NONE);
}

// join_also makes the further key of a part mean its request, unless it means an open one.
static void
join_also(simulation *s, int part)
{
    uint64_t also = part_at(s, part)->also;
    int before = also == 0 ? NAIVE_NONE : find(s, also);
    bool is_free = before == NAIVE_NONE || request_at(s, before)->is_over;
    if (also != 0 && is_free && s->out->request_of[part] != NAIVE_NONE) {
        s->is_further[also] |= s->meant[also] != s->out->request_of[part];
        s->meant[also] = s->out->request_of[part];
    }
}

static void
keyed_begins(simulation *s, int part)
{
    const compact_request_part *p = part_at(s, part);
    int first = working_part(s, p->thread);
    if (end_of(s->history, p) == NAIVE_NONE) {
        s->out->losses.parts_without_root++;
        return;
    }
    // Its root began while its key meant another request, which is over by now.
    s->out->has_leaks |= p->is_rooted && find(s, p->key) == NAIVE_NONE;
    if (first != NAIVE_NONE && part_at(s, first)->key == 0) {
        make_shell(s, first);
        first = NAIVE_NONE;
    }
    s->is_outermost[part] = first == NAIVE_NONE;
    int others = first == NAIVE_NONE ? NAIVE_NONE : s->out->request_of[first];
    others = is_alive(s, others) ? others : NAIVE_NONE;
    bool is_before = first != NAIVE_NONE && p->is_rooted && !part_at(s, first)->is_rooted;
    int own = others == NAIVE_NONE || is_before ? find_or_begin(s, p) : find(s, p->key);
    if (others == NAIVE_NONE) {
        s->out->request_of[part] = own;
    } else if (is_before) {
        uint64_t firsts = part_at(s, first)->key;
        bool is_apart = own == NAIVE_NONE || are_two(s, firsts, others, own);
        s->out->request_of[part] = is_apart ? own : join_by(s, firsts, others, own);
    } else {
        s->out->request_of[part] = join_by(s, p->key, own, others);
    }
    join_also(s, part);
    s->is_open[part] = true;
    s->out->losses.parts_without_root += s->out->request_of[part] == NAIVE_NONE;
    s->out->has_leaks |= s->out->request_of[part] == NAIVE_NONE;
}

static void
keyless_begins(simulation *s, int part)
{
    const compact_request_part *p = part_at(s, part);
    s->outer[part] = working_part(s, p->thread);
    s->is_open[part] = true;
    for (int i = 0; i < s->out->request_count && s->outer[part] == NAIVE_NONE; i++) {
        const naive_request *r = request_at(s, i);
        if (r->key == 0 && r->thread == p->thread && r->begin == s->at && !r->is_gone) {
            s->out->request_of[part] = i;
            return;
        }
    }
    if (s->outer[part] == NAIVE_NONE) {
        s->out->request_of[part] = begin_request(s, 0, p->thread, COMPACT_REQUEST_NESTED, false);
        return;
    }
    int work = s->out->request_of[s->outer[part]];
    bool is_in = part_at(s, s->outer[part])->key == 0 || is_alive(s, work);
    s->out->request_of[part] = is_in ? work : NAIVE_NONE;
}

static void
part_begins(simulation *s, int part)
{
    int before = working_part(s, part_at(s, part)->thread);
    if (before != NAIVE_NONE) {
        touch(s, before);
    }
    (part_at(s, part)->key != 0 ? keyed_begins : keyless_begins)(s, part);
    int work = working_part(s, part_at(s, part)->thread);
    if (work != NAIVE_NONE) {
        touch(s, work);
    }
}

static void
part_ends(simulation *s, int part)
{
    int request = s->out->request_of[part];
    s->is_open[part] = false;
    if (request == NAIVE_NONE || s->out->is_shell[part]) {
        return;
    }
    naive_request *r = request_at(s, request);
    bool is_own = part_at(s, part)->key != 0 || s->outer[part] == NAIVE_NONE;
    r->last_end = is_own ? s->at : r->last_end;
    if (is_own && !r->has_root && !r->is_over) {
        r->end = s->at;
        r->is_over = r->key == 0;
    }
}

// --- All of it

static void
step(simulation *s)
{
    const naive_history *h = s->history;
    for (uint64_t thread = 1; thread <= NAIVE_THREADS; thread++) {
        int part = working_part(s, thread);
        if (part != NAIVE_NONE) {
            touch(s, part);
        }
    }
    for (int i = 0; i < (int)h->part_count; i++) {
        if (s->is_open[i] && end_of(h, &h->parts[i]) == s->at) {
            part_ends(s, i);
        }
    }
    for (size_t i = 0; i < h->root_count; i++) {
        if (h->roots[i].ticks == s->at && !h->roots[i].is_end) {
            root_begins(s, &h->roots[i]);
        }
    }
    for (int i = 0; i < (int)h->part_count; i++) {
        if (h->parts[i].begin == s->at) {
            part_begins(s, i);
            if (s->is_open[i] && end_of(h, &h->parts[i]) == s->at) {
                part_ends(s, i);
            }
        }
    }
    for (size_t i = 0; i < h->root_count; i++) {
        if (h->roots[i].ticks == s->at && h->roots[i].is_end) {
            root_ends(s, &h->roots[i]);
        }
    }
    for (int i = 0; i < (int)h->part_count; i++) {
        int request = s->out->request_of[i];
        s->out->has_leaks |= s->is_open[i] && part_at(s, i)->key != 0 && request != NAIVE_NONE &&
                             find(s, part_at(s, i)->key) != request;
    }
    for (uint64_t thread = 1; thread <= NAIVE_THREADS; thread++) {
        int part = working_part(s, thread);
        int work = part == NAIVE_NONE ? NAIVE_NONE : s->out->request_of[part];
        s->out->works_for[thread][s->at] = work;
        if (work != NAIVE_NONE) {
            request_at(s, work)->is_busy[s->at] = true;
            touch(s, part);
        }
    }
}

// fill_shells gives parts around parts with keys the request of these, if they have one.
static void
fill_shells(simulation *s)
{
    for (int i = 0; i < (int)s->history->part_count; i++) {
        bool is_mixed = false;
        int found = NAIVE_NONE;
        int count = 0;
        if (!s->out->is_shell[i] || s->outer[i] != NAIVE_NONE) {
            continue;
        }
        for (int k = i + 1; k < (int)s->history->part_count; k++) {
            const compact_request_part *inner = part_at(s, k);
            if (inner->thread == part_at(s, i)->thread && s->is_outermost[k] &&
                inner->begin < part_at(s, i)->end && inner->begin < s->hi) {
                is_mixed |= count++ > 0 && s->out->request_of[k] != found;
                found = s->out->request_of[k];
            }
        }
        for (int k = i; k < (int)s->history->part_count; k++) {
            if (k == i || s->outer[k] == i) {
                s->out->request_of[k] = is_mixed ? NAIVE_NONE : found;
            }
        }
    }
}

static int
taken_by(const simulation *s, const compact_hand_over *taken)
{
    int64_t until = s->hi;
    for (size_t i = 0; i < s->history->hand_over_count; i++) {
        const compact_hand_over *other = &s->history->hand_overs[i];
        until = other->to == taken->to && other->taken > taken->taken && other->taken < until
                    ? other->taken
                    : until;
    }
    int found = naive_requests_touched(s->out, taken->to, taken->taken, true);
    for (int64_t t = taken->taken + 1; t < until && found == NAIVE_NONE; t++) {
        found = naive_requests_touched(s->out, taken->to, t, false);
    }
    return found;
}

static void
queue(simulation *s)
{
    for (size_t i = 0; i < s->history->hand_over_count; i++) {
        const compact_hand_over *h = &s->history->hand_overs[i];
        s->out->wait_of[i] = h->taken < s->hi ? taken_by(s, h) : NAIVE_NONE;
        for (int64_t t = h->handed; s->out->wait_of[i] != NAIVE_NONE && t < h->taken; t++) {
            request_at(s, s->out->wait_of[i])->is_queued[t] = true;
        }
    }
}

static bool
has_open(const simulation *s, int request)
{
    bool found = false;
    for (int i = 0; i < (int)s->history->part_count; i++) {
        found |= s->is_open[i] && s->out->request_of[i] == request && !s->out->is_shell[i] &&
                 (part_at(s, i)->key != 0 || s->outer[i] == NAIVE_NONE);
    }
    return found;
}

// goes_on returns whether a request has a part behind the window, or may have one.
static bool
goes_on(simulation *s, int request, int64_t known)
{
    const naive_request *r = request_at(s, request);
    bool found = has_open(s, request) || (!r->is_over && r->has_root);
    s->at = known;
    found |= !r->is_over && is_alive(s, request);
    for (int i = 0; i < (int)s->history->part_count; i++) {
        const compact_request_part *p = part_at(s, i);
        if (p->key != 0 && p->begin >= s->hi && p->begin <= known && s->meant[p->key] == request) {
            s->at = p->begin;
            found |= is_alive(s, request);
        }
    }
    s->at = s->hi;
    return found;
}

static void
finish(simulation *s, int64_t known, bool is_last)
{
    for (int i = 0; i < s->out->request_count; i++) {
        naive_request *r = request_at(s, i);
        bool is_open = has_open(s, i);
        if (!r->is_over && !r->is_gone) {
            r->end = is_open || r->has_root ? s->hi : r->end;
            r->is_over = is_last || (!is_open && !r->has_root && !is_alive(s, i));
            r->is_unended = is_last && (is_open || r->has_root);
            s->out->losses.roots_without_end += is_last && r->has_root;
        }
        r->goes_on = !is_last && goes_on(s, i, known);
    }
}

static void
count_parts(simulation *s)
{
    for (int i = 0; i < (int)s->history->part_count; i++) {
        int request = s->out->request_of[i];
        if (request != NAIVE_NONE && !s->out->is_shell[i]) {
            naive_request *r = request_at(s, request);
            r->part_count += !r->is_over || part_at(s, i)->begin <= r->end;
        }
    }
}

void
naive_requests_make(
    const naive_history *history, int64_t hi, int64_t known, bool is_last, naive_result *out)
{
    simulation s = {.history = history, .out = out, .hi = hi};
    memset(out, 0, sizeof(*out));
    memset(s.meant, 0xff, sizeof(s.meant));
    memset(s.outer, 0xff, sizeof(s.outer));
    memset(out->request_of, 0xff, sizeof(out->request_of));
    memset(out->works_for, 0xff, sizeof(out->works_for));
    memset(out->touches, 0xff, sizeof(out->touches));
    for (s.at = 0; s.at < hi; s.at++) {
        step(&s);
    }
    fill_shells(&s);
    queue(&s);
    finish(&s, known, is_last);
    count_parts(&s);
}

int64_t
naive_requests_ticks(const naive_request *request, bool is_busy)
{
    int64_t sum = 0;
    for (int64_t t = request->begin; t < request->end; t++) {
        sum += is_busy ? request->is_busy[t] : request->is_queued[t] && !request->is_busy[t];
    }
    return sum;
}

int
naive_requests_touched(const naive_result *result, uint64_t thread, int64_t ticks, bool is_last)
{
    int found = NAIVE_NONE;
    for (size_t i = 0; i < NAIVE_TOUCHES_MAX; i++) {
        int touched = result->touches[thread][ticks][i];
        found = touched != NAIVE_NONE && (is_last || found == NAIVE_NONE) ? touched : found;
    }
    return found;
}
