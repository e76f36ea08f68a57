// SPDX-License-Identifier: Apache-2.0

// retention: removes expired chunks while the collector runs.
//
// Chunks expire by age, the time since they ended, and by the bytes of files: per service and in
// total. The chunks that started first go first, also those of running sessions; journals do not
// count. An ended session goes with its last chunk.
//
// Files that were put aside as damaged (damaged_files.h) expire like a chunk of their session's
// service that started and ended when they were put aside, and at the latest with their session.
// The collector lists them every RETENTION_SWEEP_MS.
//
//   on the loop   delete the rows and note the files, in one transaction
//   later         delete the files, once that is on the disk and no one reads them
//
// After each commit chunks go until the limits hold, so the catalog exceeds a limit at most by the
// chunks in the commit. Files follow within a round (sync_rounds.h), or after the downloads and
// queries that read them.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/keep/test_retention.c, test_retention_removal.c

#pragma once

#include "collector/journal/sync_rounds.h"
#include "collector/session/sessions.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RETENTION_BATCH = 64,        // chunks in one transaction
    RETENTION_BUSY_MS_MAX = 50,  // in a tick, and after a commit
    RETENTION_COUNT_MS = 600000, // between two counts of all chunks in a shared catalog
    RETENTION_RETRY_MS = 10000,  // after the catalog failed
    RETENTION_SWEEP_MS =
        60000, // between two searches for sessions without chunks and damaged files
};

typedef struct retention retention;

typedef struct retention_config {
    policy_keep keep;     // the default age, and the total of bytes; 0: unlimited
    policy_dir *policies; // limits of services, which override the default age; NULL: none
    // Borrowed until retention_destroy.
    const data_dir *dir;
    catalog *catalog;
    blobs *blobs;
    sessions *sessions;
    sync_rounds *rounds;
} retention_config;

// retention_create lists the stored chunks and files. Errors: LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err retention_create(const retention_config *config, retention **out_retention);
void retention_destroy(retention *retention); // NULL is fine

// retention_set_in_charge sets whether this collector removes expired chunks; the default is true.
// When it becomes true in a shared catalog, it counts all chunks again, and then every
// RETENTION_COUNT_MS.
void retention_set_in_charge(retention *retention, bool is_in_charge);

// retention_note counts a committed chunk, and removes chunks until the limits hold.
void retention_note(
    retention *retention, const char *service, const catalog_chunk *chunk, int64_t now_wall_ns);

// retention_tick removes expired chunks, sessions and files.
void retention_tick(retention *retention, int64_t now_wall_ns);

// Call retention_remove_files after each round: it removes the files that are due.
void retention_remove_files(retention *retention);

// retention_remove removes an ended recording at once; its files follow. Errors: LP_ENOENT;
// LP_EAGAIN it is running, or not completely stored; as the catalog's, with LP_EIO for its
// LP_EAGAIN
LP_MUST_USE lp_err retention_remove(retention *retention, const char *session_id);

// retention_is_removing returns whether files of a removed recording remain. No recording of this
// id may begin meanwhile.
bool retention_is_removing(const retention *retention, const char *session_id);
