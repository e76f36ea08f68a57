// SPDX-License-Identifier: Apache-2.0
// run: a query over chunks. It calls on_context for each context that a selection wants, with the
// events in it and the time that counts for each.
//
// Each session is read twice, chunk by chunk: first its contexts (contexts.h), then the events that
// lie in wanted ones, in the chunks that have such. A context is answered as soon as no later chunk
// can have anything of it, so only what lies in contexts that are not answered is remembered.
// Chunks are opened one at a time (sources.h), and those that are known to have nothing wanted are
// not opened.
//
// One query may ask for two selections, the second of which is a base to compare with: each answer
// says whose it is. It is the same as in a query for one of them alone.
//
// Of requests (requests.h) the events are those in their stays, and request_times.h divides the
// time. A request is answered once, when nothing of its stays can come any more.
//
// An event is in a context if that applies to it, as when contexts are eliminated
// (docs/internals/elimination.md): it was committed on its thread, while the context was open. A
// pause of the JVM is in the contexts of all threads that were open when it ended. How the time of
// a context is divided among them: time_split.h.
//
// Threads: one thread at a time; is_cancelled may be set by any.
// Memory:  that of a chunk (chunk.h), of the contexts of a session (contexts.h), and of the events
//          that are remembered (rows.h), which are QUERY_ROWS_MAX; 12 bytes for each context, and
//          some 80 for each thread that has one, with room for 16 events while it has any. Of a
//          request some 250 bytes for each event in it, while it is answered.

#ifndef LP_QUERY_RUN_H
#define LP_QUERY_RUN_H

#include "query/frames/stacks.h"
#include "query/run/contexts.h"
#include "query/run/rows.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_ROWS_MAX = 1 << 22 }; // events that are remembered at once; further ones are left out

// A context with what happened in it. Everything is lent until on_context returns. `event` of a
// span indexes rows or pause_rows.
typedef struct query_answer {
    const query_contexts *contexts; // of its session
    const query_context *context;   // of a request: as far as it has such things (request_rows.h)
    const query_request *request;   // NULL: the selection is of another unit
    ctx_ref ref;                    // what it is called
    uint8_t in;                     // QUERY_IN_.. bits: whose it is
    uint32_t source;       // index of the chunk that has its event, or that of its last part
    uint32_t first_source; // of its session: chunks of rows count from there
    jfr_clock clock;       // of its times, and of those of spans
    int64_t begin_wall_ns;
    int64_t duration_ns;
    const query_row *rows; // in the order of their ends; those of a request stay by stay
    size_t row_count;
    const time_span *spans; // one for each row
    const query_row *pause_rows;
    const time_span *pauses;
    size_t pause_count;
    int64_t left_ns;                         // in which nothing is known to have gone on
    const query_known_attribute *attributes; // where they are asked for
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
    const query_sources *sources; // those that the selections' service, instance, recording name
    const query_selection *selection;
    const query_selection *base; // NULL: none
    bool contexts_only;          // the events in contexts are not asked for: there are no rows
    bool wants_frames;
    const char *packages; // of the application, for frames (application.h); NULL: none are given
    bool wants_thread_names;
    bool wants_bytes;     // that were allocated
    bool wants_parts;     // of requests: contexts->parts
    query_stacks *stacks; // NULL: stack traces are not asked for
    // Whether a row is remembered, of which all but its stack trace is known. Without it the time
    // of a context cannot be divided. NULL: all are.
    bool (*wants_row)(const query_row *row);
    // Where stacks is there: whether that of a row is asked for, of which all else is known.
    bool (*wants_stack)(const query_row *row);
    query_attributes *attributes; // NULL: attributes are not asked for
    // Each returns LP_OK, or ends the query with what it returns.
    lp_err (*on_context)(void *arg, const query_answer *answer);
    // Where not NULL: whether the events in a context are asked for. One in which they are not is
    // answered without rows, before those of its session in which they are.
    bool (*wants_events)(void *arg, int64_t begin_wall_ns, int64_t duration_ns);
    // Where not NULL: the contexts of a session are known, whose first source it is. Of contexts it
    // may take what it wants. Nothing is answered then.
    lp_err (*on_session)(void *arg, query_contexts *contexts, size_t first_source);
    // Where not NULL: a chunk cannot be read, and was left out.
    lp_err (*on_unreadable)(void *arg, size_t source, const lp_problem *problem);
    // Where not NULL: a chunk was passed, the done-th of so many steps. Its bytes will not be
    // looked at soon again.
    void (*on_passed)(void *arg, size_t source, size_t done, size_t all);
    void *arg;
    const atomic_bool *is_cancelled; // NULL: never
    const bool *only_sources;        // of query_events_scan, by index: those it reads; NULL: all
} query_question;

// What was said beside the answers.
typedef struct query_outcome {
    uint64_t contexts;          // of the selection that were answered
    uint64_t base_contexts;     // of the base
    bool is_truncated;          // a limit was reached, and something is missing
    uint64_t unreadable_events; // that do not fit their types, and were left out
    uint64_t damaged_places;    // in chunks, whose other parts were read
} query_outcome;

// query_run answers question. names gets the names that answers refer to.
// Errors: LP_ECLOSED it was cancelled; LP_ENOMEM; what on_context or on_unreadable returned; of the
// sources' open, LP_ECLOSED and LP_ENOMEM
LP_MUST_USE lp_err query_run(
    const query_question *question, query_names *names, query_outcome *out_outcome);

#endif // LP_QUERY_RUN_H
