// SPDX-License-Identifier: Apache-2.0
// answer: what a query (run.h) tells of a context, or of another unit of a selection.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c

#ifndef LP_QUERY_ANSWER_H
#define LP_QUERY_ANSWER_H

#include "query/run/contexts.h"
#include "query/run/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif // LP_QUERY_ANSWER_H
