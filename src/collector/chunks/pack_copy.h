// SPDX-License-Identifier: Apache-2.0

// pack_copy: what a worker does for pack_sweep.h with an object of the store: it copies its live
// chunks into a pack, or finds out whether all its chunks are elsewhere.
//
// Threads: any one, with a catalog of its own.
// Tests:   tests/unit/collector/chunks/test_packs.c, tests/e2e/packs.py

#ifndef LP_COLLECTOR_SERVER_PACK_COPY_H
#define LP_COLLECTOR_SERVER_PACK_COPY_H

#include "collector/chunks/pack_files.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>

// A chunk that was copied, and is to be settled.
typedef struct pack_copied {
    object_pack_chunk chunk; // as it was in the object
    pack_piece piece;
} pack_copied;

typedef LP_VEC(pack_copied) pack_copied_list;

// pack_copy_live copies the chunks that the catalog has in an object, and adds them to out_copied,
// also before an error.
// Errors: LP_ECORRUPT the object is damaged; LP_ENOENT it is gone; as the catalog's and the store's
LP_MUST_USE lp_err pack_copy_live(blobs *blobs, catalog *catalog, const char *object,
    pack_files *to, pack_copied_list *out_copied);

typedef struct pack_copy_name {
    char text[BLOB_OBJECT_CHARS + 1];
} pack_copy_name;

typedef LP_VEC(pack_copy_name) pack_copy_names;

// pack_copy_is_orphan returns whether each chunk of an object was committed elsewhere, as its
// session is past it: to an object among those that there are, which are in order, or to one that
// has gone with it. Errors: as above
LP_MUST_USE lp_err pack_copy_is_orphan(blobs *blobs, catalog *catalog, const char *object,
    const pack_copy_names *there, bool *out_is_orphan);

// pack_copy_compare is the order of names, for qsort.
int pack_copy_compare(const void *a, const void *b);

#endif // LP_COLLECTOR_SERVER_PACK_COPY_H
