// SPDX-License-Identifier: Apache-2.0
// event_contexts: which context each event of a list is in: the innermost one of its thread that
// was open when the event was committed. A context is in itself. A pause of the JVM is in none, as
// it is in those of all threads, and so is what describes requests or settings.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  88 bytes for each context that was open during the events of the list, of sessions that
//          have some of them; of these QUERY_EVENT_CONTEXTS_MAX are remembered.

#ifndef LP_QUERY_EVENT_CONTEXTS_H
#define LP_QUERY_EVENT_CONTEXTS_H

#include "query/list/listing.h"

enum { QUERY_EVENT_CONTEXTS_MAX = 1 << 20 }; // of further sessions they are not known

// {0} knows none.
typedef struct query_event_contexts {
    LP_VEC(struct query_event_session {
        size_t first_source;
        size_t source_count;
        query_context_list contexts; // by thread, then begin
        query_threads threads;
    })
    sessions; // in the order of the sources
    size_t count;
    bool is_truncated;
    const query_names *names;
} query_event_contexts;

void query_event_contexts_fini(query_event_contexts *self);

// query_event_contexts_read reads the contexts around the events of a finished list, which has
// some. names are borrowed. Errors: as query_run
LP_MUST_USE lp_err query_event_contexts_read(query_event_contexts *self,
    const query_listing *listing, const query_sources *sources, query_names *names,
    const atomic_bool *is_cancelled);

// query_event_contexts_find returns what the context is called that an event of a source is in; all
// zeros: it is in none.
ctx_ref query_event_contexts_find(
    const query_event_contexts *self, size_t source, query_chunk *chunk, const query_event *event);

#endif // LP_QUERY_EVENT_CONTEXTS_H
