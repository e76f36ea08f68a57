// SPDX-License-Identifier: Apache-2.0

// first_edition: goes back to the first edition of a chunk (blob.h), whose file is still there, if
// a later edition is missing or damaged. The chunk then lacks only what pins wanted.
//
// Threads: one thread at a time for each catalog.
// Tests:   tests/unit/collector/server/test_server_recall.c
// Memory:  the chunk

#pragma once

#include "collector/store/catalog/blob_list.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

// Where the chunk is. Borrowed.
typedef struct first_edition_place {
    catalog *catalog;
    const char *blobs_path;
    const char *session_id;
    const blob_list_files *files; // of the session
} first_edition_place;

// first_edition_restore has the catalog name the first edition of a chunk, whose row names a later
// one. *out_is_back is false if there is no first edition that can be read. The counts of the
// session stay. Errors: LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err first_edition_restore(
    const first_edition_place *place, const catalog_chunk *row, bool *out_is_back);
