// SPDX-License-Identifier: Apache-2.0

// leaving_files: the files of chunks and recordings that are not in the catalog any more, on their
// way out. Each has a note in the catalog (catalog_expiry.h), with which the next start goes on:
//
//   1. the disk gets to know that the rows are gone, and who began to read before ends
//   2. the files are removed
//   3. the disk gets to know that, and the note goes
//
// So a recording is there with all its chunks or not at all, whatever comes in between: files that
// a power failure brings back still have their note.
//
// What cannot be removed keeps nothing else from it, and is tried again LEAVING_FILES_RETRY_MS
// later.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/keep/test_retention_removal.c

#ifndef LP_COLLECTOR_SERVER_LEAVING_FILES_H
#define LP_COLLECTOR_SERVER_LEAVING_FILES_H

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
    uint64_t bytes;  // that are still there
    bool has_chunks; // of ALL: rows of chunks are left
    bool is_removed; // step 3
    uint64_t round;  // after which the next step may begin
    uint64_t moment; // before which readers began who may read them
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

// leaving_files_reserve makes room for more. Errors: LP_ENOMEM
LP_MUST_USE lp_err leaving_files_reserve(leaving_files *leaving, size_t count);

// leaving_files_add adds the files of a chunk, or CATALOG_REMOVAL_ALL of a session, whose rows were
// taken from the catalog just now. There is room.
void leaving_files_add(
    leaving_files *leaving, const char *session_id, int64_t ordinal, uint64_t bytes);

// leaving_files_note_no_chunks notes that of a session no row of a chunk is left.
void leaving_files_note_no_chunks(leaving_files *leaving, leaving_file *item);

// leaving_files_has returns whether files that leaving_files_add added are still there.
bool leaving_files_has(const leaving_files *leaving, const char *session_id, int64_t ordinal);

// leaving_files_has_session returns whether files of a session that was removed are still there.
bool leaving_files_has_session(const leaving_files *leaving, const char *session_id);

// leaving_files_go_on does what may be done now (a monotonic time). Files that cannot be removed
// are logged and counted. Errors: as the catalog's; everything goes on the next time
LP_MUST_USE lp_err leaving_files_go_on(leaving_files *leaving, uint64_t now_ms);

#endif // LP_COLLECTOR_SERVER_LEAVING_FILES_H
