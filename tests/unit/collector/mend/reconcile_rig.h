// SPDX-License-Identifier: Apache-2.0
// reconcile_rig: a data directory with a catalog and the files of its chunks, one run of reconcile
// over it, and what the catalog has then.
//
// Threads: one thread.

#pragma once

#include "support/temp_dir.h"

#include "collector/mend/reconcile.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_buf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RECONCILE_SESSIONS = 24,
    RECONCILE_CHUNKS = 4, // of each
    RECONCILE_EVENTS = 3, // of each chunk; one says what it has of requests:
    RECONCILE_REQUESTS_IN = 5,
    RECONCILE_REQUESTS_OUT = 3,
    RECONCILE_REQUESTS_BY_PARTS = 1,
    RECONCILE_REQUESTS_BY_SLOW = 2,
    RECONCILE_REQUESTS_BY_DROP = 1,
    RECONCILE_PATH_BYTES = 400,
};

#define RECONCILE_SECOND_NS INT64_C(1000000000)
#define RECONCILE_START_NS  INT64_C(1795392000000000000)

typedef struct reconcile_rig {
    temp_dir dir;
    lp_buf chunks[RECONCILE_CHUNKS]; // their content, which is the same in each session
    reconcile_counts counts;         // of the last run
    unsigned repaired;               // findings of it
    bool is_ending;
    unsigned looks; // after so many it is ending; 0: any number
} reconcile_rig;

typedef struct reconcile_id {
    char text[CATALOG_ID_CHARS + 1];
} reconcile_id;

// What the catalog has of a session.
typedef struct reconcile_known {
    catalog_session row; // without its texts
    char service[40];
    uint32_t chunks;
    uint32_t lost;
    uint64_t hashes[RECONCILE_CHUNKS + 2];
} reconcile_known;

// For cmocka: *state is a reconcile_rig in which catalog and files agree.
int reconcile_rig_setup(void **state);
int reconcile_rig_teardown(void **state);

reconcile_id reconcile_rig_id(unsigned session);

// reconcile_rig_path makes the path of a name in the directory.
__attribute__((format(printf, 3, 4))) void reconcile_rig_path(
    const reconcile_rig *f, char out_path[RECONCILE_PATH_BYTES], const char *format, ...);
void reconcile_rig_chunk_path(const reconcile_rig *f, unsigned session, uint32_t ordinal,
    char out_path[RECONCILE_PATH_BYTES]);

// The caller closes these. What is written to the blobs is not synced.
catalog *reconcile_rig_open_catalog(const reconcile_rig *f);
blobs *reconcile_rig_open_blobs(const reconcile_rig *f);

// reconcile_rig_sql runs a statement on the catalog.
void reconcile_rig_sql(const reconcile_rig *f, const char *text);

// reconcile_rig_store stores a session with all its chunks.
void reconcile_rig_store(const reconcile_rig *f, catalog *to, blobs *chunks, unsigned session);

// reconcile_rig_try is one run over the directory; reconcile_rig_run, which must succeed, returns
// how many findings it had, and reconcile_rig_start is the run of a collector that starts.
lp_err reconcile_rig_try(
    reconcile_rig *f, bool is_repairing, bool is_thorough, lp_problem *out_problem);
uint64_t reconcile_rig_run(reconcile_rig *f, bool is_repairing, bool is_thorough);
uint64_t reconcile_rig_start(reconcile_rig *f);

// reconcile_rig_watch_syncs has on_sync called with the path of each file before it is synced;
// NULL: nothing is.
void reconcile_rig_watch_syncs(void (*on_sync)(const char *path));

reconcile_known reconcile_rig_look(const reconcile_rig *f, unsigned session);

// reconcile_rig_check_requests checks that a session has the requests of so many chunks.
void reconcile_rig_check_requests(const reconcile_known *known, uint32_t chunks);

// reconcile_rig_check_whole checks that the catalog has every chunk of every session.
void reconcile_rig_check_whole(const reconcile_rig *f);
