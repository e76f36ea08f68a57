// SPDX-License-Identifier: Apache-2.0
// question: what a query (run.h) reads, and what it tells about each context or request.
//
// Threads: a plain value.
// Tests:   tests/unit/query/run/test_run.c

#pragma once

#include "query/frames/stacks.h"
#include "query/run/contexts.h"
#include "query/run/request_times.h"
#include "query/run/rows.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A context with the events in it. Everything is valid until on_context returns. `event` of a span
// is an index of rows or pause_rows.
typedef struct query_answer {
    const query_contexts *contexts; // of its session

    const query_context *context; // for a request: query_request_context
    const query_request *request; // NULL: the answer is no request
    ctx_ref ref;                  // id
    uint8_t in;                   // QUERY_IN_.. bits of the selections that want it
    uint32_t source;              // with its (last) event
    uint32_t first_source;        // of its session: `chunk` of rows counts from here
    jfr_clock clock;              // of its times and of spans
    int64_t begin_wall_ns;
    int64_t duration_ns;
    const query_row *rows; // by commit time; for a request stay by stay
    size_t row_count;
    const time_span *spans; // one for each row
    // Of a request: its stays, in the order of stays_of (requests.h); the rows begin with
    // span_count of each. NULL: of another unit.
    const query_request_stay *stays;
    const query_row *pause_rows;
    const time_span *pauses;
    size_t pause_count;
    int64_t left_ns;                         // not explained by an event
    const query_known_attribute *attributes; // if the question wants them
    size_t attribute_count;
} query_answer;

// query_answer_is_inner returns whether the context lies within another one of the same selection.
static inline bool
query_answer_is_inner(const query_answer *answer, uint8_t bit)
{
    const query_context *context = answer->context;
    return (bit == QUERY_IN_SELECTION ? context->parent : context->base_parent) != QUERY_NO_CONTEXT;
}

typedef struct query_question {
    const query_sources *sources; // already chosen by service, instance, version and recording
    const query_selection *selection;
    const query_selection *base; // NULL: none
    bool contexts_only;          // without rows
    bool wants_frames;
    const char *packages; // of the application, for frames (application.h); NULL: not given
    bool wants_thread_names;
    bool wants_bytes;     // rows get the allocated bytes
    bool wants_parts;     // of requests: contexts->parts
    query_stacks *stacks; // gets the stack traces; NULL: not wanted
    // Returns whether to keep a row, whose stack trace is not read yet. If rows are left out, times
    // cannot be divided. NULL: keeps all rows.
    bool (*wants_row)(const query_row *row);
    // If stacks is set, returns whether to keep the stack trace of a row.
    bool (*wants_stack)(const query_row *row);
    // NULL, or is called for each kept row of a chunk while its event can be read. It may set
    // fields.
    lp_err (*on_row)(
        void *row_arg, size_t source, query_chunk *chunk, const query_event *event, query_row *row);
    void *row_arg;
    query_attributes *attributes; // gets the attributes; NULL: not wanted
    // Each callback returns LP_OK, or an error that ends the query.
    lp_err (*on_context)(void *arg, const query_answer *answer);
    // NULL, or returns whether to read the events in a context. Contexts whose events are not read
    // are answered first in their session, without rows.
    bool (*wants_events)(void *arg, int64_t begin_wall_ns, int64_t duration_ns);
    // NULL, or gets the finished contexts of a session, and the index of its first source. It may
    // take ownership of members of contexts. If it is set, on_context is not called.
    lp_err (*on_session)(void *arg, query_contexts *contexts, size_t first_source);
    // NULL, or is called each time a chunk is left out because it is unreadable: chunks are read up
    // to twice.
    lp_err (*on_unreadable)(void *arg, size_t source, const lp_problem *problem);
    // NULL, or reports the done-th of `all` steps: the query will not need the source's bytes soon.
    void (*on_passed)(void *arg, size_t source, size_t done, size_t all);
    void *arg;
    const atomic_bool *is_cancelled; // NULL: never
    const bool *only_sources;        // query_events_scan: by index, the sources to read; NULL: all
} query_question;
