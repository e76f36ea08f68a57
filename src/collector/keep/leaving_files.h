// SPDX-License-Identifier: Apache-2.0

// leaving_files: deletes the files of chunks and recordings whose rows were deleted. Each of these
// has a note in the catalog (catalog_expiry.h), from which the next start continues:
//
//   1. wait until the deletion of the rows is on the disk and earlier readers have ended
//   2. delete the files
//   3. wait until their deletion is on the disk, and delete the note
//
// So a recording exists with all its chunks or not at all: if deleted files reappear after a power
// cut, their note is still there. If a deletion fails, it is retried after LEAVING_FILES_RETRY_MS,
// and delays no other.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/keep/test_retention_removal.c

#pragma once

#include "collector/journal/sync_rounds.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/chunks/removals.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LEAVING_FILES_RETRY_MS = 10000 };

typedef struct leaving_file {
    char session_id[CATALOG_ID_CHARS + 1];
    int64_t ordinal; // or CATALOG_REMOVAL_ALL
    uint64_t bytes;  // not yet deleted
    bool has_chunks; // with CATALOG_REMOVAL_ALL: rows of chunks remain
    bool is_removed; // in step 3
    uint64_t round;  // of sync_rounds; the next step waits for its end
    uint64_t moment; // readers that began before this moment may read the files
    uint64_t retry_ms;
} leaving_file;

typedef struct leaving_files {
    LP_VEC(leaving_file) items;
    // Borrowed
    catalog *catalog;
    blobs *blobs;
    sync_rounds *rounds;
    removals_rest rest;
} leaving_files;

void leaving_files_fini(leaving_files *leaving);

// leaving_files_reserve makes room for count more files. Errors: LP_ENOMEM
LP_MUST_USE lp_err leaving_files_reserve(leaving_files *leaving, size_t count);

// leaving_files_add adds the file of a chunk, or with CATALOG_REMOVAL_ALL the files of a session.
// Call it right after the deletion of the rows. There must be room (leaving_files_reserve).
void leaving_files_add(
    leaving_files *leaving, const char *session_id, int64_t ordinal, uint64_t bytes);

// leaving_files_note_no_chunks notes that no row of the session's chunks remains.
void leaving_files_note_no_chunks(leaving_files *leaving, leaving_file *item);

// leaving_files_has returns whether the file of a chunk, or with CATALOG_REMOVAL_ALL any file of a
// session, is still to be deleted.
bool leaving_files_has(const leaving_files *leaving, const char *session_id, int64_t ordinal);

// leaving_files_go_on takes the steps that are due at now_ms (monotonic). It logs and counts files
// that it cannot delete. Errors: as the catalog; the next call continues
LP_MUST_USE lp_err leaving_files_go_on(leaving_files *leaving, uint64_t now_ms);
