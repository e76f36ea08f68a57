// SPDX-License-Identifier: Apache-2.0

// pack_sweep: removes or copies objects with several chunks (object_pack.h) after their chunks were
// deleted:
//
//   no live bytes      remove the object, once the disk has the deletions and no reader uses it
//   few live bytes     copy the live chunks into the open pack (packs.h); then none are left
//   old, and unknown   remove the object, an orphan of a process that ended between PUT and commit,
//   to the catalog     if all its chunks were committed elsewhere
//
// An unknown object stays if it may have the only copy of a chunk, because the catalog is an older
// copy or a disk with journals was lost.
//
// Threads: the loop, and a worker for requests to the store.
// Tests:   tests/unit/collector/chunks/test_packs.c, tests/e2e/packs.py

#pragma once

#include "collector/chunks/packs.h"
#include "collector/journal/sync_rounds.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"

#include <uv.h>

enum {
    PACK_SWEEP_MS = 10 * 1000,                  // between looks at the catalog
    PACK_SWEEP_ORPHANS_MS = 6 * 60 * 60 * 1000, // between looks at the store; the first at once
    PACK_SWEEP_ORPHAN_AGE_S = 24 * 60 * 60,     // of an orphan, at least; far over PACKS_NAME_S_MAX
    PACK_SWEEP_REMOVALS_MAX = 64,               // at a time
    PACK_SWEEP_RETRY_MS = 10 * 1000,            // after a removal that failed
    PACK_SWEEP_WORK_RETRY_MS = 10 * 60 * 1000,  // after a failed copy or look at the store
};
_Static_assert((int)PACK_SWEEP_ORPHAN_AGE_S > 2 * (int)PACKS_NAME_S_MAX,
    "clocks differ, and commits may be late");

typedef struct pack_sweep pack_sweep;

typedef struct pack_sweep_config { // all is borrowed until pack_sweep_destroy
    uv_loop_t *loop;
    blobs *blobs;
    catalog *catalog;
    const char *catalog_place; // for catalog_open_reader
    packs *packs;              // NULL: copy nothing
    sync_rounds *rounds;
} pack_sweep_config;

// pack_sweep_create returns NULL if memory ran out.
pack_sweep *pack_sweep_create(const pack_sweep_config *config);

// pack_sweep_stop prevents new work. Run the loop until running work has ended.
void pack_sweep_stop(pack_sweep *sweep);
void pack_sweep_destroy(pack_sweep *sweep); // NULL is fine

// pack_sweep_tick starts the work that is due.
void pack_sweep_tick(pack_sweep *sweep);
