// SPDX-License-Identifier: Apache-2.0

// pack_sweep: what becomes of objects with several chunks (object_pack.h) as their chunks go:
//
//   no byte is live any more    the object is removed, once the disk knows it and nobody reads it
//   few are (is it sparse?)     its live chunks are copied into the open pack (packs.h), and then
//                               it has none
//   the catalog does not know   it is an orphan, of a process that ended between PUT and commit:
//   it, and it is old           it is removed if all its chunks were committed elsewhere
//
// An object that the catalog does not know stays where a chunk of it may be nowhere else: the
// catalog is an older copy, or a disk with journals was lost.
//
// Threads: the loop, with a worker for what waits for the store.
// Tests:   tests/unit/collector/chunks/test_packs.c, tests/e2e/packs.py

#ifndef LP_COLLECTOR_SERVER_PACK_SWEEP_H
#define LP_COLLECTOR_SERVER_PACK_SWEEP_H

#include "collector/chunks/packs.h"
#include "collector/journal/sync_rounds.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <stdint.h>
#include <uv.h>

enum {
    PACK_SWEEP_MS = 10 * 1000,                  // how often it looks at the catalog
    PACK_SWEEP_ORPHANS_MS = 6 * 60 * 60 * 1000, // how often at the store; first at the start
    PACK_SWEEP_ORPHAN_AGE_S = 24 * 60 * 60, // of what may be an orphan: far over PACKS_NAME_S_MAX
    PACK_SWEEP_REMOVALS_MAX = 64,           // at a time
    PACK_SWEEP_RETRY_MS = 10 * 1000,        // after a removal that failed
    PACK_SWEEP_WORK_RETRY_MS = 10 * 60 * 1000, // after copying, or a look at the store, failed
};
_Static_assert((int)PACK_SWEEP_ORPHAN_AGE_S > 2 * (int)PACKS_NAME_S_MAX,
    "clocks of machines may differ, and a commit be late");

typedef struct pack_sweep pack_sweep;

typedef struct pack_sweep_config { // all is borrowed until pack_sweep_destroy
    uv_loop_t *loop;
    blobs *blobs;
    catalog *catalog;
    const char *catalog_place; // for catalog_open_reader
    packs *packs;              // NULL: nothing is copied
    sync_rounds *rounds;
} pack_sweep_config;

// pack_sweep_create returns NULL if memory ran out.
pack_sweep *pack_sweep_create(const pack_sweep_config *config);

// pack_sweep_stop begins nothing any more. The loop runs until what goes on has ended.
void pack_sweep_stop(pack_sweep *sweep);
void pack_sweep_destroy(pack_sweep *sweep); // NULL is fine

// pack_sweep_tick does what is due.
void pack_sweep_tick(pack_sweep *sweep);

#endif // LP_COLLECTOR_SERVER_PACK_SWEEP_H
