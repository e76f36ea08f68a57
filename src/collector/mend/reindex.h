// SPDX-License-Identifier: Apache-2.0
// reindex: makes the index of ids (index/id_index.h) whole again: reads the segments, forgets
// those that are gone or damaged, and writes the ids of the chunks that nothing covers then into
// the catalog, from which a collector gathers them.
//
// Threads: one thread at a time; no collector runs on the data directory, which is locked.
// Tests:   tests/unit/collector/mend/test_reindex.c
// Memory:  that of a chunk and its ids; 40 bytes for each chunk that nothing covers

#ifndef LP_COLLECTOR_REINDEX_H
#define LP_COLLECTOR_REINDEX_H

#include "collector/store/catalog/catalog.h"
#include "collector/store/s3/s3_url.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct reindex_config {
    const char *data_dir;
    const char *catalog; // in PostgreSQL; NULL: the directory's file
    const s3_url *store; // of the chunks; NULL: they are in files
    // A chunk cannot be read: its ids are missing. NULL is fine, as below.
    void (*on_unreadable)(void *arg, const char *session_id, uint32_t ordinal, const char *why);
    // So many of all chunks that nothing covered were read.
    void (*on_progress)(void *arg, uint64_t done, uint64_t all);
    void *arg;
} reindex_config;

typedef struct reindex_counts {
    uint64_t chunks; // that were read
    uint64_t unreadable;
    uint64_t ids; // in chunks; one that is in several counts in each
} reindex_counts;

// reindex_run does so. A chunk that cannot be read stays without cover.
// Errors: LP_ELIMIT a collector runs on the directory; LP_ENOENT it is none; those of a catalog and
//         of an index
LP_MUST_USE lp_err reindex_run(
    const reindex_config *config, reindex_counts *out_counts, lp_problem *out_problem);

// reindex_check reads the index that has its segments in files of ids_path, and returns whether it
// lacks chunks. Errors: those of a catalog and of an index
LP_MUST_USE lp_err reindex_check(
    catalog *from, const char *ids_path, bool *out_is_bad, lp_problem *out_problem);

#endif // LP_COLLECTOR_REINDEX_H
