// SPDX-License-Identifier: Apache-2.0
// reindex: rebuilds the index of ids (index/id_index.h). It reads the segments, drops missing and
// damaged ones, and writes the ids of all uncovered chunks (catalog_ids.h) to the catalog. A
// collector makes segments of these ids later.
//
// Threads: one thread at a time. It locks the data directory, so no collector may run on it.
// Tests:   tests/unit/collector/mend/test_reindex.c
// Memory:  a chunk and its ids; 40 bytes for each uncovered chunk

#pragma once

#include "collector/store/catalog/catalog.h"
#include "collector/store/s3/s3_url.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct reindex_config {
    const char *data_dir;
    const char *catalog; // a URI of PostgreSQL; NULL: the directory's file
    const s3_url *store; // where chunks are stored; NULL: in files
    // Called for a chunk that cannot be read: its ids are missing. NULL is fine.
    void (*on_unreadable)(void *arg, const char *session_id, uint32_t ordinal, const char *why);
    // Called with the number of uncovered chunks read so far, and the number of all uncovered
    // chunks. NULL is fine.
    void (*on_progress)(void *arg, uint64_t done, uint64_t all);
    void *arg;
} reindex_config;

typedef struct reindex_counts {
    uint64_t chunks; // that were read
    uint64_t unreadable;
    uint64_t ids; // an id in several chunks counts in each
} reindex_counts;

// reindex_run rebuilds the index. A chunk that cannot be read stays uncovered.
// Errors: LP_ELIMIT if a collector runs on the directory; LP_ENOENT if there is no directory; those
//         of a catalog and an index
LP_MUST_USE lp_err reindex_run(
    const reindex_config *config, reindex_counts *out_counts, lp_problem *out_problem);

// reindex_check reads the index, with its segments in ids_path, and sets *out_is_bad if it is
// damaged or lacks chunks. Errors: as a catalog and an index
LP_MUST_USE lp_err reindex_check(
    catalog *from, const char *ids_path, bool *out_is_bad, lp_problem *out_problem);
