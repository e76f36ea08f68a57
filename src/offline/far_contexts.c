// SPDX-License-Identifier: Apache-2.0
#include "offline/far_contexts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_map.h"
#include "engine/read/threads.h"
#include "engine/read/view.h"
#include "offline/crew_read.h"

#include <stdlib.h>

// Design notes
//
// A context that is stored in chunk C is needed by the chunks that do not reach as far as C. The
// last of these is N, and what begins behind the events of N is not needed: so only the few are
// kept that began some seconds before C, or long before. The chunks of a session ask in their
// order, so the contexts come and go once.

// A context that was found in the session, on a thread that no chunk has described yet.
struct unknown {
    size_t index; // into found
    uint64_t key;
};

// What is added to, chunk by chunk.
typedef struct reader {
    const pipeline_input *in;
    far_contexts *out;
    lp_map known; // key of a thread to an index of identities, in the session
    LP_VEC(uint64_t) identities;
    LP_VEC(struct unknown) unknown;
    lp_err err;
} reader;

// --- What is needed

// start_of returns where the first chunk starts that can be read, of those from index up to end;
// INT64_MIN if there is none.
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

// find_needs finds for the chunks of a session what they need of others: what began before that.
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
    size_t passed = begin; // chunks up to here do not reach as far as i
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
        if (s == NULL) {
            return LP_ENOMEM;
        }
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

static void
fail(reader *r)
{
    r->err = LP_ENOMEM;
}

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
    for (size_t i = 0; i < view->threads.count; i++) {
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
        uint64_t *identity = LP_VEC_PUSH(&r->identities);
        if (identity == NULL ||
            lp_map_put(&r->known, thread->key, (uint32_t)(r->identities.count - 1)) != LP_OK) {
            fail(r);
            return;
        }
        *identity = thread->identity;
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
        struct unknown *unknown = LP_VEC_PUSH(&r->unknown);
        if (unknown == NULL) {
            fail(r);
            return;
        }
        *unknown = (struct unknown){s->found.count, thread->key};
    }
    far_context *context = LP_VEC_PUSH(&s->found);
    if (context == NULL) {
        fail(r);
        return;
    }
    *context = found;
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

static int
compare_begins(const void *a, const void *b)
{
    const far_context *x = a;
    const far_context *y = b;
    return (x->interval.begin > y->interval.begin) - (x->interval.begin < y->interval.begin);
}

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
        if (s->found.count > 0) {
            qsort(s->found.items, s->found.count, sizeof(*s->found.items), compare_begins);
        }
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
    if (out_contexts->needs == NULL || out_contexts->limits == NULL) {
        return LP_ENOMEM;
    }
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
        far_context *context = LP_VEC_PUSH(&s->active);
        if (context == NULL) {
            return LP_ENOMEM;
        }
        *context = s->found.items[s->met];
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
    if (err != LP_OK || !LP_VEC_RESERVE(&s->lent, s->active.count)) {
        return LP_ENOMEM;
    }
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
