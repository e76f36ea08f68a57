// SPDX-License-Identifier: Apache-2.0
// reindex_objects: makes the index of ids in an object store (index/id_shared.h) whole again: reads
// its segments, forgets those that are gone or damaged, and reads the chunks that are in none then.
// What is found is committed as the ids of a collector that is gone, so the next one that looks
// makes segments of it.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/search.py
// Memory:  that of a chunk and its ids, and 40 bytes for each chunk without a segment

#ifndef LP_COLLECTOR_REINDEX_OBJECTS_H
#define LP_COLLECTOR_REINDEX_OBJECTS_H

#include "collector/index/id_objects.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"

typedef struct reindex_objects {
    // What it works on; borrowed.
    catalog *catalog; // a writer
    blobs *blobs;
    id_objects *objects;
    // Whom it tells; NULL is fine.
    void (*on_unreadable)(void *arg, const char *session_id, uint32_t ordinal, const char *why);
    void (*on_progress)(void *arg, uint64_t done, uint64_t all); // chunks
    void *arg;
    // What it has done.
    uint64_t chunks;
    uint64_t unreadable;
    uint64_t ids;
} reindex_objects;

// reindex_objects_run does it. Errors: those of a catalog; LP_EIO with errno, the store does not
// answer or refuses; LP_ENOMEM
LP_MUST_USE lp_err reindex_objects_run(reindex_objects *work);

#endif // LP_COLLECTOR_REINDEX_OBJECTS_H
