// SPDX-License-Identifier: Apache-2.0

#include "collector/base/snapshot.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <stdlib.h>
#include <unistd.h>

snapshot *
snapshot_create(lp_err err)
{
    snapshot *snap = calloc(1, sizeof(*snap));
    if (snap != NULL) {
        atomic_init(&snap->owner_count, 1);
        snap->err = err;
        snap->fd = -1;
    }
    return snap;
}

static void
drop_chunks(snapshot *snap)
{
    if (snap->fd >= 0) {
        (void)close(snap->fd);
        snap->fd = -1;
    }
    LP_VEC_FINI(&snap->chunks);
    snap->size_bytes = 0;
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
        drop_chunks(snap);
        free(snap);
    }
}

void
snapshot_check(const snapshot *snap)
{
    LP_ASSERT(snap->chunks.count == 0 || (snap->err == LP_OK && snap->fd >= 0));
}

lp_err
snapshot_add_chunk(snapshot *snap, blobs *files, lp_slice chunk)
{
    if (!LP_VEC_ROOM(&snap->chunks)) {
        return LP_ENOMEM;
    }
    lp_err err =
        snap->fd < 0 ? blobs_spill(files, chunk, &snap->fd) : lp_io_write_all(snap->fd, chunk);
    if (err != LP_OK) {
        return err;
    }
    snap->chunks.items[snap->chunks.count++] = (snapshot_chunk){
        .offset = snap->size_bytes,
        .size_bytes = chunk.len,
        .content_hash = blobs_hash(chunk),
    };
    snap->size_bytes += chunk.len;
    return LP_OK;
}

void
snapshot_fail(snapshot *snap, lp_err err)
{
    drop_chunks(snap); // the chunks before would look like all of them
    snap->err = err;
}

lp_err
snapshot_read_chunk(const snapshot *snap, size_t index, lp_buf *out_bytes)
{
    LP_ASSERT(index < snap->chunks.count);

    const snapshot_chunk *chunk = &snap->chunks.items[index];
    uint8_t *to = lp_buf_extend(out_bytes, (size_t)chunk->size_bytes);
    return to == NULL ? LP_ENOMEM
                      : lp_io_pread_all(snap->fd, to, (size_t)chunk->size_bytes, chunk->offset);
}
