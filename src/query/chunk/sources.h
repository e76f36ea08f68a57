// SPDX-License-Identifier: Apache-2.0
// sources: the chunks of a query. Their bytes are in memory, or opened while the query reads them.
// A query has at most one chunk open at a time, and none while it answers.
//
// If the caller knows the times of chunks, query_needed_find finds the chunks of a session that may
// have wanted contexts. The answers are the same as from all chunks, except for threads that only
// other chunks describe, and a sampling period that only later chunks set.
//
//   chunk         1        2        3        4        5
//   contexts      ├─ a ─────────┤             ├ d ┤
//                     ├ b ┤    ├ c ┤
//                            from ────── to
//
// - Contexts: JFR writes a context when it ends. So contexts that begin or end after `from` are in
//   the chunk of `from` or in later chunks. Of these, only chunks with contexts that begin before
//   `to` are needed. A context of the Loupe API is written in parts: if a chunk has a part of a
//   context that began earlier (a), the chunks since that begin are needed as well. Otherwise the
//   context would seem to begin with the part.
// - Threads (threads.h): the chunks with events in the range.
// - Requests (requests.h): all chunks from `from` on. Each event that describes a request has
//   the request's begin, and may be in any later chunk.
// - The period of samples: JFR writes this setting when a recording begins and when it changes. So
//   each chunk whose events may count needs the last chunk before it that has the setting.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/chunk/test_sources.c, tests/unit/query/chunk/test_needed.c

#pragma once

#include "common/jfr/jfr_clock.h"
#include "query/chunk/chunk.h"
#include "query/chunk/names.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The selections of a question, as bits.
enum {
    QUERY_IN_SELECTION = 1 << 0,
    QUERY_IN_BASE = 1 << 1, // of a comparison
};

// Bounds of the times in a chunk, in ns since 1970 by its own clock. They may be wide.
typedef struct query_source_times {
    int64_t commit_min_wall_ns; // of events; INT64_MIN: unknown
    int64_t commit_max_wall_ns; // INT64_MAX: unknown
    // The earliest begin of contexts. For a part of a context of the Loupe API it is the begin of
    // the first part, in any chunk. INT64_MIN: unknown. INT64_MAX: no context can be wanted.
    int64_t begin_min_wall_ns;
} query_source_times;

// How far the clocks of a session's chunks are ahead of the clock of its first chunk.
typedef struct query_drift {
    int64_t min_ns;
    int64_t max_ns;
} query_drift;

// A chunk. Everything is borrowed.
typedef struct query_source {
    lp_slice bytes;   // empty: query_sources.open provides them
    uint32_t session; // its chunks are adjacent, in order of time
    // QUERY_IN_.. bits of the selections whose service, instance, version and recording match;
    // 0 means all selections.
    uint8_t in;
    // The clock of the session's first chunk. NULL: that chunk is the session's first source, and
    // all sources of the session are needed.
    const jfr_clock *clock;
    query_drift drift; // of the session's sources with has_times
    bool has_times;    // times is set
    query_source_times times;
    // It has, or may have, a setting of the sampling period. Later chunks without one need it.
    bool has_period;
} query_source;

// query_source_may_have returns whether a chunk may have events that were committed in
// [from_wall_ns, to_wall_ns).
static inline bool
query_source_may_have(const query_source *source, int64_t from_wall_ns, int64_t to_wall_ns)
{
    return !source->has_times || (source->times.commit_max_wall_ns >= from_wall_ns &&
                                     source->times.commit_min_wall_ns < to_wall_ns);
}

typedef struct query_sources {
    const query_source *items;
    size_t count;
    // NULL if all sources have bytes. open lends the bytes of a source until release. Errors:
    // LP_ENOMEM and LP_ECLOSED end the query; any other: the chunk is unreadable, for the reason in
    // *out_problem.
    lp_err (*open)(void *arg, size_t source, lp_slice *out_bytes, lp_problem *out_problem);
    void (*release)(void *arg, size_t source, lp_slice bytes);
    void *arg;
} query_sources;

// query_sources_open opens a chunk.
// Errors: of query_chunk_open and of sources->open, with the reason in *out_problem
LP_MUST_USE lp_err query_sources_open(const query_sources *sources, size_t source,
    query_names *names, query_chunk *out_chunk, lp_problem *out_problem);

// query_sources_next opens one of several chunks, as query_chunk_open_again. *like is the schema of
// the previous chunk, or NULL; the caller releases the last schema. Sets *out_is_open to false and
// returns LP_OK, with the reason in *out_problem, if the chunk is unreadable.
// Errors: LP_ENOMEM, LP_ECLOSED
LP_MUST_USE lp_err query_sources_next(const query_sources *sources, size_t source,
    query_names *names, bool is_chained, compact_schema **like, query_chunk *out_chunk,
    bool *out_is_open, lp_problem *out_problem);

void query_sources_close(const query_sources *sources, size_t source, query_chunk *chunk);

// When the events of a chunk were committed, in ticks. min is above max if it has none.
typedef struct query_chunk_times {
    int64_t commit_min;
    int64_t commit_max;
} query_chunk_times;

// query_needed_find sets out_is_needed[i] to true for the sources of a session that a selection
// needs. It leaves the items of all other sources unchanged.
void query_needed_find(const query_source *sources, size_t count, const query_selection *selection,
    uint8_t in, bool *out_is_needed);

// query_needed_find_periods sets is_needed[i] to true for sources with the sampling period of
// events that may count.
void query_needed_find_periods(const query_source *sources, size_t count,
    const query_selection *selection, uint8_t in, bool *is_needed);

// query_needed_times returns bounds for a source that is not needed, by the session's clock and
// drift.
query_chunk_times query_needed_times(const query_source *source);

enum { QUERY_EVENTS_UNTIL_CHECK = 4096 };

// query_check_cancelled returns LP_ECLOSED if flag is set. flag may be NULL.
LP_MUST_USE static inline lp_err
query_check_cancelled(const atomic_bool *flag)
{
    // Relaxed: the flag publishes no other data.
    return flag != NULL && atomic_load_explicit(flag, memory_order_relaxed) ? LP_ECLOSED : LP_OK;
}

// query_check_at_event is query_check_cancelled at every QUERY_EVENTS_UNTIL_CHECK-th event. At all
// other events it returns LP_OK.
LP_MUST_USE static inline lp_err
query_check_at_event(const atomic_bool *flag, size_t i)
{
    return i % QUERY_EVENTS_UNTIL_CHECK == 0 ? query_check_cancelled(flag) : LP_OK;
}

// A pass over the events of a chunk. The caller may end it early by setting err.
typedef struct query_scan {
    query_chunk *chunk;
    const char *only; // the type of the events; NULL: all
    const atomic_bool *is_cancelled;
    jfr_cursor rest;
    size_t count;
    lp_err err; // at the end also the error of query_chunk_err; LP_ECLOSED: cancelled
} query_scan;

// query_scan_begin begins a pass. If err is not LP_OK, the pass has no events.
static inline query_scan
query_scan_begin(query_chunk *chunk, const atomic_bool *is_cancelled, lp_err err)
{
    return (query_scan){.chunk = chunk,
        .is_cancelled = is_cancelled,
        .rest = query_chunk_events(chunk),
        .err = err};
}

static inline bool
query_scan_next(query_scan *scan, query_event *out_event)
{
    LP_THEN(scan->err, query_check_at_event(scan->is_cancelled, ++scan->count));
    bool is_there =
        scan->err == LP_OK &&
        (scan->only == NULL ? query_chunk_next(scan->chunk, &scan->rest, out_event)
                            : query_chunk_next_of(scan->chunk, scan->only, &scan->rest, out_event));
    if (!is_there) {
        LP_THEN(scan->err, query_chunk_err(scan->chunk));
    }
    return is_there;
}
