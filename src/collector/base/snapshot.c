// SPDX-License-Identifier: Apache-2.0

#include "collector/base/snapshot.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"

#include <stdlib.h>

void
snapshot_check(const snapshot *snap)
{
    LP_ASSERT(snap->jfr.len == 0 || snap->jfr.len == snap->size_bytes);
    LP_ASSERT(snap->size_bytes == 0 || snap->err == LP_OK);
}

snapshot *
snapshot_copy_counts(const snapshot *snap)
{
    snapshot_check(snap);
    snapshot *copy = calloc(1, sizeof(*copy));
    if (copy == NULL) {
        return NULL;
    }
    copy->err = snap->err;
    copy->next_chunk = snap->next_chunk;
    copy->size_bytes = snap->size_bytes;
    copy->totals = snap->totals;
    if (compact_stats_add(&copy->stats, &snap->stats) != LP_OK) {
        snapshot_destroy(copy);
        return NULL;
    }
    return copy;
}

void
snapshot_destroy(snapshot *snap)
{
    if (snap != NULL) {
        lp_buf_fini(&snap->jfr);
        compact_stats_fini(&snap->stats);
        free(snap);
    }
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
