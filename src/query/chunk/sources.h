// SPDX-License-Identifier: Apache-2.0
// sources: the chunks that a query is about, and how it comes by their bytes: these are at hand, or
// are opened for as long as the query looks at them. A query has one of them open at a time, and
// none while it answers.
//
// Which chunks of a session have to be read to find the contexts that are wanted, by what
// is known of the chunks' times (sources.h). The answers are the same as if all were read, but that
// nothing is known of threads of which only other chunks tell, nor of a period of samples that is
// first set behind them.
//
//   chunk         1        2        3        4        5
//   contexts      ├─ a ─────────┤             ├ d ┤
//                     ├ b ┤    ├ c ┤
//                            from ────── to
//
// Contexts are stored when they end, so those that begin from `from` on, or end from then on, are
// in the chunk of `from` or later, as long as chunks have contexts that begin before `to`. A
// context of the Loupe API is stored in parts: where a chunk has one that began earlier (a), the
// chunks since its begin are read as well, as it would be taken for one that begins with the part.
//
// Of threads (threads.h) the chunks with events in time are read, whatever contexts they
// have.
//
// Of requests (requests.h) all chunks from `from` on are read: each event of a request says when
// that began, and it may be in any later chunk.
//
// The period of samples is a setting that JFR writes where a recording begins and where it changes.
// So of the chunks that have one, the last is needed before each chunk whose events may count.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/chunk/test_sources.c, tests/unit/query/chunk/test_needed.c

#ifndef LP_QUERY_SOURCES_H
#define LP_QUERY_SOURCES_H

#include "common/jfr/jfr_clock.h"
#include "query/chunk/chunk.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Which of a question's selections something is of.
enum {
    QUERY_IN_SELECTION = 1 << 0,
    QUERY_IN_BASE = 1 << 1, // of a comparison
};

// Bounds of what is in a chunk, as ns since 1970 by its own clock. It may be that nothing comes up
// to them.
typedef struct query_source_times {
    int64_t commit_min_wall_ns; // of its events; INT64_MIN: unknown
    int64_t commit_max_wall_ns; // INT64_MAX: unknown
    // Of its contexts; of a part of a context of the Loupe API the begin of its first part, in
    // whichever chunk that is. INT64_MIN: unknown. INT64_MAX: none of them can be wanted.
    int64_t begin_min_wall_ns;
} query_source_times;

// By how much the clocks of a session's chunks are ahead of that of its first one.
typedef struct query_drift {
    int64_t min_ns;
    int64_t max_ns;
} query_drift;

// A chunk. Everything is borrowed.
typedef struct query_source {
    lp_slice bytes;   // none: the sources' open has them
    uint32_t session; // chunks of one have the same, and follow one another in order of time
    // Whose service, instance and recording it has: QUERY_IN_.. bits. 0: those of all.
    uint8_t in;
    // That of the session's first chunk. NULL: the first source of the session is that chunk; all
    // of its sources are read then.
    const jfr_clock *clock;
    query_drift drift; // of the session's sources that has_times
    bool has_times;    // else all bounds are unknown
    query_source_times times;
    // It has a setting of the period of samples, or may have: chunks behind it without one of their
    // own need that.
    bool has_period;
} query_source;

typedef struct query_sources {
    const query_source *items;
    size_t count;
    // These are there where sources have no bytes. open returns those of a source, which are lent
    // until release is called with them. Errors: LP_ENOMEM, LP_ECLOSED: the query ends with it; any
    // other: the chunk cannot be read, for the reason in *out_problem
    lp_err (*open)(void *arg, size_t source, lp_slice *out_bytes, lp_problem *out_problem);
    void (*release)(void *arg, size_t source, lp_slice bytes);
    void *arg;
} query_sources;

// query_sources_open opens a chunk. like: as of query_chunk_open.
// Errors: as of query_chunk_open and of open, with why in *out_problem; nothing is open then
LP_MUST_USE lp_err query_sources_open(const query_sources *sources, size_t source,
    query_names *names, compact_schema *like, query_chunk *out_chunk, lp_problem *out_problem);

// query_sources_open_again is query_sources_open for a chunk that was open before, and was
// is_chained then (view.h) or was not.
LP_MUST_USE lp_err query_sources_open_again(const query_sources *sources, size_t source,
    query_names *names, compact_schema *like, bool is_chained, query_chunk *out_chunk,
    lp_problem *out_problem);

// query_sources_close closes a chunk that is open.
void query_sources_close(const query_sources *sources, size_t source, query_chunk *chunk);

// When the events of a chunk were committed, in ticks; min is above max if there are none.
typedef struct query_chunk_times {
    int64_t commit_min;
    int64_t commit_max;
} query_chunk_times;

// query_needed_find notes which of count sources, those of a session, are needed for a selection.
// out_is_needed[i] stays true where it is.
void query_needed_find(const query_source *sources, size_t count, const query_selection *selection,
    uint8_t in, bool *out_is_needed);

// query_needed_find_periods notes which others have the period of samples that counts in the events
// of contexts in those that are needed.
void query_needed_find_periods(const query_source *sources, size_t count,
    const query_selection *selection, uint8_t in, bool *is_needed);

// query_needed_times returns bounds for the times of a source that is not needed, by the session's
// clock and its drift.
query_chunk_times query_needed_times(const query_source *source);

enum { QUERY_EVENTS_UNTIL_ASKED = 4096 }; // whether the query was cancelled

// query_check_cancelled returns LP_ECLOSED once a flag is set; NULL never is.
LP_MUST_USE static inline lp_err
query_check_cancelled(const atomic_bool *flag)
{
    // Pairs with whoever sets it; nothing is read that was written before.
    return flag != NULL && atomic_load_explicit(flag, memory_order_relaxed) ? LP_ECLOSED : LP_OK;
}

// query_check_at_event does so at the i-th event of a chunk, now and then.
LP_MUST_USE static inline lp_err
query_check_at_event(const atomic_bool *flag, size_t i)
{
    return i % QUERY_EVENTS_UNTIL_ASKED == 0 ? query_check_cancelled(flag) : LP_OK;
}

#endif // LP_QUERY_SOURCES_H
