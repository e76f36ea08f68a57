// SPDX-License-Identifier: Apache-2.0
// periods: the periods of samples that do not say theirs (jdk.ExecutionSample), as the settings in
// the chunks of a session have them (jdk.ActiveSetting).
//
// A chunk's own settings come first: where a recording is of several JVMs, those of the other
// chunks may be another one's.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  32 bytes for each setting, of which QUERY_PERIODS_MAX are remembered.

#ifndef LP_QUERY_PERIODS_H
#define LP_QUERY_PERIODS_H

#include "common/base/lp_vec.h"
#include "query/chunk/chunk.h"

#include <stdbool.h>
#include <stdint.h>

enum { QUERY_PERIODS_MAX = 1 << 16 };

typedef struct query_period {
    int64_t from; // ticks
    int64_t ns;
    uint32_t chunk;  // that has the setting; counts in the session
    uint32_t offset; // of that in the chunk
    bool is_needed;  // the caller's
} query_period;

// {0} has none.
typedef struct query_periods {
    LP_VEC(query_period) items; // by chunk; in each in order of time
    bool is_truncated;          // there were more
} query_periods;

void query_periods_fini(query_periods *periods);

// query_periods_is_sample returns whether events of a type are samples whose period a setting has.
bool query_periods_is_sample(const query_type *type);

// query_periods_add adds what an event of QUERY_ROLE_SETTING says, if it is about that. Chunks come
// in their order. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_periods_add(
    query_periods *periods, query_chunk *chunk, uint32_t index, const query_event *event);

// query_periods_of returns those of a chunk, and how many they are.
query_period *query_periods_of(const query_periods *periods, uint32_t chunk, size_t *out_count);

// query_periods_find returns the period of the samples of a chunk at a time: the one that was set
// last in the chunk, or else its first. Where it has none, that is the last one of the chunks
// before, or else the first of all; NULL where the recording does not say.
query_period *query_periods_find(const query_periods *periods, uint32_t chunk, int64_t ticks);

#endif // LP_QUERY_PERIODS_H
