// SPDX-License-Identifier: Apache-2.0

// damaged_files: what was put aside because it is damaged, or could not be used, with its age and
// its bytes: the files of damaged/, and the catalogs that new ones have taken the place of.
//
// Threads: any thread.
// Tests:   tests/unit/collector/keep/test_retention_aside.c,
// tests/unit/collector/mend/test_reconcile.c

#ifndef LP_COLLECTOR_SERVER_DAMAGED_FILES_H
#define LP_COLLECTOR_SERVER_DAMAGED_FILES_H

#include "collector/journal/data_dir.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

// How the names of journals end that were put aside. Of one that could not be read all is counted
// in the losses of its session: the chunk, and its batches below the session's next_sequence.
#define DAMAGED_FILES_JOURNAL ".log"
#define DAMAGED_FILES_UNREAD  ".unread.log"

// What the name of a file of damaged/ says.
typedef struct damaged_name {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal; // of a chunk
    const char *what; // the rest of the name, without the number of one that has it as well
} damaged_name;

// damaged_files_parse_name returns whether the name says of which chunk a file is.
bool damaged_files_parse_name(const char *name, damaged_name *out_name);

typedef struct damaged_file {
    char *name;                            // in the data directory
    char session_id[CATALOG_ID_CHARS + 1]; // "": it is of none
    damaged_name of;                       // what is NULL: it is of no chunk
    uint64_t bytes;
    int64_t since_wall_ns; // when it came there, or was written to
    bool is_gone;          // it was removed since
} damaged_file;

typedef LP_VEC(damaged_file) damaged_files;

// Directories are among them that were put aside as journals, DAMAGED_FILES_UNREAD.
//
// damaged_files_list lists them into *out_files, which is empty and which damaged_files_fini frees
// in any case. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err damaged_files_list(const data_dir *dir, damaged_files *out_files);
void damaged_files_fini(damaged_files *files);

// damaged_files_remove removes a file, or a directory with all that is in it. One that is not there
// is fine. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err damaged_files_remove(const data_dir *dir, const char *name);

// damaged_files_remove_of removes all of a session that can be removed; on LP_OK the disk has it
// that they are gone. Errors: LP_EIO with errno, LP_ENOMEM, of one that cannot
LP_MUST_USE lp_err damaged_files_remove_of(const data_dir *dir, const char *session_id);

#endif // LP_COLLECTOR_SERVER_DAMAGED_FILES_H
