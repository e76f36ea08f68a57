// SPDX-License-Identifier: Apache-2.0

#include "collector/base/snapshot.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"
#include "common/rollup/rollup_bytes.h"

#include <stdlib.h>
#include <string.h>
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
drop_memory(snapshot_room *room, lp_buf *memory)
{
    if (memory->ptr != NULL) {
        LP_ASSERT(room != NULL);
        atomic_fetch_sub_explicit(&room->bytes, memory->capacity, memory_order_relaxed);
        lp_buf_fini(memory);
    }
}

static void
drop_chunks(snapshot *snap)
{
    if (snap->fd >= 0) {
        (void)close(snap->fd);
        snap->fd = -1;
    }
    for (size_t i = 0; i < snap->chunks.count; i++) {
        drop_memory(snap->room, &snap->chunks.items[i].memory);
        drop_memory(snap->room, &snap->chunks.items[i].statistics);
    }
    LP_VEC_FINI(&snap->chunks);
    snap->size_bytes = 0;
    snap->file_bytes = 0;
}

snapshot *
snapshot_ref(snapshot *snap)
{
    int owner_count = atomic_fetch_add_explicit(&snap->owner_count, 1, memory_order_relaxed);
    LP_ASSERT(owner_count > 0);
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
    LP_ASSERT(snap->chunks.count == 0 || snap->err == LP_OK);
    LP_ASSERT(snap->file_bytes == 0 || snap->fd >= 0);
}

// take_room reserves bytes of the room. False if it has too few.
static bool
take_room(snapshot_room *room, uint64_t bytes)
{
    LP_REQUIRE(room != NULL, false);
    uint64_t before = atomic_fetch_add_explicit(&room->bytes, bytes, memory_order_relaxed);
    bool is_taken = bytes <= room->bytes_max && before <= room->bytes_max - bytes;
    if (!is_taken) {
        atomic_fetch_sub_explicit(&room->bytes, bytes, memory_order_relaxed);
    }
    return is_taken;
}

static lp_err
append_to_file(snapshot *snap, blobs *files, lp_slice bytes)
{
    lp_err err =
        snap->fd < 0 ? blobs_spill(files, bytes, &snap->fd) : lp_io_write_all(snap->fd, bytes);
    snap->file_bytes += err == LP_OK ? bytes.len : 0;
    return err;
}

lp_err
snapshot_add_chunk(snapshot *snap, blobs *files, lp_buf *chunk)
{
    LP_ASSERT(snap->err == LP_OK);
    LP_REQUIRE(LP_VEC_ROOM(&snap->chunks), LP_ENOMEM);
    const lp_slice bytes = lp_buf_slice(chunk);
    snapshot_chunk added = {
        .file_offset = snap->file_bytes,
        .size_bytes = bytes.len,
        .content_hash = blobs_hash(bytes),
    };
    if (take_room(snap->room, chunk->capacity)) {
        added.memory = *chunk; // moves
        *chunk = (lp_buf){0};
    } else {
        metrics_add(METRICS_snapshot_chunks_in_files, snap->room != NULL);
        LP_TRY(append_to_file(snap, files, bytes));
    }
    snap->chunks.items[snap->chunks.count++] = added;
    snap->size_bytes += added.size_bytes;
    return LP_OK;
}

// find_since returns a time before which no context or request of a chunk began.
static int64_t
find_since(int64_t start_wall_ns, const rollup *sums)
{
    int64_t request_ns = lp_time_add(start_wall_ns, -sums->longest_ns[ROLLUP_REQUESTS]);
    return request_ns < sums->begin_min_ns ? request_ns : sums->begin_min_ns;
}

lp_err
snapshot_add_statistics(
    snapshot *snap, blobs *files, int64_t start_wall_ns, int64_t duration_ns, const rollup *sums)
{
    LP_ASSERT(snap->chunks.count > 0);
    LP_ASSERT(snap->chunks.items[snap->chunks.count - 1].statistics_bytes == 0);

    snapshot_chunk *chunk = &snap->chunks.items[snap->chunks.count - 1];
    lp_buf bytes = {0};
    lp_err err = rollup_bytes_encode(sums, &bytes);
    if (err == LP_OK && bytes.len > SNAPSHOT_STATISTICS_BYTES_MAX) {
        metrics_add(METRICS_snapshot_statistics_left_out, 1);
    } else if (err == LP_OK) {
        chunk->start_wall_ns = start_wall_ns;
        chunk->duration_ns = duration_ns;
        chunk->since_wall_ns = find_since(start_wall_ns, sums);
        chunk->statistics_bytes = bytes.len;
        if (take_room(snap->room, bytes.capacity)) {
            chunk->statistics = bytes; // moves
            return LP_OK;
        }
        chunk->statistics_offset = snap->file_bytes;
        err = append_to_file(snap, files, lp_buf_slice(&bytes));
    }
    lp_buf_fini(&bytes);
    return err;
}

void
snapshot_fail(snapshot *snap, lp_err err)
{
    LP_ASSERT(err != LP_OK);
    drop_chunks(snap); // the chunks before would look like all of them
    snap->err = err;
}

// read_piece appends bytes from memory, or from the file if memory is empty.
static lp_err
read_piece(const snapshot *snap, const lp_buf *memory, uint64_t offset, uint64_t size_bytes,
    lp_buf *out_bytes)
{
    uint8_t *to = lp_buf_extend(out_bytes, (size_t)size_bytes);
    LP_REQUIRE(to != NULL, LP_ENOMEM);
    if (memory->ptr != NULL) {
        memcpy(to, memory->ptr, memory->len);
        return LP_OK;
    }
    return lp_io_pread_all(snap->fd, to, (size_t)size_bytes, offset);
}

lp_err
snapshot_read_chunk(const snapshot *snap, size_t index, lp_buf *out_bytes)
{
    LP_ASSERT(index < snap->chunks.count);

    const snapshot_chunk *chunk = &snap->chunks.items[index];
    return read_piece(snap, &chunk->memory, chunk->file_offset, chunk->size_bytes, out_bytes);
}

lp_err
snapshot_read_statistics(const snapshot *snap, size_t index, lp_buf *out_bytes)
{
    LP_ASSERT(index < snap->chunks.count);
    LP_ASSERT(snap->chunks.items[index].statistics_bytes > 0);

    const snapshot_chunk *chunk = &snap->chunks.items[index];
    return read_piece(
        snap, &chunk->statistics, chunk->statistics_offset, chunk->statistics_bytes, out_bytes);
}

lp_slice
snapshot_lend_chunk(const snapshot *snap, size_t index)
{
    LP_ASSERT(index < snap->chunks.count);

    return lp_buf_slice(&snap->chunks.items[index].memory);
}

ssize_t
snapshot_read(const snapshot *snap, uint64_t offset, char *out, size_t size_max)
{
    size_t index = 0;
    for (; index < snap->chunks.count && offset >= snap->chunks.items[index].size_bytes; index++) {
        offset -= snap->chunks.items[index].size_bytes;
    }
    if (index == snap->chunks.count) {
        return 0;
    }
    const snapshot_chunk *chunk = &snap->chunks.items[index];
    uint64_t left = chunk->size_bytes - offset;
    size_t count = left < size_max ? (size_t)left : size_max;
    if (chunk->memory.ptr != NULL) {
        memcpy(out, chunk->memory.ptr + offset, count);
        return (ssize_t)count;
    }
    return lp_io_pread(snap->fd, out, count, chunk->file_offset + offset);
}
