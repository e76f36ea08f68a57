// SPDX-License-Identifier: Apache-2.0
// removals: files that have to go and did not before the collector ended (catalog_expiry.h).
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/keep/test_retention_removal.c

#ifndef LP_COLLECTOR_STORE_REMOVALS_H
#define LP_COLLECTOR_STORE_REMOVALS_H

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

// What a session has besides its chunks, which goes with it.
typedef struct removals_rest {
    lp_err (*remove)(void *arg, const char *session_id); // Errors: LP_EIO with errno, LP_ENOMEM
    void *arg;
} removals_rest;

// removals_finish removes them, and the chunks of sessions that were being removed, while nobody
// reads. Who looks for files without rows calls it before. *out_left, which is empty, gets those
// that cannot be removed; the caller frees its items. *out_error is the errno of one of them.
// Errors: as the catalog's
LP_MUST_USE lp_err removals_finish(
    catalog *catalog, blobs *blobs, removals_rest rest, removal_list *out_left, int *out_error);

// removals_list lists them. Errors: as the catalog's
LP_MUST_USE lp_err removals_list(catalog *catalog, removal_list *out_list);

// removals_has returns whether a list has the file of a chunk, or CATALOG_REMOVAL_ALL of a session.
bool removals_has(const removal_list *list, const char *session_id, int64_t ordinal);

#endif // LP_COLLECTOR_STORE_REMOVALS_H
