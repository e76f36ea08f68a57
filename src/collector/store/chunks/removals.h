// SPDX-License-Identifier: Apache-2.0
// removals: completes the removals that an earlier run of the collector noted (catalog_expiry.h).
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/keep/test_retention_removal.c

#pragma once

#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct removal {
    char session_id[CATALOG_ID_CHARS + 1];
    int64_t ordinal; // or CATALOG_REMOVAL_ALL
} removal;

typedef LP_VEC(removal) removal_list;

// Removes the files of a session other than its chunks.
typedef struct removals_rest {
    lp_err (*remove)(void *arg, const char *session_id); // Errors: LP_EIO with errno, LP_ENOMEM
    void *arg;
} removals_rest;

// removals_finish completes all noted removals, and removes the chunks of removed sessions. Call it
// while there are no readers, and before searching for files without rows. It appends the failed
// removals to *out_left, which must be empty; the caller frees out_left->items. *out_error is the
// errno of one of them. Errors: as the catalog
LP_MUST_USE lp_err removals_finish(
    catalog *catalog, blobs *blobs, removals_rest rest, removal_list *out_left, int *out_error);

// removals_remove removes the files of one removal. Errors: as blobs_remove and rest
LP_MUST_USE lp_err removals_remove(
    blobs *blobs, removals_rest rest, const char *session_id, int64_t ordinal);

// removals_list lists the noted removals. Errors: as the catalog
LP_MUST_USE lp_err removals_list(catalog *catalog, removal_list *out_list);

// removals_has returns whether a list has the removal of a chunk's file or, with
// CATALOG_REMOVAL_ALL, of a session.
bool removals_has(const removal_list *list, const char *session_id, int64_t ordinal);
