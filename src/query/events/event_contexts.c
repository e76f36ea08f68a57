// SPDX-License-Identifier: Apache-2.0
#include "query/events/event_contexts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_find.h"
#include "common/base/lp_time.h"

enum { CLOCK_SLACK_NS = 1000000000 }; // clocks of chunks may differ by it

void
query_event_contexts_fini(query_event_contexts *self)
{
    for (size_t i = 0; i < self->sessions.count; i++) {
        LP_VEC_FINI(&self->sessions.items[i].contexts);
        query_threads_fini(&self->sessions.items[i].threads);
    }
    LP_VEC_FINI(&self->sessions);
}

static void
contexts_check(const query_event_contexts *self)
{
    LP_ASSERT(self->count <= QUERY_EVENT_CONTEXTS_MAX);
    LP_ASSERT(self->sessions.count == 0 || self->names != NULL);
}

// --- Reading

typedef struct reading {
    query_event_contexts *self;
    const query_listing *listing;
} reading;

static bool
has_events(const query_listing *listing, size_t first_source, size_t source_count)
{
    return LP_FIND(listing->items.items, listing->items.count,
               at->source >= first_source && at->source < first_source + source_count) != NULL;
}

static lp_err
on_session(void *arg, query_contexts *contexts, size_t first_source)
{
    const reading *r = arg;
    query_event_contexts *self = r->self;
    size_t count = contexts->items.count;
    self->is_truncated |= contexts->is_truncated;
    if (!has_events(r->listing, first_source, contexts->chunks.count)) {
        return LP_OK;
    }
    if (count > QUERY_EVENT_CONTEXTS_MAX - self->count) {
        self->is_truncated = true;
        return LP_OK;
    }
    const struct query_event_session added = {
        .first_source = first_source,
        .source_count = contexts->chunks.count,
        .contexts = contexts->items,
        .threads = contexts->threads,
    };
    LP_TRY(LP_VEC_ADD(&self->sessions, added));
    self->count += count;
    contexts->items = (query_context_list){0};
    contexts->threads = (query_threads){0};
    return LP_OK;
}

// around returns the selection of the contexts that were open when an event was committed.
static query_selection
around(const query_listing *listing)
{
    query_selection all = query_selection_begin(false);
    int64_t first_ns = INT64_MAX;
    int64_t last_ns = INT64_MIN;
    for (size_t i = 0; i < listing->items.count; i++) {
        const query_listed *item = &listing->items.items[i];
        int64_t commit_ns = lp_time_add(item->begin_wall_ns, item->duration_ns);
        first_ns = commit_ns < first_ns ? commit_ns : first_ns;
        last_ns = commit_ns > last_ns ? commit_ns : last_ns;
    }
    all.ended_wall_ns = lp_time_add(first_ns, -CLOCK_SLACK_NS);
    all.to_wall_ns = lp_time_add(last_ns, CLOCK_SLACK_NS);
    return all;
}

lp_err
query_event_contexts_read(query_event_contexts *self, const query_listing *listing,
    const query_sources *sources, query_names *names, const atomic_bool *is_cancelled)
{
    contexts_check(self);
    LP_ASSERT(listing->items.count > 0);
    LP_ASSERT(self->sessions.count == 0);
    const query_selection selection = around(listing);
    reading r = {self, listing};
    query_outcome outcome;
    const query_question question = {.sources = sources,
        .selection = &selection,
        .contexts_only = true,
        .on_session = on_session,
        .arg = &r,
        .is_cancelled = is_cancelled};
    self->names = names;
    lp_err err = query_run(&question, names, &outcome);
    self->is_truncated |= outcome.is_truncated;
    return err;
}

// --- Looking

static const struct query_event_session *
find_session(const query_event_contexts *self, size_t source)
{
    return LP_FIND(self->sessions.items, self->sessions.count,
        source >= at->first_source && source < at->first_source + at->source_count);
}

// find_behind returns the first context of a later thread, or that begins on this thread after
// ticks.
static size_t
find_behind(const query_context_list *contexts, uint64_t thread, int64_t ticks)
{
    return LP_BISECT(contexts->items, 0, contexts->count,
        at->thread < thread || (at->thread == thread && at->begin <= ticks));
}

// is_of returns whether an event is the context or one of its parts.
static bool
is_of(const query_context *context, uint32_t chunk_index, const query_chunk *chunk,
    const query_event *event)
{
    if (context->id != 0) {
        return context->type == event->type->name &&
               context->id == query_chunk_context_id(chunk, event);
    }
    return context->chunk == chunk_index && context->offset == event->offset;
}

ctx_ref
query_event_contexts_find(
    const query_event_contexts *self, size_t source, query_chunk *chunk, const query_event *event)
{
    contexts_check(self);
    LP_ASSERT(self->names != NULL); // set by query_event_contexts_read
    const struct query_event_session *session = find_session(self, source);
    uint64_t thread = query_chunk_identity(chunk, event);
    bool is_context = event->type->role == QUERY_ROLE_CONTEXT;
    bool is_event = event->type->role == QUERY_ROLE_EVENT && event->type->of.scope != TIME_IN_JVM;
    if (session == NULL || thread == QUERY_NO_THREAD || !(is_context || is_event)) {
        return (ctx_ref){0};
    }
    uint32_t index = (uint32_t)(source - session->first_source);
    const query_context_list *contexts = &session->contexts;
    thread = query_threads_find(&session->threads, index, event->thread_key, thread);
    for (size_t i = find_behind(contexts, thread, event->commit); i > 0; i--) {
        const query_context *context = &contexts->items[i - 1];
        if (context->thread != thread || context->end_max < event->commit) {
            break;
        }
        bool is_in =
            is_context ? is_of(context, index, chunk, event) : context->end >= event->commit;
        if (is_in) {
            return query_contexts_ref(context, self->names);
        }
    }
    return (ctx_ref){0};
}
