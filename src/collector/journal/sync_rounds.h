// SPDX-License-Identifier: Apache-2.0

// sync_rounds: syncs the loop's files in rounds: journals and their names, the catalog's log
// (SQLite's WAL), the sessions' Hellos and the names of their chunks. When a round ends, everything
// that was noted before it began is on the disk. So one wait for the disk serves many batches
// (group commit).
//
// Rounds are numbered from 1. At most one runs at a time. Rounds have their own threads, because
// libuv's workers compact chunks, and a sync should not wait for that. A round begins
//
//   SYNC_ALWAYS   when something was noted and no round runs
//   SYNC_SECOND   every SYNC_ROUNDS_WAIT_MS, which leaves half a second for the disk. While the
//                 disk takes longer, sync_rounds_is_late returns true
//   SYNC_NEVER    never: all written data counts as durable, and every round as over
//
// A failed fsync is never repeated: the kernel may have dropped the pages that it could not write,
// and the next fsync would succeed.
//   - A journal whose sync failed refuses appends until a later round has copied it into a new
//     file. This round begins at least SYNC_ROUNDS_RETRY_MS after the failure. Until then the
//     session's batches are not durable.
//   - The catalog's log cannot be copied while it is in use. After a failure nothing that waits for
//     the catalog becomes durable, so no journal is removed; sync_rounds_get_problem returns the
//     error. The next start reads the log with its checksums and rewrites the database.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/journal/test_sync_rounds.c

#pragma once

#include "collector/journal/journal.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    SYNC_ROUNDS_WAIT_MS = 500,     // between the starts of two rounds, unless one is hurried
    SYNC_ROUNDS_AGE_MS_MAX = 1000, // SYNC_SECOND: answers wait if older data is not durable
    SYNC_ROUNDS_RETRY_MS = 1000,   // after a failure
};

// When the collector acknowledges a batch.
typedef enum sync_mode {
    SYNC_ALWAYS, // when it is on the disk
    SYNC_SECOND, // at once; it is on the disk within a second
    SYNC_NEVER,  // at once; the kernel decides when it is on the disk
} sync_mode;

typedef struct sync_rounds sync_rounds;

typedef struct sync_rounds_config {
    uv_loop_t *loop;
    sync_mode mode;
    // Borrowed until sync_rounds_destroy.
    const char *journals_path; // the parent of the sessions' directories
    const char *damaged_path;  // the directory of damaged files
    catalog *catalog;
    blobs *blobs;
    // The session's batches below sequence are durable. If the sync of a journal or the Hello of
    // the session failed, on_durable is called only after a successful retry.
    void (*on_durable)(void *arg, const char *session_id, uint64_t sequence);
    // A journal was synced by a retry, but damaged_bytes of it could not be read back intact.
    void (*on_damaged)(
        void *arg, const char *session_id, const journal *journal, uint64_t damaged_bytes);
    // Called after on_durable and on_damaged of the round. is_catalog_durable: commits made before
    // the round began are durable.
    void (*on_end)(void *arg, uint64_t round, bool is_catalog_durable);
    void *arg;
} sync_rounds_config;

// sync_rounds_create creates rounds. They do not keep the loop alive before sync_rounds_stop.
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err sync_rounds_create(
    const sync_rounds_config *config, sync_rounds **out_rounds, lp_problem *out_problem);

// sync_rounds_stop runs one more round, and closes its handles after on_end of that round; with
// SYNC_NEVER it only tells the kernel to write everything. Note nothing after this call. NULL is
// fine.
void sync_rounds_stop(sync_rounds *rounds);

// sync_rounds_destroy frees rounds. Call it after sync_rounds_stop, when the loop has no work left.
// NULL is fine.
void sync_rounds_destroy(sync_rounds *rounds);

// sync_rounds_admit reserves room to note one more item. Call it before the write, so that noting
// it cannot fail. Errors: LP_ENOMEM
LP_MUST_USE lp_err sync_rounds_admit(sync_rounds *rounds);

// sync_rounds_note notes a journal that was appended to. The journal, or journals noted before,
// have the session's batches below sequence. The first round with the journal also syncs its name.
// The journal is referenced and held until the end of its round.
void sync_rounds_note(
    sync_rounds *rounds, journal *journal, const char *session_id, uint64_t sequence);

// sync_rounds_has returns whether a journal was noted and is not on the disk yet. While it returns
// true, use this journal for the file: two journals of one file would be copied separately.
bool sync_rounds_has(const sync_rounds *rounds, journal *journal);

// sync_rounds_put_hello writes the Hello of a session in the coming round (blobs_put_hello). If
// this fails, later rounds retry it. With SYNC_NEVER it writes at once. Errors: LP_ENOMEM; LP_EIO
// with SYNC_NEVER
LP_MUST_USE lp_err sync_rounds_put_hello(
    sync_rounds *rounds, const char *session_id, lp_slice hello);

// sync_rounds_put_names syncs in the coming round the session's directory of chunks
// (blobs_sync_names), its directory of journals, and the directory of damaged files. If this fails,
// later rounds retry it; sync_rounds_has_names_failed returns true until a retry succeeds. With
// SYNC_NEVER it does nothing. Errors: LP_ENOMEM
LP_MUST_USE lp_err sync_rounds_put_names(sync_rounds *rounds, const char *session_id);
bool sync_rounds_has_names_failed(const sync_rounds *rounds, const char *session_id);

// sync_rounds_get_coming returns the number of the coming round. Its end makes everything durable
// that has been written so far, including commits to the catalog. sync_rounds_hurry starts it as
// soon as no other round runs.
uint64_t sync_rounds_get_coming(const sync_rounds *rounds);
void sync_rounds_hurry(sync_rounds *rounds);

// sync_rounds_is_over returns whether the round has ended, and sync_rounds_is_committed whether
// commits to the catalog made before the round began are durable.
bool sync_rounds_is_over(const sync_rounds *rounds, uint64_t round);
bool sync_rounds_is_committed(const sync_rounds *rounds, uint64_t round);

// sync_rounds_is_late returns whether answers have to wait for the disk: with SYNC_ALWAYS always;
// with SYNC_SECOND while data older than SYNC_ROUNDS_AGE_MS_MAX is not durable.
bool sync_rounds_is_late(const sync_rounds *rounds);

// sync_rounds_has_failed returns whether a sync of a journal or the Hello of the session has failed
// without a successful retry.
bool sync_rounds_has_failed(const sync_rounds *rounds, const char *session_id);

// sync_rounds_is_synced returns whether everything was on the disk at the end of sync_rounds_stop.
// Call it once the loop has no work left.
bool sync_rounds_is_synced(const sync_rounds *rounds);

// sync_rounds_get_failure returns the errno of a journal or Hello whose sync has failed without a
// successful retry; 0 if there is none.
int sync_rounds_get_failure(const sync_rounds *rounds);

// sync_rounds_get_problem returns the errno of a failed sync of the catalog's log; 0 if no sync
// failed.
int sync_rounds_get_problem(const sync_rounds *rounds);
