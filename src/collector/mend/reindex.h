// SPDX-License-Identifier: Apache-2.0
// reindex: makes the index of ids (index/id_index.h) again, from the stored chunks.
//
// Threads: one thread at a time; no collector runs on the data directory, which is locked.
// Tests:   tests/unit/collector/mend/test_reindex.c
// Memory:  that of a chunk and its ids

#ifndef LP_COLLECTOR_REINDEX_H
#define LP_COLLECTOR_REINDEX_H

#include "collector/store/s3/s3_url.h"
#include "common/base/lp_err.h"

#include <stdint.h>

typedef struct reindex_config {
    const char *data_dir;
    const char *catalog; // in PostgreSQL; NULL: the directory's file
    const s3_url *store; // of the chunks; NULL: they are in files
    // A chunk cannot be read: its ids are missing. NULL is fine, as below.
    void (*on_unreadable)(void *arg, const char *session_id, uint32_t ordinal, const char *why);
    // So many of all recordings were read; of chunks without a segment in an object store.
    void (*on_progress)(void *arg, uint64_t done, uint64_t all);
    void *arg;
} reindex_config;

typedef struct reindex_counts {
    uint64_t chunks; // that were read
    uint64_t unreadable;
    uint64_t left_out; // of those that were read: the index could not take their ids
    uint64_t ids;      // in chunks; one that is in several counts in each
} reindex_counts;

// reindex_run removes what there is of the index and makes it again; of one in an object store it
// does so with what cannot be read (reindex_objects.h).
// Errors: LP_ELIMIT a collector runs on the directory; LP_ENOENT it is none; those of a catalog and
//         of an index
LP_MUST_USE lp_err reindex_run(
    const reindex_config *config, reindex_counts *out_counts, lp_problem *out_problem);

#endif // LP_COLLECTOR_REINDEX_H
