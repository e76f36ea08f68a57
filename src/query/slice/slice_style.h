// SPDX-License-Identifier: Apache-2.0
// slice_style: the chunks of a slice, gathered in a file until all are known, and then written in
// another context style (restyle.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/slice/test_slice.c, tests/e2e/slice.py
// Memory:  24 bytes for each chunk, and what restyle.h says; the file is as large as the slice.

#ifndef LP_QUERY_SLICE_SLICE_STYLE_H
#define LP_QUERY_SLICE_SLICE_STYLE_H

#include "common/base/lp_vec.h"
#include "engine/restyle.h"

#include <stdatomic.h>
#include <stdint.h>

// Where chunks go to.
typedef struct query_slice_output {
    lp_err (*spill)(void *arg, lp_slice bytes, int *fd); // as query_slice has it
    lp_err (*on_chunk)(void *arg, const compact_result *chunk);
    void *arg;
    const atomic_bool *is_cancelled; // NULL: never
} query_slice_output;

typedef struct query_slice_styler {
    query_slice_output output;
    compact_restyler *restyler; // NULL: the slice has contexts as events
    int fd;                     // -1: nothing was gathered
    uint64_t bytes;             // in the file
    LP_VEC(struct query_slice_gathered {
        uint64_t offset; // in the file
        uint64_t events;
        uint32_t size_bytes;
        uint32_t session;
    })
    chunks; // in the order of the slice
} query_slice_styler;

// query_slice_styler_open makes a styler, which has a restyler only if style is not
// COMPACT_STYLE_EVENTS.
// Owns:   the caller ends *styler with query_slice_styler_close, also after an error.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_slice_styler_open(
    query_slice_styler *styler, compact_context_style style, const query_slice_output *output);
void query_slice_styler_close(query_slice_styler *styler);

// query_slice_styler_add gathers a chunk of a session. Errors: LP_ENOMEM; what spill
// returned
LP_MUST_USE lp_err query_slice_styler_add(
    query_slice_styler *styler, uint32_t session, const compact_result *chunk);

// query_slice_styler_write writes all that was gathered, by on_chunk. The statistics of a
// chunk have the events that it had when it was gathered.
// Errors: LP_EIO with errno; LP_ECLOSED it was cancelled; LP_ENOMEM; what on_chunk returned
LP_MUST_USE lp_err query_slice_styler_write(query_slice_styler *styler, lp_problem *out_problem);

#endif // LP_QUERY_SLICE_SLICE_STYLE_H
