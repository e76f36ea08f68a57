// SPDX-License-Identifier: Apache-2.0
// run: a query over chunks. It calls on_context for each selected context, with the events in it
// and the time of each event.
//
// The query reads each session twice, chunk by chunk: first the contexts (contexts.h), then the
// events in them. It answers a context as soon as later chunks cannot have events in it, and has
// events in memory only until then. It opens one chunk at a time (sources.h), and skips chunks that
// cannot have anything wanted.
//
// A question may have two selections: the second is a base to compare with. Each answer has the
// bits of the selections that want it. An answer is the same as in a query with only one of the
// selections.
//
// The events of a request (requests.h) are those in its stays, the intervals in which a thread
// worked for it. request_times.h divides its time.
//
// An event is in a context if it was committed on the context's thread while the context was open
// (docs/internals/elimination.md). A pause of the JVM is in all contexts that were open when it
// ended. time_split.h divides the time of a context among its events.
//
// Threads: one thread at a time; any thread may set is_cancelled.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  a chunk (chunk.h), the contexts of a session (contexts.h), their order (answer_order.h),
//          and the events in memory (rows.h). For a request at hand about 250 bytes for each event
//          in it.

#pragma once

#include "query/run/question.h"

#include <stdbool.h>
#include <stdint.h>

// The outcome of a query, besides its answers.
typedef struct query_outcome {
    uint64_t contexts;          // answered contexts of the selection
    uint64_t base_contexts;     // of the base
    bool is_truncated;          // a limit was reached: something is missing
    uint64_t unreadable_events; // shorter than their types say, and left out
    uint64_t damaged_places;    // in chunks that are otherwise readable
} query_outcome;

// query_run answers question. It adds the texts of the answers to names.
// Errors: LP_ECLOSED cancelled; LP_ENOMEM; an error of a callback; LP_ECLOSED or LP_ENOMEM of
//         sources->open
LP_MUST_USE lp_err query_run(
    const query_question *question, query_names *names, query_outcome *out_outcome);
