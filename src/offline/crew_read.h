// SPDX-License-Identifier: Apache-2.0
// crew_read: reads chunks on several threads, and adds what was read in the order of the chunks.
//
//   read 0   read 1   read 2 ...   on any thread
//            add 0    add 1 ...    one after the other
//
// So the result does not depend on the number of threads.
//
// Threads: crew_read starts its own and ends them.
// Tests:   tests/unit/offline/test_merge_read.c, tests/unit/offline/test_far_contexts.c
// Memory:  the view of one chunk per thread.

#pragma once

#include "common/base/lp_err.h"
#include "engine/read/rows.h"

#include <stddef.h>

typedef struct crew_reader {
    size_t count; // of chunks
    // read opens the view of a chunk. like is the schema of the last chunk that was added, or NULL.
    // Any error but LP_ENOMEM means that the chunk cannot be read.
    lp_err (*read)(void *arg, size_t index, compact_schema *like, compact_view *view);
    // add adds a chunk; view is NULL if the chunk cannot be read. Errors: LP_ENOMEM
    lp_err (*add)(void *arg, size_t index, compact_view *view);
    // release is called when the chunk's bytes are no longer needed.
    void (*release)(void *arg, size_t index);
    void *arg;
} crew_reader;

// crew_read reads and adds all chunks. threads: 1 to CREW_THREADS_MAX. Errors: LP_ENOMEM: some
// chunks were not added
LP_MUST_USE lp_err crew_read(const crew_reader *reader, unsigned threads);
