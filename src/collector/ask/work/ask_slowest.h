// SPDX-License-Identifier: Apache-2.0

// ask_slowest: lists the slowest contexts, or requests, of a selection from few of its chunks.
//
// The catalog has the longest duration in each stored chunk (catalog_longest.h). Chunks are read in
// that order, until the list is full and no other chunk has a longer one, or until
// ASK_SLOWEST_CHUNKS_MAX or ASK_SLOWEST_BYTES_MAX. So the work does not depend on how much is
// stored.
//
//   chunks of a JVM      0    1    2    3    4    5
//   longest in it, s     1    9    2    1    8    1
//   looked at                 x              x
//   read besides         x         x    x         x
//
// Only contexts whose last event is in a chunk that is looked at are listed. To see these whole,
// the chunks since they began are read as well, and the chunk behind. At most ASK_SLOWEST_BACK_MAX
// chunks before are read; contexts that began earlier are not listed then, and the chunk counts as
// not looked at. If at most ASK_SLOWEST_ALL_MAX chunks are selected, all are read at once, whatever
// their size, each with as many chunks before it.
//
// The uncompacted data of running JVMs has no statistics. It is looked at if there are at most
// ASK_SLOWEST_RUNNING_MAX of these JVMs.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_slowest.c

#pragma once

#include "collector/ask/work/ask_work.h"

enum {
    ASK_SLOWEST_CHUNKS_MAX = 128, // that are read; a last round reads up to as many again
    ASK_SLOWEST_BYTES_MAX = 48 << 20,
    ASK_SLOWEST_ALL_MAX = 64,     // if no more are selected, all are looked at
    ASK_SLOWEST_BACK_MAX = 8,     // chunks before one that is looked at
    ASK_SLOWEST_RUNNING_MAX = 16, // JVMs
};

// ask_slowest_may_list returns whether the longest durations of chunks are enough to choose the
// chunks for a selection: it selects by JVMs, times and durations only.
bool ask_slowest_may_list(const query_selection *selection);

// ask_slowest_list does for a route with lists_slowest what ask_work_list does for others. It finds
// the sources, and sets work->unread. Errors: as ask_work_list and ask_sources_find
LP_MUST_USE lp_err ask_slowest_list(ask_work *work, query_listing *listing);
