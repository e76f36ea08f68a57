// SPDX-License-Identifier: Apache-2.0
#include "offline/merged_file.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "offline/temp_file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 20 };

lp_err
merged_file_open(merged_file *out_file, lp_problem *out_problem)
{
    const char *directory;
    int fd;
    lp_err err = temp_file_open(&fd, &directory, out_problem);
    if (err == LP_OK) {
        *out_file = (merged_file){.fd = fd};
    }
    return err;
}

void
merged_file_close(merged_file *file)
{
    if (file->fd > 0) {
        (void)close(file->fd); // nobody will read it
    }
    LP_VEC_FINI(&file->chunks);
    *file = (merged_file){0};
}

lp_err
merged_file_append(merged_file *file, lp_slice chunk)
{
    struct merged_chunk *slot = LP_VEC_PUSH(&file->chunks);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = jfr_chunk_parse(chunk, &slot->info, NULL);
    LP_ASSERT(err == LP_OK && slot->info.size_bytes == chunk.len && // we wrote it
              slot->info.ticks_per_s == 1000000000);
    slot->offset = file->size_bytes;
    file->size_bytes += chunk.len;
    return lp_io_write_all(file->fd, chunk);
}

static int
compare_starts(const void *a, const void *b)
{
    const struct merged_chunk *x = a;
    const struct merged_chunk *y = b;
    if (x->info.start_wall_ns != y->info.start_wall_ns) {
        return x->info.start_wall_ns < y->info.start_wall_ns ? -1 : 1;
    }
    return (x->offset > y->offset) - (x->offset < y->offset);
}

// part_starts makes chunks that start at the same time, one after the other, start apart.
static void
part_starts(merged_file *file)
{
    for (size_t i = 1; i < file->chunks.count; i++) {
        jfr_chunk_info *info = &file->chunks.items[i].info;
        int64_t before = file->chunks.items[i - 1].info.start_wall_ns;
        if (info->start_wall_ns <= before && before < INT64_MAX) {
            int64_t later = before + 1 - info->start_wall_ns;
            info->start_wall_ns += later;
            info->start_ticks += later;
            info->duration_ns -= info->duration_ns >= later ? later : info->duration_ns;
        }
    }
}

static lp_err
copy(int from, uint64_t offset, uint64_t size_bytes, int to, uint8_t *room)
{
    while (size_bytes > 0) {
        size_t wanted = size_bytes < COPY_BYTES ? (size_t)size_bytes : COPY_BYTES;
        ssize_t count = pread(from, room, wanted, (off_t)offset);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            errno = count == 0 ? EIO : errno; // somebody cut our file
            return LP_EIO;
        }
        lp_err err = lp_io_write_all(to, (lp_slice){room, (size_t)count});
        if (err != LP_OK) {
            return err;
        }
        offset += (uint64_t)count;
        size_bytes -= (uint64_t)count;
    }
    return LP_OK;
}

lp_err
merged_file_write(merged_file *file, int fd)
{
    uint8_t *room = malloc(COPY_BYTES);
    if (room == NULL) {
        return LP_ENOMEM;
    }
    qsort(file->chunks.items, file->chunks.count, sizeof(*file->chunks.items), compare_starts);
    part_starts(file);
    lp_err err = LP_OK;
    for (size_t i = 0; i < file->chunks.count && err == LP_OK; i++) {
        const struct merged_chunk *chunk = &file->chunks.items[i];
        LP_ASSERT(i == 0 || chunk->info.start_wall_ns >= chunk[-1].info.start_wall_ns);
        uint8_t header[JFR_CHUNK_HEADER_SIZE];
        jfr_chunk_encode(&chunk->info, header);
        err = lp_io_write_all(fd, (lp_slice){header, sizeof(header)});
        if (err == LP_OK) {
            err = copy(file->fd, chunk->offset + sizeof(header),
                chunk->info.size_bytes - sizeof(header), fd, room);
        }
    }
    free(room);
    return err;
}
