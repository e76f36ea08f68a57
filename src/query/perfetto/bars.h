// SPDX-License-Identifier: Apache-2.0
// bars: the boxes on a track of a trace, from a begin to an end, each inside the bar around it.
// Perfetto calls them slices; here a slice is a recording.
//
// In Perfetto, an end closes the last open bar of its track. So bars of a track may lie in each
// other but must not cross. Bars that cross go to further lanes of the track, each of which is a
// track to Perfetto:
//
//   lane 0   ├── stay ──────────────┤      ├── stay ──┤
//              ├ part ┤ ├ lock ┤
//   lane 1                     ├── stay ────────┤
//                                   ├ read ┤
//
// A bar prefers the lane where the bar around it has the same owner, then any with a bar around it.
// On a flat track no bar lies in another one: bars that overlap go to further lanes.
//
// Bars are ordered by the JVM's ticks. Each chunk of a JVM has its own clock, so two ticks in order
// may have times that are not: a begin or an end never has an earlier time than the one before it
// on its lane. Bars that take no time keep theirs: nothing can cross them.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/perfetto/test_bars.c
// Memory:  24 bytes for each lane.

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_BAR_LANES_MAX = 4096 }; // of a track; bars without a lane are left out

// Of bars with the same times on a track, the first in this order is the outer one.
typedef enum query_bar_kind {
    QUERY_BAR_REQUEST,
    QUERY_BAR_STAY,
    QUERY_BAR_CONTEXT,
    QUERY_BAR_EVENT,
} query_bar_kind;

typedef struct query_bar {
    int64_t begin;    // in the order of its track: ticks
    int64_t end;      // equal to begin: it takes no time. Never below begin
    int64_t begin_ns; // the same as wall times
    int64_t end_ns;
    uint64_t place; // of its event: of bars that are equal in the others, one is drawn
    uint32_t track;
    uint32_t owner;    // the answer that it belongs to
    uint32_t category; // the number of a name
    uint32_t name;     // the number of a name
    uint32_t stack;    // node of its stack trace, or QUERY_STACK_ROOT
    uint32_t more;     // where its further fields begin (perfetto.c)
    uint32_t more_bytes;
    uint32_t call;   // index (calls.h), or QUERY_NO_CALL
    uint32_t around; // private
    uint8_t kind;
} query_bar;

typedef enum query_bar_step {
    QUERY_BAR_BEGINS,
    QUERY_BAR_ENDS,
    QUERY_BAR_INSTANT, // it takes no time
} query_bar_step;

// query_bars_order sorts bars by track, then as query_bars_walk needs them, and drops those that
// are there twice, and stays as long as a context on the same thread. Returns how many are left.
size_t query_bars_order(query_bar *bars, size_t count);

// The receiver of a walk. An error of a function ends the walk.
typedef struct query_bars_receiver {
    lp_err (*on_step)(
        void *arg, const query_bar *bar, uint32_t lane, query_bar_step step, int64_t wall_ns);
    lp_err (*look)(void *arg); // called after each QUERY_BARS_LOOK_LANES lanes
    void *arg;
} query_bars_receiver;

enum { QUERY_BARS_LOOK_LANES = 1 << 20 }; // some milliseconds

// query_bars_walk calls on_step for each begin and end of the bars of one track, so that each lane
// nests. Adds to *left_out the number of bars without a lane. Changes bars.
//
// Cost:   linear in the bars, times the lanes that are in use at once
// Errors: LP_ENOMEM; errors of the receiver
LP_MUST_USE lp_err query_bars_walk(
    query_bar *bars, size_t count, bool is_flat, const query_bars_receiver *to, uint64_t *left_out);
