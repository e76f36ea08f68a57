// SPDX-License-Identifier: Apache-2.0
#include "offline/far_contexts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_map.h"
#include "common/base/lp_order.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"
#include "engine/job/chunk_times.h"
#include "engine/read/threads.h"
#include "engine/read/view.h"
#include "offline/crew_read.h"

#include <stdlib.h>

// --- Choosing beforehand

// far_throttle decides context-throttle for a whole session in advance, exactly as the engine does
// chunk by chunk (engine/decide/decide.h): the same seconds with the same contexts in the
// same order. So dropped contexts need no rows, and chunks know whether a context that lasts far
// beyond them matters.
//
//   add 0   add 1   add 2   ...    all contexts of types with the setting, chunk by chunk
//           turn 0  turn 1  ...    each as soon as the chunk's look-ahead is complete
//
// Memory: 32 bytes for each undecided context; over the whole session a bit for each context, and
// 40 bytes for each chunk.
//
// Unlike in the engine, the end of judged is not raised to that of frame->sampled. It is earlier
// only if times are absurd, and nothing else chooses among these contexts.
//
// An engine that sees only one chunk and its look-ahead chooses the same, unless a context is open
// at the end of the look-ahead (test_far_contexts compares both). So a context that is too late
// there is too late here.

// A chunk whose turn it is.
typedef struct turn {
    far_throttle *throttle;
    size_t end; // behind the chunks that it may read
    compact_window judged;
    int64_t latest_ticks; // chunks that start later do not count
    far_offer *taken;     // the offers decided now, by quota
    size_t *ends;         // by quota: where its offers end in taken
} turn;

// --- Adding

// far_throttle_add_chunk adds the next chunk; NULL for an unreadable one.
// Errors: LP_ENOMEM
static lp_err
far_throttle_add_chunk(far_throttle *throttle, compact_view *view)
{
    far_chunk *chunk = LP_VEC_PUSH(&throttle->chunks);
    LP_REQUIRE(chunk != NULL, LP_ENOMEM);
    *chunk = (far_chunk){0};
    throttle->type_quotas = NULL;
    if (view == NULL) {
        return LP_OK;
    }
    chunk->start_ticks = view->info.start_ticks;
    chunk->start_wall_ns = view->info.start_wall_ns;
    chunk->ticks_per_s = view->info.ticks_per_s;
    throttle->quotas.is_of_contexts = true;
    throttle->type_quotas = compact_throttles_map(&throttle->quotas, view->schema, &view->arena);
    return throttle->type_quotas == NULL ? LP_ENOMEM : LP_OK;
}

// far_throttle_offer adds the context of a row of the last added chunk. Add all rows in their
// order. *out_number becomes its number among the offers of the chunk, or FAR_NOT_OFFERED if its
// type lacks the setting. Errors: LP_ENOMEM
static lp_err
far_throttle_offer(far_throttle *throttle, const compact_view *view, const compact_span *span,
    uint32_t *out_number)
{
    far_chunk *chunk = &throttle->chunks.items[throttle->chunks.count - 1];
    uint32_t quota = throttle->type_quotas[compact_view_event(view, span->offset).type];
    *out_number = FAR_NOT_OFFERED;
    if (quota == LP_MAP_NONE) {
        return LP_OK;
    }
    far_offer *offer = LP_VEC_PUSH(&throttle->offers);
    LP_REQUIRE(offer != NULL, LP_ENOMEM);
    *out_number = (uint32_t)chunk->chosen.count++;
    *offer = (far_offer){
        .begin = span->begin,
        .commit = span->commit,
        .chunk = throttle->chunks.count - 1,
        .number = *out_number,
        .quota = quota,
    };
    return LP_OK;
}

// --- The time of a turn

// border_of returns where the chunk ends whose turn it is: where the next one starts that can be
// read, or behind all that it has.
static int64_t
border_of(const turn *now)
{
    const far_throttle *t = now->throttle;
    for (size_t i = t->turn + 1; i < now->end; i++) {
        if (t->chunks.items[i].ticks_per_s > 0) {
            return t->chunks.items[i].start_ticks;
        }
    }
    int64_t border = t->chunks.items[t->turn].start_ticks;
    for (size_t i = 0; i < t->offers.count; i++) {
        const far_offer *offer = &t->offers.items[i];
        border = offer->chunk == t->turn && offer->commit > border ? offer->commit : border;
    }
    return border;
}

static void
find_times(turn *now)
{
    far_throttle *t = now->throttle;
    const far_chunk *chunk = &t->chunks.items[t->turn];
    bool is_first = !t->has_clock;
    if (is_first || t->clock.ticks_per_s != chunk->ticks_per_s) {
        t->clock = (compact_clock){chunk->start_wall_ns, chunk->start_ticks, chunk->ticks_per_s};
    }
    t->has_clock = true;
    now->judged = compact_frame_judged(
        &t->clock, is_first, chunk->start_ticks, border_of(now), 0, &t->judged_end_ns);
    __int128 lateness = (__int128)COMPACT_LATENESS_MS * chunk->ticks_per_s / 1000;
    __int128 latest = now->judged.hi + lateness;
    now->latest_ticks = latest < INT64_MAX ? (int64_t)latest : INT64_MAX;
}

// --- Deciding

static lp_err
decide(far_throttle *t, const far_offer *offer, bool is_chosen)
{
    far_chunk *chunk = &t->chunks.items[offer->chunk];
    if (chunk->bits == NULL) { // all of its offers are known now
        chunk->chosen.bits = chunk->bits = calloc(chunk->chosen.count / 64 + 1, sizeof(uint64_t));
    }
    LP_REQUIRE(chunk->bits != NULL, LP_ENOMEM);
    chunk->bits[offer->number / 64] |= (uint64_t)is_chosen << (offer->number % 64);
    return LP_OK;
}

// far_throttle_is_chosen returns whether an offer of a chunk was chosen, once all are decided.
static bool
far_throttle_is_chosen(const far_throttle *throttle, size_t chunk, uint32_t number)
{
    const compact_chosen *chosen = &throttle->chunks.items[chunk].chosen;
    LP_ASSERT(number < chosen->count);
    return (chosen->bits[number / 64] >> (number % 64) & 1) != 0;
}

// is_before returns whether x comes before y, which is of the same quota.
static inline bool
is_before(const far_offer *x, const far_offer *y)
{
    if (x->commit != y->commit || x->begin != y->begin) {
        return x->commit != y->commit ? x->commit < y->commit : x->begin > y->begin;
    }
    return x->chunk != y->chunk ? x->chunk < y->chunk : x->number < y->number;
}

LP_SORT_DEFINE(sort_offers, far_offer, is_before)

// decide_quota decides the offers of a quota, slot by slot.
static lp_err
decide_quota(far_throttle *t, compact_sampler *sampler, far_offer *offers, size_t count)
{
    far_offer *spare = malloc((count / 2 + 1) * sizeof(*spare));
    bool *is_chosen = malloc((count + 1) * sizeof(*is_chosen));
    lp_err err = spare == NULL || is_chosen == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK) {
        sort_offers(offers, count, spare);
    }
    compact_slots slots = COMPACT_SLOTS(sampler, &t->clock, offers, count);
    while (err == LP_OK && compact_slots_next(&slots)) {
        compact_throttles_choose(sampler, slots.slot, slots.end - slots.begin, 0, is_chosen);
        for (size_t i = slots.begin; i < slots.end && err == LP_OK; i++) {
            err = decide(t, &offers[i], is_chosen[i - slots.begin]);
        }
    }
    free(spare);
    free(is_chosen);
    return err;
}

// is_taken returns whether an offer is decided in its slot now.
static inline bool
is_taken(const turn *now, const far_offer *offer)
{
    const far_throttle *t = now->throttle;
    return offer->chunk < now->end && compact_window_has(&now->judged, offer->commit) &&
           (offer->chunk == t->turn ||
               t->chunks.items[offer->chunk].start_ticks <= now->latest_ticks);
}

// make_room allocates the decided offers by quota.
static lp_err
make_room(turn *now)
{
    const far_throttle *t = now->throttle;
    now->ends = calloc(t->quotas.items.count + 1, sizeof(*now->ends));
    for (size_t i = 0; now->ends != NULL && i < t->offers.count; i++) {
        const far_offer *offer = &t->offers.items[i];
        now->ends[offer->quota] += is_taken(now, offer);
    }
    if (now->ends != NULL) {
        size_t count = lp_prefix_sum(now->ends, t->quotas.items.count);
        now->taken = malloc((count + 1) * sizeof(*now->taken));
    }
    return now->taken == NULL ? LP_ENOMEM : LP_OK;
}

// sort_out moves the offers that this chunk decides out of the list, and rejects those that came
// too late.
static lp_err
sort_out(turn *now)
{
    far_throttle *t = now->throttle;
    lp_err err = make_room(now);
    size_t left = 0;
    for (size_t i = 0; i < t->offers.count && err == LP_OK; i++) {
        const far_offer *offer = &t->offers.items[i];
        if (is_taken(now, offer)) {
            now->taken[now->ends[offer->quota]++] = *offer;
        } else if (offer->chunk == t->turn) {
            compact_sampler *sampler = &t->quotas.items.items[offer->quota].sampler;
            err = decide(t, offer, compact_sampler_keep_late(sampler));
        } else {
            t->offers.items[left++] = *offer;
        }
    }
    t->offers.count = left;
    return err;
}

static lp_err
take_turn(far_throttle *t, size_t end)
{
    if (t->chunks.items[t->turn].ticks_per_s == 0) {
        return LP_OK;
    }
    turn now = {.throttle = t, .end = end};
    find_times(&now);
    lp_err err = sort_out(&now);
    size_t begin = 0;
    for (size_t i = 0; i < t->quotas.items.count && err == LP_OK; i++) {
        compact_sampler *sampler = &t->quotas.items.items[i].sampler;
        err = decide_quota(t, sampler, now.taken + begin, now.ends[i] - begin);
        begin = now.ends[i];
    }
    free(now.taken);
    free(now.ends);
    return err;
}

// far_throttle_take_turns decides every chunk whose look-ahead is complete. ends has the end of
// each chunk's look-ahead (reach.h); first is the session's first chunk.
// Errors: LP_ENOMEM
static lp_err
far_throttle_take_turns(far_throttle *throttle, const size_t *ends, size_t first)
{
    lp_err err = LP_OK;
    while (err == LP_OK && throttle->turn < throttle->chunks.count &&
           ends[first + throttle->turn] <= first + throttle->chunks.count) {
        size_t end = ends[first + throttle->turn] - first;
        err = take_turn(throttle, end);
        throttle->turn++;
    }
    return err;
}

static void
far_throttle_fini(far_throttle *throttle)
{
    compact_throttles_fini(&throttle->quotas);
    LP_VEC_FINI_EACH(&throttle->chunks, free(at->bits));
    LP_VEC_FINI(&throttle->offers);
    *throttle = (far_throttle){0};
}

// --- The contexts

// Chunks whose reach ends before C need the contexts that are stored in chunk C. N is the last of
// those chunks, and contexts that began after the events of N are not needed. So only few are kept:
// those that began some seconds before C, or long before. As the chunks of a session ask in their
// order, contexts are added and removed once.

// A context that was found in the session, on a thread that no chunk has described yet.
struct unknown {
    size_t index; // into found
    uint64_t key;
};

// The state of the first pass.
typedef struct reader {
    const pipeline_input *in;
    far_contexts *out;
    lp_map known; // key of a thread to an index of identities, in the session
    LP_VEC(uint64_t) identities;
    LP_VEC(struct unknown) unknown;
    lp_err err;
} reader;

// --- Needs

// start_of returns the start of the first readable chunk of [index, end); INT64_MIN if there is
// none.
static int64_t
start_of(const chunk_reach *reach, size_t index, size_t end)
{
    size_t next = reach->starts[index].next;
    return next < end ? reach->starts[next].ticks : INT64_MIN;
}

// need_nothing is for sessions in which nothing is selected by context.
static void
need_nothing(far_contexts *c, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        c->needs[i] = c->limits[i] = INT64_MIN;
    }
}

// find_needs sets needs for the chunks of a session.
static void
find_needs(far_contexts *c, size_t begin, size_t end)
{
    int64_t latest = INT64_MIN;
    for (size_t i = begin; i < end; i++) {
        int64_t start = start_of(c->reach, c->reach->ends[i], end);
        latest = start > latest ? start : latest;
        c->needs[i] = start == INT64_MIN ? INT64_MIN : latest;
    }
}

// find_limits finds what others need of the chunks of a session.
static void
find_limits(far_contexts *c, size_t begin, size_t end)
{
    size_t passed = begin; // the reach of earlier chunks ends before i
    for (size_t i = begin; i < end; i++) {
        while (passed < i && c->reach->ends[passed] <= i) {
            passed++;
        }
        c->limits[i] = passed == begin ? INT64_MIN : c->needs[passed - 1];
    }
}

static lp_err
find_sessions(far_contexts *c, const pipeline_input *in)
{
    for (size_t i = 0; i < in->count;) {
        size_t begin = i;
        for (i++; i < in->count && in->chunks[i - 1].goes_on; i++) {
        }
        far_session *s = LP_VEC_PUSH(&c->sessions);
        LP_REQUIRE(s != NULL, LP_ENOMEM);
        s->begin = begin;
        s->end = i;
        if (policy_selects_by_context(in->options->policy)) {
            find_needs(c, begin, i);
            find_limits(c, begin, i);
        } else {
            need_nothing(c, begin, i);
        }
    }
    return LP_OK;
}

// session_of returns the session of a chunk.
static far_session *
session_of(const far_contexts *c, size_t index)
{
    size_t low = LP_BISECT(c->sessions.items, 0, c->sessions.count, at->end <= index);
    LP_ASSERT(low < c->sessions.count);
    return &c->sessions.items[low];
}

// is_read returns whether anything of a chunk's session is needed.
static bool
is_read(const far_contexts *c, size_t index)
{
    const far_session *s = session_of(c, index);
    return c->limits[s->end - 1] != INT64_MIN || (c->has_throttles && s->end - s->begin > 1);
}

// --- Threads

// forget_threads starts with a session's first chunk.
static void
forget_threads(reader *r)
{
    lp_map_fini(&r->known);
    r->identities.count = 0;
    r->unknown.count = 0;
}

// learn notes the threads that a chunk describes.
static void
learn(reader *r, const compact_view *view)
{
    for (size_t i = 0; i < view->threads.count && r->err == LP_OK; i++) {
        const compact_thread *thread = &view->threads.items[i];
        if (!compact_identity_is_known(thread->identity) ||
            compact_threads_find(view, thread->key) != i) { // no second constant
            continue;
        }
        uint32_t index = lp_map_find(&r->known, thread->key);
        if (index != LP_MAP_NONE) {
            r->identities.items[index] = thread->identity;
            continue;
        }
        LP_THEN(r->err, LP_VEC_ADD(&r->identities, thread->identity));
        LP_THEN(r->err, lp_map_put(&r->known, thread->key, (uint32_t)(r->identities.count - 1)));
    }
}

// identify returns the identity of a thread: of a key that its chunk does not describe, the one
// that it had last.
static uint64_t
identify(const reader *r, const compact_thread *thread)
{
    uint32_t index = compact_identity_is_known(thread->identity)
                         ? LP_MAP_NONE
                         : lp_map_find(&r->known, thread->key);
    return index == LP_MAP_NONE ? thread->identity : r->identities.items[index];
}

// settle_unknown sets the identities of threads that the last chunk has described.
static void
settle_unknown(reader *r, far_session *s)
{
    size_t left = 0;
    for (size_t i = 0; i < r->unknown.count; i++) {
        const struct unknown *unknown = &r->unknown.items[i];
        uint32_t index = lp_map_find(&r->known, unknown->key);
        if (index != LP_MAP_NONE) {
            s->found.items[unknown->index].interval.thread = r->identities.items[index];
        } else {
            r->unknown.items[left++] = *unknown;
        }
    }
    r->unknown.count = left;
}

// --- Reading

static void
add_context(
    reader *r, far_session *s, size_t chunk, const compact_thread *thread, far_context found)
{
    found.interval.thread = identify(r, thread);
    found.chunk = (uint32_t)(chunk - s->begin);
    if (!compact_identity_is_known(found.interval.thread)) {
        LP_THEN(r->err, LP_VEC_ADD(&r->unknown, (struct unknown){s->found.count, thread->key}));
    }
    LP_THEN(r->err, LP_VEC_ADD(&s->found, found));
}

// add_contexts adds the contexts that others need, and offers all.
static void
add_contexts(reader *r, far_session *s, size_t chunk, const compact_view *view)
{
    for (size_t i = 0; r->err == LP_OK && i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t number = FAR_NOT_OFFERED;
        if (r->out->has_throttles) {
            r->err = far_throttle_offer(&s->throttle, view, span, &number);
        }
        if (span->thread != COMPACT_NO_THREAD && span->begin < r->out->limits[chunk]) {
            add_context(r, s, chunk, &view->threads.items[span->thread],
                (far_context){
                    .interval = {.begin = span->begin, .end = span->commit}, .number = number});
        }
    }
}

static lp_err
add_chunk(void *arg, size_t index, compact_view *view)
{
    reader *r = arg;
    far_session *s = session_of(r->out, index);
    if (index == s->begin) {
        forget_threads(r);
    }
    if (view != NULL) {
        learn(r, view);
        settle_unknown(r, s);
    }
    if (r->err == LP_OK && r->out->has_throttles) {
        r->err = far_throttle_add_chunk(&s->throttle, view);
    }
    if (view != NULL) {
        add_contexts(r, s, index, view);
    }
    if (r->err == LP_OK && r->out->has_throttles) {
        r->err = far_throttle_take_turns(&s->throttle, r->out->reach->ends, s->begin);
    }
    return r->err;
}

static lp_err
read_chunk(void *arg, size_t index, compact_schema *like, compact_view *view)
{
    const reader *r = arg;
    return is_read(r->out, index)
               ? compact_view_open_contexts(view, r->in->chunks[index].jfr, r->in->options->policy,
                     r->out->has_throttles ? INT64_MAX : r->out->limits[index], like)
               : LP_ECORRUPT; // as if it could not be read
}

static void
release_chunk(void *arg, size_t index)
{
    const reader *r = arg;
    r->in->release(r->in->arg, index);
}

LP_COMPARE(compare_begins, far_context, LP_ORDER(one->interval.begin, other->interval.begin))

static lp_err
read_all(far_contexts *c, const pipeline_input *in)
{
    reader r = {.in = in, .out = c};
    const crew_reader how = {
        .count = in->count,
        .read = read_chunk,
        .add = add_chunk,
        .release = release_chunk,
        .arg = &r,
    };
    lp_err err = crew_read(&how, in->threads);
    for (size_t i = 0; i < c->sessions.count; i++) {
        far_session *s = &c->sessions.items[i];
        LP_QSORT(s->found.items, s->found.count, compare_begins);
    }
    lp_map_fini(&r.known);
    LP_VEC_FINI(&r.identities);
    LP_VEC_FINI(&r.unknown);
    return err;
}

lp_err
far_contexts_find(const pipeline_input *in, const chunk_reach *reach, far_contexts *out_contexts)
{
    LP_ASSERT(in->options != NULL && in->count < UINT32_MAX);
    *out_contexts = (far_contexts){
        .reach = reach,
        .needs = calloc(in->count + 1, sizeof(*out_contexts->needs)),
        .limits = calloc(in->count + 1, sizeof(*out_contexts->limits)),
        .has_throttles = policy_samples_contexts(in->options->policy),
    };
    LP_REQUIRE(out_contexts->needs != NULL && out_contexts->limits != NULL, LP_ENOMEM);
    lp_err err = find_sessions(out_contexts, in);
    return err == LP_OK ? read_all(out_contexts, in) : err;
}

// --- Lending

static bool
matters(const far_session *s, const far_context *context)
{
    return context->number == FAR_NOT_OFFERED ||
           far_throttle_is_chosen(&s->throttle, context->chunk, context->number);
}

// meet makes the contexts active that began before a time, if they matter.
static lp_err
meet(far_session *s, int64_t before)
{
    for (; s->met < s->found.count && s->found.items[s->met].interval.begin < before; s->met++) {
        if (!matters(s, &s->found.items[s->met])) {
            continue;
        }
        LP_TRY(LP_VEC_ADD(&s->active, s->found.items[s->met]));
    }
    return LP_OK;
}

lp_err
far_contexts_take(far_contexts *contexts, size_t index, compact_frame *frame)
{
    far_session *s = session_of(contexts, index);
    if (contexts->needs[index] == INT64_MIN) {
        return LP_OK;
    }
    lp_err err = meet(s, contexts->needs[index]);
    s->lent.count = 0;
    LP_REQUIRE(err == LP_OK && LP_VEC_RESERVE(&s->lent, s->active.count), LP_ENOMEM);
    size_t left = 0;
    for (size_t i = 0; i < s->active.count; i++) {
        if (s->begin + s->active.items[i].chunk >= contexts->reach->ends[index]) {
            s->lent.items[left] = s->active.items[i].interval;
            s->active.items[left++] = s->active.items[i];
        }
    }
    s->active.count = s->lent.count = left;
    frame->far = s->lent.items;
    frame->far_count = left;
    return LP_OK;
}

const compact_chosen *
far_contexts_chosen(const far_contexts *contexts, size_t index)
{
    if (!contexts->has_throttles || !is_read(contexts, index)) {
        return NULL;
    }
    const far_session *s = session_of(contexts, index);
    const far_chunk *chunk = &s->throttle.chunks.items[index - s->begin];
    return chunk->ticks_per_s == 0 ? NULL : &chunk->chosen;
}

void
far_contexts_fini(far_contexts *contexts)
{
    for (size_t i = 0; i < contexts->sessions.count; i++) {
        LP_VEC_FINI(&contexts->sessions.items[i].found);
        LP_VEC_FINI(&contexts->sessions.items[i].active);
        LP_VEC_FINI(&contexts->sessions.items[i].lent);
        far_throttle_fini(&contexts->sessions.items[i].throttle);
    }
    LP_VEC_FINI(&contexts->sessions);
    free(contexts->needs);
    free(contexts->limits);
    *contexts = (far_contexts){0};
}
