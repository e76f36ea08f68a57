// SPDX-License-Identifier: Apache-2.0

// sync_rounds: brings what the loop has written to the disk, in rounds: journals, their names, the
// catalog's log, the Hello of a session and which of its chunks have files. All that was noted
// until a round begins is on the disk when it has ended, so that one wait for the disk serves many
// batches (group commit).
//
// Rounds are numbered from 1. At most one runs, on threads of its own: libuv's workers compact,
// and what waits for the disk should not wait for a chunk as well. A round begins
//
//   SYNC_ALWAYS   when something was noted and none runs
//   SYNC_SECOND   each SYNC_ROUNDS_WAIT_MS, so that half a second is left for the disk; while it
//                 takes longer than that, sync_rounds_is_late is true
//   SYNC_NEVER    never: all that was written counts as durable, and every round is over
//
// A failed fsync is never tried again as it is: the kernel may have dropped what it could not
// write, and would call the next one a success.
//   - A journal is refused to appends until a later round has copied it into a new file,
//     SYNC_ROUNDS_RETRY_MS after the failure at the earliest. Its session's batches are not durable
//     until then.
//   - The catalog's log cannot be copied while it is in use. Nothing that waits for the catalog
//     becomes durable any more, so that no journal is removed; sync_rounds_get_problem says so. The
//     next start reads the log with its checksums and writes the database anew.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/journal/test_sync_rounds.c

#ifndef LP_COLLECTOR_SERVER_SYNC_ROUNDS_H
#define LP_COLLECTOR_SERVER_SYNC_ROUNDS_H

#include "collector/journal/journal.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    SYNC_ROUNDS_WAIT_MS = 500,     // between the beginnings of rounds that nobody waits for
    SYNC_ROUNDS_AGE_MS_MAX = 1000, // SYNC_SECOND: what is older and not durable makes answers wait
    SYNC_ROUNDS_RETRY_MS = 1000,   // after a failure
    SYNC_ROUNDS_THREADS = 8,       // that wait for the disk side by side
};

// When an answer says that a batch is here.
typedef enum sync_mode {
    SYNC_ALWAYS, // when it is on the disk
    SYNC_SECOND, // at once; it is on the disk within a second
    SYNC_NEVER,  // at once; when it comes to the disk is the kernel's business
} sync_mode;

typedef struct sync_rounds sync_rounds;

typedef struct sync_rounds_config {
    uv_loop_t *loop;
    sync_mode mode;
    // Borrowed until sync_rounds_destroy.
    const char *journals_path; // the directory of the sessions' directories
    const char *damaged_path;  // that of what was put aside
    catalog *catalog;
    blobs *blobs;
    // Of a session whose journals are on the disk: batches below sequence are durable. What waits
    // for a journal, or a Hello, that the disk refused is durable once it has taken that.
    void (*on_durable)(void *arg, const char *session_id, uint64_t sequence);
    // Of a journal of a session that the disk has taken at the second try: so many of its bytes
    // could not be read again as they were written.
    void (*on_damaged)(
        void *arg, const char *session_id, const journal *journal, uint64_t damaged_bytes);
    // After these calls. is_catalog_durable: what was committed before the round began is.
    void (*on_end)(void *arg, uint64_t round, bool is_catalog_durable);
    void *arg;
} sync_rounds_config;

// sync_rounds_create does not keep the loop alive before sync_rounds_stop.
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err sync_rounds_create(
    const sync_rounds_config *config, sync_rounds **out_rounds, lp_problem *out_problem);

// sync_rounds_stop makes one more round, and gives its handles back to the loop after on_end of
// that round; with SYNC_NEVER it has the kernel write everything. Nothing is noted any more. NULL
// is fine.
void sync_rounds_stop(sync_rounds *rounds);

// sync_rounds_destroy frees it, once the loop has nothing left to do after sync_rounds_stop. NULL
// is fine.
void sync_rounds_destroy(sync_rounds *rounds);

// sync_rounds_admit makes room for one more to be noted: before it is written, so that nothing is
// written that cannot be noted. Errors: LP_ENOMEM
LP_MUST_USE lp_err sync_rounds_admit(sync_rounds *rounds);

// sync_rounds_note notes a journal that was appended to: batches of the session below sequence are
// in it, or were noted before. The first time, its name comes to the disk as well. It is referenced
// and held until the end of its round.
void sync_rounds_note(
    sync_rounds *rounds, journal *journal, const char *session_id, uint64_t sequence);

// sync_rounds_has returns whether a journal was noted and is not on the disk yet. Who opens its
// file meanwhile has to go on with this one: two journals of one file would be copied apart.
bool sync_rounds_has(const sync_rounds *rounds, journal *journal);

// sync_rounds_put_hello writes the Hello of a session in the coming round (blobs_put_hello), which
// is tried again in later ones where it fails. With SYNC_NEVER at once.
// Errors: LP_ENOMEM; LP_EIO with SYNC_NEVER
LP_MUST_USE lp_err sync_rounds_put_hello(
    sync_rounds *rounds, const char *session_id, lp_slice hello);

// sync_rounds_put_names has it come to the disk in the coming round which files of a session's
// chunks there are (blobs_sync_names), which directories of journals, and what was put aside, which
// is tried again in later ones where it fails: sync_rounds_has_names_failed is true until then.
// With SYNC_NEVER nothing is done. Errors: LP_ENOMEM
LP_MUST_USE lp_err sync_rounds_put_names(sync_rounds *rounds, const char *session_id);
bool sync_rounds_has_names_failed(const sync_rounds *rounds, const char *session_id);

// sync_rounds_get_coming returns the round with whose end all that has been written until now,
// commits to the catalog included, is on the disk. sync_rounds_hurry has it begin as soon as no
// other one runs.
uint64_t sync_rounds_get_coming(const sync_rounds *rounds);
void sync_rounds_hurry(sync_rounds *rounds);

// sync_rounds_is_over returns whether the round has ended, and sync_rounds_is_committed whether the
// disk has what was committed to the catalog before it began.
bool sync_rounds_is_over(const sync_rounds *rounds, uint64_t round);
bool sync_rounds_is_committed(const sync_rounds *rounds, uint64_t round);

// sync_rounds_is_late returns whether answers have to wait for the disk: always with SYNC_ALWAYS,
// with SYNC_SECOND while something older than SYNC_ROUNDS_AGE_MS_MAX is not durable.
bool sync_rounds_is_late(const sync_rounds *rounds);

// sync_rounds_has_failed returns whether a journal or the Hello of the session could not be brought
// to the disk, and has not been since.
bool sync_rounds_has_failed(const sync_rounds *rounds, const char *session_id);

// sync_rounds_is_synced returns whether sync_rounds_stop has left nothing that is not on the disk.
// Once the loop has nothing left to do.
bool sync_rounds_is_synced(const sync_rounds *rounds);

// sync_rounds_get_failure returns the errno of a journal, or a Hello, that could not be brought to
// the disk, and has not been since; 0: there is none.
int sync_rounds_get_failure(const sync_rounds *rounds);

// sync_rounds_get_problem returns the errno with which the catalog's log was refused; 0: none.
int sync_rounds_get_problem(const sync_rounds *rounds);

#endif // LP_COLLECTOR_SERVER_SYNC_ROUNDS_H
