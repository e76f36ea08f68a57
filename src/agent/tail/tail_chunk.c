// SPDX-License-Identifier: Apache-2.0
#include "agent/tail/tail_chunk.h"

#include "common/base/lp_assert.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    HEADER_TRIES_MAX = 20,         // until two reads agree
    HEADER_RETRY_NS = 1000 * 1000, // the JVM needs microseconds for the rewrite
    STREAMABLE_MINOR = 1,          // version 2.0 has no state byte: always 0, finished or not
};

// Fills bytes from offset; LP_EEND if the file ends before.
static lp_err
read_at(int fd, uint64_t offset, uint8_t *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count = pread(fd, bytes + done, size - done, (off_t)(offset + done));
        if (count == 0) {
            return LP_EEND;
        }
        if (count < 0 && errno != EINTR) {
            return LP_EIO;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return LP_OK;
}

static lp_err
read_header(int fd, uint8_t *out_header)
{
    uint8_t first[JFR_CHUNK_HEADER_SIZE];
    uint8_t second[JFR_CHUNK_HEADER_SIZE];
    for (int i = 0; i < HEADER_TRIES_MAX; i++) {
        LP_TRY(read_at(fd, 0, first, sizeof(first)));
        if (first[JFR_CHUNK_STATE_OFFSET] == JFR_CHUNK_STATE_WRITING) {
            (void)nanosleep(&(struct timespec){.tv_nsec = HEADER_RETRY_NS}, NULL);
            continue;
        }
        LP_TRY(read_at(fd, 0, second, sizeof(second)));
        if (memcmp(first, second, sizeof(first)) == 0) {
            memcpy(out_header, first, sizeof(first));
            return LP_OK;
        }
    }
    return LP_EAGAIN;
}

static lp_err
adopt(tail_chunk *chunk, const uint8_t *header, const jfr_chunk_info *info)
{
    // Without metadata nothing has been flushed yet.
    uint64_t published = info->metadata_offset == 0 ? 0 : info->size_bytes;
    if (published < chunk->published_bytes) {
        return LP_ECORRUPT;
    }
    memcpy(chunk->header, header, sizeof(chunk->header));
    chunk->info = *info;
    chunk->published_bytes = published;
    chunk->is_finished = info->state == JFR_CHUNK_STATE_FINISHED;
    return LP_OK;
}

lp_err
tail_chunk_open(int fd, tail_chunk *out_chunk)
{
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    jfr_chunk_info info;
    lp_err err = read_header(fd, header);
    LP_THEN(err, jfr_chunk_parse((lp_slice){header, sizeof(header)}, &info, NULL));
    if (err != LP_OK) {
        return err;
    }
    if (info.major != 2 || info.minor < STREAMABLE_MINOR) {
        return LP_EVERSION;
    }
    tail_chunk chunk = {.fd = fd};
    err = adopt(&chunk, header, &info);
    if (err == LP_OK) {
        *out_chunk = chunk;
    }
    return err;
}

void
tail_chunk_close(tail_chunk *chunk)
{
    (void)close(chunk->fd);
    *chunk = (tail_chunk){.fd = -1};
}

lp_err
tail_chunk_refresh(tail_chunk *chunk)
{
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    jfr_chunk_info info;
    lp_err err = read_header(chunk->fd, header);
    LP_THEN(err, jfr_chunk_parse((lp_slice){header, sizeof(header)}, &info, NULL));
    return err == LP_OK ? adopt(chunk, header, &info) : err;
}

lp_err
tail_chunk_copy(tail_chunk *chunk, size_t size_max, lp_buf *out)
{
    LP_ASSERT(chunk->copied_bytes <= chunk->published_bytes);
    uint64_t left = chunk->published_bytes - chunk->copied_bytes;
    if (left == 0) {
        return LP_EEND;
    }
    size_t size = left < size_max ? (size_t)left : size_max;
    size_t before = out->len;
    uint8_t *bytes = lp_buf_extend(out, size);
    if (bytes == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = read_at(chunk->fd, chunk->copied_bytes, bytes, size);
    if (err != LP_OK) {
        out->len = before;
        return err == LP_EEND ? LP_ECORRUPT : err;
    }
    if (chunk->copied_bytes < sizeof(chunk->header)) {
        size_t begin = (size_t)chunk->copied_bytes;
        size_t count = sizeof(chunk->header) - begin;
        memcpy(bytes, chunk->header + begin, count < size ? count : size);
    }
    chunk->copied_bytes += size;
    return LP_OK;
}
