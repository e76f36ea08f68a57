// SPDX-License-Identifier: Apache-2.0
// needed: which chunks of a session have to be read to find the contexts that are wanted, by what
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
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/chunk/test_needed.c

#ifndef LP_QUERY_NEEDED_H
#define LP_QUERY_NEEDED_H

#include "query/chunk/sources.h"
#include "query/select/selection.h"

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

#endif // LP_QUERY_NEEDED_H
