// SPDX-License-Identifier: Apache-2.0

// aside_files: what was put aside as damaged (damaged_files.h), counted among the bytes that are
// kept of the services whose it is: "" where nobody knows.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/keep/test_retention_aside.c

#ifndef LP_COLLECTOR_SERVER_ASIDE_FILES_H
#define LP_COLLECTOR_SERVER_ASIDE_FILES_H

#include "collector/journal/damaged_files.h"
#include "collector/journal/data_dir.h"
#include "collector/journal/late_journals.h"
#include "collector/keep/kept_services.h"
#include "collector/store/catalog/catalog.h"

// Zeroed but for what is borrowed, nothing is known.
typedef struct aside_files {
    damaged_files files;     // as they were found last
    LP_VEC(size_t) services; // of each of them, by place in kept
    // Borrowed
    const data_dir *dir;
    catalog *catalog;
    kept_services *kept;
    late_journals *late;
} aside_files;

void aside_files_fini(aside_files *aside);

// aside_files_look finds out what was put aside by now; nothing is known where that fails. Errors:
// LP_EIO with errno, LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err aside_files_look(aside_files *aside);

// aside_files_remove removes a file, for good, and logs where it cannot; that is found again with
// the next look. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err aside_files_remove(aside_files *aside, size_t index);

// aside_files_remove_of removes all of a session that can be removed. Errors: those of one that
// cannot
LP_MUST_USE lp_err aside_files_remove_of(aside_files *aside, const char *session_id);

#endif // LP_COLLECTOR_SERVER_ASIDE_FILES_H
