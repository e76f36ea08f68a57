// SPDX-License-Identifier: Apache-2.0

#include "collector/base/snapshot.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"

#include <stdlib.h>

snapshot *
snapshot_create(lp_err err)
{
    snapshot *snap = calloc(1, sizeof(*snap));
    if (snap != NULL) {
        atomic_init(&snap->owner_count, 1);
        snap->err = err;
    }
    return snap;
}

snapshot *
snapshot_ref(snapshot *snap)
{
    atomic_fetch_add_explicit(&snap->owner_count, 1, memory_order_relaxed);
    return snap;
}

void
snapshot_unref(snapshot *snap)
{
    // Release and acquire: the owner that frees it sees that the others have read it.
    if (snap == NULL) {
        return;
    }
    int owner_count = atomic_fetch_sub_explicit(&snap->owner_count, 1, memory_order_acq_rel);
    LP_ASSERT(owner_count > 0);
    if (owner_count == 1) {
        lp_buf_fini(&snap->jfr);
        free(snap);
    }
}

void
snapshot_check(const snapshot *snap)
{
    LP_ASSERT(snap->jfr.len == 0 || snap->err == LP_OK);
}

lp_slice
snapshot_take_chunk(lp_slice *rest)
{
    LP_ASSERT(rest->len > 0);

    jfr_chunk_info info;
    size_t size = rest->len;
    if (jfr_chunk_parse(*rest, &info, NULL) == LP_OK && info.size_bytes < size) {
        size = (size_t)info.size_bytes;
    }
    lp_slice chunk = {.ptr = rest->ptr, .len = size};
    *rest = (lp_slice){.ptr = rest->ptr + size, .len = rest->len - size};
    return chunk;
}
