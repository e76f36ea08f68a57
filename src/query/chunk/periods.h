// SPDX-License-Identifier: Apache-2.0
// periods: the sampling periods in a session's settings (jdk.ActiveSetting), for samples that do
// not record their own (jdk.ExecutionSample).
//
// The settings of a sample's own chunk come first: in a recording of several JVMs the settings of
// other chunks may be another JVM's.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  32 bytes for each setting, at most QUERY_PERIODS_MAX of them.

#pragma once

#include "common/base/lp_vec.h"
#include "query/chunk/chunk.h"

#include <stdbool.h>
#include <stdint.h>

enum { QUERY_PERIODS_MAX = 1 << 16 };

typedef struct query_period {
    int64_t from; // ticks
    int64_t ns;
    uint32_t chunk;  // with the setting; its index in the session
    uint32_t offset; // of the setting in the chunk
    bool is_needed;  // only callers use it
} query_period;

// {0} is empty.
typedef struct query_periods {
    LP_VEC(query_period) items; // by chunk, then time
    bool is_truncated;          // a limit was reached
} query_periods;

void query_periods_fini(query_periods *periods);

// query_periods_is_sample returns whether events of a type are samples whose period is a setting.
bool query_periods_is_sample(const query_type *type);

// query_periods_add adds the period in an event of QUERY_ROLE_SETTING, if it has one. Add chunks in
// their order. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_periods_add(
    query_periods *periods, query_chunk *chunk, uint32_t index, const query_event *event);

// query_periods_of returns the periods in a chunk and their count.
query_period *query_periods_of(const query_periods *periods, uint32_t chunk, size_t *out_count);

// query_periods_find returns the period at a time in a chunk: the last period that the chunk set
// before that time, or else the first that it set. If the chunk set none, it is the last period of
// earlier chunks, or else the first of all chunks. NULL if the recording has no period.
query_period *query_periods_find(const query_periods *periods, uint32_t chunk, int64_t ticks);
