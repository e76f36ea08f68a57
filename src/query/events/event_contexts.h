// SPDX-License-Identifier: Apache-2.0
// event_contexts: the context of each event of a list: the innermost context of its thread that was
// open when the event was committed. The context of a contextual event is the event itself. Pauses
// of the JVM, which concern all threads, and events about requests or settings have no context.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  88 bytes for each context that was open during listed events, in the sessions of these
//          events; at most QUERY_EVENT_CONTEXTS_MAX contexts.

#pragma once

#include "query/list/listing.h"

enum { QUERY_EVENT_CONTEXTS_MAX = 1 << 20 }; // the contexts of further sessions are unknown

// {0} is empty.
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

// query_event_contexts_read reads the contexts around the events of a finished list, which is not
// empty. Borrows names until query_event_contexts_fini. Errors: as query_run
LP_MUST_USE lp_err query_event_contexts_read(query_event_contexts *self,
    const query_listing *listing, const query_sources *sources, query_names *names,
    const atomic_bool *is_cancelled);

// query_event_contexts_find returns the id of an event's context; all zeros if the event has no
// context. chunk is the open chunk of source, and has the event.
ctx_ref query_event_contexts_find(
    const query_event_contexts *self, size_t source, query_chunk *chunk, const query_event *event);
