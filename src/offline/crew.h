// SPDX-License-Identifier: Apache-2.0
// crew: one function on several threads.
//
// Threads: crew_run starts its own and ends them; work runs on all of them at the same time.
// Tests:   tests/unit/offline/test_pipeline.c, tests/unit/offline/test_merge_read.c

#pragma once

#include <stddef.h>

enum { CREW_THREADS_MAX = 64 };

// crew_run calls work(arg) on up to `threads` threads (1 to CREW_THREADS_MAX), but on no more than
// there are chunks. One of them is the calling thread. Returns when all calls have returned. If the
// system refuses a thread, fewer do the work.
void crew_run(unsigned threads, size_t chunks, void (*work)(void *arg), void *arg);
