// SPDX-License-Identifier: Apache-2.0
// slice_choice: which events of a session's chunks are in a slice:
//
//   - those that were committed on the thread of a wanted context while it was open;
//   - wanted contexts, and contexts that lie within one on its thread: of contexts of the Loupe API
//     all parts;
//   - if the selection is of requests (requests.h), what is said of contexts applies to the stays
//   of
//     wanted requests; and the events that describe these requests;
//   - if the slice is of what is around, too, pauses of the JVM that were committed while a wanted
//     context was open; and of the threads from which contexts waited for a monitor
//     (jdk.JavaMonitorEnter, previousOwner) events that were committed during the wait, but no
//     contexts;
//   - of chunks that have samples of these, but not their period, the jdk.ActiveSetting by which
//     they have it (periods.h), in whichever chunk that is;
//   - and of chunks that have any of these: jdk.JVMInformation, dev.loupe.Accounting,
//     dev.loupe.Loss, dev.loupe.RequestAccounting, and the jdk.ActiveSetting of their types.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/slice/test_slice.c
// Memory:  48 bytes for each context, 24 for each wait, of which QUERY_SLICE_WAITS_MAX are
//          remembered; that of threads.h and periods.h; 8 bytes for each event of a chunk that is
//          chosen.

#ifndef LP_QUERY_SLICE_SLICE_CHOICE_H
#define LP_QUERY_SLICE_SLICE_CHOICE_H

#include "query/run/contexts.h"
#include "query/slice/slice_spans.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_SLICE_WAITS_MAX = 1 << 20 }; // for monitors, of a session

// What is known of a session when its contexts are. {0} has none.
typedef struct query_slice_session {
    uint64_t context_count; // or the count of requests
    query_threads threads;
    query_periods periods;      // is_needed of those that a chunk without its own has
    query_slice_spans contexts; // when they were open, by thread
    query_slice_spans times;    // when any of them was; the thread is QUERY_NO_THREAD
    query_slice_spans waits;    // by the thread that had the monitor
    query_slice_spans wait_times;
    lp_map requests;                 // has the ids of those that are wanted
    lp_map request_chunks;           // has the indexes of chunks with the latest events of these
    const atomic_bool *is_cancelled; // the caller's; NULL: never
    bool is_truncated;
} query_slice_session;

void query_slice_session_fini(query_slice_session *session);

// query_slice_session_take takes what the slice needs of contexts, which are finished. Without any
// that are wanted, context_count stays 0.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_slice_session_take(query_slice_session *session, query_contexts *contexts);

// query_slice_session_needs returns whether the session's index-th chunk may have chosen events.
// with_waits: of threads that had monitors, too.
bool query_slice_session_needs(const query_slice_session *session, uint32_t index,
    const query_chunk_times *times, bool with_waits);

// query_slice_add_waits adds the waits for monitors in the wanted contexts of the session's
// index-th chunk. Errors: LP_ENOMEM; LP_ECLOSED it was cancelled
LP_MUST_USE lp_err query_slice_add_waits(
    query_slice_session *session, query_chunk *chunk, uint32_t index);

// query_slice_finish_waits puts them in order. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_slice_finish_waits(query_slice_session *session);

// query_slice_add_period makes the period be needed that the chosen samples of the session's
// index-th chunk have, if there are any. The chunk has no period of its own.
// Errors: LP_ENOMEM; LP_ECLOSED it was cancelled
LP_MUST_USE lp_err query_slice_add_period(
    query_slice_session *session, query_chunk *chunk, uint32_t index, bool has_around);

// The chosen events of a chunk. {0} has none.
typedef struct query_slice_choice {
    LP_VEC(uint32_t) offsets; // ascending
    LP_VEC(struct query_slice_described {
        uint32_t offset;
        uint32_t type; // that it is about; JFR_NONE: the JVM
    })
    described; // choice's own: events that are there if others are
} query_slice_choice;

void query_slice_choice_fini(query_slice_choice *choice);

// query_slice_choose makes choice, whatever it was before, that of the session's index-th chunk.
// Errors: LP_ENOMEM; LP_ECLOSED it was cancelled
LP_MUST_USE lp_err query_slice_choose(const query_slice_session *session, query_chunk *chunk,
    uint32_t index, bool has_around, query_slice_choice *choice);

#endif // LP_QUERY_SLICE_SLICE_CHOICE_H
