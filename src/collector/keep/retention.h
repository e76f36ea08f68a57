// SPDX-License-Identifier: Apache-2.0

// retention: removes expired chunks while the collector runs.
//
// Chunks expire by age, which is the time since their end, and by the bytes of the stored files,
// per service and in total. The chunks with the earliest start expire first, also those of running
// sessions. Journals do not count. An ended session is removed with its last chunk.
//
// A file that was put aside as damaged (damaged_files.h) expires like a chunk of its service. The
// time when it was put aside counts as start and end. The file expires with its session at the
// latest. The collector lists these files every RETENTION_SWEEP_MS.
//
//   on the loop   delete the rows and note the files, in one transaction
//   later         delete the files, once the transaction is on the disk and nobody reads them
//
// After each commit, chunks are removed until the limits hold, so the catalog exceeds a limit at
// most by the chunks in the commit. Their files are deleted within a round (sync_rounds.h), or when
// the downloads and queries that read them have ended.
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
#include <stdint.h>

enum {
    RETENTION_BATCH = 64,        // chunks in one transaction
    RETENTION_BUSY_MS_MAX = 50,  // in one tick, or after one commit
    RETENTION_COUNT_MS = 600000, // between two counts of all chunks in a shared catalog
    RETENTION_RETRY_MS = 10000,  // after the catalog failed
    RETENTION_SWEEP_MS = 60000,  // between two searches for empty sessions and damaged files
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
// In a shared catalog, a collector that becomes in charge counts all chunks, and counts them again
// every RETENTION_COUNT_MS.
void retention_set_in_charge(retention *retention, bool is_in_charge);

// retention_note counts a committed chunk, and removes chunks until the limits hold.
void retention_note(
    retention *retention, const char *service, const catalog_chunk *chunk, int64_t now_wall_ns);

// retention_tick removes expired chunks, sessions and files.
void retention_tick(retention *retention, int64_t now_wall_ns);

// retention_remove_files removes the files that are due. Call it after each round.
void retention_remove_files(retention *retention);

// retention_remove removes an ended recording; its files are deleted later. Errors: LP_ENOENT;
// LP_EAGAIN if the recording is running or not completely stored; as the catalog, but LP_EIO
// replaces the catalog's LP_EAGAIN
LP_MUST_USE lp_err retention_remove(retention *retention, const char *session_id);

// retention_is_removing returns whether files of a removed recording remain. While they do, no
// recording with this id may begin.
bool retention_is_removing(const retention *retention, const char *session_id);
