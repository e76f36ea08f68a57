// SPDX-License-Identifier: Apache-2.0

// damaged_files: lists and removes data that was put aside as damaged or unusable: the files in
// damaged/, and replaced catalogs.
//
// Threads: any thread.
// Tests:   tests/unit/collector/keep/test_retention_aside.c,
//          tests/unit/collector/mend/test_reconcile.c

#pragma once

#include "collector/journal/data_dir.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

// The ends of the names of journals in damaged/. A journal with the second end could not be read:
// the session's losses count its chunk, and the chunk's batches below the session's next_sequence.
#define DAMAGED_FILES_JOURNAL ".log"
#define DAMAGED_FILES_UNREAD  ".unread.log"

// A parsed name in damaged/ (data_dir_damaged_path).
typedef struct damaged_name {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal; // of a chunk
    const char *what; // the rest of the name, without the number that makes it unique
} damaged_name;

typedef struct damaged_file {
    char *name;                            // relative to the data directory
    char session_id[CATALOG_ID_CHARS + 1]; // "": of no session
    damaged_name of;                       // .what is NULL: of no chunk
    uint64_t bytes;
    int64_t since_wall_ns; // time of its last change, such as when it was put aside
    bool is_gone;          // set by the caller when it has removed the file
} damaged_file;

typedef LP_VEC(damaged_file) damaged_files;

// damaged_files_list appends all files to *out_files, which must be empty. Directories whose names
// end in DAMAGED_FILES_UNREAD count as files. The caller calls damaged_files_fini, even after an
// error. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err damaged_files_list(const data_dir *dir, damaged_files *out_files);
void damaged_files_fini(damaged_files *files);

// damaged_files_remove deletes a file, or a directory and its contents. A missing file is no error.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err damaged_files_remove(const data_dir *dir, const char *name);

// damaged_files_remove_of deletes the files of a session and syncs their directory. If it cannot
// delete a file, it still deletes the others. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err damaged_files_remove_of(const data_dir *dir, const char *session_id);
