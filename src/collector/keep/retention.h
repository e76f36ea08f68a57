// SPDX-License-Identifier: Apache-2.0

// retention: which chunks are not kept any longer, and their removal while the collector runs.
//
// Chunks go by their age, that is the time since they ended, and by the bytes of their files: those
// of a service, and of all. The chunks that started first go first, those of sessions that still
// run included; journals are not looked at. A session that has ended goes with its last chunk.
//
// What was put aside as damaged (damaged_files.h) goes in the same way, as if it were a chunk of
// its session's service that started and ended when it was put aside; at the latest it goes with
// its session. It is looked for each RETENTION_SWEEP_MS.
//
//   on the loop   rows away, and a note of their files, in one transaction
//   later         when that is on the disk and nobody reads them any more: the files
//
// The bytes that the catalog has are over a limit by no more than the chunks that are being
// committed: after each commit chunks go until the limit holds. Files follow within a round
// (sync_rounds.h), or when the downloads and questions that read them are over.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/keep/test_retention.c, test_retention_removal.c

#ifndef LP_COLLECTOR_SERVER_RETENTION_H
#define LP_COLLECTOR_SERVER_RETENTION_H

#include "collector/journal/sync_rounds.h"
#include "collector/session/sessions.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RETENTION_BATCH = 64,        // chunks that go in one transaction
    RETENTION_BUSY_MS_MAX = 50,  // in a tick, and after a commit
    RETENTION_COUNT_MS = 600000, // between two counts of all chunks, where others add to them
    RETENTION_RETRY_MS = 10000,  // after the catalog refused
    RETENTION_SWEEP_MS = 60000,  // how often it looks for sessions without chunks, damaged files
};

typedef struct retention retention;

typedef struct retention_config {
    policy_keep keep;     // of all: age of each chunk, bytes of all together; 0: any
    policy_dir *policies; // limits of services, which go before the age; NULL: none
    // Borrowed until retention_destroy.
    const data_dir *dir;
    catalog *catalog;
    blobs *blobs;
    sessions *sessions;
    sync_rounds *rounds;
} retention_config;

// retention_create looks at what there is. Errors: LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err retention_create(const retention_config *config, retention **out_retention);
void retention_destroy(retention *retention); // NULL is fine

// retention_set_in_charge says whether this collector removes what is too old or too much, which it
// does unless it is told otherwise. One that begins counts anew what there is, and again each
// RETENTION_COUNT_MS: others add to it.
void retention_set_in_charge(retention *retention, bool is_in_charge);

// retention_note counts a chunk that was committed, and removes others where they are too many now.
void retention_note(
    retention *retention, const char *service, const catalog_chunk *chunk, int64_t now_wall_ns);

// retention_tick removes what is due.
void retention_tick(retention *retention, int64_t now_wall_ns);

// retention_remove_files removes the files that may go. After each round.
void retention_remove_files(retention *retention);

// retention_remove removes a recording that has ended: nobody who asks from now on finds it; its
// files follow. Errors: LP_ENOENT; LP_EAGAIN it has not ended, or not all of it is stored; as the
// catalog's, whose LP_EAGAIN is LP_EIO here
LP_MUST_USE lp_err retention_remove(retention *retention, const char *session_id);

// retention_is_removing returns whether files of a recording that was removed are still there. None
// of this name may begin meanwhile.
bool retention_is_removing(const retention *retention, const char *session_id);

#endif // LP_COLLECTOR_SERVER_RETENTION_H
