// SPDX-License-Identifier: Apache-2.0
// calls: which requests of a trace called which, in other JVMs.
//
// Recordings have the trace of a request but not its caller. So the caller is found by time: the
// request of another JVM of the trace in which the called one lies, of several the last to begin.
// Clocks of machines differ: if there is none, it is the last request of another JVM that began
// before. The first request of a trace has no caller.
//
//   JVM 1   ├────────── a ───────────┤
//   JVM 2      ├── b ──┤   ├─ d ─┤           a calls b, b calls c, a calls d
//   JVM 3        ├ c ┤
//
// Threads: any thread; pure function.
// Tests:   tests/unit/query/perfetto/test_calls.c

#pragma once

#include "common/base/lp_err.h"

#include <stddef.h>
#include <stdint.h>

enum {
    QUERY_CALLS_BACK_MAX = 64,  // earlier requests of the trace that may be the caller
    QUERY_NO_CALL = UINT32_MAX, // not an index
};

typedef struct query_call {
    uint64_t trace; // a hash of its id
    int64_t begin_wall_ns;
    int64_t end_wall_ns;
    uint64_t track; // with its bar; 0: none
    uint32_t jvm;
} query_call;

// query_calls_find sorts calls and calls on_call for each that has a caller. Calls without a track
// are left out. Errors: errors of on_call
LP_MUST_USE lp_err query_calls_find(query_call *calls, size_t count,
    lp_err (*on_call)(void *arg, const query_call *caller, const query_call *called), void *arg);
